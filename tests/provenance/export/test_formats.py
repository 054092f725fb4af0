"""Claims as Web Annotations, PROV-JSON and an RO-Crate, held against their specifications and read by others' tools."""

import hashlib
import io
import json
import re
import warnings
from datetime import datetime
from pathlib import Path
from types import ModuleType

import pytest

from pincite_core.errors import BadInputError
from pincite_papers.jats.article import parse_jats
from pincite_provenance.export.prov import prov_document
from pincite_provenance.export.ro_crate import write_crate
from pincite_provenance.export.web_annotation import web_annotations
from pincite_provenance.ledger.audit import audit
from pincite_provenance.ledger.entry import Caller

JATS = b"""<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta>
<article-id pub-id-type="doi">10.1234/made(up)#1</article-id>
<title-group><article-title>A made-up article</article-title></title-group></article-meta></front>
<body><sec><title>Results</title><p>The made-up emu weighs 41.5 kg in winter and more in summer.</p></sec></body>
</article>"""
MOTIVATIONS = {
    "assessing", "bookmarking", "classifying", "commenting", "describing", "editing", "highlighting", "identifying",
    "linking", "moderating", "questioning", "replying", "tagging",
}  # fmt: skip
"""Section 3.3.5 of the Web Annotation Data Model."""


@pytest.fixture
def both(filled):
    """The claims about the PDF, and one about an article without pages that has a DOI."""
    book, ids = filled
    article = parse_jats(JATS, max_pages=9)
    ids["article"] = book.claim(article, "weighs 41.5 kg in winter", value="41.5", unit="kg", caller=Caller())
    return book, ids


