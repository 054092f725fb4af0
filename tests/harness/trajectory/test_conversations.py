"""Interleaved conversations of one trial told apart: sub-agents, side requests, branches, compaction, edits."""

from typing import Any

from pincite_trajectory.atif import Step, Trajectory

TASK = "Look through every table of the paper and report each temperature."
REPORT = "Table 2 gives 92 K for the sample that was annealed in oxygen; nothing else in the tables is a temperature."
SUMMARY = (
    "The user wants the critical temperature.\nThe paper a.pdf was opened; table 2 says 92 K.\nNext: write answer.json."
)


def messages(steps: list[Step]) -> list[Any]:
    return [step.message for step in steps]


def embedded(trajectory: Trajectory) -> list[Trajectory]:
    return trajectory.subagent_trajectories or []


def roles(trajectory: Trajectory) -> list[str]:
    return [(one.extra or {})["role"] for one in embedded(trajectory)]


def ask_as(wire: Any, system: str, tools: tuple[str, ...], messages: list[Any], *parts: Any) -> list[Any]:
    """A request with another instruction and other tools."""
    body = {"system": system, "tools": [{"name": name, "input_schema": {"type": "object"}} for name in tools]}
    return wire.ask(messages, *parts, body=body)


def test_a_sub_agent_hangs_on_the_call_that_started_it(wire: Any) -> None:
    said = wire.ask([wire.user("Find Tc.")], wire.use("t1", "Task", description="tables", prompt=TASK))
    sub = ask_as(wire, "You are a helper.", ("Read",), [wire.user(TASK)], wire.use("r1", "Read", path="a"))
    ask_as(wire, "You are a helper.", ("Read",), [*sub, wire.user(wire.result("r1", "92 K"))], REPORT)
    wire.ask([*said, wire.user(wire.result("t1", REPORT))], "It is 92 K.")
    trajectory = wire.build("Find Tc.")
    (sub_agent,) = embedded(trajectory)
    assert roles(trajectory) == ["subagent"]
    assert messages(sub_agent.steps) == ["You are a helper.", TASK, "", REPORT]
    (result,) = trajectory.steps[2].observation.results  # type: ignore[union-attr]
    assert [reference.trajectory_id for reference in result.subagent_trajectory_ref or []] == [sub_agent.trajectory_id]
    assert result.content == REPORT
    assert messages(trajectory.steps)[3] == "It is 92 K."


def test_two_sub_agents_of_one_step_at_the_same_time(wire: Any) -> None:
    tasks = [f"Read the {name} of the paper and say what it tells of temperatures." for name in ("text", "figures")]
    said = wire.ask([wire.user("Find Tc.")], *(wire.use(f"t{n}", "Task", prompt=task) for n, task in enumerate(tasks)))
    seqs = [wire.begin([wire.user(task)], system="Helper.") for task in tasks]
    first = [[wire.user(task)] for task in tasks]
    answers = [wire.answer(seq, wire.use("same", "Bash", command="ls")) for seq in reversed(seqs)][::-1]
    for number in (1, 0):
        row = [*first[number], answers[number], wire.user(wire.result("same", f"of {number}"))]
        wire.ask(row, f"End {number}.", body={"system": "Helper."})
    back = [wire.result("t1", "End 1."), wire.result("t0", "End 0.")]
    wire.ask([*said, wire.user(*back)], "Both are done.")
    trajectory = wire.build("Find Tc.")
    assert roles(trajectory) == ["subagent", "subagent"]
    assert [messages(one.steps)[1:] for one in embedded(trajectory)] == [
        [tasks[0], "", "End 0."],
        [tasks[1], "", "End 1."],
    ]
    seen = [
        step.observation.results[0].content for one in embedded(trajectory) for step in one.steps if step.observation
    ]
    assert seen == ["of 0", "of 1"]
    references = [result.subagent_trajectory_ref for result in trajectory.steps[2].observation.results]  # type: ignore[union-attr]
    assert [[one.trajectory_id for one in each or []] for each in references] == [
        [one.trajectory_id] for one in embedded(trajectory)
    ]


