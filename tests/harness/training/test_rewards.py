"""Each reward on cases counted by hand."""

from math import sqrt

import pytest

from pincite_harness.training.adapters import compute_score, reward_of, trl_reward
from pincite_harness.training.rewards import (
    WEIGHTS,
    advantages,
    choice_reward,
    combined,
    flag_reward,
    format_reward,
    group_loss,
    length_reward,
    letters,
    meaning_reward,
    number_reward,
    tool_reward,
    word_f1,
)

SCHEMA = {
    "type": "object",
    "properties": {
        "paper": {"type": "string"},
        "page": {"type": "integer"},
        "query": {"type": "string"},
        "k": {"type": "integer", "minimum": 1},
        "mode": {"enum": ["exact", "near by"]},
        "whole": {"type": "boolean"},
    },
    "required": ["paper"],
    "additionalProperties": False,
}


def test_format() -> None:
    tags, rows = ("thought", "answer"), [
        ("<thought>a</thought> <answer>b</answer>", 1),
        ("<answer>b</answer>\n<thought>a</thought>", 1),
        ("Well: <thought>a</thought><answer>b</answer>", 0),
        ("<thought>a</thought><answer> </answer>", 0),
        ("<thought>a</thought>", 0),
        ("<thought>a</thought><answer>b</answer><answer>c</answer>", 0),
        ("", 0),
    ]  # fmt: skip
    assert [format_reward(text, tags=tags) for text, _ in rows] == [true for _, true in rows]
    texts = ['{"paper": "a.pdf"}', '{"page": 3}', '{"paper": 1}', '{"paper": "a"} and more', "[" * 100_000]
    assert [format_reward(text, schema=SCHEMA) for text in texts] == [1, 0, 0, 0, 0]
    with pytest.raises(ValueError, match="either tags or a schema"):
        format_reward("x")


def test_choices() -> None:
    rows = [
        ("A", "A", 1), ("AB", "BA", 1), ("A", "B", 0), ("", "A", 0), ("AB", "A", 2 / 3), ("A", "ABC", 1 / 2),
        ("ABC", "BCD", 2 / 3), ("", "", 1),
    ]  # fmt: skip
    assert [choice_reward(mine, true) for mine, true, _ in rows] == pytest.approx([share for *_, share in rows])
    assert letters("B, D and the plan (A); not I.e. or CD") == {"A", "B", "D", "I"}


def call(**arguments: object) -> dict[str, object]:
    return {"tool": "search", "arguments": arguments}


def test_tool_calls() -> None:
    gold = call(paper="a.pdf", query="critical temperature of FeSe", k=10)
    rows = [
        (gold, gold, 1),
        ({**gold, "tool": "open"}, gold, 0),
        (call(paper="b.pdf", query="critical temperature of FeSe", k=10), gold, 2 / 3),
        (call(paper="a.pdf", query="critical temperature", k=10), gold, (1 + 2 / 3 + 1) / 3),
        (call(paper="a.pdf", query="critical temperature of FeSe", k=5), gold, (1 + 1 + 0.5) / 3),
        (call(paper="a.pdf", query="critical temperature of FeSe"), gold, 2 / 3),
        (call(paper="a.pdf", k=0), gold, 0),
        (call(query="critical temperature of FeSe"), gold, 0),
        (call(paper="a.pdf", page=5), call(paper="a.pdf", page=4), 1 / 2),
        (call(paper="a.pdf", mode="exact"), call(paper="a.pdf", mode="near by"), 1 / 2),
        (call(paper="a.pdf", whole=True), call(paper="a.pdf", whole=True), 1),
        (call(paper="a.pdf", query="other words"), call(paper="a.pdf"), 1),
        ({"tool": "search"}, {"tool": "search", "arguments": {}}, 0),
    ]
    assert [tool_reward(mine, true, SCHEMA) for mine, true, _ in rows] == pytest.approx([share for *_, share in rows])
    assert tool_reward({"tool": "list"}, {"tool": "list", "arguments": {}}) == 1
    assert word_f1("The gap, the gap", "the gap is wide") == pytest.approx(2 * (2 / 4) * (2 / 4) / (2 / 4 + 2 / 4))


def test_lengths_and_meanings() -> None:
    gold = " ".join(["word"] * 10)
    counts = {4: 0, 5: 1, 15: 1, 16: 0}
    assert {count: length_reward("w " * count, gold) for count in counts} == counts
    vectors = {"a": [1.0, 0.0], "b": [0.0, 2.0], "c": [1.0, 1.0], "n": [-1.0, 0.0]}

    def embed(text: str) -> list[list[float]]:
        return [vectors[token] for token in text.split()]

    half = 1 / sqrt(2)
    assert meaning_reward("a b", "b a", embed) == pytest.approx(1)
    assert meaning_reward("a", "c", embed) == pytest.approx(half)
    precision, recall = (1 + half) / 2, 1.0
    assert meaning_reward("a c", "a", embed) == pytest.approx(2 * precision * recall / (precision + recall))
    assert meaning_reward("n", "a", embed) == 0
    assert meaning_reward("", "a", embed) == 0


def test_numbers_and_flags() -> None:
    quote = "a gap of 1.2 × 10^−3 eV at 4.2 K (93 % of 1,250 films)"
    values = {0.0012: 1, 4.2: 1, 1250.0: 1, 1.2: 0, 42.0: 0}
    assert {value: number_reward(value, quote) for value in values} == values
    assert [flag_reward(a, b) for a in (True, False) for b in (True, False)] == [1, 0, 0, 1]


def test_sums_and_advantages() -> None:
    assert all(sum(weights.values()) == pytest.approx(1) for weights in WEIGHTS.values())
    assert combined({"format": 1, "length": 0, "meaning": 0.5}, WEIGHTS["solver"]) == pytest.approx(0.5)
    with pytest.raises(ValueError, match=r"sum up to 0\.9"):
        combined({"a": 1}, {"a": 0.9})
    with pytest.raises(ValueError, match="no reward called choice"):
        combined({"format": 1}, WEIGHTS["planner"])
    assert advantages([1, 0, 1, 0]) == pytest.approx([1, -1, 1, -1], rel=1e-5)
    assert advantages([0.3, 0.3]) == [0, 0]
    assert advantages([]) == []
    assert group_loss([1, 0], [-0.5, -2.0]) == pytest.approx(-(1 * -0.5 + -1 * -2.0) / 2, rel=1e-5)


def test_as_training_libraries_call_them() -> None:
    choice = {"choice": ["A", "C"]}
    assert trl_reward(["A, C", [{"role": "assistant", "content": "A"}]], truth=[choice, choice]) == [1, 2 / 3]
    wanted = {"call": {"tool": "search", "arguments": {"paper": "a.pdf"}}, "schema": SCHEMA}
    said = {"id": "1", "type": "function", "function": {"name": "search", "arguments": '{"paper": "a.pdf"}'}}
    assert trl_reward([[{"role": "assistant", "content": "", "tool_calls": [said]}]], truth=[wanted]) == [1]
    assert reward_of('I call {"tool": "search", "arguments": {"paper": "b.pdf"}}', wanted) == 0
    assert reward_of("no call", wanted) == 0
    assert compute_score("pincite/x", "two words", '{"answer": "two other words"}') == 1
    with pytest.raises(ValueError, match="nothing that a reward"):
        reward_of("x", {})
