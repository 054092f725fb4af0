"""Pairs told by evidence, what refuses them, and what a verdict's row says; worked out by hand."""

from collections.abc import Callable
from typing import Any

from pincite_papers.model import Paper
from pincite_scoring import Case, ScoringOptions, score
from pincite_scoring.property_extraction.materials import Materials

TEXT = (
    "NMR relaxation of the pellet gives an activation energy of 0.29 eV, which describes local jumps. "
    "Simulation gives 0.36 eV. The Hall mobility of Bi2Sr2CaCu2O8+δ (BSCCO) is 29 cm^2/Vs."
)
JUMPS = "an activation energy of 0.29 eV, which describes local jumps"
Raw = Callable[..., dict[str, Any]]


def scored(raw: Raw, paper: Callable[..., Paper], answer: dict[str, Any], *golds: dict[str, Any]) -> dict[str, Any]:
    case = Case({"properties": [answer]}, {"properties": list(golds)}, {"p.pdf": paper(TEXT)})
    return score("property_extraction", case, ScoringOptions()).records[0]


def test_same_value_at_the_same_place_is_a_match_whatever_the_name(raw: Raw, paper: Callable[..., Paper]) -> None:
    """Each row changes one thing of an answer that only its evidence tells: those without a way must be refused."""
    gold = raw(
        "activation energy", "0.29", "eV", evidence=JUMPS, value_detail="local jumps", method="7Li NMR relaxation"
    )
    other = raw("jump barrier", "0.36", "eV", evidence="Simulation gives 0.36 eV.", method="molecular dynamics")
    named = {"property_name": "hopping barrier of ions", "value": "0.29", "unit": "eV", "evidence": JUMPS}
    rows: list[tuple[str, dict[str, str], str | None]] = [
        ("as it is", {}, "evidence"),
        ("another unit", {"value": "290", "unit": "meV"}, "evidence"),
        ("a shorter quote", {"evidence": "energy of 0.29 eV"}, "evidence"),
        ("a longer quote", {"evidence": TEXT[:96]}, "evidence"),
        ("another value", {"value": "0.30"}, None),
        ("another unit alone", {"unit": "meV"}, None),
        ("another place", {"evidence": "Simulation gives 0.36 eV."}, None),
        ("another material", {"material": "MgB2"}, None),
        ("a conflict of conditions", {"method": "molecular dynamics"}, None),
        ("another record's name", {"property_name": "jump barrier"}, None),
        ("a name that is known to differ", {"property_name": "band gap"}, None),
    ]
    wrong: list[object] = []
    for what, change, via in rows:
        row = scored(raw, paper, raw(**{**named, **change}), gold, other)
        right = row["status"] == "correct" and (row["gold"], row["via"]) == (0, "evidence")
        if right is not (via is not None):
            wrong.append((what, row))
    assert wrong == []


def test_a_misread_digit_is_no_rounding(raw: Raw, paper: Callable[..., Paper]) -> None:
    """Rows of an answer's value, its unit, its quote, and whether it is right at 0.1 %."""
    quote = "lattice constant b of 3.8868(4) Å"
    gold = raw("lattice constant b", "3.8868(4)", "Å", evidence=quote)
    rows = [
        ("3.8868", "Å", quote, True),
        ("3.887", "Å", quote, True),
        ("0.38868", "nm", quote, True),
        ("3.8886(4)", "Å", quote, False),
        ("3.8886(4)", "Å", "", True),
    ]
    wrong: list[object] = []
    for value, unit, evidence, right in rows:
        row = scored(raw, paper, raw("lattice constant b", value, unit, evidence=evidence), gold)
        if (row["status"] == "correct") is not right:
            wrong.append((value, unit, evidence, row))
    assert wrong == []


def test_a_refused_record_says_what_it_was_compared_with_and_why(raw: Raw, paper: Callable[..., Paper]) -> None:
    gold = [raw("Debye temperature", "400"), raw("critical temperature", "92", pressure="2 GPa")]
    row = scored(raw, paper, raw("Tc", "92", pressure="10 GPa"), *gold)
    assert (row["status"], row["gold"], row["compared_with"]) == ("unmatched", None, 1)
    assert (row["gold_property"], row["gold_value"]) == ("critical temperature", "92")
    assert row["reason"] == "pressure differs: 10 GPa against 2 GPa"
    empty = score("property_extraction", Case({"properties": []}, {"properties": gold}), ScoringOptions())
    assert [each["reason"] for each in empty.records] == ["there is no record on the other side to compare it with"] * 2


