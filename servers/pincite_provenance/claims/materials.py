"""Materials named in a text: formulas, doped hosts, and the short names and labels that the paper gives them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pincite_materials import identity
from pincite_materials.elements import ELEMENTS
from pincite_materials.formulas import material_name, parse_formula
from pincite_materials.material_names import FAMILY_NAMES, SHORT_NAMES
from pincite_materials.values import spell
from pincite_papers.model import Paper
from pincite_papers.passages import PerPaper

_RUN = re.compile(r"(?<![A-Za-z0-9])[(\[]?(?:\d[HTR]-)?[(\[]*[A-Z][A-Za-z0-9()\[\],.+δ·-]*")
_PIECE = re.compile(
    r"(?:\d[HTR]-)?(?:[(\[]*[A-Z][a-z]?(?:\d+(?:\.\d+)?)?(?:(?<=[\dA-Za-z])[+-]?[xyzδ](?![a-z]))?[)\],]*(?:\d+(?:\.\d+)?)?"
    r"(?:(?<=\d)[+-][xyzδ](?![a-z]))?)+"
)
_SYMBOL = re.compile(r"[A-Z][a-z]?")
_DOPANT = re.compile(r"(?:\d+(?:\.\d+)?\s*(?:at|mol|wt)?\.?\s*%\s*)?[A-Z][a-z]?-(?:doped|substituted|intercalated)\s+$")
_ROLE_BEHIND = re.compile(
    r"[\s-]+(?:flux|crucibles?|substrates?|buffer|electrodes?|contacts?|atmosphere|gas|target|powders?|structure"
    r"|structure[- ]type|prototype|type)\b"
)
_SHORT_BEHIND = re.compile(
    r"\s*\(\s*(?:hereafter|henceforth|denoted(?:\s+(?:as|by))?|abbreviated(?:\s+(?:as|to))?|called|labell?ed|or"
    r"|sample|=)?\s*:?\s*"
    r"(?P<name>[A-Za-z][\w.-]{0,15})\s*\)"
    r"|,?\s*(?:\(?hereafter|henceforth|denoted|abbreviated|called|labell?ed|referred to)"
    r"(?:\s+(?:as|by|to))*\s+(?:sample\s+)?(?P<called>[A-Z][\w.-]{0,15})"
)
_SHORT_BEFORE = re.compile(r"(?P<name>\b(?:[Ss]ample\s+)?[A-Za-z][\w-]{0,15})\s*(?:\(|:\s|=\s)\s*$")
_PARAMETER = re.compile(r"(?<![A-Za-z])(?P<name>[xyzδ])\s*=\s*(?P<value>\d*\.\d+|\d+)")
_PLACEHOLDERS = frozenset({"RE", "Ln", "R", "X", "Z"})
"""Any rare earth, and unknowns that old lists print as capitals (``O4-Y``, ``OZ``)."""

_ACRONYM = re.compile(r"[A-Z]+$")


@dataclass(frozen=True, slots=True)
class Mention:
    """A material named at ``[start:end]`` of a text, and what else it is called in the paper."""

    start: int
    end: int
    name: str
    role: str = ""
    """"aside" for what is a substrate, a flux, an electrode or the like."""


@dataclass(frozen=True, slots=True)
class Names:
    """The short names and labels of a paper: what each stands for, by its normal form."""

    formulas: Mapping[str, str] = field(default_factory=dict[str, str])
    families: tuple[str, ...] = ()
    """Formulas with an unknown (``YBa2Cu3O7-δ``), which ``δ = 0.05`` in a text makes one material."""

    def meaning(self, name: str) -> str:
        """The formula that ``name`` is short for in the paper, else ``name``."""
        return self.formulas.get(material_name(name), name)


def _names(paper: Paper) -> Names:
    text = spell(paper.text)
    formulas: dict[str, str] = {}
    families: dict[str, None] = {}
    for mention in find_formulas(text):
        formula = parse_formula(mention.name)
        if formula is not None and re.search(r"[+-]?[xyzδ]", mention.name):
            families[mention.name] = None
        for short in _short_names(text, mention):
            is_name = material_name(short) in SHORT_NAMES or not comparable(short)
            if is_name and any(c.isupper() or c.isdigit() for c in short):
                formulas.setdefault(material_name(short), mention.name)
    return Names(formulas, tuple(families))


names_of = PerPaper(_names)
"""What the paper's short names and labels stand for."""


