"""Requests with labels: each role and id becomes one sub-agent's trajectory, named by the step that delegated to it."""

import io
from typing import Any

import pytest
from rich.console import Console

from pincite_trajectory.atif import Step, Trajectory
from pincite_trajectory.show import show_trajectory


def label(role: str, who: str, step: str = "", parent: str = "main") -> dict[str, str]:
    return {"role": role, "id": who, "step": step, "parent": parent}


def referred(steps: list[Step]) -> dict[str | None, int]:
    """The trajectories that steps refer to, with the number of the step."""
    found: dict[str | None, int] = {}
    for step in steps:
        for result in step.observation.results if step.observation is not None else []:
            for reference in result.subagent_trajectory_ref or []:
                assert reference.trajectory_id not in found, "each is referred to once"
                found[reference.trajectory_id] = step.step_id
    return found


def embedded(trajectory: Trajectory) -> dict[str, Trajectory]:
    return {str(one.trajectory_id): one for one in trajectory.subagent_trajectories or []}


def messages(trajectory: Trajectory) -> list[Any]:
    return [step.message for step in trajectory.steps]


def test_equal_prompts_of_roles_are_not_each_others_retries(wire: Any) -> None:
    prompt = [wire.user("Read the page.")]
    wire.serve("echo", {"text": "page 1"}, "page 1")
    for number in (1, 2, 3):
        wire.ask(prompt, f"Page {number} says 92 K.", body={"label": label("reader", f"p{number}", "read")})
    wire.ask(prompt, "It is 92 K.", body={"label": label("editor", "editor")})
    trajectory = wire.build()
    readers = [f"trial:reader/p{number}" for number in (1, 2, 3)]
    assert list(embedded(trajectory)) == [*readers, "trial:editor/editor"]
    first = embedded(trajectory)["trial:reader/p1"]
    assert first.agent.name == "agent/reader"
    assert first.extra == {"role": "reader", "id": "p1", "parent": "main"}
    assert messages(first) == ["You are an agent.", "Read the page.", "Page 1 says 92 K."]
    assert (first.steps[-1].extra or {})["label"]["step"] == "read"
    prompt_step, called, reading, editing, answer = trajectory.steps
    assert prompt_step.message.startswith("Find the critical")
    assert called.tool_calls is not None
    assert (reading.llm_call_count, editing.llm_call_count, answer.llm_call_count) == (0, 0, 0)
    assert (reading.extra or {})["delegates"] == {"role": "reader", "step": "read"}
    assert referred(trajectory.steps) == dict.fromkeys(readers, 3) | {"trial:editor/editor": 4}
    assert trajectory.agent.model_name == "claude-x"
    metrics = trajectory.final_metrics
    assert metrics is not None
    assert (metrics.total_prompt_tokens, metrics.total_cost_usd) == (40, 1.0)


def test_a_repair_joins_the_trajectory_of_its_role(wire: Any) -> None:
    mine = {"label": label("editor", "editor")}
    said = wire.ask([wire.user("In a sentence.")], wire.use("c1", "answer", wrong=1), body=mine)
    wire.ask([*said, wire.user(wire.result("c1", "That does not fit.", is_error=True))], "<s>Good.</s>", body=mine)
    [editor] = embedded(wire.build()).values()
    assert [step.source for step in editor.steps] == ["system", "user", "agent", "agent"]
    observation = editor.steps[2].observation
    assert observation is not None
    assert observation.results[0].content == "That does not fit."
    assert editor.final_metrics is not None
    assert (editor.final_metrics.extra or {})["model_calls"] == 2


def test_what_a_role_is_asked_anew_is_told_question_by_question(wire: Any) -> None:
    """Its second question quotes its first answer, which is a debate and no compaction of the context."""
    quoted = "The sample that was annealed in oxygen has a critical temperature of 92 K, by Table 2."
    wire.ask([wire.user("Give the value.")], quoted, body={"label": label("page", "p1", "round/1")})
    other = {"label": label("page", "p2", "round/1")}
    wire.ask([wire.user("Give the value.")], "Nothing.", body=other)
    asked = [wire.user("Give the value.", f"You said: {quoted} The others say nothing. Do you stand by it?")]
    wire.ask(asked, "I do.", body={"label": label("page", "p1", "round/2")})
    trajectory = wire.build()
    assert list(embedded(trajectory)) == ["trial:page/p1", "trial:page/p2"]
    first, second = embedded(trajectory).values()
    assert [step.source for step in first.steps] == ["system", "user", "agent", "user", "agent"]
    assert "Give the value." in str(first.steps[3].message), "the whole of what it was asked"
    assert not any("context_management" in (step.extra or {}) for step in first.steps)
    assert messages(second)[-1] == "Nothing."


