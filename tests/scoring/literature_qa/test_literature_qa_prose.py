"""Answers as models write them: with units, in sentences, in bold. Each row is decided by hand."""

from collections.abc import Mapping
from typing import Any

from pincite_papers.model import Paper
from pincite_scoring import Case, ScoringOptions, score
from pincite_tasks.family import Family

RIGHT, WRONG, DECLINED, OPEN = "correct", "incorrect", "unsure", "undecided"
QUOTE = "Phosphate was held at 2 μmol/L throughout, so that it never limited growth."
NUTRIENT = {"kind": "text", "answer": "phosphate", "accept": ["PO4"], "source": {"paper": "a.pdf", "quote": QUOTE}}
BARE = {"kind": "number", "answer": "17"}
POINTS = {"kind": "number", "answer": "3.2", "unit": "%", "tolerance": 0.001}
SHARE = {"kind": "number", "answer": "1.98 %", "unit": "%", "tolerance": 0.001}
ENERGY = {"kind": "number", "answer": "610 meV", "unit": "meV", "tolerance": 0.001}
OTHER = {"kind": "text", "answer": "phosphate"}
SALT = {"kind": "number", "answer": "9 g/kg", "unit": "g/kg", "tolerance": 0.001}
DEPTH = {"kind": "number", "answer": "12 m", "unit": "m", "tolerance": 0.001}
FORMULA = {
    "kind": "formula",
    "answer": "Cs0.85Rb0.15PbI2.4Br0.6",
    "source": {"paper": "a.pdf", "quote": "Cs0.85Rb0.15PbI2.4Br0.6 1.65 17.6 14.5"},
}
PRIMER = {"kind": "text", "answer": "CCTCGCCTACCACATCACC"}
SITES = {"kind": "list", "answer": ["Brattholm", "Innerodd"]}
GENE = {"kind": "free", "answer": "GFAP"}
MUTANT = {"kind": "free", "answer": "R233*"}
PAIR = {"kind": "free", "answer": "R169, D290"}
HOW_FAST = "How fast does it swing?"

