"""Imprint: the journal, the year and the keywords that a paper states about itself; absent where it states none."""

import html
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

_YEAR = r"(?P<year>(?:1[89]|20)\d\d)"
_WORD = r"[A-ZÀ-Þ][\w&’'\-]*"
_JOURNAL = rf"(?P<journal>{_WORD}(?:[.:]{{0,2}}\s(?:of|and|the|in|for|on|&|de|del|der|und|für|et|{_WORD})){{0,9}}\.?)"
_ISSUE = r"(?:\s?\([\d\-–/S ]{1,9}\))?"
_LEAD = r"(?:^|[.?!|;)\]]\s|\bet al\.,?\s|\s[|·•]\s)"
_FORMS = tuple(
    re.compile(_LEAD + form)
    for form in (
        rf"{_JOURNAL},?\s\(?{_YEAR}\)?(?:[.,;:]\s?|\s)(?:[Vv]ol\.?\s?)?\d{{1,4}}{_ISSUE}(?:\s?[:,]\s?\w|\s*$)",
        rf"{_JOURNAL},?\s(?:[Vv]ol\.?\s?)?\d{{1,4}}{_ISSUE}\s?[,:]\s?[A-Za-z]?\d+(?:\s?[-–]\s?[A-Za-z]?\d+)?,?\s\({_YEAR}\)",
        rf"{_JOURNAL},?\s\d{{1,4}}{_ISSUE}\s\({_YEAR}\)\s\w*\d",
        rf"{_JOURNAL}\s\|\s\({_YEAR}\)\s?\d+:\d+",
        rf"{_JOURNAL}\s\|\s(?:[Vv][Oo][Ll]:?\s?\d+|\d+:\s?\d+)\s\|.{{0,40}}?\b{_YEAR}\b",
    )
)
_MONTH = r"[A-Z][a-z]{2,8}"
_VOLUMES = tuple(
    re.compile(form)
    for form in (
        rf"^(?:Hindawi(?:\sPublishing\sCorporation|\sLimited)?\s)?{_JOURNAL}\sVolume\s{_YEAR},\sArticle\sID\b",
        rf"^{_JOURNAL}\s\|\s{_MONTH}\s\d{{1,2}},\s{_YEAR}\b",
        rf"^{_JOURNAL},\s{_MONTH}(?:\s?[-–]\s?{_MONTH})?\s{_YEAR};\s?\d{{1,4}}{_ISSUE}:\s?\w",
    )
)
"""Citation lines of Hindawi, PLOS and Jaypee: by year and article, by day, by month."""
_DATED = re.compile(rf"\({_YEAR}\)\.\s+{_JOURNAL},\s\d{{1,4}}{_ISSUE},\s\w+")
_NO_JOURNAL = re.compile(
    r"^(?:arxiv|doi|vol|volume|issue|no|page|pages|received|accepted|revised|submitted|published|available|copyright|figure|"
    r"table|version|preprint|manuscript|licen[sc]e|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|last updated|the|first|latest|how to cite)\b",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(rf"\bpublished(?: online)?:?\s.{{0,30}}?\b{_YEAR}\b", re.IGNORECASE)
_COPYRIGHT = re.compile(rf"(?:©|\(c\)|copyright)\s?(?:by\s|the\s)?(?:[\w.,&’'\- ]{{0,60}}?\s)?{_YEAR}\b", re.IGNORECASE)
_STAMP = re.compile(rf"\barXiv:\S+\s+\[[\w.\-]+\]\s+\d{{1,2}}\s+\w{{3,9}}\s+{_YEAR}")
_SUBJECT = re.compile(r"^(?P<journal>[^,;:.]{3,80}?)(?:,\s*(?:\d|doi)|\.\s*doi|;?\s*doi:)", re.IGNORECASE)
_ADDRESS = re.compile(r"\(?(?:https?:|www\.|doi:)\S*\)?(?:\s?//\S+)?", re.IGNORECASE)
_KEYWORDS = re.compile(
    r"^(?:key\s?words?(?:\s(?:and|&)\s(?:key\s)?phrases)?|index terms|author keywords|schlagwörter|mots[- ]clés|"
    r"palabras clave|关\s?键\s?词|關鍵詞|キーワード)\s*(?P<mark>[:：.—–-]*)\s*(?P<list>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_AFTER_KEYWORDS = re.compile(r"\s(?:PACS|MSC|JEL|AMS|Subject classification|中图分类号|ORCID)\b.*$", re.DOTALL)
_SEPARATORS = (r"\s*[;；]\s*", r"\s*[•·|∙●]\s*", r"\s+[.]\s+", r"\s*[,，、]\s*(?![^()]*\))", r"\s+[–—-]\s+")
_LONGEST_KEYWORD = 80
"""Characters of a keyword or of a journal's name; longer texts are sentences. Set by judgement."""
_MOST_KEYWORDS = 30
"""Keywords of a paper; a longer list is something else. Set by judgement."""
_LONGEST_PART = 500
"""Characters of a line that may name the journal."""


@dataclass(frozen=True, slots=True)
class Imprint:
    """Where and when a paper was published, as far as it says so."""

    journal: str | None = None
    year: int | None = None


def find_imprint(fields: Mapping[str, str], printed: Sequence[str], title: str) -> Imprint:
    """The journal and year of the metadata, else of the citation lines among ``printed``.

    ``printed`` are short texts of the first pages that are not running text; ``title`` is that of the paper.
    """
    votes: Counter[tuple[str, int]] = Counter()
    lines = [_bare(text, title) for text in printed]
    for line in lines:
        votes.update(found for pattern in (*_FORMS, *_VOLUMES, _DATED) for found in _cited(pattern, line))
    journal, year = max(votes, key=lambda found: votes[found]) if votes else (None, None)
    stated = html.unescape(fields.get("prism:publicationname", "")) or None
    if stated is None and journal is None:
        subject = _SUBJECT.match(fields.get("subject", ""))
        stated = subject["journal"].strip() if subject and _named(subject["journal"]) else None
    return Imprint(stated or journal, year or _dated(fields, lines))


def cites(line: str) -> bool:
    """Whether a line names a journal with its year and volume."""
    return any(next(iter(_cited(pattern, _bare(line, ""))), None) is not None for pattern in _FORMS)


def _bare(text: str, title: str) -> str:
    """A text without its web addresses and the paper's title."""
    plain = " ".join(_ADDRESS.sub(" ", text[:_LONGEST_PART]).split())
    place = plain.casefold().find(title.casefold()) if len(title) > 12 else -1
    return plain if place < 0 else f"{plain[:place].rstrip()} {plain[place + len(title) :].lstrip(' .')}".strip()


def _cited(pattern: re.Pattern[str], line: str) -> Iterable[tuple[str, int]]:
    for match in pattern.finditer(line):
        name = match["journal"].strip(" ,:")
        if _named(name):
            yield name, int(match["year"])


def _named(name: str) -> bool:
    """Whether words may name a journal."""
    return 2 < len(name) <= _LONGEST_KEYWORD and not _NO_JOURNAL.match(name) and not name.isdigit()


def _dated(fields: Mapping[str, str], lines: Sequence[str]) -> int | None:
    """The year of a statement of publication, of a copyright or of a preprint's stamp."""
    cover = re.match(_YEAR, fields.get("prism:coverdate", "") or fields.get("prism:publicationdate", ""))
    if cover:
        return int(cover["year"])
    for pattern in (_PUBLISHED, _COPYRIGHT, _STAMP):
        found = [int(match["year"]) for line in lines if (match := pattern.search(line))]
        if found:
            return max(found)
    return None


def find_keywords(fields: Mapping[str, str], blocks: Sequence[str]) -> tuple[str, ...]:
    """The keywords of the ``blocks`` of the first pages, in print order, else those of the metadata."""
    for place, text in enumerate(blocks):
        match = _KEYWORDS.match(text)
        if match is None or (match["list"] and not match["mark"] and match["list"][:1].islower()):
            continue
        listed = match["list"] or (blocks[place + 1] if place + 1 < len(blocks) else "")
        found = split_keywords(listed)
        if found:
            return found
    return split_keywords(fields.get("keywords", "")) if "10." not in fields.get("keywords", "") else ()


def split_keywords(text: str) -> tuple[str, ...]:
    """The keywords of a list, parted by its strongest separator; none where it reads like running text."""
    plain = _AFTER_KEYWORDS.sub("", " ".join(text.split())).strip(" .;,")
    separator = next((each for each in _SEPARATORS if re.search(each, plain)), None)
    parts = re.split(separator, plain) if separator else [plain]
    parts = [part.strip(" .;,") for part in parts]
    parts = [part for part in dict.fromkeys(parts) if part]
    sound = all(1 < len(part) <= _LONGEST_KEYWORD for part in parts) and len(parts) <= _MOST_KEYWORDS
    return tuple(parts) if sound else ()
