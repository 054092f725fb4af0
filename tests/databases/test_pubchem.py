"""find_compound, get_compound and get_bioassays, against a local PubChem.

Relied upon: IdentifierList.CID, PropertyTable.Properties, InformationList.Information, Table.{Columns,Row},
Record.{Section,Reference} with TOCHeading, Information, ReferenceNumber, Value.{StringWithMarkup,Number,Unit};
Fault.{Code,Message,Details}; Waiting.ListKey.
"""

import dataclasses
from collections.abc import AsyncIterator, Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

FAULTS = ("malformed", "429", "500", "slow", "truncated", "refused")
CALLS = {
    "find_compound": {"query": "aspirin"},
    "get_compound": {"cid": 2244},
    "get_bioassays": {"cid": 2244},
}


@pytest.fixture
def server(source_servers: ModuleType, pubchem_server: ModuleType) -> Iterator[Any]:
    with source_servers.SourceServer(pubchem_server.PubChem()) as server:
        yield server


@pytest.fixture
async def call(asking: Callable[..., Any], server: Any) -> AsyncIterator[Callable[..., Any]]:
    async with asking(pubchem=server.url) as call:
        yield call


def answering(server: Any, source_servers: ModuleType, bodies: dict[str, Any]) -> None:
    """Let the server answer other bodies for paths that end so."""
    usual = server.answer

    def answer(asked: Any) -> Any:
        body = next((body for end, body in bodies.items() if asked.path.endswith(end)), None)
        return usual(asked) if body is None else source_servers.Given(body)

    server.answer = answer


@pytest.mark.parametrize("measured", [True, False])
async def test_what_stands_under_other_headings_is_not_measured(
    call: Callable[..., Any], server: Any, source_servers: ModuleType, pubchem_server: ModuleType, measured: bool
) -> None:
    """A PubChem that leaves the parameter ``heading`` out of account gives the whole record."""
    value = {"StringWithMarkup": [{"String": "180.16 g/mol"}]}
    computed = {"TOCHeading": "Computed Properties", "Information": [{"ReferenceNumber": 7, "Value": value}]}
    other = {"TOCHeading": "Names and Identifiers", "Section": [computed] * 500}
    own = pubchem_server.VIEW["Record"]["Section"][0]
    beside = {**own, "Section": [computed, *own["Section"]]}
    sections = [other, {"TOCHeading": "Wrapped", "Section": [beside]}, other] if measured else [other]
    view = {"Record": {**pubchem_server.VIEW["Record"], "Section": sections}}
    answering(server, source_servers, {"/pug_view/data/compound/2244/JSON": view})
    made = await call("get_compound", cid=2244, section="experimental")
    assert {fact["name"] for fact in made["facts"]} == ({"Melting Point", "Solubility: Water"} if measured else set())
    assert ("note" in made) != measured


async def test_the_record_of_another_compound_is_refused(
    call: Callable[..., Any], server: Any, source_servers: ModuleType, pubchem_server: ModuleType
) -> None:
    view = {"Record": {**pubchem_server.VIEW["Record"], "RecordNumber": 962}}
    answering(server, source_servers, {"/pug_view/data/compound/2244/JSON": view})
    assert "another compound" in await call("get_compound", cid=2244, section="experimental")


async def test_a_compound_is_found_by_its_name(call: Callable[..., Any], server: Any) -> None:
    found = await call("find_compound", query=" Aspirin ")
    assert (found["asked_as"], found["query"], found["total"]) == ("name", "Aspirin", 1)
    (hit,) = found["hits"]
    assert hit["cid"] == 2244
    assert hit["inchikey"] == "BSYNRYMUTXBXSQ-UHFFFAOYSA-N"
    assert hit["molecular_weight"] == "180.16"
    assert hit["remarks"] == []
    assert hit["page"] == "https://pubchem.ncbi.nlm.nih.gov/compound/2244"
    listing, properties = found["sources"]
    assert listing["url"] == f"{server.url}/pug/compound/name/Aspirin/cids/JSON"
    assert properties["gives"] == "hits"
    assert properties["database"] == "PubChem"
    assert properties["retrieved"].endswith("Z")


