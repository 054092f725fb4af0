"""UniProt on the loopback: search with cursors, entries, redirects of secondary accessions, inactive entries, isoforms.

The proteins are invented; checksums are of their sequences.
"""

import hashlib
import re
from typing import Any
from urllib.parse import urlencode

from Bio.SeqUtils.CheckSum import crc64

from source_server import Asked, Given

RELEASE = {"X-UniProt-Release": "2025_03", "X-UniProt-Release-Date": "18-June-2025"}
SEQUENCE = (
    "MKWINVENTEDKINASETHATNEVERWASFLDEDINANYRELEASEGGHILMNPQRSTVWYACDEFG"
    "HIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWYMKWINVENTEDKINASETHA"
)
ISOFORM_2 = SEQUENCE[:9] + "GA" + SEQUENCE[20:100]
"""Without residues 101 to the end, and with 10-20 replaced by GA."""

EXPERIMENT = {"evidenceCode": "ECO:0000269", "source": "PubMed", "id": "11111111"}
SIMILAR = {"evidenceCode": "ECO:0000250", "source": "UniProtKB", "id": "Q99999"}


def sequence_of(residues: str, mass: int = 14000) -> dict[str, Any]:
    """The ``sequence`` of an entry, with its checksums."""
    return {
        "value": residues,
        "length": len(residues),
        "molWeight": mass,
        "crc64": crc64(residues).removeprefix("CRC-"),
        "md5": hashlib.md5(residues.encode()).hexdigest().upper(),
    }


def at(start: int | None, end: int | None, first: str = "EXACT", last: str = "EXACT") -> dict[str, Any]:
    """The ``location`` of a feature."""
    return {"start": {"value": start, "modifier": first}, "end": {"value": end, "modifier": last}}


def isoform(number: str, name: str, status: str, *changes: str) -> dict[str, Any]:
    """An isoform as ALTERNATIVE PRODUCTS lists it."""
    return {"name": {"value": name}, "synonyms": [{"value": f"{name}-like"}], "isoformIds": [number],
            "isoformSequenceStatus": status, "sequenceIds": list(changes)}  # fmt: skip


