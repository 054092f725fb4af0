"""Whatever goes wrong at one role, the others go on, what happened is noted, and an answer is left."""

from typing import Any

import pytest

from pincite_doors.testing import call, cut, fail, garble, hang, refuse, say

BROKEN = say('{"plan": "* Find')
LASTING: dict[str, tuple[list[Any], str]] = {
    "broken JSON": ([BROKEN] * 6, "fault"),
    "arguments that do not fit": ([call("answer", nothing="at all")] * 6, "fault"),
    "a refusal": ([refuse("No.")], "refused"),
    "429 to the end": ([[fail(429, times=None), say("never")]], "outage"),
    "a cut stream to the end": ([[cut(10, times=None), say("never")]], "outage"),
    "silence": ([[hang(times=None), say("never")]], "silence"),
}
PASSING: dict[str, list[Any]] = {
    "429 once": [fail(429)],
    "a cut stream once": [cut(10)],
    "an answer that is no JSON, once": [garble()],
}
ANSWERS = {"planner": "Second.", "expert": "Second.", "critic": "First."}


def spoilt(turn: Any, faults: list[Any]) -> list[Any]:
    return [*faults, turn]


@pytest.fixture
def impatient(program: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Gives up a role's stage at once when it is silent, and no other."""

    def give_up(stages: tuple[str, ...]) -> None:
        seconds = dict.fromkeys(stages, 0.3)
        monkeypatch.setattr(program("anagent.pace").Pace, "seconds", lambda _, stage: seconds.get(stage))

    return give_up


def test_what_lasts_costs_the_role_and_not_the_answer(play: Any, stage: Any, impatient: Any) -> None:
    wrong: list[str] = []
    for role in ("planner", "expert", "solver", "critic"):
        for name, (script, cause) in LASTING.items():
            impatient((role,) if cause == "silence" else ())
            ran = play(stage.cast() | {role: script})
            answer = ANSWERS.get(role, stage.summary)
            lost = [(event["role"], event["cause"]) for event in ran.of("Lost")]
            code = int(cause == "outage")
            if (ran.code, ran.answer, lost[:1]) != (code, answer, [(role, cause)]):
                wrong.append(f"{role}, {name}: {ran.code} {ran.answer} {lost} {ran.complained}")
            if code and "anagent: Outage: " + role not in ran.complained:
                wrong.append(f"{role}, {name}: {ran.complained}")
    assert not wrong, "\n".join(wrong)


def test_what_passes_costs_nothing(play: Any, stage: Any) -> None:
    plain = play(stage.cast())
    wrong: list[str] = []
    for role in ("planner", "expert", "solver", "critic"):
        for name, faults in PASSING.items():
            players = stage.cast()
            players[role][0] = spoilt(players[role][0], faults)
            ran = play(players)
            if (ran.code, ran.answer, ran.kinds) != (0, "Second.", plain.kinds):
                wrong.append(f"{role}, {name}: {ran.code} {ran.answer} {ran.of('Lost')}")
    assert not wrong, "\n".join(wrong)


def test_an_expert_that_fails_late_leaves_what_it_found(play: Any, stage: Any) -> None:
    wordless = [stage.open_paper(), say("done"), say("done"), call("answer", summary="* F")]
    asked = play(stage.cast() | {"expert": wordless}, turns="3")
    assert (asked.of("Summarised")[0]["how"], asked.answer) == ("asked", "Second.")
    assert "Your turns are over" in asked.requests["expert"][-1].last
    left = play(stage.cast() | {"expert": [stage.open_paper(), refuse("No."), refuse("No.")]}, summary_len="120")
    [summary] = left.of("Summarised")
    assert summary["how"] == "cut" and len(summary["summary"]) == 120
    assert summary["summary"].startswith("mcp__documents__open_paper")
    assert summary["summary"] in left.requests["solver"][0].first


def test_a_second_analysis_that_fails_leaves_the_first(play: Any, stage: Any) -> None:
    first = call("answer", answer="First.")
    for script, code in (([first, refuse("No.")], 0), ([first, [fail(500, times=None), say("never")]], 1)):
        ran = play(stage.cast() | {"solver": script})
        assert (ran.code, ran.answer, ran.of("Answered")[0]["number"]) == (code, "First.", 1)


def test_without_anything_there_is_no_answer_and_a_reason(play: Any, stage: Any) -> None:
    ran = play({"solver": [refuse("Never.")]}, variant="baseline")
    assert (ran.code, ran.answer, ran.of("Answered")) == (1, None, [])
    assert "there is no analysis: refused: " in ran.complained
    ran = play({"solver": [BROKEN, BROKEN]}, variant="baseline")
    assert (ran.code, ran.answer) == (1, None), "broken JSON is no prose"


def test_tools_that_fail_are_told_and_noted(play: Any, stage: Any) -> None:
    bad = call("documents.open_paper", paper="none.pdf")
    ran = play(stage.cast() | {"expert": [bad, bad, call("answer", summary=stage.summary)]})
    assert [event["outcome"] for event in ran.of("Learned")] == ["error", "error"], "a failed call may be made again"
    assert "There is no file 'none.pdf'" in ran.requests["expert"][1].results[-1]
    assert (ran.code, ran.answer) == (0, "Second.")


def test_near_a_limit_it_still_answers(play: Any, stage: Any) -> None:
    rows = [
        ({"calls": "2"}, {}, "First.", {"planner": 0, "expert": 0, "solver": 1, "critic": 0}),
        ({"calls": "4"}, {}, "First.", {"planner": 1, "expert": 1, "solver": 1, "critic": 0}),
        ({}, {"tool_calls": 1}, "Second.", {"planner": 1, "expert": 2, "solver": 2, "critic": 1}),
    ]
    wrong: list[str] = []
    for options, limits, answer, asked in rows:
        players = stage.cast()
        if options.get("calls") == "4":
            players["expert"] = [call("answer", summary=stage.summary)]
        if limits:
            players["expert"] = [stage.open_paper(), call("answer", summary=stage.summary)]
        ran = play(players, limits=limits, **options)
        found = {role: len(requests) for role, requests in ran.requests.items()}
        if (ran.code, ran.answer, found) != (0, answer, asked):
            wrong.append(f"{options} {limits}: {ran.code} {ran.answer} {found} {ran.complained} {ran.of('Lost')}")
        if limits and [event["outcome"] for event in ran.of("Learned")] != ["refused"]:
            wrong.append("a tool was called beyond the task's limit")
    assert not wrong, "\n".join(wrong)
