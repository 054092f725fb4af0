"""Claims in plain prose and in tables, by the way in which they are right or wrong: each its own small document.

Asserted is what must not happen, a wrong claim that holds and a right one that fails, and that right ones hold.
"""

import json
import time
from pathlib import Path

import pytest

from pincite_papers.opening.source import parse_source
from pincite_provenance.claims.check import check_claim
from pincite_provenance.model import Claim, Verdict

Case = tuple[str, str, str, str, str]
"""A sentence, and the value, unit, material and property of a claim that quotes it."""

HOLDS: tuple[Case, ...] = (
    ("Samples were annealed at 900 K; the critical temperature of FeSe was 8.5 K.", "8.5", "K", "FeSe",
        "critical temperature"),
    ("The yield was 32 % for catalyst A and 47 % for catalyst B.", "47", "%", "catalyst B", "yield"),
    ("The yield of route A was 33 %, and that of route B was 47 %.", "47", "%", "route B", "yield"),
    ("The band gap is expected to be 3.4 eV, but we measured 3.2 eV for the film.", "3.4", "eV", "",
        "expected band gap"),
    ("Mean age was 54 years in the placebo group and 61 years in the treated group.", "61", "years", "treated group",
        "average age"),
    ("The objective response rate (ORR) was 45% in patients given cisplatin.", "45", "%", "patients given cisplatin",
        "ORR"),
    ("The ORR was 45% in patients given cisplatin. ORR, objective response rate.", "45", "%",
        "patients given cisplatin", "objective response rate"),
    ("In the trial 24 patients died within a year.", "24", "patients", "the trial", "number of deaths"),
    ("Survival was longer in carriers (12.3 months) than in controls (8.1 months).", "8.1", "months", "controls",
        "survival"),
    ("Recall and precision of the parser were 71.2 and 68.4, respectively.", "68.4", "", "parser", "precision"),
    ("The parser reaches an accuracy of 91.5 % on the test set (P = 0.03).", "91.5", "%", "parser",
        "accuracy on the test set"),
    ("The difference between wild type and mutant was significant (P = 0.012).", "0.012", "", "wild type and mutant",
        "P value"),
    ("The expression of GATA1 increased 3.4-fold in the treated cells.", "3.4", "fold", "treated cells",
        "increase of GATA1 expression"),
    ("Plant height ranged from 12.5 – 18.0 cm in the irrigated plots.", "12.5–18.0", "cm", "irrigated plots",
        "plant height"),
    ("The rate constant of the reaction was 1.1E – 3 per second in water.", "1.1 × 10^-3", "s^-1", "reaction in water",
        "rate constant"),
    ("The diffusion coefficient of sucrose was 1.1 × 10–3 mm2/s in gels.", "1.1e-3", "mm^2/s", "sucrose in gels",
        "diffusion coefficient"),
    ("The cohort comprised 1,234 women.", "1234", "women", "cohort", "number of women"),
    ("Twenty-four mice of the strain were obese.", "24", "mice", "strain", "number of obese mice"),
    ("Tumours of the sham group weighed 0,45 g.", "0.45", "g", "sham group", "tumour weight"),
    ("The activation energy of hopping in the oxide is 42 kJ/mol.", "42", "kJ/mol", "oxide", "activation energy"),
    ("The optical gap of the film is 12500 cm−1.", "12500", "cm^-1", "film", "optical gap"),
    ("The carrier density of the film is 3.2 × 10^19 cm−3.", "3.2e19", "cm^-3", "film", "carrier density"),
    ("Of the 22 seedlings, 20 survived the frost.", "20", "seedlings", "seedlings", "number that survived the frost"),
    ("Doses of up to 30 mg were tolerated by healthy volunteers.", "30", "mg", "healthy volunteers",
        "maximum tolerated dose"),
    ("The drying times are 4.1 h (thin layer), 9.6 h (thick layer) and 15.2 h (coarse layer).", "9.6", "h",
        "thick layer", "drying time"),
    ("The ripening factors found there (8.4 for tomato and 11.7 for pepper) are similar.", "11.7", "", "pepper",
        "ripening factor"),
    ("Germination of seeds fell from 71% (first season) to 52% (dry season).", "52", "%", "seeds in the dry season",
        "germination"),
    ("Scores for nurses (mean 63.6, SD 18.4) were higher than for surgeons (mean 61.6, SD 18.0; two-tailed t test).",
        "61.6", "", "surgeons", "mean score"),
    ("The viral genome has 141-bp terminal repeats.", "141", "bp", "viral genome", "length of the terminal repeats"),
    ("Sham-operated rabbits (n = 14) drank more.", "14", "", "sham-operated rabbits", "number of animals examined"),
    ("Gout occurred in 9% of beer drinkers.", "9", "%", "beer drinkers", "incidence of gout"),
)  # fmt: skip

