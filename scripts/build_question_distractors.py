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
    """A paper before it is set. ``results`` stand before the table, between table and figure, and after the figure."""

    title: str
    abstract: str
    introduction: str
    methods: str
    results: tuple[str, str, str]
    discussion: str
    rows: Sequence[Sequence[str]]
    caption: str
    chart: Chart
    chart_caption: str
    subjects: Sequence[str]


def seaweed(about: Mapping[str, Any], draw: random.Random) -> Draft:
    """Growth and nitrogen of a seaweed against a nutrient at two temperatures."""
    cold, warm = about["temperatures"]
    species, fjord, nutrient, held = (about[name] for name in ("species", "fjord", "nutrient", "held"))
    doses = draw.choice(((1, 3, 6, 12, 24, 48), (2, 4, 8, 16, 32), (1, 2, 5, 10, 20, 40)))
    top_cold, top_warm = draw.uniform(2.4, 3.4), draw.uniform(1.7, 2.3)
    rows = [[f"{nutrient.capitalize()} (μmol/L)", f"{cold} °C: N (% dry mass)", f"{warm} °C: N (% dry mass)", "Alive"]]
    for dose in doses:
        share = dose / (dose + 4)
        rows.append([f"{dose}", f"{top_cold * share:.2f}", f"{top_warm * share:.2f}", f"{draw.randint(17, 24)}"])
    half_cold, half_warm = draw.uniform(4.6, 9.0), draw.uniform(1.6, 3.4)
    fast_cold, fast_warm = draw.uniform(6.5, 8.5), draw.uniform(4.4, 5.8)
    series = {
        f"{cold} °C": [(dose, fast_cold * dose / (dose + half_cold)) for dose in doses],
        f"{warm} °C": [(dose, fast_warm * dose / (dose + half_warm)) for dose in doses],
    }
    sites = draw.sample(("Hellvik", "Brattskjer", "Skarholm", "Innvik", "Torsnes", "Gryteid"), 4)
    guest = draw.choice(("Electra", "Obelia", "Membranipora", "Spirorbis"))
    return Draft(
        draw.choice((
            f"{nutrient.capitalize()} and temperature in the growth of {species} of the {fjord}",
            f"How {nutrient} and warmth set the growth of {species} in the {fjord}",
        )),
        f"Juvenile {species} from four sites of the {fjord} was kept for {draw.choice((21, 28, 35))} days at two temperatures and "
        f"{len(doses)} concentrations of {nutrient}. Growth saturates at a lower concentration in warm water.",
        f"Farms of {species} report that growth ends in early summer. Whether {nutrient} or temperature ends it has been disputed. Values for "
        f"other seaweeds of the coast cannot be carried over, since their blades store {nutrient} in other amounts.",
        f"Plants of {draw.randint(4, 6)} to {draw.randint(7, 10)} cm were collected by divers at {', '.join(sites[:3])} and {sites[3]}. "
        f"{held.capitalize()} was held at {draw.choice((1, 2, 3, 5))} μmol/L throughout, so that it never limited growth. Growth was measured "
        f"with a punched hole above the blade's base, and nitrogen with an elemental analyser after freeze-drying.",
        (
            "Table 1 shows the nitrogen content of the blades at the end. Warm plants held less nitrogen than cold plants.",
            f"The growth of the plants is shown in Fig. 1. A hyperbola fitted to the growth of the cold plants has a half-saturation "
            f"constant of {half_cold:.1f} μmol/L; for the warm plants the fit gives {half_warm:.1f} μmol/L.",
            f"Plants from {sites[0]} and {sites[1]} released spores during the experiment; those from {sites[2]} and {sites[3]} did not. "
            f"Epiphytes, mostly {guest}, covered {draw.randint(6, 19)} % of the warm blades and {draw.randint(1, 5)} % of the cold ones.",
        ),
        f"{nutrient.capitalize()} alone does not end the season of {species}. We suggest that epiphytes, which settle above "
        f"{draw.randint(10, 17)} °C, weigh the blades down.",
        rows,
        f"Nitrogen content of the blades of {species} at the end, and plants alive of 24.",
        Chart(f"{nutrient.capitalize()} (μmol/L)", "Growth (mm/day)", (0, 10, 20, 30, 40, 50), (0, 2, 4, 6, 8), series),
        f"Growth of {species} against the concentration of {nutrient} at {cold} °C and {warm} °C.",
        ("seaweeds",),
    )  # fmt: skip


