"""pincite lab: a planted server that harms is found, with calls that erred and trials that were misled."""

import json
from pathlib import Path
from types import ModuleType

import pytest

from pincite_core.errors import BadInputError
from pincite_harness.cli.main import load_command

TASKS = 10


def test_a_planted_harmful_server_is_found(
    planted: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_PASS_LABELS", "yes")
    with planted.solver(7, 0.8) as model:
        families = planted.write_numbers(tmp_path, TASKS)
        assert planted.run_lab(families, tmp_path, "lab", model, "harmful", "--attempts", "1", "-n", "2") == 0
        asked = len(model.requests)
        assert planted.run_lab(families, tmp_path, "lab", model, "harmful", "--attempts", "1", "-n", "2") == 0
        assert len(model.requests) == asked, "a lab that is finished runs nothing again"
    folder = tmp_path / "lab"
    told = json.loads((folder / "lab.json").read_text())
    found = told["families"]["numbers"]
    accuracy = found["metrics"]["accuracy"]
    low, high = accuracy["gain"]["interval"]
    assert (accuracy["effect"], accuracy["gain"]["n"]) == ("harms", TASKS)
    assert low < high < 0
    assert (found["used_in"], found["calls"], found["erred"]) == (TASKS, TASKS, 1)
    assert len(found["misled"]) == round(TASKS * accuracy["without"] - TASKS * accuracy["with"])
    assert "t10__1" not in found["misled"], "its call erred"
    assert "facts harms" in (folder / "badge.svg").read_text()
    page = (folder / "report.html").read_text()
    assert "does facts help?" in page and "pincite verify with.bundle.zip" in page
    assert (folder / "with.bundle.zip").is_file() and told["bundles"]["with.bundle.zip"] in page


def test_a_lab_of_no_server_is_refused() -> None:
    with pytest.raises(BadInputError, match="No server"):
        load_command("lab").main(["numbers"], standalone_mode=False)
