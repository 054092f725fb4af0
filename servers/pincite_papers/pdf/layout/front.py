"""Front matter: the title, the authors, the abstract and what else stands before or beside the running text."""

import re
from collections.abc import Callable
from itertools import groupby
from statistics import median

from pincite_papers.model import BlockKind
from pincite_papers.pdf.elements import Style, part_line
from pincite_papers.pdf.layout.blocks import Draft
from pincite_papers.pdf.layout.headings import INSTITUTION, plain
from pincite_papers.pdf.layout.sectionnames import is_abstract, is_affiliations, is_lexical, is_references, split_number
from pincite_papers.pdf.scriptcodes import LAST_SPACED

_LARGER = 1.15
"""Times the size of the body: a block in larger print may be the title; in smaller print it is one only where a
byline follows. Set by judgement."""
_SMALLER = 0.93
"""Times the size of the body: print of at most this size is small print (notes, addresses), larger print may be an
abstract. Set by judgement."""
_NARROW = 0.6
"""Share of the width of the running text's widest block: notes of the journal beside it are narrower (0.41 in PLOS).
Set by judgement."""
_LONG = 250
"""Characters: a block of more is running text or an abstract, one of fewer may be a title, a byline or a running
line. Set by judgement."""
_SHORTEST_ABSTRACT = 60
"""Characters of a block that opens with the word Abstract and is its first part; a heading has fewer. Set by
judgement."""
_MOST_LINES = 12
"""Lines of a list of keywords or of the dates of a paper; a block of more is neither. Set by judgement."""
_NEXT_LINE = 1.6
"""Type sizes from the title's last baseline to the next line, which may complete it; one further off does not. Set by
judgement."""
_ABSTRACT_LEAD = re.compile(r"^(?:abstract|summary|synopsis)\b[:.\s—–-]*", re.IGNORECASE)
_NAME = re.compile(r"^[^\W\d_][\w.'’‐-]*(?:[\s~]+[^\W\d_][\w.'’‐-]*){1,8}$")
_MARKS = re.compile(r"\^(?:\{[^}]*\}|\S+?(?=[\s,;]|$))|[*†‡§¶#✉]|(?<=[a-zà-ÿ])\d+(?:,[\d*]+)*|\(.*?\)|[0-9]+")
_HONOURS = re.compile(
    r",?\s*\b(?:(?:Graduate Student|Student|Senior|Life|Associate)\s+)*(?:Member|Fellow),\s*"
    r"(?:IEEE|ACM|OSA|SPIE|ASME)\b|"
    r",\s*(?:M\.?D\.?|Ph\.?\s?D\.?|M\.?P\.?H\.?|M\.?Sc\.?|B\.?Sc\.?|R\.?N\.?|D\.?D\.?S\.?|Pharm\.?\s?D\.?|"
    r"FRCP|MBBS|MS|MA)(?=[\s,;^\d*†‡§]|$)"
)
"""Memberships and degrees that a byline prints behind a name."""
_INITIALS = re.compile(r"(?<=\b[A-Z])\.(?=[A-Z])")
_PARTS = re.compile(r"\s*(?:,|;|·|•|\band\b|&|\|)\s*")
_PARTICLE = re.compile(
    r"a[flp]|bin|da[ls]?|de(?:gli|lla|[lnrs])?|d[iou]|dos|e|el|ibn|in|la|le|los|san|te[nr]|v[ao]n|vom|y|zu[mr]?"
)
"""Words of personal names that are not capitalised."""
_INTRODUCTION = re.compile(r"^(?:introduction|background)\b.{0,40}$", re.IGNORECASE)
_SUMMARIES = re.compile(r"^(?:author(?:'s)? summary|significance|highlights|plain language summary)", re.IGNORECASE)
_FOOTNOTE = re.compile(r"^(?:\^|[*†‡§¶✉]|\d{1,2}\s|e-?mail|correspond|communicated by)", re.IGNORECASE)
_KEYWORDS = re.compile(r"^(?:(?:additional )?key\s?words?|index terms)\b", re.IGNORECASE)
_DATES = re.compile(
    r"^(?:received|submitted|accepted|published)\b.{0,60}\b(?:accepted|published|revised)\b", re.IGNORECASE
)
_LICENCE = re.compile(
    r"^(?:open access\W*)?(?:©.{0,80})?this (?:article|work|is an open).{0,80}(?:distributed|licensed|made available)"
    r" under",
    re.IGNORECASE,
)
_LINKS = re.compile(r"(?:https?://\S+\s*)+")
"""A paragraph of nothing but links: where the publisher keeps a figure or a table (PLOS)."""
_ET_AL = re.compile(r"(?P<name>[^,;:()]{2,40}?),? et al\.?", re.IGNORECASE)
_ADDRESSES = re.compile(r"^\^?\{?(?:1|a)[}\W]{0,2}\s?[A-Z]")
_MAIL = re.compile(r"\S@\S+\.\w")
_ARTICLE = re.compile(
    r"^(?:(?:original|research|review|regular|short|brief|rapid|case|full|mini|technical|systematic|invited|clinical|data|"
    r"study|special|feature|open|access|scientific)\W*){0,3}"
    r"(?:articles?|papers?|reports?|reviews?|communications?|letters?|stud(?:y|ies)|notes?|research|editorial|commentary|"
    r"perspectives?|protocols?|correspondence)(?:\W+open access)?\W*$",
    re.IGNORECASE,
)
"""What kind of article this is, as journals print above the title."""
_MARK = re.compile(r"\^|[*†‡§]|(?<=[a-z])\d")
_SAME_SIZE = 0.06
"""Share by which two sizes of one type differ at most: in EXCLI J the words of a title differ by 0.057."""
_NEXT_BLOCK = 2.0
"""Type sizes from one part of a title to the next: they are set with more leading than text (1.55 in J Dent Res)."""
_PROSE = 0.6
"""Share of words in lower case above which a block is running text: addresses and lists of names stay below 0.5."""
_SHORTEST_STATED = 12
"""Letters of a title in the metadata from which on it is one: shorter ones are file names."""
_TEXT = frozenset((BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.LIST))