async def test_salts_isomers_and_labelled_forms_are_all_listed_and_told_apart(call: Callable[..., Any]) -> None:
    found = await call("find_compound", query="salicylate")
    assert [hit["cid"] for hit in found["hits"]] == [2244, 23666729, 900001]
    assert found["hits"][1]["remarks"] == ["2 separate parts: a salt, solvate or mixture"]
    assert found["hits"][2]["remarks"] == [
        "charge -1",
        "isotopes given for 1 atoms",
        "2 stereocentres without defined stereochemistry",
        "1 double bonds without defined stereochemistry",
    ]
    assert found["hits"][2]["inchikey"] == ""  # a field of the wrong type is dropped, not the record


@pytest.mark.parametrize(
    ("query", "kind", "asked_as", "cid"),
    [
        ("2244", "auto", "cid", 2244),
        ("CID: 2244", "auto", "cid", 2244),
        ("cid 2244", "cid", "cid", 2244),
        ("50-78-2", "auto", "name", 2244),
        ("BSYNRYMUTXBXSQ-UHFFFAOYSA-N", "auto", "inchikey", 2244),
        ("CC(=O)OC1=CC=CC=C1C(=O)[O-].[Na+]", "auto", "smiles", 23666729),
        ("InChI=1S/C9H8O4/c1-6(10)13-8-5-3-2-4-7(8)9(11)12/h2-5H,1H3,(H,11,12)", "auto", "inchi", 2244),
        ("C9H8O4", "auto", "formula", 2244),
        ("CH3COOC6H4COOH", "auto", "formula", 2244),
        ("acetyl/salicylic; acid", "auto", "name", 2244),
        ("O-acetyl salicylic acid, α+β", "auto", "name", 2244),
        ("salicylic; acid", "words", "words", 2244),
    ],
)
async def test_every_kind_of_query_finds_its_compound(
    call: Callable[..., Any], query: str, kind: str, asked_as: str, cid: int
) -> None:
    found = await call("find_compound", query=query, kind=kind)
    assert found["asked_as"] == asked_as
    assert [hit["cid"] for hit in found["hits"]] == [cid]


async def test_a_long_smiles_goes_by_post(call: Callable[..., Any], server: Any) -> None:
    found = await call("find_compound", query="C" * 2000, kind="smiles")
    assert found["hits"] == []
    assert server.asked[0].method == "POST"
    assert server.asked[0].body == b"smiles=" + b"C" * 2000


@pytest.mark.parametrize(
    ("query", "kind", "says"),
    [
        ("no such thing", "auto", 'kind="words"'),
        ("CCO", "auto", 'kind="smiles"'),
        ("SN38", "auto", 'kind="formula"'),
        ("50-78-3", "auto", "check digit is wrong"),
        ("C1=CC=CN1", "auto", "no record of this structure"),
        ("C99H99", "auto", "nothing for this formula"),
        ("AAAAAAAAAAAAAA-AAAAAAAAAA-N", "auto", "nothing for this inchikey"),
        ("zzz", "words", "nothing for this words"),
    ],
)
async def test_nothing_found_is_said_with_what_else_to_try(
    call: Callable[..., Any], query: str, kind: str, says: str
) -> None:
    found = await call("find_compound", query=query, kind=kind)
    assert found["total"] == 0
    assert found["hits"] == []
    assert says in found["note"]


async def test_words_find_names_that_hold_them(call: Callable[..., Any]) -> None:
    found = await call("find_compound", query="salic", kind="words")
    assert found["total"] == 3


async def test_a_cid_that_is_not_there_is_no_hit(call: Callable[..., Any]) -> None:
    assert "no compound with the CID 77" in await call("find_compound", query="77")
    for wrong in ("aspirin", "0", "9" * 5000, "\u00b2", "-3"):
        assert "is not a CID" in await call("find_compound", query=wrong, kind="cid")
    assert "empty" in await call("find_compound", query="  ")


