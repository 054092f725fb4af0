"""search_materials and get_material: crystal structures and their properties in the Materials Project and COD."""

from collections.abc import Callable
from typing import Annotated, Literal, NotRequired

import anyio
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError, PinciteError, UnavailableError
from pincite_core.paging import decode_token, encode_token
from pincite_databases.arguments import Cursor, Limit
from pincite_databases.materials.formulas import element_list, reduced_formula
from pincite_databases.materials.materials_project import MaterialsProject
from pincite_databases.materials.optimade import COD, MATERIALS_PROJECT_OPEN, Optimade, Structures
from pincite_databases.materials.record import Fact, Material, Nature
from pincite_databases.provenance import Provenance, provenance
from pincite_databases.state import DatabasesState

Database = Literal["materials_project", "cod"]
_DATABASES: tuple[Database, ...] = ("materials_project", "cod")
_LISTED = frozenset((
    "reduced formula", "space group", "a", "b", "c", "alpha", "beta", "gamma", "energy above the hull", "band gap",
    "mineral", "DOI of the paper", "year", "temperature of the cell",
))  # fmt: skip
"""Facts that a list shows; ``get_material`` shows all."""


class FactEntry(TypedDict):
    """A value with its unit; ``nature`` says whether it was computed, measured or only stated."""

    name: str
    value: str | float | bool
    unit: NotRequired[str]
    nature: Nature
    note: NotRequired[str]


class MaterialEntry(TypedDict):
    """A material; ``deprecated`` ones were withdrawn by their database or repeat another entry."""

    id: str
    database: str
    formula: str
    url: str
    deprecated: NotRequired[bool]
    facts: list[FactEntry]


class DatabaseEntry(TypedDict):
    """What a database that was asked did: ``reason`` where it failed; ``next_cursor`` where it has more."""

    database: str
    state: Literal["answered", "failed"]
    found: int | None
    reason: NotRequired[str]
    next_cursor: NotRequired[str]


class Materials(TypedDict):
    """Materials by database, in each database's order."""

    materials: list[MaterialEntry]
    databases: list[DatabaseEntry]
    sources: list[Provenance]


class MaterialDetails(TypedDict):
    """One material with all facts."""

    material: MaterialEntry
    sources: list[Provenance]


async def search_materials(
    state: DatabasesState,
    formula: Annotated[str, Field(max_length=200, description='as "La2CuO4"')] = "",
    elements: Annotated[str, Field(max_length=200, description='exactly these, as "La Cu O"')] = "",
    database: Literal["both", "materials_project", "cod"] = "both",
    limit: Limit = 10,
    cursor: Cursor = "",
) -> Materials:
    """Find crystal structures by formula or by their exact set of elements: computed ones in the Materials Project,
    measured ones in COD.
    """
    if bool(formula.strip()) == bool(elements.strip()):
        raise BadInputError("Give a formula or elements, and not both.")
    reduced = reduced_formula(formula) if formula.strip() else ""
    symbols = [] if reduced else element_list(elements)
    names: tuple[Database, ...] = _DATABASES if database == "both" else (database,)
    if cursor and len(names) != 1:
        raise BadInputError("A cursor belongs to one database.", next="Give database as well.")
    query = ("search_materials", names[0], reduced, tuple(symbols), limit)
    page = decode_token(cursor, *query) or None
    found: dict[Database, Structures | PinciteError] = {}

    async def ask(name: Database) -> None:
        try:
            found[name] = await _client(state, name).search(reduced, symbols, limit=limit, page=page)
        except PinciteError as error:
            found[name] = error

    async with anyio.create_task_group() as tasks:
        for name in names:
            tasks.start_soon(ask, name)
    return _listing({name: found[name] for name in names}, (reduced, tuple(symbols), limit))


async def get_material(
    state: DatabasesState,
    id: Annotated[str, Field(max_length=60, description='"mp-149" or "cod-9008565"')],  # noqa: A002
) -> MaterialDetails:
    """All that a database says of one material, each value with unit and whether it was computed or measured."""
    name, own = _identify(id)
    client = _client(state, name)
    material, answer = await client.structure(own)
    release = await client.release() if isinstance(client, MaterialsProject) else ""
    return MaterialDetails(material=_entry(material, lambda _: True), sources=[provenance(answer, "material", release)])


def _client(state: DatabasesState, name: Database) -> MaterialsProject | Optimade:
    if name == "cod":
        return Optimade(state.web, COD)
    key = state.settings.materials_project_api_key
    return Optimade(state.web, MATERIALS_PROJECT_OPEN) if key is None else MaterialsProject(state.web, key)


def _identify(text: str) -> tuple[Database, str]:
    cleaned = text.strip().lower()
    prefix, _, rest = cleaned.partition("-")
    if prefix in ("mp", "mvc") and rest.isascii() and rest.isalnum():
        return "materials_project", cleaned
    digits = rest if prefix == "cod" else cleaned
    if len(digits) == 7 and digits.isascii() and digits.isdigit():
        return "cod", digits
    raise BadInputError(
        f"{text[:60]!r} is not an id of a material.", next='Give one of search_materials, as "mp-149" or "cod-9008565".'
    )


def _listing(found: dict[Database, Structures | PinciteError], query: tuple[object, ...]) -> Materials:
    materials: list[MaterialEntry] = []
    databases: list[DatabaseEntry] = []
    sources: list[Provenance] = []
    for name, outcome in found.items():
        if isinstance(outcome, PinciteError):
            databases.append(DatabaseEntry(database=name, state="failed", found=None, reason=str(outcome)))
            continue
        materials += [_entry(material, lambda fact: fact.name in _LISTED) for material in outcome.materials]
        entry = DatabaseEntry(
            database=name, state="answered", found=len(outcome.materials) if outcome.total is None else outcome.total
        )
        if outcome.next_page:
            entry["next_cursor"] = encode_token(outcome.next_page, "search_materials", name, *query)
        databases.append(entry)
        sources.append(provenance(outcome.response, f"materials of {name}"))
    if not sources:
        raise _all_failed(list(found.values()))
    return Materials(materials=materials, databases=databases, sources=sources)


def _all_failed(outcomes: list[Structures | PinciteError]) -> PinciteError:
    errors = [outcome for outcome in outcomes if isinstance(outcome, PinciteError)]
    if len(errors) == 1:
        return errors[0]
    return UnavailableError(
        "No database could be asked: this is not an empty result.", seen="; ".join(str(error) for error in errors)
    )


def _entry(material: Material, shown: Callable[[Fact], bool]) -> MaterialEntry:
    entry = MaterialEntry(
        id=material.id,
        database=material.database,
        formula=material.formula,
        url=material.url,
        facts=[_fact(fact) for fact in material.facts if shown(fact)],
    )
    if material.deprecated:
        entry["deprecated"] = True
    return entry


def _fact(fact: Fact) -> FactEntry:
    entry = FactEntry(name=fact.name, value=fact.value, nature=fact.nature)
    if fact.unit:
        entry["unit"] = fact.unit
    if fact.note:
        entry["note"] = fact.note
    return entry
