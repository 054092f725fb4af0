"""Whether the precedent is cited: DOIs in their spellings, titles by likeness, strict and as published."""

from collections.abc import Callable
from typing import Any

import pytest

from pincite_scoring import Score

Make = Callable[..., dict[str, Any]]
DOI = "10.1103/PhysRevB.97.104503"
TITLE = "Superconductivity in the cage-type antimonide"
Q = "q" * 10

# (what, cited DOI, strict, reference): the gold's is DOI
DOIS: list[tuple[str, str | None, bool, bool]] = [
    ("bare", DOI, True, True),
    ("in lower case", DOI.lower(), True, True),
    ("as a URL", f"https://doi.org/{DOI}", True, True),
    ("at dx.doi.org", f"http://dx.doi.org/{DOI}", True, True),
    ("with doi:", f"doi:{DOI}", True, True),
    ("with doi: and a space; published: contained", f"doi: {DOI}", True, True),
    ("with a closing stop; published: contained", f"{DOI}.", True, True),
    ("with an escaped slash; published: another", DOI.replace("/", "%2F"), True, False),
    ("with urn:doi:", f"urn:doi:{DOI}", True, True),
    ("at its publisher's", f"https://journals.aps.org/prb/abstract/{DOI}?ft=1#c2", True, True),
    ("in angle brackets, with a closing slash", f"<https://doi.org/{DOI}/>", True, True),
    ("of a supplement; published: contained", f"https://journals.aps.org/prb/{DOI}/suppl", False, True),
    ("longer by a digit; published: contained", f"{DOI}1", False, True),
    ("shorter by a digit; published: contained", DOI[:-1], False, True),
    ("its prefix alone; published: contained", "10.1103", False, True),
    ("another article", "10.1103/PhysRevB.97.104504", False, False),
    ("none", None, False, False),
]


@pytest.mark.parametrize(("cited", "strict", "reference"), [c[1:] for c in DOIS], ids=[c[0] for c in DOIS])
def test_a_doi_is_the_precedents(
    answer: Make, source: Make, scored: Callable[..., Score], cited: str | None, strict: bool, reference: bool
) -> None:
    gold = answer("Yes", "38", sources=[source(DOI, None)])
    given = answer("Yes", "38", sources=[source(cited, None)])
    assert scored(given, gold).metrics["doi_match"] == strict
    assert scored(given, gold, "reference").metrics["doi_match"] == reference


# SequenceMatcher's ratio is 2 M / T: M characters in common, T in both. The normal form of TITLE has 45 characters.
TITLES: list[tuple[str, str, str, bool, bool]] = [
    ("equal", TITLE, TITLE, True, True),
    (
        "case, marks and tags: equal after them",
        TITLE,
        "SUPERCONDUCTIVITY in the <i>cage type</i> antimonide!",
        True,
        True,
    ),
    ("a plural: 2 * 45 / (45 + 46) = 0.989", TITLE, f"{TITLE}s", True, True),
    ("at 0.9: 2 * 45 / (45 + 55) = 0.9", TITLE, f"{TITLE}{Q}", True, True),
    ("below 0.9: 2 * 45 / (45 + 56) = 0.891", TITLE, f"{TITLE}{Q}q", False, True),
    ("above 0.8: 2 * 45 / (45 + 67) = 0.804", TITLE, f"{TITLE}{Q}{Q}qq", False, True),
    ("below 0.8: 2 * 45 / (45 + 68) = 0.796", TITLE, f"{TITLE}{Q}{Q}qqq", False, False),
    (
        "at 0.8, which is not above: 2 * 16 / (16 + 24) = 0.8",
        "abcdefghijklmnop",
        "abcdefghijklmnopqrstuvwx",
        False,
        False,
    ),
    ("another one", TITLE, "Magnetic order in a divalent europium compound", False, False),
    ("short but equal: 7 of 10; published: too short", "On LSCO", "on lsco", True, False),
    ("short and like: 7 of 10", "On LSCO", "On LSCOs", False, False),
]


@pytest.mark.parametrize(("true", "cited", "strict", "reference"), [c[1:] for c in TITLES], ids=[c[0] for c in TITLES])
def test_a_title_is_the_precedents(
    answer: Make, source: Make, scored: Callable[..., Score], true: str, cited: str, strict: bool, reference: bool
) -> None:
    gold = answer("Yes", "38", sources=[source(None, true)])
    given = answer("Yes", "38", sources=[source(None, cited)])
    assert scored(given, gold).metrics["title_match"] == strict
    assert scored(given, gold, "reference").metrics["title_match"] == reference
    assert scored(given, gold).metrics["doi_match"] is None
    assert scored(given, gold).metrics["any_match"] == strict


def test_any_source_of_the_answer_may_be_the_precedent_but_published_looks_at_three(
    answer: Make, source: Make, measurement: Make, scored: Callable[..., Score]
) -> None:
    true, others = source(DOI, None), [source(f"10.5555/x.{n}", None) for n in range(3)]
    gold = answer("Yes", measurement("38", sources=[true]))
    fourth = answer("Yes", measurement("38", sources=[*others, true]))
    assert scored(fourth, gold).metrics["doi_match"] == 1.0
    assert scored(fourth, gold, "reference").metrics["doi_match"] == 0.0
    of_class = answer("Yes", measurement("38", sources=others), sources=[true])
    assert scored(of_class, gold, "reference").metrics["doi_match"] == 1.0


def test_a_gold_without_sources_scores_no_citation(answer: Make, source: Make, scored: Callable[..., Score]) -> None:
    metrics = scored(answer("Yes", "38", sources=[source()]), answer("Yes", "38")).metrics
    names = (
        "doi_match",
        "title_match",
        "any_match",
        "citation_quality_2",
        "attribution_quality_2",
        "score_given_retrieval",
    )
    assert {name: metrics[name] for name in names} == dict.fromkeys(names)


def test_rows_say_what_became_of_measurements_and_sources(
    answer: Make, source: Make, measurement: Make, scored: Callable[..., Score]
) -> None:
    gold = answer("Yes", "38", "36", sources=[source(DOI, None)])
    other = measurement("38", material="La1.86Sr0.14CuO4")
    given = answer("Yes", "38", "12", other, "38.01", sources=[source(DOI, None), source("10.5555/x", None)])
    given["negative_measurements"] = [measurement("1.8")]
    rows = [(row["kind"], row["status"]) for row in scored(given, gold).records]
    assert rows == [
        ("class", "correct"),
        ("measurement", "right"),
        ("measurement", "wrong_value"),
        ("measurement", "other_material"),
        ("measurement", "repeated"),
        ("measurement", "not_asked"),
        ("measurement", "missed"),
        ("source", "precedent"),
        ("source", "other_source"),
    ]


def test_a_cited_work_is_named_by_its_title_where_it_has_no_doi(
    answer: Make, source: Make, scored: Callable[..., Score]
) -> None:
    given = answer("Yes", "38", sources=[source(None, TITLE, "at 38 K"), source(DOI, TITLE)])
    rows = [row for row in scored(given, answer("Yes", "38")).records if row["kind"] == "source"]
    assert [(row["work"], row["span"]) for row in rows] == [(TITLE, "at 38 K"), (DOI, "said")]
