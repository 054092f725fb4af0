"""The Materials Project's own API (api.materialsproject.org, summary route of emmet), which wants a key."""

from collections.abc import Sequence

from pydantic import SecretStr

from pincite_core.errors import NotFoundError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import DAY, Access, Rate, SourcePolicy
from pincite_core.json_fields import at
from pincite_databases.fields import Record, record, records, text, texts, truth, whole
from pincite_databases.materials.optimade import Structures
from pincite_databases.materials.record import Fact, Material, number

MATERIALS_PROJECT = SourcePolicy(
    "materials_project",
    "Materials Project",
    "https://api.materialsproject.org",
    Rate(25, 1.0),
    fresh_seconds=7 * DAY,
)
"""Its published limit is 25 requests a second."""

_NUMBERS = (
    ("energy_above_hull", "energy above the hull", "eV/atom"),
    ("formation_energy_per_atom", "formation energy", "eV/atom"),
    ("band_gap", "band gap", "eV"),
    ("density", "density", "g/cm^3"),
    ("volume", "cell volume", "Å^3"),
    ("total_magnetization", "total magnetization of the cell", "μB"),
    ("bulk_modulus", "bulk modulus (Voigt-Reuss-Hill)", "GPa"),
    ("shear_modulus", "shear modulus (Voigt-Reuss-Hill)", "GPa"),
    ("nsites", "sites in the cell", ""),
)
_FLAGS = (("is_stable", "on the hull"), ("is_gap_direct", "direct gap"), ("is_metal", "metal"))
_GAP_NOTE = "Kohn-Sham gap of a semilocal functional: usually smaller than the measured one"
_FIELDS = (
    "material_id", "formula_pretty", "symmetry", "structure", "theoretical", "ordering", "deprecated", "last_updated",
    "database_IDs", *(name for name, _, _ in _NUMBERS), *(name for name, _ in _FLAGS),
)  # fmt: skip
_MOST_REFERENCES = 10
"""Entries of another database that are shown for a material."""


class MaterialsProject:
    """Summaries of materials; every value is computed (DFT) unless its name says otherwise."""

    policy = MATERIALS_PROJECT

    def __init__(self, web: Web, key: SecretStr) -> None:
        self._web = web
        self._access = Access(headers={"X-API-KEY": key.get_secret_value()})

    async def search(self, formula: str, elements: Sequence[str], *, limit: int, page: str | None) -> Structures:
        """Materials with this reduced formula or of exactly this chemical system; ``page`` from the last answer."""
        skip = int(page) if page and page.isdecimal() else 0
        asked = {"formula": formula} if formula else {"chemsys": "-".join(sorted(elements))}
        params = {**asked, "_fields": ",".join(_FIELDS), "_limit": str(limit), "_skip": str(skip)}
        response = await self._web.get(MATERIALS_PROJECT, "materials/summary/", params, access=self._access)
        entries, total = _entries(response)
        materials = tuple(material for material in map(_material, entries) if material is not None)
        more = len(entries) == limit and (total is None or skip + limit < total)
        return Structures(materials, total, str(skip + limit) if more else None, response)

    async def structure(self, entry: str) -> tuple[Material, Response]:
        """The material with an id such as ``mp-149``; NotFoundError when there is none."""
        params = {"material_ids": entry, "_fields": ",".join(_FIELDS), "_limit": "1"}
        response = await self._web.get(MATERIALS_PROJECT, "materials/summary/", params, access=self._access)
        entries, _ = _entries(response)
        if not entries:
            raise NotFoundError(f"The Materials Project has no material {entry}.", seen=response.url)
        material = _material(entries[0])
        if material is None:
            raise response.malformed("a material without id")
        return material, response

    async def release(self) -> str:
        """The version of the database ("2025.09.25"); empty where it does not say."""
        response = await self._web.get(MATERIALS_PROJECT, "heartbeat", access=self._access)
        return text(response.json(), "db_version")


def _entries(response: Response) -> tuple[list[Record], int | None]:
    body = response.json()
    if not isinstance(at(body, "data"), list):
        raise response.malformed("an answer of the Materials Project without a list of data")
    return records(body, "data"), whole(body, "meta", "total_doc")


def _material(known: Record) -> Material | None:
    own = text(known, "material_id")
    if not own:
        return None
    return Material(
        id=own,
        database="materials_project",
        formula=text(known, "formula_pretty"),
        url=f"https://next-gen.materialsproject.org/materials/{own}",
        facts=(*_symmetry(known), *_cell(known), *_numbers(known), *_origin(known)),
        deprecated=truth(known, "deprecated") is True,
    )


def _symmetry(known: Record) -> list[Fact]:
    symmetry = record(known, "symmetry")
    precision = number(symmetry.get("symprec"))
    note = f"found by spglib with symprec {precision:g} Å" if precision else ""
    facts = [
        Fact(title, value, nature="computed", note=note)
        for name, title in (("symbol", "space group"), ("crystal_system", "crystal system"))
        if (value := text(symmetry, name))
    ]
    group = whole(symmetry, "number")
    return facts if group is None else [*facts, Fact("space group number", group, nature="computed", note=note)]


def _cell(known: Record) -> list[Fact]:
    lattice = record(known, "structure", "lattice")
    note = "of the cell as calculated, which may be the primitive one"
    units = {"a": "Å", "b": "Å", "c": "Å", "alpha": "°", "beta": "°", "gamma": "°"}
    found = ((name, number(lattice.get(name)), unit) for name, unit in units.items())
    return [Fact(name, round(value, 4), unit, "computed", note) for name, value, unit in found if value is not None]


def _numbers(known: Record) -> list[Fact]:
    facts: list[Fact] = []
    for name, title, unit in _NUMBERS:
        given = at(known, name)
        average = at(given, "vrh")
        value = number(given if average is None else average)
        if value is not None:
            whole_value = int(value) if name == "nsites" else value
            facts.append(Fact(title, whole_value, unit, "computed", _GAP_NOTE if name == "band_gap" else ""))
    flags = ((title, truth(known, name)) for name, title in _FLAGS)
    facts += [Fact(title, value, nature="computed") for title, value in flags if value is not None]
    if ordering := text(known, "ordering"):
        facts.append(Fact("magnetic ordering", ordering, nature="computed"))
    return facts


def _origin(known: Record) -> list[Fact]:
    facts: list[Fact] = []
    theoretical = truth(known, "theoretical")
    if theoretical is not None:
        facts.append(Fact("seen in experiment", not theoretical, note="matched to a structure of the ICSD"))
    references = record(known, "database_IDs")
    facts += [
        Fact(f"entries in {database[:20]}", ", ".join(listed[:_MOST_REFERENCES]))
        for database in references
        if (listed := texts(references, database))
    ]
    if updated := text(known, "last_updated", "$date") or text(known, "last_updated"):
        facts.append(Fact("last modified", updated[:40]))
    return facts
