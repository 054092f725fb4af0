"""Each field of each bundled gold object changed in one way: the score moves exactly as the definition says."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from pincite_papers.model import Paper
from pincite_scoring import Score
from pincite_scoring.record_filling.scorer import SCORER


class Perturbed(NamedTuple):
    """What was done, the objects answered, and what they must count: values and rows, right and answered; matches."""

    done: str
    objects: list[dict[str, Any]]
    right: int
    answered: int
    rows_right: int
    rows: int
    matched: int


def fields_of(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {field["name"]: field for field in schema["fields"]}


def size(filled: dict[str, Any]) -> int:
    values = [value for name, value in filled.items() if name != "evidence"]
    return sum(len(value) if isinstance(value, list) else 1 for value in values)


def another(field: dict[str, Any], value: str) -> str:
    """A value that is none of the gold's."""
    if "labels" in field:
        return next(label for label in field["labels"] if label != value)
    kind = field.get("kind", "text")
    return {"number": re.sub(r"^[\d.e+]+", "777", value), "formula": "Xe7Kr3"}.get(kind, "zzz")


def respelled(field: dict[str, Any], value: str) -> Iterator[str]:
    """Other ways to say the same."""
    if field.get("kind", "text") in ("text", "label") and not field.get("case_matters"):
        yield value.upper() + "."
        yield f" {value.replace(' ', '-')} " if not re.search(r"\d \d", value) else value
    yield from field.get("synonyms", {}).get(value, [])


def keeps_identity(schema: dict[str, Any], filled: dict[str, Any], changed: str) -> bool:
    return any(name in filled and name != changed for name in schema["identity"])


def far(metrics: dict[str, float | None], expected: dict[str, float]) -> dict[str, tuple[float | None, float]]:
    """What is not as expected; pytest.approx takes longer than the scorer."""
    pairs = {name: (metrics[name], value) for name, value in expected.items()}
    return {name: pair for name, pair in pairs.items() if pair[0] is None or abs(pair[0] - pair[1]) > 1e-9}


def perturbed(gold: list[dict[str, Any]], schema: dict[str, Any]) -> Iterator[Perturbed]:
    """The counts follow from the gold alone: what a change takes away, and whether its object still matches."""
    total, n = sum(map(size, gold)), len(gold)
    for i, filled in enumerate(gold):
        for name in [name for name in filled if name != "evidence"]:
            yield from of_field(gold, i, fields_of(schema)[name], keeps_identity(schema, filled, name))
        rest = total - size(filled)
        yield Perturbed("object gone", gold[:i] + gold[i + 1 :], rest, rest, n - 1, n - 1, n - 1)
        yield Perturbed("object twice", [*gold, filled], total, total + size(filled), n, n + 1, n)
        stray = [*gold[:i], {**filled, "colour": "red"}, *gold[i + 1 :]]
        yield Perturbed("stray field", stray, total, total + 1, n - 1, n, n)


def of_field(gold: list[dict[str, Any]], i: int, field: dict[str, Any], identified: bool) -> Iterator[Perturbed]:
    """``identified``: whether another field of the identity is left when this one goes."""
    total, n, filled = sum(map(size, gold)), len(gold), gold[i]
    name, value = field["name"], filled[field["name"]]
    values = value if isinstance(value, list) else [value]

    def put(k: int, said: str) -> list[dict[str, Any]]:
        changed = [*values[:k], said, *values[k + 1 :]]
        return [*gold[:i], {**filled, name: changed if isinstance(value, list) else said}, *gold[i + 1 :]]

    for k, one in enumerate(values):
        matches = identified or len(values) > 1
        right = total - (1 if matches else size(filled))
        yield Perturbed("changed", put(k, another(field, one)), right, total, n - 1, n, n - (not matches))
        for same in respelled(field, one):
            yield Perturbed("respelled", put(k, same), total, total, n, n, n)
    rest = {key: held for key, held in filled.items() if key != name}
    right = total - (len(values) if identified else size(filled))
    dropped = [*gold[:i], rest, *gold[i + 1 :]]
    yield Perturbed("dropped", dropped, right, total - len(values), n - 1, n, n - (not identified))


