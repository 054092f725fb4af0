"""Write the distractors of literature_qa: ``python scripts/build_question_distractors.py [--out FAMILY]``.

Twenty invented papers that are near neighbours of those which questions are about: the same plan and words, other
species, places, compositions and numbers, each with a table and a figure. ``sources/distractors.toml`` says what they
are about; numbers and phrases are drawn from each paper's id. Each becomes a PDF of ``distractors/`` (for libraries)
and a work with an open full text of ``corpora/fjord`` (for searches). The same bytes every time, for one version of
typst. Needs the ``dev`` extra.
"""

import argparse
import random
import shutil
import tempfile
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import typst
from build_task_papers import EPOCH, FAMILY, TASKS

HERE = TASKS / "literature_qa"
CORPUS = "corpora/fjord"
PEOPLE = (
    "Vik, Signe", "Quispe, Mateo", "Arnesen, Pål", "Hald, Ditte", "Petrova, Yana", "Ito, Kenji", "Nwosu, Ada",
    "Lindqvist, Per", "Bauer, Lena", "Osei, Kofi", "Eide, Tor", "Sandoval, Inés",
)  # fmt: skip
VENUES = {"seaweed": "Invented Phycology", "cells": "Invented Photovoltaics", "fish": "Annals of Invented Oceans"}
_ABSOLUTE_ZERO = 273
_SALTS = {"P": "lead iodide", "S": "tin iodide", "G": "germanium iodide"}
"""What aged films hold, by the metal after the caesium."""
_FIRST_PMID = 99_101_001


@dataclass(frozen=True, slots=True)
class Chart:
    """A line chart: ranges with their ticks, and series of points by label."""

    x_label: str
    y_label: str
    x_ticks: Sequence[float]
    y_ticks: Sequence[float]
    series: Mapping[str, Sequence[tuple[float, float]]]


@dataclass(frozen=True, slots=True)
class Draft:
    """What a paper has to say: the values of its phrases' slots, the table with its head, the chart."""

    values: Mapping[str, Any]
    rows: Sequence[Sequence[str]]
    chart: Chart


@dataclass(frozen=True, slots=True)
class Text:
    """A paper's phrases, filled: ``results`` stand before the table, between table and figure, and after the figure."""

    title: str
    abstract: str
    introduction: str
    methods: str
    results: tuple[str, ...]
    discussion: str
    caption: str
    chart: str
    subject: str


def seaweed(about: Mapping[str, Any], draw: random.Random) -> Draft:
    """Growth and nitrogen of a seaweed against a nutrient at two temperatures."""
    cold, warm = about["temperatures"]
    nutrient = about["nutrient"].capitalize()
    doses = draw.choice(((1, 3, 6, 12, 24, 48), (2, 4, 8, 16, 32), (1, 2, 5, 10, 20, 40)))
    most = draw.uniform(2.4, 3.4), draw.uniform(1.7, 2.3)
    rows = [[f"{nutrient} (μmol/L)", f"{cold} °C: N (% dry mass)", f"{warm} °C: N (% dry mass)", "Alive"]]
    for dose in doses:
        contents = [f"{top * dose / (dose + 4):.2f}" for top in most]
        rows.append([f"{dose}", *contents, f"{draw.randint(17, 24)}"])
    half_cold, half_warm = draw.uniform(4.6, 9.0), draw.uniform(1.6, 3.4)
    fast_cold, fast_warm = draw.uniform(6.5, 8.5), draw.uniform(4.4, 5.8)
    series = {
        f"{cold} °C": [(dose, fast_cold * dose / (dose + half_cold)) for dose in doses],
        f"{warm} °C": [(dose, fast_warm * dose / (dose + half_warm)) for dose in doses],
    }
    sites = draw.sample(("Hellvik", "Brattskjer", "Skarholm", "Innvik", "Torsnes", "Gryteid"), 4)
    values = {
        **about, "Nutrient": nutrient, "Held": about["held"].capitalize(), "cold": cold, "warm": warm,
        "doses": len(doses), "days": draw.choice((21, 28, 35)), "half_cold": half_cold, "half_warm": half_warm,
        "short": draw.randint(4, 6), "long": draw.randint(7, 10), "level": draw.choice((1, 2, 3, 5)),
        "guest": draw.choice(("Electra", "Obelia", "Membranipora", "Spirorbis")), "settle": draw.randint(10, 17),
        "much": draw.randint(6, 19), "little": draw.randint(1, 5),
        **{f"site_{number}": site for number, site in enumerate(sites, start=1)},
    }  # fmt: skip
    chart = Chart(f"{nutrient} (μmol/L)", "Growth (mm/day)", (0, 10, 20, 30, 40, 50), (0, 2, 4, 6, 8), series)
    return Draft(values, rows, chart)