def find_title(
    flow: list[Draft], body: Style, stated: str, is_noise: Callable[[Draft], bool] = lambda _: False
) -> Draft | None:
    """The block that prints the title: the one that the metadata states, else the largest on the first page that a
    byline follows, else the largest. A title set as several blocks becomes one. ``is_noise`` says what is none."""
    first = [d for d in flow if d.page == 0 and d.kind in _TEXT and not is_lexical(split_number(d.text)[1])]
    opening = next((k for k, d in enumerate(flow) if d.kind is BlockKind.HEADING and _opens_text(d)), len(flow))
    first = [d for d in first if not _ARTICLE.match(d.text) and not is_noise(d)]
    first = [d for d in first if flow.index(d) < opening] or first
    wanted = plain(stated)
    large = [d for d in first if d.lines[0][1].style.size > _LARGER * body.size and _letters(d.text) > 11]
    large = [d for d in large if not split_number(d.text)[0]] or large
    if len(wanted) > _SHORTEST_STATED:
        for draft in first:
            if plain(draft.text) == wanted:
                return draft
        for draft in large:
            if plain(" ".join(part.text for part in _whole(flow, draft))) == wanted:
                return _joined(flow, draft)
    signed = [d for d in large if _is_signed(flow, d)]
    best = max(signed or large, key=lambda d: (round(_size(d)), -d.lines[0][1].y0), default=None)
    if best is not None:
        best = _joined(flow, best)
        _complete(flow, best)
        return best
    bold = [d for d in first[:6] if d.kind is BlockKind.HEADING and not split_number(d.text)[0] and len(d.text) > 20]
    titled = [d for d in first[:6] if len(d.text) < _LONG and _letters(d.text) > 11 and not split_names(d.text)]
    plainly = [d for d in titled if not split_number(d.text)[0] and _is_signed(flow, d)]
    return next(iter(bold or plainly), None)


def _opens_text(draft: Draft) -> bool:
    """Whether a heading is one behind which no title stands."""
    return is_abstract(draft.text) or bool(_INTRODUCTION.match(split_number(draft.text)[1]))


def _whole(flow: list[Draft], draft: Draft) -> list[Draft]:
    """A block and those right under it that are set alike in all their words, as the parts of a title are."""
    parts = [draft]
    style = draft.lines[0][1].style
    for other in flow[flow.index(draft) + 1 :]:
        last, line = parts[-1].lines[-1][1], other.lines[0][1]
        alike = all(_is_like(word.style, style) for _, each in other.lines for word in each.words)
        near = other.page == draft.page and 0 < line.baseline - last.baseline < _NEXT_BLOCK * line.style.size
        over = min(line.x1, last.x1) > max(line.x0, last.x0)
        if other.kind not in _TEXT or not (alike and near and over) or "^" in other.text:
            break
        parts.append(other)
    return parts


