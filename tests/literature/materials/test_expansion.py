"""One material in all its spellings."""

import subprocess
import sys
from typing import Any

import pytest
from mcp import Client

from pincite_core.errors import BadInputError, NotFoundError
from pincite_literature.materials.expansion import expand
from pincite_literature.materials.families import families, prototypes
from pincite_literature.materials.queries import MOST_QUERIES
from pincite_literature.materials.shapes import Reading
from pincite_literature.server import create_server
from pincite_literature.sources.native import parameters
from pincite_literature.sources.query_words import checked_query

LSCO = "La2-xSrxCuO4"


def first(name: str) -> Reading:
    return expand(name)["readings"][0]


def texts(reading: Reading) -> set[str]:
    return {query["text"] for query in reading["queries"]}


@pytest.mark.parametrize(
    "name",
    [
        "La1.85Sr0.15CuO4", "LSCO", LSCO, "La2−xSrxCuO4", "La₂₋ₓSrₓCuO₄", "La$_{2-x}$Sr$_{x}$CuO$_{4}$",
        "La_{1.85}Sr_{0.15}CuO_4", "La 1.85 Sr 0.15 CuO 4", "(La,Sr)2CuO4", "(La0.925Sr0.075)2CuO4",
        "(La1-xSrx)2CuO4", "Sr0.15La1.85CuO4", "La1.85Sr0.15CuO4 thin film", "La2-xSrxCuO4+δ", "lsco",
        "lanthanum strontium copper oxide", "La214", "La2-xSrxCuO4 (x = 0.15)",
    ],
)  # fmt: skip
def test_spellings_are_one_question(name: str) -> None:
    reading = first(name)
    assert reading["family"] == LSCO
    assert {LSCO, "LSCO cuprate", "Sr-doped La2CuO4", "La-Sr-Cu-O", "La₂₋ₓSrₓCuO₄"} <= texts(reading)
    assert "LSCO" in reading["acronyms"]


def test_three_spellings_have_the_same_queries_but_for_their_own() -> None:
    composition, acronym, series = (texts(first(name)) for name in ("La1.85Sr0.15CuO4", "LSCO", LSCO))
    assert acronym == series
    assert composition - acronym == {"La1.85Sr0.15CuO4"}
    assert first("La1.85Sr0.15CuO4")["composition"] == "x = 0.15"
    assert series == {
        LSCO, "LSCO cuprate", "La214", "lanthanum strontium copper oxide", "lanthanum strontium cuprate",
        "La₂₋ₓSrₓCuO₄", "La$_{2-x}$Sr$_{x}$CuO$_{4}$", "La 2-x Sr x CuO 4", "La2−xSrxCuO4", "(La,Sr)2CuO4",
        "Sr-doped La2CuO4", "La-Sr-Cu-O",
    }  # fmt: skip


def test_orders_of_a_formula() -> None:
    orders = {order["order"]: order["formula"] for order in first("La1.85Sr0.15CuO4")["formulas"]}
    assert orders == {
        "as written": "La1.85Sr0.15CuO4",
        "by electronegativity": "Sr0.15La1.85CuO4",
        "alphabetical, Hill": "CuLa1.85O4Sr0.15",
    }
    assert first("C6H5NO2")["formulas"][0] == {"order": "as written, alphabetical, Hill", "formula": "C6H5NO2"}
    assert {"order": "alphabetical, Hill", "formula": "CH3NaO"} in first("NaOCH3")["formulas"]
    assert "Fe2O3" in {order["formula"] for order in first("Fe4O6")["formulas"] if "reduced" in order["order"]}


@pytest.mark.parametrize(
    ("name", "meanings"),
    [
        ("LSCO", {LSCO, "La1-xSrxCoO3"}),
        ("LNO", {"LaNiO3", "LiNbO3", "LiNi1-x-yMnxCoyO2", "LiNiO2"}),
        ("LCO", {"La2CuO4", "LaCoO3", "LiCoO2"}),
        ("BSCCO", {"Bi2Sr2CaCu2O8+δ", "Bi2Sr2Ca2Cu3O10+δ"}),
        ("K2NiF4", {"K2NiF4"}),
    ],
)
def test_a_name_of_several_meanings_gives_every_one(name: str, meanings: set[str]) -> None:
    found = expand(name)
    assert {reading["family"] for reading in found["readings"]} <= meanings
    assert len(found["readings"]) >= 2
    assert f"{len(found['readings'])} readings" in found["note"]