NEVER_HOLDS: tuple[Case, ...] = (
    ("The drug suppressed glucagon release from islets by 56 %.", "56", "%", "the drug",
        "increase in glucagon release"),
    ("Plasma cholesterol of the mice decreased by 52 %.", "52", "%", "mice", "increase in plasma cholesterol"),
    ("Few patients had CD4 counts ≥200 cells/µl (13.2 %).", "13.2", "%", "patients with CD4 counts below 200 cells/µl",
        "proportion"),
    ("Only 31.7 % of the sample reported no pain.", "31.7", "%", "the sample", "proportion reporting pain"),
    ("In book A the correct speaker was identified for 56.9 % of occurrences.", "56.9", "%", "book A",
        "proportion of occurrences with misidentified speaker"),
    ("The infection was followed by up-regulation of 6 immune genes in bees.", "6", "genes", "bees",
        "number of down-regulated immune genes"),
    ("After cleaning of the melanoma data set we removed 35 probes.", "35", "", "melanoma data set",
        "number of probes kept after cleaning"),
    ("A total of 1537 sharks were tagged and released, of these 24 were recaptured.", "1537", "", "sharks",
        "number of recaptures"),
    ("This rests on the assumption that the follow-up will be 24 months and that the median PFS is 37 months.", "37",
        "months", "", "observed median PFS"),
    ("We fixed the proportion of undetected cases at 65 %.", "65", "%", "", "measured proportion of undetected cases"),
    ("Patients with acute infections (CRP > 0.5 mg/dL) were excluded from the analysis.", "> 0.5", "mg/dL",
        "patients included", "CRP"),
    ("Oxytocin did not differ after stranger trials (13.2 SE±0.6 pg/ml) compared to familiar trials (11.8±0.6 pg/ml).",
        "11.8", "pg/ml", "stranger trials", "oxytocin"),
    ("The heath had 33 % of cases, compared to 60 %, 42 %, and 50 % at the dry, mixed, and wet meadow, respectively.",
        "60", "%", "wet meadow", "percentage of cases"),
    ("The activation energy of the film is 0.66 eV; its critical current density is 8.1 A/cm2.", "8.1", "A/cm2", "film",
        "activation energy"),
    ("The density of the alloy is 9.13 g/cm3 and its Sommerfeld coefficient is 38.2 mJ/mol K2.", "38.2", "mJ/mol K2",
        "alloy", "density"),
    ("Samples were annealed at 900 K; the critical temperature of FeSe was 8.5 K.", "900", "K", "FeSe",
        "critical temperature"),
    ("On doping the critical temperature of FeSe dropped by 5 K.", "5", "K", "FeSe", "critical temperature"),
    ("The yield of route A was 12 % higher than that of route B.", "12", "%", "route A", "yield"),
    ("Unlike earlier reports of 93 K, the critical temperature of our films was 88 K.", "93", "K", "films",
        "critical temperature"),
    ("The band gap is expected to be 3.4 eV, but we measured 3.2 eV for the film.", "3.4", "eV", "film", "band gap"),
    ("It is false that the critical temperature of FeSe is 93 K.", "93", "K", "FeSe", "critical temperature"),
    ("The yield was 32 % for catalyst A and 47 % for catalyst B.", "47", "%", "catalyst A", "yield"),
    ("The yield of A was 33 % lower than B's.", "33", "%", "B", "yield"),
    ("The hardness of TiN is 21 GPa and the modulus of ZrN is 450 GPa.", "450", "GPa", "TiN", "hardness"),
    ("The conductivity of the gel is below 0.3 S/m.", "0.3", "S/m", "gel", "conductivity"),
    ("The odds of relapse were raised in smokers (RR 15.071, P = 0.012).", "0.012", "", "smokers",
        "relative risk of relapse"),
    ("No formation of the dimer was seen at 45 °C in water.", "45", "°C", "water", "temperature of dimer formation"),
    ("Survival was longer in carriers (12.3 months) than in controls (8.1 months).", "12.3", "months", "controls",
        "survival"),
    ("Recall and precision of the parser were 71.2 and 68.4, respectively.", "71.2", "", "parser", "precision"),
    ("The mean weight of the mice was 25.3 ± 1.9 g (n = 12).", "1.9", "g", "mice", "mean weight"),
    ("The mean weight of the mice was 25.3 g (n = 12).", "12", "g", "mice", "mean weight"),
    ("Cells were incubated at 37 °C for 24 h before viability was measured as 85 %.", "24", "h", "cells", "viability"),
    ("A sample size of 84 assumed a response of 30 % in the placebo arm.", "30", "%", "placebo arm", "response"),
    ("Fever was defined as a temperature above 38.5 °C in all children.", "38.5", "°C", "children", "temperature"),
    ("The melting point of the drug was reported to be 181 °C in a previous study.", "181", "°C", "drug",
        "melting point"),
    ("Pain scores fell from 7.1 to 3.2 after surgery.", "7.1", "", "patients", "pain score after surgery"),
    ("Of the 22 seedlings, 20 survived the frost.", "22", "seedlings", "seedlings", "number that survived the frost"),
    ("Expression of GATA1 was lower in the mutants, and TAL1 mRNA was reduced by 30 %.", "30", "%", "mutants",
        "reduction of GATA1 expression"),
    ("The oil holds saturated fatty acids (42.1 %) above all.", "42.1", "%", "oil", "unsaturated fatty acids"),
    ("Homozygous mutants died, whereas heterozygous mutants survived 52 weeks.", "52", "weeks", "homozygous mutants",
        "survival"),
    ("Deletion of the gene varied among tissues, from 94 % in spleen to 8 % in brain.", "94", "%", "brain",
        "deletion of the gene"),
    ("The drying times are 4.1 h (thin layer), 9.6 h (thick layer) and 15.2 h (coarse layer).", "9.6", "h",
        "coarse layer", "drying time"),
    ("The ripening factors found there (8.4 for tomato and 11.7 for pepper) are similar.", "8.4", "", "pepper",
        "ripening factor"),
    ("Germination of seeds fell from 71% (first season) to 52% (dry season).", "71", "%", "seeds in the dry season",
        "germination"),
    ("The genes share similarity (90%) and identity (88%) with yeast.", "90", "%", "genes", "identity with yeast"),
    ("The liver of A1 mice weighed 1.2 g (wet) and the spleen 0.3 g (dry).", "0.3", "g", "A1 mice",
        "dry weight of the liver"),
    ("The digging task consisted of three trials per session over 6 days.", "3", "trials", "digging task",
        "total number of trials"),
    ("A reply was received from 12 out of 19 study centres contacted.", "19", "", "study centres",
        "number giving a reply"),
    ("More mutant oocytes were arrested than control oocytes (71.5% versus 22%, respectively).", "71.5", "%",
        "control oocytes", "proportion arrested"),
    ("More mutant oocytes were arrested than control oocytes (71.5% versus 22%, respectively).", "22", "%",
        "mutant oocytes", "proportion arrested"),
    ("The animal might have reached a body weight of 40 kg had it grown up.", "40", "kg", "animal", "body weight"),
)  # fmt: skip