def test_failed_requests_are_attempts_and_samples_are_not(wire: Any) -> None:
    mine = label("judge", "a", "vote")
    prompt = [wire.user("Vote.")]
    wire.fail(prompt, "rate_limited", 429, label=mine)
    wire.ask(prompt, "Yes.", body={"label": mine})
    wire.ask(prompt, "No.", body={"label": mine})
    [judge] = embedded(wire.build()).values()
    assert messages(judge) == ["You are an agent.", "Vote.", "Yes.", "Vote.", "No."]
    assert [attempt["cause"] for attempt in (judge.steps[2].extra or {})["attempts"]] == ["rate_limited"]


@pytest.mark.parametrize("parent", ["planner/plan", "plan", "planner"])
def test_a_role_that_another_one_started_is_named_by_its_last_answer(wire: Any, parent: str) -> None:
    plan = {"label": label("planner", "plan", "1")}
    said = wire.ask([wire.user("Plan.")], "First the pages.", body=plan)
    wire.ask([wire.user("Read.")], "92 K.", body={"label": label("reader", "p1", "read", parent)})
    said = wire.ask([*said, wire.user("And then?")], "Then the tables.", body=plan)
    wire.ask([wire.user("Read.")], "No table.", body={"label": label("reader", "t1", "read", parent)})
    wire.ask([wire.user("Read.")], "?", body={"label": label("reader", "x", "read", "nobody")})
    trajectory = wire.build()
    planner = embedded(trajectory)["trial:planner/plan"]
    assert referred(planner.steps) == {"trial:reader/p1": 3, "trial:reader/t1": 5}
    assert set(referred(trajectory.steps)) == {"trial:planner/plan", "trial:reader/x"}


def test_a_main_conversation_without_labels_keeps_its_steps(wire: Any) -> None:
    said = wire.ask([wire.user("Find Tc.")], wire.use("c1", "Bash", command="crew"))
    wire.ask([wire.user("Read.")], "92 K.", body={"label": label("reader", "p1")})
    wire.ask([*said, wire.user(wire.result("c1", "done"))], "It is 92 K.")
    trajectory = wire.build(prompt="Find Tc.")
    assert messages(trajectory)[:2] == ["You are an agent.", "Find Tc."]
    assert messages(trajectory)[3] == "It is 92 K."
    assert referred(trajectory.steps) == {"trial:reader/p1": 3}


def test_show_names_roles_and_what_they_took(wire: Any) -> None:
    for role in ("reader", "editor", "[bold]"):
        wire.ask([wire.user("Go.")], "Done.", body={"label": label(role, "a", "read/κ")})
    wire.ask([wire.user("Find Tc.")], "Done.", cost=None)
    screen = Console(file=io.StringIO(), width=200)
    show_trajectory(wire.build(prompt="Find Tc."), screen)
    shown = screen.file.getvalue()  # type: ignore[attr-defined]
    for words in (
        "reader · trial:reader/a · agent/reader",
        "[sub-agent trial:editor/a] editor/a",
        "· read/κ · 10 in",
        "[bold] · trial:[bold]/a",
        "reader: 1 call of a model; 10 tokens in (4 cached), 2 out; 0.2500 US dollars",
        "no role: 1 call of a model; 10 tokens in (4 cached), 2 out; cost not known",
    ):
        assert words in shown


def test_names_that_read_alike_stay_apart_and_odd_labels_lose_no_call(wire: Any) -> None:
    for role, who in (("a/b", "c"), ("a", "b/c"), ("a", "")):
        wire.ask([wire.user("Go.")], "Done.", body={"label": label(role, who)})
    for odd in ("x", {"role": "\u202e"}, {"role": 3}, {"role": ""}, ["a"], None):
        wire.begin([wire.user("Go.")])
        wire.model_lines[-1]["label"] = odd
        wire.answer(wire.seq, "Done.")
    trajectory = wire.build()
    names = {name for name in embedded(trajectory) if "/" in name or name == "trial:a"}
    assert names == {"trial:a/b/c", "trial:a/b/c~2", "trial:a"}
    assert trajectory.final_metrics is not None
    assert (trajectory.final_metrics.extra or {})["model_calls"] == 9
