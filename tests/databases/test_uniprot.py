"""search_proteins, get_protein, list_protein_features and get_sequence, against a local UniProt.

Relied upon: results, entryType, primaryAccession, secondaryAccessions, inactiveReason, comments, features, sequence
(value, length, crc64, md5), messages; the headers X-UniProt-Release, X-UniProt-Release-Date, X-Total-Results and Link.
"""

import copy
from collections.abc import AsyncIterator, Callable, Iterator
from types import ModuleType
from typing import Any

import pytest
from Bio.SeqUtils.CheckSum import crc64 as biopython_crc64

from pincite_databases.uniprot.checksums import crc64

FAULTS = ("malformed", "429", "500", "slow", "truncated", "refused")
CALLS = {
    "search_proteins": {"query": "kinase"},
    "get_protein": {"accession": "P99991"},
    "list_protein_features": {"accession": "P99991"},
    "get_sequence": {"accession": "P99991"},
}


@pytest.fixture
def server(source_servers: ModuleType, uniprot_server: ModuleType) -> Iterator[Any]:
    with source_servers.SourceServer(uniprot_server.UniProt()) as server:
        yield server


@pytest.fixture
async def call(asking: Callable[..., Any], server: Any) -> AsyncIterator[Callable[..., Any]]:
    async with asking(uniprot=server.url) as call:
        yield call


async def test_proteins_are_found_with_their_release(call: Callable[..., Any], server: Any) -> None:
    found = await call("search_proteins", query="kinase", organism="9606", reviewed=True)
    assert found["asked"] == "(kinase) AND (organism_id:9606) AND (reviewed:true)"
    assert found["total"] == 1
    assert found["hits"] == [
        {
            "accession": "P99991",
            "entry_name": "INV1_HUMAN",
            "status": "reviewed (Swiss-Prot)",
            "protein": "Invented kinase 1",
            "genes": ["INV1", "ORF7"],
            "organism": "Homo sapiens (taxon 9606)",
            "length": 121,
            "existence": "1: Evidence at protein level",
            "page": "https://www.uniprot.org/uniprotkb/P99991/entry",
        }
    ]
    (source,) = found["sources"]
    assert source["release"] == "2025_03 of 18-June-2025"
    assert source["database"] == "UniProt"
    assert source["url"].startswith(f"{server.url}/uniprotkb/search?query=")


async def test_an_organism_is_given_by_name_too(call: Callable[..., Any]) -> None:
    found = await call("search_proteins", query="kinase", organism='Homo "sapiens')
    assert found["asked"] == '(kinase) AND (organism_name:"Homo sapiens")'


@pytest.mark.parametrize(("limit", "max_chars"), [(25, 50_000), (25, 4000), (60, 4000), (1, 1000)])
async def test_every_protein_comes_once_on_some_page(call: Callable[..., Any], limit: int, max_chars: int) -> None:
    seen: list[str] = []
    cursor = ""
    while True:
        arguments = {"query": "kinase", "limit": limit, "max_chars": max_chars, "cursor": cursor}
        found = await call("search_proteins", **arguments)
        assert found["total"] == 60
        assert len(found["hits"]) == 1 or len(str(found)) < max_chars + 600
        seen += [hit["accession"] for hit in found["hits"]]
        cursor = found["next_cursor"]
        if not cursor or len(seen) > 60:
            break
    assert len(seen) == len(set(seen)) == 60
    if limit < 60 and max_chars > 1000:
        first = await call("search_proteins", query="kinase", limit=limit)
        other = await call("search_proteins", query="kinase 2", limit=limit, cursor=first["next_cursor"])
        assert "does not belong" in other


async def test_no_protein_is_said_with_suggestions(call: Callable[..., Any]) -> None:
    found = await call("search_proteins", query="knase")
    assert found["hits"] == []
    assert found["total"] == 0
    assert found["note"] == "UniProt has nothing for this query. It suggests: kinase."


async def test_a_wrong_query_is_said_in_uniprots_words(call: Callable[..., Any]) -> None:
    assert "'nofield' is not a valid search field" in await call("search_proteins", query="nofield:x")
    assert "empty" in await call("search_proteins", query=" ")


async def test_an_inactive_hit_says_what_became_of_it(call: Callable[..., Any]) -> None:
    (hit,) = (await call("search_proteins", query="accession:P00002"))["hits"]
    assert hit["status"] == "inactive: split (demerged) into P99991, Q99999"


