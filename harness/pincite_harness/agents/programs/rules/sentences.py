"""Records from running text and captions: quantities bound to the properties that their sentence names."""

import re
from collections.abc import Iterator
from typing import Any

from .context import Materials, conditions_of, method_of
from .lexicon import Mention, find_mentions, unit_class
from .quantities import Quantity, find_quantities
from .reading import Block
from .records import Record, make_record
from .symmetry import symmetry_records

_END = re.compile(
    r"(?<!\bFig)(?<!\bFigs)(?<!\bRef)(?<!\bEq)(?<!\bTable)(?<!\bet al)(?<!\bat)(?<!\ba\.c)[.?!](?:\s+)(?=[A-Z^\d(])"
)
_SKIPPED = re.compile(
    r"introduction|references|acknowledg|experiment|method|procedure|preparation|measurement", re.IGNORECASE
)
_OTHERS = re.compile(
    r"\[\d+(?:[,–-]\s?\d+)*\]|\b(?:would|might|could|should|if|literature|predicted|published|claimed|"
    r"extrapolated linearly)\b"
)
_CONDITION = re.compile(
    r"(?:\b(?:at|from|to|between|above|below|near|until|after|under|by|over|of|with|within)|"
    r"drain bias of|load of|field of) ?$"
)
_CONDITION_UNITS = ("temperature", "pressure", "field", "length", "voltage")
_NEGATIVE = re.compile(
    r"\b[Nn]o (?:trace of |sign of )?(superconductivity|crystallisation)\b[^.]*?\b(down to|above|up to) $"
)
_QUALIFIER = re.compile(r"\b(about|approximately|exceeds|at least|less than|more than|nearly|some) ?$")
_SIGNS = {"exceeds": ">", "more than": ">", "less than": "<", "down to": "<", "above": "<", "up to": ">"}
_ANYWHERE = ("caption", "figure")
_REACH = 260
"""Characters between a quantity and the name of its property in one sentence. Set by judgement."""
_DEFINITIONS = ("onset", "midpoint", "zero resistance", "two contacts", "four contacts")


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """(offset, sentence) of each sentence of a block; none crosses a line."""
    for line in re.finditer(r"[^\n]+", text):
        start = line.start()
        for match in _END.finditer(line[0]):
            yield start, text[start : line.start() + match.start() + 1]
            start = line.start() + match.end()
        yield start, text[start : line.end()]


def records_of_block(block: Block, materials: Materials) -> list[Record]:
    """The records of a paragraph, abstract, list, caption or of the text inside a figure."""
    if block.kind not in ("", "caption", "list", "abstract", "figure"):
        return []
    if block.kind not in _ANYWHERE and _SKIPPED.search(block.section):
        return []
    records: list[Record] = []
    last: str | None = None
    for _, sentence in sentences(block.text):
        if not _OTHERS.search(sentence):
            records += _of_sentence(sentence, block, materials, last)
        last = materials.near(sentence, len(sentence)) or last
    return records


def _of_sentence(sentence: str, block: Block, materials: Materials, last: str | None) -> list[Record]:
    mentions = find_mentions(sentence)
    place = _place(block, sentence)
    records = symmetry_records(sentence, materials, last, place)
    for quantity in find_quantities(sentence):
        before = sentence[: quantity.start]
        negative = _NEGATIVE.search(before)
        if negative is None and _is_condition(quantity, before, mentions):
            continue
        mention = _bind(quantity, mentions)
        if mention is None:
            continue
        qualifier = _QUALIFIER.search(before)
        sign = negative[2] if negative else qualifier[1] if qualifier else ""
        records.append(
            make_record(
                material=materials.near(sentence, quantity.end) or last or materials.main,
                name=_full_name(mention, sentence),
                category=mention.found.category,
                value=quantity.number,
                unit=quantity.unit,
                qualifier=_SIGNS.get(sign, sign),
                detail="not found within this bound" if negative else "",
                conditions=conditions_of(sentence, quantity.end),
                method=method_of(sentence),
                location=place,
            )
        )
    return records


def _place(block: Block, sentence: str) -> dict[str, Any]:
    label = re.match(r"(?:Fig\.|Figure|Table) ?\d+", block.text) if block.kind == "caption" else None
    return {
        "page": block.page,
        "section": block.section,
        "figure_or_table": label[0] if label else "",
        "source_type": block.kind if block.kind in _ANYWHERE else "text",
        "evidence": sentence.strip(),
    }


def _is_condition(quantity: Quantity, before: str, mentions: list[Mention]) -> bool:
    """Whether the quantity states a condition: a preposition before a unit of conditions ("at 300 K"), unless the words
    right before it name a property ("a Néel temperature of 5 K")."""
    if not any(unit_class(name).fullmatch(quantity.unit) for name in _CONDITION_UNITS):
        return False
    if re.search(r"(?:between|from) \S+ (?:and|to) $", before):
        return True
    if _CONDITION.search(before) is None:
        return False
    return not any(m.end <= quantity.start <= m.end + 9 and m.found.fits(quantity.unit) for m in mentions)


def _bind(quantity: Quantity, mentions: list[Mention]) -> Mention | None:
    """The nearest fitting property before the quantity, else the first one close behind it."""
    fitting = [mention for mention in mentions if mention.found.fits(quantity.unit)]
    before = [m for m in fitting if m.end <= quantity.start and quantity.start - m.end <= _REACH]
    if not quantity.unit:
        before = [m for m in before if quantity.start - m.end <= 60]
    if before:
        return max(before, key=lambda m: m.end)
    behind = [m for m in fitting if quantity.end <= m.start <= quantity.end + 40]
    return behind[0] if behind and quantity.unit else None


def _full_name(mention: Mention, sentence: str) -> str:
    """The property with the definition that its sentence states."""
    if mention.found.name not in (
        "superconducting transition temperature",
        "glass transition temperature",
        "field-effect mobility",
    ):
        return mention.found.name
    definition = next((word for word in _DEFINITIONS if word in sentence), None)
    return f"{mention.found.name} ({definition})" if definition else mention.found.name
