"""PubChem on the loopback: PUG REST and PUG View over a few compounds, with their faults, list keys and odd records."""

import re
from typing import Any
from urllib.parse import parse_qs, unquote

from source_server import Asked, Given

COMPOUNDS: dict[int, dict[str, Any]] = {
    2244: {
        "Title": "Aspirin",
        "MolecularFormula": "C9H8O4",
        "MolecularWeight": "180.16",
        "SMILES": "CC(=O)OC1=CC=CC=C1C(=O)O",
        "ConnectivitySMILES": "CC(=O)OC1=CC=CC=C1C(=O)O",
        "InChI": "InChI=1S/C9H8O4/c1-6(10)13-8-5-3-2-4-7(8)9(11)12/h2-5H,1H3,(H,11,12)",
        "InChIKey": "BSYNRYMUTXBXSQ-UHFFFAOYSA-N",
        "IUPACName": "2-acetyloxybenzoic acid",
        "XLogP": 1.2,
        "ExactMass": "180.04225873",
        "MonoisotopicMass": "180.04225873",
        "TPSA": 63.6,
        "Complexity": 212,
        "Charge": 0,
        "HBondDonorCount": 1,
        "HBondAcceptorCount": 4,
        "RotatableBondCount": 3,
        "HeavyAtomCount": 13,
        "IsotopeAtomCount": 0,
        "AtomStereoCount": 0,
        "DefinedAtomStereoCount": 0,
        "UndefinedAtomStereoCount": 0,
        "BondStereoCount": 0,
        "UndefinedBondStereoCount": 0,
        "CovalentUnitCount": 1,
    },
    23666729: {
        "Title": "Sodium 2-acetyloxybenzoate",
        "MolecularFormula": "C9H7NaO4",
        "MolecularWeight": "202.14",
        "SMILES": "CC(=O)OC1=CC=CC=C1C(=O)[O-].[Na+]",
        "InChIKey": "DZCQGCPPHXTEOC-UHFFFAOYSA-M",
        "Charge": 0,
        "CovalentUnitCount": 2,
        "IsotopeAtomCount": 0,
        "UndefinedAtomStereoCount": 0,
        "UndefinedBondStereoCount": 0,
    },
    900001: {
        "Title": "Invented labelled aspirin anion",
        "MolecularFormula": "C9H7O4-",
        "MolecularWeight": 182.2,
        "SMILES": "[13CH3]C(=O)OC1=CC=CC=C1C(=O)[O-]",
        "InChIKey": ["not a text"],
        "Charge": -1,
        "CovalentUnitCount": 1,
        "IsotopeAtomCount": 1,
        "UndefinedAtomStereoCount": 2,
        "UndefinedBondStereoCount": 1,
    },
}
NAMES = {
    "aspirin": [2244],
    "50-78-2": [2244],
    "o-acetyl salicylic acid, α+β": [2244],
    "acetyl/salicylic; acid": [2244],
    "salicylate": [2244, 23666729, 900001],
}
SYNONYMS = {2244: ["aspirin", "ACETYLSALICYLIC ACID", "50-78-2", *(f"Invented brand {n}" for n in range(300))]}
COLUMNS = [
    "AID", "Panel Member ID", "SID", "CID", "Activity Outcome", "Target Accession", "Target GeneID",
    "Activity Value [uM]", "Activity Name", "Assay Name", "Assay Type", "PubMed ID", "RNAi",
]  # fmt: skip
STRINGS = {"StringWithMarkup": [{"String": "4.6 mg/mL"}, {"String": "at 25 °C"}]}
VIEW = {
    "Record": {
        "RecordType": "CID",
        "RecordNumber": 2244,
        "RecordTitle": "Aspirin",
        "Section": [
            {
                "TOCHeading": "Chemical and Physical Properties",
                "Section": [
                    {
                        "TOCHeading": "Experimental Properties",
                        "Section": [
                            {
                                "TOCHeading": "Melting Point",
                                "Information": [
                                    {
                                        "ReferenceNumber": 7,
                                        "Value": {"StringWithMarkup": [{"String": "275 °F (NTP, 1992)"}]},
                                    },
                                    {
                                        "ReferenceNumber": 11,
                                        "Reference": ["An Invented Handbook, 3rd ed., p. 12"],
                                        "Value": {"Number": [135.5], "Unit": "°C"},
                                    },
                                    {"ReferenceNumber": 12, "Name": "Melting Point", "Value": {"Number": ["x", None]}},
                                ],
                            },
                            {
                                "TOCHeading": "Solubility",
                                "Information": [
                                    {
                                        "ReferenceNumber": 99,
                                        "Name": "Water",
                                        "Value": {
                                            "StringWithMarkup": [{"String": "4.6 mg/mL"}, {"String": "at 25 °C"}]
                                        },
                                    },
                                    "not an object",
                                    {"Value": {"ExternalTableName": "solubility"}},
                                ],
                            },
                        ],
                    }
                ],
            }
        ],
        "Reference": [
            {"ReferenceNumber": 7, "SourceName": "Invented Safety Data", "URL": "https://example.org/7"},
            {"ReferenceNumber": 11, "SourceName": "Invented Substances Bank"},
        ],
    }
}


def assay_row(aid: int, outcome: str, **known: Any) -> dict[str, Any]:
    cells = {"AID": str(aid), "SID": "1234", "CID": "2244", "Activity Outcome": outcome, **known}
    return {"Cell": [cells.get(column, "") for column in COLUMNS]}


