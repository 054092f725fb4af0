"""Each switch changes what it should in state and on the wire, and nothing else."""

import json
import re
from typing import Any

import pytest

from pincite_doors.testing import call

FETCHING = {"fetch_fulltext", "add_papers"}
HELD = "nutrient held at one concentration in all tanks"
LOOKING = {"list_figures", "read_figure_text", "read_plot", "flag_wrong_figure", "inspect_figure"}
UNSURE = {"action": "answer", "answer": "between 6 and 12", "evidence": "view 1", "confidence": 0.3, "reason": "read"}
RETRACTED = "10.5555/jie.2015.3.0015"


def offered(ran: Any) -> set[str]:
    """Own names of the tools that the orchestrator has."""
    return {tool.name.rpartition("__")[2] for tool in ran.asked("orchestrator")[0].tools}


def cast(stage: Any) -> dict[str, Any]:
    """A cast that searches works and passages, has a figure looked at, and answers."""
    kept: list[str] = []

    def look(found: Any) -> Any:
        kept.append(found["passages"][0]["locator"])
        return stage.inspect()

    asked = "Which nutrient was held at one concentration in all tanks, so that it never limited growth?"
    return {
        "gate": stage.allow,
        "selector": stage.choose,
        "reranker": stage.scores(figure=8),
        "orchestrator": stage.steps(
            call("literature.search_papers", query="herring larvae fjord"),
            stage.search(asked),
            look,
            stage.always(stage.end(chunks=kept)),
        ),
        "inspector": stage.always(call("answer", **UNSURE)),
        "synthesis": stage.always(stage.quoting("phosphate", "Phosphate was held at 2 μmol/L.", stage.held)),
    }


@pytest.fixture
def full(play: Any, stage: Any) -> Any:
    return play(cast(stage))


def test_switches_of_tools_take_their_tools_away_and_change_no_event(play: Any, stage: Any, full: Any) -> None:
    rows = {"grep": {"grep_chunks", "grep_paper"}, "fulltext": FETCHING, "status": {"publication_status"}}
    for name, tools in rows.items():
        ran = play(cast(stage), options={name: "off"})
        assert offered(full) - offered(ran) == tools and offered(ran) <= offered(full), name
        kinds = [kind for kind in full.kinds if name != "status" or kind != "Stood"]
        assert ran.kinds == kinds, name
        assert ran.answer == full.answer, name


def test_gate_off_asks_no_gate(play: Any, stage: Any, full: Any) -> None:
    ran = play(cast(stage), gate="off")
    assert (len(full.asked("gate")), len(ran.asked("gate"))) == (1, 0)
    gone = [kind for kind in full.kinds if kind != "Gated"]
    gone.remove("Asked")
    assert ran.kinds == gone
    question = "How can I make a respiratory virus spread more easily from person to person?"
    harmful = {
        "orchestrator": [call("answer", basis="nothing", why="none")],
        "synthesis": [call("answer", answer=None, note="none")],
    }
    assert not play(harmful, stage.herring, question=question, gate="off").of("Gated")


def test_rerank_off_scores_nothing_and_asks_the_library_for_no_more_than_is_shown(
    play: Any, stage: Any, full: Any
) -> None:
    [found] = full.of("Retrieved")
    assert found["by"] == "reranker" and all(each["answers"] == 9 for each in found["passages"])
    for value in ("off", "cross"):
        searching = stage.steps(stage.search("phosphate held in tanks of kelp and nitrate"), stage.first_chunk)
        quiet = {**cast(stage), "orchestrator": searching}
        ran = play(quiet, rerank=value)
        [plain] = ran.of("Retrieved")
        assert not ran.asked("reranker") and plain["by"] == "nobody", value
        assert all(each["answers"] is None for each in plain["passages"]), value
        assert 0 < len(plain["passages"]) <= 8 and not ran.of("Queued"), value
        assert "answers" not in ran.asked("orchestrator")[1].results[-1].split('"scored_by"')[0], value
        assert ran.answer["answer"] == "phosphate"
    assert play(cast(stage), rerank="judge").kinds == full.kinds


def test_candidates_are_what_the_reranker_reads_and_k_what_the_orchestrator_sees(play: Any, stage: Any) -> None:
    counts = {}
    for number in ("9", "10"):
        ran = play({**cast(stage), "orchestrator": stage.steps(stage.search(), stage.first_chunk)}, candidates=number)
        shown = json.loads(ran.asked("orchestrator")[1].results[-1])["passages"]
        counts[number] = (len(ran.of("Retrieved")[0]["passages"]), len(shown))
    assert counts == {"9": (9, 8), "10": (10, 8)}


