"""check_claim: does a paper say what a claim says it does?"""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_core.errors import MissingExtraError
from pincite_core.locator import ShortLocator, parse_locator
from pincite_materials.property_lexicon import KINDS
from pincite_materials.values import spell
from pincite_papers.model import Paper
from pincite_papers.passages import locate
from pincite_papers.quotes import QuoteMatch, find_quote
from pincite_provenance.claims.evidence import Evidence, bare_evidence, gather
from pincite_provenance.claims.material_check import check_material
from pincite_provenance.claims.properties import concepts_of
from pincite_provenance.claims.property_check import check_property
from pincite_provenance.claims.quantities import Quantity, find_quantities
from pincite_provenance.claims.tablecells import Place
from pincite_provenance.claims.values import Outcome, Wanted, an_uncertainty, judge, judge_words, missing_number
from pincite_provenance.model import Check, CheckName, Claim, ClaimChecks

_GRACE = 2
"""Characters by which a locator may miss the quote's ends."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A quantity that may be the claimed one, where it stands, and all that is said of it."""

    checks: tuple[Check, ...]

    @property
    def badness(self) -> tuple[int, int]:
        verdicts = [check.verdict for check in self.checks]
        return verdicts.count("fails"), verdicts.count("unsure")


def check_claim(paper: Paper, claim: Claim) -> ClaimChecks:
    """Every check that the claim gives something for: locator, quote, value, unit, material, property.

    Without pint and pymatgen value, unit, material and property stay unsure. Raises BadInputError for an empty or too
    long quote.
    """
    named = _locator(claim.locator)
    match = find_quote(
        paper,
        claim.quote,
        page=named.page if named is not None else None,
        near=(named.start, named.end) if named is not None else None,
    )
    checks = [_check_locator(paper, claim, named, match), _check_quote(paper, match)]
    evidence = gather(paper, match.spans) if match.stands else bare_evidence(claim.quote)
    try:
        checks += _check_contents(paper, claim, evidence, named)
    except MissingExtraError as error:
        checks += _unread(claim, str(error))
    return ClaimChecks(tuple(checks), locate(paper, match.start, match.end) if match.standing != "absent" else "")


def _unread(claim: Claim, why: str) -> list[Check]:
    """What cannot be checked where an extra is missing."""
    given: tuple[tuple[CheckName, str], ...] = (
        ("value", claim.value), ("unit", claim.unit), ("material", claim.material), ("property", claim.property),
    )  # fmt: skip
    return [Check(name, "unsure", why) for name, text in given if text.strip()]


def _locator(text: str) -> ShortLocator | None:
    """The parsed locator; None for the name of a paper."""
    return parse_locator(text) if "#" in text and text.strip().startswith("pc:") else None


def _check_locator(paper: Paper, claim: Claim, named: ShortLocator | None, match: QuoteMatch) -> Check:
    if named is None:
        return Check("locator", "unsure" if claim.locator else "fails", "the claim names no place in the paper")
    if named.paper_prefix != paper.paper_id[7:15]:
        return Check("locator", "fails", f"it names the paper pc:{named.paper_prefix}, not pc:{paper.paper_id[7:15]}")
    if named.end > len(paper.text) or named.start == named.end:
        return Check("locator", "fails", f"the paper's text has {len(paper.text)} characters; no passage is at {named}")
    page = paper.page_at(named.start)
    if named.page != page:
        actual = f"page {page}" if page is not None else "a paper without pages"
        return Check("locator", "fails", f"its offsets are on {actual}, it says page {named.page}")
    if not match.stands:
        return Check("locator", "unsure", "the quote stands nowhere, so that no locator can name it")
    if any(named.start - _GRACE <= span.start and span.end <= named.end + _GRACE for span in match.spans):
        return Check("locator", "holds", "it names the quote")
    shared = min(match.end, named.end) - max(match.start, named.start)
    if 2 * shared >= min(match.end - match.start, named.end - named.start):
        return Check(
            "locator",
            "holds",
            f"it names the most of the quote, which stands at {locate(paper, match.start, match.end)}",
        )
    where = f"the quote stands at {locate(paper, match.start, match.end)}"
    return Check("locator", "fails", f"{where}, the locator names {paper.text[named.start : named.end][:60]!r}")


def _check_quote(paper: Paper, match: QuoteMatch) -> Check:
    remark = f" {match.remark}" if match.remark else ""
    if match.standing == "exact":
        return Check("quote", "holds", "it stands in the paper, character for character")
    if match.standing == "normalised":
        return Check("quote", "holds", f"it stands in the paper but for {', '.join(match.normalisations)}")
    if match.standing == "absent":
        return Check("quote", "fails", "nothing like it stands in the paper." + remark)
    shown = "; ".join(f"the quote says {d.said!r}, the paper {d.printed!r}" for d in match.differences[:3])
    return Check("quote", "fails", f"it does not stand in the paper: {shown or 'the passage is cut'}.{remark}")