def test_a_sub_agent_like_its_parent_is_no_compaction(wire: Any) -> None:
    """Codex starts agents with the same instruction, tools and surroundings."""
    around = "You are in /work, it is Saturday."
    said = wire.ask([wire.user(around), wire.user("Find Tc.")], wire.use("t1", "spawn_agent", message=TASK))
    wire.ask([wire.user(around), wire.user(TASK)], REPORT)
    wire.ask([*said, wire.user(wire.result("t1", REPORT))], "It is 92 K.")
    trajectory = wire.build("Find Tc.")
    assert roles(trajectory) == ["subagent"]
    assert messages(trajectory.steps)[-2] == "It is 92 K."


def test_titles_and_topics_are_kept_apart(wire: Any) -> None:
    ask_as(wire, "Make a title.", (), [wire.user("Find Tc.")], '{"title": "Tc"}')
    said = wire.ask([wire.user("Find Tc.")], wire.use("c1", "Bash", command="ls"))
    ask_as(wire, "Is this a new topic?", (), [wire.user("Find Tc.")], '{"isNewTopic": true}')
    wire.ask([*said, wire.user(wire.result("c1", "a.pdf"))], "Done.")
    trajectory = wire.build("Find Tc.")
    assert roles(trajectory) == ["side_request", "side_request"]
    assert messages(trajectory.steps)[1:-1] == ["Find Tc.", "", "Done."]
    assert trajectory.final_metrics is not None
    assert trajectory.final_metrics.total_prompt_tokens == 40


def test_a_request_that_carries_the_conversation_along_is_a_branch(wire: Any) -> None:
    said = wire.ask([wire.user("Find Tc.")], wire.use("c1", "Bash", command="ls"))
    said = [*said, wire.user(wire.result("c1", "a.pdf"))]
    done = wire.ask(said, "Done.")
    ask_as(wire, "You name conversations.", (), [*done, wire.user("Name this.")], "Tc of a.pdf")
    trajectory = wire.build("Find Tc.")
    (branch,) = embedded(trajectory)
    assert branch.extra == {"role": "branch", "context_of": {"trajectory_id": "trial", "step_id": 4}}
    assert messages(branch.steps) == ["You name conversations.", "Name this.", "Tc of a.pdf"]


def test_a_suggestion_that_the_conversation_did_not_take_up(wire: Any) -> None:
    done = wire.ask([wire.user("Find Tc.")], "Done.")
    wire.ask([*done, wire.user("[suggest what the user may say next]")], "write it down")
    said = wire.ask([*done, wire.user("Now write it down.")], wire.use("c1", "Bash", command="ls"))
    wire.ask([*said, wire.user(wire.result("c1", "ok"))], "Written.")
    trajectory = wire.build("Find Tc.")
    assert roles(trajectory) == ["branch"]
    assert messages(trajectory.steps)[1:-1] == ["Find Tc.", "Done.", "Now write it down.", "", "Written."]


def test_compaction_by_a_summary_that_another_request_made(wire: Any) -> None:
    """As Claude Code does: the summary is asked for with another instruction, and comes back in words of the client."""
    said = wire.ask([wire.user("Find Tc.")], wire.use("c1", "Bash", command="ls"))
    said = wire.ask([*said, wire.user(wire.result("c1", "a.pdf"))], "Table 2 it is.")
    wrapped = f"<analysis>\n{SUMMARY}\n</analysis>"
    ask_as(wire, "You summarize.", ("Read",), [*said, wire.user("Summarize all of this.")], wrapped)
    new = [wire.user(f"This session goes on from one that ran out of context.\nAnalysis:\n{SUMMARY}")]
    said = wire.ask(new, wire.use("c2", "Bash", command="echo"))
    wire.ask([*said, wire.user(wire.result("c2", ""))], "Done.")
    trajectory = wire.build("Find Tc.")
    assert roles(trajectory) == ["branch"]
    assert [step.source for step in trajectory.steps] == [
        "system",
        "user",
        "agent",
        "agent",
        "system",
        "agent",
        "agent",
        "agent",
    ]
    compaction = trajectory.steps[4]
    assert (compaction.extra or {})["context_management"] == {"type": "compaction", "boundary": "replace"}
    assert SUMMARY in str(compaction.message)


