"""Every rule of the score, in hand-computed cases; the arithmetic stands beside them."""

from collections.abc import Callable
from typing import Any

import pytest

from pincite_scoring import Mean, Score

Json = dict[str, Any]
Make = Callable[..., Json]
OTHER: Json = {"material": "La1.86Sr0.14CuO4", "value": "38", "unit": "K", "sources": []}
SAME: Json = {"material": "La2-xSrxCuO4 (x = 0.15)", "value": "38", "unit": "K", "sources": []}
LONG: Json = SAME | {"material": "La2-xSrxCuO4 with x = 0.15, crystal 3 of batch (b)"}
LONG_OTHER: Json = OTHER | {"material": "La1.86Sr0.14CuO4 crystal 3 of batch (b) beside La1.85Sr0.15CuO4"}
MILLI: Json = {"material": "La1.85Sr0.15CuO4", "value": "38000", "unit": "mK", "sources": []}
CELSIUS: Json = {"material": "La1.85Sr0.15CuO4", "value": "-235.15", "unit": "°C", "sources": []}
BOUND: Json = {"material": "La1.85Sr0.15CuO4", "value": "38", "unit": "K", "qualifier": ">", "sources": []}
DEGREES: Json = {"material": "La1.85Sr0.15CuO4", "value": "412", "unit": "C", "sources": []}
BASE: Json = {"material": "La1.85Sr0.15CuO4", "value": "80", "unit": "mK", "sources": []}
FIELD: Json = {"material": "La1.85Sr0.15CuO4", "value": "38", "unit": "T", "sources": []}

# (what, class and values of the gold, of the answer, strict score, reference score)
CASES: list[tuple[str, tuple[Any, ...], tuple[Any, ...], int, int]] = [
    ("equal", ("Yes", "38"), ("Yes", "38"), 2, 2),
    ("number for text", ("Yes", "38"), ("Yes", 38.0), 2, 2),
    ("0.1 % above: 38.038 / 38 = 1.001", ("Yes", "38"), ("Yes", "38.038"), 2, 2),
    ("0.1 % below: 37.962 / 38 = 0.999", ("Yes", "38"), ("Yes", "37.962"), 2, 2),
    ("more than 0.1 %: 0.04 / 38 = 0.00105", ("Yes", "38"), ("Yes", "38.04"), 1, 1),
    ("less than 0.1 % of the gold: 0.037 / 37 = 0.001", ("Yes", "37"), ("Yes", "37.037"), 2, 2),
    ("rounded: 0.02 / 4.62 = 0.0043", ("Yes", "4.62"), ("Yes", "4.6"), 1, 1),
    ("uncertainty in parentheses", ("Yes", "4.62(2)"), ("Yes", "4.62(5)"), 2, 2),
    ("any value right", ("Yes", "38"), ("Yes", "12", "25", "38"), 2, 2),
    ("any gold value; published: the first", ("Yes", "38", "36"), ("Yes", "36"), 2, 1),
    ("no value given", ("Yes", "38"), ("Yes",), 1, 1),
    ("wrong class", ("Yes", "38"), ("No", "38"), 0, 0),
    ("wrong class the other way", ("No", "0.35"), ("Yes", "0.35"), 0, 0),
    ("unknown, though 'no' stands in 'unknown'", ("No", "0.35"), ("Unknown",), 0, 0),
    ("unknown", ("Yes", "38"), ("Unknown",), 0, 0),
    ("class in another case", ("Yes", "38"), ("yes", "38"), 2, 2),
    ("negative value right", ("No", "0.35"), ("No", "0.35"), 2, 2),
    ("negative value wrong: 1.8 / 0.35 = 5.1", ("No", "0.35"), ("No", "1.8"), 1, 1),
    ("negative value as a bound", ("No", "0.35"), ("No", "< 0.35"), 2, 2),
    ("negative value as a bound in words", ("No", "0.35"), ("No", "below 0.35 K"), 2, 2),
    ("a property without values: the class is all", ("Yes",), ("Yes",), 2, 2),
    ("a property without values: another class", ("Yes",), ("No",), 0, 0),
    ("the material with what else names the sample", ("Yes", "38"), ("Yes", LONG), 2, 2),
    ("another material with what else names the sample", ("Yes", "38"), ("Yes", LONG_OTHER), 1, 2),
    ("zero meets zero", ("No", "0"), ("No", "0.0"), 2, 2),
    ("zero meets nothing else", ("No", "0"), ("No", "0.001"), 1, 1),
    ("38000 mK = 38 K", ("Yes", "38"), ("Yes", MILLI), 2, 2),
    ("-235.15 °C + 273.15 = 38 K", ("Yes", "38"), ("Yes", CELSIUS), 2, 2),
    ("80 mK = 0.08 K, the gold's lowest", ("No", BASE, "2.0"), ("No", "0.08"), 2, 2),
    ("80 K is not 80 mK", ("No", BASE), ("No", "80"), 1, 1),
    ("the lowest of two; published: the first", ("No", "0.42", "1.85"), ("No", "1.85"), 1, 1),
    ("the lowest of two, first in the answer or not", ("No", "1.85", "0.42"), ("No", "1.85", "0.42"), 2, 2),
    ("lower than the lowest; published: any number", ("No", "0.42"), ("No", "0.42", "0.05"), 1, 2),
    ("412 C is 412 °C = 685.15 K, not 412 coulomb", ("Yes", "685.15"), ("Yes", DEGREES), 2, 2),
    ("tesla is no kelvin; published: not read", ("Yes", "38"), ("Yes", FIELD), 1, 2),
    ("a bound is no value; published: not read", ("Yes", "38"), ("Yes", BOUND), 1, 2),
    ("another material; published: not read", ("Yes", "38"), ("Yes", OTHER), 1, 2),
    ("the material in another spelling", ("Yes", "38"), ("Yes", SAME), 2, 2),
    ("a list is no value; published: any number", ("Yes", "38"), ("Yes", "12, 38"), 1, 2),
    ("a range is no value; published: any number", ("Yes", "38"), ("Yes", "36 to 38"), 1, 2),
    ("prose is no value; published: any number", ("Yes", "38"), ("Yes", "about 36 K, onset 38 K"), 1, 2),
    ("no number at all", ("Yes", "38"), ("Yes", "high"), 1, 1),
    ("power of ten: 3.8e1", ("Yes", "38"), ("Yes", "3.8e1"), 2, 2),
]


