"""Versions of what the agents' image holds, from the file that pins them."""

import json
from pathlib import Path

MANIFEST = Path(__file__).with_name("package.json")
"""Beside it lies npm's lock file."""


def agents_versions() -> dict[str, str]:
    """Versions of the CLI agents and of Node that the image has, by npm's names and ``node``."""
    described = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return {**described["dependencies"], "node": described["engines"]["node"]}
