"""parting: a table from documents that are too long for one call: read in parts, merged and computed by rule.

The columns are designed once from the query and the documents' outlines; every part of every document gives rows with
their words; rows of the same keys become one; computed columns follow from printed figures.
"""

import csv
import io
from pathlib import Path

from context_fit import CONTEXT_DEFAULT, Shown, outline, parts_of, record, tokens, window_of
from crew import Crew, Data, Failed, Role, fan, kept, prompt, run
from crew.evidence import check
from prompting import prompt_of
from whole_papers import Papers

from .computing import compute
from .merging import Merged, Table, merge
from .said import Design, Designed, PartRead, Row, Rows
from .said import Merged as MergedEvent

DEFAULTS = {
    "context": "parts", "window": "0", "max_output": "8192", "prompt": "task", "examples": "0", "style": "own",
    "pages": "text", "output": "text", "search": "off", "dpi": "110", "width": "8",
}  # fmt: skip
"""The options of zeroshot as they are for it."""
COLUMNS = Role("columns", prompt("columns", __file__), Design, pictures=False)
READER = Role("reader", prompt("reader", __file__), Rows, pictures=False)
_BESIDE = 2_000
"""Tokens of a reader's prompt beside the part and the task: instructions, columns and the form of the answer."""


def main(options: Path) -> int:
    """Run in the working folder of a trial; the exit code."""
    return run(work, name="zeroshot", defaults=DEFAULTS, options=options)


async def work(crew: Crew) -> None:
    """Answer the task's query with one table; ValueError where the answer is not a table (a CSV file)."""
    if not str(crew.task["answer"]).endswith(".csv"):
        raise ValueError("context=parts makes one table (CSV); this task's answer is another: context=share, say")
    papers = Papers(crew.task["tools"])
    texts = [(str(name), papers.text(str(name))) for name in crew.task["papers"]]
    asked = _asked(crew)
    window = window_of(crew.model().context_window or CONTEXT_DEFAULT, crew.options, "parts")
    room = (window.room if window is not None else CONTEXT_DEFAULT) - tokens(asked) - _BESIDE
    if room <= 0:
        raise ValueError(f"the task alone has about {tokens(asked)} tokens: no part of a document fits beside it")
    record([Shown(name, text, tokens(text), tokens(text)) for name, text in texts], "parts", window, asked)
    design = await _design(crew, asked, texts, room)
    found = await _read(crew, asked, texts, design, room)
    table = merge(found, design)
    for conflict in table.conflicts:
        crew.state.emit(conflict)
    crew.state.emit(MergedEvent(rows=len(table.rows), nameless=table.nameless))
    if not table.rows:
        return  # nothing was found: no answer is better than an empty table
    for fault in crew.answer(to_csv(table, design)):
        print(f"zeroshot: {fault}", flush=True)


def _asked(crew: Crew) -> str:
    return prompt_of(crew.task, Path("prompt.md").read_text(encoding="utf-8"), crew.options)


async def _design(crew: Crew, asked: str, texts: list[tuple[str, str]], room: int) -> Design:
    outlines = [Data(outline(text, room // max(len(texts), 1)), f"the outline of {name}") for name, text in texts]
    said = await crew.ask(COLUMNS, [asked, *outlines], who="columns")
    if said.value is None:
        raise ValueError(f"no columns were designed: {said.fault}")
    design = said.value
    computed = [column.name for column in design.columns if column.formula]
    names = [column.name for column in design.columns]
    inputs = [each.name for each in design.inputs]
    crew.state.emit(Designed(columns=names, keys=design.keys, computed=computed, inputs=inputs))
    return design


async def _read(
    crew: Crew, asked: str, texts: list[tuple[str, str]], design: Design, room: int
) -> list[tuple[str, Row]]:
    """The rows of all parts in the order of the documents, each with the part that it is from."""
    wanted = design.model_dump_json(exclude_defaults=True)
    parts = [(name, number, part) for name, text in texts for number, part in enumerate(parts_of(text, room), start=1)]

    async def read(place: tuple[str, int, str]) -> list[tuple[str, Row]]:
        name, number, text = place
        part = Data(text, f"paper {name}, part {number}")
        source = f"{name}#{number}"
        said = await crew.ask(READER, [asked, f"The columns: {wanted}", part], who=source, step="read")
        rows, dropped = _standing(said.value.rows if said.value is not None else [], design, part)
        event = PartRead(document=name, tokens=tokens(text), rows=len(rows), dropped=dropped, fault=said.fault)
        crew.state.emit(event.model_copy(update={"who": source}))
        return [(source, row) for row in rows]

    results: list[list[tuple[str, Row]] | Failed] = await fan(parts, read, int(crew.options["width"]))
    return [row for rows in kept(results) for row in rows]


def _standing(rows: list[Row], design: Design, part: Data) -> tuple[list[Row], int]:
    """The rows with the cells whose column there is and whose quote stands in the part, and how many were dropped. A
    key may go without a quote: it may be the document's own name."""
    good: list[Row] = []
    dropped = 0
    for row in rows:
        cells = [cell for cell in row.cells if cell.column in design.names]
        kept_cells = [
            cell for cell in cells
            if (cell.column in design.keys and not cell.quote) or check(cell.quote, 0, part).stands
        ]  # fmt: skip
        dropped += len(row.cells) - len(kept_cells)
        if kept_cells:
            good.append(Row(cells=kept_cells))
    return good, dropped


def to_csv(table: Table, design: Design) -> str:
    """The table as CSV, computed columns computed; what is not known is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.name for column in design.columns])
    for row in table.rows:
        writer.writerow(_cells(row, design))
    return out.getvalue()


def _cells(row: Merged, design: Design) -> list[str]:
    values = dict(row.values)
    for column in design.columns:
        if column.formula:
            values[column.name] = compute(column.formula, values, column.decimals) or ""
    return [values.get(column.name, "") for column in design.columns]
