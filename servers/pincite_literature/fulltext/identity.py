"""Whether a text that was fetched is the paper that was asked for."""

import re
import unicodedata
from dataclasses import dataclass
from functools import partial

from pincite_literature.model import Work
from pincite_literature.notices import notice
from pincite_papers.model import Paper

ALIKE = 85.0
"""Least likeness of two titles, 0 to 100, for one work: RapidFuzz's ratio of their letters and digits in order, or of
their sorted words (Levenshtein-like, indel distance)."""
OPENING_ALIKE = 92.0
"""Least likeness of a title to some stretch of the paper's opening, where the parser found another title."""

_OPENING = 4000
"""Characters of a text in which its title and authors stand: a first page. Set by judgement."""
_SHORT_TITLE = 20
"""Characters of a title that proves nothing: shorter ones stand in other texts too. Set by judgement."""
_NUMBERED = re.compile(r"\barxiv:\s?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v(\d{1,3}))?", re.IGNORECASE)
_SERIAL = re.compile(r"\bpart (?:\d+|[ivx]+|[a-d]|one|two|three)\b|\b(?:i{1,3}|iv|vi{0,3}|ix)\b")


@dataclass(frozen=True, slots=True)
class Verdict:
    """``other`` says why it is another paper, "" when it is this one; ``doubt`` what could not be made sure."""

    other: str = ""
    doubt: str = ""


def compare(paper: Paper, work: Work, *, archived: bool) -> Verdict:
    """Whether ``paper`` is ``work``: by its title, its DOI, or the stamp that arXiv prints on it.

    ``archived``: an archive gave it under the identifier of the work, so that a missing title alone is not an
    objection.
    """
    opening = paper.text[:_OPENING]
    what = notice(paper.title or opening[:200])
    if what and what != notice(work.title):
        return Verdict(other=f"it is a {what}, not the paper: {_shown(paper.title or opening)}")
    dois = {name.lower() for name in (work.ids.doi, *work.version_of) if name}
    stamped = _stamp(paper)
    if (paper.doi and paper.doi.lower() in dois) or (stamped and work.ids.arxiv and stamped[0] == work.ids.arxiv):
        return Verdict()
    named = f"the file names the DOI {paper.doi}, the record {work.ids.doi}" if paper.doi and work.ids.doi else ""
    if not work.title:
        return Verdict(doubt="No record of its title was to be had: check that it is the paper you mean.")
    if _same_title(paper.title, work.title) or _opens_with(opening, work):
        return Verdict(doubt=f"The title fits, but {named}: it may be another version." if named else "")
    if work.title.startswith("[") or (archived and not paper.title):
        return Verdict(doubt="Its title could not be compared with the record's: check that it is the paper you mean.")
    return Verdict(other=f"it is another paper: {_shown(paper.title or opening)}" + (f" ({named})" if named else ""))


def arxiv_version(paper: Paper) -> int | None:
    """The number of the version that arXiv stamped on the first page; None without a stamp."""
    stamp = _stamp(paper)
    return int(stamp[1]) if stamp and stamp[1] else None


def _stamp(paper: Paper) -> tuple[str, str] | None:
    furniture = " ".join(piece.text for piece in (paper.pages[0].furniture if paper.pages else ()))
    first = paper.text[: min(paper.pages[0].end, _OPENING)] if paper.pages else ""
    found = _NUMBERED.search(furniture) or _NUMBERED.search(first)
    return (found[1], found[2] or "") if found else None


def _same_title(one: str, other: str) -> bool:
    from rapidfuzz import fuzz

    first, second = _words(one), _words(other)
    if not first or not second or _serials(first) != _serials(second):
        return False
    squashed = fuzz.ratio(first.replace(" ", ""), second.replace(" ", ""))
    return max(squashed, fuzz.token_sort_ratio(first, second)) >= ALIKE


def _opens_with(opening: str, work: Work) -> bool:
    """Whether the paper's opening holds the title and, where the record names authors, one of the first ones."""
    from rapidfuzz import fuzz

    title, text = _words(work.title), _words(opening)
    if _serials(title) and f" {title} " not in f" {text} ":
        return False
    title, text = title.replace(" ", ""), text.replace(" ", "")
    if len(title) < _SHORT_TITLE or fuzz.partial_ratio(title, text) < OPENING_ALIKE:
        return False
    names = [_words(author.family or author.name.rpartition(" ")[2]) for author in work.authors[:5]]
    return not names or any(name and name.replace(" ", "") in text for name in names)


def _serials(words: str) -> list[str]:
    """The numbers of parts in a title: "part 2" and "III" tell papers apart that are alike otherwise."""
    return [found[0] for found in _SERIAL.finditer(words)]


_apart = partial(re.compile(r"[^\w]+|_").sub, " ")


def _words(text: str) -> str:
    """Letters and digits in lower case, accents and TeX commands' backslashes left out."""
    plain = unicodedata.normalize("NFKD", text)
    return " ".join(_apart("".join(c for c in plain if not unicodedata.combining(c)).casefold()).split())


def _shown(title: str) -> str:
    line = " ".join(title.split())
    return repr(line[:120] + ("…" if len(line) > 120 else ""))
