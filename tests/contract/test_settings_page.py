"""docs/settings.md is what the settings classes say, and the documentation names only settings that exist."""

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from pincite_core.http_settings import HttpSettings
from pincite_core.settings import Settings

ROOT = Path(__file__).parents[2]
_NAMED = re.compile(r"PINCITE_[A-Z][A-Z0-9_]*[A-Z0-9]")
OF_THE_HARNESS = {"PINCITE_MODEL_API_KEY", "PINCITE_JUDGE_API_KEY", "PINCITE_TRIAL_TOKEN", "PINCITE_PAPERS"}
"""Variables that the command line, or the tests of an exported task, read or set themselves."""


def test_the_page_is_what_the_classes_say(module_at: Callable[[Path], ModuleType]) -> None:
    built = module_at(ROOT / "scripts/build_settings_page.py").page()
    assert (ROOT / "docs/settings.md").read_text() == built, "run python scripts/build_settings_page.py"


def test_every_setting_that_the_documentation_names_exists() -> None:
    known = {f"PINCITE_{name.upper()}" for kind in (Settings, HttpSettings) for name in kind.model_fields}
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")):
        named = set(_NAMED.findall(page.read_text()))
        assert named <= known | OF_THE_HARNESS, page.name
