"""Whatever goes wrong at one role, the others go on, what happened is noted, and a valid answer is left."""

from typing import Any

import pytest

from pincite_doors.testing import call, fail, garble, hang, refuse, say

ASKED = "Which nutrient was held at one concentration in all tanks, so that it never limited growth?"
FAULTS: dict[str, tuple[list[Any], str]] = {
    "broken JSON": ([say('{"chosen": [{"id"')] * 30, "fault"),
    "a refusal": ([refuse("No.")], "refused"),
    "429 to the end": ([[fail(429, times=None), say("never")]], "outage"),
    "silence": ([[hang(times=None), say("never")]], "silence"),
}
LEFT = {
    "gate": "phosphate",
    "orchestrator": "phosphate",
    "selector": "phosphate",
    "reranker": "phosphate",
    "inspector": "phosphate",
    "synthesis": None,
}
"""The answer that is left where a role gives nothing."""


def cast(stage: Any) -> dict[str, Any]:
    """A cast in which every role is asked; the orchestrator ends on its own where it can."""
    kept: list[str] = []

    def look(found: Any) -> Any:
        kept.append(found["passages"][0]["locator"])
        return stage.inspect()

    sure = call("answer", action="answer", answer="6 to 12", evidence="view 1", confidence=0.9, reason="read")
    find = call("literature.search_papers", query="herring larvae fjord")
    return {
        "gate": stage.allow,
        "selector": stage.choose,
        "reranker": stage.scores(figure=8),
        "orchestrator": stage.steps(find, stage.search(ASKED), look, stage.always(stage.end(chunks=kept))),
        "inspector": stage.always(sure),
        "synthesis": stage.always(stage.quoting("phosphate", "Phosphate was held at 2 μmol/L.", stage.held)),
    }


@pytest.fixture
def impatient(program: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Gives up one role at once when it is silent, and no other."""

    def give_up(silent: str) -> None:
        asking = program("literature.asking").Asking

        def seconds(_: Any, role: str) -> float | None:
            return 0.3 if role == silent else None

        monkeypatch.setattr(asking, "_seconds", seconds)

    return give_up


def test_what_lasts_costs_the_role_and_not_the_answer(play: Any, stage: Any, impatient: Any) -> None:
    wrong: list[str] = []
    for role, left in LEFT.items():
        for name, (script, cause) in FAULTS.items():
            impatient(role if cause == "silence" else "")
            ran = play(cast(stage) | {role: script}, kept="20")
            lost = [(event["role"], event["cause"]) for event in ran.of("LeftOut")]
            expected = left
            if role == "orchestrator":
                expected = None  # nothing was searched, so that nothing answers
            code = int(cause == "outage")
            if (ran.code, ran.answer["answer"], lost[:1]) != (code, expected, [(role, cause)]):
                wrong.append(f"{role}, {name}: {ran.code} {ran.answer} {lost} {ran.complained}")
            if code and f"literature: Outage: {role}" not in ran.complained:
                wrong.append(f"{role}, {name}: {ran.complained}")
            if set(ran.answer) - {"answer", "sources", "reasoning"}:
                wrong.append(f"{role}, {name}: {ran.answer}")
    assert not wrong, "\n".join(wrong)


def test_what_passes_costs_nothing(play: Any, stage: Any) -> None:
    plain = play(cast(stage))
    for fault in (fail(429), garble()):
        players = cast(stage)
        first = stage.quoting("phosphate", "Phosphate was held at 2 μmol/L.", stage.held)
        ran = play(players | {"synthesis": [[fault, first]]})
        assert (ran.code, ran.answer, ran.kinds) == (0, plain.answer, plain.kinds)


def test_a_budget_that_runs_out_leaves_an_answer_and_no_failure(play: Any, stage: Any) -> None:
    def search_on(request: Any) -> Any:
        over = "The budget is used up" in "".join(request.results)
        return stage.end(chunks=[]) if over or len(request.tools) == 1 else stage.search(ASKED)

    answers = {"1": None, "4": None, "20": "phosphate"}
    for calls, answer in answers.items():
        ran = play(cast(stage) | {"orchestrator": search_on}, calls=calls)
        assert (ran.code, ran.answer["answer"]) == (0, answer), (calls, ran.answer, ran.complained)
        assert len(ran.requests) <= int(calls)