async def test_an_entry_says_names_status_and_topics(call: Callable[..., Any]) -> None:
    protein = await call("get_protein", accession=" p99991 ")
    assert protein["protein"] == "Invented kinase 1"
    assert protein["other_names"] == ["InvK1", "EC 2.7.11.1", "Kinase of nobody"]
    assert protein["status"] == "reviewed (Swiss-Prot)"
    assert protein["entry_version"] == "120"
    assert protein["note"] == "UniProt marks it: Precursor."
    assert protein["topics"][:2] == ["FUNCTION (3)", "CATALYTIC ACTIVITY (2)"]
    assert protein["total"] == len(protein["annotations"]) == 23
    assert protein["sources"][0]["release"] == "2025_03 of 18-June-2025"


@pytest.mark.parametrize(
    ("topic", "texts", "evidence"),
    [
        (
            "function",
            ["Invented kinase that phosphorylates nothing.", "Second sentence without evidence.", "Does less."],
            [
                "experiment (ECO:0000269) PubMed:11111111, PubMed:22222222",
                "similarity to another protein (ECO:0000250) UniProtKB:Q99999",
            ],
        ),
        (
            "subcellular",
            ["Cell membrane; Single-pass type I membrane protein", "Moves to the nucleus when stressed."],
            [
                "experiment (ECO:0000269) PubMed:11111111",
                "similarity to another protein (ECO:0000250) UniProtKB:Q99999",
            ],
        ),
        (
            "disease",
            ["Invented disease 1 (IND1, MIM:999999): A disease that nobody has.", "Caused by variants."],
            ["experiment (ECO:0000269) PubMed:11111111"],
        ),
        (
            "catalytic",
            ["ATP + X = ADP + X-P; EC 2.7.11.1", "physiological direction: left-to-right"],
            ["experiment (ECO:0000269) PubMed:11111111"],
        ),
        (
            "biophysicochemical",
            [
                "KM = 24.5 uM for ATP",
                "Vmax = 1.5e-05 umol/min/mg for the invented enzyme",
                "Optimum pH is 7.5.",
                "absorption maximum at about 280 nm",
            ],
            ["experiment (ECO:0000269) PubMed:11111111"],
        ),
        (
            "alternative products",
            [
                "P99991-1: Long / Long-like; the sequence shown in the entry",
                "P99991-2: Short / Short-like; described; VSP_000001, VSP_000002",
                "P99991-3: Lost / Lost-like; not described",
                "Q99999-4: Elsewhere / Elsewhere-like; its sequence is in another entry",
                "P99991-5: Odd / Odd-like; described; VSP_999999",
            ],
            [],
        ),
        ("cofactor", ["Mg(2+) (CHEBI:18420)"], ["similarity to another protein (ECO:0000250) UniProtKB:Q99999"]),
        ("interaction", ["with P06213 INSR, of another organism; experiments: 6"], ["IntAct:EBI-2"]),
        ("caution", ["Frameshift (AAA00001.1)"], ["curator inference (ECO:0000305)"]),
        ("mass", ["measured mass 13999.5 ± 0.5 Da by Electrospray"], []),
        ("tomorrow", ["Still read."], ["ECO:9999999"]),
    ],
)
async def test_annotations_of_every_kind_are_texts_with_evidence(
    call: Callable[..., Any], topic: str, texts: list[str], evidence: list[str]
) -> None:
    protein = await call("get_protein", accession="P99991", topic=topic)
    assert [item["text"] for item in protein["annotations"]] == texts
    assert protein["annotations"][0]["evidence"] == evidence
    assert protein["total"] == len(texts)


async def test_what_holds_for_one_isoform_says_so(call: Callable[..., Any]) -> None:
    protein = await call("get_protein", accession="P99991", topic="function")
    assert [item.get("molecule") for item in protein["annotations"]] == [None, None, "Isoform 2"]


async def test_a_topic_that_is_not_there_is_said(call: Callable[..., Any]) -> None:
    protein = await call("get_protein", accession="P99991", topic="weather")
    assert protein["annotations"] == []
    assert "No annotation has this topic" in protein["note"]


