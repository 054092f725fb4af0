"""Evidence of UniProt: codes of the Evidence and Conclusion Ontology with what they rest on."""

from pincite_databases.fields import Record, records, text

_MEANINGS = {
    "ECO:0000269": "experiment",
    "ECO:0000314": "experiment (direct assay)",
    "ECO:0000315": "experiment (mutant phenotype)",
    "ECO:0000316": "experiment (genetic interaction)",
    "ECO:0000353": "experiment (physical interaction)",
    "ECO:0000303": "author statement, no experiment cited",
    "ECO:0000305": "curator inference",
    "ECO:0000250": "similarity to another protein",
    "ECO:0000255": "prediction by a sequence model, curated",
    "ECO:0000256": "prediction by a sequence model, automatic",
    "ECO:0000259": "prediction by signatures, automatic",
    "ECO:0000312": "imported, curated",
    "ECO:0000313": "imported, automatic",
    "ECO:0007744": "experiment and other data combined, curated",
    "ECO:0007829": "experiment and other data combined, automatic",
}
"""Codes that UniProt uses (https://www.uniprot.org/help/evidences) in few words."""

_MOST_SHOWN = 12
"""Sources of one statement that are shown; of the rest the number is said."""


def evidence(holder: Record) -> list[str]:
    """The evidences of a value: "experiment (ECO:0000269) PubMed:16689934"; those of one kind in one line."""
    by_code: dict[str, list[str]] = {}
    for item in records(holder, "evidences"):
        code = text(item, "evidenceCode")
        source, own = text(item, "source"), text(item, "id")
        if code:
            by_code.setdefault(code, []).append(f"{source}:{own}" if source and own else source or own)
    return [_line(code, [rests for rests in resting if rests]) for code, resting in by_code.items()]


def _line(code: str, rests: list[str]) -> str:
    shown = list(dict.fromkeys(rests))
    more = [f"and {len(shown) - _MOST_SHOWN} more"] if len(shown) > _MOST_SHOWN else []
    meaning = f"{_MEANINGS[code]} ({code})" if code in _MEANINGS else code
    return " ".join([meaning, ", ".join([*shown[:_MOST_SHOWN], *more])]).strip()