def installed(name: str, missing) -> ModuleType:
    """A package that only tests use."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return __import__(name)
        except ImportError:
            missing(f"no {name} (pip install {name})")
            raise


def test_web_annotations_are_what_the_model_asks_for(both):
    book, ids = both
    audited, entries = book.read()
    made = web_annotations(entries.claims, audited.ledger)
    assert made["@context"] == "http://www.w3.org/ns/anno.jsonld"
    assert made["type"] == "AnnotationCollection"
    page = made["first"]
    assert page["type"] == "AnnotationPage"
    assert page["partOf"] == made["id"]
    assert made["total"] == len(page["items"]) == len(entries.claims)
    names = [made["id"], page["id"], *(item["id"] for item in page["items"])]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(#[\w-]+)?", name) for name in names)
    for item in page["items"]:
        assert item["type"] == "Annotation"
        assert "@context" not in item
        assert item["motivation"] in MOTIVATIONS
        assert datetime.fromisoformat(item["created"]).utcoffset().total_seconds() == 0
        assert {body["purpose"] for body in item["body"]} <= MOTIVATIONS
        assert all(body["type"] == "TextualBody" and body["value"] for body in item["body"])
        assert re.match(r"[a-z]+:[^\s<>\"{}|\\^`]+$", item["target"]["source"]), "an IRI"
    by_id = {item["id"].rpartition("#")[2]: item for item in page["items"]}
    assert "selector" not in by_id[ids["absent"]]["target"]
    assert by_id[ids["article"]]["target"]["source"] == "https://doi.org/10.1234/made(up)%231"
    assert "creator" not in by_id[ids["article"]]
    assert by_id[ids["right"]]["creator"] == {"type": "Software", "name": "tester 7, m-1"}


def test_the_selectors_of_an_annotation_find_the_quote(both, paper):
    book, ids = both
    audited, entries = book.read()
    items = web_annotations(entries.claims, audited.ledger)["first"]["items"]
    target = next(item["target"] for item in items if item["id"].endswith(ids["right"]))
    quote, position, fragment = target["selector"]
    assert paper.text[position["start"] : position["end"]] == quote["exact"]
    assert paper.text.count(quote["prefix"] + quote["exact"] + quote["suffix"]) == 1
    page, box = re.fullmatch(r"page=(\d+)&xywh=([\d.,]+)", fragment["value"]).groups()
    left, top, width, height = map(float, box.split(","))
    boxes = [rect for number, rect in paper.boxes(position["start"], position["end"]) if number == int(page)]
    assert left == pytest.approx(min(rect.x0 for rect in boxes), abs=0.01)
    assert top + height == pytest.approx(max(rect.y1 for rect in boxes), abs=0.02)
    assert width > 10


def test_an_annotation_says_the_claim_the_verdict_and_what_became_of_it(both):
    book, ids = both
    audited, entries = book.read()
    items = {
        item["id"].rpartition("#")[2]: item
        for item in web_annotations(entries.claims, audited.ledger)["first"]["items"]
    }
    told, assessed, data = (body["value"] for body in items[ids["wrong"]]["body"])
    assert told == "transition temperature: 93.5 K"
    assert assessed.startswith("quote stands, value does not stand, claim fails\n")
    assert f"Superseded by {ids['right']}" in assessed
    assert json.loads(data)["value"] == "93.5"
    assert json.loads(data)["facts"] == {"quote": "stands", "value": "does not stand", "claim": "fails"}
    assert f"Retracted by {ids['retraction']}" in items[ids["taken"]]["body"][1]["value"]
    assert "Note: seen" in items[ids["right"]]["body"][1]["value"]


def test_prov_is_read_by_the_prov_package_and_written_again_the_same(both, missing):
    prov = installed("prov", missing)
    from prov.model import ProvDocument

    assert prov
    book, _ = both
    audited, entries = book.read()
    made = prov_document(entries.claims, entries.retractions, audited.ledger)
    document = ProvDocument.deserialize(content=json.dumps(made), format="json")
    again = ProvDocument.deserialize(content=document.serialize(format="json"), format="json")
    assert document == again
    counts = {kind: len(records) for kind, records in made.items() if kind != "prefix"}
    assert sum(counts.values()) == len(document.get_records())
    assert counts["activity"] == 7, "six claims and a retraction"
    assert counts["agent"] == 5, "pincite, the tester with and without a model, another, and one without a name"
    claims = {
        record.identifier.localpart
        for record in document.get_records()
        if "pincite:Claim" in {str(kind) for kind in record.get_asserted_types()}
    }
    assert claims == {entry.id for entry in entries.claims}
    assert document.serialize(format="provn")


def test_prov_tells_quotes_revisions_and_retractions(both):
    book, ids = both
    audited, entries = book.read()
    made = prov_document(entries.claims, entries.retractions, audited.ledger)
    derived = list(made["wasDerivedFrom"].values())
    revisions = [each for each in derived if each.get("prov:type", {}).get("$") == "prov:Revision"]
    assert [(each["prov:generatedEntity"], each["prov:usedEntity"]) for each in revisions] == [
        (f"ledger:{ids['right']}", f"ledger:{ids['wrong']}")
    ]
    quotations = [each for each in derived if each.get("prov:type", {}).get("$") == "prov:Quotation"]
    assert {each["prov:generatedEntity"] for each in quotations} == {
        f"quote:{ids[name]}" for name in ("wrong", "right", "lines", "taken", "article")
    }
    (invalidated,) = made["wasInvalidatedBy"].values()
    assert invalidated["prov:entity"] == f"ledger:{ids['taken']}"
    assert invalidated["pincite:reason"] == "wrong"
    (influenced,) = made["wasInfluencedBy"].values()
    assert influenced["prov:influencee"] == f"ledger:{ids['absent']}"
    records = {name for kind in ("entity", "activity", "agent") for name in made[kind]}
    named = {
        value
        for kind, relations in made.items()
        if kind not in ("prefix", "entity", "activity", "agent")
        for relation in relations.values()
        for key, value in relation.items()
        if key.startswith("prov:") and key not in ("prov:type", "prov:time")
    }
    assert named <= records, "no relation names what is not there"


def test_a_crate_is_loaded_by_the_rocrate_package(both, tmp_path, missing):
    rocrate = installed("rocrate", missing)
    from rocrate.rocrate import ROCrate

    book, _ = both
    audited, entries = book.read()
    folder = tmp_path / "out/crate"
    written = write_crate(folder, audited, entries)
    assert sorted(path.name for path in folder.iterdir()) == sorted(path.name for path in written)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        crate = ROCrate(folder)
    files = {entity.id: entity for entity in crate.data_entities}
    assert set(files) == {"claims.db", "claims.db.head", "annotations.jsonld", "provenance.json"}
    for name, entity in files.items():
        data = (folder / name).read_bytes()
        assert entity["sha256"] == hashlib.sha256(data).hexdigest()
        assert entity["contentSize"] == str(len(data))
    root = crate.root_dataset
    assert {reference.id for reference in root["citation"]} == {
        "https://doi.org/10.1234/made(up)%231",
        f"urn:{entries.claims[0].paper['paper_id']}",
    }
    assert root["datePublished"]
    assert root["license"]["name"]
    crate.write(tmp_path / "again")
    terms = json.loads((Path(rocrate.__file__).parent / "data/ro-crate.jsonld").read_bytes())["@context"]
    metadata = json.loads((folder / "ro-crate-metadata.json").read_bytes())
    used = {key for entity in metadata["@graph"] for key in entity if not key.startswith("@")}
    assert used <= set(terms), "every property is a term of the context"
    assert {entity["@type"] for entity in metadata["@graph"]} <= set(terms)


def test_the_ledger_in_a_crate_is_whole_and_can_be_verified(both, tmp_path):
    book, ids = both
    audited, entries = book.read()
    write_crate(tmp_path / "crate", audited, entries)
    copied = audit(tmp_path / "crate/claims.db", noted=list(ids.values()))
    assert copied.intact
    assert copied.notes == []
    assert (copied.rows, copied.head) == (audited.rows, audited.head)
    metadata = (tmp_path / "crate/ro-crate-metadata.json").read_text()
    assert audited.head in metadata
    assert str(tmp_path) not in metadata


def test_the_graph_of_a_crate_is_closed_and_flat(both, tmp_path):
    book, _ = both
    audited, entries = book.read()
    write_crate(tmp_path / "crate", audited, entries)
    metadata = json.loads((tmp_path / "crate/ro-crate-metadata.json").read_bytes())
    graph = metadata["@graph"]
    ids = [entity["@id"] for entity in graph]
    assert len(set(ids)) == len(ids)
    assert graph[0]["about"] == {"@id": "./"}
    assert graph[0]["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}
    references = {
        one["@id"]
        for entity in graph[1:]
        for value in entity.values()
        for one in (value if isinstance(value, list) else [value])
        if isinstance(one, dict)
    }
    assert references <= set(ids)


def test_a_crate_is_not_written_over_anything(both, tmp_path):
    book, _ = both
    audited, entries = book.read()
    (tmp_path / "crate").mkdir()
    (tmp_path / "crate/mine").write_text("mine")
    with pytest.raises(BadInputError, match="not an empty folder"):
        write_crate(tmp_path / "crate", audited, entries)
    assert [path.name for path in (tmp_path / "crate").iterdir()] == ["mine"]
    assert not list(tmp_path.glob("*.tmp"))


def test_exports_hold_what_any_text_may_hold(book, paper):
    """Quotes with control characters, quotation marks and other scripts survive each format."""
    note = 'ünï "quoted" \\ \x07 <b>&amp; \u202e Ω'
    book.claim(paper, "An emu laid eleven eggs in March.", note=note, value=note)
    audited, entries = book.read()
    made = json.dumps(web_annotations(entries.claims, audited.ledger))
    assert note in json.loads(made)["first"]["items"][0]["body"][1]["value"]
    told = json.loads(json.dumps(prov_document(entries.claims, [], audited.ledger)))
    assert note in [entity.get("pincite:value") for entity in told["entity"].values()]
    assert io.StringIO(made).read()
