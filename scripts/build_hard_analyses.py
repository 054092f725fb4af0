"""Build the hard tasks of figure_analysis: ``python scripts/build_hard_analyses.py [--out FILE]``.

``sources/hard.toml`` and ``sources/hard-PAPER.toml`` hold queries, analyses and their claims over the long papers of
``tasks/shared``. Every number is taken or computed from the papers' truth, and every claim has to hold there; the build
stops where one does not, or where the scorer does not find it in its own analysis.
"""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import permutations
from typing import Any, cast

import orjson
from build_hard_tables import paper_of
from hard_truth import TASKS, Truth, told_tasks, write_records

from pincite_papers.model import Paper
from pincite_scoring.case import Case
from pincite_scoring.figure_analysis.scorer import SCORER

FAMILY = TASKS / "figure_analysis"
OUT = FAMILY / "records-hard.jsonl"
Json = dict[str, Any]
_PLAIN: Mapping[str, Any] = {"all": all, "max": max, "min": min, "float": float, "abs": abs, "sum": sum, "len": len}
"""What expressions may call beside the truth."""


@cache
def truth_of(name: str) -> Truth:
    """The truth of a paper."""
    return Truth(name)


class Scope:
    """What the expressions of a task see."""

    def __init__(self, truth: Truth, task: Json) -> None:
        self._truth = truth
        self.names: Json = {
            "col": self._column, "num": truth.value, "fact": truth.facts.__getitem__, "keys": truth.keys,
            "code": self._code, "point": self._point, "points": self._points,
            "lit": self._literature,
        }  # fmt: skip
        for name, expression in task["let"].items():
            self.names[name] = self.value(expression)

    def value(self, expression: str) -> Any:
        """The value of an expression of our own sources."""
        return eval(expression, {"__builtins__": _PLAIN, **self.names})

    def text(self, template: str) -> str:
        """A text with its numbers, with the minus that papers print."""
        return template.format(**self.names).strip()

    def _code(self, key: str, table: str) -> str:
        return self._truth.translated(table, key)

    def _column(self, table: str, column: str) -> dict[str, float]:
        return {key: self._truth.value(table, key, column) for key in self._truth.keys(table)}

    def _series(self, figure: str) -> list[Json]:
        name, _, inset = figure.partition(".")
        plot = self._truth.figures[name]["plot"]
        return cast("list[Json]", plot["inset"]["series"] if inset else plot["series"])

    def _point(self, figure: str, label: str | None, x: float) -> float:
        series = next(each for each in self._series(figure) if each.get("label") == label)
        return float(series["y"][series["x"].index(x)])

    def _points(self, figure: str) -> list[float]:
        return [float(x) for x in self._series(figure)[0]["x"]]

    def _literature(self, alloy: str, state: str, column: str) -> float:
        """A value of other work, by material and state."""
        table = self._truth.tables["others"]
        names = [each["name"] for each in table["columns"]]
        row = next(row for row in table["rows"] if row[0].strip("<>") == alloy and row[1] == state)
        return float(row[names.index(column)])


def make_claim(scope: Scope, told: Json) -> Json:
    """A claim of the gold; ValueError where the truth does not bear it."""
    if "check" in told and not scope.value(told["check"]):
        raise ValueError(f"not true: {scope.text(told['text'])}")
    made = {name: value for name, value in told.items() if name not in ("check", "digits", "value")}
    made["text"] = scope.text(told["text"])
    if "value" in told:
        made["value"] = round(float(scope.value(told["value"])), told.get("digits", 1))
    return made


def numbers_of(scope: Scope, told: list[str], digits: int) -> list[float]:
    """The numbers of expressions that give lists or tables by row, each once."""
    found: list[float] = []
    for expression in told:
        values: Any = scope.value(expression)
        listed = cast("dict[str, float]", values).values() if isinstance(values, dict) else cast("list[float]", values)
        found += [round(float(each), digits) for each in listed]
    return list(dict.fromkeys(found))


def steps(scope: Scope, told: list[str]) -> list[float]:
    """What follows from the tables by one step: differences and changes in per cent within a column, and differences,
    ratios and changes in per cent between two columns with the same rows."""
    values: list[Any] = [scope.value(each) for each in told]
    columns = [cast("dict[str, float]", value) for value in values if isinstance(value, dict)]
    found: list[float] = []
    for column in columns:
        for a, b in permutations(column.values(), 2):
            found += [abs(a - b), *([abs(100 * (a / b - 1))] if b else [])]
    for one, other in permutations(columns, 2):
        for key in one.keys() & other.keys():
            if one[key]:
                ratio = other[key] / one[key]
                found += [abs(other[key] - one[key]), ratio, abs(100 * (ratio - 1))]
    return sorted({round(each, 3) for each in found})


def make_record(task: Json, names: Mapping[str, list[str]], paper: Paper | None) -> Json:
    """One line of records-hard.jsonl."""
    truth = truth_of(task["paper"])
    scope = Scope(truth, task)
    numbers = numbers_of(scope, task["numbers"] + task["derived"], 3)
    claims: Json = {
        "entities": {**names, **task.get("names", {})},
        "attributes": task["attributes"],
        **({"kinds": task["kinds"]} if "kinds" in task else {}),
        "numbers": list(dict.fromkeys(numbers + steps(scope, task["numbers"]))),
        "claims": [make_claim(scope, each) for each in task["claims"]],
    }
    name = f"{task['paper']}.pdf"
    evidence = [{"paper": name, "quote": scope.text(quote)} for quote in task["evidence"]]
    dimensions = {
        "type": task["kind"], "domain": task.get("domain", "Materials Science"), "source": "general research",
        "width": "mixed", "depth": "in-depth", "objective": "experiment", "format": "pdf",
    }  # fmt: skip
    return {
        "task_id": task["id"],
        "inputs": {"papers": [f"../shared/papers/{name}"], "files": [], "parameters": {"query": task["query"]}},
        "gold": {"analysis": scope.text(task["analysis"]), "evidence": evidence, "claims": claims},
        "metadata": {"title": truth.data["title"], "dimensions": dimensions},
    }


def records(paper: Callable[[str], Paper] | None = paper_of) -> tuple[bytes, list[str]]:
    """The file, and what is wrong with it where papers are given to look into."""
    content, faults = b"", list[str]()
    for task, names in [(task, told["names"]) for told in told_tasks(FAMILY) for task in told["task"]]:
        opened = paper(task["paper"]) if paper is not None else None
        try:
            record = make_record(task, names, opened)
        except ValueError as error:
            faults.append(f"{task['id']}: {error}")
            continue
        content += orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
        if opened is not None:
            case = Case(None, record["gold"], {f"{task['paper']}.pdf": opened}, record["inputs"]["parameters"])
            faults += [f"{task['id']}: {each}" for each in SCORER.check(case)]
    return content, faults


if __name__ == "__main__":
    write_records(__doc__, records, OUT)
