"""What the program enforces around the orchestrator's free order, whatever the orchestrator wants."""

import json
import re
from typing import Any

from pincite_doors.testing import call, say

CROSSING = {"action": "answer", "answer": "between 6 and 12", "evidence": "view 1", "confidence": 0.9, "reason": "read"}
WRONG = {"action": "wrong_figure", "reason": "it shows something else"}


def figure_cast(stage: Any, *turns: Any, looks: Any, figure: int = 10) -> dict[str, Any]:
    """A cast for the question about the crossing of two curves."""

    def write(request: Any) -> Any:
        pieces = re.findall(r'source="(e\d+): figure', request.first)
        return stage.quoting("C", "The curves cross between 6 and 12.", "", evidence=(pieces or ["e1"])[0])

    return {
        "gate": stage.allow,
        "reranker": stage.scores(figure=figure),
        "orchestrator": stage.steps(stage.search(), *turns),
        "inspector": looks,
        "synthesis": write,
    }


def test_a_figure_that_must_be_looked_at_stops_the_end(play: Any, stage: Any) -> None:
    chunk: list[str] = []

    def keep(found: Any) -> Any:
        chunk.append(found["passages"][0]["locator"])
        return stage.first_chunk(found)

    turns = (keep, stage.inspect(), stage.always(stage.end(basis="figures", chunks=chunk)))
    ran = play(figure_cast(stage, *turns, looks=[call("answer", **CROSSING)]), stage.figure)
    assert ran.code == 0, ran.complained
    [queued] = [event for event in ran.of("Queued") if event["level"] == "must"]
    assert (queued["paper"], queued["figure"]) == ("kelp_nitrate.pdf", "Fig. 1")
    [held] = ran.of("Held")
    assert held["figures"] == ['paper "kelp_nitrate.pdf", figure "Fig. 1" (10 of 10)']
    told = ran.asked("orchestrator")[2].results[-1]
    assert "must be looked at first" in told and "kelp_nitrate.pdf" in told
    [look] = ran.of("Inspected")
    assert (look["outcome"], look["answer"], len(look["rounds"])) == ("answered", "between 6 and 12", 1)
    assert ran.asked("inspector")[0].images == 1
    assert ran.answer["answer"] == "C"
    [source] = ran.answer["sources"]
    assert (source["paper"], source["page"]) == ("kelp_nitrate.pdf", 1)
    assert ran.answer["reasoning"] == "Basis: figure."


def test_a_wrong_figure_gives_its_inspection_back_and_leaves_the_queue(play: Any, stage: Any) -> None:
    looks = [call("answer", **WRONG), call("answer", **CROSSING)]
    turns = (stage.inspect(), stage.inspect("Fig. 2"), stage.inspect(), stage.always(stage.end(chunks=[])))
    ran = play(figure_cast(stage, *turns, looks=looks), stage.figure, inspections="1")
    outcomes = [event["outcome"] for event in ran.of("Inspected")]
    results = [json.loads(each) for each in ran.asked("orchestrator")[-1].results if each.startswith('{"figure"')]
    assert outcomes[0] == "wrong figure" and results[0]["inspections_left"] == 1
    assert "must_look_at" not in results[0]
    # Fig. 2 of the paper is not there: the look failed, and took the only inspection.
    assert outcomes[1:] == ["failed"]
    assert "No inspection is left" in ran.asked("orchestrator")[-1].results[-1]
    assert not ran.of("Held")


def test_a_budget_that_is_used_up_or_a_flag_lets_the_search_end(play: Any, stage: Any) -> None:
    flag = call("figures.flag_wrong_figure", paper="kelp_nitrate.pdf", figure="Figure 1", reason="other axes")
    free: dict[str, tuple[dict[str, str], tuple[Any, ...]]] = {
        "none left": ({"inspections": "0"}, ()),
        "flagged": ({}, (flag,)),
    }
    for name, (options, turns) in free.items():
        last = stage.always(stage.end(chunks=[]))
        ran = play(figure_cast(stage, *turns, last, looks=[]), stage.figure, options=options)
        assert not ran.of("Held"), name
        assert bool(ran.of("Flagged")) == (name == "flagged")
        assert bool(ran.of("Stopped")[0]["unseen"]) == (name == "none left")


def test_what_should_be_looked_at_is_listed_and_holds_nothing(play: Any, stage: Any) -> None:
    ran = play(figure_cast(stage, stage.always(stage.end(chunks=[])), looks=[], figure=8), stage.figure)
    assert not ran.of("Held")
    assert ran.of("Stopped")[0]["unseen"] == ['paper "kelp_nitrate.pdf", figure "Fig. 1" (8 of 10)']


def test_zooming_goes_on_until_an_answer_is_sure(play: Any, stage: Any) -> None:
    zoom = call("answer", action="zoom", view=1, bbox=[0.1, 0.1, 0.6, 0.6], reason="the crossing")
    unsure = call("answer", **{**CROSSING, "confidence": 0.4})
    ran = play(
        figure_cast(stage, stage.inspect(), stage.always(stage.end(chunks=[])), looks=[zoom, unsure, unsure]),
        stage.figure,
        rounds="2",
    )
    [look] = ran.of("Inspected")
    assert look["outcome"] == "unsure"
    assert [each["decision"] for each in look["rounds"]] == ["zoom", "answer", "answer"]
    assert [request.images for request in ran.asked("inspector")] == [1, 2, 2]
    assert look["rounds"][1]["view"] == "Fig. 1 > 0.1,0.1,0.6,0.6"
    enums = [request.tools[0].schema["properties"]["action"]["enum"] for request in ran.asked("inspector")]
    assert enums == [["answer", "zoom", "wrong_figure"]] * 2 + [["answer", "wrong_figure"]]


