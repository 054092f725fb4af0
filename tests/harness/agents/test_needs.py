"""What agents say they need, and runs that are refused because their limits are below."""

import sys
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_harness.agents.crew import CrewAgent
from pincite_harness.agents.needs import Needs, read_needs
from pincite_harness.agents.registry import get_agent
from pincite_harness.cli.main import main
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.needs import check_needs
from pincite_models.choice import ModelChoice

CREW = 'import crew\nNEEDS = {"calls": 100, "calls_a_page": 60, "seconds": 0.5, "tokens_a_page": 4e3}\n'
MODEL = ModelChoice.parse("openai:gpt-5")


def made(tmp_path: Path, text: str = CREW, **options: str) -> Any:
    path = tmp_path / "mine.py"
    path.write_text(text)
    return get_agent(str(path), {"dialect": "openai.chat", **options}, MODEL)


def test_a_program_writes_its_needs_out(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(CREW)
    stated = read_needs(path)
    assert stated is not None
    assert (stated.of(0), stated.of(3)) == (Needs(100, 0.5, 0), Needs(280, 0.5, 12_000))
    for nothing in ("", "import crew\n", "def NEEDS(): ...\n", "not python", "\0"):
        path.write_text(nothing)
        assert read_needs(path) is None, nothing
    for wrong in ("3", "{'calls': needed()}", "{'call': 3}", "{'calls': -1}", "{'calls': '3'}", "{**other}", "{3: 3}"):
        path.write_text(f"NEEDS = {wrong}\n")
        with pytest.raises(BadInputError, match=r"NEEDS of program\.py"):
            read_needs(path)


def test_a_smaller_budget_of_its_own_is_all_that_it_needs(tmp_path: Path) -> None:
    agent = made(tmp_path, calls="70", tokens="0", seconds="soon")
    assert isinstance(agent, CrewAgent)
    task: Any = type("Task", (), {"papers": [Path("a"), Path("b")]})()
    family: Any = None
    assert agent.needs(family, task, lambda _: 5) == Needs(70, 0.5, 40_000)
    assert made(tmp_path, "import crew\n").needs(family, task, lambda _: 5) is None


def specification(family: Path, tmp_path: Path, **more: Any) -> RunSpecification:
    (tmp_path / "mine.py").write_text(CREW)
    known = {"families": {family.name: str(family)}, "agent": str(tmp_path / "mine.py"), "model": MODEL}
    return RunSpecification(**known, agent_options={"dialect": "openai.chat"}, **more)


def test_limits_below_are_refused_with_the_numbers_to_give(
    make_family: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    family = make_family(tasks=5, servers="[]", limits="model_calls = 200")
    short = specification(family, tmp_path, limits={"tokens": 7000}, attempts=2)
    with pytest.raises(BadInputError, match="mine needs more than the limits of 5 of 5 tasks") as caught:
        check_needs(short.plan(short.load_families()))
    assert caught.value.next == "--limit model_calls=220 --limit tokens=8000", "two pages each"
    first = "t1 220 model_calls (limit 200) and 8000 tokens (limit 7000)"
    assert str(caught.value.seen).startswith(first)
    assert str(caught.value.seen).endswith("and 2 more tasks")
    given = specification(family, tmp_path, limits={"tokens": 8000, "model_calls": 220})
    check_needs(given.plan(given.load_families()))


def test_a_paper_that_cannot_be_opened_is_left_to_its_trial(make_family: Any, tmp_path: Path) -> None:
    family = make_family(servers="[]")
    (family / "papers" / "a.pdf").write_bytes(b"no paper")
    given = specification(family, tmp_path)
    check_needs(given.plan(given.load_families()))


def test_a_refused_run_leaves_no_folder(
    make_family: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text('import crew\nNEEDS = {"calls": 500}\n')
    family = make_family(servers="[]")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_MODEL_API_KEY", "key-of-the-model-1")
    words = ["run", "tiny", "--tasks", str(family), "--agent", "mine.py", "--agent-option", "dialect=openai.chat"]
    monkeypatch.setattr(sys, "argv", ["pincite", *words, "--model", "openai:gpt-5"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code
    assert "--limit model_calls=500" in capsys.readouterr().err
    assert not (tmp_path / "runs").exists()
