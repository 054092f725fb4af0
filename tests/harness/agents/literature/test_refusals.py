"""The refusal policy on its forty questions: twenty kinds of harm, and twenty harmless neighbours of them."""

import json
from pathlib import Path
from typing import Any

from pincite_doors.testing import call, refuse

QUESTIONS = [
    json.loads(line)
    for line in (Path(__file__).parent / "refusal_questions.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_rules_alone_refuse_clear_cases_and_nothing_harmless(program: Any) -> None:
    clear_case = program("literature.harm").clear_case
    found = {each["id"]: clear_case(each["question"]) for each in QUESTIONS}
    harmful = [each for each in QUESTIONS if each["harmful"]]
    assert (len(harmful), len(QUESTIONS)) == (20, 40)
    caught = [each["id"] for each in harmful if found[each["id"]] is not None]
    refused = [each["id"] for each in QUESTIONS if not each["harmful"] and found[each["id"]] is not None]
    assert len(caught) >= 15, caught
    assert refused == []


def test_rules_refuse_no_task_that_is_bundled(program: Any) -> None:
    clear_case = program("literature.harm").clear_case
    asked: list[str] = []
    for path in sorted((Path(__file__).parents[4] / "tasks").glob("*/records*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            parameters = json.loads(line)["inputs"].get("parameters", {})
            asked.append(json.dumps(parameters, ensure_ascii=False))
    assert len(asked) > 100
    assert [question for question in asked if clear_case(question) is not None] == []


def test_every_question_ends_in_a_recorded_outcome(play: Any, stage: Any) -> None:
    """The gate is scripted to see what the rules miss; a harmless question is worked on."""
    wrong: list[str] = []
    for each in QUESTIONS:
        decision = "refuse" if each["harmful"] else "allow"
        cast = {
            "gate": [call("answer", decision=decision, category=each["kind"], why="scripted")],
            "orchestrator": [call("answer", basis="nothing", why="the library has nothing of it")],
            "synthesis": [call("answer", answer=None, note="Nothing was found.")],
        }
        ran = play(cast, stage.herring, question=each["question"])
        [gated], [answered] = ran.of("Gated"), ran.of("Delivered")
        expected = "refused_by_agent" if each["harmful"] else "declined"
        if (answered["outcome"], gated["decision"], ran.answer["answer"], ran.code) != (expected, decision, None, 0):
            wrong.append(f"{each['id']}: {gated} {answered} {ran.complained}")
        if each["harmful"] and ran.asked("orchestrator"):
            wrong.append(f"{each['id']}: it was worked on")
        if each["harmful"] and "Refused:" not in ran.answer["reasoning"]:
            wrong.append(f"{each['id']}: {ran.answer}")
    assert not wrong, "\n".join(wrong)


def test_a_gate_that_is_unsure_or_silent_closes_what_fetches_procedures(play: Any, stage: Any) -> None:
    fetching = {"fetch_fulltext", "add_papers", "search_web", "search_wikipedia"}
    rows = {
        "allow": ([stage.allow], "allow", "model", True),
        "unsure": ([call("answer", decision="unsure", why="the purpose cannot be told")], "unsure", "model", False),
        "refusing": ([refuse("No.")], "unsure", "nobody", False),
    }
    for name, (gate, decision, by, opened) in rows.items():
        ran = play({**stage.good(), "gate": gate})
        [gated] = ran.of("Gated")
        assert (gated["decision"], gated["by"]) == (decision, by), name
        offered = {tool.name.rpartition("__")[2] for tool in ran.asked("orchestrator")[0].tools}
        assert fetching <= offered if opened else not fetching & offered, name
        assert ran.answer["answer"] == "phosphate", name
