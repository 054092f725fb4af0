"""Spans: where the values of an answer stand in the papers, and whether they stand where the gold says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal, get_args

from pincite_papers.model import Paper
from pincite_papers.quoting.skeleton import Skeleton
from pincite_scoring.property_extraction.assignment import assign
from pincite_scoring.quotations import check_in_paper, check_quote
from pincite_scoring.record_filling.objects import Evidence, Filled
from pincite_scoring.shown import NOTHING_SHOWN, Shown

Standing = Literal["verified", "wrong_page", "unverifiable", "no_evidence", "absent", "no_such_paper"]
STANDINGS: tuple[Standing, ...] = get_args(Standing)
"""From the best to the worst."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A passage of a paper that evidence for a field names: ``text[start:end]``."""

    field: str
    paper: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Located:
    """How evidence stands, and the passage where it does."""

    standing: Standing
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Evidences:
    """The evidence of several objects: how each piece stands (by object and position), and the distinct places."""

    located: dict[tuple[int, int], Located]
    places: tuple[Place, ...]

    @classmethod
    def of(cls, objects: Sequence[Filled], papers: Mapping[str, Paper], shown: Shown = NOTHING_SHOWN) -> "Evidences":
        """Locate everything; equal evidence is looked for once."""
        known: dict[Evidence, Located] = {}
        located: dict[tuple[int, int], Located] = {}
        for i, filled in enumerate(objects):
            for k, evidence in enumerate(filled.evidence):
                if evidence not in known:
                    known[evidence] = locate(evidence, papers, shown)
                located[i, k] = known[evidence]
        return cls(located, tuple(sorted({found.place for found in known.values() if found.place is not None})))

    @property
    def verified(self) -> int:
        """Pieces that stand where they say."""
        return sum(found.standing == "verified" for found in self.located.values())

    @property
    def unverifiable(self) -> int:
        """Pieces on pages that were read poorly: they may stand in the print."""
        return sum(found.standing == "unverifiable" for found in self.located.values())

    @property
    def lost(self) -> int:
        """Pieces that stand nowhere."""
        placed = ("verified", "wrong_page", "unverifiable")
        return sum(found.standing not in placed for found in self.located.values())


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many places there are in answer and gold, how many are the same, and how many overlap one to one."""

    answers: int
    golds: int
    same: int
    touching: int


def locate(evidence: Evidence, papers: Mapping[str, Paper], shown: Shown = NOTHING_SHOWN) -> Located:
    """Where one piece of evidence stands: by its offsets where they hold its quote, else by the quote as the
    provenance server looks for it. A quote that stands in several places is taken for the first on its page. It is
    looked for in the paper that is named, else in all; then in what a tool showed of these (it has no place there)."""
    named = PurePosixPath(evidence.paper).name
    names = [named] if named in papers else list(papers)
    if not names:
        return Located("no_such_paper")
    tried = [_in_paper(evidence, name, papers[name]) for name in names]
    best = min(tried, key=lambda located: STANDINGS.index(located.standing))
    if best.standing in ("absent", "unverifiable"):
        checked = check_quote(papers, evidence.quote, evidence.page, evidence.paper, shown=shown)
        return Located("verified") if checked.standing == "verified" else best
    return best


def _in_paper(evidence: Evidence, name: str, paper: Paper) -> Located:
    given = _given(evidence, paper)
    if given is not None:
        wrong = evidence.page is not None and bool(paper.pages) and paper.page_at(given[0]) != evidence.page
        return Located("wrong_page" if wrong else "verified", Place(evidence.field, name, *given))
    if not evidence.quote.strip():
        return Located("no_evidence")
    checked = check_in_paper(paper, evidence.quote, evidence.page if paper.pages else None, name)
    if not checked.located:
        return Located("unverifiable" if checked.standing == "unverifiable" else "absent")
    place = Place(evidence.field, name, checked.start, checked.end)
    return Located("wrong_page" if checked.standing == "wrong_page" else "verified", place)


def _given(evidence: Evidence, paper: Paper) -> tuple[int, int] | None:
    """The offsets that the evidence gives, where they lie in the paper and hold its quote, if it has one."""
    start, end = evidence.start, evidence.end
    if start is None or end is None or not start < end <= len(paper.text):
        return None
    if evidence.quote and Skeleton.of(paper.text[start:end]).bare != Skeleton.of(evidence.quote).bare:
        return None
    return start, end


def overlap(answers: Sequence[Place], golds: Sequence[Place]) -> Overlap:
    """Compare places of the same field and paper; touching places are paired one to one, by the most shared text."""
    weights: dict[tuple[int, int], float] = {}
    for i, answer in enumerate(answers):
        for j, gold in enumerate(golds):
            if (answer.field, answer.paper) == (gold.field, gold.paper):
                shared = min(answer.end, gold.end) - max(answer.start, gold.start)
                union = max(answer.end, gold.end) - min(answer.start, gold.start)
                if shared > 0:
                    weights[i, j] = 1.0 + shared / union / (1 + len(golds))
    touching = len(assign(weights)) if weights else 0
    return Overlap(len(answers), len(golds), len(set(answers) & set(golds)), touching)