NEVER_FAILS: tuple[Case, ...] = (
    ("Of the infected clones, 13 out of 52 were positive.", "25", "%", "infected clones", "share that was positive"),
    ("Tumour initiation was reduced by half in the mutant mice.", "50", "%", "mutant mice", "reduction of initiation"),
    ("Mutants made approximately half of the wild-type level of the protein.", "0.5", "", "mutants", "protein level"),
    ("About 1 in 200 bloodless embryos survived.", "0.5", "%", "bloodless embryos", "survival"),
    ("More than three-quarters of the funds came from two donors.", "> 75", "%", "two donors", "share of the funds"),
    ("Embryos of the null strain died at around E12,5.", "12.5", "days", "embryos of the null strain", "age at death"),
    ("The TRIP13 protein has a mass of 48 KDa.", "48", "kDa", "TRIP13", "mass"),
    ("Mice were backcrossed at least six times.", "≥ 6", "generations", "mice", "backcrosses"),
    ("The mortality of such flocks may reach 30% per year.", "≤ 30", "% per year", "flocks", "mortality"),
)  # fmt: skip
"""Right claims in other words than the paper's: unsure at worst."""

PARTS = """<table><caption>Table 1. Findings.</caption>
<tr><th>Finding</th><th>Value, n (%)</th><th>Size (mm)</th></tr>
<tr><td>Anaemia</td><td>64 (49.6)</td><td>11.5×16.5</td></tr>
<tr><td>Oedema</td><td>12 (9.3)</td><td>3.9×3.2</td></tr></table>"""
IN_PARTS: tuple[tuple[Verdict, Case], ...] = (
    ("unsure", ("Anaemia 64 (49.6) 11.5×16.5", "64", "%", "patients", "prevalence of anaemia")),
    ("unsure", ("Anaemia 64 (49.6) 11.5×16.5", "16.5", "mm", "anaemia", "size")),
)