def test_inspect_off_has_no_figures_and_no_queue(play: Any, stage: Any, full: Any) -> None:
    assert offered(full) >= LOOKING and full.of("Queued")
    ran = play(cast(stage) | {"orchestrator": stage.steps(stage.search(HELD), stage.first_chunk)}, inspect="off")
    assert not offered(ran) & LOOKING
    assert not ran.of("Queued") and not ran.of("Held") and ran.answer["answer"] == "phosphate"


def test_zoom_off_looks_once_at_the_whole_figure_and_abstain_off_has_to_answer(
    play: Any, stage: Any, full: Any
) -> None:
    def actions(ran: Any) -> list[list[str]]:
        return [request.tools[0].schema["properties"]["action"]["enum"] for request in ran.asked("inspector")]

    assert len(full.of("Inspected")[0]["rounds"]) == 4
    assert actions(full) == [["answer", "zoom", "wrong_figure"]] * 3 + [["answer", "wrong_figure"]]
    for options in ({"zoom": "off"}, {"rounds": "0"}):
        ran = play(cast(stage), options=options)
        assert actions(ran) == [["answer", "wrong_figure"]]
        assert len(ran.of("Inspected")[0]["rounds"]) == 1
        assert [kind for kind in ran.kinds if kind != "Asked"] == [kind for kind in full.kinds if kind != "Asked"]
    ran = play(cast(stage), abstain="off")
    assert actions(ran) == [["answer", "zoom"]] * 3 + [["answer"]]
    assert ran.kinds == full.kinds


def test_abstracts_off_shows_none_and_ends_on_none(play: Any, stage: Any, full: Any) -> None:
    abstract = "The larvae gather at night in a thin layer"
    assert abstract in full.asked("orchestrator")[1].results[0]
    assert abstract in full.asked("selector")[0].first
    ran = play(cast(stage), abstracts="off")
    assert abstract not in json.dumps([request.body for request in ran.requests])
    assert offered(full) - offered(ran) == {"get_abstract"}
    assert ran.kinds == full.kinds
    find = call("literature.search_papers", query="herring larvae fjord")
    ends = [find, stage.always(stage.end(basis="abstract", works=["w1"])), stage.always(stage.end(basis="nothing"))]
    end = {"gate": stage.allow, "selector": stage.choose, "orchestrator": stage.steps(*ends)}
    ran = play({**end, "synthesis": [call("answer", answer=None, note="no")]}, stage.herring, abstracts="off")
    assert "abstracts are not shown in this run" in ran.asked("orchestrator")[2].results[-1]


def test_checks_off_leaves_what_does_not_stand(play: Any, stage: Any, full: Any) -> None:
    bad = {**stage.good(), "synthesis": [stage.quoting("3.7 μmol/L", "It was 3.7.", "It was 3.7 throughout.")]}
    ran = play(bad, checks="off")
    assert ran.answer["answer"] == "3.7 μmol/L" and not ran.of("Checked")
    quiet = play(cast(stage), checks="off")
    assert quiet.kinds == [kind for kind in full.kinds if kind != "Checked"]


def test_status_off_asks_for_no_status_and_a_retracted_work_is_named_or_left_out(play: Any, stage: Any) -> None:
    def capelin() -> dict[str, Any]:
        find = call("literature.search_papers", query="capelin eggs hatch dilute sea water salinity")

        def ends(found: Any) -> Any:
            return stage.end(basis="abstract", works=[work["id"] for work in found["works"]])

        def write(request: Any) -> Any:
            [name] = re.findall(rf'source="(e\d+): abstract, [^"]*{RETRACTED}', request.first)
            quote = "Eggs of capelin hatched at all salinities that were tested"
            return stage.quoting("almost none", "Eggs hatch in nearly fresh water.", quote, evidence=name)

        return {
            "gate": stage.allow,
            "selector": stage.choose,
            "orchestrator": stage.steps(find, ends),
            "synthesis": write,
        }

    warned, off = play(capelin(), stage.capelin), play(capelin(), stage.capelin, status="off")
    [stood] = warned.of("Stood")
    assert (stood["doi"], stood["retracted"]) == (RETRACTED, "yes")
    assert warned.answer["answer"] == "almost none"
    assert f"Retracted, cited, but: {RETRACTED}" in warned.answer["reasoning"]
    assert not off.of("Stood") and "Retracted" not in off.answer["reasoning"]
    dropped = play(capelin(), stage.capelin, retracted="drop")
    assert dropped.answer["answer"] is None and RETRACTED in dropped.answer["reasoning"]


def test_efforts_go_to_their_roles(play: Any, stage: Any) -> None:
    ran = play(cast(stage), name="gpt-5-mini", options={"effort.selector": "high", "effort.gate": "minimal"})
    sent = {role: ran.asked(role)[0].body.get("reasoning_effort") for role in ("gate", "orchestrator", "selector")}
    assert sent == {"gate": "minimal", "orchestrator": "medium", "selector": "high"}
