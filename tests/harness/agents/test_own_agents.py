"""Agents of a user's own: folders with requirements, images, and agents of other packages, as docs/agents.md shows."""

import re
import sys
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_core.errors import BadInputError, UnavailableError
from pincite_doors.testing import ScriptedModel, say
from pincite_harness.agents.plugin import load_plugin, plugin_names
from pincite_harness.agents.registry import get_agent
from pincite_harness.cli.main import main
from pincite_models.choice import ModelChoice
from pincite_sandbox.daemon import connect
from pincite_sandbox.images import DEFAULT_IMAGE
from pincite_sandbox.images.layer import check_image
from pincite_tasks.files import read_json

REPOSITORY = Path(__file__).parents[3]
KEY = "key-of-the-model-1"
MODEL = ModelChoice.parse("openai:gpt-5")
AGENT = """
import helper
from parts.words import WORD
print("it says", helper.VERSION, WORD)
open("answer.json", "w").write('{"properties": []}')
"""
LOOK = """
print(open("/opt/mark").read())
open("answer.json", "w").write('{"properties": []}')
"""
MINI = """#!/usr/bin/env python3
import json, os, sys
from urllib.request import Request, urlopen
prompt = open(sys.argv[sys.argv.index("--prompt") + 1]).read()
body = {"model": sys.argv[sys.argv.index("--model") + 1], "messages": [{"role": "user", "content": prompt}]}
headers = {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "Content-Type": "application/json"}
asked = Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", json.dumps(body).encode(), headers)
said = json.load(urlopen(asked))["choices"][0]["message"]["content"]
open("answer.json", "w").write(said)
open(os.environ["HOME"] + "/mini.log", "w").write("asked once, " + sys.argv[sys.argv.index("--tone") + 1])
"""

Pincite = Callable[..., str]


@pytest.fixture
def pincite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Pincite:
    """The command in ``tmp_path``; what it says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))

    def called(*words: str | Path, code: int = 0) -> str:
        monkeypatch.setattr(sys, "argv", ["pincite", *map(str, words)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert (ended.value.code or 0) == code, out + err
        return out + err

    return called


@pytest.fixture
def family(make_family: Any) -> Path:
    return make_family(servers="[]")


def wheel(folder: Path, name: str, version: str) -> Path:
    """A wheel with one module."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    about = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}.py", f"VERSION = {version!r}\n")
        archive.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An agent with a package of its own and a requirement."""
    path = tmp_path / "my_agent"
    (path / "parts").mkdir(parents=True)
    (path / "agent.py").write_text(AGENT)
    (path / "parts" / "words.py").write_text("WORD = 'hello'\n")
    (path / ".secret").write_text("is not taken along")
    (path / "requirements.txt").write_text(f"helper @ {wheel(tmp_path, 'helper', '1.0').as_uri()}\n")
    return path


def test_a_folder_with_requirements_runs_in_a_local_sandbox(
    pincite: Pincite, family: Path, folder: Path, tmp_path: Path
) -> None:
    words = ("run", "tiny", "--tasks", family, "--agent", "./my_agent", "--sandbox", "local", "--unsafe")
    pincite(*words, "--name", "one")
    log = tmp_path / "runs" / "one" / "trials" / "t1__1" / "agent.log"
    assert "it says 1.0 hello" in log.read_text()
    digests = read_json(tmp_path / "runs" / "one" / "run.json")["lock"]["digests"]
    files = {name for name in digests if name.startswith("agent/")}
    assert files == {f"agent/.agent/my_agent/{name}" for name in ("agent.py", "parts/words.py", "requirements.txt")}
    [made] = (tmp_path / "cache" / "agents").glob("*/complete")
    before = made.stat().st_mtime_ns
    pincite(*words, "--name", "two")
    assert made.stat().st_mtime_ns == before, "installed once"

    (folder / "requirements.txt").write_text("helper @ file:///nowhere/helper-2.0-py3-none-any.whl\n")
    said = pincite(*words, "--name", "three", code=1)
    assert "could not be installed" in said
    assert "/nowhere/helper-2.0" in said
    assert not (tmp_path / "runs" / "three").exists()
    assert not list((tmp_path / "cache" / "agents").glob("*/complete"))[1:], "half an environment is none"


def test_what_is_wrong_with_a_folder_is_said(folder: Path, tmp_path: Path) -> None:
    assert get_agent(f"{folder}/", {"entry": "parts/words.py", "dialect": "openai.chat"}, MODEL).name == "my_agent"
    faults: dict[str, Callable[[], object]] = {
        "no entry file": lambda: get_agent(str(folder), {"entry": "gone.py"}),
        "There is no dialect": lambda: get_agent(str(folder), {"dialect": "esperanto"}),
        "no options but": lambda: get_agent(str(folder), {"colour": "red"}),
        "leads out": lambda: (
            (folder / "link.py").symlink_to(tmp_path / "helper-1.0-py3-none-any.whl") or get_agent(str(folder))
        ),
    }
    for said, make in faults.items():
        with pytest.raises(BadInputError, match=said):
            make()


@pytest.fixture
def images(docker_ready: None) -> Iterator[Callable[[str, str], str]]:
    """Builds an image of a recipe that follows the sandbox's base; removed at the end."""
    client = connect()
    made: set[str] = set()

    def build(name: str, recipe: str) -> str:
        image, _ = client.images.build(fileobj=BytesIO(recipe.encode()), tag=name, rm=True)
        made.add(str(image.id))
        return name

    yield build
    for image in made:
        client.images.remove(image, force=True)
    client.close()


