"""Whether a work stands, in a few words: every tool that shows a work says these."""

import re
from collections.abc import Mapping

from pincite_literature.model import RETRACTING, Notice, NoticeKind, Work
from pincite_literature.notices import retracted_label

STATUS = "Status: "
"""Begins the warning of a paper that was added with such a note."""

_NAMES: Mapping[NoticeKind, str] = {
    "retraction": "retracted",
    "partial_retraction": "partially retracted",
    "withdrawal": "withdrawn",
    "removal": "removed",
    "concern": "expression of concern",
    "correction": "corrected",
    "reinstatement": "reinstated",
}
_MOST = 4
"""Notices that are said in a line, the gravest first."""


def status_of(work: Work) -> str:
    """``retracted 2003-01-01 (doi:…), corrected 2002``; "" for a work on which no source has a notice."""
    told: dict[NoticeKind, str] = {}
    for notice in work.notices:
        if notice.kind in _NAMES and len(words := _told(notice)) > len(told.get(notice.kind, "")):
            told[notice.kind] = words
    ordered: list[NoticeKind] = [kind for kind in _NAMES if kind in told]
    parts = [told[kind] for kind in ordered][:_MOST]
    if work.retracted and not any(kind in RETRACTING for kind in ordered):
        parts.insert(0, "retracted")
    return ", ".join(parts) or status_of_title(work.title)


def status_of_title(title: str) -> str:
    """What a publisher's label on the title says ("RETRACTED: …"); "" for a title without one."""
    return retracted_label(title)


def status_in(warnings: tuple[str, ...]) -> str:
    """The status that a paper was added with; "" for none."""
    return next((text.removeprefix(STATUS) for text in warnings if text.startswith(STATUS)), "")


def _told(notice: Notice) -> str:
    name = re.sub(r"\s+", " ", notice.id)
    parts = (_NAMES[notice.kind], str(notice.date or ""), f"({name})" if name else "")
    return " ".join(part for part in parts if part)
