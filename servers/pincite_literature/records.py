"""What sources say of works, made comparable; which two of their records can be of one work."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pincite_literature.catalog import MIXING_VERSIONS
from pincite_literature.identifiers import arxiv_of_doi, identify
from pincite_literature.model import Identifiers, Work
from pincite_literature.names import MOST, Name, agreement, read_name
from pincite_literature.titles import Title, alike, read_title
from pincite_literature.venues import same_venue
from pincite_literature.versions import is_preprint, stem

LONGEST_WAY = 6
"""Years that a preprint may wait for its publication."""

_OF_ITS_OWN = frozenset({"dataset", "thesis", "book"})


@dataclass(frozen=True)
class Record:
    """A work as one source gives it. ``keys`` are its identifiers as ``kind:value``, DOIs without versions."""

    source: str
    rank: int
    work: Work
    title: Title
    preprint: bool
    keys: tuple[str, ...]
    versions: tuple[str, ...]
    """Keys of other versions that the source names."""

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """The authors' names, the first ``MOST``."""
        return tuple(read_name(author) for author in self.work.authors[:MOST])

    @cached_property
    def first_author(self) -> Name | None:
        """The first author's name."""
        return read_name(self.work.authors[0]) if self.work.authors else None

    @property
    def early(self) -> bool:
        """Whether its date may be a preprint's."""
        return self.preprint or self.work.ids.arxiv is not None or self.source in MIXING_VERSIONS

    @property
    def year(self) -> int | None:
        """The year in which it could first be read."""
        return self.work.public.year if self.work.public else None


def read_records(lists: Mapping[str, Sequence[Work]]) -> list[Record]:
    """All works of all sources, in an order that depends on neither the sources' order nor their ranking."""
    records = [_read(source, rank, work) for source, works in lists.items() for rank, work in enumerate(works, start=1)]
    return sorted(records, key=_order)


def plausible(one: Record, other: Record) -> bool:
    """Whether two records that share an identifier can be of one work, rather than one of them bearing a wrong one."""
    if one.title.notice != other.title.notice and one.title.compact != other.title.compact:
        return False
    if one.title.compact and one.title.compact == other.title.compact:
        return True
    shared = agreement(one.names, other.names)
    if alike(one.title, other.title):
        return not _far(one, other) if shared is None else shared >= 1 / 3
    return (shared is None or shared >= 0.5) and not _far(one, other) and not _other_volume(one, other)


def versions(one: Record, other: Record) -> bool:
    """Whether two records of which one names the other as its version can be of one work."""
    shared = agreement(one.names, other.names)
    if one.title.notice != other.title.notice:
        return False
    return alike(one.title, other.title) if not shared else True


def contradict(one: Record, other: Record, *, slack: int = 0) -> bool:
    """Whether something speaks against two records of nearly the same title being of one work.

    ``slack`` are years by which dates may differ further: of records that are linked by way of a third.
    """
    if one.title.notice != other.title.notice or agreement(one.names, other.names) == 0:
        return True
    kinds = {one.work.kind, other.work.kind}
    if _far(one, other, slack) or (len(kinds - {""}) == 2 and kinds & _OF_ITS_OWN):
        return True
    if one.preprint or other.preprint:
        return False
    if _other_volume(one, other):
        return True
    return kinds == {"conference", "article"} and same_venue(one.work.venue, other.work.venue) is False


def same_place(one: Record, other: Record) -> bool:
    """Whether both say the same volume and first page."""
    pages = [record.work.pages.partition("-")[0].strip() for record in (one, other)]
    return bool(pages[0]) and pages[0] == pages[1] and bool(_volume(one)) and _volume(one) == _volume(other)


def _far(one: Record, other: Record, slack: int = 0) -> bool:
    """Whether the years are too far apart: more than one, of a preprint and its publication more than six.

    A publication's record that bears an arXiv id, and any of Semantic Scholar's, may have the preprint's year.
    """
    if one.year is None or other.year is None:
        return False
    first, last = (one, other) if one.year <= other.year else (other, one)
    gap = abs(one.year - other.year)
    return gap > (LONGEST_WAY if first.early and not last.preprint else 2 if first.preprint else 1) + slack


def _other_volume(one: Record, other: Record) -> bool:
    return bool(_volume(one)) and bool(_volume(other)) and _volume(one) != _volume(other)


def _volume(record: Record) -> str:
    volume = record.work.volume.strip().lstrip("0")
    return "" if len(volume) == 4 and volume.isdigit() and volume[:2] in {"18", "19", "20"} else volume.lower()


def _read(source: str, rank: int, work: Work) -> Record:
    named = (identify(other) for other in work.version_of)
    return Record(
        source,
        rank,
        work,
        read_title(work.title),
        is_preprint(work),
        keys(work.ids),
        tuple(key for ids in named if ids for key in keys(ids)),
    )


def keys(ids: Identifiers) -> tuple[str, ...]:
    """The identifiers as ``kind:value``; a DOI of arXiv counts as the arXiv id, any other without its version."""
    found: dict[str, None] = {}
    for kind, value in ids.known().items():
        if kind == "doi" and (implied := arxiv_of_doi(value)):
            found[f"arxiv:{implied}"] = None
        else:
            found[f"{kind}:{stem(value) if kind == 'doi' else value}"] = None
    return tuple(found)


def _order(record: Record) -> tuple[Any, ...]:
    work = record.work
    return (
        record.source,
        record.title.compact,
        record.keys,
        work.title,
        str(work.public),
        str(work.published),
        work.venue,
        record.rank,
    )
