"""Hand-computed scores: the arithmetic of each stands beside it, in the terms of the package's table."""

from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest

from pincite_scoring import Score
from pincite_scoring.scorer import micro_metrics

Change = Callable[[list[Any]], Any]


def half(entity: Fraction, row: Fraction) -> Fraction:
    return (entity + row) / 2


def put(index: int, name: str, value: Any) -> Change:
    return lambda objects: objects[index].__setitem__(name, value)


def drop(index: int, name: str) -> Change:
    return lambda objects: objects[index].pop(name)


# (what is changed in the gold, right values, answered values, right rows, answered rows, matched objects);
# the gold has 8 values and 2 rows.
CASES: dict[str, tuple[Change, int, int, int, int, int]] = {
    "nothing": (lambda objects: None, 8, 8, 2, 2, 2),
    "other order": (lambda objects: objects.reverse(), 8, 8, 2, 2, 2),
    "second missing": (lambda objects: objects.pop(1), 5, 5, 1, 1, 1),
    "first missing": (lambda objects: objects.pop(0), 3, 3, 1, 1, 1),
    "wrong dose": (put(0, "dose", "60 µg"), 7, 8, 1, 2, 2),
    "dose left out": (drop(0, "dose"), 7, 7, 1, 2, 2),
    "dose null": (put(0, "dose", None), 7, 7, 1, 2, 2),
    "dose a placeholder": (put(0, "dose", "Not reported"), 7, 7, 1, 2, 2),
    "dose in another unit": (put(0, "dose", "0.05 mg"), 8, 8, 2, 2, 2),
    "dose as a bare number": (put(0, "dose", 50), 8, 8, 2, 2, 2),
    "dose at the tolerance": (put(0, "dose", "50.05 µg"), 8, 8, 2, 2, 2),  # |50.05 - 50| / 50 = 0.001
    "dose beyond the tolerance": (put(0, "dose", "50.06 µg"), 7, 8, 1, 2, 2),  # 0.0012 > 0.001
    "dose of the other sign": (put(0, "dose", "-50 µg"), 7, 8, 1, 2, 2),
    "dose in no unit of mass": (put(0, "dose", "50 µL"), 7, 8, 1, 2, 2),
    "two doses": (put(0, "dose", ["50 µg", "60 µg"]), 8, 9, 1, 2, 2),
    "dose as an object": (put(0, "dose", {"value": 50}), 7, 8, 1, 2, 2),
    "host by a synonym": (put(0, "host", "Mice"), 8, 8, 2, 2, 2),
    "host no label": (put(0, "host", "hamster"), 7, 8, 1, 2, 2),
    "one route of two": (put(0, "routes", ["s.c."]), 7, 7, 1, 2, 2),
    "one route as a text": (put(0, "routes", "i.m."), 7, 7, 1, 2, 2),
    "three routes": (put(0, "routes", ["s.c.", "i.m.", "oral"]), 8, 9, 1, 2, 2),
    "routes in other order and twice": (put(0, "routes", ["i.m.", "s.c.", "S.C."]), 8, 8, 2, 2, 2),
    "routes where there are none": (put(1, "routes", ["oral"]), 8, 9, 1, 2, 2),
    "name in another spelling": (put(0, "name", "a-1."), 8, 8, 2, 2, 2),
    "name by a synonym": (put(0, "name", "First sample"), 8, 8, 2, 2, 2),
    "another name": (put(0, "name", "A11"), 3, 8, 1, 2, 1),
    "no name": (drop(0, "name"), 3, 7, 1, 2, 1),
    "names exchanged": (lambda objects: [objects[0].update(name="B2"), objects[1].update(name="A1")], 2, 8, 0, 2, 2),
    "first twice": (lambda objects: objects.append(deepcopy(objects[0])), 8, 13, 2, 3, 2),
    "a third object": (lambda objects: objects.append({"name": "C3", "dose": 1}), 8, 10, 2, 3, 2),
    "a field that is none": (put(0, "colour", "red"), 8, 9, 1, 2, 2),
    "an entry that is none": (lambda objects: objects.append("C3"), 8, 8, 2, 3, 2),
    "an empty object": (lambda objects: objects.append({}), 8, 8, 2, 3, 2),
    "empty": (lambda objects: objects.clear(), 0, 0, 0, 0, 0),
}


