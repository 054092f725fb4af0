"""verify_quote and verify_claim: what stands in a paper, and what someone only says does."""

from typing import TYPE_CHECKING, Annotated, Any, NotRequired

import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp_types import InputRequiredResult
from pydantic import Field
from typing_extensions import TypedDict

from pincite_papers.arguments import PaperName
from pincite_provenance.state import ProvenanceState

if TYPE_CHECKING:
    from pincite_papers.model import Paper
    from pincite_papers.quoting.quotes import QuoteMatch
    from pincite_provenance.model import Claim, ClaimChecks, Judgement

AskPerson = Annotated[bool, Field(description="Ask the user where it is unsure")]

_MOST_QUOTE_CHARS = 4000
_SHOWN_CHARS = 2000

_STANDINGS = {
    "exact": "exact: the quote stands in the paper, character for character",
    "normalised": "exact after normalisation: the quote stands in the paper but for what overlooked names",
    "near": "not a quote: the paper says something like it, see differences",
    "absent": "not found: nothing like the quote stands in the paper",
}


class QuoteDifference(TypedDict):
    """Words in which the two differ."""

    quote_says: str
    paper_says: str


class QuoteStanding(TypedDict):
    """``stands`` is true only for an exact quote, or one exact after the normalisations in ``overlooked``. ``text`` is
    what the paper has at ``locator``, of a passage that is only near too."""

    stands: bool
    standing: str
    locator: str
    section: str
    text: str
    overlooked: list[str]
    differences: list[QuoteDifference]
    distance: int
    places: int
    other_places: NotRequired[list[str]]
    wrong_page: NotRequired[str]
    cut: NotRequired[str]
    unreliable: NotRequired[str]
    ocr: NotRequired[float]
    remark: NotRequired[str]


class ClaimCheck(TypedDict):
    """One question asked of the claim: holds, fails or unsure, and why."""

    name: str
    verdict: str
    reason: str


class JudgeAnswer(TypedDict):
    """What a model or a person says of what the rules leave unsure: yes or no settle it, unsure does not."""

    kind: str
    by: str
    answer: str
    words: NotRequired[str]
    reason: NotRequired[str]


class ClaimVerdict(TypedDict):
    """``verdict`` is the rules': fails when one check does, else unsure when one is, else holds. ``judge`` was asked
    where it is unsure. ``locator`` is where the quote, or what is near it, stands."""

    verdict: str
    facts: str
    locator: str
    checks: list[ClaimCheck]
    judge: NotRequired[JudgeAnswer]


async def verify_quote(
    state: ProvenanceState,
    paper: PaperName,
    quote: Annotated[
        str, Field(min_length=1, max_length=_MOST_QUOTE_CHARS, description="… or [...] for what is left out")
    ],
    page: Annotated[int, Field(ge=0, description="Page of the file, from 1, where it should stand; 0 for any")] = 0,
    *,
    calling: Context[Any, Any],
) -> QuoteStanding:
    """Check whether a quote stands in a paper. Print is forgiven (spaces, line-end hyphens, ligatures, dashes, lost
    script marks) where no number, sign, unit or word changes; each is named. Case counts."""
    opened = await state.library.open(paper, calling)

    def verify() -> QuoteStanding:
        from pincite_papers.quoting.quotes import find_quote

        return _shown(opened, find_quote(opened, quote, page or None), page)

    return await anyio.to_thread.run_sync(verify)


def _shown(paper: "Paper", match: "QuoteMatch", page: int) -> QuoteStanding:
    from pincite_papers import doubts
    from pincite_papers.passages import locate, ocr_confidence, section_at

    found = match.standing != "absent"
    start, end = match.start, match.end
    shown = QuoteStanding(
        stands=match.stands,
        standing=_STANDINGS[match.standing],
        locator=locate(paper, start, end) if found else "",
        section=section_at(paper, start) if found else "",
        text=doubts.show(paper, start, min(end, start + _SHOWN_CHARS)),
        overlooked=list(match.normalisations),
        differences=[QuoteDifference(quote_says=d.said, paper_says=d.printed) for d in match.differences],
        distance=match.distance,
        places=match.count,
    )
    if match.places:
        shown["other_places"] = [locate(paper, place.start, place.end) for place in match.places]
    if match.wrong_page:
        shown["wrong_page"] = f"it stands on page {match.page}, not on page {page}"
    elif page and not paper.pages:
        shown["wrong_page"] = "the paper has no pages: its page cannot be checked"
    if end - start > _SHOWN_CHARS:
        shown["cut"] = f"the passage goes on to {end}"
    unreliable, ocr = doubts.note(paper, start, end), ocr_confidence(paper, start, end) if found else None
    if unreliable:
        shown["unreliable"] = unreliable
    if ocr is not None:
        shown["ocr"] = ocr
    if match.remark:
        shown["remark"] = match.remark
    return shown


async def verify_claim(
    state: ProvenanceState,
    quote: Annotated[str, Field(min_length=1, max_length=_MOST_QUOTE_CHARS, description="Copied exactly")],
    locator: Annotated[str, Field(description="The quote's locator, or the paper (path or id)")],
    value: Annotated[str, Field(max_length=500, description="As printed or converted, with uncertainty")] = "",
    unit: Annotated[str, Field(max_length=100)] = "",
    material: Annotated[str, Field(max_length=500)] = "",
    property: Annotated[str, Field(max_length=500)] = "",  # noqa: A002
    ask_person: AskPerson = False,
    *,
    calling: Context[Any, Any],
) -> ClaimVerdict | InputRequiredResult:
    """Check a claim against its paper: does the quote stand at the locator, the value with its unit in the quote, and
    is it given for this material and property. Unsure is not a yes. Records nothing."""
    from pincite_provenance.judging.person import PersonNeededError
    from pincite_provenance.judging.settling import settle
    from pincite_provenance.model import Claim, Facts

    paper = await state.library.open(locator, calling)
    claim = Claim(quote, locator, value, unit, material, property)
    checks = await anyio.to_thread.run_sync(checked, paper, claim)
    try:
        judgement = await settle(state.settings, calling, paper, claim, checks, by_person=ask_person)
    except PersonNeededError as needed:
        return needed.result
    entries = [ClaimCheck(name=each.name, verdict=each.verdict, reason=each.reason) for each in checks.checks]
    facts = Facts.of(((each.name, each.verdict) for each in checks.checks), checks.verdict)
    made = ClaimVerdict(verdict=checks.verdict, facts=str(facts), locator=checks.locator, checks=entries)
    if judgement is not None:
        made["judge"] = judge_answer(judgement)
    return made


def checked(paper: "Paper", claim: "Claim") -> "ClaimChecks":
    """The rules' checks of a claim; to be called in a thread, which the first call loads them in."""
    from pincite_provenance.claims.check import check_claim

    return check_claim(paper, claim)


def judge_answer(judgement: "Judgement") -> JudgeAnswer:
    """As results show it; what is empty is left out."""
    made = JudgeAnswer(kind=judgement.kind, by=judgement.by, answer=judgement.answer)
    if judgement.words:
        made["words"] = judgement.words
    if judgement.reason:
        made["reason"] = judgement.reason
    return made
