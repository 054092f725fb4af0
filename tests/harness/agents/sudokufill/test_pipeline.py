"""SudokuFill on bundled papers: the whole pipeline and the plain baseline, with a cast of rules in place of a model."""

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

TASKS = Path(__file__).parents[4] / "tasks" / "record_filling"


def test_a_whole_run_fills_the_records_of_a_paper(run: Any, tasks: Any, rules: Any, schemas: Any, program: Any) -> None:
    name = "influenza_emulsions"
    ran = run(tasks[name], rules.RuleCast(schemas[name]))
    assert ran.code == 0, ran.printed
    fields = [field.name for field in schemas[name].fields]
    (ranked,) = ran.of("Ranked")
    assert sorted(ranked.order) == sorted(fields)
    assert ranked.order[0] == "adjuvant", "the field that finds the objects comes first"
    assert [event.field for event in ran.of("Written")] == ranked.order, "each field is written once, in that order"
    (opening,) = ran.of("Opening")
    assert opening.pages == ["p01", "p02"]
    assert "empty" in opening.archive
    stated = {claim.value for event in ran.of("Probed", "Positioned") for claim in event.claims}
    put = {value for event in ran.of("Conditioned") for value in event.after}
    objects = ran.answer["objects"]
    assert {each["adjuvant"] for each in objects} >= {"aluminium hydroxide", "SE-40", "SE-40/GLK"}
    for each in objects:
        for field in set(fields) & set(each):
            values = each[field] if isinstance(each[field], list) else [each[field]]
            assert set(values) <= stated | put, "no value that no page agent stated"
        for evidence in each["evidence"]:
            assert evidence["page"] in (1, 2)
            assert evidence["end"] > evidence["start"]
    assert all(event.faults == [] for event in ran.of("Assembled"))
    board, again = program("sudokufill.board"), program("crew.state")
    schema = program("sudokufill.schema").read_schema(tasks[name]["inputs"]["parameters"]["schema"])
    state = again.fold(ran.events, board.Board(schema), board.apply)
    assert {thing.name for thing in state.things} == {each["adjuvant"] for each in objects}
    assert set(state.filled) == set(fields), "the file alone gives the whole state"


def test_the_baseline_asks_once_a_field_and_debates_nothing(run: Any, tasks: Any, rules: Any, schemas: Any) -> None:
    name = "influenza_emulsions"
    ran = run(tasks[name], rules.RuleCast(schemas[name]), mode="sequential")
    assert ran.code == 0, ran.printed
    assert ran.roles == ["sequential"] * 10
    assert [event.field for event in ran.of("Written")] == [field.name for field in schemas[name].fields]
    assert not ran.of("Probed", "RoundBegan", "Preferred", "Consolidated")
    assert all("mouse" not in request.first.partition("Field:")[2] for request in ran.asked[:4]), "no earlier answers"
    objects = ran.answer["objects"]
    assert {each["adjuvant"] for each in objects} >= {"aluminium hydroxide", "SE-40", "SE-40/GLK"}
    assert {evidence["page"] for each in objects for evidence in each["evidence"]} == {1, 2}


def test_a_budget_that_is_spent_still_answers(run: Any, tasks: Any, rules: Any, schemas: Any) -> None:
    name = "influenza_emulsions"
    validator = Draft202012Validator(json.loads((TASKS / "schemas" / "adjuvants.json").read_text()))
    for calls in (1, 3, 20):
        ran = run(tasks[name], rules.RuleCast(schemas[name]), {"model_calls": calls})
        assert ran.code == 0, ran.printed
        assert len(ran.asked) <= calls
        assert {event.field for event in ran.of("Written")} == {field.name for field in schemas[name].fields}
        validator.validate(ran.answer)
        assert ran.answer["objects"], "what the pages gave first is answered"
        assert ran.events[-1].why.startswith("spent" if calls < 3 else "")


def test_a_list_of_records_is_filled_one_row_a_record(run: Any, small: Any, casts: Any) -> None:
    form = json.loads((TASKS.parent / "property_extraction" / "schema.json").read_text())
    task = {"inputs": {**small["inputs"], "parameters": {}}, "answer_schema": form}
    row = "SE-40\t1.25 mg squalene\t5.2\t3.0\tTh2"
    droplets = "droplets of 110 nm"
    size, shorter, titre = "SE-40 droplet size", "SE-40 size", "SE-40 IgG1 titre"
    says = {
        ("p01", "material_or_system"): [casts.claim(name, "SE-40", 0.9, droplets) for name in (size, shorter)],
        ("p02", "material_or_system"): [casts.claim(titre, "SE-40", 0.9, row)],
        ("p01", "property_name"): [casts.claim(size, "droplet size", 0.8, droplets)],
        ("p02", "property_name"): [casts.claim(titre, "IgG1 titre", 0.9, row)],
        ("p01", "value_string"): [casts.claim(size, "110", 0.9, droplets)],
        ("p02", "value_string"): [{**casts.claim(titre, "5.2", 0.9, ""), "source": "table"}],
        ("p01", "value_unit"): [casts.claim(size, "nm", 0.9, droplets)],
    }
    ran = run(task, casts.SmallCast(says), rounds="1", rebuttal="off", order="schema")
    assert ran.code == 0, ran.printed
    Draft202012Validator(form).validate(ran.answer)
    assert ran.answer["properties"] == [
        {
            "material_or_system": "SE-40",
            "property_name": "droplet size",
            "value_string": "110",
            "value_unit": "nm",
            "location": {"page": 1, "evidence": droplets, "source_type": "text"},
        },
        {
            "material_or_system": "SE-40",
            "property_name": "IgG1 titre",
            "value_string": "5.2",
            "location": {"page": 2, "evidence": row, "source_type": "table"},
        },
    ]
    assert "the record lacks property_name, value_string" in {event.why for event in ran.of("Dropped")}