async def test_annotations_come_in_pages(call: Callable[..., Any], server: Any, uniprot_server: ModuleType) -> None:
    content = uniprot_server.entry("P99991")
    content["comments"] = [
        {"commentType": "FUNCTION", "texts": [{"value": f"Sentence {n} " + "x" * (n * 40)}]} for n in range(80)
    ]
    server.answer.entries[0] = content
    seen: list[str] = []
    cursor = ""
    while True:
        protein = await call("get_protein", accession="P99991", cursor=cursor, max_chars=6000)
        assert len(str(protein)) < 6500
        seen += [" ".join(item["text"].split()[:2]) for item in protein["annotations"]]
        assert all("cut" in item for item in protein["annotations"] if len(item["text"]) == 3000)
        cursor = protein["next_cursor"]
        if not cursor:
            break
    assert seen == [f"Sentence {n}" for n in range(80)]


@pytest.mark.parametrize("tool", ["get_protein", "list_protein_features", "get_sequence"])
async def test_a_secondary_accession_leads_to_its_entry_and_says_so(call: Callable[..., Any], tool: str) -> None:
    found = await call(tool, accession="O00001")
    assert found["accession"] == "P99991"
    assert "O00001 is a secondary accession of P99991: cite P99991." in found["note"]
    assert "P99991" in found["sources"][0]["url"]


@pytest.mark.parametrize("tool", ["get_protein", "list_protein_features", "get_sequence"])
@pytest.mark.parametrize(
    ("accession", "says"),
    [
        ("P00001", ["no longer active", "merged into P99991", "Ask for P99991."]),
        ("P00002", ["split (demerged) into P99991, Q99999", "different proteins"]),
        ("P00003", ["deleted: Deleted from the invented proteome", "UPI0000000001"]),
        ("P12345", ["UniProt has no entry P12345", "Resource not found", "search_proteins"]),
        ("INSR", ["'INSR' is not a UniProt accession"]),
        ("P99991-", ["is not a UniProt accession"]),
        ("../P99991", ["is not a UniProt accession"]),
        ("P99991-" + "9" * 5000, ["is not a UniProt accession"]),
        ("P99991-\u0662", ["is not a UniProt accession"]),
        ("A0A024R161X", ["is not a UniProt accession"]),
    ],
)
async def test_what_became_of_an_accession_is_said(
    call: Callable[..., Any], tool: str, accession: str, says: list[str]
) -> None:
    said = await call(tool, accession=accession)
    assert all(part in said for part in says), said


async def test_features_have_positions_as_uniprot_knows_them(call: Callable[..., Any]) -> None:
    found = await call("list_protein_features", accession="P99991")
    assert [(feature["start"], feature["end"]) for feature in found["features"]] == [
        ("1", "9"),
        ("10", "?"),
        ("<5", "30"),
        ("90", ">95"),
        ("?40", "40"),
        ("20", "60"),
        ("10", "20"),
        ("101", "121"),
        ("42", "42"),
        ("?", "?"),
    ]
    assert found["types"][:3] == ["Signal", "Chain", "Region"]
    assert found["sequence_version"] == "3"
    signal, chain, *_, replaced, missing, variant, strange = found["features"]
    assert signal["evidence"] == ["prediction by a sequence model, curated (ECO:0000255)"]
    assert chain["id"] == "PRO_0000000001"
    assert replaced["change"].endswith(" -> GA")
    assert missing["change"] == "missing"
    assert variant["change"] == "G -> R or W"
    assert variant["references"] == ["dbSNP:rs999"]
    assert strange["isoform"] == "P99991-2"
    assert found["features"][4]["ligand"] == "ATP (CHEBI:30616)"


@pytest.mark.parametrize(
    ("position", "starts"),
    [
        ("42", ["10", "42"]),
        ("20", ["10", "<5", "20", "10"]),
        ("30-39", ["10", "<5"]),
        ("2", ["1", "<5"]),
        ("60", ["10", "20"]),
        ("100", ["10", "90"]),
        ("40 \u2013 42", ["10", "?40", "42"]),
    ],
)
async def test_features_are_narrowed_to_positions(call: Callable[..., Any], position: str, starts: list[str]) -> None:
    found = await call("list_protein_features", accession="P99991", position=position)
    assert [feature["start"] for feature in found["features"]] == starts