@pytest.mark.parametrize("name", CASES)
def test_strict_by_hand(name: str, gold: dict[str, Any], scored: Callable[..., Score]) -> None:
    change, right, answered, rows_right, rows, matched = CASES[name]
    answer = deepcopy(gold)
    change(answer["objects"])
    metrics = scored(answer, gold).metrics
    precision = Fraction(right, answered) if answered else Fraction(0)
    entity = Fraction(2 * right, answered + 8)  # 2 TP / (answered + gold)
    row = Fraction(2 * rows_right, rows + 2)
    expected = {
        "entity_precision": precision,
        "entity_recall": Fraction(right, 8),
        "entity_f1": entity,
        "row_precision": Fraction(rows_right, rows) if rows else Fraction(0),
        "row_recall": Fraction(rows_right, 2),
        "row_f1": row,
        "row_accuracy": Fraction(rows_right, rows + 2 - matched),  # pairs once, what is left over on either side
        "overall": half(entity, row),
        "n_values_right": Fraction(right),
        "n_values_answer": Fraction(answered),
        "n_values_gold": Fraction(8),
        "n_rows_right": Fraction(rows_right),
    }
    assert {key: metrics[key] for key in expected} == pytest.approx({k: float(v) for k, v in expected.items()})


def test_no_answer_is_the_worst_also_where_there_is_nothing_to_find(scored: Callable[..., Score], gold: Any) -> None:
    empty: dict[str, Any] = {"objects": []}
    assert scored(None, gold).metrics["overall"] == 0
    assert scored(None, empty).metrics["overall"] == 0
    assert scored(empty, empty).metrics["overall"] == 1
    assert scored(gold, empty).metrics["overall"] == 0


def test_pooled_counts_values_wherever_they_stand(scored: Callable[..., Score], gold: Any) -> None:
    answer = deepcopy(gold)
    answer["objects"][0]["name"], answer["objects"][1]["name"] = "B2", "A1"
    answer["objects"].append({"name": "B2", "dose": "99 µg"})
    # Distinct values of the answer: 8 of the gold and the dose of 99 µg; P = 8/9, R = 8/8.
    assert scored(answer, gold).metrics["pooled_f1"] == pytest.approx(2 * 8 / (9 + 8))


def test_matching_takes_the_best_total_not_the_first(scored: Callable[..., Score]) -> None:
    gold = {"objects": [{"name": "A1", "dose": "1 µg", "host": "rat"}, {"name": "A1", "dose": "2 µg", "host": "rat"}]}
    # The first answer shares 2 values with either gold object, the second 3 with the first: 2 + 3, not 2 + 2.
    answer = {"objects": [{"name": "A1", "dose": "3 µg", "host": "rat"}, {"name": "A1", "dose": "1 µg", "host": "rat"}]}
    score = scored(answer, gold)
    assert score.metrics["entity_f1"] == pytest.approx(5 / 6)
    assert [(row["answer"], row["gold"]) for row in score.records if row["status"] == "wrong"] == [(0, 1)]


def test_a_right_row_goes_before_right_values(scored: Callable[..., Score]) -> None:
    # g1 = {A1, 1, rat}; g2 = {A1, 1, mouse, oral}. a1 = {A1, 1, rat} equals g1; a2 = {A1, 1, mouse} shares 3 with g2.
    first = {"name": "A1", "dose": 1, "host": "rat"}
    gold = {"objects": [first, {"name": "A1", "dose": 1, "host": "mouse", "routes": ["oral"]}]}
    answer = {"objects": [{"name": "A1", "dose": 1, "host": "mouse"}, first]}
    metrics = scored(answer, gold).metrics
    assert metrics["row_f1"] == pytest.approx(1 / 2)
    assert metrics["entity_f1"] == pytest.approx(2 * 6 / (6 + 7))


def test_equal_totals_are_settled_by_order(scored: Callable[..., Score]) -> None:
    gold = {"objects": [{"name": "A1", "dose": 1}, {"name": "A1", "dose": 2}]}
    rows = scored({"objects": [{"name": "A1", "dose": 3}]}, gold).records
    assert [(row["status"], row["answer"], row["gold"]) for row in rows] == [
        ("correct", 0, 0),
        ("wrong", 0, 0),
        ("missed", None, 1),
        ("missed", None, 1),
    ]


