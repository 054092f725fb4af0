"""Each switch changes what it should in the state and in what is asked, and nothing else; faults at each role."""

import itertools
from collections.abc import Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pincite_doors.testing import fail, refuse, say
from pincite_scoring.record_filling.compiling import compile_schema
from pincite_scoring.record_filling.schema import read_schema

QUICK = {"stable": "1", "max_rounds": "2"}


def shape(ran: Any, *without: str) -> list[Any]:
    """The pipeline's own events without times, and without those of the agents named."""
    kernel = ("Asked", "Began", "Ended")
    own = [event for event in ran.events if type(event).__name__ not in kernel and event.who not in without]
    return [(type(event).__name__, event.model_dump(exclude={"at"})) for event in own]


def test_each_switch_changes_what_it_should_and_nothing_else(run: Any, small: Any, casts: Any) -> None:
    def ran(**options: str) -> Any:
        done = run(small, casts.SmallCast(), **{**QUICK, **options})
        assert done.code == 0, done.printed
        return done

    full = ran()
    assert {"row", "column", "rank", "coordinator", "page", "probe"} == set(full.roles)
    assert shape(ran()) == shape(full), "a run can be repeated to the letter"

    for name in ("row", "column"):
        off = ran(**{name: "off"})
        assert name not in off.roles
        assert not [event for event in off.of("Preferred") if event.who == name]
        assert shape(off) == shape(full, name), "an agent without a preference leaves everything else as it is"

    for value, source in (("schema", "schema"), ("random:1", "random")):
        ordered = ran(order=value, rounds="1")
        assert "rank" not in ordered.roles
        assert ordered.of("Ranked")[0].source == source
        assert ordered.answer == full.answer
    assert any("(resolved)" in each.first for each in full.asked)
    for value in ("off", "archive"):
        alone = ran(reuse=value, rounds="1")
        assert not any("(resolved)" in each.first for each in alone.asked)
        assert not alone.of("Preferred")
        assert alone.answer == full.answer
    assert shape(ran(reuse="document")) == shape(full)

    quiet = ran(rebuttal="off")
    assert {event.phase for event in quiet.of("Positioned")} == {"position", "hypothesis"}
    assert {event.phase for event in full.of("Positioned")} == {"position", "rebuttal", "hypothesis"}

    once = ran(rounds="1")
    assert [event.round for event in once.of("Consolidated")] == [1, 1, 1]
    assert {event.mode for event in once.of("RoundBegan")} == {"regular"}
    thrice = ran(rounds="3")
    assert [event.round for event in thrice.of("Consolidated")] == [1, 2, 3] * 3

    cells = ran(probe="cell", rounds="1")
    assert cells.roles.count("probe") == 6
    assert once.roles.count("probe") == 2
    assert [event.claims for event in cells.of("Probed")] == [event.claims for event in once.of("Probed")]

    active = ran(voices="active", rounds="1")
    speakers = {(event.debate, event.who) for event in active.of("Positioned")}
    assert speakers == {("adjuvant", "p01"), ("adjuvant", "p02"), ("host", "p01"), ("dose", "p02")}

    each = ran(objects="each", rounds="1")
    assert [event.debate for event in each.of("Written")] == ["adjuvant", "dose/o1", "dose/o2", "host/o1", "host/o2"]
    assert each.answer == once.answer

    names = ran(guidance="names", rounds="1")
    assert not any("Definition:" in each.first or "Labels:" in each.first for each in names.asked)
    assert any("Definition:" in each.first for each in once.asked)

    strict = ran(tau="0.9", rounds="1")
    assert not any(cell.constrains for event in strict.of("Written") for cell in event.cells)
    assert not any("(resolved)" in each.first for each in strict.asked)
    assert strict.answer == once.answer, "filled all the same"

    longer = ran(max_rounds="6", stable="3")
    assert [event.rounds for event in longer.of("Written")] == [4, 4, 4]


def test_faults_at_each_role_leave_a_valid_answer(run: Any, small: Any, casts: Any) -> None:
    validator = Draft202012Validator(compile_schema(read_schema(small["inputs"]["parameters"]["schema"])))
    faults: Mapping[str, Any] = {
        "broken": say('{"claims": [{"obj'),
        "refused": refuse(),
        "silent": say(""),
    }
    wrong = []
    for role in ("probe", "rank", "page", "row", "column", "coordinator", "sequential"):
        mode = "sequential" if role == "sequential" else "debate"
        for name, fault in faults.items():
            cast = casts.SmallCast()
            cast.plays[role] = lambda label, _, fault=fault: fault if label["id"] != "p02" else None
            ran = run(small, cast, rebuttal="off", rounds="1", mode=mode)
            told = [event.fault for event in ran.events if getattr(event, "fault", "")]
            good = ran.code == 0 and bool(told) and validator.is_valid(ran.answer)
            if not good or (role != "sequential" and not ran.answer["objects"]):
                wrong.append((role, name, ran.code, ran.printed))
    assert not wrong


def test_a_rate_limit_is_waited_for_and_an_outage_is_told_after_the_answer(run: Any, small: Any, casts: Any) -> None:
    for role in ("probe", "rank", "page", "row", "column", "coordinator"):
        cast = casts.SmallCast()
        cast.plays[role] = lambda label, request, cast=cast: [
            fail(429, headers={"retry-after": "0"}),
            casts.call("answer", **getattr(cast, f"_{label['role']}")(label)),
        ]
        ran = run(small, cast, rebuttal="off", rounds="1", width="1")
        assert (ran.code, len(ran.answer["objects"])) == (0, 2), (role, ran.printed)
    cast = casts.SmallCast()
    cast.plays["page"] = lambda label, _: [fail(500, times=None), say("")] if "host" in label["step"] else None
    ran = run(small, cast, rebuttal="off", rounds="1")
    assert ran.code == 1
    assert "500" in ran.printed
    assert ran.answer["objects"][0]["host"] == "mouse", "what the pages gave first is kept"


