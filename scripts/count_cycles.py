"""List the import cycles between the folders inside each package.

A folder and its neighbours (folders and modules of one parent) form a graph: an arrow leads from the one whose modules
import to the one they import from. A cycle is a set of neighbours that all reach each other, one of them a folder.

    python scripts/count_cycles.py [PACKAGE…]
"""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE_ROOTS = ("servers", "harness", "sandbox")

Graph = dict[str, dict[str, list[str]]]
"""Neighbour -> neighbour it imports from -> the places that do so (``module:line imports module``)."""


def packages() -> dict[str, Path]:
    """Every package of the repository with its folder."""
    found = [path.parent for root in SOURCE_ROOTS for path in (ROOT / root).glob("pincite*/__init__.py")]
    return {folder.name: folder for folder in sorted(found)}


def modules_of(folder: Path) -> dict[str, Path]:
    """Every module under a package's folder by its dotted name; a package's ``__init__`` has the package's own name."""
    modules: dict[str, Path] = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        modules[".".join(parts).removesuffix(".__init__")] = path
    return modules


def imports_of(path: Path, modules: dict[str, Path]) -> Iterator[tuple[str, int]]:
    """The modules of the same package that a file imports, anywhere in it, with their lines."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [_module_of(node.module, alias.name, modules) for alias in node.names]
        else:
            continue
        yield from ((name, node.lineno) for name in names if name in modules)


def _module_of(source: str, name: str, modules: dict[str, Path]) -> str:
    inner = f"{source}.{name}"
    return inner if inner in modules else source


def graphs(folder: Path) -> dict[str, Graph]:
    """One graph a parent folder (dotted name) over its neighbours."""
    modules = modules_of(folder)
    found: dict[str, Graph] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for name, path in modules.items():
        for imported, line in imports_of(path, modules):
            parent, here, there = _neighbours(name, imported)
            if here and there:
                found[parent][here][there].append(f"{name}:{line} imports {imported}")
    return found


def _neighbours(name: str, imported: str) -> tuple[str, str, str]:
    """The lowest folder that holds both modules, and the part of it that each belongs to ("" for the folder itself)."""
    here, there = name.split("."), imported.split(".")
    depth = 0
    while depth < min(len(here), len(there)) and here[depth] == there[depth]:
        depth += 1
    return ".".join(here[:depth]), "".join(here[depth : depth + 1]), "".join(there[depth : depth + 1])


def cycles(folder: Path) -> list[tuple[str, set[str], Graph]]:
    """The cycles of a package: parent folder, its neighbours in the cycle, and the graph they stand in."""
    folders = {".".join(path.parent.relative_to(folder.parent).parts) for path in folder.rglob("*.py")}
    found: list[tuple[str, set[str], Graph]] = []
    for parent, graph in sorted(graphs(folder).items()):
        knots = [knot for knot in _knots(graph) if any(f"{parent}.{name}" in folders for name in knot)]
        found.extend((parent, knot, graph) for knot in knots)
    return found


def _knots(graph: Graph) -> list[set[str]]:
    """Sets of two or more neighbours that all reach each other."""
    reached = {name: _reach(graph, name) for name in graph}
    knots: list[set[str]] = []
    for name in sorted(graph):
        knot = {other for other in reached[name] if name in reached.get(other, set())}
        if len(knot) > 1 and knot not in knots:
            knots.append(knot)
    return knots


def _reach(graph: Graph, start: str) -> set[str]:
    reached: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(graph.get(name, ()))
    return reached


def main() -> None:
    """Print each cycle with the imports in it and, last, how many there are."""
    wanted = sys.argv[1:]
    count = 0
    for package, folder in packages().items():
        if wanted and package not in wanted:
            continue
        for parent, knot, graph in cycles(folder):
            count += 1
            print(f"{parent}: {', '.join(sorted(knot))}")
            for here in sorted(knot):
                for there in sorted(knot & set(graph[here])):
                    print(f"  {here} -> {there}")
                    for place in graph[here][there]:
                        print(f"    {place}")
    print(f"{count} cycles")


if __name__ == "__main__":
    main()