COMMENTS = [
    {
        "commentType": "FUNCTION",
        "texts": [
            {"value": "Invented kinase that phosphorylates nothing.", "evidences": [
                EXPERIMENT, {**EXPERIMENT, "id": "22222222"}, SIMILAR,
            ]},
            {"value": "Second sentence without evidence."},
        ],
    },
    {"commentType": "FUNCTION", "molecule": "Isoform 2", "texts": [{"value": "Does less.", "evidences": [SIMILAR]}]},
    {
        "commentType": "CATALYTIC ACTIVITY",
        "reaction": {"name": "ATP + X = ADP + X-P", "ecNumber": "2.7.11.1", "evidences": [EXPERIMENT]},
        "physiologicalReactions": [{"directionType": "left-to-right", "evidences": [EXPERIMENT]}],
    },
    {
        "commentType": "BIOPHYSICOCHEMICAL PROPERTIES",
        "kineticParameters": {
            "michaelisConstants": [
                {"constant": 24.5, "unit": "uM", "substrate": "ATP", "evidences": [EXPERIMENT]},
                {"constant": 3, "substrate": "no unit"},
            ],
            "maximumVelocities": [{"velocity": 1.5e-05, "unit": "umol/min/mg", "enzyme": "the invented enzyme"}],
        },
        "phDependence": {"texts": [{"value": "Optimum pH is 7.5.", "evidences": [EXPERIMENT]}]},
        "absorption": {"max": 280, "approximate": True},
    },
    {
        "commentType": "SUBCELLULAR LOCATION",
        "subcellularLocations": [
            {
                "location": {"value": "Cell membrane", "id": "SL-0039", "evidences": [EXPERIMENT]},
                "topology": {"value": "Single-pass type I membrane protein", "evidences": [SIMILAR]},
            }
        ],
        "note": {"texts": [{"value": "Moves to the nucleus when stressed."}]},
    },
    {
        "commentType": "DISEASE",
        "disease": {
            "diseaseId": "Invented disease 1",
            "acronym": "IND1",
            "description": "A disease that nobody has.",
            "diseaseCrossReference": {"database": "MIM", "id": "999999"},
            "evidences": [EXPERIMENT],
        },
        "note": {"texts": [{"value": "Caused by variants."}]},
    },
    {
        "commentType": "ALTERNATIVE PRODUCTS",
        "events": ["Alternative splicing"],
        "isoforms": [
            isoform("P99991-1", "Long", "Displayed"),
            isoform("P99991-2", "Short", "Described", "VSP_000001", "VSP_000002"),
            isoform("P99991-3", "Lost", "Not described"),
            isoform("Q99999-4", "Elsewhere", "External"),
            isoform("P99991-5", "Odd", "Described", "VSP_999999"),
        ],
    },
    {"commentType": "COFACTOR", "cofactors": [
        {"name": "Mg(2+)", "cofactorCrossReference": {"database": "ChEBI", "id": "CHEBI:18420"},
         "evidences": [SIMILAR]},
    ]},
    {"commentType": "INTERACTION", "interactions": [
        {"interactantOne": {"uniProtKBAccession": "P99991", "intActId": "EBI-1"},
         "interactantTwo": {"uniProtKBAccession": "P06213", "geneName": "INSR", "intActId": "EBI-2"},
         "numberOfExperiments": 6, "organismDiffer": True},
    ]},
    {"commentType": "SEQUENCE CAUTION", "sequenceCautionType": "Frameshift", "sequence": "AAA00001.1",
     "evidences": [{"evidenceCode": "ECO:0000305"}]},
    {"commentType": "MASS SPECTROMETRY", "molWeight": 13999.5, "molWeightError": 0.5, "method": "Electrospray"},
    {"commentType": "A KIND OF TOMORROW", "texts": [
        {"value": "Still read.", "evidences": [{"evidenceCode": "ECO:9999999"}]},
    ]},
    {"commentType": "PTM", "texts": "not a list"},
    "not an object",
]  # fmt: skip
FEATURES = [
    {"type": "Signal", "location": at(1, 9), "description": "", "evidences": [{"evidenceCode": "ECO:0000255"}]},
    {"type": "Chain", "location": at(10, None, last="UNKNOWN"), "description": "Invented kinase",
     "featureId": "PRO_0000000001"},
    {"type": "Region", "location": at(5, 30, first="OUTSIDE"), "description": "Open at the start"},
    {"type": "Region", "location": at(90, 95, last="OUTSIDE"), "description": "Open at the end"},
    {"type": "Binding site", "location": at(40, 40, first="UNSURE"),
     "ligand": {"name": "ATP", "id": "ChEBI:CHEBI:30616"}, "evidences": [EXPERIMENT]},
    {"type": "Disulfide bond", "location": at(20, 60), "description": ""},
    {"type": "Alternative sequence", "location": at(10, 20), "description": "in isoform Short",
     "featureId": "VSP_000001",
     "alternativeSequence": {"originalSequence": SEQUENCE[9:20], "alternativeSequences": ["GA"]}},
    {"type": "Alternative sequence", "location": at(101, len(SEQUENCE)), "description": "in isoform Short",
     "featureId": "VSP_000002", "alternativeSequence": {}},
    {"type": "Natural variant", "location": at(42, 42), "description": "in IND1; dbSNP:rs999",
     "featureId": "VAR_000001",
     "alternativeSequence": {"originalSequence": "G", "alternativeSequences": ["R", "W"]},
     "featureCrossReferences": [{"database": "dbSNP", "id": "rs999"}], "evidences": [EXPERIMENT]},
    {"type": "Natural variant", "location": {"start": {"value": "x"}, "end": None, "sequence": "P99991-2"}},
    {"location": at(1, 2)},
]  # fmt: skip


def entry(accession: str, number: int = 1) -> dict[str, Any]:
    """A whole entry."""
    return {
        "entryType": "UniProtKB reviewed (Swiss-Prot)" if number == 1 else "UniProtKB unreviewed (TrEMBL)",
        "primaryAccession": accession,
        "secondaryAccessions": ["O00001"],
        "uniProtkbId": f"INV{number}_HUMAN",
        "entryAudit": {"lastAnnotationUpdateDate": "2025-06-18", "entryVersion": 120, "sequenceVersion": 3},
        "annotationScore": 5.0,
        "organism": {"scientificName": "Homo sapiens", "commonName": "Human", "taxonId": 9606},
        "proteinExistence": "1: Evidence at protein level",
        "proteinDescription": {
            "recommendedName": {
                "fullName": {"value": "Invented kinase 1"},
                "shortNames": [{"value": "InvK1"}],
                "ecNumbers": [{"value": "2.7.11.1"}],
            },
            "alternativeNames": [{"fullName": {"value": "Kinase of nobody"}}, {"fullName": None}],
            "flag": "Precursor",
        },
        "genes": [{"geneName": {"value": f"INV{number}"}}, {"orfNames": [{"value": "ORF7"}]}, {}],
        "comments": COMMENTS,
        "features": FEATURES,
        "sequence": sequence_of(SEQUENCE),
    }


