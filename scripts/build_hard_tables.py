"""Build the hard tasks of table_construction: ``python scripts/build_hard_tables.py [--out FILE]``.

``sources/hard.toml`` and ``sources/hard-PAPER.toml`` say which cells of the long papers in ``tasks/shared`` make the
gold; they are taken from the papers' truth, and what is computed from them keeps its formula. Stops where a quote does
not stand in its paper.
"""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import orjson
from hard_truth import MOST_PAGES, SHARED, TASKS, Truth, deviation_of, mean_of, number, told_tasks, write_records

from pincite_papers.model import Paper
from pincite_papers.pdf.parse import parse_pdf
from pincite_scoring.case import Case
from pincite_scoring.table_construction.formulas import compute
from pincite_scoring.table_construction.scorer import SCORER

FAMILY = TASKS / "table_construction"
OUT = FAMILY / "records-hard.jsonl"
CORPUS = "corpora/long_documents"
Json = dict[str, Any]
PARTS = {"mean": mean_of, "deviation": deviation_of}
"""The parts of a cell ``mean ± deviation`` that a column may ``take``."""


@cache
def truth_of(name: str) -> Truth:
    """The truth of a paper."""
    return Truth(name)


@cache
def paper_of(name: str) -> Paper:
    """A parsed paper of ``tasks/shared``."""
    return parse_pdf((SHARED / "papers" / f"{name}.pdf").read_bytes(), max_pages=MOST_PAGES)


def query_of(task: Json) -> str:
    """The question, with every column that the table must have."""
    columns = [{"name": task["key"], "ask": task.get("key_ask", "what tells the rows apart")}]
    for part in task.get("parts", [])[:1]:
        columns += [{"name": name, "ask": "as it is called above"} for name in part if name[0].isupper()]
    lines = [f"`{column['name']}`: {asked(column)}" for column in [*columns, *task["columns"]]]
    return f"{task['intro']} Give these columns: {'; '.join(lines)}. Leave empty what no paper gives."


def asked(column: Json) -> str:
    """What a query says of a column: its words, or its formula with columns in quotes."""
    if "formula" not in column:
        return column["ask"]
    formula = column["formula"].replace("{", "«").replace("}", "»")
    places = column["decimals"]
    said = f"computed as {formula}, to {places} decimal{'s' * (places != 1)}"
    return f"{column['ask']} ({places} decimals)" if "ask" in column else said