def cells(about: Mapping[str, Any], draw: random.Random) -> Draft:
    """Ageing of solar cells of four absorbers."""
    plain, added = about["plain"], about["added"]
    hours = draw.choice((400, 600, 800))
    absorbers = dict(zip("ABCD", (plain[0], added[0], plain[1], added[1]), strict=True))
    rows = [["Absorber", "Gap (eV)", "Efficiency, fresh (%)", f"after {hours} h (%)"]]
    series: dict[str, list[tuple[float, float]]] = {}
    for label, absorber in absorbers.items():
        gap = 1.32 + 0.2 * (label in "CD") + draw.uniform(0, 0.19)
        fresh, last = draw.uniform(12.5, 20.5), draw.uniform(*((0.74, 0.9) if label in "BD" else (0.45, 0.68)))
        rows.append([absorber, f"{gap:.2f}", f"{fresh:.1f}", f"{fresh * last:.1f}"])
        bend = draw.uniform(0.35, 1.1)
        series[label] = [(hours * part, 1 - (1 - last) * part**bend) for part in (0, 0.25, 0.5, 0.75, 1)]
    values = {
        "addition": about["addition"], "Addition": about["addition"].capitalize(), "plain": plain[0],
        "added": added[0], "gas": about["gas"], "degrees": about["kelvin"] - _ABSOLUTE_ZERO, "hours": hours,
        "annealed": draw.choice((90, 110, 140, 180)), "thick": draw.choice((60, 70, 100)),
        "metal": draw.choice(("gold", "silver", "copper")), "salt": _SALTS[plain[0][2]],
        "energy": draw.uniform(0.45, 0.7), "energy_added": draw.uniform(0.71, 0.95),
        "shown": ", ".join(f"{label}: {absorber}" for label, absorber in absorbers.items()),
    }  # fmt: skip
    ticks = [hours * part / 4 for part in range(5)]
    return Draft(values, rows, Chart("Time (h)", "Efficiency / first value", ticks, (0.4, 0.6, 0.8, 1), series))


def fish(about: Mapping[str, Any], draw: random.Random) -> Draft:
    """Where in the water larvae of a fish gather by day and by night."""
    depths = (2, 6, 14, 22, 34, 48)
    day, night = draw.choice((22, 34, 48)), draw.choice((2, 6, 14))
    rows = [["Depth (m)", "Larvae by day", "Larvae by night", "Salinity (g/kg)"]]
    series: dict[str, list[tuple[float, float]]] = {"day": [], "night": []}
    for depth in depths:
        counts = [int(draw.uniform(20, 60) + 400 / (1 + abs(depth - middle))) for middle in (day, night)]
        rows.append([f"{depth}", f"{counts[0]}", f"{counts[1]}", f"{draw.uniform(18, 22) + depth / 4:.1f}"])
        for name, count in zip(series, counts, strict=True):
            series[name].append((depth, count))
    values = {
        **about, "depths": len(depths), "day": day, "night": night, "caught": draw.randint(1900, 5200),
        "stations": draw.randint(3, 6), "dishes": draw.randint(5, 9), "thin": draw.randint(3, 8),
        "old": draw.randint(12, 26), "eggs": draw.randint(4, 11), "parasites": draw.randint(2, 31),
        "parasite": draw.choice(("a copepod", "a trichodinid", "a fluke", "an amoeba")),
    }  # fmt: skip
    ticks = (0, 10, 20, 30, 40, 50), (0, 100, 200, 300, 400, 500)
    return Draft(values, rows, Chart("Depth (m)", "Larvae", *ticks, series))