def test_compaction_by_a_summary_in_the_conversation_itself(wire: Any) -> None:
    """As Codex does: the users' words are kept and the summary follows."""
    said = wire.ask([wire.user("Find Tc.")], wire.use("c1", "Bash", command="ls"))
    said = [*said, wire.user(wire.result("c1", "a.pdf"))]
    wire.ask([*said, wire.user("Write a handoff summary.")], SUMMARY)
    new = [wire.user("Find Tc."), wire.user(f"Another model began and left this summary:\n{SUMMARY}")]
    wire.ask(new, "Done.")
    trajectory = wire.build("Find Tc.")
    assert embedded(trajectory) == []
    assert messages(trajectory.steps)[3:5] == ["Write a handoff summary.", SUMMARY]
    compaction = trajectory.steps[5]
    assert compaction.source == "system"
    assert "Find Tc." not in str(compaction.message)
    assert trajectory.steps[6].message == "Done."


def test_a_context_set_back_to_its_opening(wire: Any) -> None:
    """As with a summary that only the provider can read."""
    opening = [wire.user("Find Tc.")]
    said = wire.ask(opening, wire.use("c1", "Bash", command="ls"))
    wire.ask([*said, wire.user(wire.result("c1", "a.pdf"))], "On it.")
    wire.ask(opening, "Done.")
    trajectory = wire.build("Find Tc.")
    assert embedded(trajectory) == []
    assert [step.source for step in trajectory.steps] == [
        "system",
        "user",
        "agent",
        "agent",
        "system",
        "agent",
        "agent",
    ]
    assert trajectory.steps[5].message == "Done."


def test_a_window_that_slides(wire: Any) -> None:
    """The oldest turns are dropped; the last call and its result stay."""
    said = [wire.user("Find Tc.")]
    for number in range(6):
        said = wire.ask(said, wire.use(f"c{number}", "Bash", command=f"step {number}"))
        said = [*said, wire.user(wire.result(f"c{number}", f"result {number}"))]
    wire.ask([said[0], wire.user("[older turns dropped]"), *said[-2:]], "Done.")
    trajectory = wire.build("Find Tc.")
    assert embedded(trajectory) == []
    last = trajectory.steps[7]
    assert last.observation is not None
    assert last.observation.results[0].content == "result 5"
    assert trajectory.steps[8].message == "[older turns dropped]"
    assert "context_management" in (trajectory.steps[8].extra or {})
    assert trajectory.steps[9].message == "Done."


def test_edited_context_is_the_same_conversation(wire: Any) -> None:
    """Clients move their reminders and clear old results."""
    said = wire.ask([wire.user("<reminder>1</reminder>", "Find Tc.")], wire.use("c1", "Bash", command="ls"))
    said = wire.ask([*said, wire.user(wire.result("c1", "a.pdf"))], wire.use("c2", "Bash", command="cat"))
    changed = [wire.user("Find Tc."), said[1], wire.user(wire.result("c1", "[cleared]")), said[3]]
    wire.ask([*changed, wire.user(wire.result("c2", "92 K"), "<reminder>2</reminder>")], "Done.")
    trajectory = wire.build("Find Tc.")
    assert embedded(trajectory) == []
    assert [step.source for step in trajectory.steps] == ["system", "user", "agent", "agent", "agent", "agent"]
    observed = [result.content for step in trajectory.steps if step.observation for result in step.observation.results]
    assert observed == ["a.pdf", "92 K", "<reminder>2</reminder>"]
    marks = ["context_edited" in (step.extra or {}) for step in trajectory.steps if step.source == "agent"]
    assert marks == [False, False, True, False]


