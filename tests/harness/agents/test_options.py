"""Options of agents: the values that they take, and files that go into the sandbox with a copy's path."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import orjson
import pytest

from pincite_core.errors import BadInputError, NotFoundError, PinciteError
from pincite_harness.agents.agent import Briefing
from pincite_harness.agents.options import Given, Number, Option, check_options, named_files
from pincite_harness.agents.plugin import CommandAgent
from pincite_harness.agents.registry import absolute_options, get_agent
from pincite_harness.runs.specification import RunSpecification
from pincite_models.choice import ModelChoice

BRIEFING = Briefing(prompt="Go.", workdir="/work", tools={}, token="t", seconds=60)
CHOICE = ModelChoice.parse("openai:scripted", "http://127.0.0.1:9")
FRACTION = Number(0, 1, decimals=True)
CASES: list[tuple[Option, list[str], list[str]]] = [
    (Option("steps"), ["1", "200"], ["0", "-1", "1.5", "", "١", "1e3", "9" * 16]),
    (Option("switch", ("on", "off")), ["on", "off"], ["On", "", "1"]),
    (Option("repairs", number=Number(0)), ["0", "7"], ["-1", "0.5"]),
    (Option("tau", number=FRACTION), ["0", "0.5", "1", "1.0"], ["1.1", "-0.1", ".5", "nan", "1e-1", "0,5"]),
    (Option("shift", number=Number(-2, 2, decimals=True)), ["-2", "-0.5", "2"], ["-2.1", "--1"]),
    (Option("order", ("ranked",), number=Number(0, prefix="random:")), ["ranked", "random:0"], ["7", "random:"]),
    (Option("pages", number=Number(1, 9, span=True)), ["3", "2-5", "9-9"], ["5-2", "0-3", "2-", "-5", "2-10", "1-2-3"]),
    (Option("plan", ("none",), file=True), ["none", "plan.json", "/x/y"], [""]),
]


def test_what_options_take() -> None:
    wrong = [(option.meaning, value) for option, good, _ in CASES for value in good if not option.takes(value)]
    wrong += [(option.meaning, value) for option, _, bad in CASES for value in bad if option.takes(value)]
    assert wrong == []


def test_what_is_wrong_is_said_with_what_would_be_right() -> None:
    known = {option.meaning: option for option, _, _ in CASES}
    with pytest.raises(BadInputError, match="tau='2' is not a valid value") as caught:
        check_options("mine", {"tau": "2"}, known)
    assert caught.value.seen == "tau: a number from 0 to 1"
    with pytest.raises(BadInputError, match="mine has no option 'tua'"):
        check_options("mine", {"tua": "2"}, known)
    assert str(known["order"]) == "order: ranked or random:N, N a whole number from 0 on"
    assert str(known["pages"]) == "pages: a whole number from 1 to 9, or two of them as LOW-HIGH"


def test_a_word_of_an_option_is_no_file(tmp_path: Path) -> None:
    known = {"plan": Option("a plan", ("none",), file=True), "steps": Option("steps")}
    assert named_files({"plan": "none", "steps": "3"}, known) == {}
    path = tmp_path / "plan.json"
    path.write_text("[1]")
    given = Given.of({"plan": str(path), "steps": "3"}, named_files({"plan": str(path), "steps": "3"}, known))
    assert given.options == {"plan": ".given/plan", "steps": "3"}
    assert given.files == {".given/plan": b"[1]"}
    before = given.digests()
    path.write_text("[2]")
    assert Given.of({"plan": str(path)}, {"plan": path}).digests()[".given/plan"] != before[".given/plan"]
    for wrong, error in ((tmp_path, NotFoundError), (tmp_path / "gone", NotFoundError)):
        with pytest.raises(error, match="There is no file"):
            Given.of({}, {"plan": wrong})


def test_a_crew_of_ones_own_gets_files_behind_an_at_sign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "crew_of_mine.py").write_text("import crew\n")
    (tmp_path / "plan.json").write_text('["first"]')
    monkeypatch.chdir(tmp_path)
    options = absolute_options("crew_of_mine.py", {"plan": "@plan.json", "tau": "0.5", "dialect": "openai.chat"})
    assert options["plan"] == f"@{tmp_path.resolve()}/plan.json"
    monkeypatch.chdir("/")
    agent: Any = get_agent(f"{tmp_path}/crew_of_mine.py", options, ModelChoice.parse("openai:m"))
    launch = agent.launch(BRIEFING)
    assert orjson.loads(launch.files[".agent/options.json"]) == {"plan": ".given/plan", "tau": "0.5"}
    assert launch.files[".given/plan"] == b'["first"]'
    assert ".given/plan" in agent.digests()


class Plugged(CommandAgent):
    """An agent of another package."""

    version = "1"
    known_options: ClassVar[Mapping[str, str | Option]] = {
        "tone": "how it speaks",
        "tau": Option("tau", number=FRACTION),
        "plan": Option("a plan", file=True),
    }

    def command(self, briefing: Briefing) -> list[str]:
        return ["plugged", self.options["plan"]]


def test_an_agent_of_a_package_says_what_its_options_take(tmp_path: Path) -> None:
    (tmp_path / "plan").write_text("go")
    launch = Plugged("plugged", {"tone": "any", "plan": str(tmp_path / "plan"), "tau": "0.1"}, None).launch(BRIEFING)
    assert (launch.argv, launch.files[".given/plan"]) == (("plugged", ".given/plan"), b"go")
    with pytest.raises(BadInputError, match="tau='7' is not a valid value"):
        Plugged("plugged", {"tau": "7"}, None)


def test_files_are_kept_by_their_absolute_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert absolute_options("replay:run", {"volatile": "v.toml"}) == {"volatile": f"{tmp_path.resolve()}/v.toml"}
    assert absolute_options("react", {"steps": "3"}) == {"steps": "3"}
    assert absolute_options("nobody", {"a": "b"}) == {"a": "b"}


def test_a_large_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(10_000_001)
    with pytest.raises(PinciteError, match="too large"):
        Given.of({}, {"plan": path})


def test_a_prompt_of_the_users_own_takes_the_place_of_the_tasks(tmp_path: Path, make_family: Any) -> None:
    """For every agent that is given the task's prompt as it is: filled, in the lock, and refused before a run."""
    path = tmp_path / "mine.md"
    path.write_text("Only {{ unit }}.\n\n{{task}}")
    model = ModelChoice.parse("any", "http://127.0.0.1:9")
    names = ("react", "terminus", "claude-code", "codex", "gemini-cli", "qwen-code")
    for name in names:
        agent = get_agent(name, {"prompt": str(path)}, model)
        assert agent.prompt_for("The task.\n", {"unit": "kelvin"}) == "Only kelvin.\n\nThe task.", name
        before = agent.digests()
        path.write_text("Only {{unit}}, please.\n\n{{task}}")
        assert get_agent(name, {"prompt": str(path)}, model).digests() != before, name
        path.write_text("Only {{ unit }}.\n\n{{task}}")
        assert get_agent(name, {"prompt": "task"}, model).prompt_for("The task.", {}) == "The task.", name
    plain = get_agent("claude-code", {"prompt": str(path)}, model).launch(BRIEFING)
    assert plain.files[".home/prompt.md"] == b"Go.", "the harness has filled it"
    specification = RunSpecification(
        families={"tiny": str(make_family("tiny", servers='["documents"]'))},
        agent="react",
        agent_options={"prompt": str(path)},
        model=CHOICE,
    )
    with pytest.raises(BadInputError, match=r"asks for .*unit"):
        specification.plan(specification.load_families())
    path.write_text("Be brief. {{task}}")
    [plan, *_] = specification.plan(specification.load_families())
    assert plan.prompt == f"Be brief. {plan.family.fill_prompt(plan.task).strip()}"