# gold, question, answer, outcome
ROWS: list[tuple[dict[str, Any], str, Any, str]] = [
    # A unit that the gold does not name: the number may be right, and the unit nobody can tell.
    (BARE, HOW_FAST, "17 Hz", OPEN),
    (BARE, "At how many hertz (in Hz) does it swing?", "17 Hz", RIGHT),
    (BARE, "At what frequency (in Hz) does it swing?", "0.017 kHz", RIGHT),  # 17 Hz
    (BARE, HOW_FAST, "0.017 kHz", OPEN),  # 17 times a power of ten
    (BARE, HOW_FAST, "18 Hz", WRONG),  # no unit turns 18 into 17
    (BARE, "How many terns were there?", "17 terns", RIGHT),
    (BARE, "How many terns were there?", "seventeen", WRONG),  # words above twelve are not read, and it is not a number
    (BARE, HOW_FAST, "17 PSU", OPEN),
    # A unit that both name.
    (POINTS, "How many percentage points?", "3.2 percentage points", RIGHT),
    (POINTS, "How many percentage points?", "3.2 points", RIGHT),
    (POINTS, "How many percentage points?", "3.2", RIGHT),
    (POINTS, "How many percentage points?", "0.032", WRONG),  # 0.032 % is not 3.2 %
    (POINTS, "How many percentage points?", "19.4 % − 16.2 % = 3.2 percentage points", RIGHT),
    (POINTS, "How many percentage points?", "19.4 % − 16.2 % = 3.4 percentage points", WRONG),
    (POINTS, "How many points of efficiency did it lose?", "It gained 3.2 percentage points.", WRONG),
    (SHARE, "What content (in %)?", "1.98% of dry mass", RIGHT),
    (SHARE, "What content (in %)?", "1.98 (95 % CI 1.90 to 2.06)", RIGHT),
    (SHARE, "What content (in %)?", "The value is 1.98 %.", RIGHT),
    (SHARE, "What content (in %)?", "1,98 %", RIGHT),
    (SHARE, "What content (in %)?", "1.98\u200b %", RIGHT),
    (SHARE, "What content (in %)?", "2.63 % (at 8 °C)", WRONG),
    (SHARE, "What content (in %)?", "0.0198", WRONG),
    (SHARE, "What content (in %)?", "1.98 or 2.63 %", WRONG),
    (ENERGY, "What energy, in meV?", "610 meV (0.61 eV)", RIGHT),
    (ENERGY, "What energy, in meV?", "610 meV (0.74 eV)", OPEN),  # says two things
    (ENERGY, "What energy, in meV?", "610 millielectronvolts", RIGHT),
    (ENERGY, "What energy, in meV?", "610 eV", WRONG),
    (SALT, "What salinity, in g/kg?", "9 PSU", OPEN),  # a scale that is no g/kg, and close to it
    (SALT, "What salinity, in g/kg?", "9 g kg−1", RIGHT),
    (SALT, "What salinity, in g/kg?", "9 grams per kilogram", RIGHT),
    (SALT, "What salinity, in g/kg?", "9 g/kg (the earlier report of 3 g/kg was retracted)", RIGHT),
    (SALT, "What salinity, in g/kg?", "below 9 g/kg", WRONG),
    (DEPTH, "At which depth?", "twelve metres", RIGHT),
    (DEPTH, "At which depth?", "39.37 ft", RIGHT),  # 39.37 * 0.3048 = 12.00 m
    (DEPTH, "At which depth?", "12 ft", WRONG),  # 3.66 m
    (DEPTH, "At which depth?", ["12 m", "25 m"], WRONG),
    # Declining in words.
    *[
        (gold, "What is it?", words, DECLINED)
        for gold in (BARE, NUTRIENT, GENE)
        for words in (
            "I cannot answer this.",
            "Information unavailable",
            "This is beyond what the article covers.",
            "The value isn't given",
            "We are not told",
            "The text is silent on this",
            "It remains unclear from the text",
            "Nothing in the paper addresses this question.",
            "The manuscript makes no statement about it.",
            "There isn't enough information to answer.",
            "not reported",
            "Not stated in the paper.",
            "The paper does not say.",
            "The authors did not report this value.",
            "I could not find it in the paper.",
            "It cannot be determined from the text.",
            "There is not enough information.",
            "Unknown.",
            "I don't have access to the paper. Could you share it?",
        )
    ],
    ({"kind": "text", "answer": "not reported"}, "What is it?", "Not reported.", RIGHT),
    # Names, species and formulas.
    (NUTRIENT, "Which nutrient?", "phosphate (held at 2 μmol/L)", RIGHT),
    (NUTRIENT, "Which nutrient?", "It was phosphate, held at 2 μmol/L.", RIGHT),
    (NUTRIENT, "Which nutrient?", "phosphate, held at 20 μmol/L", OPEN),  # the passage says 2
    (OTHER, "Which nutrient?", "The nutrient is phosphate, which was kept in excess", OPEN),
    (OTHER, "Which nutrient?", "phosphate, at low light", OPEN),
    (OTHER, "Which nutrient?", "nitrate, with phosphate in excess", WRONG),
    (OTHER, "Which nutrient?", "phosphate, or nitrate", WRONG),
    (BARE, "How many were missing?", "17 values were missing.", RIGHT),
    (NUTRIENT, "Which nutrient?", "Phosphate (PO4)", RIGHT),
    (NUTRIENT, "Which nutrient?", "PO4^3-", RIGHT),
    (NUTRIENT, "Which nutrient?", "PO₄³⁻", RIGHT),
    (NUTRIENT, "Which nutrient?", "orthophosphate", RIGHT),
    (NUTRIENT, "Which nutrient?", "NO3-", WRONG),
    (NUTRIENT, "Which nutrient?", "not phosphate", WRONG),
    (NUTRIENT, "Which nutrient?", "nitrate and phosphate", WRONG),
    (NUTRIENT, "Which nutrient?", "phosphate or nitrate", WRONG),
    (NUTRIENT, "Was it nitrate or phosphate?", "nitrate, phosphate", WRONG),
    (NUTRIENT, "Which nutrient?", "The nutrient held at 2 μmol/L was nitrate.", WRONG),
    (FORMULA, "Which absorber?", "Cs0.85Rb0.15PbI2.4Br0.6 (1.65 eV)", RIGHT),
    (FORMULA, "Which absorber?", "CsPbI3 has a wider gap than Cs0.85Rb0.15PbI2.4Br0.6.", WRONG),
    (FORMULA, "Which absorber?", "1.65 eV", WRONG),
    (SITES, "Which two sites?", "The sites were Brattholm and Innerodd.", RIGHT),
    (SITES, "Which two sites?", "Brattholm and Hella", WRONG),
    # Sequences.
    (PRIMER, "Which primer?", "5′-CCT CGC CTA CCA CAT CAC C-3′", RIGHT),
    (PRIMER, "Which primer?", "The primer is 5'-CCTCGCCTACCACATCACC-3'.", RIGHT),
    (PRIMER, "Which primer?", "CCTCGCCTACCACATCACG", WRONG),
    # Prose: what is marked as the answer, in bold, or said first.
    (BARE, "How many terns were there?", "There were 12 in May and 5 in June.\n\n**Answer:** 17", RIGHT),
    (BARE, "How many terns were there?", "There were 12 in May.\n\n**Answer:** 18", WRONG),
    (
        BARE,
        "How many terns were there?",
        "12 (or twelve) in May, from 3 to 5 in June.\n\nAnswer: 17 (or seventeen)",
        RIGHT,
    ),
    (BARE, "How many terns were there?", "There were **17** terns. In June there were 5.", RIGHT),
    (BARE, "How many terns were there?", "There were **17** terns. Of these, **5** had young.", OPEN),
    (GENE, "Which marker rises?", "The marker **GFAP** rises, as said ([x.org](https://x.org/1)).", RIGHT),
    (GENE, "Which marker rises?", "**GFAP (glial fibrillary acidic protein)**", RIGHT),
    (GENE, "Which marker rises?", "**GFAP (or S100B)**", OPEN),
    (GENE, "Which marker rises?", "The marker **S100B** rises.", OPEN),  # GFAP may have other names
    (MUTANT, "Which mutation?", "It is **R233\\*** of PTEN.", RIGHT),
    (MUTANT, "Which mutation?", "It is **R130Q**.", WRONG),  # an identifier that stands nowhere
    (PAIR, "Which residues?", "They are **Arg169 (R169)** and **D290**.", OPEN),
    (PAIR, "Which residues?", "They are **D290** and **R169**.", RIGHT),
    ({"kind": "text", "answer": "Yes"}, "Is it?", "The study fits in all points.\n\n**No**", WRONG),
]


