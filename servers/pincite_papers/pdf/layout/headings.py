"""Headings: blocks that name a section, told by style, numbering, the usual section names and the PDF's outline."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass

from pincite_papers.model import BlockKind
from pincite_papers.pdf.elements import Style
from pincite_papers.pdf.layout.blocks import Draft
from pincite_papers.pdf.layout.paragraphs import is_item
from pincite_papers.pdf.layout.sectionnames import is_abstract, is_lexical, is_ornamented, split_number
from pincite_papers.pdf.scriptcodes import LAST_SPACED

_LONGEST = 220
"""Characters of a heading or an address; a longer block is a paragraph. Set by judgement."""
_NEXT_LINE = 1.35
"""Type sizes from one line of a heading to its next at most; from one heading to another there is more."""
_OPEN_WORDS = frozenset(
    ("a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with")
)
"""Words that end no title."""
_MOSTLY = 0.6
"""Share of the words of a slanted heading that are slanted at least: names of genes and species may stand upright."""
_LONGEST_STOPPED = 160
"""Characters of a heading that ends with a full stop; longer ones are sentences in a face of their own."""
_MOST_LINES = 4
"""Lines of a heading or an address; a block of more is a paragraph. Set by judgement."""
_FRONT_PAGES = 3
"""Pages: the abstract stands on one of so many, and so does the heading of the introduction behind it. Set by
judgement."""
_WEAK = frozenset(("style", "font", "roman", "stopped", "decimal"))
_NOT_OF_WORDS = re.compile(r"[\W_]+")
_WORDLIKE = re.compile(r"^[(]?[^\W\d_][\w’'/-]*[),]?$")
_DECIMAL = re.compile(r"^\d{1,2}(?:\.\d{1,2}){1,4}$")
_SENTENCE_WITHIN = re.compile(r"[a-z)]{2}[.?]\s+[A-Z]")
_ROMAN = re.compile(r"^[IVX]{1,5}$")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10}
_TOLD = frozenset((BlockKind.PARAGRAPH, BlockKind.ABSTRACT, BlockKind.LIST))
_INTRODUCTION = re.compile(r"^introduction\b", re.IGNORECASE)
_NUMBERED = frozenset(("decimal", "stopped"))
_LETTERED = re.compile(r"^[A-Z](?:\.\d{1,2})+$")
INSTITUTION = re.compile(
    r"\b(?:Universit\w+|Departe?ment|Institut\w*|College|Cent(?:re|er)|School|Laborator\w+|Hospital|Faculty|Academy|"
    r"Hochschule|Museum)\b"
)
"""Words that name the institution of an author."""


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """An entry of the PDF's outline: level from 1, title."""

    level: int
    title: str


def mark_headings(drafts: list[Draft], body: Style, outline: list[OutlineEntry]) -> None:
    """Turn the paragraphs that are headings into HEADING drafts."""
    named = outline_levels(outline)
    votes: defaultdict[tuple[object, ...], Counter[str]] = defaultdict(Counter)
    candidates: list[tuple[Draft, str]] = []
    for place, draft in enumerate(drafts):
        if _is_address(draft) or (_is_name(draft) and place + 1 < len(drafts) and _is_address(drafts[place + 1])):
            if draft.kind is BlockKind.PARAGRAPH and draft.page and _distinct(draft, body):
                draft.kind = BlockKind.AUTHORS
            continue
        if draft.kind in {BlockKind.PARAGRAPH, BlockKind.LIST} and _shaped(draft) and not _listed(drafts, place, body):
            following = next((d for d in drafts[place + 1 : place + 4] if d.kind is BlockKind.PARAGRAPH), None)
            why = _reason(draft, following, body, named)
            if why:
                candidates.append((draft, why))
                votes[look(draft)][why] += 1
    for draft, why in candidates:
        if why not in _WEAK or _trusted(draft, why, body, votes[look(draft)]):
            draft.kind = BlockKind.HEADING
    _follow_numbers(candidates)