def test_an_acronym_of_several_meanings_is_searched_with_its_context() -> None:
    cuprate, cobaltite = expand("LSCO")["readings"]
    assert "LSCO cobaltite" in texts(cobaltite)
    assert "LSCO" not in texts(cuprate) | texts(cobaltite)
    arxiv = {query["source"]: query["query"] for query in cobaltite["source_queries"]}["arxiv"]
    assert '(all:"LSCO" AND all:"cobaltite")' in arxiv


@pytest.mark.parametrize(
    ("name", "family", "composition"),
    [
        ("YBa2Cu3O6.9", "YBa2Cu3O7-δ", ""),
        ("Y-123", "YBa2Cu3O7-δ", ""),
        ("Bi-2212", "Bi2Sr2CaCu2O8+δ", ""),
        ("Ba0.6K0.4Fe2As2", "Ba1-xKxFe2As2", "x = 0.4"),
        ("Ba(Fe0.92Co0.08)2As2", "BaFe2-xCoxAs2", "x = 0.16"),
        ("LaFeAsO0.89F0.11", "LaFeAsO1-xFx", "x = 0.11"),
        ("PbZr0.52Ti0.48O3", "PbZr1-xTixO3", "x = 0.48"),
        ("Pb(Zr,Ti)O3", "PbZr1-xTixO3", ""),
        ("0.7Pb(Mg1/3Nb2/3)O3-0.3PbTiO3", "(PbMg1/3Nb2/3O3)1-x(PbTiO3)x", "x = 0.3"),
        ("(1-x)Pb(Mg1/3Nb2/3)O3-xPbTiO3", "(PbMg1/3Nb2/3O3)1-x(PbTiO3)x", ""),
        ("NMC811", "LiNi1-x-yMnxCoyO2", "x = 0.1, y = 0.1"),
        ("LiNi0.8Co0.15Al0.05O2", "LiNi1-x-yCoxAlyO2", "x = 0.15, y = 0.05"),
        ("Li1.3Al0.3Ti1.7(PO4)3", "Li1+xAlxTi2-xP3O12", "x = 0.3"),
        ("MAPbI3", "CH3NH3PbI3", ""),
        ("h-BN", "BN", ""),
        ("hexagonal boron nitride", "BN", ""),
        ("DKDP", "KD2PO4", ""),
        ("KDP", "KH2PO4", ""),
        ("Nb-doped SrTiO3", "SrTiO3", "Nb-doped"),
        ("FeSe", "FeSe", ""),
        ("NiO", "NiO", ""),
        ("SiO", "SiO", ""),
        ("8YSZ", "(ZrO2)1-x(Y2O3)x", ""),
    ],
)
def test_families(name: str, family: str, composition: str) -> None:
    assert (first(name)["family"], first(name)["composition"]) == (family, composition)


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("α-RuCl3", "α-RuCl3"),
        ("2H-NbSe2", "2H-NbSe2"),
        ("Nb-doped SrTiO3", "Nb-doped SrTiO3"),
        ("5% Nb-doped SrTiO3", "Nb-doped SrTiO3"),
        ("β-Zn3P2", "β-Zn3P2"),
    ],
)
def test_polytypes_and_dopants_are_searched_for(name: str, query: str) -> None:
    assert query in texts(first(name))


def test_every_name_of_the_tables_leads_to_its_family() -> None:
    for family in families():
        own = {reading["family"] for reading in expand(family.formula)["readings"]}
        for name in (*family.acronyms, *family.names):
            assert own & {reading["family"] for reading in expand(name)["readings"]}, name
    for each in prototypes():
        for name in (each.name, *each.names):
            assert each.name in {reading["family"] for reading in expand(name)["readings"]}, name


def test_a_doped_material_of_no_table_finds_its_series() -> None:
    rich, poor = first("Ca0.9Sr0.1TiO3"), first("Sr0.9Ca0.1TiO3")
    assert rich["family"] == poor["family"] == "(Ca,Sr)TiO3"
    assert {"Ca1-xSrxTiO3", "Sr-doped CaTiO3", "(Ca,Sr)TiO3"} <= texts(rich)
    assert rich["related"] == ["CaTiO3 (CTO, calcium titanate): the undoped end of the series"]
    assert first("Ca1-xSrxTiO3")["family"] == "(Ca,Sr)TiO3"


def test_a_solid_solution_of_even_parts_has_no_dopant() -> None:
    reading = first("0.94Na0.5Bi0.5TiO3-0.06BaTiO3")
    assert "0.94Na0.5Bi0.5TiO3-0.06BaTiO3" in texts(reading)
    assert "(Ba,Bi,Na)TiO3" in texts(reading)
    assert not any("-doped" in text for text in texts(reading))
    assert reading["related"] == []


