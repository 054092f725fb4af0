"""Imports point one way: core <- papers <- servers <- the Python door; core <- sandbox <- harness."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {
    path.parent.name: path.parent
    for root in ("servers", "harness", "sandbox")
    for path in (ROOT / root).glob("pincite*/__init__.py")
}
ARROWS = {
    "pincite": {"pincite_core", "pincite_papers", "pincite_figures"},
    "pincite_core": set[str](),
    "pincite_papers": {"pincite_core"},
    "pincite_documents": {"pincite_core", "pincite_papers"},
    "pincite_figures": {"pincite_core", "pincite_papers"},
    "pincite_literature": {"pincite_core", "pincite_papers", "pincite_materials"},
    "pincite_databases": {"pincite_core", "pincite_materials"},
    "pincite_library": {"pincite_core", "pincite_papers", "pincite_materials", "pincite_literature"},
    "pincite_provenance": {"pincite_core", "pincite_papers", "pincite_materials", "pincite_literature"},
    "pincite_materials": {"pincite_core"},
    "pincite_sandbox": {"pincite_core"},
    "pincite_harness": {
        "pincite_core",
        "pincite_sandbox",
        "pincite_papers",
        "pincite_materials",
        "pincite_documents",
        "pincite_figures",
        "pincite_library",
        "pincite_provenance",
    },
}
PAPERS_READERS = ("scoring", "marking", "trial", "building", "importing", "validation", "reports")
"""Parts of the harness that may read papers and materials directly; all else goes over MCP."""
OF_A_SERVER = {
    "pincite_library": "scoring",
    "pincite_provenance": "scoring",
    "pincite_figures": "building",
    "pincite_documents": "building",
}
"""The one part that may use a server's package itself: scoring its models and how it reads quantities, building its
pictures and references."""

INSIDE = [
    *(ROOT / "harness/pincite_harness/agents/programs").rglob("*.py"),
    *(ROOT / "sandbox/pincite_sandbox/guest").rglob("*.py"),
]
"""Programs that run inside a sandbox, where only Python's standard library is."""

LIBRARIES = {"pydantic_ai", "pydantic_core", "jsonschema"}
"""What the interpreter of the agents that ask a model has besides."""
THINKERS = (
    "answering",
    "conversation",
    "fitting",
    "forgetting",
    "react",
    "task_files",
    "terminus",
    "thinking",
    "toolbox",
    "zeroshot",
)
"""Modules of programs that may use these libraries."""
CREW_LIBRARIES = {"pydantic", "pydantic_ai"}
"""What the kernel of crews and its users may import beside the modules of programs."""


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """The top-level names that a file imports, with their lines."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module.partition(".")[0], node.lineno


def test_every_package_has_its_arrows() -> None:
    assert set(PACKAGES) == set(ARROWS)


@pytest.mark.parametrize("package", sorted(ARROWS))
def test_arrows(package: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in sorted(PACKAGES[package].rglob("*.py"))
        for name, line in imported(path)
        if name.startswith("pincite_") and name != package and name not in ARROWS[package]
    ]
    assert not wrong, "\n".join(wrong)


def test_only_the_named_parts_of_the_harness_read_papers() -> None:
    harness = PACKAGES["pincite_harness"]
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in sorted(harness.rglob("*.py"))
        for name, line in imported(path)
        if name in {"pincite_papers", "pincite_materials"}
        and path.relative_to(harness).parts[0].removesuffix(".py") not in PAPERS_READERS
    ]
    assert not wrong, "\n".join(wrong)


def test_a_servers_package_is_used_by_one_part_of_the_harness() -> None:
    harness = PACKAGES["pincite_harness"]
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in sorted(harness.rglob("*.py"))
        for name, line in imported(path)
        if path.relative_to(harness).parts[0] != OF_A_SERVER.get(name, path.relative_to(harness).parts[0])
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", INSIDE, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_programs_inside_a_sandbox_need_only_the_standard_library(path: Path) -> None:
    folder = next(parent for parent in path.parents if parent.name in {"programs", "guest"})
    own = {sibling.stem for sibling in [*path.parent.iterdir(), *folder.iterdir()]}
    foreign = {name for name, _ in imported(path)} - sys.stdlib_module_names - own
    if path.parent.name == "crew":
        assert foreign <= CREW_LIBRARIES
        return
    assert foreign <= (LIBRARIES if path.stem in THINKERS else set())
