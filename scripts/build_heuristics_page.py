"""Writes docs/heuristics.md from the notes under numeric thresholds: python scripts/build_heuristics_page.py.

A threshold is a constant in capitals at the top of a module whose value is a number, or some numbers, written out. Its
note is the string right under it.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/heuristics.md"
SOURCES = ("servers", "harness", "sandbox")
INTRODUCTION = """# Heuristics

The numbers that the code decides by: what each separates, in which unit, and what set it. *Set by judgement* means that
nothing measured it. How well they work together is measured by `tests/benchmarks`; see [limits.md](limits.md).

This page is written from the notes in the code by `python scripts/build_heuristics_page.py`. {noted} thresholds have a
note, {bare} have none yet; the last table counts these by package.
"""
_NAME = re.compile(r"_?[A-Z][A-Z0-9_]*")


@dataclass(frozen=True, slots=True)
class Threshold:
    """A numeric constant: ``module`` is its path below the source root, ``note`` is "" where there is none."""

    module: str
    name: str
    value: str
    note: str

    @property
    def package(self) -> str:
        """The folder of the module."""
        return str(Path(self.module).parent)


@cache
def thresholds() -> list[Threshold]:
    """All thresholds, by package, module and place."""
    found: list[Threshold] = []
    for source in SOURCES:
        for path in (ROOT / source).rglob("*.py"):
            found += _in_module(path.relative_to(ROOT / source).as_posix(), path.read_text())
    return sorted(found, key=lambda one: (one.package, one.module))


def _in_module(module: str, text: str) -> Iterator[Threshold]:
    """The thresholds at the top of a module, in order."""
    body = ast.parse(text).body
    lines = text.encode().split(b"\n")
    for place, statement in enumerate(body):
        named = _named(statement)
        if named is None:
            continue
        name, value = named
        yield Threshold(module, name, " ".join(_written(lines, value).split()), _note(body, place))


def _written(lines: list[bytes], value: ast.expr) -> str:
    """An expression as it is written; ``ast.get_source_segment`` splits the whole module for each."""
    assert value.end_lineno is not None
    found = lines[value.lineno - 1 : value.end_lineno]
    found[-1] = found[-1][: value.end_col_offset]
    found[0] = found[0][value.col_offset :]
    return b"\n".join(found).decode()


def _named(statement: ast.stmt) -> tuple[str, ast.expr] | None:
    """The name and the value of a statement that sets a threshold."""
    if isinstance(statement, ast.AnnAssign):
        target, value = statement.target, statement.value
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
    else:
        return None
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    plain = [name.id for name in names if isinstance(name, ast.Name) and _NAME.fullmatch(name.id)]
    if value is None or len(plain) != len(names) or not _is_numeric(value):
        return None
    return ", ".join(plain), value


def _is_numeric(value: ast.expr) -> bool:
    """Whether an expression is a number, a sum or product of numbers, or a tuple of these."""
    if isinstance(value, ast.Constant):
        return isinstance(value.value, int | float) and not isinstance(value.value, bool)
    if isinstance(value, ast.UnaryOp):
        return _is_numeric(value.operand)
    if isinstance(value, ast.BinOp):
        return _is_numeric(value.left) and _is_numeric(value.right)
    return isinstance(value, ast.Tuple) and bool(value.elts) and all(map(_is_numeric, value.elts))


def _note(body: list[ast.stmt], place: int) -> str:
    """The string under a threshold."""
    if place + 1 == len(body):
        return ""
    following = body[place + 1]
    if not isinstance(following, ast.Expr) or not isinstance(following.value, ast.Constant):
        return ""
    note = following.value.value
    return " ".join(note.split()) if isinstance(note, str) else ""


def page() -> str:
    """The whole page."""
    found = thresholds()
    noted = [one for one in found if one.note]
    parts = [INTRODUCTION.format(noted=len(noted), bare=len(found) - len(noted))]
    for package, group in groupby(noted, key=lambda one: one.package):
        parts.append(f"## {package}\n\n| threshold | value | what it separates |\n|---|---|---|")
        parts[-1] += "".join(_row(one) for one in group) + "\n"
    parts.append("## Without a note\n\n| package | thresholds | without a note |\n|---|---|---|")
    for package, group in groupby(found, key=lambda one: one.package):
        members = list(group)
        bare = sum(not one.note for one in members)
        if bare:
            parts[-1] += f"\n| {package} | {len(members)} | {bare} |"
    return "\n".join(parts) + "\n"


def _row(one: Threshold) -> str:
    note = one.note.replace("``", "`").replace("|", "\\|")
    return f"\n| `{Path(one.module).stem}.{one.name}` | `{one.value}` | {note} |"


if __name__ == "__main__":
    PAGE.write_text(page())
    print(f"wrote {PAGE}")
