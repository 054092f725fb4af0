"""What goes beyond the study: complete answers, and sources that exist, stand and say what is quoted."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError, NotFoundError
from pincite_scoring import Score
from pincite_scoring.case import Case
from pincite_scoring.precedent_search.scorer import SCORER

Make = Callable[..., dict[str, Any]]
WORKS = [
    {
        "id": "true2001",
        "title": "Superconductivity of a lanthanum cuprate at ambient pressure",
        "authors": ["Author, A."],
        "published": "2001-02-03",
        "doi": "10.5555/a.1",
        "arxiv": "1102.90001",
        "posted": "2011-02-01",
        "abstract": "The transition lies near 38 K.",
        "text": "texts/true2001.txt",
    },
    {
        "id": "false2002",
        "title": "Superconductivity of a lanthanum cuprate at 95 K",
        "authors": ["Author, B."],
        "published": "2002-02-03",
        "doi": "10.5555/a.2",
        "abstract": "Zero resistance of La1.85Sr0.15CuO4 is reached at 95 K.",
        "retracted": {"notice": "notice2003", "on": "2003-01-01"},
    },
    {
        "id": "notice2003",
        "title": "Retraction of an article on a lanthanum cuprate",
        "authors": ["Author, B."],
        "published": "2003-01-01",
        "doi": "10.5555/a.3",
        "kind": "notice",
    },
]
TEXT = """# Results

The midpoint of the transition of La1.85Sr0.15CuO4 is at 37.9 K, and its onset is at 38.6 K.

Table 1. Transition temperatures.

| x | Tc (K) |
| 0.15 | 37.9 |
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "true2001.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "works.jsonl").write_text("".join(f"{json.dumps(work)}\n" for work in WORKS), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("cited", "real", "standing", "verified"),
    [
        ({"doi": "10.5555/a.1", "quote": "The transition lies near 38 K."}, 1.0, 1.0, 1.0),
        ({"doi": "10.5555/a.1", "quote": "at 37.9 K, and its onset is at 38.6 K"}, 1.0, 1.0, 1.0),
        ({"doi": "10.5555/a.1", "quote": "0.15\t37.9"}, 1.0, 1.0, 1.0),
        ({"doi": "10.5555/a.1", "quote": "at 39.7 K, and its onset is at 38.6 K"}, 1.0, 1.0, 0.0),
        ({"doi": "https://doi.org/10.48550/arXiv.1102.90001", "quote": "near 38 K"}, 1.0, 1.0, 1.0),
        ({"doi": None, "title": WORKS[0]["title"], "quote": "near 38 K"}, 1.0, 1.0, 1.0),
        ({"doi": "10.5555/a.1", "quote": None}, 1.0, 1.0, 0.0),
        ({"doi": "10.5555/a.2", "quote": "is reached at 95 K"}, 1.0, 0.0, 1.0),
        ({"doi": "10.5555/made.up", "quote": "near 38 K"}, 0.0, None, 0.0),
        ({"doi": "10.5555/made.up", "title": WORKS[0]["title"], "quote": "near 38 K"}, 0.0, None, 0.0),
    ],
)
def test_a_cited_work_is_looked_up_in_the_corpus(
    answer: Make,
    source: Make,
    scored: Callable[..., Score],
    corpus: Path,
    cited: dict[str, Any],
    real: float,
    standing: float | None,
    verified: float,
) -> None:
    metrics = scored(answer("Yes", "38", sources=[source(**cited)]), answer("Yes", "38"), corpus=corpus).metrics
    found = (metrics["sources_real"], metrics["sources_standing"], metrics["quotes_verified"])
    assert found == (real, standing, verified)


def test_shares_count_each_source_once(
    answer: Make, source: Make, measurement: Make, scored: Callable[..., Score], corpus: Path
) -> None:
    true, retracted = source("10.5555/a.1", quote="near 38 K"), source("10.5555/a.2", quote="reached at 95 K")
    given = answer(
        "Yes",
        measurement("38", sources=[true, true]),
        sources=[true, retracted],
        related=[{"material": "Nb3Sn", "sources": [source("10.5555/made.up")]}],
    )
    result = scored(given, answer("Yes", "38"), corpus=corpus)
    metrics = {name: result.metrics[name] for name in ("sources_real", "sources_standing", "quotes_verified")}
    assert metrics == {"sources_real": 2 / 3, "sources_standing": 1 / 2, "quotes_verified": 2 / 3}
    rows = [(row["status"], row["reason"]) for row in result.records if row["kind"] == "source"]
    stands = "span verified"
    assert rows == [("other_source", stands), ("retracted", stands), ("no_such_work", "")]


def test_without_a_corpus_evidence_is_not_computed(answer: Make, source: Make, scored: Callable[..., Score]) -> None:
    metrics = scored(answer("Yes", "38", sources=[source()]), answer("Yes", "38")).metrics
    assert [metrics[name] for name in ("sources_real", "sources_standing", "quotes_verified")] == [None] * 3


