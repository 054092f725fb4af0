"""The work that a reference means by its words: searched for where it has no identifier, or a wrong one."""

import re
from dataclasses import dataclass

from pincite_literature.catalog import REFERENCES_SEARCHED
from pincite_literature.date_cutoff import Cleared, Merged
from pincite_literature.entries import SourceEntry
from pincite_literature.sources.source import Page, Query, Source
from pincite_literature.state import LiteratureState
from pincite_literature.titles import normal_title
from pincite_provenance.citations.handles import registry_has
from pincite_provenance.citations.reference import SAME_TITLE, Comparison, Reference, compare

_CANDIDATES = 10
_QUOTED = re.compile(r"[“\"«]([^”\"»]{15,300})[”\"»]")
_SENTENCE = re.compile(r"(?<=[^\W\d_]{2})[.?!]\s+|,\s+(?=\d)|\(\d{4}[a-z]?\)[.,:]?\s*")
_FEWEST_WORDS = 3
_CLOSE_TITLE = 0.75
"""Similarity of titles from which on a work may be the one that a reference means, though its title is not the same: a
title that was shortened, translated or written from memory. Set by judgement."""
_FIRST_AUTHORS = 3
"""Authors of a work who must all be named in a reference of its year for it to be close by its people."""


@dataclass(frozen=True, slots=True)
class Found:
    """The work whose title agrees best, with how the reference agrees with it; None where no title does."""

    work: Cleared | None
    comparison: Comparison | None
    entries: tuple[SourceEntry, ...]
    registered: bool = False
    """Whether the record of the registry of its DOI is among those that it was found by."""
    closest: Cleared | None = None
    """Where no title agrees, the work that is close by its title, or by its authors and year; None where none is."""


async def find_meant(state: LiteratureState, reference: Reference) -> Found:
    """Search for the work that a reference means; a source that fails is named in the entries.

    Crossref takes a whole reference; the others, which register what Crossref does not, take a title.
    """
    title = reference.title or guess_title(reference.words)

    async def search(source: Source) -> Page:
        whole = source.policy.name == "crossref" and reference.words
        text = reference.words if whole else f"{title} {reference.authors if source.policy.name == 'crossref' else ''}"
        return await source.search(Query(text=text, before=state.settings.before), limit=_CANDIDATES)

    pages, entries, _ = await state.ask_each(REFERENCES_SEARCHED, search)
    merged, _ = state.cutoff.merge({name: page.works for name, page in pages.items()})
    compared = [(compare(reference, one.work), one) for one in merged]
    fitting = [pair for pair in compared if pair[0].similarity is not None and pair[0].similarity >= SAME_TITLE]
    best = max(fitting, key=lambda pair: _fit(pair[0]), default=None)
    if best is None:
        close = [pair for pair in compared if _is_close(reference, *pair)]
        closest = max(close, key=lambda pair: _fit(pair[0]), default=None)
        return Found(None, None, tuple(entries), closest=closest[1].work if closest is not None else None)
    comparison, one = best
    return Found(one.work, comparison, tuple(entries), registry_has(one.records, one.work.ids.doi))


def guess_title(words: str) -> str:
    """The part of a reference that is most likely its title: what is quoted, else the longest of its sentences."""
    quoted = _QUOTED.search(words)
    if quoted:
        return quoted[1].strip(" ,.")
    parts = [part.strip(" ,.") for part in _SENTENCE.split(words)]
    fitting = [part for part in parts if len(part.split()) >= _FEWEST_WORDS]
    return max(fitting, key=lambda part: len([word for word in part.split() if len(word) > 2]), default=words)


def _is_close(reference: Reference, comparison: Comparison, one: Merged) -> bool:
    """Whether a work whose title is another may still be meant: by most of its title, or by its authors and year."""
    if (comparison.similarity or 0.0) >= _CLOSE_TITLE:
        return True
    families = [author.family or author.name.rpartition(" ")[2] for author in one.work.authors[:_FIRST_AUTHORS]]
    stated = set(normal_title(f"{reference.authors} {reference.words}").split())
    named = [set(normal_title(family).split()) <= stated for family in families]
    return bool(named) and all(named) and comparison.year == "agrees"


def _fit(comparison: Comparison) -> tuple[float, bool, bool]:
    return comparison.similarity or 0.0, comparison.authors == "agrees", comparison.year == "agrees"