def text_of(phrases: Mapping[str, Any], values: Mapping[str, Any], draw: random.Random) -> Text:
    """The phrases of a kind with their slots filled."""
    single = {name: phrases[name].format(**values) for name in Text.__slots__ if name not in ("title", "results")}
    results = tuple(text.format(**values) for text in phrases["results"])
    return Text(title=draw.choice(phrases["titles"]).format(**values), results=results, **single)


KINDS: Mapping[str, Callable[[Mapping[str, Any], random.Random], Draft]] = {
    "seaweed": seaweed,
    "cells": cells,
    "fish": fish,
}


def as_typst(draft: Draft, text: Text, work: Mapping[str, Any], columns: int) -> str:
    """The source that typst sets with the template of the task papers."""
    width = len(draft.rows[0])
    cell_rows = "".join(f"    {_table_row(row, formula=columns > 1)},\n" for row in draft.rows[1:])
    head = ", ".join(f"[{cell}]" for cell in draft.rows[0])
    paragraphs = [_escaped(one) for one in text.results]
    authors = ", ".join(f'"{_signed(name)}"' for name in work["authors"])
    style = "booktabs" if columns == 1 else "ruled"
    widths = f"{width}" if columns == 1 else "(2.3fr, 0.9fr, 1.2fr, 1.2fr)"
    return f"""#import "template.typ": *
#show: paper.with(
  title: [{text.title}], pdf-title: "{text.title}", authors: ({authors},),
  affiliation: "Station for Invented Work, University of Nowhere",
  journal: "{work["venue"]} {work["volume"]} ({work["published"][:4]}) {work["pages"]}", doi: "doi:{work["doi"]}",
  columns-count: {columns}, size: {"10pt" if columns == 1 else "9.5pt"}, abstract: [{_escaped(text.abstract)}],
)

= Introduction
{_escaped(text.introduction)}

= Methods
{_escaped(text.methods)}

= Results
{paragraphs[0]}

#figure(
  {style}(
    columns: {widths}, align: (left, {", ".join(["right"] * (width - 1))}),
    table.header({head}),
{cell_rows}  ),
  caption: [{_escaped(text.caption)}],
)

{paragraphs[1]}

#figure({_chart(draft.chart, columns)}, caption: [{_escaped(text.chart)}])

{paragraphs[2]}

= Discussion
{_escaped(text.discussion)}
"""