def test_materials_by_formula_short_name_and_parts(paper: Callable[..., Paper]) -> None:
    """Of this paper, whose BSCCO is the phase 2212 and whose LSCF is named nowhere but in gold."""
    materials = Materials({"p.pdf": paper(TEXT)}, ["Bi2Sr2CaCu2O8+δ", "La0.6Sr0.4FeO3-δ infiltrated with PrOx"])
    same = [
        ("BSCCO", "Bi2Sr2CaCu2O8+δ"),
        ("Bi2Sr2CaCu2O8+x", "Bi2Sr2CaCu2O8+δ"),
        ("Bi-2212", "Bi2Sr2CaCu2O8+δ"),
        ("YBa2Cu3O7-x", "YBa2Cu3O7-δ"),
        ("poled PbTiO3 ceramic", "PbTiO3"),
        ("gallium garnet Li6.25Ga0.25La3Zr2O12", "Li6.25Ga0.25La3Zr2O12"),
        ("PrOx-infiltrated La0.6Sr0.4FeO3-δ", "La0.6Sr0.4FeO3-δ infiltrated with PrOx"),
        ("La0.6Sr0.4FeO3-δ + PrOx", "La0.6Sr0.4FeO3-δ infiltrated with PrOx"),
    ]
    apart = [
        ("Bi2Sr2CaCu2O8-δ", "Bi2Sr2CaCu2O8+δ"),
        ("BSCCO", "YBa2Cu3O7"),
        ("La0.875Sr0.125MnO3", "La0.88Sr0.12MnO3"),
        ("La0.6Sr0.4FeO3-δ", "La0.6Sr0.4FeO3-δ infiltrated with PrOx"),
        ("La0.6Sr0.4FeO3-δ coated with PrOx", "La0.6Sr0.4FeO3-δ infiltrated with PrOx"),
        ("Nb-doped SrTiO3", "SrTiO3"),
    ]
    assert [pair for pair in same if not (materials.same(*pair) and materials.same(*pair[::-1]))] == []
    assert [pair for pair in apart if materials.same(*pair) or materials.same(*pair[::-1])] == []


def test_gold_without_places_scores_values_alone(raw: Raw, paper: Callable[..., Paper]) -> None:
    """A published list: no page, no quote, a rubric. Its ideal answer has full marks and says nothing of evidence."""
    from pincite_scoring.scorer import get_scorer

    listed = [
        {**raw("space group", "Pmmm", ""), "rubric": "space_group"},
        {**raw("Tc", "92", "K"), "rubric": "0.1% SI"},
        {**raw("structure", "123 type", ""), "rubric": "exact_match"},
        {**raw("common formula", "YBa2Cu3O7-d", ""), "rubric": "pymatgen"},
        {**raw("gap", "some 3 to 4", "frobs"), "rubric": "0.1% SI"},
    ]
    for record in listed:
        del record["location"]
    gold = {"properties": listed}
    scorer = get_scorer("property_extraction")
    papers = {"p.pdf": paper(TEXT)}
    assert [str(problem) for problem in scorer.check(Case(None, gold, papers)) if problem.fatal] == []
    for compat in ("strict", "reference"):
        options = ScoringOptions(compat=compat)
        result = score("property_extraction", Case(scorer.ideal(gold), gold, papers), options)
        assert {result.metrics[name] for name in ("precision", "recall", "f1", "match_f1")} == {1.0}, compat
        assert result.metrics["evidence_verified"] is None and result.metrics["value_in_quote"] is None
        assert {row["evidence"] for row in result.records} == {"not_known"}
        nothing = score("property_extraction", Case({"properties": []}, gold, papers), options)
        assert nothing.metrics["f1"] == 0.0
    quoted = {"properties": [{**raw("Tc", "92", "K"), "location": {"page": 1, "evidence": "no such words"}}]}
    told = score("property_extraction", Case(quoted, gold, papers), ScoringOptions())
    assert told.metrics["evidence_verified"] == 0.0, "an answer that quotes is held to its quote all the same"
