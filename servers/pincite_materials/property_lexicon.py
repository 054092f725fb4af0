"""What property names mean the same quantity: data/property_names.txt has one line a concept, its names behind it.

Names are written in normal form (see property_names.normal_form): lower case, no punctuation, Greek letters spelled,
plurals cut. A name may stand in several lines; it then means any of them (``tc``: superconducting or Curie).
"""

from importlib import resources

STOP_WORDS = frozenset({
    "of", "the", "a", "an", "at", "in", "for", "to", "from", "with", "per", "by", "its", "under", "on", "as",
    "against", "and", "this",
})  # fmt: skip
"""Words without weight: dropped on both sides."""


def _table() -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    lines = resources.files("pincite_materials").joinpath("data/property_names.txt").read_text("utf-8")
    for line in lines.strip().splitlines():
        concept, _, names = line.partition(": ")
        for name in names.split("|"):
            key = " ".join(word for word in name.split() if word not in STOP_WORDS)
            table[key] = table.get(key, frozenset()) | {concept}
    return table


SYNONYMS: dict[str, frozenset[str]] = _table()
"""Concepts by name in normal form without stop words."""

KINDS: dict[str, str] = {
    "space_group": "space_group",
    "crystal_system": "crystal_system",
    "formula": "formula",
    "point_group": "category",
    "structure_type": "category",
    "type": "category",
}
"""How a concept's value is compared; a concept that is not here is compared as its value reads."""

CONTRASTS: tuple[tuple[frozenset[str], ...], ...] = tuple(
    tuple(frozenset(side.split("|")) for side in line.split("/"))
    for line in """
    onset|r 100/midpoint|mid point|mid|50 midpoint/zero resistance|zero resistivity|r 0|offset|tc zero|tc0|tczero
    two contact|two probe|two terminal|2 probe|2 terminal/four contact|four probe|four terminal|4 probe|4 terminal
    zero field cooled|zfc/field cooled|fc
    heating|warming/cooling
    tension|tensile/compression|compressive
    indirect/direct
    static/dynamic
    in plane/out of plane
    longitudinal/transverse
    loading|charge/unloading|discharge
    poled/unpoled
    electron doped/hole doped
    """.strip().splitlines()
    for line in [line.strip()]
)
"""Words that name different measurements of one quantity. Silence on one side is not a contradiction."""
