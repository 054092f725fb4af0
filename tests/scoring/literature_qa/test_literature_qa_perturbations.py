"""Every field of every bundled gold answer changed in one way: the scores move as the definitions say.

What is expected is written down with each change, by counting and arithmetic; no scorer is asked for it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pincite_papers.model import Paper
from pincite_scoring import Case, ScoringOptions, score
from pincite_scoring.scorer import get_scorer
from pincite_tasks.family import Family
from pincite_tasks.task import Task

LEAST = 400
DECLINING: list[Any] = [
    None, "", "  ", "Insufficient information to answer the question", "insufficient information.", "Unknown",
    "I don't know", "\"no answer\"", "cannot be determined", "Not enough information!", [],
]  # fmt: skip
OPEN = "undecided"
"""For an answer whose words or unit no rule knows, beside the right ones."""
NAMES = ("accuracy", "precision", "coverage", "source_cited", "evidence_verified")
Change = tuple[str, Mapping[str, Any], tuple[float | None, ...]]
"""What was changed, the answer, and accuracy, precision, coverage, source_cited and evidence_verified."""


def full(task: Task) -> tuple[float | None, float | None]:
    """source_cited and evidence_verified of the ideal answer: 1 where there is a source, which has a quote then."""
    share = 1.0 if "source" in task.gold else None
    return share, share


def outcomes(task: Task, answer: Mapping[str, Any]) -> Iterator[Change]:
    """The answer changed, its sources kept."""
    cited, evidence = full(task)
    right, wrong = (1.0, 1.0, 1.0, cited, evidence), (0.0, 0.0, 1.0, cited, evidence)
    undecided = (None, None, 1.0, cited, evidence)
    declined = (0.0, None, 0.0, None, evidence)
    yield "nothing", answer, right
    for word in DECLINING:
        yield f"declined by {word!r}", {**answer, "answer": word}, declined
    by_kind = {"choice": choices, "number": numbers, "text": words, "formula": formulas, "list": lists, "free": frees}
    for value, same in by_kind[task.gold["kind"]](task):
        expected = {True: right, False: wrong, None: declined, OPEN: undecided}[same]
        yield f"answer {value!r}", {**answer, "answer": value}, expected


def choices(task: Task) -> Iterator[tuple[Any, bool | None]]:
    """Every option in every spelling; the one that declines is not an answer (None)."""
    given = task.parameters["options"]
    assert isinstance(given, list)
    for option in given:
        letter, text = option[1], option[4:]
        same = None if text.startswith("Insufficient") else letter == task.gold["answer"]
        for spelling in (letter, letter.lower(), f"({letter})", f"{letter}.", f" {letter}) ", option, text):
            yield spelling, same
    right = task.gold["answer"]
    for option in given:
        if option[1] != right and not option[4:].startswith("Insufficient"):
            yield f"({right}) {option[4:]}", False
    yield from [("Z", False), (f"{right}{right}", False), ("one of them", False)]


def numbers(task: Task) -> Iterator[tuple[Any, bool | str]]:
    """Around the tolerance, in other units, with a sign, as a range; the gold's own words always."""
    gold = task.gold
    number, _, unit = gold["answer"].partition(" ")
    value, tolerance = float(number), gold["tolerance"]
    beyond = value + max(1, 3 * tolerance * abs(value))
    yield gold["answer"], True
    for spelling in gold.get("accept", []):
        yield spelling, True
    for share in (-3.0, -1.5, -0.5, 0.5, 1.5, 3.0):
        step = tolerance * share if tolerance else share * 1e-4
        yield f"{value * (1 + step):.12g} {unit}".strip(), abs(step) <= tolerance
    for factor in (-1, 2, 10, 0.1, 1000):
        yield f"{value * factor:.12g} {unit}".strip(), False
    yield f"{number} parsec", OPEN
    for text in (f"> {gold['answer']}", f"{number} or {beyond:.12g} {unit}", f"{unit} x", "many"):
        yield text, False
    yield f"about {gold['answer']}", True
    yield f"{number}-{beyond:.12g} {unit}", False
    # Without a unit the number has the one that the question names; without that, it has none.
    yield number, bool(gold.get("unit")) or not unit
    yield value, bool(gold.get("unit")) or not unit
    for other, factor in OTHER_UNITS.get(unit, {}).items():
        yield f"{value * factor:.12g} {other}", True
        yield f"{value:.12g} {other}", False


OTHER_UNITS = {"m": {"cm": 100.0, "km": 1e-3, "mm": 1e3}, "meV": {"eV": 1e-3, "keV": 1e-6}, "g/kg": {"mg/g": 1.0}}
OTHER_UNITS["g/kg"] = {"mg/kg": 1e3, "kg/kg": 1e-3}


def spelled(text: str) -> Iterator[str]:
    """The same words otherwise written."""
    yield from (text, text.upper(), f" {text}\n", f"{text}.", f'"{text}"', f"The {text}", f"“{text}”")


def words(task: Task) -> Iterator[tuple[Any, bool | str]]:
    """Case, marks, article; letters added, removed, and words beside."""
    for right in [task.gold["answer"], *task.gold.get("accept", [])]:
        for spelling in spelled(right):
            yield spelling, True
        for text in (f"not {right}", f"{right} or helium", right[::-1] + "q"):
            yield text, False
        yield f"xyz {right}", OPEN


