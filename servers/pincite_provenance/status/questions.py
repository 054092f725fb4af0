"""What the sources' records say of a work: retracted, corrected, under concern, and in which version it is."""

from collections.abc import Collection, Mapping
from typing import Literal

from pincite_literature.catalog import AUTHORITIES, TELL_NOTICES, TELL_RETRACTIONS
from pincite_literature.dates import PartialDate
from pincite_literature.model import RETRACTING, Notice, NoticeKind, Work

Answer = Literal["yes", "no", "unknown"]
Silence = Literal["no", "unknown"]
Retracted = Literal["yes", "partly", "reinstated", "no", "unknown"]
Version = Literal["preprint", "published", "unknown"]

_DECIDES = AUTHORITIES["doi"]


def retracted(records: Mapping[str, Work], failed: Collection[str]) -> Retracted:
    """Whether the work is retracted, by these records and with these sources down.

    ``reinstated`` when a notice of that came after the last retraction, ``partly`` when only a part of it is.
    """
    notices = [notice for record in records.values() for notice in record.notices]
    last = _last(notices, RETRACTING)
    back = _last(notices, {"reinstatement"})
    if back is not None and (last is None or back.earliest >= last.latest):
        return "reinstated"
    if any(record.retracted for record in records.values()):
        return "yes"
    if any(notice.kind == "partial_retraction" for notice in notices):
        return "partly"
    return _not_said(records, failed, TELL_RETRACTIONS)


def said(kind: NoticeKind, records: Mapping[str, Work], failed: Collection[str]) -> Answer:
    """Whether there is a notice of this kind on the work."""
    if any(notice.kind == kind for record in records.values() for notice in record.notices):
        return "yes"
    return _not_said(records, failed, TELL_NOTICES)


def version(records: Mapping[str, Work]) -> Version:
    """Whether any source knows it as published; a work with a venue that is not a repository is."""
    kinds = {record.kind for record in records.values() if record.kind}
    if kinds - {"preprint", "other"}:
        return "published"
    return "preprint" if "preprint" in kinds or "arxiv" in records else "unknown"


def _not_said(
    records: Mapping[str, Work], failed: Collection[str], tellers: Collection[str]
) -> Literal["no", "unknown"]:
    """``no`` only where who would know was asked: Crossref has the work, or all others that tell answered."""
    if _DECIDES in records:
        return "no"
    if _DECIDES in failed:
        return "unknown"
    asked = any(name in records for name in tellers)
    return "no" if asked and not any(name in failed for name in tellers) else "unknown"


def _last(notices: Collection[Notice], kinds: Collection[NoticeKind]) -> PartialDate | None:
    """The date of the last notice of these kinds."""
    dates = [notice.date for notice in notices if notice.kind in kinds and notice.date is not None]
    return max(dates, key=lambda date: date.latest, default=None)