async def test_features_are_narrowed_to_a_type(call: Callable[..., Any]) -> None:
    for kind, count in (("natural variant", 2), ("variant", 2), ("REGION", 2), ("site", 1), ("helix", 0)):
        found = await call("list_protein_features", accession="P99991", type=kind)
        assert found["total"] == len(found["features"]) == count
    assert found["note"] == "No feature fits: see types."


@pytest.mark.parametrize("position", ["0", "x", "5-3", "-3", "1-2-3", "9999999"])
async def test_what_is_no_position_is_bad_input(call: Callable[..., Any], position: str) -> None:
    assert "is not a position" in await call("list_protein_features", accession="P99991", position=position)


async def test_features_come_in_pages(call: Callable[..., Any]) -> None:
    seen: list[str] = []
    cursor = ""
    while True:
        found = await call("list_protein_features", accession="P99991", cursor=cursor, max_chars=1200)
        seen += [feature["type"] for feature in found["features"]]
        cursor = found["next_cursor"]
        if not cursor:
            break
    assert len(seen) == 10


async def test_a_sequence_is_checked_and_has_its_mass(call: Callable[..., Any], uniprot_server: ModuleType) -> None:
    sequence = uniprot_server.SEQUENCE
    found = await call("get_sequence", accession="P99991")
    assert found["sequence"] == sequence
    assert (found["length"], found["start"], found["end"], found["next_start"]) == (121, 1, 121, None)
    assert found["mass_da"] == 14000
    assert found["crc64"] == uniprot_server.sequence_of(sequence)["crc64"]
    assert found["md5"] == uniprot_server.sequence_of(sequence)["md5"]
    assert found["checked"] == "agrees with the entry in length and CRC64 and MD5"
    assert found["of"] == "canonical sequence: isoform P99991-1 (Long / Long-like)"
    assert found["sequence_version"] == "3"


@pytest.mark.parametrize("field", ["value", "length", "crc64", "md5"])
async def test_a_sequence_that_is_not_what_its_checksums_say_is_not_given(
    call: Callable[..., Any], server: Any, uniprot_server: ModuleType, field: str
) -> None:
    content = copy.deepcopy(uniprot_server.entry("P99991"))
    content["sequence"][field] = {"value": "MKV", "length": 7, "crc64": "0" * 16, "md5": "0" * 32}[field]
    server.answer.entries[0] = content
    assert "cannot be read" in await call("get_sequence", accession="P99991")


async def test_a_sequence_without_checksums_says_what_was_checked(
    call: Callable[..., Any], server: Any, uniprot_server: ModuleType
) -> None:
    content = copy.deepcopy(uniprot_server.entry("P99991"))
    content["sequence"] = {"value": "MKV", "length": 3}
    server.answer.entries[0] = content
    found = await call("get_sequence", accession="P99991")
    assert found["checked"] == "agrees with the entry in length"
    assert "mass_da" not in found


@pytest.mark.parametrize(
    "arguments",
    [
        {"accession": "P99991-2"},
        {"accession": "P99991", "isoform": "2"},
        {"accession": "P99991", "isoform": "P99991-2"},
        {"accession": "P99991", "isoform": "short"},
        {"accession": "P99991-2", "isoform": "2"},
    ],
)
async def test_an_isoform_has_its_own_sequence(
    call: Callable[..., Any], uniprot_server: ModuleType, arguments: Any
) -> None:
    found = await call("get_sequence", **arguments)
    assert found["sequence"] == uniprot_server.ISOFORM_2
    assert found["length"] == len(uniprot_server.ISOFORM_2)
    assert found["of"] == "isoform P99991-2 (Short / Short-like)"
    assert "canonical sequence changed by" in found["checked"]
    assert "mass_da" not in found
    assert found["sources"][0]["url"].endswith("/uniprotkb/P99991-2.fasta")


async def test_an_isoform_that_cannot_be_derived_is_not_called_checked(call: Callable[..., Any]) -> None:
    found = await call("get_sequence", accession="P99991-5")
    assert found["checked"] == "not checked: UniProt gives no checksum of an isoform"


async def test_an_isoform_that_differs_from_its_features_is_said(
    call: Callable[..., Any], server: Any, uniprot_server: ModuleType, source_servers: ModuleType
) -> None:
    usual = server.answer
    other = source_servers.Given(">sp|P99991-2|INV1_HUMAN x\nMKVM\n")
    server.answer = lambda asked: other if asked.path.endswith(".fasta") else usual(asked)
    found = await call("get_sequence", accession="P99991-2")
    assert found["checked"].startswith("it is NOT what")