def _short_names(text: str, mention: Mention) -> Iterator[str]:
    behind = _SHORT_BEHIND.match(text, mention.end)
    if behind is not None:
        yield behind["name"] or behind["called"]
    before = _SHORT_BEFORE.search(text, max(mention.start - 30, 0), mention.start)
    if before is not None and (before[0].rstrip()[-1] != "(" or text[mention.end : mention.end + 1] == ")"):
        yield before["name"]


def find_formulas(text: str) -> list[Mention]:
    """The formulas of a spelled text that cannot be words: two elements at least, not an acronym, ``NaCl``, ``WS2``."""
    found: list[Mention] = []
    for run in _RUN.finditer(text):
        for piece in _PIECE.finditer(text, run.start(), run.end()):
            name = _trimmed(piece[0])
            joined = piece.start() > 0 and text[piece.start() - 1].isalnum()
            behind = text[piece.start() + len(name) : piece.start() + len(name) + 1]
            if joined or behind.isalnum() or not _is_formula(name):
                continue
            start = piece.start()
            dopant = _DOPANT.search(text, max(start - 30, 0), start)
            low = dopant.start() if dopant else start
            end = start + len(name)
            aside = _ROLE_BEHIND.match(text, end) or re.search(r"\b(?:on|onto)\s+$", text[max(low - 6, 0) : low])
            found.append(Mention(low, end, text[low:end], "aside" if aside else ""))
    return found


def _trimmed(name: str) -> str:
    name = name.rstrip(",.+-")
    while name.endswith((")", "]")) and name.count(")") + name.count("]") > name.count("(") + name.count("["):
        name = name[:-1].rstrip(",.+-")
    return name


def _is_formula(name: str) -> bool:
    symbols = [s if s in ELEMENTS or s[-1] not in "xyz" else s[0] for s in _SYMBOL.findall(name)]
    if name in FAMILY_NAMES or not all(symbol in ELEMENTS or symbol in _PLACEHOLDERS for symbol in symbols):
        return name.lower() in SHORT_NAMES
    digits = any(character.isdigit() for character in name)
    if len(set(symbols)) < 2 or (_ACRONYM.match(name.strip("()[]")) and not digits and name.lower() not in SHORT_NAMES):
        return False
    return parse_formula(name) is not None


def find_materials(text: str, names: Names, wanted: str) -> list[Mention]:
    """The materials that a spelled text names: formulas, the paper's short names, and ``wanted`` itself."""
    found = {(m.start, m.end): m for m in find_formulas(text)}
    for short in (*names.formulas, *SHORT_NAMES, material_name(wanted)):
        if len(short) >= 2 or short in names.formulas:
            for start, end in _places(text, short):
                found.setdefault((start, end), Mention(start, end, text[start:end]))
    whole = sorted(found.values(), key=lambda m: (m.start, -m.end))
    outer: list[Mention] = []
    for mention in whole:
        if not outer or mention.start >= outer[-1].end:
            outer.append(mention)
    return outer


def _places(text: str, short: str) -> Iterator[tuple[int, int]]:
    """Where a name in normal form stands in ``text`` as whole words; one or two letters must stand in their case."""
    pattern = r"[\s\-(){}\[\],.$^_]{0,2}".join(re.escape(character) for character in short)
    for match in re.finditer(rf"(?<![A-Za-z0-9])(?:{pattern})(?![A-Za-z0-9]|[.,]\d)", text, re.IGNORECASE):
        if len(short) > 3 or match[0][:1].isupper():
            yield match.span()


def same_material(a: str, b: str, names: Names) -> bool:
    """Whether two names mean one material in this paper."""
    return material_name(a) == material_name(b) or identity.same_material(names.meaning(a), names.meaning(b))


def with_parameters(name: str, text: str) -> str:
    """``name`` with the values that ``text`` gives its unknowns: ``La2-xSrxCuO4`` and ``x = 0.15``."""
    values = {match["name"]: match["value"] for match in _PARAMETER.finditer(text) if match["name"] in name}
    return name + "".join(f" ({key} = {value})" for key, value in values.items()) if values else name


def comparable(name: str) -> bool:
    """Whether a name is a formula of a compound, so that another such name means another material."""
    formula = parse_formula(name)
    if formula is None or any(symbol in _PLACEHOLDERS for symbol in _SYMBOL.findall(name)):
        return False
    return len(formula.amounts) > 1


def others(mentions: Iterable[Mention], wanted: str, names: Names) -> list[str]:
    """The names of materials among ``mentions`` that are neither ``wanted`` nor a part of its name, nor asides."""
    inside = [m.name for m in find_formulas(wanted)]
    found = (m.name for m in mentions if not m.role and not same_material(m.name, wanted, names))
    return list(dict.fromkeys(n for n in found if not any(same_material(n, part, names) for part in inside)))
