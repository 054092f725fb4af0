"""The parts of a property's printed name: the quantity, what it is of, and the conditions and methods around it."""

import re
from dataclasses import dataclass
from functools import lru_cache

from pincite_materials.text import plain

_NUMBER = r"[-+]?\d[\d.,]*(?:\s*[×x]\s*10\s*\^?[-+]?\d+)?"
_UNIT = r"(?:°\s?[CF]|[mkMG]?Pa|k?bar|atm|[mμk]?K|[mμ]?T|k?Oe|G|[kMGT]?Hz|[nμm]m|kelvin|tesla|h|days?)(?![A-Za-z])"
_QUANTITY = rf"(?:[<>~≈]\s*)?{_NUMBER}\s*{_UNIT}"
_NAMED_QUANTITY = rf"(?:[A-Za-zμω][\w{{}}μ]{{0,4}}\s*(?:=|≈|~)\s*)?{_QUANTITY}"
_STATE = (
    r"(?:room|ambient|low|high|zero|elevated|cryogenic|atmospheric|normal|absolute zero|self|applied)"
    r"[\s-]+(?:temperatures?|pressures?|(?:magnetic\s+)?fields?)(?![\s-]*(?:cooled|cooling|warmed))"
)
_AXIS = r"(?:\[\d+\]|(?:ab|a|b|c)(?![A-Za-z]))(?:[\s-]*(?:axis|plane|direction))?"
_ALONG = r"(?:∥|⊥|\|\||//|along|parallel to|perpendicular to|normal to|in|within)"
_CONDITIONS = (
    re.compile(rf"\b(?:between|from)\s+{_NUMBER}(?:\s*{_UNIT})?\s*(?:and|to|-)\s*{_QUANTITY}"),
    re.compile(
        rf"(?:\b(?:at|in|under|near|and|for|with)\s+|[,;@(]\s*){_NAMED_QUANTITY}(?:\s*(?:,|and)\s*{_NAMED_QUANTITY})*"
    ),
    re.compile(rf"(?<![\w-])[A-Za-zμω][\w{{}}μ]{{0,4}}\s*=\s*{_QUANTITY}"),
    re.compile(rf"^{_QUANTITY}\s+"),
    re.compile(rf"\b(?:(?:at|in|under)\s+(?:a\s+|an\s+)?)?{_STATE}", re.IGNORECASE),
    re.compile(r"\bunder\s+pressure\b|\bat\s+rt\b|\brt\s+", re.IGNORECASE),
    re.compile(
        rf"\b(?:for|with)\s+(?:the\s+)?(?:[HBIJE]|field|current)\s*{_ALONG}\s*(?:the\s+)?{_AXIS}", re.IGNORECASE
    ),
    re.compile(rf"(?<![\w])[HBIJE]\s*(?:∥|⊥|\|\||//)\s*{_AXIS}"),
    re.compile(
        rf"\b(?:for|with)?\s*(?:∥|⊥|\|\||//|along|parallel to|perpendicular to)\s*(?:the\s+)?{_AXIS}", re.IGNORECASE
    ),
    re.compile(r"\b(?:on|upon|during)\s+(?:heating|cooling|warming|loading|unloading)\b", re.IGNORECASE),
    re.compile(r"\bafter\b.*$", re.IGNORECASE),
)
_METHOD = re.compile(
    r"[,;]?\s*\b(?:(?:as\s+)?(?:measured|obtained|determined|derived|estimated|calculated|computed|extracted)\s+)?"
    r"(?:from|by|via|using|according to)\b.*$",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_OF = re.compile(
    r"\s+(?:of|for|against|vs\.?|versus|due to|associated with|with|to)\s+(?:the\s+|a\s+|an\s+)?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Parts:
    """``quantity`` is the name without what follows; ``of`` what it is told of; ``asides`` what parentheses hold."""

    quantity: str
    of: str = ""
    asides: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    method: str = ""

    @property
    def bare(self) -> str:
        """The quantity with what it is of."""
        return f"{self.quantity} of {self.of}" if self.of else self.quantity


@lru_cache(maxsize=8192)
def take_apart(text: str) -> Parts:
    """The parts of a name: ``Jc of the film at T = 77 K (SQUID)`` is Jc, of the film, at 77 K, aside SQUID."""
    text = re.sub(r"\s+", " ", plain(text)).strip()
    asides = tuple(match[1].strip() for match in _ASIDE.finditer(text) if match[1].strip())
    text, conditions = _without_conditions(_ASIDE.sub(" ", text))
    inside: list[str] = []
    for aside in asides:
        rest, more = _without_conditions(f"({aside}")
        conditions += more
        if rest.strip(" (,;"):
            inside.append(rest.strip(" (,;"))
    method = _METHOD.search(text)
    by = ""
    if method is not None and method.start() > 0:
        text, by = text[: method.start()], method[0]
    head, of = text, ""
    parting = _OF.search(text)
    if parting is not None and parting.start() > 0:
        head, of = text[: parting.start()], text[parting.end() :]
    return Parts(_tidy(head), _tidy(of), tuple(inside), tuple(conditions), _tidy(by))


def _without_conditions(text: str) -> tuple[str, list[str]]:
    """The text without the phrases that tell under what a value was taken, and those phrases."""
    found: list[str] = []
    for pattern in _CONDITIONS:
        found += [match[0].strip(" ,;(") for match in pattern.finditer(text)]
        text = pattern.sub(" ", text)
    return text, found


def _tidy(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" ,;:-")
