"""Queries: a field of the schema as a question, with a slot for what is settled already."""

from collections.abc import Iterable

from crew import Data

from .board import Board
from .records import Cell, Thing
from .schema import Field, Schema

_MOST_SYNONYMS = 12
"""Main words of a field whose synonyms are shown; long lexicons help no reader."""


def query(field: Field, schema: Schema, *, guided: bool) -> str:
    """The question: name, definition, form of the value, labels, unit, synonyms, what it depends on. Without guidance
    the name alone."""
    lines = [f"Field: {field.name}"]
    if field.name == schema.naming.name:
        lines.append("This field finds the objects: give each its own name, which tells it apart from all others.")
    if not guided:
        return "\n".join(lines)
    lines.append(f"Definition: {field.definition}")
    lines.append(f"Kind: {_kind(field)}")
    if field.labels:
        lines.append(f"Labels: {', '.join(field.labels)}")
    others = [f"{main} = {', '.join(words)}" for main, words in list(field.synonyms.items())[:_MOST_SYNONYMS]]
    if others:
        lines.append(f"Other words: {'; '.join(others)}")
    before = schema.depends_on(field.name)
    if before:
        lines.append(f"Depends on: {', '.join(before)}")
    return "\n".join(lines)


def _kind(field: Field) -> str:
    said = {
        "text": "text, in the words of the paper",
        "label": "one of the labels, to the letter",
        "number": "a number with its unit, as printed",
        "formula": "a chemical formula on one line",
    }[field.kind]
    unit = f"; {field.unit} where it states no unit" if field.unit else ""
    many = "; an object may have several values: state each as a claim of its own" if field.many else ""
    return f"{said}{unit}{many}"


def object_text(schema: Schema, *, guided: bool) -> str:
    """What one object is."""
    return schema.object if guided else "One object is what one record describes."


def objects_text(things: Iterable[Thing]) -> str:
    """The objects that were found, a line each."""
    return "\n".join(f"{thing.id}: {thing.name}" for thing in things)


def context(board: Board, *, document: bool) -> list[Data]:
    """The slot for what is settled: the objects, and with document context every field whose value may constrain."""
    if not board.things:
        return []
    lines = ["Objects (use these names):", objects_text(board.things)]
    if document:
        lines += settled(board)
    return [Data("\n".join(lines), "what is settled for this paper")]


def settled(board: Board) -> list[str]:
    """The filled fields in query form, a line each."""
    lines: list[str] = []
    for name, cells in board.filled.items():
        shown = [_cell(board, cell) for cell in cells.values() if cell.constrains and cell.values]
        if shown:
            lines.append(f"{name} (resolved): {'; '.join(shown)}")
    return lines


def _cell(board: Board, cell: Cell) -> str:
    names = {thing.id: thing.name for thing in board.things}
    pages = ", ".join(cell.pages)
    return f"{names.get(cell.object, cell.object)}: {', '.join(cell.values)} ({cell.confidence}; {pages})"