def test_old_results_that_a_client_clears_are_marked(wire: Any) -> None:
    said = wire.ask([wire.user("Find Tc.")], wire.use("c1", "Bash", command="ls"))
    said = wire.ask([*said, wire.user(wire.result("c1", "a.pdf"))], wire.use("c2", "Bash", command="cat"))
    cleared = [*said[:2], wire.user(wire.result("c1", "[cleared]")), *said[3:]]
    wire.ask([*cleared, wire.user(wire.result("c2", "92 K"))], "Done.")
    agent = [step for step in wire.build("Find Tc.").steps if step.source == "agent"]
    assert ["context_edited" in (step.extra or {}) for step in agent] == [False, False, True, False]
    assert agent[0].observation is not None
    assert agent[0].observation.results[0].content == "a.pdf"


def test_a_clock_in_the_instruction_does_not_break_a_conversation(wire: Any) -> None:
    said = wire.ask([wire.user("Find Tc.")], wire.use("c1", "Bash", command="ls"), body={"system": "It is 8:00."})
    wire.ask([*said, wire.user(wire.result("c1", "a"))], "Done.", body={"system": "It is 8:01."})
    trajectory = wire.build("Find Tc.")
    assert embedded(trajectory) == []
    assert messages(trajectory.steps)[:4] == ["It is 8:00.", "Find Tc.", "", "It is 8:01."]


def test_an_answer_that_was_asked_for_again(wire: Any) -> None:
    """The client found the first answer wanting; the second is the one that it goes on with."""
    opening = [wire.user("Find Tc.")]
    wire.ask(opening, "Hm.")
    said = wire.ask(opening, wire.use("c1", "Bash", command="ls"))
    wire.ask([*said, wire.user(wire.result("c1", "a"))], "Done.")
    trajectory = wire.build("Find Tc.")
    assert embedded(trajectory) == []
    assert messages(trajectory.steps)[2:5] == ["Hm.", "", "Done."]
    assert (trajectory.steps[2].extra or {})["superseded_by"] == 2


def test_an_answer_that_came_too_late_to_be_taken(wire: Any) -> None:
    """The first of two answers is the one that the next request repeats."""
    opening = [wire.user("Find Tc.")]
    said = wire.ask(opening, wire.use("c1", "Bash", command="ls"))
    wire.ask(opening, "Never read.")
    wire.ask([*said, wire.user(wire.result("c1", "a"))], "Done.")
    trajectory = wire.build("Find Tc.")
    assert messages(trajectory.steps)[2:5] == ["Never read.", "", "Done."]
    assert (trajectory.steps[2].extra or {})["superseded_by"] == 1
    assert trajectory.steps[3].observation is not None


def test_many_turns_stay_one_conversation(wire: Any) -> None:
    """A hundred turns of one conversation stay one, in order."""
    said = [wire.user("Find Tc.")]
    for number in range(100):
        said = wire.ask(said, wire.use(f"c{number}", "Bash", command=f"step {number}"))
        said = [*said, wire.user(wire.result(f"c{number}", f"result {number}"))]
    trajectory = wire.build("Find Tc.")
    assert embedded(trajectory) == []
    assert len(trajectory.steps) == 103


