"""docs/tasks.md, "A family of your own": what it prints is copied, checked, and got right by the oracle's answer."""

import re
import shutil
from pathlib import Path

import pytest

from pincite_harness.curation.validation.check import check_family
from pincite_scoring import Case, ScoringOptions, score
from pincite_scoring.scorer import get_scorer
from pincite_tasks.catalog import Catalog
from pincite_tasks.family import FamilyLimits, FamilySettings

REPOSITORY = Path(__file__).parents[2]
PAGE = REPOSITORY / "docs" / "tasks.md"
FILES = ("family.toml", "prompt.md", "schema.json", "records.jsonl")


@pytest.fixture
def section() -> str:
    return PAGE.read_text(encoding="utf-8").partition("## A family of your own")[2].partition("\n## ")[0]


def test_the_family_of_the_page_is_sound(section: str, tmp_path: Path) -> None:
    blocks = re.findall(r"^```(?:toml|markdown|json)\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    folder = tmp_path / "my-tasks" / "my_family"
    (folder / "papers").mkdir(parents=True)
    for name, text in zip(FILES, blocks, strict=True):
        (folder / name).write_text(text, encoding="utf-8")
    shutil.copyfile(REPOSITORY / "tasks" / "literature_qa" / "papers" / "kelp_nitrate.pdf", folder / "papers" / "a.pdf")
    family = Catalog(tmp_path / "my-tasks").family("my_family")
    findings = check_family(family)
    assert (findings.faults, findings.notes) == ([], [])
    (task,) = family.tasks
    scorer = get_scorer(family.settings.scorer)
    case = Case(scorer.ideal(task.gold), task.gold, parameters=task.parameters)
    assert score(scorer.name, case, ScoringOptions()).metrics["accuracy"] == 1.0


def test_the_page_names_every_limit_and_the_keys_that_a_family_needs(section: str) -> None:
    assert all(f"`{name}`" in section for name in FamilyLimits.model_fields)
    needed = [name for name, field in FamilySettings.model_fields.items() if field.is_required()]
    assert all(f"{name} = " in section for name in needed)