def _check_contents(paper: Paper, claim: Claim, evidence: Evidence, named: ShortLocator | None) -> list[Check]:
    """Value, unit, material and property, each read at the quantity of the quote that bears the claim out best."""
    if not claim.value.strip():
        return list(_names(paper, claim, evidence, None, [], None, None))
    wanted = Wanted.of(claim.value, claim.unit, _kinds(claim))
    if wanted.kind != "number":
        return _of_words(paper, claim, wanted, evidence)
    candidates: list[_Candidate] = []
    for place, text, low, high in _readings(evidence, named):
        quantities = find_quantities(text)
        inside = [q for q in quantities if low <= q.start < high]
        for quantity in inside:
            units = _units(quantity, place)
            outcome = judge(wanted, quantity, units)
            if outcome is not None:
                candidates.append(_candidate(paper, claim, evidence, place, text, quantity, quantities, outcome))
    best = min(candidates, key=lambda candidate: candidate.badness, default=None)
    readings = _readings(evidence, named)
    everything = [q for _, text, low, high in readings for q in find_quantities(text) if low <= q.start < high]
    if best is not None and not any(check.name == "unit" and check.verdict == "fails" for check in best.checks):
        return list(best.checks)
    spread = an_uncertainty(wanted, everything)
    if best is not None and spread is None:
        return list(best.checks)
    units = list(dict.fromkeys(unit for place in evidence.places for unit in place.units()))
    value = spread or missing_number(wanted, everything, units, "the quote")
    return [value, *_names(paper, claim, evidence, None, [], None, None)]


def _readings(evidence: Evidence, named: ShortLocator | None) -> list[tuple[Place | None, str, int, int]]:
    """The texts in which quantities are looked for, and the range of each that is quoted: cells one by one."""
    if not evidence.places:
        return [(None, evidence.text, evidence.low, evidence.high)]
    places = evidence.places
    if named is not None:
        aimed = tuple(p for p in places if named.start <= p.cell.start and p.cell.end <= named.end)
        places = aimed if len(aimed) == 1 else places
    return [(place, place.text, 0, len(place.text)) for place in places]


def _units(quantity: Quantity, place: Place | None) -> list[str]:
    return [quantity.unit] if quantity.unit or place is None else place.units()


def _candidate(
    paper: Paper,
    claim: Claim,
    evidence: Evidence,
    place: Place | None,
    text: str,
    quantity: Quantity,
    quantities: Sequence[Quantity],
    outcome: Outcome,
) -> _Candidate:
    unit = claim.unit or (_units(quantity, place) or [""])[0]
    checks = [outcome.value] + ([outcome.unit] if outcome.unit is not None else [])
    return _Candidate((*checks, *_names(paper, claim, evidence, quantity, quantities, unit, place)))


def _of_words(paper: Paper, claim: Claim, wanted: Wanted, evidence: Evidence) -> list[Check]:
    readings = [(place, place.text) for place in evidence.places] or [(None, evidence.quote)]
    candidates: list[_Candidate] = []
    for place, text in readings:
        value = judge_words(wanted, text, "the quote")
        named = _names(paper, claim, evidence, None, [], None, place)
        candidates.append(_Candidate((value, *(_self_evident(check, claim, wanted) for check in named))))
    return list(min(candidates, key=lambda candidate: candidate.badness).checks)


def _self_evident(check: Check, claim: Claim, wanted: Wanted) -> Check:
    """A crystal system or a space group says itself what it is."""
    if check.name == "property" and check.verdict == "unsure" and wanted.kind.replace(" ", "_") in _kinds(claim):
        return Check("property", "holds", f"{wanted} is a {wanted.kind}")
    return check


def _kinds(claim: Claim) -> set[str]:
    """The kinds of value that the claim's property has, of those that are no numbers."""
    return {KINDS[concept] for concept in concepts_of(spell(claim.property)) if concept in KINDS}


def _names(
    paper: Paper,
    claim: Claim,
    evidence: Evidence,
    value: Quantity | None,
    quantities: Sequence[Quantity],
    unit: str | None,
    place: Place | None,
) -> tuple[Check, ...]:
    checks: list[Check] = []
    if claim.material.strip():
        checks.append(check_material(paper, claim.material, evidence, value, quantities, place))
    if claim.property.strip():
        checks.append(check_property(spell(claim.property), evidence, value, quantities, unit, place))
    return tuple(checks)
