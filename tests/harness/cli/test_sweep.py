"""pincite sweep: the settings that it runs, going on, and the ablation table."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from pincite_core.errors import BadInputError
from pincite_harness.cli.main import load_command
from pincite_harness.runs.settings import parse_vary, settings_of

VARIED = ("order=ranked,schema,random:1", "reuse=on,off")


def names(design: str) -> list[str]:
    return [setting.name for setting in settings_of(parse_vary(VARIED), design)]  # pyright: ignore[reportArgumentType]


def test_the_full_system_comes_first_then_each_single_change() -> None:
    assert names("one-at-a-time") == ["full", "order=schema", "order=random-1", "reuse=off"]


def test_a_grid_has_every_combination() -> None:
    assert names("grid") == [
        "full",
        "reuse=off",
        "order=schema",
        "order=schema+reuse=off",
        "order=random-1",
        "order=random-1+reuse=off",
    ]


def test_what_each_setting_gives_to_run() -> None:
    settings = settings_of(parse_vary(["without=none,figures", "rounds=2,1"]), "one-at-a-time")
    assert [setting.arguments() for setting in settings] == [
        ["--agent-option", "rounds=2"],
        ["--without", "figures", "--agent-option", "rounds=2"],
        ["--agent-option", "rounds=1"],
    ]


@pytest.mark.parametrize("vary", [["order"], ["order=a"], ["order=a,a"], ["order=a,"], ["a=1,2", "a=3,4"], []])
def test_what_varies_nothing_is_refused(vary: Sequence[str]) -> None:
    with pytest.raises(BadInputError):
        parse_vary(vary)


def test_a_grid_that_is_too_large_is_refused() -> None:
    with pytest.raises(BadInputError, match="256 runs"):
        settings_of(parse_vary([f"n{k}=a,b" for k in range(8)]), "grid")


def test_a_sweep_runs_goes_on_and_compares(tmp_path: Path) -> None:
    family = tmp_path / "families" / "asked"
    family.mkdir(parents=True)
    (family / "family.toml").write_text('name = "asked"\ntitle = "Asked"\nscorer = "literature_qa"\n')
    (family / "prompt.md").write_text("Answer.")
    shutil.copy(Path(__file__).parents[3] / "tasks/literature_qa/schema.json", family / "schema.json")
    gold = {"kind": "text", "answer": "argon"}
    lines = [{"task_id": name, "inputs": {}, "gold": gold} for name in ("one", "two")]
    (family / "records.jsonl").write_text("\n".join(map(json.dumps, lines)))
    words = ["asked", "--tasks", str(tmp_path / "families"), "--unsafe", "--sandbox", "local"]
    words += ["--vary", "agent=oracle,nop", "--out", str(tmp_path), "--name", "swept"]

    # nop leaves no answer, which is a failed trial and a score of 0.
    assert load_command("sweep").main(words, standalone_mode=False) == 1
    folder = tmp_path / "swept"
    told = json.loads((folder / "ablation.json").read_text())["families"]["asked"]["accuracy"]
    assert [(one["setting"], one["mean"]["mean"]) for one in told] == [("full", 1.0), ("agent=nop", 0.0)]
    assert (told[1]["difference"]["n"], told[1]["difference"]["mean"]) == (2, -1.0)
    assert told[0]["difference"] is None
    assert "Ablation" in (folder / "report.html").read_text()

    kept = (folder / "full" / "trials" / "one__1" / "trial.json").stat().st_mtime_ns
    shutil.rmtree(folder / "agent=nop" / "trials" / "two__1")
    assert load_command("sweep").main(words, standalone_mode=False) == 1
    assert (folder / "agent=nop" / "trials" / "two__1" / "trial.json").is_file()
    assert (folder / "full" / "trials" / "one__1" / "trial.json").stat().st_mtime_ns == kept

    words[words.index("agent=oracle,nop")] = "agent=nop,oracle"
    with pytest.raises(BadInputError, match="another sweep"):
        load_command("sweep").main(words, standalone_mode=False)


def test_every_setting_is_checked_before_the_first_is_run(tmp_path: Path) -> None:
    words = ["literature_qa", "--agent", "sudokufill", "--model", "m", "--model-url", "http://127.0.0.1:9"]
    words += ["--vary", "order=ranked,alphabetical", "--out", str(tmp_path), "--name", "swept"]
    with pytest.raises(BadInputError, match="order=alphabetical cannot be run"):
        load_command("sweep").main(words, standalone_mode=False)
    assert not (tmp_path / "swept").exists()
