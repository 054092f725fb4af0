"""Imports point one way: core <- models <- papers <- servers <- the Python door, and core <- sandbox <- harness.

In the harness: tasks <- doors <- trajectory <- scoring <- agents <- marking <- trial <- harbor <- runs <- reports <-
analyses <- audit <- lab <- desk <- labels <- curation <- connecting <- cli.
"""

import ast
import importlib.util
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
    "pincite": {
        "pincite_core",
        "pincite_papers",
        "pincite_documents",
        "pincite_figures",
        "pincite_literature",
        "pincite_provenance",
    },
    "pincite_core": set[str](),
    "pincite_models": {"pincite_core"},
    "pincite_papers": {"pincite_core", "pincite_models"},
    "pincite_documents": {"pincite_core", "pincite_papers"},
    "pincite_figures": {"pincite_core", "pincite_models", "pincite_papers"},
    "pincite_literature": {"pincite_core", "pincite_papers", "pincite_materials"},
    "pincite_databases": {"pincite_core", "pincite_materials"},
    "pincite_library": {
        "pincite_core",
        "pincite_models",
        "pincite_papers",
        "pincite_figures",
        "pincite_materials",
        "pincite_literature",
    },
    "pincite_provenance": {
        "pincite_core",
        "pincite_models",
        "pincite_papers",
        "pincite_materials",
        "pincite_literature",
    },
    "pincite_materials": {"pincite_core"},
    "pincite_search": {"pincite_core", "pincite_papers", "pincite_library", "pincite_literature"},
    "pincite_zotero": {"pincite_core", "pincite_papers", "pincite_provenance"},
    "pincite_workbench": {"pincite_core", "pincite_papers", "pincite_sandbox"},
    "pincite_sandbox": {"pincite_core"},
    "pincite_tasks": {"pincite_core", "pincite_models", "pincite_sandbox"},
    "pincite_doors": {"pincite_core", "pincite_models", "pincite_tasks"},
    "pincite_trajectory": {"pincite_core", "pincite_models", "pincite_tasks", "pincite_doors"},
    "pincite_scoring": {
        "pincite_core",
        "pincite_models",
        "pincite_papers",
        "pincite_materials",
        "pincite_library",
        "pincite_provenance",
        "pincite_tasks",
        "pincite_doors",
        "pincite_trajectory",
    },
    "pincite_harness": {
        "pincite",
        "pincite_core",
        "pincite_models",
        "pincite_sandbox",
        "pincite_papers",
        "pincite_materials",
        "pincite_figures",
        "pincite_library",
        "pincite_provenance",
        "pincite_tasks",
        "pincite_doors",
        "pincite_trajectory",
        "pincite_scoring",
    },
}
FLOORS = (
    *("agents", "marking", "trial", "harbor", "runs", "reports", "training", "analyses"),
    *("bundles", "audit", "lab", "desk", "labels", "curation", "connecting", "cli"),
)
"""The parts of ``pincite_harness``, lowest first: each imports only what lies below it."""
PAPERS_READERS = ("marking", "trial", "curation", "reports", "training", "analyses", "audit", "lab", "desk", "labels")
"""Parts of ``pincite_harness`` that may read papers and materials directly; all else goes over MCP."""
DRAWERS = ("reports", "desk", "curation", "lab")
"""Parts of ``pincite_harness`` that draw the pages and figures of papers with the figures server's own code."""
AUDITORS = ("analyses", "audit", "lab", "desk", "cli", "reports")
"""Parts of ``pincite_harness`` that check claims with the provenance server's own code."""
LIBRARY_READERS = ("audit", "desk", "cli")
"""Parts of ``pincite_harness`` that read the papers of a library."""

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
    "deepresearch",
    "fitting",
    "forgetting",
    "paging",
    "rag",
    "react",
    "task_files",
    "terminus",
    "thinking",
    "toolbox",
    "zeroshot",
)
"""Modules of programs that may use these libraries."""
CREWS = ("crew", "sudokufill", "anagent", "literature", "parting")
"""The kernel of crews and the programs of ours that stand on it."""
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


def test_floors_of_the_harness() -> None:
    harness = PACKAGES["pincite_harness"]
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for path in sorted(harness.rglob("*.py"))
        for module, line in modules_of_the_harness(path)
        if _floor(module) > _floor(f"pincite_harness.{'.'.join(path.relative_to(harness).with_suffix('').parts)}")
    ]
    assert not wrong, "\n".join(wrong)


def test_every_part_of_the_harness_has_its_floor() -> None:
    parts = {path.parent.name for path in PACKAGES["pincite_harness"].glob("*/__init__.py")}
    assert parts == set(FLOORS)


def modules_of_the_harness(path: Path) -> Iterator[tuple[str, int]]:
    """The modules of ``pincite_harness`` that a file imports, with their lines."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("pincite_harness."):
            yield node.module, node.lineno


def _floor(module: str) -> int:
    part = module.split(".")[1]
    return FLOORS.index(part) if part in FLOORS else len(FLOORS)


@pytest.mark.parametrize(
    ("parts", "read"),
    [
        (PAPERS_READERS, {"pincite_papers", "pincite_materials"}),
        (DRAWERS, {"pincite_figures"}),
        (AUDITORS, {"pincite_provenance"}),
        (LIBRARY_READERS, {"pincite_library"}),
    ],
    ids=["papers", "figures", "provenance", "library"],
)
def test_only_the_named_parts_of_the_harness_read_papers(parts: tuple[str, ...], read: set[str]) -> None:
    harness = PACKAGES["pincite_harness"]
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in sorted(harness.rglob("*.py"))
        for name, line in imported(path)
        if name in read and path.relative_to(harness).parts[0] not in parts
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_no_folder_of_a_package_stands_in_a_cycle(package: str) -> None:
    spec = importlib.util.spec_from_file_location("count_cycles", ROOT / "scripts/count_cycles.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert not [f"{parent}: {', '.join(sorted(knot))}" for parent, knot, _ in script.cycles(PACKAGES[package])]


@pytest.mark.parametrize("path", INSIDE, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_programs_inside_a_sandbox_need_only_the_standard_library(path: Path) -> None:
    folder = next(parent for parent in path.parents if parent.name in {"programs", "guest"})
    own = {sibling.stem for sibling in [*path.parent.iterdir(), *folder.iterdir()]}
    foreign = {name for name, _ in imported(path)} - sys.stdlib_module_names - own
    if path.parent.name in CREWS:
        assert foreign <= CREW_LIBRARIES
        return
    assert foreign <= (LIBRARIES if path.stem in THINKERS else set())