def cells(about: Mapping[str, Any], draw: random.Random) -> Draft:
    """Ageing of solar cells of four absorbers."""
    plain, added, addition, gas = (about[name] for name in ("plain", "added", "addition", "gas"))
    degrees = about["kelvin"] - _ABSOLUTE_ZERO
    hours = draw.choice((400, 600, 800))
    absorbers = (plain[0], added[0], plain[1], added[1])
    rows = [["Absorber", "Gap (eV)", "Efficiency, fresh (%)", f"after {hours} h (%)"]]
    series: dict[str, list[tuple[float, float]]] = {}
    for label, absorber in zip("ABCD", absorbers, strict=True):
        gap = 1.32 + 0.2 * (label in "CD") + draw.uniform(0, 0.19)
        fresh, last = draw.uniform(12.5, 20.5), draw.uniform(0.74, 0.9) if label in "BD" else draw.uniform(0.45, 0.68)
        rows.append([absorber, f"{gap:.2f}", f"{fresh:.1f}", f"{fresh * last:.1f}"])
        bend = draw.uniform(0.35, 1.1)
        series[label] = [(hours * part, 1 - (1 - last) * part**bend) for part in (0, 0.25, 0.5, 0.75, 1)]
    salt = {"P": "lead iodide", "S": "tin iodide", "G": "germanium iodide"}[plain[0][2]]
    energies = draw.uniform(0.45, 0.7), draw.uniform(0.71, 0.95)
    shown = ", ".join(f"{label}: {absorber}" for label, absorber in zip("ABCD", absorbers, strict=True))
    return Draft(
        draw.choice((
            f"{addition.capitalize()} and the ageing of {plain[0]} solar cells",
            f"Ageing of caesium halide cells with {addition} at {degrees} °C",
        )),
        f"Cells with absorbers of caesium halides, with and without {addition}, were aged for {hours} h under light at {degrees} °C.",
        f"Light drives the halides of mixed absorbers apart. {addition.capitalize()} is said to hold them together. Reports on how much of it is best "
        f"differ, not least because cells were aged in the dark, under light or at the maximum power point.",
        f"Absorbers were spun from a mixture of solvents and annealed at {draw.choice((90, 110, 140, 180))} °C. The top contact was "
        f"{draw.choice((60, 70, 100))} nm of {draw.choice(('gold', 'silver', 'copper'))}. Cells were aged in a chamber flushed with {gas}, at open "
        f"circuit, under white diodes. Band gaps follow from the inflection point of the external quantum efficiency.",
        (
            "Table 1 lists the absorbers with their band gaps and efficiencies.",
            f"Figure 1 shows how the efficiency falls. X-ray diffraction of aged films without {addition} shows {salt} beside the perovskite.",
            f"The activation energy of the loss is {energies[0]:.2f} eV for {plain[0]} and {energies[1]:.2f} eV for {added[0]}.",
        ),
        f"{addition.capitalize()} decides how these cells age. Whether the top contact takes part was not tested.",
        rows,
        f"Band gap and efficiency of the cells before and after ageing under light at {degrees} °C.",
        Chart("Time (h)", "Efficiency / first value", [hours * part / 4 for part in range(5)], (0.4, 0.6, 0.8, 1), series),
        f"Efficiency over its first value. {shown}.",
        ("photovoltaics",),
    )  # fmt: skip


def fish(about: Mapping[str, Any], draw: random.Random) -> Draft:
    """Where in the water larvae of a fish gather by day and by night."""
    species, fjord, mark = about["species"], about["fjord"], about["mark"]
    depths = (2, 6, 14, 22, 34, 48)
    day, night = draw.choice((22, 34, 48)), draw.choice((2, 6, 14))
    caught = draw.randint(1900, 5200)
    rows = [["Depth (m)", "Larvae by day", "Larvae by night", "Salinity (g/kg)"]]
    series: dict[str, list[tuple[float, float]]] = {"day": [], "night": []}
    for depth in depths:
        counts = [int(draw.uniform(20, 60) + 400 / (1 + abs(depth - middle))) for middle in (day, night)]
        rows.append([f"{depth}", f"{counts[0]}", f"{counts[1]}", f"{draw.uniform(18, 22) + depth / 4:.1f}"])
        for name, count in zip(series, counts, strict=True):
            series[name].append((depth, count))
    eggs = draw.randint(4, 11)
    return Draft(
        draw.choice((
            f"Depths of {species} larvae in the {fjord} by day and by night",
            f"Nightly rising of {species} larvae in the {fjord}",
        )),
        f"Larvae of {species} were followed through the water column of the {fjord} with closing nets, and eggs were kept at several salinities.",
        f"Where larvae of {species} stay in the water column decides whether they leave the {fjord}. Its upper layer moves out to sea and its lower "
        f"layer moves in, and nets that are towed through the whole column cannot tell them apart.",
        f"We towed a closing net at {len(depths)} depths at {draw.randint(3, 6)} stations. Larvae were marked at hatching with {mark}, so that "
        f"those of known age could be told from others. Volumes were measured by flow meters in the mouth of the net. Eggs were "
        f"kept in covered dishes of {draw.randint(5, 9)} salinities.",
        (
            f"A total of {caught:,} larvae were caught (Table 1). By day most larvae were caught at {day} m, at night at {night} m.",
            f"Figure 1 shows the catches against depth. The layer at night was less than {draw.randint(3, 8)} m thick, and larvae older than "
            f"{draw.randint(12, 26)} days moved further than younger ones.",
            f"Eggs of {species} hatched down to a salinity of {eggs} g/kg. Of the larvae, {draw.randint(2, 31)} % carried a parasite on the gills, "
            f"mostly {draw.choice(('a copepod', 'a trichodinid', 'a fluke', 'an amoeba'))}.",
        ),
        f"The layer at night lies where the water hardly moves, which may keep the larvae of {species} in the {fjord}. Whether they follow light or "
        f"food could not be decided.",
        rows,
        f"Larvae of {species} at each depth, and salinity.",
        Chart("Depth (m)", "Larvae", (0, 10, 20, 30, 40, 50), (0, 100, 200, 300, 400, 500), series),
        f"Larvae of {species} against depth by day and by night.",
        ("marine ecology",),
    )  # fmt: skip


