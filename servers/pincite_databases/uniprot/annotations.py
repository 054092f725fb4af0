"""Annotations of an entry: its comments, each kind of its own shape, as texts with evidence."""

from collections.abc import Callable, Iterator
from typing import NotRequired

from typing_extensions import TypedDict

from pincite_databases.fields import Record, record, records, text, texts
from pincite_databases.uniprot.evidence import evidence

Stated = tuple[str, list[str]]
"""A text and its evidence."""


class Annotation(TypedDict):
    """What UniProt states on a topic; ``molecule`` where it holds for one isoform, chain or peptide only."""

    topic: str
    text: str
    evidence: list[str]
    molecule: NotRequired[str]
    cut: NotRequired[str]


def annotations(entry: Record) -> list[Annotation]:
    """The comments of an entry in its order; a kind that is not known here gives its texts and notes."""
    found: list[Annotation] = []
    for comment in records(entry, "comments"):
        topic = text(comment, "commentType")
        for shown, resting in _STATED.get(topic, _texts)(comment):
            if not topic or not shown:
                continue
            made = Annotation(topic=topic, text=shown, evidence=resting)
            if molecule := text(comment, "molecule"):
                made["molecule"] = molecule
            found.append(made)
    return found


def _texts(comment: Record) -> Iterator[Stated]:
    for holder in (comment, record(comment, "note")):
        for item in records(holder, "texts"):
            yield text(item, "value"), evidence(item)


def _location(comment: Record) -> Iterator[Stated]:
    for item in records(comment, "subcellularLocations"):
        parts = [record(item, name) for name in ("location", "topology", "orientation")]
        resting = list(dict.fromkeys(line for part in parts for line in evidence(part)))
        yield "; ".join(shown for part in parts if (shown := text(part, "value"))), resting
    yield from _texts(comment)


def _disease(comment: Record) -> Iterator[Stated]:
    disease = record(comment, "disease")
    if name := text(disease, "diseaseId"):
        reference = record(disease, "diseaseCrossReference")
        codes = [text(disease, "acronym"), ":".join(filter(None, texts_of(reference, "database", "id")))]
        shown = f"{name} ({', '.join(filter(None, codes))})" if any(codes) else name
        yield ": ".join(filter(None, [shown, text(disease, "description")])), evidence(disease)
    yield from _texts(comment)


def _isoforms(comment: Record) -> Iterator[Stated]:
    for isoform in records(comment, "isoforms"):
        names = [text(isoform, "name", "value"), *(text(other, "value") for other in records(isoform, "synonyms"))]
        how = text(isoform, "isoformSequenceStatus").lower()
        differing = ", ".join(texts(isoform, "sequenceIds"))
        state = {"displayed": "the sequence shown in the entry", "external": "its sequence is in another entry"}
        shown = f"{', '.join(texts(isoform, 'isoformIds'))}: {' / '.join(filter(None, names))}"
        yield "; ".join(filter(None, [shown, state.get(how, how), differing])), evidence(record(isoform, "name"))
        yield from _texts(isoform)
    yield from _texts(comment)


def _reaction(comment: Record) -> Iterator[Stated]:
    reaction = record(comment, "reaction")
    number = text(reaction, "ecNumber")
    yield "; ".join(filter(None, [text(reaction, "name"), f"EC {number}" if number else ""])), evidence(reaction)
    for direction in records(comment, "physiologicalReactions"):
        kind = text(direction, "directionType")
        yield f"physiological direction: {kind}" if kind else "", evidence(direction)


def _cofactor(comment: Record) -> Iterator[Stated]:
    for cofactor in records(comment, "cofactors"):
        reference = text(cofactor, "cofactorCrossReference", "id")
        name = text(cofactor, "name")
        yield f"{name} ({reference})" if name and reference else name, evidence(cofactor)
    yield from _texts(comment)


def _kinetics(comment: Record) -> Iterator[Stated]:
    """Constants and optima; a constant stands with its unit and what it was measured for."""
    kinetic = record(comment, "kineticParameters")
    for item in records(kinetic, "michaelisConstants"):
        yield _constant("KM", item, "constant", "substrate"), evidence(item)
    for item in records(kinetic, "maximumVelocities"):
        yield _constant("Vmax", item, "velocity", "enzyme"), evidence(item)
    yield from _texts(kinetic)
    for name in ("phDependence", "temperatureDependence", "redoxPotential"):
        yield from _texts(record(comment, name))
    absorption = record(comment, "absorption")
    if peak := text(absorption, "max"):
        about = "about " if absorption.get("approximate") is True else ""
        yield f"absorption maximum at {about}{peak} nm", evidence(absorption)
    yield from _texts(absorption)


def _constant(symbol: str, item: Record, value: str, of: str) -> str:
    number, unit, what = texts_of(item, value, "unit", of)
    if not number or not unit:
        return ""
    return f"{symbol} = {number} {unit}" + (f" for {what}" if what else "")


def _interactions(comment: Record) -> Iterator[Stated]:
    for item in records(comment, "interactions"):
        partner = record(item, "interactantTwo")
        accession, gene = texts_of(partner, "uniProtKBAccession", "geneName")
        other = ", of another organism" if item.get("organismDiffer") is True else ""
        count = text(item, "numberOfExperiments")
        if accession:
            shown = f"with {' '.join(filter(None, [accession, gene]))}{other}; experiments: {count or '?'}"
            yield shown, [f"IntAct:{own}" for own in texts_of(partner, "intActId") if own]


def _caution(comment: Record) -> Iterator[Stated]:
    kind, sequence, note = texts_of(comment, "sequenceCautionType", "sequence", "note")
    yield ": ".join(filter(None, [f"{kind} ({sequence})" if sequence else kind, note])), evidence(comment)


def _mass(comment: Record) -> Iterator[Stated]:
    mass, error, method, note = texts_of(comment, "molWeight", "molWeightError", "method", "note")
    if mass:
        shown = f"measured mass {mass}{f' ± {error}' if error else ''} Da" + (f" by {method}" if method else "")
        yield "; ".join(filter(None, [shown, note])), evidence(comment)


def texts_of(holder: Record, *names: str) -> list[str]:
    """The texts of several fields, empty where there is none."""
    return [text(holder, name) for name in names]


_STATED: dict[str, Callable[[Record], Iterator[Stated]]] = {
    "SUBCELLULAR LOCATION": _location,
    "DISEASE": _disease,
    "ALTERNATIVE PRODUCTS": _isoforms,
    "CATALYTIC ACTIVITY": _reaction,
    "COFACTOR": _cofactor,
    "BIOPHYSICOCHEMICAL PROPERTIES": _kinetics,
    "INTERACTION": _interactions,
    "SEQUENCE CAUTION": _caution,
    "MASS SPECTROMETRY": _mass,
}