REFERENCE: dict[str, tuple[Change, int, int, int, int, int]] = {
    # right and answered distinct values, right and answered rows of the answer, rows of the gold found
    "nothing": (lambda objects: None, 8, 8, 2, 2, 2),
    "case and white space": (put(0, "name", " a1 "), 8, 8, 2, 2, 2),
    "a hyphen is another text": (put(0, "name", "A-1"), 7, 8, 1, 2, 1),
    "another unit is another text": (put(0, "dose", "0.05 mg"), 7, 8, 1, 2, 1),
    "first twice": (lambda objects: objects.append(deepcopy(objects[0])), 8, 8, 3, 3, 2),
    "names exchanged": (lambda objects: [objects[0].update(name="B2"), objects[1].update(name="A1")], 8, 8, 0, 2, 0),
    "second missing": (lambda objects: objects.pop(1), 5, 5, 1, 1, 1),
}


@pytest.mark.parametrize("name", REFERENCE)
def test_reference_by_hand(name: str, gold: dict[str, Any], scored: Callable[..., Score]) -> None:
    change, right, answered, found, rows, covered = REFERENCE[name]
    answer = deepcopy(gold)
    change(answer["objects"])
    metrics = scored(answer, gold, compat="reference").metrics
    entity = 2 * right / (answered + 8)
    precision, recall = found / rows, covered / 2
    row = 2 * precision * recall / (precision + recall) if found else 0.0
    assert metrics["entity_f1"] == pytest.approx(entity)
    assert metrics["row_f1"] == pytest.approx(row)
    assert metrics["row_accuracy"] == pytest.approx(covered / 2)
    assert metrics["overall"] == pytest.approx((entity + row) / 2)
    assert scored(answer, gold).metrics["reference_overall"] == pytest.approx(metrics["overall"])


WORDS = """
name = "pairs"
object = "A pair."
[reference]
words = ["host", "dopant"]
link = ["dopant", "host"]
[[fields]]
name = "host"
definition = "Host."
[[fields]]
name = "dopant"
definition = "Dopant."
"""


@pytest.mark.parametrize(
    ("host", "dopant", "entity", "link"),
    [
        # The gold says "zinc oxide" and "Al": 3 words, links "zinc Al" and "oxide Al".
        ("zinc oxide", "Al", (3, 0), (2, 2)),
        ("zinc oxide film", "Al", (3, 1), (2, 3)),  # one word too many, one link too many
        ("oxide", "Al", (2, 0), (1, 1)),
        ("oxide oxide", "Al", (2, 0), (1, 2)),  # repeats of a right word are not wrong; its links count each
        ("zinc oxide", "al", (2, 1), (0, 2)),  # to the letter
        ("ZnO", "Ga", (0, 2), (0, 1)),
    ],
)
def test_words_as_nerre_counts_them(
    host: str, dopant: str, entity: tuple[int, int], link: tuple[int, int], scored: Callable[..., Score]
) -> None:
    gold = {"objects": [{"host": "zinc oxide", "dopant": "Al"}]}
    metrics = scored({"objects": [{"host": host, "dopant": dopant}]}, gold, WORDS, compat="reference").metrics
    right, false = entity
    missed = 3 - right
    assert metrics["entity_f1"] == pytest.approx(right / (right + 0.5 * (false + missed)))  # as the code has it
    correct, retrieved = link
    precision, recall = correct / retrieved, correct / 2
    assert metrics["link_f1"] == pytest.approx(2 * precision * recall / (precision + recall) if correct else 0.0)


