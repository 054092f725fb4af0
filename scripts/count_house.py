"""Counts how orderly the code is: python scripts/count_house.py [--show].

``--show`` lists the places behind each count that has places.
"""

import argparse
import ast
import re
import runpy
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from build_heuristics_page import thresholds

ROOT = Path(__file__).parents[1]
SOURCES = ("servers", "harness", "sandbox")
SOURCE = "semantic_scholar"
"""A literature source whose name is used for nothing else: each module that names it is a place to touch."""
STAND_INS = "harness/pincite_tasks/corpus"
"""What imitates the sources for trials; it is not part of adding one."""
IS_NO = re.compile(r"(?<!\bthere )(?<!\bThere )\b(?:is|are) no (?!\w+er\b|more\b|less\b)")
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

Import = tuple[str, int]
"""The dotted name of a module, or of something in one, and the line that imports it."""


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the product with its dotted name, text and syntax tree."""

    path: Path
    name: str
    text: str
    tree: ast.Module

    def imports(self) -> Iterator[Import]:
        """What it imports of pincite when it runs: not what only a type checker reads."""
        skipped = {id(inner) for node in ast.walk(self.tree) if _is_typing(node) for inner in ast.walk(node)}
        for node in ast.walk(self.tree):
            if id(node) in skipped:
                continue
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("pincite"):
                yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from ((alias.name, node.lineno) for alias in node.names if alias.name.startswith("pincite"))


@dataclass(slots=True)
class Count:
    """One number, with the places that it counts."""

    title: str
    number: float
    places: list[str] = field(default_factory=list[str])


def modules() -> list[Module]:
    """All modules under the source roots."""
    found: list[Module] = []
    for source in SOURCES:
        for path in sorted((ROOT / source).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT / source).with_suffix("").parts).removesuffix(".__init__")
            text = path.read_text()
            found.append(Module(path.relative_to(ROOT), name, text, ast.parse(text)))
    return found


def counts() -> list[Count]:
    """Every count, in the order in which they are printed."""
    house = modules()
    lines = sum(len(module.text.splitlines()) for module in house)
    nested = [place for module in house for place in _nested(module)]
    cycles, back = _cycles(house), _arrows_back(house)
    naming = [str(one.path) for one in house if SOURCE in one.text and not str(one.path).startswith(STAND_INS)]
    bare = [f"{one.module}: {one.name}" for one in thresholds() if not one.note]
    is_no = [place for module in house for place in _sentences(module)]
    return [
        Count("modules", len(house)),
        Count("lines", lines),
        Count("cycles of sub-packages", len(cycles), cycles),
        Count("arrows back up", len(back), back),
        Count(f"modules that name a literature source ({SOURCE})", len(naming), naming),
        Count("thresholds without a reason", len(bare), bare),
        Count("nested comprehensions per 1,000 lines", round(1000 * len(nested) / lines, 2), nested),
        Count('"is no" sentences', len(is_no), is_no),
        Count("README words", len((ROOT / "README.md").read_text().split())),
    ]


def _is_typing(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _nested(module: Module) -> Iterator[str]:
    """Comprehensions that stand inside another one."""
    inner: set[int] = set()
    for node in ast.walk(module.tree):
        if not isinstance(node, COMPREHENSIONS):
            continue
        for below in ast.walk(node):
            if below is not node and isinstance(below, COMPREHENSIONS) and id(below) not in inner:
                inner.add(id(below))
                yield f"{module.path}:{below.lineno}"


def _sentences(module: Module) -> Iterator[str]:
    for number, line in enumerate(module.text.splitlines(), start=1):
        if IS_NO.search(line):
            yield f"{module.path}:{number}: {line.strip()}"


def _cycles(house: list[Module]) -> list[str]:
    """Groups of sub-packages that import each other in a circle, imports inside functions included.

    A sub-package is a folder without folders in it; a module beside folders counts by itself.
    """
    holding = {module.name.rpartition(".")[0] for module in house if module.path.name == "__init__.py"}
    homes = {module.name: _home(module, holding) for module in house}
    arrows: dict[str, set[str]] = defaultdict(set)
    for module in house:
        own = homes[module.name]
        targets = (homes.get(name) or homes.get(name.rpartition(".")[0]) for name, _ in module.imports())
        arrows[own] |= {target for target in targets if target and target != own}
    reached = {home: _reached(home, arrows) for home in set(homes.values())}
    groups: set[frozenset[str]] = set()
    for home, others in reached.items():
        circle = frozenset(other for other in others if home in reached[other])
        if len(circle) > 1:
            groups.add(circle)
    return sorted(", ".join(sorted(group)) for group in groups)


def _home(module: Module, holding: set[str]) -> str:
    """The sub-package that a module counts for; ``holding`` are the folders with folders in them."""
    folder = module.name if module.path.name == "__init__.py" else module.name.rpartition(".")[0]
    return module.name if folder in holding else folder


def _reached(start: str, arrows: dict[str, set[str]]) -> set[str]:
    """What can be reached from ``start`` by one arrow or more."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for target in arrows[waiting.pop()] - found:
            found.add(target)
            waiting.append(target)
    return found


def _arrows_back(house: list[Module]) -> list[str]:
    """Imports against the arrows between packages, and up the floors of the harness, that tests/contract pins."""
    pinned = runpy.run_path(str(ROOT / "tests/contract/test_imports.py"))
    allowed, floors = pinned["ARROWS"], pinned["FLOORS"]
    found: list[str] = []
    for module in house:
        package, _, inside = module.name.partition(".")
        for name, line in module.imports():
            target, _, target_inside = name.partition(".")
            own, other = inside.split(".")[0], target_inside.split(".")[0]
            across = target != package and target not in allowed.get(package, ())
            floored = package == target == "pincite_harness" and own in floors and other in floors
            if across or (floored and floors.index(other) > floors.index(own)):
                found.append(f"{module.path}:{line}: {name}")
    return found


def main() -> None:
    """Print every count."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--show", action="store_true", help="list the places behind each count")
    show = options.parse_args().show
    for count in counts():
        print(f"{count.number:>9,}  {count.title}")
        for place in count.places if show else ():
            print(f"             {place}")


if __name__ == "__main__":
    main()