CUPRATE, COMPOUND = "La1.85Sr0.15CuO4", "MgB2"
# (the task's material, what an answer calls it, whether it may be that)
NAMES: list[tuple[str, str, bool]] = [
    (CUPRATE, "the title compound La1.85Sr0.15CuO4", True),
    (CUPRATE, "a crystal of La2-xSrxCuO4 with x = 0.15", True),
    (CUPRATE, "a crystal of La1.86Sr0.14CuO4", False),
    (CUPRATE, "the title compound", True),
    (CUPRATE, "LSCO", False),
    (COMPOUND, "magnesium diboride", True),
    (COMPOUND, "crystal B", True),
    (COMPOUND, "In this work", True),
    (COMPOUND, "No. 3 crystal", True),
    (COMPOUND, "B", False),
    (COMPOUND, "polycrystalline Nb", False),
    (COMPOUND, "V wire", False),
    (COMPOUND, "MgB2 film on SrTiO3", True),
    (COMPOUND, "the Zn-doped MgB2", False),
    ("Nb", "Nb wire", True),
    ("graphene", "graphene", True),
    ("graphene", "twisted bilayer graphene", False),
]


@pytest.mark.parametrize(("material", "called", "may_be"), NAMES)
def test_another_composition_is_another_material(
    answer: Make, scored: Callable[..., Score], measurement: Make, material: str, called: str, may_be: bool
) -> None:
    gold, given = (answer("Yes", measurement("38", material=each)) for each in (material, called))
    result = scored(given, gold, parameters={"material": material})
    assert result.metrics["score"] == (2 if may_be else 1)
    assert result.records[1]["status"] == ("right" if may_be else "other_material")


