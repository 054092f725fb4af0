"""The references of a report: the entries of its list, and where its text names them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite_papers.doi import IN_TEXT, dois_in
from pincite_provenance.audit.claim import Cited
from pincite_provenance.audit.markdown import LIST_HEADING
from pincite_provenance.audit.places import is_placed, years_in
from pincite_provenance.audit.text import ReportText, TextBlock
from pincite_provenance.audit.titles import names_article

_KEY = re.compile(r"\s*\[[@^]?(?P<key>[\w:.-]{1,60})\]:?\s*|\s*(?P<open>\()?(?P<number>\d{1,3})(?(open)\)|[.)])\s+")
_LABEL = re.compile(r"[A-Z][a-z]+(?: [a-z]+)?:\s+")
"""Words before an entry that stands alone (``Related: …``, ``See also: …``)."""
_INITIALED = re.compile(r"(?<!\d )(?<![\d°])\b[A-Z]\.|\b[A-Z][a-z]+ [A-Z]{1,3}\b|\bet al\b")
"""A name with initials, as lists of references have them; ``39 K.`` and ``68 °C.`` end in units."""
_FIRST_NAME_WITHIN = 40
"""Characters of an entry without a key within which its first author stands: a sentence that names a work comes to it
later. Set by judgement: a double name with its initials is shorter."""
_PLACE_WITHIN = 40
"""Characters at the end of an entry in which its volume and pages stand; a sentence that names a work goes on. Set by
judgement."""
_LONGEST_ENTRY = 900
"""Characters of an entry; a paragraph that is longer is text."""
_FAMILY = re.compile(r"[^\W\d_][\w'’‐-]{2,}")
_LETTERED = re.compile(r"\b[Pp]aper ([A-Z])\b")
"""A paper that the report calls by a letter."""
_POSSESSIVE = re.compile(r"['’]s?$")
_NUMBERS = re.compile(r"\[(\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*)\]")
_PANDOC = re.compile(r"\[\^(?P<note>[\w-]{1,40})\]|(?<![\w@])@(?P<key>[A-Za-z][\w:-]{2,60})")
_LOCATOR = re.compile(r"\bpc:[0-9a-f]{8}#\w+(?::\d+-\d+)?")
_MOST_IN_RANGE = 50


@dataclass(frozen=True, slots=True)
class ListedReference:
    """An entry of the report's list of references: ``text[start:end]``, its key where it has one, its DOI or "".

    ``family`` is the first author's name in lower case, "" where none was found.
    """

    key: str
    text: str
    start: int
    end: int
    doi: str = ""
    family: str = ""


def find_entries(report: ReportText) -> list[ListedReference]:
    """The entries: all below a heading such as "References", and whatever looks like one elsewhere."""
    found: list[ListedReference] = []
    in_list = False
    for block in report.blocks:
        text = report.text[block.start : block.end]
        if block.kind == "heading":
            in_list = LIST_HEADING.fullmatch(text.strip()) is not None
            continue
        if in_list:
            found += _entries_in(report, block)
        elif _is_entry(text):
            found.append(_entry(text, block.start, block.marker))
    return found


def _entries_in(report: ReportText, block: TextBlock) -> Iterator[ListedReference]:
    """The entries of a block of the list: an item, or lines that each begin a new one."""
    start, position = block.start, block.start
    for line in report.text[block.start : block.end].splitlines(keepends=True):
        sofar = report.text[start:position]
        begins = _KEY.match(line) is not None or (line[:1].isupper() and bool(years_in(line)))
        if sofar.strip() and begins and years_in(sofar):
            yield _entry(sofar, start, block.marker)
            start = position
        position += len(line)
    if report.text[start:position].strip():
        yield _entry(report.text[start:position], start, block.marker)


def _is_entry(text: str) -> bool:
    """Whether a paragraph outside of a list reads like an entry: a key before it, or names, year and identifier. Behind
    a key in brackets names are enough."""
    keyed = _KEY.match(text)
    has_key = keyed is not None and (keyed["key"] or "").strip() != ""
    first = _INITIALED.search(text)
    is_named = first is not None and first.start() <= _FIRST_NAME_WITHIN
    if len(text) > _LONGEST_ENTRY or not (years_in(text) or (has_key and is_named)):
        return False
    if has_key:
        return first is not None or next(dois_in(text), None) is not None
    if not is_named or len(text) > _LONGEST_ENTRY / 2:
        return False
    label = _LABEL.match(text)
    if names_article(text[label.end() if label is not None else 0 :], 0) and is_placed(text[-_PLACE_WITHIN:]):
        return True
    return len(_INITIALED.findall(text)) > 1 and next(dois_in(text), None) is not None


def _entry(text: str, start: int, marker: str) -> ListedReference:
    keyed = _KEY.match(text)
    key = (keyed["key"] or keyed["number"]) if keyed is not None else marker.rstrip(".)").lstrip("-*+•")
    begin = keyed.end() if keyed is not None else len(text) - len(text.lstrip())
    label = _LABEL.match(text, begin)
    begin = label.end() if label is not None else begin
    body = text[begin:].rstrip()
    family = next((word[0] for word in _FAMILY.finditer(body) if word[0][0].isupper()), "")
    return ListedReference(key, body, start + begin, start + begin + len(body), next(dois_in(body), ""), family.lower())


def find_cited(text: str, start: int, end: int, families: frozenset[str]) -> list[Cited]:
    """What ``text[start:end]`` cites, in order; ``families`` are the names of first authors, in lower case."""
    piece = text[start:end]
    found: list[Cited] = []
    for match in _NUMBERS.finditer(piece):
        found += [Cited(str(number), "key", start + match.start()) for number in _numbers(match[1])]
    for match in _LETTERED.finditer(piece):
        found.append(Cited(match[1], "key", start + match.start()))
    for match in _PANDOC.finditer(piece):
        found.append(Cited(match["note"] or match["key"], "key", start + match.start()))
    for match in _LOCATOR.finditer(piece):
        found.append(Cited(match[0], "locator", start + match.start()))
    for match in find_dois(piece):
        found.append(Cited(match[1], "doi", start + match[0]))
    for match in _FAMILY.finditer(piece):
        name = _POSSESSIVE.sub("", match[0]).lower()
        if match[0][0].isupper() and name in families:
            found.append(Cited(name, "author", start + match.start()))
    return sorted(found, key=lambda one: one.start)


def find_dois(text: str) -> list[tuple[int, str]]:
    """The DOIs of a text, each with where it begins."""
    found: list[tuple[int, str]] = []
    for match in IN_TEXT.finditer(text):
        doi = next(dois_in(text[match.start() : match.end()]), None)
        if doi is not None:
            found.append((match.start(), doi))
    return found


def _numbers(listed: str) -> list[int]:
    """The numbers of ``1, 3-5``."""
    found: list[int] = []
    for part in re.split(r"[,;]", listed):
        ends = [int(number) for number in re.findall(r"\d+", part)]
        if len(ends) == 2 and 0 < ends[1] - ends[0] < _MOST_IN_RANGE:
            found += range(ends[0], ends[1] + 1)
        else:
            found += ends
    return found
