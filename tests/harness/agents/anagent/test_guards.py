"""The guards: what is a leak or a repetition, and how a role is asked again."""

from typing import Any

import pytest

from pincite_doors.testing import call

LEAK = (
    "Table 1 shows that top-2 routing keeps 78.1 % accuracy against 78.4 % of the dense baseline at 22 ms, that four "
    "experts gain only half a point, and that the balance loss lifts the accuracy further without any cost, so that "
    "the best variant stands well above the dense model while its latency stays low, which makes memory the only "
    "thing that does not decide between all of these variants in the end, as one may see at once."
)
WORDS = "the accuracy of the routed variants grows with training. "
REPETITION = WORDS * 4


@pytest.mark.parametrize(
    ("text", "leaks"),
    [
        (LEAK, True),
        ("* " + LEAK, False),
        (LEAK + "\n\n" + LEAK, False),
        (LEAK.replace("78.1", "one").replace("22", "two"), False),
        ("Compare 78.4, 78.1 and 22.", False),
        (" ".join(["word"] * 80), False),
    ],
)
def test_what_is_a_leak(program: Any, text: str, leaks: bool) -> None:
    guards = program("anagent.guards")
    assert guards.leaks(text, guards.numbers_of(["78.4,41\n78.1,22"])) is leaks


def test_what_is_a_repetition(program: Any) -> None:
    guards = program("anagent.guards")
    assert guards.repeats(REPETITION)
    assert not guards.repeats(WORDS * 3), "three times may be"
    assert not guards.repeats(" ".join(f"w{number}" for number in range(500)))
    assert not guards.repeats("short")


def test_a_leak_is_asked_for_again_once(play: Any, stage: Any) -> None:
    plan, leaked = call("answer", plan=stage.plan), call("answer", plan=LEAK)
    ran = play(stage.cast() | {"planner": [leaked, plan]})
    assert "author's work" in ran.requests["planner"][1].last
    assert ran.of("Planned")[0]["plan"] == stage.plan
    assert [(event["role"], event["guard"], event["mended"]) for event in ran.of("Guarded")] == [
        ("planner", "leak", True)
    ]
    assert ran.of("Answered")[0]["leaks"] == 1
    ran = play(stage.cast() | {"planner": [leaked, leaked]})
    assert (ran.of("Guarded")[0]["mended"], ran.of("Planned")[0]["plan"]) == (False, LEAK)
    ran = play(stage.cast() | {"expert": [call("answer", summary=LEAK), call("answer", summary=stage.summary)]})
    assert [event["role"] for event in ran.of("Guarded")] == ["expert"]
    assert ran.of("Summarised")[0]["summary"] == stage.summary
    ran = play(stage.cast() | {"planner": [leaked]}, guards="off")
    assert not ran.of("Guarded") and ran.of("Planned")[0]["plan"] == LEAK


def test_a_repetition_is_asked_for_again_once(play: Any, stage: Any) -> None:
    again = [call("answer", answer=REPETITION), call("answer", answer="Better."), call("answer", answer="Second.")]
    ran = play(stage.cast() | {"solver": again})
    assert (ran.answer, ran.of("Answered")[0]["repeats"]) == ("Second.", 1)
    assert [event["answer"] for event in ran.of("Drafted")] == ["Better.", "Second."]
    lasting = [call("answer", answer=REPETITION)] * 2
    ran = play({"solver": lasting}, variant="baseline")
    assert (ran.code, ran.answer, ran.of("Guarded")[0]["mended"]) == (0, REPETITION, False)
    assert play({"solver": lasting[:1]}, variant="baseline", guards="off").answer == REPETITION
