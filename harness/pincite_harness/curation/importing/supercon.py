"""SuperCon for precedent_search: the CSV of materials with their Tc or Tcn, one task a row.

The file of the reliability-gap study: columns ``refno``, ``material``, ``property_name`` (tc or tcn), the class and the
two questions' answers; with ``doi``, ``title`` and ``year`` where someone has looked them up
(``dev-set_with_dois.csv``).
"""

import csv
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.curation.importing.dataset import DatasetEntry, ImportOptions
from pincite_harness.curation.importing.own_papers import to_task_id
from pincite_tasks.task import Inputs, Record

_CLASS = "Has material been reported to be superconducting?"
_TC = "What is the highest measured Tc?"
_TCN = "What is the lowest temp for measurement at which material was not superconducting?"
_NEEDED = ("refno", "material", "property_name", _CLASS, _TC, _TCN)
_ASKED = {"Yes": ("tc", "measurements", _TC), "No": ("tcn", "negative_measurements", _TCN)}
_DOIS = ("doi", "true_doi")
_TITLES = ("title", "paper_title", "arxiv_title")
_YEARS = ("year", "published_year")
_NEXT = "Give the CSV as it was published."

_APS = re.compile(r"(?P<journal>PRB|PRL)(?P<volume>\d{3})(?P<page>\d{4,6})")
_APS_NAMES = {"PRB": "PhysRevB", "PRL": "PhysRevLett"}
_FIRST_NUMBERED = {"PRB": 63, "PRL": 87}
"""Volumes from which these journals number articles by six digits, and no longer by pages."""


def read_supercon(source: Path, options: ImportOptions) -> Iterator[DatasetEntry]:
    """One task a row, with its answer as gold; a row that cannot be one is left out with its line.

    What the row says of its paper becomes the gold's source: a DOI and title of its own columns, or the DOI that
    follows from a reference number of Physical Review (volume and page make it). Without either, citations are not
    scored. A temperature of 0 K stands in the list for what was not looked up, and is met by 0 alone, as published.
    """
    path = _file(source)
    taken: set[str] = set()
    uncited = unmeasured = 0
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        if missing := [name for name in _NEEDED if name not in (rows.fieldnames or ())]:
            raise BadInputError(f"{path}:1 lacks columns.", seen=", ".join(missing), next=_NEXT)
        for row in rows:
            with options.item(f"{path}:{rows.line_num}"):
                record = _record(f"{path}:{rows.line_num}", row, taken)
                uncited += not record.gold["sources"]
                unmeasured += not float(row[_ASKED[record.gold["reported"]][2]])
                yield DatasetEntry(record)
    if uncited:
        options.note(f"the sources of {uncited} materials: the list gives no DOI or title of their papers")
    if unmeasured:
        options.note(f"what was measured of {unmeasured} materials: the list says 0 K, which 0 alone meets")


def _file(source: Path) -> Path:
    if not source.is_dir():
        if not source.is_file():
            raise NotFoundError(f"There is no {source}.", next=_NEXT)
        return source
    found = sorted(source.glob("SuperCon_Tc_Tcn*.csv"))
    if len(found) != 1:
        seen = ", ".join(path.name for path in found) or "none"
        raise BadInputError(f"{source} has not one SuperCon_Tc_Tcn*.csv.", seen=seen, next="Name the file in --from.")
    return found[0]


def _record(place: str, row: Mapping[str | None, Any], taken: set[str]) -> Record:
    if None in row or None in row.values():
        raise BadInputError(f"{place} has not as many cells as the header.", next=_NEXT)
    cells = {str(name): str(cell).strip() for name, cell in row.items()}
    material, reported = cells["material"], cells[_CLASS]
    if not material:
        raise BadInputError(f"{place} names no material.", next=_NEXT)
    if reported not in _ASKED:
        raise BadInputError(f"{place}: {_CLASS}", seen=reported or "nothing", next="Answer Yes or No.")
    name, asked, column = _ASKED[reported]
    if cells["property_name"] != name:
        raise BadInputError(f"{place}: {reported} goes with {name}.", seen=cells["property_name"], next=_NEXT)
    sources = _sources(cells)
    gold: dict[str, Any] = {"reported": reported, "sources": sources, "measurements": [], "negative_measurements": []}
    gold[asked].append({"material": material, "value": _value(place, cells[column]), "unit": "K", "sources": sources})
    metadata: dict[str, Any] = {"title": material, "refno": cells["refno"]}
    return Record(
        task_id=_task_id(material, taken),
        inputs=Inputs(parameters={"material": material}),
        gold=gold,
        metadata=metadata,
    )


def _value(place: str, text: str) -> str:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 <= value < math.inf:
        raise BadInputError(f"{place} has no temperature.", seen=text or "nothing", next="Give kelvin, as a number.")
    return text


def _sources(cells: Mapping[str, str]) -> list[dict[str, Any]]:
    """Every DOI and every title that the row gives; they may be those of a preprint and of an article."""
    dois = list(dict.fromkeys(filter(None, (cells.get(name, "") for name in _DOIS))))
    titles = list(dict.fromkeys(filter(None, (cells.get(name, "") for name in _TITLES))))
    derived = _aps_doi(cells["refno"])
    if not dois and derived:
        dois = [derived]
    year = next((int(text) for name in _YEARS if (text := cells.get(name, "")).isdecimal()), None)
    pairs = [
        (dois[index] if index < len(dois) else None, titles[index] if index < len(titles) else None)
        for index in range(max(len(dois), len(titles)))
    ]
    return [{"doi": doi, "title": title, "authors": [], "year": year, "quoted_span": None} for doi, title in pairs]


def _aps_doi(refno: str) -> str:
    """``PRB097104503`` is Physical Review B 97, 104503; "" for a number of another kind."""
    found = _APS.fullmatch(refno)
    if found is None:
        return ""
    volume, page = int(found["volume"]), found["page"]
    if (len(page) == len("104503")) != (volume >= _FIRST_NUMBERED[found["journal"]]) or not volume or not int(page):
        return ""
    return f"10.1103/{_APS_NAMES[found['journal']]}.{volume}.{page if len(page) == len('104503') else int(page)}"


def _task_id(material: str, taken: set[str]) -> str:
    """The material as a name of a folder, numbered where two would be one, in any case."""
    base = to_task_id(material.replace("+", "plus").replace("=", "is")) or "material"
    task_id, number = base, 1
    while task_id.lower() in taken:
        number += 1
        task_id = f"{base}-{number}"
    taken.add(task_id.lower())
    return task_id