def join_headings(drafts: list[Draft], body: Style) -> list[Draft]:
    """The blocks of a page with the lines of each heading that was parted, as by a slanted name in it, in one."""
    result: list[Draft] = []
    for draft in drafts:
        title = draft.kind is BlockKind.HEADING or (
            draft.text[0].islower() and _shaped(draft) and _distinct(draft, body)
        )
        if result and title and _carries_on(result[-1], draft, drafts):
            result[-1].lines += draft.lines
        else:
            result.append(draft)
    return result


def _carries_on(heading: Draft, draft: Draft, drafts: list[Draft]) -> bool:
    """Whether a heading is the next line of the one above: set alike, right under it, as its first word had no room."""
    last, line = heading.lines[-1][1], draft.lines[0][1]
    itself = split_number(draft.text)[0] or is_item(line) or last.text.endswith((".", ":", "?"))
    if heading.kind is not BlockKind.HEADING or itself:
        return False
    style, other = last.style, line.style
    alike = (
        style.bold == other.bold and abs(style.size - other.size) < 0.5 and last.text.isupper() == line.text.isupper()
    )
    near = 0 < line.baseline - last.baseline < _NEXT_LINE * style.size
    if not alike or not near:
        return False
    if last.words[-1].text in _OPEN_WORDS or line.text[0].islower():
        return True
    texts = [draft.rect() for draft in drafts if draft.kind is BlockKind.PARAGRAPH]
    column = [box.x1 for box in texts if abs(box.x0 - last.x0) < 2 * style.size and box.x1 > last.x1]
    return bool(column) and min(column) - last.x1 < line.words[0].x1 - line.words[0].x0 + 0.5 * style.size


def _follow_numbers(candidates: list[tuple[Draft, str]]) -> None:
    """A roman number before a title is a heading's where the one before it or after it is that of a heading; a decimal
    one where the one before it, or that of the section around it, is."""
    decimals = {number for draft, _ in candidates if draft.kind is BlockKind.HEADING and (number := _number(draft))}
    for draft, why in candidates:
        number = _number(draft)
        if why in _NUMBERED and number:
            if _before(number) in decimals or number.rpartition(".")[0] in decimals:
                draft.kind = BlockKind.HEADING
            if draft.kind is BlockKind.HEADING:
                decimals.add(number)
    numbered = [(draft, _roman(split_number(draft.text)[0])) for draft, _ in candidates]
    known = {value for draft, value in numbered if draft.kind is BlockKind.HEADING and value}
    open_drafts = [
        (draft, value) for (draft, value), (_, why) in zip(numbered, candidates, strict=True) if why == "roman"
    ]
    values = {value for _, value in open_drafts}
    if known or values >= {1, 2, 3}:
        for draft, value in open_drafts:
            if {value - 1, value + 1} & (known | values):
                draft.kind = BlockKind.HEADING


def _number(draft: Draft) -> str:
    return split_number(draft.text)[0]


def _before(number: str) -> str:
    """The decimal number before another: 3.1 before 3.2."""
    parent, _, last = number.rpartition(".")
    return f"{parent}.{int(last) - 1}" if last.isdigit() else ""


def _roman(number: str) -> int:
    """The value of a roman number up to thirty or so; 0 for any other text."""
    if not _ROMAN.match(number):
        return 0
    values = [_ROMAN_VALUES[letter] for letter in number]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def outline_levels(outline: list[OutlineEntry]) -> dict[str, int]:
    """The level of each title of the outline, by its letters and digits."""
    return {plain(entry.title): entry.level for entry in outline}


def _is_address(draft: Draft) -> bool:
    """Whether a short block names an institution and its place, as those of an author do."""
    if len(draft.lines) > _MOST_LINES:
        return False
    text = draft.text
    return len(text) < _LONGEST and text.count(",") > 1 and bool(INSTITUTION.search(text)) and text[-1:].isalpha()


def _is_name(draft: Draft) -> bool:
    """Whether a block holds a few capitalised words, as the name of a person does."""
    if len(draft.lines) > 1:
        return False
    words = draft.text.split()
    return 1 < len(words) < 5 and all(word[0].isupper() and word.strip(".,").isalpha() for word in words)