def outcome(gold: dict[str, Any], question: str, answer: Any, **more: Any) -> str:
    case = Case({"answer": answer}, gold, parameters={"question": question, **more})
    return str(score("literature_qa", case, ScoringOptions()).records[0]["status"])


def test_answers_in_words_are_decided_as_by_hand() -> None:
    wrong = [
        f"{gold['answer']!r}: {answer!r} to {question!r}: {got}, expected {expected}"
        for gold, question, answer, expected in ROWS
        if (got := outcome(gold, question, answer)) != expected
    ]
    assert not wrong, "\n".join(wrong)


CHOICE = {"kind": "choice", "answer": "B"}
OPTIONS = [
    "(A) between 3 and 6 μmol/L",
    "(B) between 6 and 12 μmol/L",
    "(C) they do not cross",
    "(D) Insufficient information to answer the question",
]


def test_an_option_may_be_named_in_a_sentence() -> None:
    rows = [
        ("The answer is B.", RIGHT),
        ("Option B: the curves cross between 6 and 12 μmol/L of nitrate.", RIGHT),
        ("6–12 µM", RIGHT),
        ("between 12 and 6 μmol/L", RIGHT),
        ("between 6 and 12 mmol/L", WRONG),
        ("B or A", WRONG),
        ("B: between 3 and 6 μmol/L", WRONG),
        ("The curves do not cross between 6 and 12 μmol/L.", WRONG),
        ("I cannot tell from the figure.", DECLINED),
    ]
    got = [(answer, outcome(CHOICE, "Where do they cross?", answer, options=OPTIONS)) for answer, _ in rows]
    assert got == rows


def test_a_given_paper_may_be_cited_by_its_doi_and_a_title_is_no_evidence(
    questions: Family, question_papers: Mapping[str, Paper]
) -> None:
    task = questions.task("kelp-limit-held-constant")
    paper = question_papers["kelp_nitrate.pdf"]
    quote = task.gold["source"]["quote"]
    rows: list[tuple[dict[str, Any], float, float]] = [
        ({"doi": f"https://doi.org/{paper.doi}", "page": 1, "quote": quote}, 1.0, 1.0),
        ({"paper": "kelp_nitrate", "quote": quote[:50]}, 1.0, 1.0),
        ({"title": paper.title, "quote": quote}, 1.0, 1.0),
        ({"paper": "kelp_nitrate.pdf", "quote": paper.title}, 1.0, 0.0),
        ({"paper": "kelp_nitrate.pdf", "quote": "I. Solberg-Tan, P. Arnesen, M. Quispe"}, 1.0, 0.0),
        ({"doi": "10.9999/another.1", "quote": quote}, 0.0, 0.0),
    ]
    got: list[tuple[dict[str, Any], float | None, float | None]] = []
    for source, _, _ in rows:
        answer = {"answer": "phosphate", "sources": [source]}
        case = Case(answer, task.gold, {paper_name: question_papers[paper_name] for paper_name in task.paper_names},
                    task.parameters, corpus=task.corpus)  # fmt: skip
        metrics = score("literature_qa", case, ScoringOptions()).metrics
        got.append((source, metrics["source_cited"], metrics["evidence_verified"]))
    assert got == rows


def test_a_cited_work_that_is_retracted_is_named(questions: Family) -> None:
    corpus = questions.folder / "corpora" / "fjord"
    sound, withdrawn = {"doi": "10.5555/aio.2017.5.0201"}, {"doi": "https://doi.org/10.5555/JIE.2015.3.0015"}
    by_title = {"title": "Capelin eggs hatch in nearly fresh water"}
    rows: list[tuple[list[dict[str, str]], str | None, float | None]] = [
        ([sound], None, 1.0),
        ([sound, withdrawn], "10.5555/jie.2015.3.0015", 0.5),
        ([by_title], by_title["title"], 0.0),
        ([{"doi": "10.5555/none"}], None, None),
    ]
    for sources, named, standing in rows:
        result = score(
            "literature_qa", Case({"answer": "3", "sources": sources}, BARE, corpus=corpus), ScoringOptions()
        )
        assert (result.records[0]["retracted"], result.metrics["sources_standing"]) == (named, standing), sources


def test_what_is_undecided_is_neither_right_nor_wrong() -> None:
    case = Case({"answer": "17 Hz"}, BARE, parameters={"question": HOW_FAST})
    metrics = score("literature_qa", case, ScoringOptions()).metrics
    assert (metrics["accuracy"], metrics["precision"], metrics["undecided"]) == (None, None, 1.0)