async def test_a_structure_that_pubchem_cannot_read_is_bad_input(call: Callable[..., Any]) -> None:
    said = await call("find_compound", query="XC(=O)", kind="smiles")
    assert "rejected this query" in said
    assert "Unable to standardize the given structure; SMILES: syntax error" in said


async def test_hits_go_on_by_cursor(call: Callable[..., Any], server: Any, source_servers: ModuleType) -> None:
    many = list(range(900100, 900160))
    answering(server, source_servers, {"name/many/cids/JSON": {"IdentifierList": {"CID": [0, 2244, "x", *many, 2244]}}})
    seen: list[int] = []
    cursor = ""
    while True:
        found = await call("find_compound", query="many", cursor=cursor, max_chars=4000)
        assert found["total"] == 61
        assert len(str(found)) < 4500
        seen += [hit["cid"] for hit in found["hits"]]
        cursor = found["next_cursor"]
        if not cursor:
            break
    assert seen == [2244, *many]
    assert found["hits"][-1]["remarks"] == ["PubChem gives no properties for it"]
    assert "does not belong" in await call("find_compound", query="other", cursor="AAAAAAAAAAAA")


async def test_a_search_that_is_still_running_is_asked_for_again(
    asking: Callable[..., Any], source_servers: ModuleType, pubchem_server: ModuleType
) -> None:
    with source_servers.SourceServer(pubchem_server.PubChem(waits=2)) as server:
        async with asking(pubchem=server.url) as call:
            found = await call("find_compound", query="C9H8O4")
        assert [hit["cid"] for hit in found["hits"]] == [2244]
        polls = [asked.params["poll"] for asked in server.asked if "listkey" in asked.path]
        assert polls == ["1", "2"]


@pytest.mark.parametrize(("state", "least"), [("Red (81%)", 1.0), ("Black (101%)", 4.0), ("Yellow (60%)", 0.0)])
async def test_pubchem_is_left_alone_when_it_says_that_a_limit_is_near(
    asking: Callable[..., Any], server: Any, state: str, least: float
) -> None:
    usual = server.answer
    states = f"Request Count status: Green (1%), Request Time status: {state}, Service status: Green (20%)"
    server.answer = lambda asked: dataclasses.replace(usual(asked), headers={"X-Throttling-Control": states})
    async with asking(pubchem=server.url, source_seconds=20.0) as call:
        found = await call("find_compound", query="aspirin")
    assert found["total"] == 1
    listing, properties = server.asked
    assert properties.at - listing.at >= 0.95 * least


async def test_computed_values_have_units_and_say_that_they_are_computed(call: Callable[..., Any]) -> None:
    compound = await call("get_compound", cid=2244)
    facts = {fact["name"]: fact for fact in compound["facts"]}
    assert facts["MolecularWeight"]["value"] == "180.16"
    assert facts["MolecularWeight"]["unit"] == "g/mol"
    assert facts["XLogP"]["value"] == "1.2"
    assert "not measured" in facts["XLogP"]["basis"]
    assert facts["TPSA"]["unit"] == "Å^2"
    assert facts["Charge"]["value"] == "0"
    assert facts["SMILES"]["value"] == "CC(=O)OC1=CC=CC=C1C(=O)O"
    assert compound["total"] == len(compound["facts"]) == 25
    assert compound["sources"][0]["release"] == "no release named; record created 2004-09-16"
    assert compound["remarks"] == []


@pytest.mark.parametrize("body", ["<<<", {"InformationList": {"Information": [{"CID": 2244, "CreationDate": "x"}]}}])
async def test_a_record_without_a_date_is_still_given(
    call: Callable[..., Any], server: Any, source_servers: ModuleType, body: Any
) -> None:
    answering(server, source_servers, {"/dates/JSON": body})
    compound = await call("get_compound", cid=2244)
    assert compound["total"] == 25
    assert "release" not in compound["sources"][0]