def _size(draft: Draft) -> float:
    """The size of most words, in points."""
    return median(word.style.size for _, line in draft.lines for word in line.words)


def _is_like(one: Style, other: Style) -> bool:
    return abs(one.size - other.size) < _SAME_SIZE * other.size and one.bold == other.bold


def _joined(flow: list[Draft], draft: Draft) -> Draft:
    """A title with the blocks that it was set as, which leave the flow."""
    for part in _whole(flow, draft)[1:]:
        draft.lines += part.lines
        flow.remove(part)
    return draft


def _is_signed(flow: list[Draft], draft: Draft) -> bool:
    """Whether a byline stands behind a block and those set like it: two names, or one with a mark of its address."""
    behind = flow.index(_whole(flow, draft)[-1]) + 1
    if behind < len(flow) and _is_like(flow[behind].lines[0][1].words[0].style, draft.lines[0][1].style):
        behind += 1  # the rest of the title with something else on its line
    if behind >= len(flow) or flow[behind].page != draft.page or _ARTICLE.match(flow[behind].text):
        return False
    return _is_byline(flow[behind])


def _is_byline(draft: Draft) -> bool:
    """Whether a block lists persons: two names, or one with a mark of its address."""
    names = split_names(draft.text)
    return len(names) > 1 or (bool(names) and bool(_MARK.search(draft.text)))


def _letters(text: str) -> int:
    """How many letters a text has; a Chinese or Japanese character says as much as three of them."""
    return sum(3 if c > LAST_SPACED else 1 for c in text if c.isalpha())


def _complete(flow: list[Draft], title: Draft) -> None:
    """Give a title the words of its style that open the line under it, where other print follows them."""
    place = flow.index(title) + 1
    if place >= len(flow) or title.text.endswith((".", "?", "!")):
        return
    (page, last), (next_page, line) = title.lines[-1], flow[place].lines[0]
    style = last.words[-1].style
    count = next((k for k, word in enumerate(line.words) if word.style != style), len(line.words))
    near = page == next_page and 0 < line.baseline - last.baseline < _NEXT_LINE * style.size
    if not near or not 0 < count < len(line.words):
        return
    title.lines.append((page, part_line(line, line.words[:count])))
    flow[place].lines[0] = page, part_line(line, line.words[count:])


def mark_front(flow: list[Draft], title: Draft | None, body: Style) -> tuple[str, ...]:
    """Give the blocks of the front matter their kinds; returns the authors' names.

    What stands before the title, and small print on the first page, become FOOTNOTE; what stands between the title and
    the running text AUTHORS; the abstract ABSTRACT.
    """
    byline: list[Draft] = []
    start = 0
    if title is not None:
        title.kind = BlockKind.TITLE
        start = flow.index(title)
        for draft in flow[:start]:
            if draft.kind in _TEXT:
                draft.kind = BlockKind.FOOTNOTE
    end = _body_start(flow, start + 1, body)
    for draft in flow[start + 1 if title else end : end]:
        if draft.kind not in _TEXT:
            continue
        prose = _is_prose(draft.text)
        alike = bool(byline) and draft.lines[0][1].style == byline[0].lines[0][1].style
        if len(draft.lines) < 15 and not prose and ((not byline and _signs(draft.text)) or alike):
            byline.append(draft)
        long = len(draft.text) > 2 * _LONG and draft.lines[0][1].style.size > _SMALLER * body.size
        named = bool(_ABSTRACT_LEAD.match(draft.text)) and len(draft.text) > _SHORTEST_ABSTRACT
        draft.kind = BlockKind.ABSTRACT if named or (byline and (prose or long)) else BlockKind.AUTHORS
    _complete_abstract([draft for draft in flow[start + 1 : end] if draft not in byline])
    _mark_abstract(flow[end:])
    _mark_before_introduction(flow[end:], known=any(draft.kind is BlockKind.ABSTRACT for draft in flow[:end]))
    _mark_affiliations(flow[end:])
    return _names_of(byline)