def test_when_every_page_refuses_the_run_says_so(run: Any, small: Any, casts: Any) -> None:
    cast = casts.SmallCast()
    cast.plays["probe"] = lambda label, _: refuse("I will not read this.")
    ran = run(small, cast)
    assert ran.code == 1
    assert "Refused" in ran.printed


@pytest.mark.parametrize("order", [["dose", "host"], ["dose", "host", "adjuvant", "size"], ["dose"] * 3])
def test_an_order_that_is_none_is_repaired_once_else_made_by_rule(
    run: Any, small: Any, casts: Any, order: list[str]
) -> None:
    cast = casts.SmallCast()
    said = iter([{"order": order, "rationale": "so"}])
    cast.plays["rank"] = lambda label, _: next(said, None)
    ran = run(small, cast, rounds="1", rebuttal="off")
    assert ran.of("Ranked")[0].source == "repaired"
    assert ran.of("Ranked")[0].order == ["adjuvant", "dose", "host"]
    cast.plays["rank"] = lambda label, _: {"order": order, "rationale": "so"}
    ran = run(small, cast, rounds="1", rebuttal="off")
    (ranked,) = ran.of("Ranked")
    assert ranked.source == "fallback"
    assert ranked.fault
    assert ranked.order == ["adjuvant", "host", "dose"], (
        "a field behind the one that it depends on, if as well grounded"
    )


def test_records_of_earlier_papers_are_shown_along_rows_and_columns(run: Any, small: Any, casts: Any) -> None:
    first = run(small, casts.SmallCast(), **QUICK)
    assert "empty" in first.of("Opening")[0].archive
    second = run(small, casts.SmallCast(), carrying=True, **QUICK)
    assert second.of("Opening")[0].archive == "2 records of earlier papers"
    shown = [each.first for each in second.asked if "records of earlier papers" in each.first]
    assert any("SE-40\tmouse\t" in text for text in shown), "the row agent sees them as a table"
    assert any("'mouse': 2 records of earlier papers" in text for text in shown), "the column agent sees the forms"
    assert not any("BALB/c" in text.partition("records of earlier papers")[2][:300] for text in shown), "no evidence"
    for reuse in ("document", "off"):
        alone = run(small, casts.SmallCast(), carrying=True, reuse=reuse, **QUICK)
        assert not any("records of earlier papers" in each.first for each in alone.asked)


def test_combinations_of_switches_leave_out_what_they_turn_off_and_nothing_else(
    run: Any, small: Any, casts: Any, program: Any
) -> None:
    """Row, column and rebuttal in all combinations, and each option that this cast gives nothing to change."""
    full = run(small, casts.SmallCast(), **QUICK)
    for row, column, rebuttal in itertools.product(("on", "off"), repeat=3):
        ran = run(small, casts.SmallCast(), **QUICK, row=row, column=column, rebuttal=rebuttal)
        gone = [name for name, value in (("row", row), ("column", column)) if value == "off"]
        assert not {event.who for event in ran.of("Preferred", "Positioned", "Asked")} & set(gone), gone
        assert not set(gone) & set(ran.roles), gone
        phases = {event.phase for event in ran.of("Preferred", "Positioned")}
        assert ("rebuttal" in phases) == (rebuttal == "on")
        assert ran.answer == full.answer
        if rebuttal == "on":
            assert shape(ran) == shape(full, *gone), gone
    still = {"width": "1", "reopen": "0", "most": "0.5", "marginal": "0.3", "check": "off"}
    for name, value in still.items():
        assert shape(run(small, casts.SmallCast(), **QUICK, **{name: value})) == shape(full), name

    def besides(ran: Any, *kinds: str) -> list[Any]:
        return [each for each in shape(ran) if each[0] not in kinds]

    quick = run(small, casts.SmallCast(), **QUICK, steady="off")
    assert not quick.of("Opening")[0].steady
    assert besides(quick, "Opening") == besides(full, "Opening")
    free = run(small, casts.SmallCast(), **QUICK, coordinator="free")
    assert not any(event.overruled for event in free.of("Consolidated"))
    assert any(event.overruled for event in full.of("Consolidated"))
    assert free.answer == full.answer
    rounds = {kind for kind, _ in shape(full)} - {"Opening", "Probed", "Ranked", "Opened"}
    assert besides(free, *rounds) == besides(full, *rounds), "what precedes the debates is as it was"
    plain = run(small, casts.SmallCast(), mode="sequential")
    assert set(plain.roles) == {"sequential"}
    assert not plain.of("Probed", "Preferred", "Consolidated", "RoundBegan")
    assert {event.phase for event in plain.of("Positioned")} == {"reading"}
    assert plain.of("Ranked")[0].source == "sequential"
    assert {event.why for event in plain.of("Written")} == {"sequential"}
    tried = set(still) | set(QUICK) | {"row", "column", "rebuttal", "steady", "mode", "coordinator"}
    before = {"order", "reuse", "rounds", "guidance", "tau", "probe", "voices", "objects", "archive"}
    assert tried | before == set(program("sudokufill.options").DEFAULTS), "an option without a case"
