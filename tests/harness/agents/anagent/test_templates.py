"""anagent without a model: an expert and an author by rule on the ten bundled analyses, through the real servers.

Their score is a regression number: it changes only where the pipeline, the servers or the scorer do.
"""

import csv
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pincite_doors.testing import Request, call
from pincite_scoring import Case, ScoringOptions, score

TABLES = re.compile(r'<data \w+ source="file [^"]*\.csv">\n(.*?)\n</data', re.DOTALL)
SUMMARY = re.compile(r'<data \w+ source="summary of what was looked up">\n(.*?)\n</data', re.DOTALL)
PAPER = re.compile(r"tools open them: (\S+)")
FOUND = {
    "sparse_router-table-1": (2, 1),
    "sparse_router-figure-1": (3, 0),
    "wound_gel-table-1": (2, 0),
    "wound_gel-figure-1": (1, 0),
    "wound_gel-both": (0, 0),
    "selenide_heat-table-1": (3, 0),
    "selenide_heat-figure-1": (4, 0),
    "reef_closure-table-1": (2, 0),
    "fare_floor-table-1": (1, 0),
    "fare_floor-figure-1": (1, 0),
}
"""Claims of each gold that the template carries and contradicts."""


def looks(request: Request) -> Any:
    """The expert reads the plot of Fig. 1 where the data are pictures, and sums up where its curves begin and end."""
    if not request.images or not request.results:
        found = PAPER.search(request.first)
        assert found is not None
        tool = "figures.read_plot" if request.images else "documents.list_tables"
        arguments = {"figure": "Fig. 1"} if request.images else {}
        return call(tool, paper=found[1], **arguments) if not request.results else call("answer", summary="* none")
    plot = json.loads(request.results[0])
    lines = [f"* curve {curve['series']}: {curve['points']}".replace("\n", "; ") for curve in plot["series"]]
    return call("answer", summary="\n".join(lines))


def writes(request: Request) -> Any:
    """The author says of each column of a table what is highest and lowest, and of each curve where it begins and
    ends."""
    sentences = [sentence for table in TABLES.findall(request.first) for sentence in about(table)]
    for curve, points in re.findall(r"curve (\S+): (\S.*)", "\n".join(SUMMARY.findall(request.first))):
        first, last = points.split("; ")[0].split(","), points.split("; ")[-1].split(",")
        sentences.append(f"Curve {curve} goes from about {first[1]} at {first[0]} to about {last[1]} at {last[0]}.")
    return call("answer", answer=" ".join(sentences) or "Nothing can be read.")


def about(table: str) -> list[str]:
    """A sentence for each column of numbers."""
    head, *rows = list(csv.reader(table.splitlines()))
    sentences: list[str] = []
    for place, column in enumerate(head[1:], start=1):
        values = [(float(row[place]), row[0]) for row in rows if re.fullmatch(r"-?\d+(?:\.\d+)?", row[place])]
        if len(values) < 2:
            continue
        unit = re.search(r"\((.+)\)", column)
        of = f" {unit[1]}" if unit else ""
        name = column.partition(" (")[0].lower()
        for word, (value, row) in (("highest", max(values)), ("lowest", min(values))):
            sentences.append(f"{row} has the {word} {name}, {value:g}{of}.")
    return sentences


def claims(record: Mapping[str, Any], answer: str, family: Path) -> tuple[int, int]:
    """How many claims of its gold an answer carries, and how many it contradicts."""
    files = {Path(name).name: family / name for name in record["inputs"]["files"]}
    case = Case(answer, record["gold"], files=files, parameters=record["inputs"]["parameters"])
    metrics = score("figure_analysis", case, ScoringOptions()).metrics
    return int(metrics["n_carried"] or 0), int(metrics["n_contradicted"] or 0)


def test_the_template_on_the_bundled_analyses(play: Any, stage: Any) -> None:
    players = {
        "planner": [call("answer", plan=stage.plan)],
        "expert": [looks] * 2,
        "solver": [writes] * 2,
        "critic": [stage.graded()],
    }
    found: dict[str, tuple[int, int]] = {}
    wrong: list[str] = []
    for name, record in stage.records.items():
        ran = play(players, task=name, limits={"wall_clock_seconds": 3600})
        kinds = [event["outcome"] for event in ran.of("Learned")]
        if ran.code or ran.answer is None or kinds != ["ok"] or ran.of("Lost"):
            wrong.append(f"{name}: {ran.code} {ran.answer} {kinds} {ran.of('Lost')}")
            continue
        found[name] = claims(record, ran.answer, stage.family)
        if name == "sparse_router-figure-1":
            assert "Curve 1 goes from about 61.2 at 10 to about 78.3999 at 160." in ran.answer
    assert not wrong, "\n".join(wrong)
    changed = [f"{name}: {found[name]} was {was}" for name, was in FOUND.items() if found[name] != was]
    assert not changed, "\n".join(changed)
