"""Whatever passes the model door, it is told once, and its tokens and its cost add up to what the wire says."""

import random
from collections import Counter
from dataclasses import asdict
from math import fsum
from typing import Any

import pytest

from pincite_models.dialects.model import Usage
from pincite_trajectory.atif import Step, Trajectory

CAUSES = [("rate_limited", 429), ("overloaded", 529), ("server_error", 500), ("timeout", None), ("cancelled", None)]
WORDS = [
    "Table 2 gives 92 K for the annealed sample.",
    "I look again.",
    "OK",
    "",
    "The paper was opened and read twice.",
]


class Chance:
    """Plays clients that retry, branch, compact, edit and start sub-agents, all at random."""

    def __init__(self, wire: Any, seed: int) -> None:
        self.wire = wire
        self.random = random.Random(seed)
        self.conversations: list[tuple[dict[str, Any], list[Any]]] = [({}, [wire.user("Find Tc in the paper.")])]
        self.calls = 0

    def play(self, turns: int) -> None:
        for _ in range(turns):
            self.random.choice([self.answer, self.answer, self.answer, self.fault, self.cut, self.start, self.change])()

    def pick(self) -> int:
        return self.random.randrange(len(self.conversations))

    def usage(self) -> Usage:
        cached, written = self.random.randrange(50), self.random.randrange(20)
        out = self.random.randrange(100)
        return Usage(cached + written + self.random.randrange(100), out, cached, written)

    def cost(self) -> float:
        return self.random.random() / 7

    def answer(self) -> None:
        index = self.pick()
        body, said = self.conversations[index]
        uses = []
        for _ in range(self.random.randrange(3)):
            self.calls += 1
            name = self.random.choice(["Bash", "mcp__demo__echo", "Task"])
            uses.append(self.wire.use(f"c{self.calls % 7}-{self.calls}", name, prompt=self.random.choice(WORDS)))
        words = [word for word in [self.random.choice(WORDS)] if word or not uses]
        new = self.wire.ask(said, *words, *uses, body=body, usage=self.usage(), cost=self.cost())
        if self.random.random() < 0.8:
            back = [self.wire.result(use["id"], self.random.choice(WORDS)) for use in uses] or ["Go on."]
            self.conversations[index] = (body, [*new, self.wire.user(*back)])

    def fault(self) -> None:
        body, said = self.conversations[self.pick()]
        cause, status = self.random.choice(CAUSES)
        self.wire.end(self.wire.begin(said, **body), status=status, cause=cause, detail="It broke.", seconds=0.1)

    def cut(self) -> None:
        """Tokens were counted before the answer broke off."""
        body, said = self.conversations[self.pick()]
        fields = {"complete": False, "cause": "cut_stream", "stream": "event: ping\ndata: {}\n\n"}
        seq = self.wire.begin(said, **body)
        self.wire.end(seq, usage=asdict(self.usage()), cost_usd=self.cost(), **fields)

    def start(self) -> None:
        system = self.random.choice(["You help.", self.wire.system])
        tools = self.random.choice([[], None])
        body = {"system": system} | ({} if tools is None else {"tools": tools})
        self.conversations.append((body, [self.wire.user(self.random.choice(WORDS) or "Go.")]))

    def change(self) -> None:
        index = self.pick()
        body, said = self.conversations[index]
        keep = self.random.randrange(len(said)) + 1
        changed = self.random.choice([said[:keep], said[-keep:], [*said[:1], self.wire.user("Summary: " + WORDS[0])]])
        changed = changed if changed[-1]["role"] == "user" else [*changed, self.wire.user("Go on.")]
        self.conversations.append((body, changed)) if self.random.random() < 0.3 else None
        self.conversations[index] = (body, changed)


def everything(trajectory: Trajectory) -> list[Step]:
    return [step for one in [trajectory, *(trajectory.subagent_trajectories or [])] for step in one.steps]


@pytest.mark.parametrize("seed", range(40))
def test_every_call_is_told_once_and_totals_are_the_sum_of_the_wire(wire: Any, seed: int) -> None:
    Chance(wire, seed).play(30)
    asked = [line["seq"] for line in wire.model_lines if line["kind"] == "request"]
    ended = [line for line in wire.model_lines if line["kind"] == "response"]
    usages = [line["usage"] for line in ended if line["usage"] is not None]
    costs = [line["cost_usd"] for line in ended if line["usage"] is not None]
    trajectory = wire.build("Find Tc in the paper.")
    steps = everything(trajectory)

    told = Counter((step.extra or {})["wire"]["seq"] for step in steps if "wire" in (step.extra or {}))
    told += Counter(attempt["seq"] for step in steps for attempt in (step.extra or {}).get("attempts", []))
    assert told == Counter(asked)

    metrics = trajectory.final_metrics
    assert metrics is not None
    totals = (metrics.total_prompt_tokens, metrics.total_completion_tokens, metrics.total_cached_tokens)
    assert totals == tuple(sum(one[f"{name}_tokens"] for one in usages) for name in ("input", "output", "cached"))
    assert (metrics.extra or {})["cache_write_tokens"] == sum(one["cache_write_tokens"] for one in usages)
    assert metrics.total_cost_usd == (fsum(costs) if costs else None)

    each = [step.metrics for step in steps if step.metrics is not None]
    assert sum(one.prompt_tokens or 0 for one in each) == metrics.total_prompt_tokens
    assert sum(one.completion_tokens or 0 for one in each) == metrics.total_completion_tokens
    assert sum(one.cached_tokens or 0 for one in each) == metrics.total_cached_tokens
    assert fsum(one.cost_usd or 0 for one in each) == pytest.approx(metrics.total_cost_usd or 0, abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_a_record_cut_anywhere_still_gives_a_valid_trajectory(wire: Any, seed: int) -> None:
    """A killed trial leaves requests without their ends."""
    Chance(wire, seed).play(20)
    del wire.model_lines[random.Random(seed).randrange(2, len(wire.model_lines)) :]
    assert wire.build("Find Tc in the paper.").steps