def formulas(task: Task) -> Iterator[tuple[Any, bool]]:
    """The same atoms in another order are the same, another amount or element is not."""
    assert task.gold["answer"] == "Cs0.85Rb0.15PbI2.4Br0.6"
    for text in (
        "Rb0.15Cs0.85PbI2.4Br0.6",
        "PbCs0.85Rb0.15Br0.6I2.4",
        "Cs0.85Rb0.15Pb(I0.8Br0.2)3",
        task.gold["answer"],
    ):
        yield text, True
    for text in ("Cs0.85Rb0.15PbI3", "CsPbI3", "Cs0.80Rb0.20PbI2.4Br0.6", "Cs0.85K0.15PbI2.4Br0.6", "a perovskite"):
        yield text, False


def lists(task: Task) -> Iterator[tuple[Any, bool | str]]:
    """Order and separators do not matter; a missing, a further or a changed item does."""
    one, two = task.gold["answer"]
    for value in ([one, two], [two, one], f"{one}; {two}", f"{two}\n{one}", f"{one}, {two}", f"{two} and {one}"):
        yield value, True
        if isinstance(value, str):
            yield value.upper(), True
    for value in ([one], [two], [one, one], [one, two, "Hella"], f"{one}; {two}; Hella", f"{one}; Hella", one + two):
        yield value, False
    yield f"{one}; {two}x", OPEN


def frees(task: Task) -> Iterator[tuple[Any, bool | str]]:
    """The gold's own words are right; of others only a model can tell."""
    yield from ((spelling, True) for spelling in spelled(task.gold["answer"]))
    for text in (f"not {task.gold['answer']}", "the tide", "They were counted at the wrong time of the year."):
        yield text, OPEN


def sources(task: Task, answer: Mapping[str, Any]) -> Iterator[Change]:
    """One field of the cited source changed; the answer stays right."""
    if "sources" not in answer:
        return
    (source,) = answer["sources"]
    cited, evidence = full(task)
    there = "paper" in source

    def change(name: str, given: list[dict[str, Any]], cited: float | None, evidence: float | None) -> Change:
        return name, {**answer, "sources": given}, (1.0, 1.0, 1.0, cited, evidence)

    yield change("no sources", [], 0.0, None)
    yield change("twice", [source, source], 1.0, evidence)
    # One of two quotes stands: 1 of 2.
    yield change("one beside it", [source, {**source, "quote": "made up words"}], 1.0, 0.5)
    yield change("no quote", [{key: source[key] for key in source if key != "quote"}], cited, None)
    yield change("quote changed", [{**source, "quote": source["quote"][:-4] + "zzzz"}], cited, 0.0)
    yield change("quote doubled", [{**source, "quote": source["quote"] * 2}], cited, 0.0)
    if there:
        yield change("another paper", [{**source, "paper": "other.pdf"}], 0.0, evidence)
        yield change("a path", [{**source, "paper": f"papers/{source['paper']}"}], cited, evidence)
        yield change("another page", [{**source, "page": source["page"] + 7}], cited, 0.0)
        yield change("no page", [{**source, "page": None}], cited, evidence)
    else:
        bare = {"doi": source["doi"]}
        fetched = f"/tmp/fetched/{source['doi'].replace('/', '_')}.xml"
        yield change("the fetched text", [{"paper": fetched, "quote": source["quote"]}], 1.0, 1.0)
        yield change("another fetched text", [{"paper": "x/10.5555_no.1.xml", "quote": source["quote"]}], 0.0, 0.0)
        yield change("DOI as a link", [{"doi": f"https://doi.org/{source['doi'].upper()}"}], 1.0, None)
        yield change("DOI alone", [bare], 1.0, None)
        yield change("title alone", [{"title": source["title"].upper()}], 1.0, None)
        yield change("another DOI", [{"doi": source["doi"] + "1"}], 0.0, None)
        yield change("another title", [{"title": source["title"] + " II"}], 0.0, None)


def changes(task: Task) -> list[Change]:
    answer = get_scorer("literature_qa").ideal(task.gold)
    return [*outcomes(task, answer), *sources(task, answer)]


def test_every_change_moves_the_scores_as_defined(questions: Family, question_papers: Mapping[str, Paper]) -> None:
    done = 0
    wrong: list[str] = []
    for task in questions.tasks:
        papers = {name: question_papers[name] for name in task.paper_names}
        for name, answer, expected in changes(task):
            case = Case(answer, task.gold, papers, task.parameters, task.metadata, corpus=task.corpus)
            metrics = score("literature_qa", case, ScoringOptions()).metrics
            got = tuple(metrics[each] for each in NAMES)
            done += 1
            if got != expected:
                wrong.append(f"{task.task_id}: {name}: {got}, expected {expected}")
    assert not wrong, "\n".join(wrong[:20])
    assert done >= LEAST


def test_oracle_has_full_marks_and_nop_none(questions: Family, question_papers: Mapping[str, Paper]) -> None:
    scorer = get_scorer("literature_qa")
    for task in questions.tasks:
        papers = {name: question_papers[name] for name in task.paper_names}
        for answer, marks in ((scorer.ideal(task.gold), 1.0), (None, 0.0), ({"answer": None}, 0.0)):
            metrics = score("literature_qa", Case(answer, task.gold, papers, task.parameters), ScoringOptions()).metrics
            assert (metrics["accuracy"], metrics["coverage"]) == (marks, marks)


@pytest.mark.parametrize("kind", ["choice", "text", "number", "formula", "list", "free"])
def test_every_kind_is_among_the_bundled(questions: Family, kind: str) -> None:
    assert any(task.gold["kind"] == kind for task in questions.tasks)