KINDS: Mapping[str, Callable[[Mapping[str, Any], random.Random], Draft]] = {
    "seaweed": seaweed,
    "cells": cells,
    "fish": fish,
}


def as_typst(draft: Draft, work: Mapping[str, Any], columns: int) -> str:
    """The source that typst sets with the template of the task papers."""
    width = len(draft.rows[0])
    cell_rows = "".join(f"    {_table_row(row, formula=columns > 1)},\n" for row in draft.rows[1:])
    head = ", ".join(f"[{cell}]" for cell in draft.rows[0])
    paragraphs = [_escaped(text) for text in draft.results]
    authors = ", ".join(f'"{_signed(name)}"' for name in work["authors"])
    style = "booktabs" if columns == 1 else "ruled"
    widths = f"{width}" if columns == 1 else "(2.3fr, 0.9fr, 1.2fr, 1.2fr)"
    return f"""#import "template.typ": *
#show: paper.with(
  title: [{draft.title}], pdf-title: "{draft.title}", authors: ({authors},),
  affiliation: "Station for Invented Work, University of Nowhere",
  journal: "{work["venue"]} {work["volume"]} ({work["published"][:4]}) {work["pages"]}", doi: "doi:{work["doi"]}",
  columns-count: {columns}, size: {"10pt" if columns == 1 else "9.5pt"}, abstract: [{_escaped(draft.abstract)}],
)

= Introduction
{_escaped(draft.introduction)}

= Methods
{_escaped(draft.methods)}

= Results
{paragraphs[0]}

#figure(
  {style}(
    columns: {widths}, align: (left, {", ".join(["right"] * (width - 1))}),
    table.header({head}),
{cell_rows}  ),
  caption: [{_escaped(draft.caption)}],
)

{paragraphs[1]}

#figure({_chart(draft.chart, columns)}, caption: [{_escaped(draft.chart_caption)}])

{paragraphs[2]}

= Discussion
{_escaped(draft.discussion)}
"""


def as_text(draft: Draft) -> str:
    """The open full text, in the small language of corpora: the figure is there by its caption."""
    table = "\n".join(f"| {' | '.join(row)} |" for row in draft.rows)
    parts = [
        "# Introduction", draft.introduction, "# Methods", draft.methods, "# Results", draft.results[0],
        f"Table 1. {draft.caption}", table, draft.results[1], f"Fig. 1. {draft.chart_caption}", draft.results[2],
        "# Discussion", draft.discussion,
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def work_of(kind: str, about: Mapping[str, Any], draft: Draft, number: int, draw: random.Random) -> dict[str, Any]:
    """The work's line in ``works.jsonl``; its first author is the one of its id."""
    name, year = about["id"][:-4], int(about["id"][-4:])
    first = next((one for one in PEOPLE if one.lower().startswith(name)), f"{name.capitalize()}, Åse")
    others = [one for one in PEOPLE if one != first]
    venue, volume, page = VENUES[kind], year - 2012, draw.randint(10, 390)
    short = "".join(word[0] for word in venue.lower().split() if word != "of")
    return {
        "id": about["id"], "title": draft.title, "authors": [first, *draw.sample(others, draw.randint(1, 2))],
        "published": f"{year}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}", "venue": venue,
        "publisher": "Skerry Press", "volume": str(volume), "pages": str(page),
        "doi": f"10.5555/{short}.{year}.{volume}.{page:04}", "pmid": str(_FIRST_PMID + number),
        "pmcid": f"PMC{_FIRST_PMID + number}", "abstract": draft.abstract, "subjects": list(draft.subjects),
        "text": f"texts/{about['id']}.txt", "role": "unrelated",
    }  # fmt: skip


def _chart(chart: Chart, columns: int) -> str:
    size = "width: 8.6cm, height: 5cm" if columns == 1 else "width: 6.1cm, height: 4.4cm"
    axes = f"x: {_axis(chart.x_ticks)}, y: {_axis(chart.y_ticks)}"
    labels = f'x-label: [{chart.x_label}], y-label: [{chart.y_label.replace("/", chr(92) + "/")}]'
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
                draw = random.Random(about["id"])  # noqa: S311 - numbers of invented papers
                draft = draft_of(about, draw)
                work = work_of(kind, about, draft, len(works), draw)
                works.append(work)
                source = sources / f"{work['id']}.typ"
                source.write_text(as_typst(draft, work, 2 if kind == "cells" else 1), encoding="utf-8")
                (corpus / work["text"]).write_text(as_text(draft), encoding="utf-8")
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