async def test_the_smiles_are_asked_for_by_their_names_of_2025(call: Callable[..., Any], server: Any) -> None:
    await call("get_compound", cid=2244)
    names = server.asked[0].path.split("/")[-2].split(",")
    assert {"SMILES", "ConnectivitySMILES"} <= set(names)
    assert not {"CanonicalSMILES", "IsomericSMILES"} & set(names)


async def test_reported_values_stay_as_written_with_who_reports_them(call: Callable[..., Any]) -> None:
    compound = await call("get_compound", cid=2244, section="experimental")
    assert compound["facts"] == [
        {
            "name": "Melting Point",
            "value": "275 °F (NTP, 1992)",
            "basis": "reported by Invented Safety Data",
            "url": "https://example.org/7",
        },
        {
            "name": "Melting Point",
            "value": "135.5",
            "unit": "°C",
            "basis": "reported by Invented Substances Bank",
            "references": ["An Invented Handbook, 3rd ed., p. 12"],
        },
        {
            "name": "Solubility: Water",
            "value": "4.6 mg/mL\nat 25 °C",
            "basis": "reported by a source that PubChem does not name",
        },
    ]
    narrowed = await call("get_compound", cid=2244, section="experimental", name="melting POINT")
    assert narrowed["total"] == 2
    nothing = await call("get_compound", cid=2244, section="experimental", name="colour")
    assert nothing["note"] == "No fact is named so; there are: Melting Point, Solubility: Water."


async def test_a_compound_without_reported_values_is_told_from_no_compound(call: Callable[..., Any]) -> None:
    assert "no compound with the CID 77" in await call("get_compound", cid=77, section="experimental")
    assert "no compound with the CID 77" in await call("get_compound", cid=77)
    assert "no compound with the CID 77" in await call("get_compound", cid=77, section="synonyms")


async def test_a_compound_may_have_no_reported_values_and_no_synonyms(
    call: Callable[..., Any], server: Any, source_servers: ModuleType
) -> None:
    title = {"PropertyTable": {"Properties": [{"CID": 23666729, "Title": "Sodium salt"}]}}
    answering(server, source_servers, {"/property/Title/JSON": title})
    compound = await call("get_compound", cid=23666729, section="experimental")
    assert compound["facts"] == []
    assert "no experimental properties" in compound["note"]
    compound = await call("get_compound", cid=23666729, section="synonyms")
    assert compound["facts"] == []
    assert "no synonyms" in compound["note"]


async def test_synonyms_come_in_pages(call: Callable[..., Any]) -> None:
    seen: list[dict[str, Any]] = []
    cursor = ""
    while True:
        compound = await call("get_compound", cid=2244, section="synonyms", cursor=cursor, max_chars=5000)
        assert compound["total"] == 303
        assert len(str(compound)) < 5500
        seen += compound["facts"]
        cursor = compound["next_cursor"]
        if not cursor:
            break
    assert [fact["value"] for fact in seen[:3]] == ["aspirin", "ACETYLSALICYLIC ACID", "50-78-2"]
    assert len(seen) == 303
    assert "CAS" in seen[2]["name"]


async def test_assay_results_have_units_and_counts(call: Callable[..., Any]) -> None:
    assays = await call("get_bioassays", cid=2244)
    assert assays["total"] == 63
    assert assays["outcomes"] == [
        {"of": "Inactive", "rows": 61, "assays": 61},
        {"of": "Active", "rows": 1, "assays": 1},
        {"of": "Unspecified", "rows": 1, "assays": 1},
    ]
    assert assays["targets"] == [
        {"of": "P23219", "rows": 2, "assays": 1},
        {"of": "gene 5743", "rows": 1, "assays": 1},
    ]
    assert assays["results"][0] == {
        "aid": 1001,
        "assay": "Inhibition of invented COX-1",
        "outcome": "Active",
        "activity": "IC50",
        "value": "1.67",
        "unit": "uM",
        "target": "P23219",
        "gene": "5742",
        "assay_type": "Confirmatory",
        "pubmed": "11111111",
        "sid": "1234",
        "page": "https://pubchem.ncbi.nlm.nih.gov/bioassay/1001",
    }
    assert "value" not in assays["results"][1]
    assert "> or <" in assays["note"]