TABLE = """<table><caption>Table 1. The two drugs. CL: clearance; Vd: volume of distribution.</caption>
<tr><th>Drug</th><th>Ea<sup>a</sup> (kJ/mol)</th><th>CL (mL/min)</th><th>Vd (L)</th></tr>
<tr><td colspan="4">Fasted</td></tr>
<tr><td>Gold salt</td><td>41.2</td><td>120</td><td>17</td></tr>
<tr><td>Silver salt</td><td>52.8</td><td>95</td><td>23</td></tr></table>"""
SYSTEMS = """<table><caption>Table 1. Accuracy of the summarisers.</caption>
<tr><th>System</th><th>News</th><th>Talks</th><th>Mails</th></tr>
<tr><td>LexSum Erkan and Bird (2004)</td><td>41.2</td><td>12.7</td><td>17.5</td></tr>
<tr><td>TextSum Mihal and Tarau (2005)</td><td>52.8</td><td>9.5</td><td>23.1</td></tr></table>"""
CITED: tuple[tuple[Verdict, Case], ...] = (
    ("holds", ("LexSum Erkan and Bird (2004) 41.2 12.7 17.5", "12.7", "", "LexSum", "accuracy on Talks")),
    ("unsure", ("TextSum Mihal and Tarau (2005) 52.8 9.5 23.1", "9.5", "", "LexSum", "accuracy on Talks")),
    ("unsure", ("LexSum Erkan and Bird (2004) 41.2 12.7 17.5", "17.5", "", "LexSum", "accuracy on Talks")),
)
ROW = "Gold salt 41.2 120 17"
CELLS: tuple[tuple[Verdict, Case], ...] = (
    ("holds", (ROW, "41.2", "kJ/mol", "gold salt", "Ea")),
    ("holds", (ROW, "120", "mL/min", "gold salt, fasted", "clearance")),
    ("holds", (ROW, "17", "L", "gold salt", "volume of distribution")),
    ("fails", (ROW, "120", "mL/min", "Silver salt", "clearance")),
    ("fails", (ROW, "23", "L", "gold salt", "volume of distribution")),
    ("unsure", (ROW, "17", "", "gold salt", "clearance")),
)


def verdict(body: str, case: Case, title: str = "A study") -> tuple[Verdict, str]:
    """What is said of a claim whose locator is its paper alone, and why."""
    quote, value, unit, material, name = case
    page = f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1>{body}</article></body></html>"
    paper = parse_source(page.encode(), max_pages=9)
    checks = check_claim(paper, Claim(quote, f"pc:{paper.paper_id[7:15]}", value, unit, material, name))
    return checks.verdict, "; ".join(f"{c.name} {c.verdict}: {c.reason}" for c in checks.checks)


