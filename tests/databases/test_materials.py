"""search_materials and get_material, against local servers that speak OPTIMADE 1.2 and the Materials Project's API."""

import re
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from mcp import Client

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings
from pincite_databases.materials.formulas import element_list, reduced_formula
from pincite_databases.server import create_server

FAULTS = ("malformed", "429", "500", "slow", "truncated", "refused")
MP_KEY = "an-invented-key-of-32-characters"


def cod_entry(number: int, formula: str, **attributes: Any) -> dict[str, Any]:
    elements = re.findall("[A-Z][a-z]?", formula)
    known = {
        "chemical_formula_reduced": formula,
        "chemical_formula_descriptive": None,
        "elements": elements,
        "nelements": len(elements),
        "nsites": 12,
        "lattice_vectors": None,
        "last_modified": "2024-03-01T10:00:00Z",
        "_cod_sg": "B m a b",
        "_cod_sgnumber": 64,
        "_cod_a": 5.3568,
        "_cod_b": 5.4053,
        "_cod_c": 13.1432,
        "_cod_alpha": 90,
        "_cod_beta": 90,
        "_cod_gamma": 90,
        "_cod_vol": 380.56,
        "_cod_celltemp": 295.0,
        "_cod_calcformula": "- Cu La2 O4 -",
        "_cod_title": " An invented refinement of\n a cuprate ",
        "_cod_year": 1998,
        "_cod_doi": "10.9999/invented.1",
        "_cod_duplicateof": None,
    }
    return {"id": str(number), "type": "structures", "attributes": known | attributes}


def mp_entry(name: str, formula: str, vectors: list[list[float]]) -> dict[str, Any]:
    elements = re.findall("[A-Z][a-z]?", formula)
    known = {
        "chemical_formula_reduced": formula,
        "chemical_formula_descriptive": formula,
        "elements": elements,
        "nelements": len(elements),
        "nsites": 2,
        "lattice_vectors": vectors,
        "last_modified": "2025-01-20T00:00:00Z",
        "_mp_stability": {"r2scan": {"energy_above_hull": 0.0125, "formation_energy_per_atom": -1.5, "thermo_id": "x"}},
    }
    return {"id": name, "type": "structures", "attributes": known}


class OptimadeServer:
    """Filters by formula or elements, pages by page_offset, refuses fields that it does not know."""

    def __init__(self, servers: ModuleType, entries: list[dict[str, Any]], *, unknown_fields: str = "") -> None:
        self.given = servers.Given
        self.entries = entries
        self.unknown = unknown_fields

    def __call__(self, asked: Any) -> Any:
        if self.unknown and self.unknown in asked.params.get("response_fields", ""):
            detail = f"Unknown field {self.unknown}"
            return self.given({"errors": [{"status": "400", "title": "Bad Request", "detail": detail}]}, status=400)
        if asked.path != "/structures":
            name = asked.path.removeprefix("/structures/")
            found = next((entry for entry in self.entries if entry["id"] == name), None)
            return self.given({"data": found, "meta": {"data_returned": int(found is not None)}})
        matching = [entry for entry in self.entries if self._fits(asked.params["filter"], entry["attributes"])]
        offset, limit = int(asked.params.get("page_offset", 0)), int(asked.params["page_limit"])
        following = None
        if offset + limit < len(matching):
            query = (
                f"filter={asked.params['filter'].replace(' ', '%20')}&page_limit={limit}&page_offset={offset + limit}"
            )
            following = {"href": f"https://elsewhere.example/optimade/v1/structures?{query}", "meta": None}
        meta = {
            "data_returned": len(matching),
            "data_available": len(self.entries),
            "more_data_available": following is not None,
        }
        return self.given({"data": matching[offset : offset + limit], "links": {"next": following}, "meta": meta})

    def _fits(self, text: str, known: dict[str, Any]) -> bool:
        if match := re.fullmatch('chemical_formula_reduced="(.*)"', text):
            return known["chemical_formula_reduced"] == match[1]
        match = re.fullmatch(r"elements HAS ALL (.*) AND nelements=(\d+)", text)
        assert match is not None, text
        wanted = set(re.findall('"([A-Z][a-z]?)"', match[1]))
        return wanted <= set(known["elements"]) and known["nelements"] == int(match[2])


