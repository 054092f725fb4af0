"""Fitting an answer to its schema: what is repaired and told, and what is not, by a table."""

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

RECORD: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "page"],
    "properties": {
        "name": {"type": "string"},
        "page": {"type": ["integer", "null"], "minimum": 1},
        "start": {"type": "integer"},
        "end": {"type": "integer"},
        "value": {"type": "number"},
        "kind": {"enum": ["Text", "Figure"]},
        "sure": {"type": "boolean"},
        "unit": {"type": "string"},
        "quote": {"type": ["string", "null"]},
        "words": {"type": "array", "items": {"type": "string"}},
        "either": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]},
    },
}
LIST: dict[str, Any] = {
    "$defs": {"record": RECORD},
    "type": "object",
    "additionalProperties": False,
    "required": ["records"],
    "properties": {"records": {"type": "array", "items": {"$ref": "#/$defs/record"}}, "note": {"type": "string"}},
}
PLACE = "pc:3f9a0c1d#p4:10-20"
N: dict[str, Any] = {"name": "a", "page": 1}
REPAIRED: list[tuple[str, Any, Any, Any, str]] = [
    ("what fits stays as it is", RECORD, N, N, ""),
    ("a page as a string", RECORD, {**N, "page": "1"}, N, '$.page: "1" -> 1'),
    ("a page as people write it", RECORD, {**N, "page": "p. 3"}, {**N, "page": 3}, '$.page: "p. 3" -> 3'),
    ("a page in words", RECORD, {**N, "page": "Page 12"}, {**N, "page": 12}, "-> 12"),
    (
        "a locator as the page",
        RECORD,
        {**N, "page": PLACE},
        {**N, "page": 4, "start": 10, "end": 20},
        "$.start: left out -> 10, as the locator says",
    ),
    (
        "a locator before the quote",
        RECORD,
        {"name": "a", "page": 2, "quote": f"[{PLACE}] The gap is 1.7 eV."},
        {"name": "a", "page": 2, "quote": "The gap is 1.7 eV.", "start": 10, "end": 20},
        "without its locator",
    ),
    ("a number as a string", RECORD, {**N, "value": "-1.5e3"}, {**N, "value": -1500.0}, '"-1.5e3" -> -1500.0'),
    ("a whole number where a text is wanted", RECORD, {**N, "name": 7}, {**N, "name": "7"}, '7 -> "7"'),
    ("a truth value in words", RECORD, {**N, "sure": "True"}, {**N, "sure": True}, '"True" -> true'),
    ("a choice in other capitals", RECORD, {**N, "kind": "figure "}, {**N, "kind": "Figure"}, '-> "Figure"'),
    ("null for what may be left out", RECORD, {**N, "unit": None}, N, "$.unit: null -> left out"),
    ("one text for a list of them", RECORD, {**N, "words": "one"}, {**N, "words": ["one"]}, "a list of it"),
    ("a list of one for a value", RECORD, {**N, "value": [2]}, {**N, "value": 2}, "its item"),
    ("an alternative", RECORD, {**N, "either": ["1", 2]}, {**N, "either": [1, 2]}, '$.either[0]: "1" -> 1'),
    ("a JSON string", LIST, json.dumps({"records": [N]}), {"records": [N]}, "a string with JSON -> an object"),
    ("a fenced one", LIST, f"```json\n{json.dumps({'records': [N]})}\n```", {"records": [N]}, "in a fence"),
    ("a list within a string", LIST, {"records": json.dumps([N])}, {"records": [N]}, "$.records: a string with JSON"),
    ("one object for a list", LIST, {"records": N}, {"records": [N]}, "$.records: one value -> a list of it"),
    ("the list alone", LIST, [N, N], {"records": [N, N]}, "$: a list -> an object with it as records"),
    ("the list alone, of one", LIST, [N], {"records": [N]}, "an object with it as records"),
    ("a record as a string in a list", LIST, {"records": [json.dumps(N)]}, {"records": [N]}, "$.records[0]:"),
    (
        "a field that may be null",
        LIST,
        {"records": [{"name": "a"}]},
        {"records": [{"name": "a", "page": None}]},
        "null",
    ),
]
LEFT: list[tuple[str, Any, Any, str]] = [
    ("a range of pages", RECORD, {**N, "page": "3-4"}, "$.page"),
    ("a page with other words", RECORD, {**N, "page": "3 of 7"}, "$.page"),
    ("p. 3 where no page is wanted", RECORD, {**N, "start": "p. 3"}, "$.start"),
    ("a number with a unit", RECORD, {**N, "value": "1.7 eV"}, "$.value"),
    ("a number with a comma", RECORD, {**N, "value": "1,700"}, "$.value"),
    ("a zero before a number", RECORD, {**N, "page": "007"}, "$.page"),
    ("a fraction where a text is wanted: it may have been 1.70", RECORD, {**N, "name": 1.7}, "$.name"),
    ("no page at all", RECORD, {**N, "page": ""}, "$.page"),
    ("a choice that is none", RECORD, {**N, "kind": "table"}, "$.kind"),
    ("a list of two for a value", RECORD, {**N, "value": [1, 2]}, "$.value"),
    ("a field that is not there", RECORD, {**N, "more": 1}, "'more' was unexpected"),
    ("a field that is missing", RECORD, {"page": 1}, "'name' is a required property"),
    ("the answer's own field, which is not made up", RECORD, {"name": "a"}, "'page' is a required property"),
    ("a name twice in the JSON", LIST, '{"records": [], "records": [1]}', "is not of type 'object'"),
    ("JSON with words around it", LIST, 'Here: {"records": []}', "is not of type 'object'"),
    ("a text for a list of objects", LIST, {"records": "none"}, "$.records"),
    ("a fault within a JSON string", LIST, json.dumps({"records": [{"name": [], "page": 1}]}), "$.records[0].name"),
    ("a fault within the list alone", LIST, [{"name": [], "page": 1}], "$.records[0].name"),
    ("a locator in place of the words", RECORD, {**N, "quote": PLACE}, "$.quote: 'pc:3f9a0c1d#p4:10-20' is a locator"),
]