ASSAYS = [
    assay_row(1001, "Active", **{
        "Target Accession": "P23219", "Target GeneID": 5742, "Activity Value [uM]": 1.67, "Activity Name": "IC50",
        "Assay Name": "Inhibition of invented COX-1", "Assay Type": "Confirmatory", "PubMed ID": "11111111",
    }),
    assay_row(1001, "Inactive", **{"Target Accession": "P23219", "Target GeneID": "5742"}),
    assay_row(1002, "Unspecified", **{"Target GeneID": "5743", "Assay Name": "Binding to invented COX-2"}),
    *(assay_row(2000 + n, "Inactive", **{"Assay Name": f"Invented screen {n}"}) for n in range(60)),
    {"Cell": ["3000", "too few"]},
    {"Cell": None},
    assay_row(0, ""),
]  # fmt: skip


class PubChem:
    """Answers as PubChem does. ``waits`` is how often a search by formula is still running when asked for."""

    def __init__(self, *, waits: int = 0) -> None:
        self.waits = waits

    def __call__(self, asked: Asked) -> Given:
        path = unquote(asked.path)
        if match := re.fullmatch(r"/pug_view/data/compound/(\d+)/JSON", path):
            known = match[1] == "2244" and asked.params.get("heading") == "Experimental Properties"
            return Given(VIEW) if known else fault(404, "PUGVIEW.NotFound", "No data found")
        if match := re.fullmatch(r"/pug/compound/cid/([\d,]+)/property/([A-Za-z,]+)/JSON", path):
            return _properties([int(cid) for cid in match[1].split(",")], match[2].split(","))
        if match := re.fullmatch(r"/pug/compound/cid/(\d+)/(synonyms|assaysummary|cids|dates)/JSON", path):
            return _of_one(int(match[1]), match[2])
        if match := re.fullmatch(r"/pug/compound/listkey/(\d+)/cids/JSON", path):
            return self._formula(match[1])
        if match := re.fullmatch(r"/pug/compound/fastformula/([A-Za-z0-9]+)/cids/JSON", path):
            return self._formula(match[1]) if asked.params.get("MaxRecords", "").isdigit() else fault(400, "x", "y")
        return _found(asked, path)

    def _formula(self, formula: str) -> Given:
        if self.waits:
            self.waits -= 1
            return Given({"Waiting": {"ListKey": "4711", "Message": "Your request is running"}}, status=202)
        wanted = "C9H8O4" if formula == "4711" else formula
        return cids([cid for cid, known in COMPOUNDS.items() if known["MolecularFormula"] == wanted])


def _found(asked: Asked, path: str) -> Given:
    """Compounds by name, SMILES, InChI or InChIKey, in the path, as a parameter or in a form."""
    match = re.fullmatch(r"/pug/compound/(name|smiles|inchi|inchikey)(?:/(.*))?/cids/JSON", path)
    if match is None:
        return fault(400, "PUGREST.BadRequest", "Unable to parse the URL")
    kind, value = match[1], match[2]
    if value is None and asked.method == "POST":
        assert asked.headers["content-type"] == "application/x-www-form-urlencoded"
        value = parse_qs(asked.body.decode()).get(kind, [""])[0]
    value = value if value is not None else asked.params.get(kind, "")
    if kind == "name":
        if asked.params.get("name_type") == "word":
            return cids([cid for name, found in NAMES.items() if value.lower() in name for cid in found])
        return cids(NAMES.get(value.lower(), []))
    if kind == "smiles" and value.startswith("X"):
        return fault(400, "PUGREST.BadRequest", "Unable to standardize the given structure", "SMILES: syntax error")
    column = {"smiles": "SMILES", "inchi": "InChI", "inchikey": "InChIKey"}[kind]
    found = [cid for cid, known in COMPOUNDS.items() if known.get(column) == value]
    return cids(found or ([0] if kind == "smiles" else []))


def _properties(wanted: list[int], names: list[str]) -> Given:
    rows = [{"CID": cid, **{name: COMPOUNDS[cid][name] for name in names if name in COMPOUNDS[cid]}}
            for cid in wanted if cid in COMPOUNDS]  # fmt: skip
    rows += [{"CID": cid} for cid in wanted if cid not in COMPOUNDS and cid > 900001 and len(wanted) > 1]
    return Given({"PropertyTable": {"Properties": rows}}) if rows else fault(404, "PUGREST.NotFound", "No CID found")


def _of_one(cid: int, what: str) -> Given:
    if what == "cids":
        return cids([cid])
    if what == "dates" and cid == 2244:
        day = {"Year": 2004, "Month": 9, "Day": 16}
        return Given({"InformationList": {"Information": [{"CID": cid, "CreationDate": day}]}})
    if what == "synonyms" and cid in COMPOUNDS:
        known = {"CID": cid, "Synonym": SYNONYMS[cid]} if cid in SYNONYMS else {"CID": cid}
        return Given({"InformationList": {"Information": [known]}})
    if what == "assaysummary" and cid == 2244:
        return Given({"Table": {"Columns": {"Column": COLUMNS}, "Row": ASSAYS}})
    return fault(404, "PUGREST.NotFound", "No CID found", "No CID found that matches the given input")


def cids(found: list[int]) -> Given:
    """A list of identifiers, or PubChem's fault where there is none."""
    return Given({"IdentifierList": {"CID": found}}) if found else fault(404, "PUGREST.NotFound", "No CID found")


def fault(status: int, code: str, message: str, *details: str) -> Given:
    """One of PubChem's faults."""
    said = {"Code": code, "Message": message} | ({"Details": list(details)} if details else {})
    return Given({"Fault": said}, status=status)