@pytest.mark.parametrize("body", ["", "MKV", ">sp|P99991|INV1_HUMAN x\nMKV\n", ">sp|P99991-3|x\nMKV\n", "{}", ">\n\n"])
async def test_another_sequence_is_never_given_for_an_isoform(
    call: Callable[..., Any], server: Any, source_servers: ModuleType, body: str
) -> None:
    usual = server.answer
    server.answer = lambda asked: source_servers.Given(body) if asked.path.endswith(".fasta") else usual(asked)
    assert "cannot be read" in await call("get_sequence", accession="P99991-2")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"isoform": "3"}, "does not describe the sequence"),
        ({"isoform": "Elsewhere"}, "Ask for the entry Q99999."),
        ({"isoform": "9"}, "has no isoform '9'"),
        ({"accession": "P99991-2", "isoform": "1"}, "is one isoform and '1' another"),
        ({"accession": "O00001-2"}, "does not say what became of its isoform O00001-2"),
        ({"start": 122}, "1 to 121"),
        ({"start": 5, "end": 4}, "no residues 5 to 4"),
        ({"end": 122}, "no residues 1 to 122"),
    ],
)
async def test_what_is_not_there_is_said(call: Callable[..., Any], arguments: Any, says: str) -> None:
    assert says in await call("get_sequence", **{"accession": "P99991", **arguments})


async def test_the_first_isoform_of_an_entry_without_isoforms_is_its_sequence(
    call: Callable[..., Any], server: Any, uniprot_server: ModuleType
) -> None:
    content = uniprot_server.entry("P99991") | {"comments": []}
    server.answer.entries[0] = content
    assert (await call("get_sequence", accession="P99991-1"))["of"] == "canonical sequence"
    assert "none described" in await call("get_sequence", accession="P99991-2")


async def test_a_long_sequence_goes_on_where_it_stopped(
    call: Callable[..., Any], server: Any, uniprot_server: ModuleType
) -> None:
    residues = uniprot_server.SEQUENCE * 200
    server.answer.entries[0] = uniprot_server.entry("P99991") | {"sequence": uniprot_server.sequence_of(residues)}
    seen, start = "", 1
    while start:
        part = await call("get_sequence", accession="P99991", start=start, max_chars=10_000)
        assert len(str(part)) < 10_500
        assert part["sequence"] == residues[part["start"] - 1 : part["end"]]
        seen += part["sequence"]
        start = part["next_start"]
    assert seen == residues
    part = await call("get_sequence", accession="P99991", start=3, end=5)
    assert part["sequence"] == residues[2:5]


def test_the_checksum_is_that_of_swiss_prot() -> None:
    assert crc64("ACGTACGTACGT") == "C4FBB762C4A87EBD"
    for sequence in ("", "M", "MKTAYIAKQR" * 40):
        assert f"CRC-{crc64(sequence)}" == biopython_crc64(sequence)


@pytest.mark.parametrize("tool", CALLS)
@pytest.mark.parametrize("name", FAULTS)
async def test_faults_are_told_apart(
    asking: Callable[..., Any], server: Any, source_servers: ModuleType, tool: str, name: str
) -> None:
    fault = source_servers.FAULTS[name]
    server.fault = fault
    url = server.url if fault.given is not None else f"http://127.0.0.1:{source_servers.closed_port()}"
    async with asking(uniprot=url, source_seconds=source_servers.patience(name)) as call:
        said = await call(tool, **CALLS[tool])
    assert isinstance(said, str)
    assert said.startswith("UniProt ")
    assert fault.says in said


@pytest.mark.parametrize("body", ["null", "[]", {}, {"results": {}}, {"entryType": "UniProtKB reviewed"}])
@pytest.mark.parametrize("tool", CALLS)
async def test_an_answer_with_a_wrong_frame_is_malformed(
    call: Callable[..., Any], server: Any, source_servers: ModuleType, tool: str, body: Any
) -> None:
    server.answer = lambda _: source_servers.Given(body)
    assert "UniProt sent an answer that cannot be read." in await call(tool, **CALLS[tool])