def _names_of(byline: list[Draft]) -> tuple[str, ...]:
    """The names of a byline: in one list over its blocks, or one a block, as over columns of addresses (ACM), or each
    over or before an address in the same print."""
    each = [split_names(draft.text) for draft in byline]
    if len(byline) > 1 and all(len(names) == 1 for names in each):
        return tuple(name for names in each for name in names)
    joined = split_names(" ".join(draft.text for draft in byline))
    if joined:
        return joined
    addressed = any(INSTITUTION.search(draft.text) for draft in byline)
    if not addressed:
        return each[0] if each else ()
    found = [name for draft, names in zip(byline, each, strict=True) for name in names or _signs(draft.text)]
    return tuple(dict.fromkeys(found))


def _signs(text: str) -> tuple[str, ...]:
    """The names that a block lists, alone or before the address of their institution."""
    names = split_names(text)
    if names or not INSTITUTION.search(text):
        return names
    parts = [part.strip(" .") for part in _PARTS.split(_MARKS.sub(" ", text))]
    first = next(k for k, part in enumerate(parts) if k + 1 == len(parts) or INSTITUTION.search(part))
    return tuple(parts[:first]) if first and all(map(_is_person, parts[:first])) else ()


def _complete_abstract(front: list[Draft]) -> None:
    """What stands right before or behind a part of the abstract in its style is of it: a page that is set wide has it
    in several blocks, whose first and last lines are too short for running text."""
    known = any(draft.kind is BlockKind.ABSTRACT for draft in front)
    for _, group in groupby(front, key=lambda draft: draft.lines[0][1].style):
        alike = list(group)
        beside = any(draft.kind is BlockKind.ABSTRACT for draft in alike)
        parts = [draft for draft in alike if draft.kind is BlockKind.AUTHORS and not _stated(draft)]
        text = " ".join(draft.text for draft in parts)
        if text and (beside or not known) and _is_prose(text, 0 if beside else _LONG):
            for draft in parts:
                draft.kind = BlockKind.ABSTRACT


def _has_small_words(text: str) -> bool:
    """Whether most words open in lower case, unlike names and addresses; numbers and signs do not count."""
    words = [word for word in text.split() if word[0].isalpha()]
    return sum(word[:1].islower() for word in words) > _PROSE * len(words)


def _is_prose(text: str, shortest: int = _LONG) -> bool:
    """Whether a text of the front matter is running text, as an abstract without a heading is (Hindawi)."""
    apart = _LICENCE.search(text) or _MAIL.search(text) or text.startswith(("©", "Copyright")) or _DATES.match(text)
    return len(text) > shortest and _has_small_words(text) and not apart and len(INSTITUTION.findall(text)) < 2


def _body_start(flow: list[Draft], start: int, body: Style) -> int:
    """The place of the first block of running text or of the abstract's heading."""
    for place in range(start, len(flow)):
        draft = flow[place]
        style = draft.lines[0][1].style
        if _stated(draft):
            continue
        if draft.kind is BlockKind.HEADING and (is_lexical(split_number(draft.text)[1]) or draft.page):
            return place
        leads = draft.kind is BlockKind.HEADING and place + 1 < len(flow) and _runs(flow[place + 1], body)
        if leads and not _is_byline(draft):
            return place
        if _runs(draft, body) or _leads_abstract(draft) or draft.page > 1:
            return place
        if (
            draft.kind is BlockKind.PARAGRAPH
            and style == body
            and len(draft.text) > _LONG
            and not _lists_addresses(draft)
        ):
            return place
    return len(flow) if start == 0 else start


def _runs(draft: Draft, body: Style) -> bool:
    """Whether a block is running text: some lines in the style of the body."""
    long = draft.kind is BlockKind.PARAGRAPH and len(draft.text) >= _LONG
    return long and _is_set_in(draft, body) and not _lists_addresses(draft)


def _lists_addresses(draft: Draft) -> bool:
    """Whether a block names institutions and little else."""
    words = draft.text.split()
    small = sum(word[:1].islower() for word in words)
    return small < _PROSE * len(words) and len(INSTITUTION.findall(draft.text)) > 1


def _is_set_in(draft: Draft, body: Style) -> bool:
    """Whether most lines of a block are in the style of the body."""
    styles = [line.style for _, line in draft.lines]
    return sum(style.font == body.font and abs(style.size - body.size) < 0.3 for style in styles) > 0.5 * len(styles)


def _leads_abstract(draft: Draft) -> bool:
    if draft.kind is not BlockKind.PARAGRAPH or draft.page > 2:
        return False
    words = draft.lines[0][1].words
    if not _ABSTRACT_LEAD.match(words[0].text) or len(draft.text) < _LONG:
        return False
    return words[0].style != words[-1].style or words[0].text.isupper()