def of_prose(case: Case) -> tuple[Verdict, str]:
    """The verdict on a claim that quotes the only sentence of its paper."""
    return verdict(f"<p>{case[0]}</p>", case)


def test_what_a_sentence_states_as_a_result_holds() -> None:
    wrong = [(case, said) for case in HOLDS if (said := of_prose(case))[0] != "holds"]
    assert not wrong, wrong


def test_what_another_reading_competes_with_never_holds() -> None:
    wrong = [(case, said) for case in NEVER_HOLDS if (said := of_prose(case))[0] == "holds"]
    assert not wrong, wrong


def test_what_is_said_in_other_words_never_fails() -> None:
    wrong = [(case, said) for case in NEVER_FAILS if (said := of_prose(case))[0] == "fails"]
    assert not wrong, wrong


def test_what_stands_around_is_no_excuse_for_another_word_in_the_sentence() -> None:
    around = "<p>Livers and spleens were weighed; sharks were tagged and recaptured.</p><p>{}</p>"
    cases: tuple[Case, ...] = (
        ("The relative spleen weight of treated mice was 3.1%.", "3.1", "%", "treated mice", "relative liver weight"),
        ("In all, 300 sharks of the bay were tagged in 1998.", "300", "", "the bay",
            "number of sharks recaptured in 1998"),
    )  # fmt: skip
    wrong = [case for case in cases if verdict(around.format(case[0]), case)[0] != "unsure"]
    assert not wrong, wrong


def test_cells_are_read_by_row_column_footnotes_and_notes() -> None:
    cells = [(TABLE, *each) for each in CELLS] + [(SYSTEMS, *each) for each in CITED]
    cells += [(PARTS, *each) for each in IN_PARTS]
    wrong = [(wanted, case, said) for table, wanted, case in cells if (said := verdict(table, case))[0] != wanted]
    assert not wrong, wrong