async def test_assay_results_are_narrowed_and_paged(call: Callable[..., Any]) -> None:
    active = await call("get_bioassays", cid=2244, outcome="ACTIVE")
    assert [row["aid"] for row in active["results"]] == [1001]
    assert active["outcomes"][0]["rows"] == 61
    for target, aids in (("p23219", [1001, 1001]), ("5743", [1002]), ("cox-2", [1002])):
        assert [row["aid"] for row in (await call("get_bioassays", cid=2244, target=target))["results"]] == aids
    seen: list[int] = []
    cursor = ""
    while True:
        page = await call("get_bioassays", cid=2244, outcome="inactive", cursor=cursor, max_chars=5000)
        assert len(str(page)) < 5500
        seen += [row["aid"] for row in page["results"]]
        cursor = page["next_cursor"]
        if not cursor:
            break
    assert seen == [1001, *range(2000, 2060)]


async def test_no_assay_results_is_said(call: Callable[..., Any]) -> None:
    assays = await call("get_bioassays", cid=23666729)
    assert assays["total"] == 0
    assert "no assay results" in assays["note"]


@pytest.mark.parametrize("tool", CALLS)
@pytest.mark.parametrize("name", FAULTS)
async def test_faults_are_told_apart(
    asking: Callable[..., Any], server: Any, source_servers: ModuleType, tool: str, name: str
) -> None:
    fault = source_servers.FAULTS[name]
    server.fault = fault
    url = server.url if fault.given is not None else f"http://127.0.0.1:{source_servers.closed_port()}"
    async with asking(pubchem=url, source_seconds=source_servers.patience(name)) as call:
        said = await call(tool, **CALLS[tool])
    assert isinstance(said, str)
    assert said.startswith("PubChem ")
    assert fault.says in said


@pytest.mark.parametrize(
    ("tool", "arguments", "end", "body"),
    [
        ("find_compound", {"query": "aspirin"}, "/cids/JSON", {"IdentifierList": []}),
        ("find_compound", {"query": "aspirin"}, "/cids/JSON", [1]),
        ("find_compound", {"query": "aspirin"}, "/JSON", {"IdentifierList": {"CID": [2244]}}),
        ("get_compound", {"cid": 2244}, "/JSON", {"PropertyTable": {}}),
        ("get_compound", {"cid": 2244, "section": "synonyms"}, "/JSON", {"InformationList": None}),
        ("get_compound", {"cid": 2244, "section": "experimental"}, "/JSON", {"Record": {"Section": "x"}}),
        ("get_bioassays", {"cid": 2244}, "/JSON", {"Table": {"Columns": {"Column": ["AID"]}}}),
        ("get_bioassays", {"cid": 2244}, "/JSON", "null"),
    ],
)
async def test_an_answer_with_a_wrong_frame_is_malformed(
    call: Callable[..., Any], server: Any, source_servers: ModuleType, tool: str, arguments: Any, end: str, body: Any
) -> None:
    answering(server, source_servers, {end: body})
    assert "PubChem sent an answer that cannot be read." in await call(tool, **arguments)


async def test_a_404_that_is_no_fault_of_pubchem_is_an_outage(
    call: Callable[..., Any], server: Any, source_servers: ModuleType
) -> None:
    server.answer = lambda _: source_servers.Given("<html>gateway</html>", status=404)
    assert "cannot be read" in await call("find_compound", query="aspirin")


@pytest.mark.parametrize(("argument", "value"), [("max_chars", 999), ("max_chars", 50_001), ("cid", 0), ("cid", 2**31)])
async def test_limits_of_arguments_hold(call: Callable[..., Any], argument: str, value: int) -> None:
    said = await call("get_compound", **{"cid": 2244, argument: value})
    assert f"'{argument}' was {value}" in said