def test_what_is_repaired_is_told_and_what_is_not_stays(
    program: Callable[[str], ModuleType], monkeypatch: Any, tmp_path: Path
) -> None:
    answering = program("answering")
    wrong: list[str] = []
    for title, schema, given, wanted, told in REPAIRED:
        file = answering.AnswerFile("answer.json", schema)
        value, changes = file.fit(given)
        # Not ==: True is not 1 here, nor 1.0.
        if json.dumps(value) != json.dumps(wanted) or (told not in "\n".join(changes)) or bool(told) != bool(changes):
            wrong.append(f"{title}: {value} {changes}")
        if file.faults(value):
            wrong.append(f"{title}: {file.faults(value)}")
    for title, schema, given, fault in LEFT:
        file = answering.AnswerFile("answer.json", schema)
        value, _ = file.fit(given)
        if not any(fault in line for line in file.faults(value)):
            wrong.append(f"{title}: {value} {file.faults(value)}")
    assert not wrong, "\n".join(wrong)


def test_no_answer_of_a_familys_gold_is_changed(program: Callable[[str], ModuleType]) -> None:
    """The schemas of the bundled families, with gold that fits them: a repair that touches it would be a fault."""
    from pincite_tasks.family import load_family

    answering = program("answering")
    tasks = Path(__file__).parents[3] / "tasks"
    seen = 0
    for folder in sorted(path.parent for path in tasks.glob("*/family.toml")):
        family = load_family(folder)
        for task in family.tasks:
            if task.gold is None or not family.settings.answer.endswith(".json"):
                continue
            file = answering.AnswerFile("answer.json", family.answer_schema(task))
            if not file.faults(task.gold):
                seen += 1
                assert file.fit(task.gold) == (task.gold, []), f"{folder.name}/{task.task_id}"
    assert seen > 20


def test_a_fenced_text_is_its_content(program: Callable[[str], ModuleType]) -> None:
    file = program("answering").AnswerFile("answer.csv", {"type": "string"})
    value, changes = file.fit("```csv\na,b\n1,2\n```")
    assert (value, len(changes)) == ("a,b\n1,2\n", 1)
    assert file.fit("a ```b``` c") == ("a ```b``` c", [])