class MaterialsProjectServer:
    """The summary route: needs the key, filters by formula or chemical system, pages by _skip and _limit."""

    def __init__(self, servers: ModuleType, entries: list[dict[str, Any]]) -> None:
        self.given = servers.Given
        self.entries = entries

    def __call__(self, asked: Any) -> Any:
        if asked.headers.get("x-api-key") != MP_KEY:
            return self.given({"detail": "Unauthorized"}, status=401)
        if asked.path == "/heartbeat":
            return self.given({"status": "OK", "db_version": "2025.09.25", "version": "0.84"})
        params = asked.params
        matching = [
            entry
            for entry in self.entries
            if entry["material_id"] == params.get("material_ids", entry["material_id"])
            and reduced_formula(entry["formula_pretty"])
            == params.get("formula", reduced_formula(entry["formula_pretty"]))
            and entry["chemsys"] == params.get("chemsys", entry["chemsys"])
        ]
        skip, limit = int(params.get("_skip", 0)), int(params["_limit"])
        return self.given(
            {"data": matching[skip : skip + limit], "meta": {"total_doc": len(matching), "max_limit": 1000}}
        )


SUMMARY: dict[str, Any] = {
    "material_id": "mp-149",
    "formula_pretty": "Si",
    "chemsys": "Si",
    "symmetry": {"crystal_system": "Cubic", "symbol": "Fd-3m", "number": 227, "symprec": 0.1},
    "structure": {"lattice": {"a": 3.84927, "b": 3.84927, "c": 3.84927, "alpha": 60.0, "beta": 60.0, "gamma": 60.0}},
    "theoretical": False,
    "ordering": "NM",
    "deprecated": False,
    "last_updated": {"$date": "2025-04-20T12:00:00Z"},
    "database_IDs": {"icsd": ["icsd-1", "icsd-2"]},
    "energy_above_hull": 0,
    "formation_energy_per_atom": None,
    "band_gap": 0.6105,
    "bulk_modulus": {"voigt": 83.0, "reuss": 83.0, "vrh": 83.0},
    "is_stable": True,
    "is_gap_direct": False,
    "nsites": 2,
}


@pytest.fixture
def servers(source_servers: ModuleType) -> Iterator[dict[str, Any]]:
    """COD with three cuprates and a dolomite, the open Materials Project with one cubic cell, its API with silicon."""
    cuprates = [cod_entry(2_000_000 + n, "CuLa2O4") for n in range(3)]
    cod = OptimadeServer(source_servers, [*cuprates, cod_entry(2_000_009, "C2CaMgO6", _cod_method="theoretical")])
    cubic = mp_entry("mp-22526", "CuLa2O4", [[3.0, 0, 0], [0, 4.0, 0], [0, 0, 5.0]])
    with (
        source_servers.SourceServer(cod) as first,
        source_servers.SourceServer(OptimadeServer(source_servers, [cubic])) as second,
        source_servers.SourceServer(MaterialsProjectServer(source_servers, [SUMMARY])) as third,
    ):
        yield {"cod": first, "materials_project_optimade": second, "materials_project": third}


@pytest.fixture
def connect(servers: dict[str, Any], source_servers: ModuleType, tmp_path: Path) -> Callable[..., Client]:
    """A client of a server that asks these servers, with further settings."""

    def make(**more: Any) -> Client:
        urls = {name: server.url for name, server in servers.items()} | more.pop("source_urls", {})
        settings = Settings(
            cache_dir=tmp_path, source_urls=urls, **{"source_seconds": source_servers.patience(), **more}
        )
        return Client(create_server(settings))

    return make


def facts(material: dict[str, Any]) -> dict[str, Any]:
    return {fact["name"]: fact for fact in material["facts"]}


async def test_both_databases_are_asked_and_each_value_has_its_unit_and_nature(connect: Callable[..., Client]) -> None:
    async with connect() as client:
        result = await client.call_tool("search_materials", {"formula": "La2CuO4", "limit": 2})
    found = result.structured_content
    assert [material["id"] for material in found["materials"]] == ["mp-22526", "cod-2000000", "cod-2000001"]
    computed, measured = facts(found["materials"][0]), facts(found["materials"][1])
    assert computed["b"] == {
        "name": "b", "value": 4.0, "unit": "Å", "nature": "computed", "note": computed["b"]["note"]
    }  # fmt: skip
    assert computed["alpha"]["value"] == 90.0
    assert computed["energy above the hull"]["value"] == 0.0125
    assert computed["energy above the hull"]["unit"] == "eV/atom"
    assert computed["energy above the hull"]["note"] == "r2scan"
    assert measured["c"] == {"name": "c", "value": 13.1432, "unit": "Å", "nature": "experimental"}
    assert measured["DOI of the paper"]["value"] == "10.9999/invented.1"
    assert found["materials"][1]["formula"] == "Cu La2 O4" or found["materials"][1]["formula"] == "CuLa2O4"
    assert [(entry["database"], entry["state"], entry["found"]) for entry in found["databases"]] == [
        ("materials_project", "answered", 1),
        ("cod", "answered", 3),
    ]
    assert all(source["retrieved"].endswith("Z") and "/structures" in source["url"] for source in found["sources"])


