"""The map of the repository names only what is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BASES = (
    "",
    "servers/pincite_papers",
    "servers/pincite_library",
    "servers/pincite_literature",
    "servers/pincite_models",
    "servers/pincite_documents",
    "servers/pincite_workbench",
    "servers/pincite_zotero",
    "servers/pincite_core",
    "servers/pincite_literature/sources",
    "sandbox/pincite_sandbox",
    "harness/pincite_doors/models",
    "harness/pincite_harness",
)
"""Where a path of the map may begin: a sentence that has named a package goes on inside it."""


@pytest.mark.parametrize("page", ["docs/architecture.md", "AGENTS.md"])
def test_every_path_of_the_map_is_there(page: str) -> None:
    quoted = re.findall(r"`([\w./-]+(?:/|\.(?:py|md|json|toml)))`", (ROOT / page).read_text())
    ours = [name for name in quoted if not name.startswith("wire/") and name not in {"trajectory.json", "server.py"}]
    assert ours
    missing = [name for name in ours if not any((ROOT / base / name).exists() for base in BASES)]
    assert not missing, missing


def test_every_package_is_on_the_map() -> None:
    page = (ROOT / "docs/architecture.md").read_text()
    packages = [path.parent.name for root in ("servers", "harness") for path in (ROOT / root).glob("*/__init__.py")]
    assert packages
    drawn = {"pincite_harness": "cli", **{name: name.removeprefix("pincite_") for name in packages}}
    assert not [name for name in packages if drawn[name] not in page]