def split_names(text: str) -> tuple[str, ...]:
    """The personal names that a byline lists; empty where most of its parts are not names."""
    text = _HONOURS.sub("", text)
    marked = not _PARTS.search(_INITIALS.sub(". ", _MARKS.sub(" ", text).strip()))
    plain = _MARKS.sub("; " if marked else " ", text)
    parts = [part.strip(" .") for part in _PARTS.split(_INITIALS.sub(". ", plain))]
    parts = [part for part in parts if len(part) > 2]
    names = [part for part in parts if _is_person(part)]
    return tuple(" ".join(name.split()) for name in names) if names and len(names) >= 0.7 * len(parts) else ()


def _is_person(text: str) -> bool:
    """Whether a text reads like the name of a person and not of an institution."""
    words = text.split()
    if not _NAME.match(text) or not words[0][0].isupper() or not words[-1][0].isupper() or INSTITUTION.search(text):
        return False
    return all(not word[0].islower() or _PARTICLE.fullmatch(word) or word[:1] in "’'" for word in words)


def _mark_abstract(flow: list[Draft]) -> None:
    """Paragraphs under an abstract's heading, or that start with the word, become ABSTRACT."""
    inside = 0
    for draft in flow:
        if draft.kind is BlockKind.HEADING:
            abstract = is_abstract(draft.text) and draft.page < 3
            inside = draft.level if abstract else (inside if inside and draft.level > inside else 0)
        elif draft.kind is BlockKind.PARAGRAPH and (inside or _leads_abstract(draft)):
            draft.kind = BlockKind.ABSTRACT


def _mark_before_introduction(flow: list[Draft], *, known: bool) -> None:
    """What stands between an abstract and the introduction on the first pages is not running text.

    Without a heading of an abstract, the paragraphs before the introduction's are it, or the first before any other;
    where it is ``known`` already, they are the introduction.
    """
    headings = [k for k, draft in enumerate(flow) if draft.kind is BlockKind.HEADING and draft.page < 3]
    places = [k for k in headings if _INTRODUCTION.match(split_number(flow[k].text)[1])]
    if len(places) > 1 and is_abstract(flow[max(places[0] - 1, 0)].text):
        del places[0]  # the first part of a structured abstract
    place = next(iter(places), 0)
    abstract = next((k for k, draft in enumerate(flow[:place]) if draft.kind is BlockKind.ABSTRACT), None)
    if abstract is None:
        headed = next((k for k, draft in enumerate(flow) if draft.kind is BlockKind.HEADING), place)
        long = [draft for draft in flow[:headed] if draft.kind is BlockKind.PARAGRAPH and len(draft.text) > _LONG]
        for draft in long[: 0 if known else None if place else 1]:
            draft.kind = BlockKind.ABSTRACT
        return
    above = (draft for draft in reversed(flow[:abstract]) if is_abstract(draft.text))
    depth = next((draft.level for draft in above if draft.kind is BlockKind.HEADING), len(flow))
    summary = False
    for draft in flow[abstract:place]:
        if draft.kind is BlockKind.HEADING:
            summary = bool(_SUMMARIES.match(draft.text)) or (summary and is_lexical(draft.text))
            named = summary or is_lexical(draft.text) or draft.level > depth
            draft.kind = BlockKind.HEADING if named else BlockKind.FOOTNOTE
        elif draft.kind in _TEXT:
            draft.kind = BlockKind.ABSTRACT if summary else BlockKind.FOOTNOTE


def mark_running_titles(flow: list[Draft], title: Draft | None, authors: tuple[str, ...]) -> None:
    """The title and the first author with his fellows, where a later page repeats them over its text: in a paper of few
    pages each running line may stand but once."""
    name = plain(title.text) if title is not None and len(title.text) > _SHORTEST_STATED else ""
    for draft in flow:
        if draft.kind in _TEXT and draft.page and len(draft.text) < _LONG:
            signed = _ET_AL.fullmatch(draft.text.strip())
            by_author = signed is not None and bool(authors) and authors[0].endswith(signed["name"].split()[-1])
            if by_author or (name and plain(draft.text) == name):
                draft.kind = BlockKind.FOOTNOTE


