"""Rounds of a debate: each mode by each of its triggers, what it leads to, and when a debate ends."""

from typing import Any

import pytest

RAT = "A further group got rHA-H3 in saline."


@pytest.fixture
def cast(casts: Any) -> Any:
    return casts.SmallCast()


def modes(ran: Any, name: str) -> list[str]:
    return [event.mode for event in ran.of("RoundBegan") if event.debate == name]


def cell(ran: Any, name: str, of: str = "o1") -> Any:
    last = [event for event in ran.of("Written") if event.field == name][-1]
    return next(each for each in last.cells if each.object == of)


def phases(ran: Any, name: str, number: int) -> list[tuple[str, str]]:
    events = ran.of("Positioned", "Preferred")
    return [(event.phase, event.who) for event in events if (event.debate, event.round) == (name, number)]


def test_a_value_of_one_page_is_thought_over_once_and_says_so(run: Any, small: Any, cast: Any) -> None:
    ran = run(small, cast)
    assert ran.code == 0, ran.printed
    (ranked,) = ran.of("Ranked")
    assert ranked.order == ["adjuvant", "dose", "host"], "the field that finds objects goes first, whatever is said"
    assert modes(ran, "adjuvant") == ["regular"] * 3, "two pages stand for each object: stable in two more rounds"
    assert modes(ran, "host") == ["regular", "re_thinking", "regular"]
    assert phases(ran, "host", 2) == [("hypothesis", "p02")], "only the page that did not take part is asked"
    assert "Hypothesis: c1, c2" in next(
        each.first for each in ran.asked if "afresh" in each.system and "host" in each.first
    )
    assert cell(ran, "host").single_source
    assert cell(ran, "host").confidence == "single source"
    assert [event.why for event in ran.of("Written")] == ["converged"] * 3
    assert ran.answer["objects"][0]["host"] == "mouse", "the label in place of its synonym"


def test_a_hypothesis_that_another_page_confirms_is_no_longer_single(
    run: Any, small: Any, cast: Any, casts: Any
) -> None:
    def confirms(label: dict[str, str], _request: Any) -> Any:
        if label["id"] == "p02" and label["step"].startswith("fill/host/2"):
            cast.says["p02", "host"] = [casts.claim("*", "mouse", 0.6, "protected no mouse")]
        return None

    cast.plays["page"] = confirms
    ran = run(small, cast)
    assert cell(ran, "host").pages == ["p01", "p02"]
    assert not cell(ran, "host").single_source


def test_an_open_objection_leads_to_an_anti_bias_round_that_settles_it(run: Any, small: Any, cast: Any) -> None:
    def objecting(label: dict[str, str], request: Any) -> Any:
        _, name, _, phase = label["step"].split("/")
        if name != "host":
            return None
        if label["id"] == "p02":
            against = [{"candidate": "c1", "why": "it was a pilot", "quote": "a pilot of two mice"}]
            return cast.position(label, stance="oppose", opposes=[] if phase == "verdict" else against)
        if phase == "defence":
            assert "Look whether rats are named" in request.first
            return cast.position(label, replies=[{"objection": "j1", "keep": True, "why": "the others were not"}])
        return None

    cast.plays["page"] = objecting
    ran = run(small, cast)
    assert modes(ran, "host") == ["regular", "re_thinking", "anti_bias"]
    assert phases(ran, "host", 3) == [("objection", "p02"), ("defence", "p01"), ("verdict", "p02")]
    (tasked,) = ran.of("Tasked")
    assert tasked.source == "coordinator"
    ended = [event for event in ran.of("Consolidated") if event.debate == "host"]
    assert [event.converged for event in ended] == [False, False, True], "not while an objection is open"
    assert cell(ran, "host").values == ["mice"]


