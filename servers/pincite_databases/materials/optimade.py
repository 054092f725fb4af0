"""Structures over OPTIMADE (specification 1.2): COD and the open part of the Materials Project."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import acos, degrees, hypot
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import DAY, Rate, SourcePolicy
from pincite_core.json_fields import at
from pincite_databases.fields import Record, record, records, text, whole
from pincite_databases.materials.record import Fact, Material, number

COD = SourcePolicy(
    "cod", "COD", "https://www.crystallography.net/cod/optimade/v1", Rate(1, 1.0, at_once=2), fresh_seconds=7 * DAY
)
"""The Crystallography Open Database states no limit; one request a second is polite."""

MATERIALS_PROJECT_OPEN = SourcePolicy(
    "materials_project_optimade",
    "Materials Project (OPTIMADE)",
    "https://optimade.materialsproject.org/v1",
    Rate(2, 1.0, at_once=2),
    fresh_seconds=7 * DAY,
)

_FIELDS = (
    "chemical_formula_reduced", "chemical_formula_descriptive", "nelements", "nsites", "lattice_vectors",
    "last_modified",
)  # fmt: skip
_OWN_FIELDS = {
    "cod": (
        "_cod_sg", "_cod_sgnumber", "_cod_a", "_cod_b", "_cod_c", "_cod_alpha", "_cod_beta", "_cod_gamma", "_cod_vol",
        "_cod_celltemp", "_cod_cellpressure", "_cod_mineral", "_cod_chemname", "_cod_calcformula", "_cod_title",
        "_cod_method", "_cod_authors", "_cod_journal", "_cod_year", "_cod_doi", "_cod_rall", "_cod_status",
        "_cod_duplicateof",
    ),
    "materials_project_optimade": ("_mp_chemical_system", "_mp_stability"),
}  # fmt: skip
_COD_FACTS = (
    ("_cod_sg", "space group", ""),
    ("_cod_sgnumber", "space group number", ""),
    ("_cod_a", "a", "Å"),
    ("_cod_b", "b", "Å"),
    ("_cod_c", "c", "Å"),
    ("_cod_alpha", "alpha", "°"),
    ("_cod_beta", "beta", "°"),
    ("_cod_gamma", "gamma", "°"),
    ("_cod_vol", "cell volume", "Å^3"),
    ("_cod_celltemp", "temperature of the cell", "K"),
    ("_cod_cellpressure", "pressure of the cell", "kPa"),
    ("_cod_mineral", "mineral", ""),
    ("_cod_chemname", "chemical name", ""),
    ("_cod_rall", "R factor, all reflections", ""),
    ("_cod_method", "method", ""),
    ("_cod_title", "title of the paper", ""),
    ("_cod_authors", "authors of the paper", ""),
    ("_cod_journal", "journal", ""),
    ("_cod_year", "year", ""),
    ("_cod_doi", "DOI of the paper", ""),
    ("_cod_status", "status", ""),
    ("_cod_duplicateof", "duplicate of", ""),
)
_SHOWN_CHARS = 400
"""Characters of a value that are shown."""


@dataclass(frozen=True, slots=True)
class Structures:
    """Entries in the database's order; ``next_page`` asks for those that follow."""

    materials: tuple[Material, ...]
    total: int | None
    next_page: str | None
    response: Response


class Optimade:
    """One database that speaks OPTIMADE."""

    def __init__(self, web: Web, policy: SourcePolicy) -> None:
        self._web = web
        self.policy = policy

    async def search(self, formula: str, elements: Sequence[str], *, limit: int, page: str | None) -> Structures:
        """Structures with this reduced formula, or with all of these elements and no other; ``page`` from the last."""
        params = {"filter": _filter(formula, elements), "page_limit": str(limit)}
        response = await self._ask("structures", params | (dict(parse_qsl(page)) if page else {}))
        body = _body(response)
        if not isinstance(body.get("data"), list):
            raise response.malformed("an OPTIMADE answer without a list of data")
        made = (self._material(entry) for entry in records(body, "data"))
        materials = tuple(material for material in made if material is not None)
        return Structures(materials, whole(body, "meta", "data_returned"), _next_page(body), response)

    async def structure(self, entry: str) -> tuple[Material, Response]:
        """The structure with the database's id; NotFoundError when there is none."""
        response = await self._ask(f"structures/{entry}", {})
        body = _body(response)
        if "data" in body and body["data"] is None:
            raise NotFoundError(f"{self.policy.title} has no structure {entry}.", seen=response.url)
        material = self._material(record(body, "data"))
        if material is None:
            raise response.malformed("an OPTIMADE entry without id or attributes")
        return material, response

    async def _ask(self, path: str, params: dict[str, str]) -> Response:
        """Ask for the fields that are shown; a database that refuses one of them is asked for its own set."""
        fields = ",".join((*_FIELDS, *_OWN_FIELDS[self.policy.name]))
        try:
            return await self._web.get(self.policy, path, {"response_fields": fields, **params})
        except BadInputError:
            params.pop("response_fields", None)
            return await self._web.get(self.policy, path, params)

    def _material(self, entry: Record) -> Material | None:
        own, known = text(entry, "id"), record(entry, "attributes")
        if not own or not known:
            return None
        cod = self.policy is COD
        facts = [*_counts(known), *(_cod_facts(known) if cod else [*_cell(known), *_stability(known)])]
        return Material(
            id=f"cod-{own}" if cod else own,
            database="cod" if cod else "materials_project",
            formula=_formula(known),
            url=f"https://www.crystallography.net/cod/{own}.html"
            if cod
            else f"https://next-gen.materialsproject.org/materials/{own}",
            facts=tuple(facts),
            deprecated=cod and bool(known.get("_cod_duplicateof")),
        )