def mark_small_print(pages: list[list[Draft]], body: Style) -> None:
    """Small text that no text of body size follows in its column: footnotes, table notes, notes on the first page."""
    references = False
    if pages:
        _mark_side_notes(pages, body)
        _mark_addresses(pages[0], body)
    for flow in pages:
        abstract: float | None = None
        for place, draft in enumerate(flow):
            if draft.kind is BlockKind.HEADING:
                references = is_references(draft.text)
                behind = flow[place + 1 : place + 2]
                abstract = behind[0].lines[0][1].style.size if is_abstract(draft.text) and behind else None
            elif _ABSTRACT_LEAD.match(draft.text) and draft.page == 0 and len(draft.text) > _LONG:
                abstract = draft.lines[0][1].style.size
            elif not _is_front(draft, abstract):
                link = draft.kind is BlockKind.PARAGRAPH and _LINKS.fullmatch(draft.text)
                if link or (not references and _is_small_print(flow, place, body)):
                    draft.kind = BlockKind.FOOTNOTE


def _is_front(draft: Draft, abstract: float | None) -> bool:
    """Whether small text is a byline, or stands under an abstract's heading in its ``abstract`` size (points)."""
    if draft.page == 0 and _MARK.search(draft.text) and len(split_names(draft.text)) > 1:
        return True
    alike = abstract is not None and abs(draft.lines[0][1].style.size - abstract) < _SAME_SIZE * abstract
    return alike and not _FOOTNOTE.match(draft.text) and not _MAIL.search(draft.text)


def _mark_side_notes(pages: list[list[Draft]], body: Style) -> None:
    """What stands on the first page in a column of its own, beside all text set in the body's style, is matter of the
    journal; on the second page its rest in narrow small print is."""
    for number, flow in enumerate(pages[:2]):
        texts = [draft for draft in flow if draft.kind in _TEXT]
        running = [draft.rect() for draft in texts if _is_set_in(draft, body)]
        narrow = _NARROW * max((box.x1 - box.x0 for box in running), default=0.0)
        for draft in texts:
            box = draft.rect()
            beside = running and not any(min(r.x1, box.x1) > max(r.x0, box.x0) for r in running)
            small = draft.lines[0][1].style.size <= _SMALLER * body.size and box.x1 - box.x0 < narrow
            if beside and (number == 0 or small):
                draft.kind = BlockKind.FOOTNOTE


def _is_small_print(flow: list[Draft], place: int, body: Style) -> bool:
    draft = flow[place]
    page, line = draft.lines[0]
    if draft.kind not in {BlockKind.PARAGRAPH, BlockKind.LIST} or line.style.size > _SMALLER * body.size:
        return False
    under_table = any(other.kind is BlockKind.TABLE for other in flow[max(place - 2, 0) : place])
    if page and not under_table and not _FOOTNOTE.match(draft.text):
        return False
    return not any(
        other.lines[0][1].style.size > _SMALLER * body.size
        and other.lines[0][1].y0 > line.y1
        and min(other.lines[0][1].x1, line.x1) - max(other.lines[0][1].x0, line.x0) > 0
        for other in flow
        if other.kind in _TEXT and not under_table
    )


def _mark_affiliations(flow: list[Draft]) -> None:
    """Text under a heading such as "Author details" is about the authors."""
    inside = False
    for draft in flow:
        if draft.kind is BlockKind.HEADING:
            inside = is_affiliations(draft.text)
        elif draft.kind in _TEXT and (inside or _stated(draft)):
            draft.kind = BlockKind.AUTHORS
        elif draft.kind is BlockKind.PARAGRAPH and _LICENCE.match(draft.text):
            draft.kind = BlockKind.FOOTNOTE


def _mark_addresses(flow: list[Draft], body: Style) -> None:
    """The authors' institutions under the running text of the first page, which goes on behind them on the next."""
    running = next((k for k, draft in enumerate(flow) if _runs(draft, body)), len(flow))
    for draft in flow[running:]:
        if draft.kind is BlockKind.PARAGRAPH and _is_addresses(draft):
            draft.kind = BlockKind.AUTHORS


def _is_addresses(draft: Draft) -> bool:
    """Whether a block of the first page lists the authors' institutions, by number, with an address to write to."""
    text = draft.text
    return bool(_ADDRESSES.match(text) and _MAIL.search(text)) and len(INSTITUTION.findall(text)) > 1


def _stated(draft: Draft) -> bool:
    """Whether a block lists keywords or the dates of the paper."""
    if len(draft.lines) > _MOST_LINES:
        return False
    text = draft.text
    return len(text) < 2 * _LONG and bool((draft.page < 3 and _KEYWORDS.match(text)) or _DATES.match(text))