def test_an_objection_to_which_nobody_holds_on_takes_the_lead_away(run: Any, small: Any, cast: Any, casts: Any) -> None:
    def revising(label: dict[str, str], _request: Any) -> Any:
        _, name, _, phase = label["step"].split("/")
        if name != "host":
            return None
        if label["id"] == "p02":
            against = [{"candidate": each, "why": "rats", "quote": "protected no mouse"} for each in ("c1", "c2")]
            return cast.position(label, stance="oppose", opposes=against)
        if phase == "defence":
            cast.says["p01", "host"] = [casts.claim("*", "rat", 0.6, RAT)]
            replies = [{"objection": each, "keep": False, "why": "true"} for each in ("j1", "j2")]
            return cast.position(label, replies=replies)
        return None

    cast.plays["page"] = revising
    ran = run(small, cast)
    third = [event for event in ran.of("Consolidated") if event.debate == "host"][2]
    assert third.mode == "anti_bias"
    assert set(third.statuses.values()) == {"validated"}
    assert cell(ran, "host").values == ["rat"]
    emptied = [event for event in ran.of("Conditioned") if event.change == "emptied"]
    assert {event.field for event in emptied} == {"dose"}, "the schema's condition holds in the end, visibly"
    assert "dose" not in ran.answer["objects"][0]


def test_a_rival_that_nobody_addressed_is_heard_before_a_quick_agreement(
    run: Any, small: Any, cast: Any, casts: Any
) -> None:
    cast.says["p02", "host"] = [casts.claim("*", "rat", 0.8, "protected no mouse")]
    said = {"stance": "support", "confidence": 0.6, "constraint": "label set", "retrieved": "the labels"}
    cast.plays["column"] = lambda label, _: (
        {"choices": [{"candidate": "c1", **said}, {"candidate": "c2", **said}]} if "/host/" in label["step"] else None
    )
    ran = run(small, cast)
    assert modes(ran, "host")[:2] == ["regular", "anti_bias"]
    assert phases(ran, "host", 2)[0] == ("objection", "p02")
    assert cell(ran, "host").values == ["mice"], "it was heard; more agents stand for the other"


def test_nothing_on_any_page_is_nothing_after_one_more_look(run: Any, small: Any, cast: Any) -> None:
    del cast.says["p01", "host"]
    ran = run(small, cast)
    assert modes(ran, "host") == ["regular", "re_thinking"]
    assert [event.why for event in ran.of("Written") if event.field == "host"] == ["empty"]
    assert "host" not in ran.answer["objects"][0]


def test_fields_that_exclude_each_other_are_debated_again_once(run: Any, small: Any, cast: Any) -> None:
    conflict = {"object": "SE-40", "first": "dose", "second": "host", "why": "mice do not get so much"}
    cast.plays["row"] = lambda label, _: {"choices": [], "conflicts": [conflict]}
    ran = run(small, cast, stable="1")
    (reopened,) = ran.of("Reopened")
    assert reopened.field in ("dose", "host")
    assert [event.field for event in ran.of("Written")].count(reopened.field) == 2
    assert any("mice do not get so much" in each.first for each in ran.asked)
    assert not run(small, cast, stable="1", reopen="0").of("Reopened")


def test_rules_stand_around_the_coordinator_unless_it_is_free(run: Any, small: Any, cast: Any) -> None:
    hasty = {"leading": ["c9", "c1"], "mode_next": "stop", "converged": True, "same": [["c1", "c77"]]}
    cast.plays["coordinator"] = lambda label, _: hasty
    guarded = run(small, cast)
    first = guarded.of("Consolidated")[0]
    assert not first.converged
    assert {"leading: c9", "converged: True", "same: c1, c77"} <= set(first.overruled)
    assert modes(guarded, "host") == ["regular", "re_thinking", "regular"]
    free = run(small, cast, coordinator="free")
    assert [len(modes(free, name)) for name in ("adjuvant", "host", "dose")] == [1, 1, 1]
    assert free.of("Consolidated")[0].leaders == first.leaders, "nobody proposed c9"


def test_made_up_quotes_and_values_outside_of_the_labels_are_held_back(
    run: Any, small: Any, cast: Any, casts: Any
) -> None:
    cast.says["p01", "host"] = [casts.claim("*", "hamster", 0.9, "Hamsters were kept")]
    ran = run(small, cast, stable="1")
    claims = {claim.confidence for event in ran.of("Probed") for claim in event.claims if claim.value == "hamster"}
    assert claims == {0.3}
    assert not cell(ran, "host").constrains
    assert not any("host (resolved)" in each.first for each in ran.asked)
    assert all("host" not in each for each in ran.answer["objects"])
    whys = {event.why for event in ran.of("Dropped")}
    assert "none of the labels" in whys
    ran = run(small, cast, stable="1", check="off")
    claims = {claim.confidence for event in ran.of("Probed") for claim in event.claims if claim.value == "hamster"}
    assert claims == {0.9}