def _listed(drafts: list[Draft], place: int, body: Style) -> bool:
    """Whether a block is an item among other items, and no numbered heading; items that are set apart from running text
    in all their words, as the block is, are headings of two levels: ``2) Results``, ``i) Heart rate``."""
    if drafts[place].kind is not BlockKind.LIST:
        return False
    if is_ornamented(drafts[place].text) and _distinct(drafts[place], body):
        return False
    near = drafts[max(place - 1, 0) : place] + drafts[place + 1 : place + 2]
    return any(other.kind is BlockKind.LIST and not (_distinct(other, body) and _shaped(other)) for other in near)


def _shaped(draft: Draft) -> bool:
    """Whether a block has a heading's size: few lines, letters, no sentence's end."""
    if len(draft.lines) > _MOST_LINES:
        return False
    text = draft.text
    letters = sum(map(str.isalpha, text))
    least = 3 if text[-1:] <= LAST_SPACED else 2
    return least <= len(text) <= _LONGEST and letters >= least and letters > 0.4 * len(text)


def _reason(draft: Draft, following: Draft | None, body: Style, named: dict[str, int]) -> str:
    """Why a block may be a heading: "outline", "lexicon", "number", "style", "font"; "" if nothing speaks for it."""
    text = draft.text
    number, title = split_number(text)
    if named and (plain(text) in named or plain(title) in named):
        return "outline"
    distinct = _distinct(draft, body)
    if is_lexical(title):
        return "lexicon" if distinct or (title[:1].isupper() and len(draft.lines) == 1) else ""
    opens = bool(number) or title[:1].isupper() or title[:1].isdigit() or title[:1] in "“‘" or _caseless(title[:1])
    if text.rstrip().endswith((",", ";", "。", "、", "，", "；")) or not opens:
        return ""
    if text.rstrip().endswith((".", "?")):
        leads = following is not None and len(following.text) > len(text)
        whole = len(text) < _LONGEST_STOPPED and not _SENTENCE_WITHIN.search(text)
        return "stopped" if distinct and leads and whole and title[:1].isupper() else ""
    if distinct:
        return "number" if number else "style"
    if _DECIMAL.match(number) and len(draft.lines) <= 2 and draft.kind is BlockKind.PARAGRAPH:
        return "decimal"
    if _ROMAN.match(number) and len(draft.lines) <= 2 and draft.kind is BlockKind.PARAGRAPH:
        return "roman"
    leads = following is not None and len(following.text) > 60 and following.lines[0][1].style.font == body.font
    return "font" if leads and len(draft.lines) <= 2 and _other_font(draft, body) and len(text) < 100 else ""


def _caseless(letter: str) -> bool:
    """Whether a letter is of a script without capitals."""
    return letter.isalpha() and letter.lower() == letter.upper()


