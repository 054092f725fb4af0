"""Naming an agent: its options, and whether it fits the model."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pincite_core.errors import BadInputError
from pincite_harness.agents.registry import AGENTS, get_agent
from pincite_harness.cli.main import app
from pincite_harness.runs.specification import RunSpecification
from pincite_models.choice import ModelChoice
from pincite_tasks.family import FamilyLimits

MODEL = ModelChoice.parse("openai:gpt-5")


@pytest.fixture
def own(tmp_path: Path) -> str:
    path = tmp_path / "mine.py"
    path.write_text("pass")
    return str(path)


def test_an_own_program_says_through_which_api_it_asks(own: str) -> None:
    agent = get_agent(own, {"dialect": "openai.chat"}, MODEL)
    assert agent.dialect == "openai.chat"
    assert get_agent(own).dialect is None


@pytest.mark.parametrize(
    ("options", "model", "said"),
    [
        ({"dialect": "openai.chat"}, None, "needs a model"),
        ({}, MODEL, "asks no model"),
        ({"dialect": "esperanto"}, MODEL, "no dialect"),
        ({"colour": "red"}, None, "has no options"),
    ],
)
def test_what_does_not_fit_is_said(own: str, options: dict[str, str], model: ModelChoice | None, said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        get_agent(own, options, model)


def test_an_agent_without_options_refuses_one() -> None:
    with pytest.raises(BadInputError, match="has no options"):
        get_agent("baseline", {"fast": "yes"})
    with pytest.raises(BadInputError, match="has no options"):
        get_agent("nop:now")


def test_every_agent_is_described() -> None:
    assert all(entry.description and ":" in entry.factory for entry in AGENTS.values())


def test_limits_are_replaced_by_name() -> None:
    limits = FamilyLimits().changed({"model_calls": 3, "cost_usd": 0.5})
    assert (limits.model_calls, limits.cost_usd, limits.tool_calls) == (3, 0.5, FamilyLimits().tool_calls)
    for wrong in ({"model_call": 3}, {"cost_usd": -1}, {"model_calls": 2.5}):
        with pytest.raises(BadInputError, match="cannot be set"):
            FamilyLimits().changed(wrong)


@pytest.mark.parametrize(("name", "known"), [("gpt-5", True), ("a-model-of-mine", False)])
def test_a_limit_of_cost_needs_a_known_price(
    own: str, make_family: Callable[..., Path], name: str, known: bool
) -> None:
    folder = make_family(limits="cost_usd = 1.0", servers="[]")
    specification = RunSpecification(
        families={"tiny": str(folder)},
        agent=own,
        agent_options={"dialect": "openai.chat"},
        model=ModelChoice.parse(f"openai:{name}", "http://127.0.0.1:9"),
    )
    families = specification.load_families()
    if known:
        assert len(specification.plan(families)) == 1
    else:
        with pytest.raises(BadInputError, match="price of a-model-of-mine is not known"):
            specification.plan(families)


def test_the_agents_are_listed_with_their_options() -> None:
    listed = CliRunner().invoke(app, ["agents"])
    assert listed.exit_code == 0
    for name in AGENTS:
        assert f"\n{name} " in f"\n{listed.output}"
    assert "--agent-option pages=…" in listed.output
