"""``values_all`` in hand-computed cases: 2 whole / (gold + stated), a quote and the conditions with every value."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite_scoring import Score

Json = dict[str, Any]
Make = Callable[..., Json]
FIRST, LATER, WITHDRAWN = "10.5555/a.1", "10.5555/a.2", "10.5555/a.3"
TEXTS = {
    FIRST: "The midpoint is at 37.9 K. Under 2 GPa the onset rises to 40.5 K. The specific heat gives 37.2 K. "
    "The transition is at 36.8 K in the resistivity and in the magnetisation. A strain of 0.4 percent gives 35.0 K.",
    LATER: "A value of 37.9 K was reported. The compound A2B is a superconductor at 12 K.",
    WITHDRAWN: "Zero resistance is reached at 95 K.",
}
# value, quote, fields; in the gold, all from FIRST
MID = ("37.9", "The midpoint is at 37.9 K.", {"definition": "midpoint", "method": "resistivity"})
PRESSED = (
    "40.5",
    "Under 2 GPa the onset rises to 40.5 K.",
    {"definition": "onset", "conditions": {"pressure": "2 GPa"}},
)
HEAT = ("37.2", "The specific heat gives 37.2 K.", {"method": "specific heat"})
BOTH = ("36.8", "The transition is at 36.8 K in the resistivity and in the magnetisation.", {"method": "resistivity"})
STRAINED = (
    "35.0",
    "A strain of 0.4 percent gives 35.0 K.",
    {"conditions": {"other_conditions": "strain of 0.4 percent"}},
)
Stated = tuple[str, str, Json]


def but(stated: Stated, **fields: Any) -> Stated:
    """The measurement with other fields; ``value`` and ``quote`` too."""
    value, quote, known = stated
    return fields.pop("value", value), fields.pop("quote", quote), known | fields


# (what, gold, answer, values_all)
CASES: list[tuple[str, list[Stated], list[Stated], float]] = [
    ("all of two: 2*2/(2+2)", [MID, HEAT], [HEAT, MID], 1.0),
    ("one of two: 2*1/(2+1)", [MID, HEAT], [MID], 2 / 3),
    ("one of five: 2*1/(5+1)", [MID, PRESSED, HEAT, BOTH, STRAINED], [MID], 1 / 3),
    ("none given: 0/(2+0)", [MID, HEAT], [], 0.0),
    ("a shotgun of ten for one: 2*1/(1+10)", [MID], [MID, *(but(MID, value=str(n)) for n in range(1, 10))], 2 / 11),
    ("a value in mK, as its quote has it in K", [MID], [but(MID, value="37900", unit="mK")], 1.0),
    ("a value whose quote is another's: 0/(1+1)", [MID], [but(MID, quote=HEAT[1])], 0.0),
    ("a value without a quote", [MID], [but(MID, quote=None)], 0.0),
    ("a quote that does not stand", [MID], [but(MID, quote="The midpoint lies at 37.9 K.")], 0.0),
    ("a quote of a work that repeats it", [MID], [but(MID, quote="A value of 37.9 K was reported.", doi=LATER)], 0.0),
    ("pressure in other words", [PRESSED], [but(PRESSED, conditions={"pressure": "20 kbar, hydrostatic"})], 1.0),
    ("pressure among other conditions", [PRESSED], [but(PRESSED, conditions={"other_conditions": "at 2 GPa"})], 1.0),
    ("another pressure", [PRESSED], [but(PRESSED, conditions={"pressure": "20 GPa"})], 0.0),
    ("pressure left out", [PRESSED], [but(PRESSED, conditions=None)], 0.0),
    ("strain left out", [MID, STRAINED], [MID, but(STRAINED, conditions=None)], 1 / 2),
    ("strain given to another", [MID, STRAINED], [but(MID, conditions=STRAINED[2]["conditions"]), STRAINED], 1 / 2),
    ("onset for midpoint", [MID], [but(MID, definition="onset")], 0.0),
    ("definition and method left out", [MID], [but(MID, definition=None, method=None)], 1.0),
    ("another method", [HEAT], [but(HEAT, method="resistivity")], 0.0),
    ("said twice: the second counts neither way", [MID], [MID, MID], 1.0),
    ("by another method that the quote names too", [BOTH], [BOTH, but(BOTH, method="magnetisation")], 1.0),
    ("by another method that it does not name", [MID], [MID, but(MID, method="magnetisation")], 2 / 3),
    ("again under another definition: a hedge", [MID], [MID, but(MID, definition="onset")], 2 / 3),
    ("another material", [MID], [but(MID, material="La1.9Sr0.1CuO4")], 0.0),
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    works: list[Json] = [
        {"id": f"w{number}", "title": f"Superconductivity, part {number}", "authors": ["A, B"], "published": "2001"}
        | {"doi": doi, "abstract": text}
        for number, (doi, text) in enumerate(TEXTS.items(), start=1)
    ]
    works[2]["retracted"] = {"notice": "n", "on": "2003-01-01"}
    notice = {"id": "n", "title": "Retraction", "authors": ["A, B"], "published": "2003-01-01", "kind": "notice"}
    works.append(notice | {"doi": "10.5555/n.1"})
    (tmp_path / "works.jsonl").write_text("".join(f"{json.dumps(work)}\n" for work in works), encoding="utf-8")
    return tmp_path


@pytest.fixture
def made(answer: Make, source: Make, measurement: Make) -> Callable[..., Json]:
    """An answer of these measurements."""

    def make(stated: list[Stated], reported: str = "Yes", **fields: Any) -> Json:
        measured: list[Json] = []
        for value, quote, given in copy.deepcopy(stated):
            cited = source(given.pop("doi", FIRST), title=None, quote=quote)
            measured.append(measurement(value, **given) | {"sources": [cited]})
        return answer(reported, *measured, **fields)

    return make


def test_values_all_by_hand(made: Callable[..., Json], scored: Callable[..., Score], corpus: Path) -> None:
    wrong: list[tuple[str, float | None, float]] = []
    for what, gold, given, wanted in CASES:
        found = scored(made(given), made(gold), corpus=corpus).metrics["values_all"]
        if found != pytest.approx(wanted):
            wrong.append((what, found, wanted))
    assert not wrong


def test_what_is_stated_besides_counts_where_it_is_wrong(
    made: Callable[..., Json], source: Make, scored: Callable[..., Score], corpus: Path
) -> None:
    """A relative's value that its quote carries, or that quotes nothing, counts neither way; one that its quote does
    not carry, and a value of the other class, make two stated of one: 2*1/(1+2)."""
    quote = source(LATER, title=None, quote="The compound A2B is a superconductor at 12 K.")
    rows: list[tuple[Json, float]] = [
        ({"related": [{"material": "Nb3Sn", "value": "12", "unit": "K", "sources": [quote]}]}, 1.0),
        ({"related": [{"material": "Nb3Sn", "value": "18", "unit": "K", "sources": []}]}, 1.0),
        ({"related": [{"material": "Nb3Sn", "value": "18", "unit": "K", "sources": [quote]}]}, 2 / 3),
        ({"phases": [{"material": "Nb3Sn", "phase": "metal", "temperature": "12 K", "sources": [quote]}]}, 1.0),
        ({"phases": [{"material": "Nb3Sn", "phase": "metal", "temperature": "120 K", "sources": [quote]}]}, 2 / 3),
        ({"negative_measurements": made([MID])["measurements"]}, 2 / 3),
    ]
    gold = made([MID])
    found = [scored(made([MID], **fields), gold, corpus=corpus).metrics["values_all"] for fields, _ in rows]
    assert found == pytest.approx([wanted for _, wanted in rows])


def test_classes_failures_and_what_cannot_be_told(
    made: Callable[..., Json], source: Make, answer: Make, scored: Callable[..., Score], corpus: Path
) -> None:
    gold = made([MID])

    def of(given: Json | None, true: Json = gold, **case: Any) -> float | None:
        return scored(given, true, **case).metrics["values_all"]

    assert of(None, corpus=corpus) == of(answer("Unknown"), corpus=corpus) == of(answer("No"), corpus=corpus) == 0.0
    assert of(gold) is None, "there is nothing to look for quotes in"
    bare = answer("Yes", "37.9", sources=[source(FIRST, quote=None)])
    assert of(gold, bare, corpus=corpus) is None, "a list of highest values, without quotes, has not all values"
    cited = source(FIRST, title=None, quote="The midpoint is at 37.9 K.")
    class_alone = answer("Yes", sources=[cited])
    assert of(class_alone, class_alone, corpus=corpus) == 1.0
    assert of(answer("Yes"), class_alone, corpus=corpus) == 0.0, "its class is carried by no quote"
    assert of(answer("Yes", "5", sources=[cited]), class_alone, corpus=corpus) == 0.0, "it has no values"


def test_a_retracted_work_carries_nothing(
    made: Callable[..., Json], scored: Callable[..., Score], corpus: Path
) -> None:
    value = but(MID, value="95", quote="Zero resistance is reached at 95 K.", doi=WITHDRAWN)
    assert scored(made([value]), made([value]), corpus=corpus).metrics["values_all"] == 0.0