def _distinct(draft: Draft, body: Style) -> bool:
    """Whether a block is set apart from running text in all its words: bold, larger, in capitals or slanted."""
    styles = [word.style for _, line in draft.lines for word in line.words]
    sizes = sorted(style.size for style in styles)
    size = sizes[len(sizes) // 2]
    if size < 0.85 * body.size:
        return False
    if (all(style.bold for style in styles) and not body.bold) or size > 1.08 * body.size:
        return True
    if draft.text.isupper() and len(draft.text) > 4:
        return True
    most = _MOSTLY * len(styles)
    upright = [word.text for _, line in draft.lines for word in line.words if not word.style.italic]
    named = len(styles) - len(upright) > most and all(_WORDLIKE.match(text) for text in upright)
    slanted = styles[0].italic and not body.italic and named
    other = all(style.font != body.font for style in styles)
    return slanted or (other and sum(style.bold for style in styles) > most)


def _other_font(draft: Draft, body: Style) -> bool:
    """Whether a block is set in about the body's size without its font, most words in one: names may be slanted."""
    styles = [word.style for _, line in draft.lines for word in line.words]
    fonts = Counter(style.font for style in styles)
    most = max(fonts.values()) >= _MOSTLY * len(styles)
    return most and body.font not in fonts and min(style.size for style in styles) > 0.9 * body.size


def look(draft: Draft) -> tuple[object, ...]:
    """How a heading is set: font, size in half points, weight, slant, capitals."""
    style = draft.lines[0][1].style
    return style.font, round(style.size * 2), style.bold, style.italic, draft.text.isupper()


def _trusted(draft: Draft, why: str, body: Style, votes: Counter[str]) -> bool:
    """Whether style alone makes a heading: sure headings look so too, or it is short, and bold, large or repeated."""
    style = draft.lines[0][1].style
    if votes["outline"] + votes["lexicon"] + votes["number"]:
        return True
    if why in {"roman", "decimal"}:
        return False
    if why == "stopped":
        return votes["style"] + votes["stopped"] > 2
    if (len(draft.text) > 120 or len(draft.lines) > 2) and votes["style"] < 3:
        return False
    if why == "font":
        return votes["font"] >= 2 or draft.page > 0
    return style.bold or style.size > 1.15 * body.size or votes["style"] >= 2


def set_levels(headings: list[Draft], named: dict[str, int]) -> None:
    """Levels from the depth of the numbering, from the outline, else from the rank of the look."""
    depth_of_look: dict[tuple[object, ...], int] = {}
    named_first = (k for k, heading in enumerate(headings) if is_lexical(split_number(heading.text)[1]) or heading.page)
    looks = {look(heading) for heading in headings[next(named_first, 0) :] if not heading.run_in}
    ranked = sorted(looks, key=lambda it: (-float(str(it[1])), not it[2], not it[4], bool(it[3]), str(it[0])))
    for rank, each in enumerate(ranked):
        depth_of_look[each] = rank + 1
    for heading in headings:
        number, title = split_number(heading.text)
        known = named.get(plain(heading.text)) or named.get(plain(title))
        if heading.run_in:
            heading.level = min(len(ranked) + 1, 6)
        elif number and number[0].isdigit():
            heading.level = number.count(".") + 1
        elif known:
            heading.level = known
        elif _LETTERED.match(number):
            heading.level = number.count(".") + 1
        else:
            heading.level = min(depth_of_look.get(look(heading), 1), 6)


def part_abstract(flow: list[Draft]) -> None:
    """Put the abstract's heading no higher than the one that opens the body, however large it is set.

    Only the parts of a structured abstract stand under it: the first right behind the abstract's own heading, the
    others with usual names, each once, or set like the first before the introduction. A heading behind the abstract's
    text opens the body.
    """
    places = [k for k, draft in enumerate(flow) if draft.kind is BlockKind.HEADING]
    which = next((n for n, k in enumerate(places) if is_abstract(flow[k].text) and flow[k].page < _FRONT_PAGES), None)
    if which is None or which + 1 == len(places):
        return
    abstract, following = flow[places[which]], [flow[k] for k in places[which + 1 :]]
    between = flow[places[which] + 1 : places[which + 1]]
    structured = not any(draft.kind in _TOLD for draft in between)
    parts = max(_abstract_parts(following), _before_introduction(following)) if structured else 0
    if parts == len(following):
        return
    abstract.level = max(abstract.level, following[parts].level)
    for part in following[:parts]:
        part.level = max(part.level, min(abstract.level + 1, 6))


def _abstract_parts(headings: list[Draft]) -> int:
    """How many headings behind that of an abstract are names of its parts."""
    told: set[str] = set()
    for k, heading in enumerate(headings):
        number, title = split_number(heading.text)
        name = plain(title)
        opens = number[:1].isdigit() or heading.level < headings[0].level or _INTRODUCTION.match(title)
        if opens or name in told or not is_lexical(title.rstrip(".:")):
            return k
        told.add(name)
    return len(headings)


def _before_introduction(headings: list[Draft]) -> int:
    """How many headings on end are set like the first, where that of the introduction stands behind them."""
    early = (k for k, heading in enumerate(headings) if heading.page < _FRONT_PAGES)
    end = next((k for k in early if _INTRODUCTION.match(split_number(headings[k].text)[1])), 0)
    alike = look(headings[0])
    return next((k for k in range(end) if look(headings[k]) != alike), end)


def plain(text: str) -> str:
    """Letters and digits in lower case: how outline entries and printed headings are compared."""
    return _NOT_OF_WORDS.sub("", text).casefold()