@pytest.mark.docker
def test_an_agent_runs_in_an_image_of_its_own(
    pincite: Pincite, family: Path, tmp_path: Path, images: Callable[[str, str], str]
) -> None:
    (tmp_path / "look.py").write_text(
        "print(open('/opt/mark').read())\nopen('answer.json', 'w').write('{\"properties\": []}')"
    )
    own = images("pincite-test-own:1", f'FROM {DEFAULT_IMAGE}\nRUN echo mine > /opt/mark\nENTRYPOINT ["false"]\n')
    words = ("run", "tiny", "--tasks", family, "--agent", "look.py", "--image", own)
    pincite(*words, "--name", "one")
    run = tmp_path / "runs" / "one"
    assert "mine" in (run / "trials" / "t1__1" / "agent.log").read_text()
    assert read_json(run / "trials" / "t1__1" / "trial.json")["sandbox"]["backend"] == "docker"
    images("pincite-test-own:1", f"FROM {DEFAULT_IMAGE}\nRUN echo other > /opt/mark\n")
    assert "agent/image" in pincite("resume", run, code=2)
    assert "has no image" in pincite(*words, "--sandbox", "local", code=2)
    without = images("pincite-test-own:2", f"FROM {DEFAULT_IMAGE}\nRUN rm -f /usr/bin/python3 /usr/local/bin/python3\n")
    with pytest.raises(BadInputError, match="no python3"):
        check_image(without)
    with pytest.raises(BadInputError, match="no command mini-agent"):
        check_image(DEFAULT_IMAGE, ["mini-agent"])
    with pytest.raises(UnavailableError, match="not on this machine"):
        check_image("pincite-test-own:none")


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, str], None]:
    """Installs a distribution of one module with entry points, as pip would lay it down."""
    site = tmp_path / "site"
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])

    def install(name: str, module: str, points: str) -> None:
        about = site / f"{name}-1.0.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[pincite.agents]\n{points}\n")
        (site / f"{name}.py").write_text(module)

    return install


@pytest.fixture
def example() -> tuple[str, str]:
    """The module and the entry point of docs/agents.md."""
    page = (REPOSITORY / "docs" / "agents.md").read_text(encoding="utf-8")
    section = page.partition("## An agent of your own")[2].partition("\n## ")[0]
    [module] = re.findall(r"^```python\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    [project] = re.findall(r"^```toml\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    return module, project.partition('[project.entry-points."pincite.agents"]\n')[2]


def test_the_example_of_the_page_runs(
    example: tuple[str, str], packages: Any, pincite: Pincite, family: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, bubblewrap_ready: None,
) -> None:  # fmt: skip
    module, point = example
    packages("mini_agent", module, point.replace('"', ""))
    command = tmp_path / "mini" / "bin" / "mini-agent"
    command.parent.mkdir(parents=True)
    command.write_text(MINI)
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}:{Path('/usr/bin')}:/bin")
    monkeypatch.setenv("PINCITE_MODEL_API_KEY", KEY)
    with ScriptedModel([say('{"properties": []}')], key=KEY) as model:
        options = ("--model", "openai:gpt-5", "--model-url", model.url, "--agent-option", "tone=kind")
        pincite("run", "tiny", "--tasks", family, "--agent", "mini", *options, "--sandbox", "local", "--name", "one")
    trial = tmp_path / "runs" / "one" / "trials" / "t1__1"
    record = read_json(trial / "trial.json")
    assert (record["status"], record["agent"], record["agent_version"]) == ("completed", "mini", "1.0"), (
        trial / "agent.log"
    ).read_text()
    assert record["model_calls"] == 1
    assert "asked once, kind" in "".join(path.read_text() for path in (trial / "agent").rglob("mini.log"))
    assert KEY.encode() not in orjson.dumps(record)
    with pytest.raises(BadInputError, match="no option 'colour'"):
        get_agent("mini", {"colour": "red"}, MODEL)


def test_a_broken_package_disturbs_no_other(
    example: tuple[str, str], packages: Any, pincite: Pincite, capsys: pytest.CaptureFixture[str]
) -> None:
    module, point = example
    packages("mini_agent", module, point.replace('"', ""))
    packages("broken_agent", "import sys\nsys.exit('not on Mondays')", "broken = broken_agent:Agent")
    packages(
        "odd_agent", "def Agent(name, options, model):\n    return 7", "odd = odd_agent:Agent\nreact = odd_agent:Agent"
    )
    assert {"mini", "broken", "odd"} <= set(plugin_names())
    said = pincite("agents")
    assert re.search(r"^mini +a command line that asks once \(mini_agent 1.0\)$", said, re.MULTILINE)
    assert "--agent-option tone=…  how it speaks" in said
    assert "cannot be loaded: SystemExit: not on Mondays (broken_agent 1.0)" in said
    assert "brings an agent react too, which is not taken" in said
    assert load_plugin("mini").fault == ""
    with pytest.raises(UnavailableError, match="not on Mondays"):
        get_agent("broken")
    with pytest.raises(UnavailableError, match="is not an agent"):
        get_agent("odd")
    with pytest.raises(BadInputError, match="mini"):
        get_agent("nonsense")
