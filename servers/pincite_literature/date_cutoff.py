"""Date cutoff: every work passes here before it can appear in a result.

Entries of results are made from ``Cleared`` works, and only this module makes a work cleared.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NewType

from pincite_core.errors import BadInputError
from pincite_literature.identifiers import arxiv_of_doi
from pincite_literature.model import Work
from pincite_literature.notices import without_label
from pincite_literature.sources.source import Sort
from pincite_literature.withheld import Withheld

Cleared = NewType("Cleared", Work)
"""A work that may be shown."""
NOTHING = Withheld()
"""Withholds no work."""


@dataclass(frozen=True, slots=True)
class Merged:
    """A work that may be shown, and the very records, as their sources gave them, that it was merged from."""

    work: Cleared
    records: tuple[Work, ...]


class DateCutoff:
    """Lets works pass that surely appeared before ``before``, all when it is None, and none that is withheld.

    What counts is when a work could first be read: an article that was online before the cutoff passes, without the
    volume and pages of an issue that came after it. Under a cutoff a date that is unknown, or not known well enough,
    does not pass; counts of citations, retractions
    (with the label that they put on a title), links between versions and texts changed later are taken away, since they
    tell of what came later.
    """

    def __init__(self, before: date | None, withheld: Withheld = NOTHING) -> None:
        self.before = before
        self.withheld = withheld

    def allows(self, work: Work) -> bool:
        """Whether the work is not withheld and surely appeared before the cutoff."""
        if self.withheld.hides_any([work]):
            return False
        return self.before is None or (work.public is not None and work.public.surely_before(self.before))

    def clear(self, records: Sequence[Work]) -> list[Cleared | None]:
        """What may be shown of the records of ONE work, in their order; None for a record that does not pass.

        A record that speaks of a preprint and of the article after it is dated by the first of them: it passes without
        what belongs to the article, unless another record dates the article alone. A source that dates an article
        after the cutoff outvotes one that dates it before.
        """
        if self.withheld.hides_any(records):
            return [None for _ in records]
        if self.before is None:
            return [Cleared(record) for record in records]
        before = self.before
        late = {
            name
            for record in records
            if record.public is not None and record.public.earliest >= before and record.ids.arxiv is None
            for name in _article_names(record)
        }
        alone = {
            name
            for record in records
            if self.allows(record) and record.ids.arxiv is None
            for name in _article_names(record)
        } - late
        cleared = [self._cleared(record, late, alone, before) for record in records]
        if not any(_comes_out_after(record, before) for record in records):
            return cleared
        return [Cleared(_without_issue(record, before)) if record is not None else None for record in cleared]

    def clear_one(self, work: Work) -> Cleared | None:
        """What may be shown of a work that a single source describes."""
        return self.clear([work])[0]

    def keep(self, works: Iterable[Work]) -> tuple[list[Cleared], int]:
        """Those of these different works that pass, and how many do not."""
        cleared = [self.clear_one(work) for work in works]
        kept = [work for work in cleared if work is not None]
        return kept, len(cleared) - len(kept)

    def unite(self, records: Mapping[str, Cleared]) -> Cleared:
        """The one work that these cleared records, by source, are of."""
        from pincite_literature.combine import combine
        from pincite_literature.records import read_records

        read = read_records({source: [work] for source, work in records.items()})
        return Cleared(combine(read, [set() for _ in read]))

    def merge(self, lists: Mapping[str, Sequence[Work]], sort: Sort = "relevance") -> tuple[list[Merged], int]:
        """The works that these lists by source are of, in order, without what does not pass; how many do not."""
        from pincite_literature.merge import merge
        from pincite_literature.ranking import ranked

        groups = merge(lists)
        if self.before is None:
            shown = [group for group in groups if not self.withheld.hides_any(group.members)]
            passing = [Merged(Cleared(group.work), group.members) for group in ranked(shown, sort)]
            return passing, len(groups) - len(shown)
        cleared = {
            id(work): passed
            for group in groups
            for work, passed in zip(group.members, self.clear(group.members), strict=True)
        }
        origins = {id(cleared[id(work)]): work for works in lists.values() for work in works}
        passed = {
            source: [work for given in works if (work := cleared[id(given)]) is not None]
            for source, works in lists.items()
        }
        withheld = sum(all(cleared[id(work)] is None for work in group.members) for group in groups)
        return [
            Merged(Cleared(group.work), tuple(origins[id(work)] for work in group.members))
            for group in ranked(merge(passed), sort)
        ], withheld

    def note(self, withheld: int) -> str:
        """What a result says of works that did not pass, "" when there are none."""
        if not withheld or (self.before is None and not self.withheld):
            return ""
        works, are = ("work", "is") if withheld == 1 else ("works", "are")
        if self.before is None:
            return f"{withheld} {works} {are} withheld here."
        return f"{withheld} {works} on or after {self.before}, or of unknown date, {are} withheld."

    def refuse_counts(self, what: str) -> None:
        """BadInputError under a cutoff: ``what`` would tell of works that came later."""
        if self.before is not None:
            raise BadInputError(
                f"{what} is not available under the cutoff {self.before}: it would tell of later works.",
                next="Leave it out.",
            )

    def _cleared(self, record: Work, late: set[str], alone: set[str], before: date) -> Cleared | None:
        if not self.allows(record):
            return None
        names = _article_names(record)
        if record.ids.arxiv is None:
            if names & late or (late and not names and record.kind != "preprint"):
                return None
        elif _tells_of_article(record) and (names & late or not names & alone):
            record = _preprint_alone(record)
        changed = record.updated is not None and not record.updated.surely_before(before)
        return Cleared(
            replace(
                record,
                title=without_label(record.title),
                abstract="" if changed else record.abstract,
                updated=None if changed else record.updated,
                cited_by=None,
                retracted=False,
                notices=(),
                notice_of=(),
                version_of=(),
            )
        )


def _article_names(record: Work) -> set[str]:
    """The identifiers that belong to a published article, not to its preprint on arXiv."""
    own = record.ids.doi if record.ids.doi is not None and arxiv_of_doi(record.ids.doi) is None else None
    return {name for name in (own, record.ids.pmid, record.ids.pmcid) if name is not None}


def _tells_of_article(record: Work) -> bool:
    """Whether a record with an arXiv id names an article too."""
    return bool(_article_names(record)) or bool(record.venue and "arxiv" not in record.venue.lower())


def _comes_out_after(record: Work, before: date) -> bool:
    """Whether an article's issue, or another date of the version cited, is not surely before the cutoff."""
    return record.published is not None and not record.published.surely_before(before)


def _without_issue(record: Work, before: date) -> Work:
    """The record of an article that could be read online before the cutoff, without the issue that came out after."""
    dates = {"published": record.public, "dated_by": "online", "first_public": None}
    late = dates if _comes_out_after(record, before) else {}
    return replace(record, volume="", issue="", pages="", **late)


def _preprint_alone(record: Work) -> Work:
    """The record without what may belong to the article that the preprint became."""
    ids = record.ids
    own = ids.doi if ids.doi is not None and arxiv_of_doi(ids.doi) is not None else None
    return replace(
        record,
        ids=replace(ids, doi=own, pmid=None, pmcid=None),
        published=record.public,
        dated_by="online",
        first_public=None,
        kind="preprint",
        venue="",
        publisher="",
        volume="",
        issue="",
        pages="",
        issn="",
        isbn="",
        abstract=record.abstract if record.sources == ("arxiv",) else "",
        url=f"https://arxiv.org/abs/{ids.arxiv}",
        links=tuple(link for link in record.links if link.route == "arXiv"),
    )