def test_a_corpus_that_is_gone_is_an_error(answer: Make, scored: Callable[..., Score], tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        scored(answer("Yes", "38"), answer("Yes", "38"), corpus=tmp_path / "nowhere")


def test_measurements_are_paired_one_to_one_and_their_conditions_compared(
    answer: Make, measurement: Make, scored: Callable[..., Score]
) -> None:
    """Gold 38 K (ambient), 38 K (5 GPa), 30 K (film); answered 38 K (5 GPa), 38 K (9 GPa), 30 K (crystal), 12 K, and
    30 K again: three pairs, of which 38 K at 5 GPa agrees; 38 K at 9 GPa and the crystal do not."""
    gold = answer(
        "Yes",
        measurement("38"),
        measurement("38", conditions={"pressure": "5 GPa"}),
        measurement("30", conditions={"sample_state": "thin film"}),
    )
    given = answer(
        "Yes",
        measurement("38", conditions={"pressure": "50 kbar"}),
        measurement("38", conditions={"pressure": "9 GPa"}),
        measurement("30", conditions={"sample_state": "single crystal"}),
        measurement("12"),
        measurement("30", conditions={"sample_state": "single crystal"}),
    )
    metrics = scored(given, gold).metrics
    found = {name: metrics[name] for name in ("values_found", "values_right", "conditions_agree")}
    assert found == {"values_found": 3 / 3, "values_right": 3 / 5, "conditions_agree": pytest.approx(1 / 3)}


def test_related_materials_and_phases_are_found_by_what_they_are(answer: Make, scored: Callable[..., Score]) -> None:
    gold = answer(
        "Yes",
        "38",
        related=[{"material": "La1.85Ba0.15CuO4", "value": "30"}, {"material": "Nd1.85Ce0.15CuO4"}],
        phases=[
            {"material": "La2CuO4", "phase": "antiferromagnet"},
            {"material": "La2CuO4", "phase": "Mott insulator"},
        ],
    )
    given = answer(
        "Yes",
        "38",
        related=[{"material": "Ba0.15La1.85Cu1O4", "value": "28"}, {"material": "Nd1.84Ce0.16CuO4"}],
        phases=[{"material": "La4Cu2O8", "phase": "Antiferromagnet"}, {"material": "La2CuO4", "phase": "metal"}],
    )
    metrics = scored(given, gold).metrics
    assert (metrics["related_found"], metrics["phases_found"]) == (1 / 2, 1 / 2)


GOLD_FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("no class", {"reported": "Unknown"}, "must be Yes or No"),
    (
        "values of the other class",
        {"negative_measurements": [{"material": "La1.85Sr0.15CuO4", "value": "1"}]},
        "not asked",
    ),
    ("another material", {"measurements": [{"material": "Nb3Sn", "value": "18"}]}, "Nb3Sn is not La1.85Sr0.15CuO4"),
    ("no number", {"measurements": [{"material": "La1.85Sr0.15CuO4", "value": "high"}]}, "no number"),
    ("an unknown unit", {"measurements": [{"material": "La1.85Sr0.15CuO4", "value": "3", "unit": "grumbles"}]}, "unit"),
    ("no DOI", {"sources": [{"doi": "here"}]}, "is no DOI"),
    ("an unknown work", {"sources": [{"doi": "10.5555/made.up", "quoted_span": "x"}]}, "no such work"),
    ("a quote that is none", {"sources": [{"doi": "10.5555/a.1", "quoted_span": "at 95 K"}]}, "does not stand"),
    ("a retracted work", {"sources": [{"doi": "10.5555/a.2", "quoted_span": "reached at 95 K"}]}, "is retracted"),
    (
        "a quote without the value",
        {
            "measurements": [
                {
                    "material": "La1.85Sr0.15CuO4",
                    "value": "37.9",
                    "sources": [{"doi": "10.5555/a.1", "quoted_span": "The transition lies near 38 K."}],
                }
            ]
        },
        "does not print 37.9",
    ),
    ("unreadable", {"measurements": "none"}, "measurements"),
]


@pytest.mark.parametrize(("fields", "said"), [f[1:] for f in GOLD_FAULTS], ids=[f[0] for f in GOLD_FAULTS])
def test_gold_is_checked(corpus: Path, fields: dict[str, Any], said: str) -> None:
    gold: dict[str, Any] = {"reported": "Yes", "sources": [], "measurements": [], "negative_measurements": [], **fields}
    parameters = {"material": "La1.85Sr0.15CuO4", "unit": "K"}
    problems = SCORER.check(Case(None, gold, parameters=parameters, corpus=corpus))
    assert any(said in str(problem) for problem in problems if problem.fatal), problems


def test_good_gold_has_no_problem(corpus: Path, source: Make, measurement: Make, answer: Make) -> None:
    true = source("10.5555/a.1", quote="is at 37.9 K, and its onset is at 38.6 K")
    gold = answer("Yes", measurement("37.9", sources=[true]), sources=[true])
    parameters = {"material": "La1.85Sr0.15CuO4", "unit": "K"}
    assert SCORER.check(Case(None, gold, parameters=parameters, corpus=corpus)) == []
    assert SCORER.ideal(gold) == gold


def test_broken_gold_and_a_task_without_material_are_errors(answer: Make, scored: Callable[..., Score]) -> None:
    with pytest.raises(BadInputError):
        scored(answer("Yes", "38"), answer("Unknown"))
    with pytest.raises(BadInputError):
        scored(answer("Yes", "38"), answer("Yes", "38"), parameters={"material": " "})
