"""Properties named in a text: the names of the lexicon, symbols, and the words of an unknown name."""

import re
from dataclasses import dataclass
from functools import lru_cache

from pincite_materials.property_lexicon import STOP_WORDS, SYNONYMS
from pincite_materials.property_names import normal_form, read_name
from pincite_materials.units import parse_unit
from pincite_provenance.claims.terms import Terms
from pincite_provenance.claims.words import read_words

_WORD = re.compile(r"[^\s()\[\],;:=<>≤≥~±/]+")
_LONGEST = 7
_SHORT = 2
_GENERAL = {
    "conductivity": frozenset({"ionic", "ionic_total", "ionic_bulk", "electronic"}),
    "mobility": frozenset({"hall_mobility", "fet_mobility"}),
    "gap": frozenset({"gap_direct", "gap_indirect", "gap_optical", "gap_qp", "gap_ks"}),
    "kappa": frozenset({"kappa_lattice", "kappa_electronic"}),
    "carriers": frozenset({"holes", "electrons"}),
    "resistivity": frozenset({"resistivity0"}),
    "density": frozenset({"relative_density", "xray_density"}),
}
"""General names under which special quantities are printed."""


@dataclass(frozen=True, slots=True)
class PropertyMention:
    """A property named at ``[start:end]`` of a text, and the concepts that its name may mean."""

    start: int
    end: int
    name: str
    concepts: frozenset[str]


@lru_cache(maxsize=64)
def find_properties(text: str) -> tuple[PropertyMention, ...]:
    """The names of the lexicon in a text, the longest first where they overlap, in order."""
    text = text.replace("’", "'")
    words = [(m.start(), m.end(), normal_form(m[0])) for m in _WORD.finditer(text)]
    kept = [word for word in words if word[2] and (word[2] not in STOP_WORDS or _is_symbol(text, word[1]))]
    found: list[PropertyMention] = []
    index = 0
    while index < len(kept):
        for length in range(min(_LONGEST, len(kept) - index), 0, -1):
            run = kept[index : index + length]
            concepts = SYNONYMS.get(" ".join(word[2] for word in run if word[2] not in STOP_WORDS))
            start, end = run[0][0], run[-1][1]
            if concepts and _can_be(text, start, end, length) and not re.search(r"[;:=<>≤≥]", text[start:end]):
                found.append(PropertyMention(start, end, text[start:end], concepts))
                index += length - 1
                break
        index += 1
    return tuple(found)


def _can_be(text: str, start: int, end: int, length: int) -> bool:
    """A lone letter or two must be followed by what a symbol is followed by: ``a = 3.8``, ``T_c (K)``, ``T_c of``."""
    name = text[start:end]
    if length > 1 or len(normal_form(name)) > _SHORT or "_" in name or "^" in name:
        return True
    if name.lower() in {"a", "in", "s", "m", "k", "g", "v", "c", "h", "b", "p", "n", "as", "an"} and name.isascii():
        return _is_symbol(text, end)
    return True


def _is_symbol(text: str, end: int) -> bool:
    """Whether what follows makes a symbol of the letters that end here."""
    return re.match(r"\s*(?:[=~≈(/\t]|$)", text[end:]) is not None


@lru_cache(maxsize=1024)
def concepts_of(name: str) -> frozenset[str]:
    """The concepts that a claim's property may mean, by the whole name, else by the first known name in it."""
    name = name.replace("’", "'")
    whole = read_name(name).concepts
    if whole:
        return whole
    inside = find_properties(name)
    return inside[0].concepts if inside and inside[0].start == 0 else frozenset()


def name_parts(terms: Terms, *, is_material: bool) -> frozenset[str]:
    """The terms that the name itself is made of: the formula of a material, the property of the lexicon; all of them
    where they are nothing but the name (``bismuth selenide``, ``critical temperature``).
    """
    everything = frozenset(term.text for term in terms.terms)
    if is_material:
        given = {float(text) for text in re.findall(r"=\s*(\d+(?:\.\d+)?)", terms.text)}
        names = [term for term in terms.terms if term.entity or term.number in given or len(term.text) < _SHORT]
        return frozenset(term.text for term in names) or everything
    if read_name(terms.text).concepts and not any(term.number is not None for term in terms.terms):
        return everything
    inside = find_properties(terms.text)[:1]
    words = {w.text for m in inside if m.start == 0 for w in read_words(terms.text[: m.end])}
    return everything & words


@lru_cache(maxsize=1024)
def with_related(concepts: frozenset[str]) -> frozenset[str]:
    """``concepts`` and the general ones under which they may be printed: a bulk conductivity as σ."""
    return concepts | frozenset(general for general, special in _GENERAL.items() if concepts & special)


_UNITS = {
    "K": "tc tc_width curie neel debye weiss spin_reorientation tg tx tm tdec softening ts tcdw tot",
    "T": "hc1 hc2 hc hirr hcoerc hcj",
    "m": "coherence penetration lattice_a lattice_b lattice_c",
    "m^3": "volume",
    "degree": "beta_angle",
    "kg/m^3": "density xray_density",
    "eV": "gap gap_sc gap_direct gap_indirect gap_optical gap_qp gap_ks exciton pl ea",
    "A/m^2": "jc",
    "A": "ic",
    "J/mol.K2": "gamma cp_jump_tc",
    "ohm.m": "resistivity resistivity0",
    "S/m": "conductivity ionic ionic_total ionic_bulk electronic",
    "m^2/V.s": "hall_mobility mobility fet_mobility",
    "m^-3": "carriers holes electrons",
    "V/K": "seebeck",
    "W/m.K2": "power_factor",
    "W/m.K": "kappa kappa_lattice kappa_electronic",
    "1/K": "cte dndt",
    "Pa": "young shear bulk hv yield uts",
    "m/s": "vl vt",
    "Pa.m^0.5": "fracture",
    "J/m^2": "sfe",
    "C/N": "d33",
    "C/m^2": "pr ps",
    "V/m": "ec",
    "m^2/s": "d_self d_chem",
    "V": "voc vth",
    "W/m^2": "peak_power",
    "ohm.m^2": "asr",
    "1": "poisson rrr zt n tandelta permittivity kp qm tetragonality kappa_gl lambda_ep gap_ratio relative_density "
    "elongation meissner transmission onoff",
}
"""A unit in which values of a concept can be given; concepts that are given in several ways are left out."""

_UNIT_OF = {concept: unit for unit, concepts in _UNITS.items() for concept in concepts.split()}


_ENERGIES = ("eV", "J/mol", "K", "1/m", "1/s")
"""Units of one kind: energies per particle, per mole, as temperature, wave number and frequency."""


def is_given_in(concepts: frozenset[str], unit: str) -> bool:
    """Whether the table has the unit, or one of its kind, for all of these concepts."""
    return all(concept in _UNIT_OF for concept in concepts) and can_have(concepts, unit)


def can_have(concepts: frozenset[str], unit: str) -> bool:
    """Whether a value in ``unit`` can be one of these concepts: False only where the table has another kind for all."""
    if not concepts or any(concept not in _UNIT_OF for concept in concepts):
        return True
    dimensions = {reading.dimensions for reading in parse_unit(unit)}
    if not dimensions:
        return True
    units = {_UNIT_OF[concept] for concept in concepts}
    if "eV" in units:
        units.update(_ENERGIES)
    if "kg/m^3" in units:
        units.add("m^-3")
    return any(reading.dimensions in dimensions for each in units for reading in parse_unit(each))