class Maker:
    """Makes the gold of one task."""

    def __init__(self, task: Json) -> None:
        self.task = task
        self.rows: list[Json] = []
        self.inputs: list[dict[str, str]] = []
        self.evidence: list[Json] = []
        self.derived: dict[str, str] = {}

    def gold(self) -> Json:
        """The gold table."""
        own = truth_of(self.task["papers"][0])
        keys = self.task.get("rows") or [key for key in own.keys(self.task["rows_of"]) if self._is_wanted(own, key)]
        for part in self.task.get("parts", [{}]):
            for key in keys:
                self._row(key, part)
        parts = [name for name in self.task.get("parts", [{}])[0] if name[0].isupper()]
        names = [self.task["key"], *parts, *(column["name"] for column in self.task["columns"])]
        gold: Json = {"columns": names, "keys": [self.task["key"], *parts], "numeric": self._numeric(names)}
        gold |= {"rows": [{name: row[name] for name in names} for row in self.rows], "derived": self.derived}
        gold |= {"inputs": self.inputs if any(self.inputs) else [], "evidence": self.evidence}
        return {name: value for name, value in gold.items() if value}

    def _numeric(self, names: list[str]) -> list[str]:
        texts = {column["name"] for column in self.task["columns"] if self._is_text(column)}
        keys = len(names) - len(self.task["columns"])
        return [name for name in names[keys:] if name not in texts]

    def _is_text(self, column: Json) -> bool:
        cells = [row[column["name"]] for row in self.rows]
        return any(cell and number(cell) is None for cell in cells)

    def _is_wanted(self, own: Truth, key: str) -> bool:
        where = self.task.get("where")
        return where is None or own.cell(self.task["rows_of"], key, where["column"]) == where["is"]

    def _row(self, key: str, part: dict[str, str]) -> None:
        row = {self.task["key"]: key, **{name: text for name, text in part.items() if name[0].isupper()}}
        self.rows.append(row)
        self.inputs.append({})
        for column in self.task["columns"]:
            row[column["name"]] = self._cell(column, key, part)

    def _cell(self, column: Json, key: str, part: dict[str, str]) -> str:
        name = column["name"]
        if column.get("empty") or key in column.get("not_for", []):
            return ""
        if "formula" in column:
            self.derived[name] = column["formula"]
            return rounded(compute(column["formula"], {**self.rows[-1], **self.inputs[-1]}), column["decimals"])
        paper = column.get("paper", self.task["papers"][0])
        if "code" in column:
            printed = truth_of(paper).translated(column["code"], key)
            self._prove(name, paper, f"{printed}\t{key}")
            return printed
        printed = self._printed(column, key, part, paper)
        if not printed or column.get("scale", 1) == 1:
            return printed
        given = f"printed {name}"
        self.derived[name] = f"{{{given}}} * {Decimal(str(column['scale'])):f}"
        self.inputs[-1][given] = printed
        self.evidence[-1]["name"] = given
        scaled = Decimal(printed) * Decimal(str(column["scale"]))
        return f"{scaled.normalize():f}"

    def _printed(self, column: Json, key: str, part: dict[str, str], paper: str) -> str:
        truth = truth_of(paper)
        fix = self._fix(column, key, part)
        if fix is not None:
            self._prove(column["name"], paper, fix["quote"].format(**truth.facts))
            return fix["value"].format(**truth.facts)
        table, _, cell = column["from"].format(**part).partition("/")
        row = column.get("rows", {}).get(key, key)
        row = truth.translated(column["via"], row) if "via" in column else row
        printed = truth.cell(table, row, cell)
        if printed in ("", "–", "n.d."):
            return ""
        self._prove(column["name"], paper, truth.quote(table, row, cell))
        return PARTS[column["take"]](printed) if "take" in column else printed

    def _fix(self, column: Json, key: str, part: dict[str, str]) -> Json | None:
        """What another place of the paper puts into this cell; ``fixes`` names one correction or several."""
        named = column.get("fixes", [])
        for name in [named] if isinstance(named, str) else named:
            fix = self.task["fixes"][name]
            if fix["row"] == key and all(part.get(each) == text for each, text in fix.get("part", {}).items()):
                return fix
        return None

    def _prove(self, name: str, paper: str, quote: str) -> None:
        proof = {"row": len(self.rows) - 1, "name": name, "paper": f"{paper}.pdf", "quote": quote}
        self.evidence.append(proof)


def rounded(exact: Fraction | None, decimals: int) -> str:
    """A computed cell as it stands in the gold."""
    return "" if exact is None else f"{Decimal(exact.numerator) / Decimal(exact.denominator):.{decimals}f}"


def make_record(task: Json) -> Json:
    """One line of records-hard.jsonl."""
    papers = [f"../shared/papers/{name}.pdf" for name in task["papers"]]
    return {
        "task_id": task["task_id"],
        "inputs": {"papers": papers, "parameters": {"query": query_of(task)}, "corpus": CORPUS},
        "gold": Maker(task).gold(),
        "metadata": {"title": task["title"], "type": "join", "language": "en"},
    }


def records(paper: Callable[[str], Paper] | None = paper_of) -> tuple[bytes, list[str]]:
    """The file, and what is wrong with it where papers are given to look into."""
    tasks = [{**task, "fixes": told.get("fixes", {})} for told in told_tasks(FAMILY) for task in told["task"]]
    content, faults = b"", list[str]()
    for task in tasks:
        record = make_record(task)
        content += orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
        if paper is not None:
            papers = {f"{name}.pdf": paper(name) for name in task["papers"]}
            case = Case(None, record["gold"], papers, record["inputs"]["parameters"])
            faults += [f"{task['task_id']}: {each}" for each in SCORER.check(case)]
    return content, faults


if __name__ == "__main__":
    write_records(__doc__, records, OUT)
