"""A run of an agent that asks a scripted model, and its bundle."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pincite_doors.testing import ScriptedModel, call, say
from pincite_harness.cli.main import app

GOLD = {
    "properties": [
        {
            "material_or_system": "YBa2Cu3O7",
            "property_name": "critical temperature",
            "value_string": "93",
            "value_unit": "K",
            "location": {"page": 1, "source_type": "text", "evidence": "words that stand nowhere"},
        }
    ]
}


@dataclass(frozen=True)
class Bundled:
    """A run's folder, the folder of its family, and its bundle."""

    run: Path
    families: Path
    bundle: Path


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Result]]:
    """A pincite command in this process, with a cache of the test's own."""

    def called(*words: object, code: int = 0) -> Result:
        done = CliRunner().invoke(app, [*map(str, words)])
        assert done.exit_code == code, (done.output, done.exception)
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("PINCITE_MODEL_API_KEY", "sk-planted-bundle-key")
        yield called


@pytest.fixture(scope="module")
def bundled(
    command: Callable[..., Result], write_family: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory
) -> Bundled:
    """Two tasks, each answered after a tool call by a scripted model, bundled with their family."""
    place = tmp_path_factory.mktemp("bundled")
    family = write_family(place, servers='["materials"]', gold=GOLD, tasks=2)
    run, out = place / "runs" / "r", place / "r.zip"
    asked = call("materials.compare_formulas", a="YBa2Cu3O7", b="YBa2Cu3O6.9")
    answered = call("write_answer", answer=GOLD)
    with ScriptedModel([asked, answered, say("Done.")] * 2, key="sk-planted-bundle-key") as model:
        words = ["run", "tiny", "--tasks", family, "--agent", "react", "--model", "scripted"]
        words += ["--model-url", model.url, "--sandbox", "local", "--out", run.parent, "--name", "r"]
        command(*words)
    command("bundle", run, "--out", out, "--families")
    return Bundled(run, family.parent, out)
