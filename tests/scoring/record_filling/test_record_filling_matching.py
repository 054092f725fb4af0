"""Matching against every possible one: the best total of right rows, then right values, then fewest wrong ones."""

import random
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest

from pincite_scoring import Score
from pincite_scoring.record_filling.matching import match_objects
from pincite_scoring.record_filling.objects import Problem, read_objects
from pincite_scoring.record_filling.schema import read_schema

PLAIN = """
name = "things"
object = "A thing."
identity = IDENTITY
[[fields]]
name = "a"
definition = "A."
[[fields]]
name = "b"
definition = "B."
[[fields]]
name = "c"
definition = "C."
many = true
"""

Thing = dict[str, Any]
Total = tuple[int, int, int]


def draw(chance: random.Random, most: int) -> list[Thing]:
    """Objects of few values, so that many pairs tie."""
    things: list[Thing] = []
    for _ in range(chance.randint(1, most)):
        thing: Thing = {name: chance.choice("xy") for name in "ab" if chance.random() < 0.8}
        if chance.random() < 0.6:
            thing["c"] = sorted(chance.sample("xyz", chance.randint(1, 3)))
        things.append(thing or {"a": "x"})
    return things


def size(thing: Thing) -> int:
    return sum(len(value) for value in thing.values())


def common(answer: Thing, gold: Thing, identity: list[str]) -> int:
    """Right values of a pair, by sets; 0 where no field of the identity agrees."""
    shared = {name: len(set(answer.get(name, "")) & set(gold.get(name, ""))) for name in "abc"}
    return sum(shared.values()) if not identity or any(shared[name] for name in identity) else 0


def best(answers: list[Thing], golds: list[Thing], identity: list[str]) -> Total:
    """The best total over all one-to-one pairings."""
    slots: list[int | None] = [*range(len(golds)), *([None] * len(answers))]
    totals: set[Total] = set()
    for chosen in set(permutations(slots, len(answers))):
        rows = values = wrong = 0
        for answer, j in zip(answers, chosen, strict=True):
            right = common(answer, golds[j], identity) if j is not None else 0
            if j is not None and right:
                values += right
                wrong += size(answer) - right
                rows += right == size(answer) == size(golds[j])
        totals.add((rows, values, -wrong))
    return max(totals)


@pytest.mark.parametrize("identity", [[], ["a"], ["a", "b"]])
def test_the_total_is_the_best_there_is(identity: list[str]) -> None:
    schema = read_schema(PLAIN.replace("IDENTITY", str(identity)))
    chance = random.Random(7)
    for _ in range(120):
        answers, golds = draw(chance, 4), draw(chance, 3)
        read = [read_objects({"objects": things}, schema) for things in (answers, golds)]
        mine, true = (objects for objects in read if not isinstance(objects, Problem))
        matches = match_objects(mine, true, schema)
        assert len({match.answer for match in matches}) == len({match.gold for match in matches}) == len(matches)
        pairs = [(answers[m.answer], golds[m.gold], sum(map(len, m.right.values()))) for m in matches]
        rows = sum(right == size(answer) == size(gold) for answer, gold, right in pairs)
        wrong = sum(size(answer) - right for answer, _, right in pairs)
        values = sum(right for _, _, right in pairs)
        assert (rows, values, -wrong) == best(answers, golds, identity), (answers, golds)


def test_the_order_of_objects_and_fields_does_not_change_the_score(scored: Callable[..., Score]) -> None:
    text = PLAIN.replace("IDENTITY", '["a"]')
    chance = random.Random(11)
    for _ in range(60):
        answers, golds = draw(chance, 5), draw(chance, 4)
        turned = [dict(reversed(thing.items())) for thing in reversed(answers)]
        first = scored({"objects": answers}, {"objects": golds}, text).metrics
        second = scored({"objects": turned}, {"objects": list(reversed(golds))}, text).metrics
        assert first == pytest.approx(second)