def test_f1_of_each_field_and_their_mean(scored: Callable[..., Score]) -> None:
    gold = {"objects": [{"name": "A1", "dose": 1, "routes": ["oral", "s.c."]}, {"name": "B2", "dose": 2}]}
    answer = {"objects": [{"name": "A1", "dose": 2, "routes": ["oral"], "host": "rat"}, {"name": "B2"}]}
    metrics = scored(answer, gold).metrics
    # names 2 of 2 and 2; doses 0 of 1 and 2; routes 1 of 1 and 2; hosts 0 of 1 and 0; nobody fills the remark
    fields = {"f1_name": 1.0, "f1_dose": 0.0, "f1_routes": 2 * 1 / (1 + 2), "f1_host": 0.0}
    assert {name: metrics[name] for name in fields} == pytest.approx(fields)
    assert metrics["f1_remark"] is None
    assert metrics["macro_f1"] == pytest.approx((1 + 0 + 2 / 3 + 0) / 4)
    # distinct values of the paper: the dose 2 is there, so 1 of 1 and 2
    assert scored(answer, gold, compat="reference").metrics["f1_dose"] == pytest.approx(2 / 3)


def test_nothing_against_nothing_is_perfect_here_and_0_as_published(scored: Callable[..., Score]) -> None:
    empty: dict[str, Any] = {"objects": []}
    assert scored(empty, empty).metrics["overall"] == 1
    assert scored(empty, empty, compat="reference").metrics["overall"] == 0
    words = scored(empty, empty, WORDS, compat="reference").metrics
    assert (words["entity_precision"], words["entity_f1"], words["link_f1"]) == (0, 0, 0)


def test_a_long_text_is_right_where_it_is_the_same(scored: Callable[..., Score]) -> None:
    gold = {"objects": [{"name": "A1", "remark": "It went well. " * 200}]}
    assert scored(gold, gold).metrics["overall"] == 1
    longer = {"objects": [{"name": "A1", "dose": "1" * 5000, "remark": "It went well. " * 201}]}
    assert scored(longer, gold).metrics["entity_f1"] == pytest.approx(2 * 1 / (3 + 2))


def test_a_data_set_is_counted_over_all_papers_together(scored: Callable[..., Score], gold: Any) -> None:
    small: dict[str, Any] = {"objects": [{"name": "C3", "dose": "1 µg", "host": "rat"}]}
    scores = [scored(gold, gold), scored({"objects": [{"name": "C3", "dose": "2 µg"}]}, small), scored(None, small)]
    metrics = micro_metrics("record_filling", [*scores, scored(gold, None), scored([], gold)])
    # Values: 8 + 1 right of 8 + 2 answered and of 8 + 3 + 3 of the gold; rows: 2 of 3 answered and of 2 + 1 + 1.
    expected = {
        "entity_precision": 9 / 10,
        "entity_recall": 9 / 14,
        "entity_f1": 2 * 9 / (10 + 14),
        "row_precision": 2 / 3,
        "row_recall": 2 / 4,
        "row_f1": 2 * 2 / (3 + 4),
        "row_accuracy": 2 / 4,  # two right rows, one pair, one missed
        "overall": (2 * 9 / 24 + 2 * 2 / 7) / 2,
    }
    assert {name: metrics[name] for name in expected} == pytest.approx(expected)
    # doses: 2 of 3 answered and of 4 in the gold are right, hosts: 2 of 2 answered, of 4
    assert (metrics["f1_dose"], metrics["f1_host"]) == pytest.approx((2 * 2 / (3 + 4), 2 * 2 / (2 + 4)))
    assert micro_metrics("record_filling", [scored([], gold)]) == {}
    assert micro_metrics("table_construction", scores) == {}


def test_links_are_counted_over_all_papers_where_they_are_counted(scored: Callable[..., Score]) -> None:
    gold = {"objects": [{"host": "zinc oxide", "dopant": "Al"}]}
    answers = [gold, {"objects": [{"host": "oxide film", "dopant": "Al"}]}]
    scores = [scored(answer, gold, WORDS, compat="reference") for answer in answers]
    metrics = micro_metrics("record_filling", scores)
    # Words: 3 and 2 right of 3 and 3 answered; links: 2 and 1 right of 2 and 2; the gold has 3 words and 2 links each.
    assert (metrics["entity_f1"], metrics["link_f1"]) == pytest.approx((2 * 5 / (6 + 6), 2 * 3 / (4 + 4)))


def test_scores_that_were_made_before_counts_were_kept_have_none_together(
    scored: Callable[..., Score], gold: Any
) -> None:
    score = scored(gold, gold)
    del score.metrics["n_rows"]
    assert micro_metrics("record_filling", [score]) == {}
