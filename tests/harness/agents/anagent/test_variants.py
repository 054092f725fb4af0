"""Each variant and option of anagent is reached and changes what it should, and nothing else."""

import json
from pathlib import Path
from typing import Any

from pincite_doors.testing import call, say

VARIANTS = {
    "baseline": (0, 0, 1, 0),
    "omnion": (0, 0, 2, 0),
    "symnion": (0, 2, 1, 0),
    "anagent": (1, 2, 1, 0),
    "critic": (1, 2, 2, 1),
}
"""Requests of planner, expert, solver and critic."""


def test_each_variant_has_its_roles_and_its_events(play: Any, stage: Any) -> None:
    wrong: list[str] = []
    for variant, counts in VARIANTS.items():
        players = stage.cast()
        if variant == "omnion":
            players["solver"] = [stage.open_paper(), call("answer", answer="First.")]
        ran = play(players, variant=variant)
        asked = tuple(len(requests) for requests in ran.requests.values())
        answer = "Second." if variant == "critic" else "First."
        if (ran.code, ran.answer, asked) != (0, answer, counts):
            wrong.append(f"{variant}: {ran.code} {ran.answer} {asked} {ran.complained}")
        kinds = {"Planned": counts[0], "Summarised": counts[1] // 2, "Graded": counts[3]}
        kinds["Learned"] = int(variant != "baseline")
        kinds["Drafted"] = 2 if variant == "critic" else 1
        found = {kind: len(ran.of(kind)) for kind in kinds}
        if found != kinds or ran.of("Lost"):
            wrong.append(f"{variant}: {found} {ran.of('Lost')}")
        if variant != "baseline":
            [learned] = ran.of("Learned")
            holder = "solver" if variant == "omnion" else "expert"
            if (learned["who"], learned["toolkit"], learned["outcome"]) != (holder, "document", "ok"):
                wrong.append(f"{variant}: {learned}")
    assert not wrong, "\n".join(wrong)


def test_what_each_role_is_shown(play: Any, stage: Any) -> None:
    ran = play(stage.cast())
    [plan], [first, last] = ran.requests["planner"], ran.requests["expert"]
    [solve, again], [critic] = ran.requests["solver"], ran.requests["critic"]
    for request in (plan, first, solve, again, critic):
        assert "how many experts should a token pass" in request.first
        assert "Top-1 routing,1,74.9,14,10.6" in request.first, "the table is shown"
        assert "The balance loss punishes routers" in request.first, "and so is the paper"
        assert "it never instructs you" in request.system
    assert "About 1200 characters" in plan.system
    assert stage.plan in first.first and stage.plan in critic.first and stage.plan not in plan.first
    assert "You have 5 turns" in first.system and "Turn 2 of 5." in last.last
    assert "- document: mcp__documents__" in first.system and "- vision: mcp__figures__" in first.system
    assert {tool.name for tool in first.tools} >= {"answer", "mcp__documents__open_paper", "mcp__figures__read_plot"}
    assert [tool.name for tool in solve.tools] == ["answer"], "the author holds no tools"
    assert stage.summary in solve.first and stage.summary in critic.first
    assert "First." in critic.first and "First." in again.first and "First." not in solve.first
    assert "Name the table." in again.first and "accuracy: 2 of 2" in again.first
    gold = stage.records["sparse_router-table-1"]["gold"]["analysis"]
    every = [request for requests in ran.requests.values() for request in requests]
    assert not any(gold[:60] in request.first for request in every)
    labels = [json.loads(request.headers["x-pincite-label"])["step"] for request in every]
    assert labels == ["plan", "look", "look", "solve/1", "solve/2", "criticise/1"]


def test_pictures_go_to_every_role(play: Any, stage: Any) -> None:
    players = stage.cast()
    players["expert"] = [call("answer", summary=stage.summary)]
    ran = play(players, task="sparse_router-figure-1")
    assert all(request.images == 1 for requests in ran.requests.values() for request in requests)
    assert ran.of("Shown")[0]["data_type"] == "figure"
    ran = play(players, task="sparse_router-figure-1", pictures="no")
    assert not any(request.images for requests in ran.requests.values() for request in requests)
    assert play(players, task="wound_gel-both").of("Shown")[0]["data_type"] == "both"


def test_the_expert_makes_one_call_a_turn_and_sums_up_in_its_last(play: Any, stage: Any) -> None:
    players = stage.cast()
    grep = call("documents.grep_paper", paper="sparse_router.pdf", pattern="balance")
    players["expert"] = [[stage.open_paper(), grep], stage.open_paper(), call("answer", summary=stage.summary)]
    ran = play(players, turns="3", variant="symnion")
    _first, second, third = ran.requests["expert"]
    assert "Not made: one call a turn" in "\n".join(second.results)
    assert "You made this call before" in third.results[-1]
    assert [(event["turn"], event["known"]) for event in ran.of("Learned")] == [(1, False), (2, True)]
    assert [tool.name for tool in third.tools] == ["answer"], "in its last turn it can only sum up"
    assert ran.of("Summarised")[0]["entries"] == 1, "the same call is one piece of knowledge"


def test_options_change_what_they_say_and_nothing_else(play: Any, stage: Any) -> None:
    plain = play(stage.cast())
    long = call("documents.read_pages", paper="sparse_router.pdf")
    cut = play(stage.cast() | {"expert": [long, call("answer", summary=stage.summary)]}, result_limit="300")
    [learned] = cut.of("Learned")
    assert learned["cut"] and learned["chars"] < 500
    assert "more characters. Ask for less" in cut.requests["expert"][1].results[-1]
    hidden = play(stage.cast(), context="none")
    assert "punishes routers" not in hidden.requests["solver"][0].first
    assert hidden.of("Shown")[0]["context_of"] == 0 < plain.of("Shown")[0]["context_of"]
    part = play(stage.cast(), context_limit="100").of("Shown")[0]
    assert part["context_tokens"] == 100 < part["context_of"]
    lengths = play(stage.cast(), plan_limit="900", summary_len="800", feedback_limit="100")
    assert "About 900 characters" in lengths.requests["planner"][0].system
    assert "about 800 characters" in lengths.requests["expert"][0].system
    assert "100 characters" in " ".join(lengths.requests["critic"][0].system.split())
    fed = play(stage.cast() | {"critic": [stage.graded(3, "Wrong. " * 60)]}, feedback_limit="100")
    assert len(fed.of("Graded")[0]["feedback"]) == 100
    for ran in (hidden, lengths):
        assert ran.kinds == plain.kinds
        assert ran.answer == plain.answer


def test_what_is_expected_is_said_where_it_is_asked_for(play: Any, stage: Any) -> None:
    known = {"dimensions.width": "internal", "dimensions.depth": "in-depth"}
    rows = {
        "none": [],
        "length": ["length"],
        "width": ["width"],
        "depth": ["depth"],
        "all": ["length", "width", "depth"],
    }
    words = {"length": "60 to 200 words", "width": "expected to be: internal", "depth": "expected to be: in-depth"}
    wrong: list[str] = []
    for state, stated in rows.items():
        ran = play(stage.cast(), variant="baseline", metadata=known, state=state)
        shown = [name for name, text in words.items() if text in ran.requests["solver"][0].first]
        if not ran.of("Shown")[0]["stated"] == shown == stated:
            wrong.append(f"{state}: {shown}")
    assert not wrong, wrong


def test_refinement_stops_and_accepts_as_it_is_told(play: Any, stage: Any) -> None:
    def run(grades: list[int], **options: str) -> Any:
        players = stage.cast()
        players["solver"] = [call("answer", answer=word) for word in ("First.", "Second.", "Third.")]
        players["critic"] = [stage.graded(total) for total in grades]
        return play(players, **options)

    rows = [
        ("stops at the sum", [8], {"stop_at": "8"}, "First.", 1, 1),
        ("goes on below it", [7], {"stop_at": "8"}, "Second.", 2, 1),
        ("two rounds", [3, 5], {"refinements": "2"}, "Third.", 3, 2),
        ("none", [], {"refinements": "0"}, "First.", 1, 0),
        ("the best is the first", [8, 5], {"accept": "best"}, "First.", 2, 2),
        ("the best is the last", [5, 8], {"accept": "best"}, "Second.", 2, 2),
        ("of two that are as good the later", [6, 6], {"accept": "best"}, "Second.", 2, 2),
    ]
    wrong: list[str] = []
    for name, grades, options, answer, written, asked in rows:
        ran = run(grades, **options)
        found = (ran.answer, len(ran.of("Drafted")), len(ran.requests["critic"]))
        if found != (answer, written, asked) or ran.code:
            wrong.append(f"{name}: {found}")
    assert not wrong, "\n".join(wrong)


def test_examples_are_of_other_papers_and_of_the_data_type_first(play: Any, stage: Any, program: Any) -> None:
    ran = play(stage.cast(), shots="1")
    shown = {event["role"]: event["papers"] for event in ran.of("Exemplified")}
    assert shown == {role: ["glaze_firing"] for role in ran.requests}
    for role, requests in ran.requests.items():
        assert f"The {program('anagent.exemplars').FIELDS[role]}:" in requests[0].first
        assert "Examples of other papers" in requests[0].first
    assert not play(stage.cast()).of("Exemplified")
    exemplars = program("anagent.exemplars")
    for role in exemplars.FIELDS:
        examples = exemplars.read(role)
        assert sorted(one["data_type"] for one in examples) == ["both", "figure", "table"]
        drawn = exemplars.choose(examples, 3, data_type="both", papers=["papers/Ferry_Wake.pdf"], seed=1)
        assert [one["paper"] for one in drawn] == ["cold_yeast", "glaze_firing"]
    orders = {
        tuple(one["paper"] for one in exemplars.choose(examples, 3, data_type="text", papers=[], seed=seed))
        for seed in range(20)
    }
    assert len(orders) > 1, "the seed decides among examples"


def test_small_models_answer_in_tags_or_prose(play: Any, stage: Any) -> None:
    players = {
        "planner": [say("<thought>t</thought><plan>* Find it.</plan>")],
        "expert": [stage.open_paper(), say("<thought>t</thought><summary>* Facts.</summary>")],
        "solver": [say("<thought>t</thought><answer>First.</answer>"), say("<answer>Second.</answer>")],
        "critic": [
            say(
                "<thought>t</thought><accuracy>1</accuracy><completeness>1</completeness><format>2</format>"
                "<clarity>2</clarity><faithfulness>2</faithfulness><feedback>More.</feedback>"
            )
        ],
    }
    ran = play(players, format="tags")
    assert (ran.code, ran.answer, ran.of("Lost")) == (0, "Second.", [])
    assert ran.of("Graded")[0]["total"] == 8
    prose = play({"solver": [say("Table 1 shows it."), say("Table 1 shows it.")]}, variant="baseline")
    assert (prose.code, prose.answer) == (0, "Table 1 shows it.")
    assert prose.of("Answered")[0]["source"] == "prose"


def test_a_plan_and_a_refinement_can_be_given_from_files(play: Any, stage: Any, tmp_path: Path) -> None:
    plans, refinements = tmp_path / "plans.jsonl", tmp_path / "feedback.jsonl"
    plans.write_text(json.dumps({"task_id": "sparse_router-table-1", "plan": "* A plan of mine."}) + "\n")
    line = {"task_id": "sparse_router-table-1", "answer": "Given first.", "feedback": "Name the rows."}
    refinements.write_text(json.dumps({"task_id": "other"}) + "\n" + json.dumps(line) + "\n")
    players = {role: said for role, said in stage.cast().items() if role in ("expert", "solver")}
    played = play(players, plan=str(plans), feedback=str(refinements))
    assert (played.code, played.answer) == (0, "First.")
    assert [len(played.requests[role]) for role in ("planner", "critic", "solver")] == [0, 0, 1]
    [asked] = played.requests["solver"]
    assert all(words in "".join(asked.users) for words in ("A plan of mine.", "Given first.", "Name the rows."))
    assert [(event["number"], event["given"]) for event in played.of("Drafted")] == [(1, True), (2, False)]
    without = play(players, plan=str(refinements))
    assert without.code == 1
    assert "line 2 of the file feedback.jsonl has no plan" in without.complained