@pytest.mark.parametrize(("gold", "given", "strict", "reference"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_the_score(
    answer: Make, scored: Callable[..., Score], gold: Any, given: Any, strict: int, reference: int
) -> None:
    true = answer(*gold)
    assert scored(answer(*given), true).metrics["score"] == strict
    assert scored(answer(*given), true, "reference").metrics["score"] == reference


DIAGNOSES = [
    (("Yes", "38"), "correct", 2),
    (("Yes", "12"), "partial", 1),
    (("Unknown",), "not_attempted", 0),
    (("No", "1.8"), "incorrect", 0),
]


@pytest.mark.parametrize("compat", ["strict", "reference"])
@pytest.mark.parametrize(("given", "diagnosis", "score"), DIAGNOSES, ids=[d[1] for d in DIAGNOSES])
def test_the_diagnosis_is_one_of_five(
    answer: Make, scored: Callable[..., Score], given: Any, diagnosis: str, score: int, compat: str
) -> None:
    result = scored(answer(*given), answer("Yes", "38"), compat)
    kinds = ("correct", "partial", "not_attempted", "incorrect", "failed")
    assert {kind: result.metrics[kind] for kind in kinds} == {kind: float(kind == diagnosis) for kind in kinds}
    assert (result.metrics["score"], result.records[0]["status"]) == (score, diagnosis)


def test_no_answer_is_a_failed_trial(answer: Make, scored: Callable[..., Score]) -> None:
    result = scored(None, answer("Yes", "38"))
    assert (result.status, result.metrics["score"], result.metrics["failed"]) == ("scored", 0.0, 1.0)
    assert result.metrics["coverage"] is None


@pytest.mark.parametrize("broken", [[], {"measurements": []}, {"reported": "Maybe"}, {"reported": "Yes", "note": 3.5j}])
def test_an_answer_that_cannot_be_read_is_no_answer(answer: Make, scored: Callable[..., Score], broken: Any) -> None:
    result = scored(broken, answer("Yes", "38"))
    assert result.status == "unscored"
    assert result.reason is not None
    assert result.reason.startswith("invalid_answer")


def test_without_gold_nothing_is_scored(answer: Make, scored: Callable[..., Score]) -> None:
    assert scored(answer("Yes", "38"), None).status == "unscored"


def test_published_figures_are_means_over_trials(answer: Make, source: Make, scored: Callable[..., Score]) -> None:
    """Ten trials of one task: 3 correct (2 cite the precedent), 2 partial (1 cites it), 2 incorrect (1 cites it),
    2 Unknown, 1 failed."""
    gold = answer("Yes", "38", sources=[source()])
    cited, other = {"sources": [source()]}, {"sources": [source("10.5555/b.2", "Something else entirely")]}
    trials = [
        *[answer("Yes", "38", **how) for how in (cited, cited, other)],
        *[answer("Yes", "12", **how) for how in (cited, other)],
        *[answer("No", "1.8", **how) for how in (cited, other)],
        answer("Unknown"),
        answer("Unknown"),
        None,
    ]
    scores = [scored(trial, gold).metrics for trial in trials]
    expected = {
        "score": ((3 * 2 + 2 * 1) / 10, 10),
        "coverage": (7 / 9, 9),
        "accuracy_strict": (3 / 9, 9),
        "accuracy_loose": (5 / 9, 9),
        "precision_2": (3 / 7, 7),
        "precision_1": (2 / 7, 7),
        "precision_0": (2 / 7, 7),
        "doi_match": (4 / 10, 10),
        "any_match": (4 / 10, 10),
        "citation_quality_2": (2 / 4, 4),
        "citation_quality_1": (1 / 4, 4),
        "citation_quality_0": (1 / 4, 4),
        "attribution_quality_2": (2 / 3, 3),
        "attribution_quality_1": (1 / 2, 2),
        "attribution_quality_0": (1 / 5, 5),
        "doi_match_given_correct": (2 / 3, 3),
        "score_given_retrieval": ((2 + 2 + 1 + 0) / 4, 4),
        "correct": (3 / 10, 10),
        "not_attempted": (2 / 10, 10),
        "failed": (1 / 10, 10),
    }
    for name, (mean, n) in expected.items():
        found = Mean.of([value for score in scores if (value := score[name]) is not None])
        assert (found.mean, found.n) == (pytest.approx(mean), n), name