def as_text(draft: Draft, text: Text) -> str:
    """The open full text, in the small language of corpora: the figure is there by its caption."""
    table = "\n".join(f"| {' | '.join(row)} |" for row in draft.rows)
    before, between, after = text.results
    parts = [
        "# Introduction", text.introduction, "# Methods", text.methods, "# Results", before, f"Table 1. {text.caption}",
        table, between, f"Fig. 1. {text.chart}", after, "# Discussion", text.discussion,
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def work_of(kind: str, name: str, text: Text, number: int, draw: random.Random) -> dict[str, Any]:
    """The line in ``works.jsonl`` of the work ``name``, which has its first author and year."""
    author, year = name[:-4], int(name[-4:])
    first = next((one for one in PEOPLE if one.lower().startswith(author)), f"{author.capitalize()}, Åse")
    others = [one for one in PEOPLE if one != first]
    venue, volume, page = VENUES[kind], year - 2012, draw.randint(10, 390)
    short = "".join(word[0] for word in venue.lower().split() if word != "of")
    return {
        "id": name, "title": text.title, "authors": [first, *draw.sample(others, draw.randint(1, 2))],
        "published": f"{year}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}", "venue": venue,
        "publisher": "Skerry Press", "volume": str(volume), "pages": str(page),
        "doi": f"10.5555/{short}.{year}.{volume}.{page:04}", "pmid": str(_FIRST_PMID + number),
        "pmcid": f"PMC{_FIRST_PMID + number}", "abstract": text.abstract, "subjects": [text.subject],
        "text": f"texts/{name}.txt", "role": "unrelated",
    }  # fmt: skip


def _chart(chart: Chart, columns: int) -> str:
    size = "width: 8.6cm, height: 5cm" if columns == 1 else "width: 6.1cm, height: 4.4cm"
    axes = f"x: {_axis(chart.x_ticks)}, y: {_axis(chart.y_ticks)}"
    labels = f"x-label: [{chart.x_label}], y-label: [{chart.y_label.replace('/', chr(92) + '/')}]"
    room = 0.045 * (chart.y_ticks[-1] - chart.y_ticks[0])
    named = enumerate(chart.series.items(), start=1)
    series = "".join(_series(label, points, number, room) for number, (label, points) in named)
    return f"chart({size}, {axes}, {labels}, series: ({series}))"


def _axis(ticks: Sequence[float]) -> str:
    return f"({ticks[0]:g}, {ticks[-1]:g}, ({', '.join(f'{tick:g}' for tick in ticks)}))"


def _series(label: str, points: Sequence[tuple[float, float]], number: int, room: float) -> str:
    """A series, whose label stands above its highest inner point, or above one of its own where it only falls."""
    told = ", ".join(f"({x:g}, {y:.3g})" for x, y in points)
    x, y = max(points[1:-1], key=lambda point: point[1])
    if points[0][1] > y:
        x, y = points[number % len(points)]
    return f"(points: ({told}), label: [{label}], label-at: ({x:g}, {y + room:.3g}), marked: true), "


def _table_row(row: Sequence[str], *, formula: bool) -> str:
    first = f'[#ch("{row[0]}")]' if formula else f"[{row[0]}]"
    return ", ".join([first, *(f"[{cell}]" for cell in row[1:])])


def _signed(name: str) -> str:
    """``Vik, Signe`` as it stands above a paper."""
    family, _, given = name.partition(", ")
    return f"{given} {family}"


def _escaped(text: str) -> str:
    return text.replace("#", "\\#").replace("*", "\\*").replace("_", "\\_").replace("@", "\\@")


def build(family: Path) -> list[Path]:
    """Write PDFs, texts and the works' lines below ``family``; the PDFs."""
    listed = tomllib.loads((HERE / "sources" / "distractors.toml").read_text(encoding="utf-8"))
    corpus, papers = family / CORPUS, family / "distractors"
    papers.mkdir(parents=True, exist_ok=True)
    (corpus / "texts").mkdir(parents=True, exist_ok=True)
    works: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as scratch:
        sources = Path(scratch)
        shutil.copyfile(FAMILY / "sources" / "template.typ", sources / "template.typ")
        for kind, draft_of in KINDS.items():
            for about in listed[kind]:
                draw = random.Random(about["id"])
                draft = draft_of(about, draw)
                text = text_of(listed["phrases"][kind], draft.values, draw)
                work = work_of(kind, about["id"], text, len(works), draw)
                works.append(work)
                source = sources / f"{work['id']}.typ"
                source.write_text(as_typst(draft, text, work, 2 if kind == "cells" else 1), encoding="utf-8")
                (corpus / work["text"]).write_text(as_text(draft, text), encoding="utf-8")
                typst.compile(
                    str(source), output=str(papers / f"{work['id']}.pdf"), root=str(sources), ignore_system_fonts=True,
                    timestamp=EPOCH,
                )  # fmt: skip
    _enter(corpus / "works.jsonl", works)
    return sorted(papers.glob("*.pdf"))


def _enter(path: Path, works: list[dict[str, Any]]) -> None:
    """Put the lines of the distractors after those that were written by hand."""
    ids = {work["id"] for work in works}
    lines = path.read_bytes().splitlines() if path.exists() else []
    own = [line for line in lines if orjson.loads(line)["id"] not in ids]
    path.write_bytes(b"".join(line + b"\n" for line in (*own, *map(orjson.dumps, works))))


def main() -> None:
    """Build into the family's folder or ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE, metavar="FAMILY")
    for path in build(parser.parse_args().out):
        print(f"{path.name}\t{path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