def _filter(formula: str, elements: Sequence[str]) -> str:
    if formula:
        return f'chemical_formula_reduced="{formula}"'
    listed = ", ".join(f'"{element}"' for element in elements)
    return f"elements HAS ALL {listed} AND nelements={len(elements)}"


def _body(response: Response) -> Record:
    body = response.json()
    if not isinstance(body, dict):
        raise response.malformed("an OPTIMADE answer is an object")
    made = cast("Record", body)
    errors = records(made, "errors")
    if errors and "data" not in made:
        seen = text(errors[0], "detail") or text(errors[0], "title")
        raise BadInputError(f"{response.request.policy.title} rejected this query.", seen=seen[:300])
    return made


def _next_page(body: Record) -> str | None:
    """The parameters of the next page, from the link that the database gives (a string or an object with href)."""
    link = text(body, "links", "next") or text(body, "links", "next", "href")
    return urlsplit(link).query or None


def _formula(known: Record) -> str:
    for name in ("chemical_formula_descriptive", "chemical_formula_reduced", "_cod_calcformula"):
        if value := text(known, name).strip(" -"):
            return value[:_SHOWN_CHARS]
    return ""


def _counts(known: Record) -> list[Fact]:
    facts: list[Fact] = []
    if reduced := text(known, "chemical_formula_reduced"):
        facts.append(Fact("reduced formula", reduced[:_SHOWN_CHARS]))
    sites = whole(known, "nsites")
    if sites is not None:
        facts.append(Fact("sites in the cell", sites))
    if modified := text(known, "last_modified"):
        facts.append(Fact("last modified", modified[:40]))
    return facts


def _cod_facts(known: Record) -> list[Fact]:
    """Values of the COD, measured unless it names a theoretical method."""
    facts: list[Fact] = []
    nature = "computed" if "theor" in str(known.get("_cod_method", "")).lower() else "experimental"
    for name, title, unit in _COD_FACTS:
        value = known.get(name)
        if unit or isinstance(value, int | float):
            value = number(value)
        if isinstance(value, float):
            facts.append(Fact(title, int(value) if value.is_integer() and not unit else value, unit, nature))
        elif isinstance(value, str) and value.strip():
            facts.append(Fact(title, " ".join(value.split())[:_SHOWN_CHARS]))
    return facts


def _cell(known: Record) -> list[Fact]:
    """Lengths and angles of the cell, from its vectors (rows, in Å)."""
    vectors = known.get("lattice_vectors")
    if not isinstance(vectors, list) or len(cast("list[Any]", vectors)) != 3:
        return []
    rows: list[list[float]] = []
    for vector in cast("list[Any]", vectors):
        parts = [number(part) for part in cast("list[Any]", vector)] if isinstance(vector, list) else []
        rows.append([part for part in parts if part is not None])
    if any(len(row) != 3 or not hypot(*row) for row in rows):
        return []
    lengths = [hypot(*row) for row in rows]
    note = "from the lattice vectors of the cell as calculated, which may be the primitive one"
    facts = [Fact(name, round(length, 4), "Å", "computed", note) for name, length in zip("abc", lengths, strict=True)]
    for name, (i, j) in {"alpha": (1, 2), "beta": (0, 2), "gamma": (0, 1)}.items():
        cosine = sum(x * y for x, y in zip(rows[i], rows[j], strict=True)) / (lengths[i] * lengths[j])
        facts.append(Fact(name, round(degrees(acos(max(-1.0, min(1.0, cosine)))), 3), "°", "computed", note))
    return facts


def _stability(known: Record) -> list[Fact]:
    """Energies that the Materials Project gives by thermodynamic scheme (``gga_gga+u``, ``r2scan``, both mixed)."""
    facts: list[Fact] = []
    for scheme, given in record(known, "_mp_stability").items():
        for name, title in (
            ("energy_above_hull", "energy above the hull"),
            ("formation_energy_per_atom", "formation energy"),
        ):
            value = number(at(given, name))
            if value is not None:
                facts.append(Fact(title, value, "eV/atom", "computed", scheme[:40]))
    return facts
