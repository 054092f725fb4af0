"""Categories that are one, and near ones that are not; each row was decided by hand."""

from pincite_materials.categories import same_category, space_group_told

SAME = [
    ("fcc", "face-centred cubic"),
    ("FCC (single-phase)", "face-centred cubic"),
    ("f.c.c.", "face-centred cubic"),
    ("face-centered cubic (fcc)", "face-centred cubic"),
    ("single-phase fcc", "face-centred cubic"),
    ("hexagonal close packed", "hcp"),
    ("NiAs-type", "NiAs"),
    ("NiAs (hexagonal)", "NiAs"),
    ("NiAs structure type", "NiAs"),
    ("type-II", "Type II"),
    ("Randomised", "randomized"),
]
APART = [
    ("bcc", "face-centred cubic"),
    ("face-centred cubic (hcp)", "face-centred cubic"),
    ("face-centred cubic (tetragonal)", "face-centred cubic"),
    ("NiAs (not observed)", "NiAs"),
    ("Ni2In-type", "NiAs"),
    ("type I", "type II"),
    ("ferromagnetic", "antiferromagnetic"),
    ("structure", "NiAs"),
]
GROUPS = [
    ("Pnma (orthorhombic)", 62),
    ("orthorhombic Pnma", 62),
    ("Pnma space group", 62),
    ("cubic, Ia-3d", 230),
    ("Pnma (tetragonal)", None),
    ("Cmcm (Pnma)", None),
    ("orthorhombic", None),
]


def test_categories_are_compared_by_what_they_say() -> None:
    assert [pair for pair in SAME if not (same_category(*pair) and same_category(*reversed(pair)))] == []
    assert [pair for pair in APART if same_category(*pair) or same_category(*reversed(pair))] == []


def test_a_space_group_beside_its_crystal_system() -> None:
    assert [(text, space_group_told(text)) for text, number in GROUPS if space_group_told(text) != number] == []