def test_the_same_question_twice_at_once_is_asked_of_two(wire: Any) -> None:
    """Two sub-agents with one instruction, side by side: neither repeats the other."""
    said = wire.ask([wire.user("Find Tc.")], *(wire.use(f"t{number}", "Task", prompt=TASK) for number in (0, 1)))
    row = [wire.user(TASK)]
    seqs = [wire.begin(row, system="Helper.") for _ in range(2)]
    answers = [wire.answer(seq, wire.use(f"u{seq}", "Bash", command=f"ls {seq}"), seconds=60.0) for seq in seqs]
    for seq, answer in zip(reversed(seqs), reversed(answers), strict=True):
        wire.ask([*row, answer, wire.user(wire.result(f"u{seq}", "ok"))], f"End of {seq}.", body={"system": "Helper."})
    wire.ask([*said, wire.user(wire.result("t0", "a"), wire.result("t1", "b"))], "Both are done.")
    trajectory = wire.build("Find Tc.")
    assert roles(trajectory) == ["subagent", "subagent"]
    ends = [
        (one.steps[2].tool_calls or [])[0].arguments["command"][3:] in one.steps[3].message
        for one in embedded(trajectory)
    ]
    assert ends == [True, True]
    results = trajectory.steps[2].observation.results  # type: ignore[union-attr]
    references = [[one.trajectory_id for one in result.subagent_trajectory_ref or []] for result in results]
    assert sorted(references) == [[one.trajectory_id] for one in embedded(trajectory)]


def test_a_conversation_that_the_provider_keeps(wire: Any) -> None:
    """OpenAI Responses: a request brings only what is new, and names the answer that it goes on from."""

    def ask(body: dict[str, Any], answer: dict[str, Any], identifier: str) -> None:
        seq = wire.begin([])
        wire.model_lines[-1] |= {"dialect": "openai.responses", "path": "/v1/responses"}
        tools = [{"type": "function", "name": "mcp__demo__echo", "parameters": {"type": "object"}}]
        wire.model_lines[-1]["body"] = {"model": "g", "instructions": "Be brief.", "tools": tools} | body
        wire.end(seq, body={"id": identifier, "object": "response", "status": "completed", "output": [answer]})

    def message(words: str) -> dict[str, Any]:
        return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": words}]}

    call = {"type": "function_call", "call_id": "c1", "name": "mcp__demo__echo", "arguments": "{}"}
    ask({"input": "Find Tc."}, call, "r1")
    ask({"input": "Another matter altogether."}, message("Yes?"), "other")
    back = [{"type": "function_call_output", "call_id": "c1", "output": "92 K"}]
    ask({"input": back, "previous_response_id": "r1"}, message("It is 92 K."), "r2")
    ask({"input": "Sure?", "previous_response_id": "r2"}, message("Yes."), "r3")
    trajectory = wire.build("Find Tc.")
    assert messages(trajectory.steps)[:-1] == ["Be brief.", "Find Tc.", "", "It is 92 K.", "Sure?", "Yes."]
    assert trajectory.steps[2].observation is not None
    assert trajectory.steps[2].observation.results[0].content == "92 K"
    assert [messages(one.steps)[1:] for one in embedded(trajectory)] == [["Another matter altogether.", "Yes?"]]


def test_a_sub_agent_whose_instruction_was_also_said_aloud(wire: Any) -> None:
    """Not a compaction, although the new context brings an earlier answer."""
    said = wire.ask([wire.user("Find Tc.")], TASK, wire.use("t1", "spawn_agent", message=TASK))
    wire.ask([wire.user(TASK)], REPORT)
    wire.ask([*said, wire.user(wire.result("t1", REPORT))], "It is 92 K.")
    trajectory = wire.build("Find Tc.")
    assert roles(trajectory) == ["subagent"]
    assert messages(trajectory.steps)[-2] == "It is 92 K."


def test_a_sub_agent_that_does_all_the_work_is_not_the_main_conversation(wire: Any) -> None:
    prompt = "Find the critical temperature and write it down."
    said = wire.ask([wire.user(prompt)], wire.use("t1", "Task", prompt=prompt), body={"tools": None})
    sub = [wire.user(f"<context/>{prompt}")]
    for number in range(3):
        sub = wire.ask(sub, wire.use(f"s{number}", "Bash", command="ls"), body={"system": "Helper."})
        sub = [*sub, wire.user(wire.result(f"s{number}", "ok"))]
    wire.ask([*said, wire.user(wire.result("t1", "92 K"))], "Done.", body={"tools": None})
    trajectory = wire.build(prompt)
    assert roles(trajectory) == ["subagent"]
    assert messages(trajectory.steps)[-2] == "Done."