async def test_a_cursor_goes_on_in_its_database_and_ends(connect: Callable[..., Client]) -> None:
    async with connect() as client:
        asked = {"elements": "La, Cu, O", "database": "cod", "limit": 2}
        first = (await client.call_tool("search_materials", asked)).structured_content
        cursor = first["databases"][0]["next_cursor"]
        second = (await client.call_tool("search_materials", asked | {"cursor": cursor})).structured_content
        foreign = await client.call_tool("search_materials", asked | {"cursor": cursor, "limit": 3})
    assert [material["id"] for material in second["materials"]] == ["cod-2000002"]
    assert "next_cursor" not in second["databases"][0]
    assert foreign.is_error


async def test_nothing_found_is_an_answer(connect: Callable[..., Client]) -> None:
    async with connect() as client:
        result = await client.call_tool("search_materials", {"formula": "XeF2"})
        missing = await client.call_tool("get_material", {"id": "cod-9999999"})
    assert result.structured_content["materials"] == []
    assert {entry["state"] for entry in result.structured_content["databases"]} == {"answered"}
    assert missing.is_error
    assert "no structure 9999999" in missing.content[0].text


async def test_a_theoretical_entry_of_cod_is_not_called_measured(connect: Callable[..., Client]) -> None:
    async with connect() as client:
        result = await client.call_tool("get_material", {"id": "cod-2000009"})
    known = facts(result.structured_content["material"])
    assert known["a"]["nature"] == "computed"
    assert known["title of the paper"]["value"] == "An invented refinement of a cuprate"


async def test_a_database_that_refuses_a_field_is_asked_for_its_own_set(
    connect: Callable[..., Client], servers: dict[str, Any], source_servers: ModuleType
) -> None:
    servers["cod"].answer = OptimadeServer(source_servers, [cod_entry(2_000_000, "Si")], unknown_fields="_cod_rall")
    async with connect() as client:
        result = await client.call_tool("search_materials", {"formula": "Si", "database": "cod"})
    assert [material["id"] for material in result.structured_content["materials"]] == ["cod-2000000"]


async def test_with_a_key_the_own_api_is_asked_with_its_release(connect: Callable[..., Client]) -> None:
    async with connect(materials_project_api_key=MP_KEY) as client:
        listed = await client.call_tool("search_materials", {"formula": "Si", "database": "materials_project"})
        result = await client.call_tool("get_material", {"id": "mp-149"})
        absent = await client.call_tool("get_material", {"id": "mp-150"})
    assert listed.structured_content["databases"][0]["found"] == 1
    known = facts(result.structured_content["material"])
    assert known["band gap"]["value"] == 0.6105
    assert (known["band gap"]["unit"], known["band gap"]["nature"]) == ("eV", "computed")
    assert "semilocal" in known["band gap"]["note"]
    assert known["space group"]["value"] == "Fd-3m"
    assert known["bulk modulus (Voigt-Reuss-Hill)"]["value"] == 83.0
    assert "formation energy" not in known
    assert result.structured_content["sources"][0]["release"] == "2025.09.25"
    assert absent.is_error
    assert "no material mp-150" in absent.content[0].text


async def test_a_wrong_key_is_told_and_not_shown(connect: Callable[..., Client]) -> None:
    async with connect(materials_project_api_key="wrong-key-of-nobody") as client:
        result = await client.call_tool("get_material", {"id": "mp-149"})
    assert result.is_error
    assert "Materials Project refused access" in result.content[0].text
    assert "wrong-key-of-nobody" not in result.content[0].text