def test_the_undoped_end_names_its_series() -> None:
    assert any(line.startswith("La2-xSrxCuO4 (LSCO)") for line in first("La2CuO4")["related"])
    assert first("LSCO")["related"] == ["La2CuO4: the undoped end of the series"]


@pytest.mark.parametrize("name", ["half-Heusler", "spinel", "perovskite structure", "kagome", "Ruddlesden–Popper"])
def test_structure_types(name: str) -> None:
    reading = first(name)
    assert reading["why"] == "a structure type"
    assert reading["related"]
    assert all(not text.isdigit() for text in texts(reading))


@pytest.mark.parametrize("name", ["LSCO", "La1.85Sr0.15CuO4", "YBCO", "PMN-PT", "LLTO", "spinel", "UTe2", "11"])
def test_source_queries_are_what_the_sources_take(name: str) -> None:
    for reading in expand(name)["readings"]:
        assert 0 < len(reading["queries"]) <= MOST_QUERIES
        queries = {query["source"]: query["query"] for query in reading["source_queries"]}
        assert len(queries) == 6
        for source in ("arxiv", "pubmed", "europe_pmc", "semantic_scholar"):
            assert checked_query(queries[source], source=source) == queries[source]
        crossref = parameters(queries["crossref"], allowed=["query.bibliographic"], words_as="query", example="")
        assert crossref["query.bibliographic"].split()
        openalex = parameters(queries["openalex"], allowed=["search"], words_as="search", example="")
        assert checked_query(openalex["search"], source="openalex").count('"') % 2 == 0


def test_oxygen_that_varies_is_searched_as_nominal_too() -> None:
    arxiv = first("YBCO")["source_queries"][0]["query"]
    assert 'all:"YBa2Cu3O7"' in arxiv
    assert {"YBa2Cu3O7-δ", "YBa2Cu3O7", "YBa$_{2}$Cu$_{3}$O$_{7-\\delta}$"} <= texts(first("YBCO"))


@pytest.mark.parametrize(
    "name", ["xyzzy", "water", "La99999999O", "(" * 199, "((La))(", "[[[", "1 2 3", "2D", "0.5La-x"]
)
def test_what_is_no_material_says_what_to_do(name: str) -> None:
    with pytest.raises(NotFoundError, match="search_papers"):
        expand(name)


@pytest.mark.parametrize("name", ["", "   ", "\x00", "La" * 101])
def test_what_cannot_be_a_name(name: str) -> None:
    with pytest.raises(BadInputError):
        expand(name)


@pytest.mark.parametrize(
    "name", ["(" * 99 + "La" + ")" * 99, "La" * 100, "(La,Sr)" * 28, "La0.1" * 40, "LaSr" * 50, "La1/3"]
)
def test_deep_and_long_formulas_are_read(name: str) -> None:
    reading = first(name)
    assert "La" in reading["family"]
    assert len(str(reading)) < 20_000


@pytest.mark.parametrize("name", ["1/2" * 60, "x=0.1" * 40, "-" * 200, "$" * 200, "\\mathrm" * 28, "{" * 200])
def test_long_names_of_nothing_are_refused(name: str) -> None:
    with pytest.raises(NotFoundError):
        expand(name)


def test_without_pymatgen_the_install_line_is_given() -> None:
    code = (
        "import sys; sys.modules['pymatgen.core'] = None\n"
        "from pincite_literature.materials.expansion import expand\n"
        "expand('LSCO')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "pip install 'pincite[materials]'" in done.stderr


async def test_the_tool_answers_and_says_what_it_does_not_know() -> None:
    async with Client(create_server()) as client:
        found = await client.call_tool("expand_material", {"name": "LSCO"})
        structured: Any = found.structured_content
        assert [reading["family"] for reading in structured["readings"]] == [LSCO, "La1-xSrxCoO3"]
        unknown = await client.call_tool("expand_material", {"name": "xyzzy"})
        assert unknown.is_error
        assert "No material of the name 'xyzzy'" in unknown.content[0].text  # type: ignore[union-attr]


def test_many_readings_are_cut_short_and_say_so() -> None:
    found = expand("122")
    assert len(found["readings"]) > 3
    assert "cut short" in found["note"]
    assert len(str(found)) < 10_000
    assert all(1 <= len(reading["queries"]) <= 5 for reading in found["readings"])