def test_claims_written_from_papers() -> None:
    """Claims and quotes of open-access papers (CC BY; ``source`` is the paper's PMC number), each with its sentence."""
    lines = (Path(__file__).parent / "written_claims.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    held = 0
    wrong: list[object] = []
    for record in records:
        case = (record["quote"], record["value"], record["unit"], record["material"], record["property"])
        said = verdict(f"<p>{record['sentence']}</p>", case, record["title"])
        held += record["truth"] and said[0] == "holds"
        if said[0] == ("fails" if record["truth"] else "holds"):
            wrong.append((record, said))
    assert not wrong, wrong
    assert held >= 8, held


@pytest.mark.parametrize("piece", ["5.5 K of A5 (n = 3, P = 0.02) and ", "(a) 7 K, ", "1-", "is expected to be 5 K; "])
def test_long_quotes_are_judged_quickly(piece: str) -> None:
    text = (piece * 4000)[:3900] + " gap of 5 K."
    paper = parse_source(f"<html><body><article><h1>T</h1><p>{text}</p></article></body></html>".encode(), max_pages=9)
    claim = Claim(text, f"pc:{paper.paper_id[7:15]}", "5", "K", "FeSe", "gap")
    began = time.process_time()
    check_claim(paper, claim)
    assert time.process_time() - began < 3


def test_what_stands_beside_a_number_and_is_not_about_it_does_no_harm() -> None:
    """Counts before their share, asides, appositions, denials of a relation; what the claim must find in the text."""
    cases: tuple[tuple[str, Case], ...] = (
        (
            "holds",
            (
                "Gifts were mentioned in most complaints (35/41, 85%) and threats in few (4/41, 10%).",
                "85",
                "%",
                "complaints",
                "gifts mentioned",
            ),
        ),
        (
            "holds",
            (
                "Of crosses of heterozygotes, only 1.1% (expected 25%) survived.",
                "1.1",
                "%",
                "crosses of heterozygotes",
                "survived",
            ),
        ),
        (
            "unsure",
            (
                "Of crosses of heterozygotes, 25% are expected to survive.",
                "25",
                "%",
                "crosses of heterozygotes",
                "survival",
            ),
        ),
        (
            "holds",
            (
                "The fatigue index, defined as the force after 2 min, was 14.6% in knockout mice.",
                "14.6",
                "%",
                "knockout mice",
                "fatigue index",
            ),
        ),
        (
            "holds",
            (
                "Overexpression of p16 was not correlated with the grade (OR = 0.99).",
                "0.99",
                "",
                "p16 overexpression",
                "OR for the grade",
            ),
        ),
        (
            "holds",
            (
                "The breathing frequency of the pups was 34 breaths/min.",
                "34",
                "breaths per minute",
                "pups",
                "breathing frequency",
            ),
        ),
        (
            "holds",
            (
                "Activity in mutant liver was 5% of that of the control.",
                "5",
                "% of control",
                "mutant liver",
                "activity",
            ),
        ),
        (
            "unsure",
            (
                "One copy of the gene raised the risk of cancer to 50%.",
                "50",
                "%",
                "carriers of one copy",
                "risk of cancer measured in this study",
            ),
        ),
        (
            "unsure",
            ("AB122 was active. However, AB123 was potent, with an IC50 of 45 nM.", "45", "nM", "AB122", "IC50"),
        ),
    )
    wrong = [
        (wanted, case, said) for wanted, case in cases if (said := verdict(f"<p>{case[0]}</p>", case))[0] != wanted
    ]
    assert not wrong, wrong
    heads = "<th>Peptide</th><th>Totalrecovery (%)</th><th>HPLCrecovery (%)</th><th>+Cd</th><th>-Cd</th>"
    table = f"<table><tr>{heads}</tr><tr><td>P1</td><td>31.7</td><td>30.1</td><td>12.9</td><td>1.05</td></tr></table>"
    cells: tuple[tuple[str, Case], ...] = (
        ("holds", ("P1 31.7 30.1 12.9 1.05", "31.7", "%", "P1", "total recovery")),
        ("holds", ("P1 31.7 30.1 12.9 1.05", "12.9", "", "P1", "with Cd")),
        ("unsure", ("P1 31.7 30.1 12.9 1.05", "1.05", "", "P1", "with Cd")),
    )
    wrong = [(wanted, case, said) for wanted, case in cells if (said := verdict(table, case))[0] != wanted]
    assert not wrong, wrong


def test_values_given_respectively_are_paired_in_order() -> None:
    shared = "Liver cholesterol and triglyceride contents rose to 12 and 15 mg, respectively."
    nested = "Uptake by the cft1 mutant and the cft1 cft2 double mutant was 27% and 11%, respectively."
    bracketed = (
        "It killed the larvae (t = 1.29), pupae (t = 4.23) and adults (t = 2.16) within 45, 40 and 54 h, respectively."
    )
    between = "A clear or possible infection was seen in 73% and 67% of the Rituximab and Placebo groups, respectively."
    cases: tuple[tuple[str, Case], ...] = (
        ("holds", (shared, "12", "mg", "liver", "cholesterol content")),
        ("unsure", (shared, "15", "mg", "liver", "cholesterol content")),
        ("holds", (nested, "27", "%", "cft1 mutant", "uptake")),
        ("unsure", (nested, "11", "%", "cft1 mutant", "uptake")),
        ("holds", (nested, "11", "%", "cft1 cft2 double mutant", "uptake")),
        ("holds", (bracketed, "40", "h", "pupae", "time until killed")),
        ("unsure", (bracketed, "54", "h", "pupae", "time until killed")),
        ("holds", (between, "73", "%", "Rituximab group", "clear or possible infection")),
        ("unsure", (between, "67", "%", "Rituximab group", "clear or possible infection")),
    )
    said = [(wanted, case, verdict(f"<p>{case[0]}</p>", case)) for wanted, case in cases]
    wrong = [each for each in said if (each[2][0] == "holds") is not (each[0] == "holds")]
    assert not wrong, wrong