def inactive(accession: str, kind: str, *into: str, why: str = "") -> dict[str, Any]:
    """What is left of an entry that is gone."""
    reason = {"inactiveReasonType": kind} | ({"mergeDemergeTo": list(into)} if into else {})
    return {
        "entryType": "Inactive",
        "primaryAccession": accession,
        "uniProtkbId": f"{accession}_HUMAN",
        "inactiveReason": reason | ({"deletedReason": why} if why else {}),
        "extraAttributes": {"uniParcId": "UPI0000000001"},
    }


GONE = {
    "P00001": inactive("P00001", "MERGED", "P99991"),
    "P00002": inactive("P00002", "DEMERGED", "P99991", "Q99999"),
    "P00003": inactive("P00003", "DELETED", why="Deleted from the invented proteome"),
}


class UniProt:
    """Answers as UniProt does; ``many`` is how many entries a search for kinases finds."""

    def __init__(self, *, many: int = 60) -> None:
        self.entries = [entry("P99991"), *(entry(f"Q1A{n:02d}1", n) for n in range(2, many + 1))]

    def __call__(self, asked: Asked) -> Given:
        if asked.path == "/uniprotkb/search":
            return self._search(asked)
        match = re.fullmatch(r"/uniprotkb/([A-Z0-9]+)(-\d+)?\.(json|fasta)", asked.path)
        if match is None:
            return _wrong(
                400, asked, "The 'accession' value has invalid format. It should be a valid UniProtKB accession"
            )
        accession, number, form = match.groups()
        if accession == "O00001":
            return Given(status=303, headers={**RELEASE, "Location": f"/uniprotkb/P99991.{form}?from=O00001"})
        if form == "fasta":
            return _fasta(accession + (number or ""), asked)
        if accession in GONE:
            return Given(GONE[accession], headers=RELEASE)
        found = next((known for known in self.entries if known["primaryAccession"] == accession), None)
        return Given(found, headers=RELEASE) if found else _wrong(404, asked, "Resource not found")

    def _search(self, asked: Asked) -> Given:
        query, size, start = asked.params["query"], int(asked.params["size"]), int(asked.params.get("cursor", "c0")[1:])
        if "nofield:" in query:
            return _wrong(400, asked, "'nofield' is not a valid search field")
        found = [known for known in self.entries if "kinase" in query.lower()]
        if accession := re.search(r"accession:(\w+)", query):
            found = [GONE[accession[1]]]
        if "reviewed:true" in query:
            found = [known for known in found if "Swiss-Prot" in known["entryType"]]
        headers = {**RELEASE, "X-Total-Results": str(len(found))}
        if start + size < len(found):
            following = urlencode({**asked.params, "cursor": f"c{start + size}"})
            headers["Link"] = f'<https://rest.uniprot.org/uniprotkb/search?{following}>; rel="next"'
        shown = [{**known, "sequence": {"length": 121}} if "sequence" in known else known for known in found]
        body: dict[str, Any] = {"results": [*shown[start : start + size]]}
        if not found:
            body["suggestions"] = [{"query": "kinase", "hits": 60}]
        return Given(body, headers=headers)


def _fasta(name: str, asked: Asked) -> Given:
    residues = {"P99991-2": ISOFORM_2, "P99991-5": ISOFORM_2}.get(name)
    if residues is None:
        return _wrong(404, asked, "Resource not found")
    lines = "\n".join(residues[at : at + 60] for at in range(0, len(residues), 60))
    header = f">sp|{name}|INV1_HUMAN Isoform Short of Invented kinase 1 OS=Homo sapiens OX=9606 GN=INV1"
    return Given(f"{header}\n{lines}\n", headers={**RELEASE, "Content-Type": "text/plain;format=fasta"})


def _wrong(status: int, asked: Asked, message: str) -> Given:
    return Given({"url": f"http://rest.uniprot.org{asked.path}", "messages": [message]}, status=status, headers=RELEASE)