@pytest.mark.parametrize("position", range(9))
def test_the_score_moves_as_the_definition_says(
    position: int, records: list[dict[str, Any]], scored: Callable[..., Score]
) -> None:
    record = records[position]
    text, gold = record["inputs"]["parameters"]["schema"], record["gold"]
    objects = gold["objects"]
    total, n = sum(map(size, objects)), len(objects)
    count = 0
    for done, answer, right, answered, rows_right, rows, matched in perturbed(objects, tomllib.loads(text)):
        metrics = scored({"objects": answer}, gold, text).metrics
        expected = {
            "entity_precision": right / answered,
            "entity_recall": right / total,
            "entity_f1": 2 * right / (answered + total),
            "row_f1": 2 * rows_right / (rows + n),
            "row_accuracy": rows_right / (rows + n - matched),
            "overall": (2 * right / (answered + total) + 2 * rows_right / (rows + n)) / 2,
        }
        said = f"{record['task_id']}, {done}: {json.dumps(answer, ensure_ascii=False)[:300]}"
        assert far(metrics, expected) == {}, said
        count += 1
    assert count > 45


def test_there_are_enough_cases(records: list[dict[str, Any]]) -> None:
    each = [
        sum(1 for _ in perturbed(r["gold"]["objects"], tomllib.loads(r["inputs"]["parameters"]["schema"])))
        for r in records
    ]
    assert sum(each) >= 400


@pytest.mark.parametrize("compat", ["strict", "reference"])
def test_oracle_gets_full_marks_and_nop_none(
    compat: str, records: list[dict[str, Any]], scored: Callable[..., Score]
) -> None:
    for record in records:
        text, gold = record["inputs"]["parameters"]["schema"], record["gold"]
        full = scored(SCORER.ideal(gold), gold, text, compat=compat).metrics
        assert {full[name] for name in ("overall", "entity_f1", "row_f1", "row_accuracy", "consistency")} == {1.0}
        for nothing in (None, {"objects": []}):
            assert scored(nothing, gold, text, compat=compat).metrics["overall"] == 0


def places(objects: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """Passages by field: no two quotes of the bundled gold stand in one place."""
    return {(piece["field"], piece["quote"]) for filled in objects for piece in filled["evidence"]}


@pytest.mark.parametrize("position", range(0, 9, 2))
def test_evidence_moves_as_the_definition_says(
    position: int,
    records: list[dict[str, Any]],
    bundled: Callable[[str], dict[str, Paper]],
    scored: Callable[..., Score],
) -> None:
    record = records[position]
    text, gold, papers = record["inputs"]["parameters"]["schema"], record["gold"], bundled(record["task_id"])
    objects: list[dict[str, Any]] = gold["objects"]
    pieces, true = sum(len(filled["evidence"]) for filled in objects), places(objects)
    for i, filled in enumerate(objects):
        for k, piece in enumerate(filled["evidence"]):
            dropped = [each for n, each in enumerate(filled["evidence"]) if n != k]
            broken = {**piece, "quote": "words that no paper has"}
            for evidence, lost in ((dropped, 0), ([*dropped, broken], 1)):
                answer = [*objects[:i], {**filled, "evidence": evidence}, *objects[i + 1 :]]
                kept = len(places(answer) & true)
                metrics = scored({"objects": answer}, gold, text, papers=papers).metrics
                total = pieces - 1 + lost
                f1 = 2 * kept / (kept + lost + len(true))
                expected = {
                    "evidence_verified": (pieces - 1) / total,
                    "span_f1": f1,
                    "span_overlap_f1": f1,
                    "overall": 1,
                }
                assert far(metrics, expected) == {}