def test_a_title_that_is_asked_for_before_a_single_answer(wire: Any) -> None:
    ask_as(wire, "Make a title.", (), [wire.user("Find Tc.")], "Tc")
    wire.ask([wire.user("Find Tc.")], "It is 92 K.")
    trajectory = wire.build("Find Tc.")
    assert roles(trajectory) == ["side_request"]
    assert messages(trajectory.steps)[1:-1] == ["Find Tc.", "It is 92 K."]


def test_a_title_without_an_instruction_of_its_own(wire: Any) -> None:
    opening = [wire.user("Find Tc.")]
    said = wire.ask(opening, wire.use("c1", "Bash", command="ls"), body={"system": None})
    wire.ask(opening, "Tc", body={"system": None, "tools": None})
    wire.ask([*said, wire.user(wire.result("c1", "ok"))], "Done.", body={"system": None})
    trajectory = wire.build("Find Tc.")
    assert roles(trajectory) == ["side_request"]
    assert messages(trajectory.steps)[:-1] == ["Find Tc.", "", "Done."]


def test_a_transcript_does_not_make_a_sub_agent(wire: Any) -> None:
    """A request that is to remember things quotes all that was said and called."""
    said = wire.ask([wire.user("Find Tc.")], wire.use("c1", "Bash", command=TASK))
    wire.ask([*said, wire.user(wire.result("c1", "ok"))], "Done.")
    transcript = f"What of this is worth remembering? {REPORT * 3} Bash: {TASK} {REPORT * 3}"
    ask_as(wire, "You remember.", (), [wire.user(transcript)], "Nothing.")
    assert roles(wire.build("Find Tc.")) == ["side_request"]


def test_what_is_gone_on_with_longest_is_the_main_line(wire: Any) -> None:
    """Also where the client looks back from an earlier point at the end."""
    done = wire.ask([wire.user("Find Tc.")], "Done.")
    said = wire.ask([*done, wire.user("Now write it down.")], wire.use("c1", "Bash", command="ls"))
    wire.ask([*said, wire.user(wire.result("c1", "ok"))], "Written.")
    wire.ask([*done, wire.user("How did it go?")], "Well.")
    trajectory = wire.build("Find Tc.")
    assert roles(trajectory) == ["branch"]
    assert messages(trajectory.steps)[1:-1] == ["Find Tc.", "Done.", "Now write it down.", "", "Written."]


def test_a_line_of_accounting_is_no_new_instruction(wire: Any) -> None:
    """Claude Code begins its instruction with one that changes with each request."""
    said = [wire.user("Find Tc.")]
    for number in range(3):
        system = f"x-anthropic-billing-header: cch={number};\n\nYou are an agent."
        said = wire.ask(said, wire.use(f"c{number}", "Bash", command="ls"), body={"system": system})
        said = [*said, wire.user(wire.result(f"c{number}", "ok"))]
    assert [step.source for step in wire.build("Find Tc.").steps] == [
        "system",
        "user",
        "agent",
        "agent",
        "agent",
        "agent",
    ]


def test_a_client_that_introduces_itself(wire: Any) -> None:
    """Qwen Code lets the model thank for the context before the prompt."""
    opening = [wire.user("We set up the context."), wire.assistant("Thanks for the context!"), wire.user("Find Tc.")]
    wire.ask(opening, "Done.")
    trajectory = wire.build("Find Tc.")
    assert [step.source for step in trajectory.steps] == ["system", "user", "agent", "agent"]
    assert (trajectory.steps[1].extra or {})["roles"] == ["user", "assistant", "user"]
    assert not trajectory.steps[1].is_copied_context
