"""DOIs in texts: the one pattern of them, and the old kind (SICI) that is either whole or no DOI at all.

Form after the DOI Handbook 2.2. Publishers of the 1990s made the suffix a Serial Item and Contribution Identifier
(ANSI/NISO Z39.56): ISSN, (date), volume and issue, <page and title code>, code of the standard. Its signs ``<``, ``>``
and ``;`` are where texts and addresses are cut, so that a part of one reads like a DOI of its own: whole is
``10.1002/(SICI)1097-4628(19960425)60:4<531::AID-APP5>3.0.CO;2-S``, not ``10.1002/(SICI)1097-4628(19960425)60:4``.
"""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote

PREFIX = r"10\.\d{4,9}(?:\.\d+)*/"
"""The registrant's prefix and the stroke."""

_ITEM = r"\d{4}-?\d{3}[\dXx]\([^()<>\s]{1,40}\)[^<>\s]{0,60}"
_CONTRIBUTION = r"(?:<[^<>\s]{1,80}>|\[[^\[\]\s]{1,80}\])"
_CONTROL = r"\d\.\d\.[A-Za-z]{2};\d"
_MARKED = rf"\([Ss][Ii][Cc][Ii]\){_ITEM}{_CONTRIBUTION}{_CONTROL}-[\w#%]"
_UNMARKED = rf"{_ITEM}{_CONTRIBUTION}{_CONTROL}(?!\w)(?:-[\w#%](?!\w))?"

IN_TEXT = re.compile(rf"(?<![\w.]){PREFIX}(?:{_MARKED}|{_UNMARKED}|[^\s\"<>{{}}|\\^]+)")
"""A DOI in running text with the punctuation behind it, whole or not."""

_SICI = re.compile(rf"{_MARKED}|{_UNMARKED}")
"""A whole SICI: with its check character where it says "(SICI)", without or with it where it does not."""
_BEGUN = re.compile(rf"\(?SICI\)?|{_ITEM}(?:<(?:[A-GI-Z]?\d|:|\Z)|\[[^\]\s]*:)", re.IGNORECASE)
"""What begins a SICI: its own mark, or behind ISSN, date and volume a bracket with a page, as no tag begins."""
PAGE_CHARS = 3
"""Characters behind a match that tell a page from a tag: ``<L1`` and ``</a``."""
_STARTS = re.compile(rf"(?<![\w.]){PREFIX}(?=\S)")
_PLAIN = re.compile(r"[^\s\"<>{}|\\^]+")
_TRAILING = ".,;:!?'’”\"}…"
_PAIRS = {")": "(", "]": "["}


def is_cut(doi: str) -> bool:
    """Whether a DOI is a SICI of which the end is missing."""
    suffix = unescape(unquote(doi.partition("/")[2]))
    return _BEGUN.match(suffix) is not None and _SICI.fullmatch(suffix) is None


def dois_in(text: str) -> Iterator[str]:
    """The DOIs of running text in its order, without the punctuation behind them; what is cut short is left out."""
    for doi, whole in _found(text):
        if whole:
            yield doi


def first_doi(text: str) -> str | None:
    """The first DOI of running text, None when there is none that is whole."""
    return next(dois_in(text), None)


def cut_doi(text: str) -> str | None:
    """The first DOI of a text that is cut short, None when there is none."""
    return next((doi for doi, whole in _found(text) if not whole), None)


def sici_at(text: str, start: int) -> str | None:
    """The whole DOI of the old kind that begins at ``start``, None when there is none."""
    begins = _STARTS.match(text, start)
    suffix = _SICI.match(text, begins.end()) if begins is not None else None
    return text[start : suffix.end()] if suffix is not None else None


def _found(text: str) -> Iterator[tuple[str, bool]]:
    """Each DOI and whether it is whole."""
    at = 0
    while (begins := _STARTS.search(text, at)) is not None:
        at = begins.end()
        whole = sici_at(text, begins.start())
        if whole is not None:
            at = begins.start() + len(whole)
            yield whole, True
            continue
        plain = _PLAIN.match(text, begins.end())
        if plain is None:
            continue
        at = plain.end()
        doi = begins[0] + _trimmed(plain[0])
        if doi == begins[0]:
            continue
        yield doi, not (is_cut(doi) or is_cut(text[begins.start() : at + PAGE_CHARS]))


def _trimmed(suffix: str) -> str:
    """The end of a DOI without the punctuation of the sentence around it: closing brackets that nothing opens too."""
    while suffix:
        last = suffix[-1]
        opener = _PAIRS.get(last)
        if last not in _TRAILING and (opener is None or suffix.count(last) <= suffix.count(opener)):
            break
        suffix = suffix[:-1]
    return suffix