def test_an_end_on_abstracts_alone_needs_no_passages(play: Any, stage: Any) -> None:
    find = call("literature.search_papers", query="herring larvae fjord nightly layers")
    cast = {
        "gate": stage.allow,
        "selector": stage.choose,
        "orchestrator": stage.steps(find, stage.first_selected),
        "synthesis": [
            stage.quoting("in a thin layer", "They gather at night.", "The larvae gather at night in a thin layer")
        ],
    }
    ran = play(cast, stage.herring)
    assert ran.answer["answer"] == "in a thin layer"
    assert ran.answer["reasoning"].startswith("Basis: abstract.")
    assert ran.answer["sources"][0]["doi"] == "10.5555/aio.2017.5.0201"
    assert "Retrieved" not in ran.kinds
    assert ran.of("Selected")[0]["by"] == "selector" and len(ran.of("Selected")[0]["chosen"]) == 2
    assert ran.of("Stood")[0]["retracted"] == "no"


def test_where_nothing_answers_the_answer_is_declined(play: Any, stage: Any) -> None:
    declined = call("answer", answer="a guess", note="No passage says it.")
    rows: dict[str, tuple[dict[str, Any], Any]] = {
        "passages that do not answer": ({"reranker": stage.scores(answers=4)}, stage.first_chunk),
        "the orchestrator says so": ({}, stage.always(stage.end(basis="nothing"))),
    }
    for name, (others, last) in rows.items():
        cast = {**stage.good(), **others, "orchestrator": stage.steps(stage.search(), last), "synthesis": [declined]}
        ran = play(cast)
        assert ran.answer == {"answer": None, "reasoning": "No passage says it."}, name
        assert "Nothing that was found answers" in ran.asked("synthesis")[0].first
        assert ran.of("Delivered")[0]["outcome"] == "declined"


def test_a_loop_without_an_end_is_ended_with_what_there_is(play: Any, stage: Any) -> None:
    turns = [stage.search("phosphate held"), stage.search("tanks"), say("I would search on."), say("And on.")]
    cast = {**stage.good(), "orchestrator": stage.steps(*turns)}
    cast["synthesis"] = [call("answer", answer=None, note="not in these")]
    ran = play(cast, steps="3", kept="2")
    [concluded] = ran.of("Stopped")
    assert (concluded["by"], concluded["basis"], len(concluded["chunks"])) == ("limit", "passages", 2)
    assert len(ran.asked("orchestrator")) == 3


def test_numbers_and_quotes_that_do_not_stand_are_mended_once_or_taken_out(play: Any, stage: Any) -> None:
    right = stage.quoting("phosphate", "Phosphate was held at 2 μmol/L.", stage.held)
    bad = {
        "a quote that is not there": stage.quoting("phosphate", "Phosphate was held.", "Phosphate was kept at 2"),
        "a number that is not there": stage.quoting("phosphate", "Phosphate was held at 3.7 μmol/L.", stage.held),
        "a number in the answer": stage.quoting("3.7 μmol/L", "Phosphate was held.", stage.held),
        "evidence that is not there": stage.quoting("phosphate", "Phosphate was held.", stage.held, evidence="e9"),
        "a sum that does not come out": stage.quoting("77", "It is 77.", stage.held, computation="2 * 2 = 77"),
        "a sum of numbers from nowhere": stage.quoting("169", "169.", stage.held, computation="13 * 13 = 169"),
    }
    wrong: list[str] = []
    for name, turn in bad.items():
        mended = play({**stage.good(), "synthesis": [turn, right]})
        if mended.answer["answer"] != "phosphate" or mended.of("Removed"):
            wrong.append(f"{name}, mended: {mended.answer}")
        removed = play({**stage.good(), "synthesis": [turn, turn]})
        if removed.answer["answer"] is not None or not removed.of("Removed"):
            wrong.append(f"{name}, removed: {removed.answer}")
        if len(removed.asked("synthesis")) != 2:
            wrong.append(f"{name}: asked {len(removed.asked('synthesis'))} times")
    assert not wrong, "\n".join(wrong)


def test_a_computed_number_stands_on_the_numbers_that_go_into_it(play: Any, stage: Any) -> None:
    computed = stage.quoting("2000 nmol/L", "It is 2000 nmol/L.", stage.held, computation="2 × 1000 = 2000")
    ran = play({**stage.good(), "synthesis": [computed]})
    assert ran.answer["answer"] == "2000 nmol/L"
    assert "Numbers of sums that are in no source: 1000." in ran.answer["reasoning"]


def test_a_quote_is_given_in_the_papers_own_characters(play: Any, stage: Any) -> None:
    loose = "phosphate was held at  2 μmol/L throughout, so that it never limited growth."
    ran = play({**stage.good(), "synthesis": [stage.quoting("phosphate", "It was held.", loose)]})
    assert ran.answer["sources"][0]["quote"] == stage.held