@pytest.mark.parametrize("fault", FAULTS)
async def test_one_failing_database_is_named_and_the_other_stands(
    connect: Callable[..., Client], servers: dict[str, Any], source_servers: ModuleType, fault: str
) -> None:
    gone = {"cod": f"http://127.0.0.1:{source_servers.closed_port()}"} if fault == "refused" else {}
    servers["cod"].fault = source_servers.FAULTS[fault]
    async with connect(source_urls=gone, source_seconds=source_servers.patience(fault)) as client:
        both = await client.call_tool("search_materials", {"formula": "La2CuO4"})
        alone = await client.call_tool("search_materials", {"formula": "La2CuO4", "database": "cod"})
        one = await client.call_tool("get_material", {"id": "cod-2000000"})
    says = source_servers.FAULTS[fault].says
    failed = both.structured_content["databases"][1]
    assert (failed["state"], failed["found"]) == ("failed", None)
    assert says in failed["reason"]
    assert [material["id"] for material in both.structured_content["materials"]] == ["mp-22526"]
    assert alone.is_error
    assert says in alone.content[0].text
    assert one.is_error
    assert says in one.content[0].text


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_failing_materials_project_says_how(
    connect: Callable[..., Client], servers: dict[str, Any], source_servers: ModuleType, fault: str
) -> None:
    gone = {"materials_project": f"http://127.0.0.1:{source_servers.closed_port()}"} if fault == "refused" else {}
    servers["materials_project"].fault = source_servers.FAULTS[fault]
    async with connect(
        source_urls=gone, source_seconds=source_servers.patience(fault), materials_project_api_key=MP_KEY
    ) as client:
        result = await client.call_tool("get_material", {"id": "mp-149"})
    assert result.is_error
    assert source_servers.FAULTS[fault].says in result.content[0].text


@pytest.mark.parametrize(
    "attributes",
    [
        {"lattice_vectors": [[0, 0, 0], [0, 1, 0], [0, 0, 1]]},
        {"lattice_vectors": [[1, 0], [0, 1, 0], [0, 0, 1]]},
        {"lattice_vectors": "none", "nsites": "two", "_mp_stability": [1], "last_modified": 7},
        {"_mp_stability": {"r2scan": None, "gga": {"energy_above_hull": "low"}}, "nsites": True},
    ],
)
async def test_a_field_of_a_wrong_type_is_dropped_alone(
    connect: Callable[..., Client], servers: dict[str, Any], source_servers: ModuleType, attributes: dict[str, Any]
) -> None:
    entry = mp_entry("mp-1", "Si", [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]])
    entry["attributes"] |= attributes
    entries = [entry, {"id": None, "attributes": {}}, "not an entry"]
    servers["materials_project_optimade"].answer = lambda _: source_servers.Given({"data": entries, "meta": {}})
    async with connect() as client:
        result = await client.call_tool("search_materials", {"formula": "Si", "database": "materials_project"})
    (material,) = result.structured_content["materials"]
    assert facts(material)["reduced formula"]["value"] == "Si"


@pytest.mark.parametrize(
    "arguments", [{}, {"formula": "Si", "elements": "Si"}, {"elements": "Qq"}, {"formula": "word salad"}]
)
async def test_arguments_that_say_too_little_or_too_much(
    connect: Callable[..., Client], arguments: dict[str, str]
) -> None:
    async with connect() as client:
        assert (await client.call_tool("search_materials", arguments)).is_error


@pytest.mark.parametrize("name", ["", "mp-", "mp-1/../x", "cod-12", "1234567a", "https://example.org"])
async def test_ids_are_checked_before_anything_is_asked(
    connect: Callable[..., Client], servers: dict[str, Any], name: str
) -> None:
    async with connect() as client:
        assert (await client.call_tool("get_material", {"id": name})).is_error
    assert not any(server.asked for server in servers.values())


@pytest.mark.parametrize(
    ("written", "reduced"),
    [
        ("La2CuO4", "CuLa2O4"), ("O4CuLa2", "CuLa2O4"), ("Fe4O6", "Fe2O3"), ("Ca(OH)2", "CaH2O2"), ("Si", "Si"),
        ("Fe0.5O0.75", "Fe2O3"),
    ],
)  # fmt: skip
def test_formulas_are_reduced_as_optimade_spells_them(written: str, reduced: str) -> None:
    assert reduced_formula(written) == reduced


@pytest.mark.parametrize("written", ["La1.85Sr0.15CuO4", "La2-xSrxCuO4", "LSCO!", "", "Xx2", "(" * 500, f"Fe{inf}"])
def test_what_no_ordered_structure_has_is_told_with_what_to_do(written: str) -> None:
    with pytest.raises(BadInputError) as caught:
        reduced_formula(written)
    assert "elements" in caught.value.next


def test_elements_in_any_usual_list() -> None:
    assert element_list("La-Sr, Cu O La") == ["La", "Sr", "Cu", "O"]
