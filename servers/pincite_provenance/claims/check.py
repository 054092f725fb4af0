"""check_claim: does a paper say what a claim says it does?"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite_core.errors import MissingExtraError
from pincite_core.locator import PAPER_IN_CLAIM, ShortLocator, parse_locator
from pincite_materials.property_lexicon import KINDS
from pincite_materials.units import known
from pincite_papers import doubts
from pincite_papers.model import Paper
from pincite_papers.passages import locate, short_id
from pincite_papers.quoting.quotes import QuoteMatch, find_quote
from pincite_provenance.claims.abbreviations import abbreviations_of
from pincite_provenance.claims.denials import FALL
from pincite_provenance.claims.evidence import Evidence, bare_evidence, gather
from pincite_provenance.claims.properties import can_have, concepts_of
from pincite_provenance.claims.prose_check import ProseCheck
from pincite_provenance.claims.quantities import UNIT_WORDS, Quantity, find_quantities
from pincite_provenance.claims.reading import clean
from pincite_provenance.claims.table_check import TableCheck
from pincite_provenance.claims.tablecells import Place
from pincite_provenance.claims.terms import plain_keys
from pincite_provenance.claims.values import (
    Outcome,
    Wanted,
    an_uncertainty,
    follows,
    judge,
    judge_words,
    missing_number,
    stands,
    told_otherwise,
)
from pincite_provenance.claims.wanted import Asked
from pincite_provenance.claims.weighing import Seen
from pincite_provenance.claims.words import meaning, read_words, stem, stems
from pincite_provenance.model import Check, CheckName, Claim, ClaimChecks

_POWERS = frozenset(10.0**power for power in range(-12, 13))
_GRACE = 2
"""Characters by which a locator may miss the quote's ends."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A quantity that may be the claimed one, where it stands, and all that is said of it."""

    checks: tuple[Check, ...]
    place: Place | None
    quantity: Quantity
    seen: Seen | None = None
    """What the weighing needs of a number of a sentence; None for a cell."""

    @property
    def badness(self) -> tuple[int, int]:
        verdicts = [check.verdict for check in self.checks]
        return verdicts.count("fails"), verdicts.count("unsure")


def check_claim(paper: Paper, claim: Claim) -> ClaimChecks:
    """Every check that the claim gives something for: locator, quote, value, unit, material, property.

    Without pint and pymatgen value, unit, material and property stay unsure. Raises BadInputError for an empty or too
    long quote.
    """
    claim = _with_plain_share(without_marks(claim))
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


def without_marks(claim: Claim) -> Claim:
    """The claim without the marks that tools put around unreliable characters."""
    texts = (claim.quote, claim.value, claim.unit, claim.material, claim.property)
    if not any(doubts.OPENING in text or doubts.CLOSING in text for text in texts):
        return claim
    quote, value, unit, material, named = (doubts.bare(text) for text in texts)
    return replace(claim, quote=quote, value=value, unit=unit, material=material, property=named)


def _with_plain_share(claim: Claim) -> Claim:
    """A claim in ``% of control`` or ``% (w/w)`` as one in ``%``; what is behind "of" goes with the property."""
    share = _SHARE.fullmatch(claim.unit.strip())
    if share is None:
        return claim
    return replace(claim, unit="%", property=f"{claim.property} {share['whole'] or ''}".strip())


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
        return _check_paper_alone(paper, claim, match)
    if named.paper_prefix != short_id(paper):
        return Check("locator", "fails", f"it names the paper pc:{named.paper_prefix}, not pc:{short_id(paper)}")
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


def _check_paper_alone(paper: Paper, claim: Claim, match: QuoteMatch) -> Check:
    """A locator that names the paper only is good where the quote stands once: it then names the place."""
    if not claim.locator.strip():
        return Check("locator", "fails", "the claim names no place in the paper")
    named = PAPER_IN_CLAIM.match(claim.locator)
    if named is not None and named["digits"] != short_id(paper):
        return Check("locator", "fails", f"it names the paper pc:{named['digits']}, not pc:{short_id(paper)}")
    if not match.stands:
        return Check("locator", "unsure", "the claim names no place in the paper, and the quote stands nowhere")
    if match.count > 1:
        return Check("locator", "unsure", f"the claim names no place; the quote stands at {match.count} places")
    return Check("locator", "holds", "it names the paper, where the quote stands once")


def _check_quote(paper: Paper, match: QuoteMatch) -> Check:
    remark = f" {match.remark}" if match.remark else ""
    unreliable = ", ".join(said for span in match.spans if (said := doubts.note(paper, span.start, span.end)))
    if match.stands and unreliable:
        return Check("quote", "unsure", f"it stands in what we read, but unreliably: {unreliable}. Look at the page.")
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
    wanted = Wanted.of(claim.value, claim.unit, _kinds(claim))
    reader = _ClaimReader(paper, claim, evidence, wanted)
    if not claim.value.strip() or wanted.kind != "number":
        return reader.words()
    candidates, everything = _candidates(reader, wanted, evidence, named)
    best = min(candidates, key=lambda candidate: candidate.badness, default=None)
    unit_fails = best is not None and any(c.name == "unit" and c.verdict == "fails" for c in best.checks)
    spread = an_uncertainty(wanted, everything)
    if best is not None and (not unit_fails or spread is None):
        return [*best.checks]
    units = list(dict.fromkeys(unit for place in evidence.places for unit in place.units()))
    value = spread or missing_number(wanted, everything, units, "the quote")
    if value.verdict == "fails" and spread is None:
        value = _said_otherwise(wanted, evidence, everything) or value
    names = reader.without_number()
    if value.verdict == "fails" and spread is None and not evidence.places:
        value = _of_something_else(wanted, evidence, everything, names) or value
    return [value, *names]


def _of_something_else(
    wanted: Wanted, evidence: Evidence, quantities: Sequence[Quantity], names: Sequence[Check]
) -> Check | None:
    """Why a sentence without the claimed number may not contradict it: it is not seen to be about the claim's material
    and property, or the number follows from those that it gives.
    """
    unnamed = next((check for check in names if check.verdict != "holds"), None)
    if unnamed is not None and quantities:
        return Check("value", "unsure", f"{wanted} does not stand in the quote, and {unnamed.reason}")
    result = follows(wanted, find_quantities(evidence.text))
    return Check("value", "unsure", f"{wanted} may be {result}") if result else None


def _candidates(
    reader: "_ClaimReader", wanted: Wanted, evidence: Evidence, named: ShortLocator | None
) -> tuple[list[_Candidate], list[Quantity]]:
    """The quantities of the quote that may be the claimed one, and all of its quantities."""
    candidates: list[_Candidate] = []
    everything: list[Quantity] = []
    for place, text, low, high in _readings(evidence, named):
        inside = [q for q in find_quantities(text) if low <= q.start < high]
        everything += inside
        for quantity in inside:
            outcome = judge(wanted, quantity, _units(quantity, place))
            if outcome is not None:
                checks = tuple(reader.number(place, quantity, outcome))
                candidates.append(_Candidate(checks, place, quantity, reader.seen if place is None else None))
    return candidates, everything


def seen_of(paper: Paper, claim: Claim) -> Seen | None:
    """What is weighed of the number of a sentence that bears the claim out best; None without one whose value and
    unit hold. The weights are fitted to this.
    """
    match = find_quote(paper, claim.quote)
    evidence = gather(paper, match.spans) if match.stands else bare_evidence(claim.quote)
    wanted = Wanted.of(claim.value, claim.unit, _kinds(claim))
    if not claim.value.strip() or wanted.kind != "number" or evidence.places:
        return None
    candidates, _ = _candidates(_ClaimReader(paper, claim, evidence, wanted), wanted, evidence, None)
    best = min(candidates, key=lambda candidate: candidate.badness, default=None)
    return best.seen if best is not None else None


def _said_otherwise(wanted: Wanted, evidence: Evidence, quantities: Sequence[Quantity]) -> Check | None:
    """Why a number that the quote lacks may be right all the same: it stands beside a quote that cuts its
    sentence, words give its sign (``reduced by 0.04``) or the number (``half``), or the labels give a factor
    (``(×10^-2)``).
    """
    assert wanted.value is not None
    number = wanted.value.numbers[0]
    if not evidence.places:
        is_cut = re.search(r"[.?!][\])]?\s*$", evidence.quote) is None
        around = (evidence.paragraph if is_cut else "") or evidence.text
        beside = [q for q in find_quantities(around) if q.value == number]
        if beside:
            return Check("value", "unsure", f"{beside[0].printed} stands beside the quote, not in it")
    labels = " ".join(text for p in evidence.places for text in (*p.column, *p.row, p.grid.caption))
    if re.search(r"10\s?\^", labels) and any(q.value and abs(number / q.value) in _POWERS for q in quantities):
        return Check("value", "unsure", "the table gives a power of ten as a factor")
    if any(q.value == -number for q in quantities) and number < 0 and FALL.search(evidence.text):
        return Check("value", "unsure", f"the quote gives the sign of {wanted} in words, if at all")
    return None if evidence.places else told_otherwise(wanted, evidence.text, "the quote")


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


_SHARE = re.compile(r"(?:%|per ?cent)\s*(?:(?P<whole>of\s.+)|\(?[wvm]/[wvm]\)?|\([a-z ]+\))")
_UNIT_WORD = re.compile(r"[A-Za-z]+")
_SHARES = stems(
    "accuracy f1 precision recall bleu rouge sensitivity specificity rate percentage proportion acc f-score share"
)
"""Words of properties that are given as shares of 100."""


def meaning_of(text: str) -> frozenset[str]:
    """All keys of the words of a text."""
    return plain_keys(clean(text))


def _begins_with_words(text: str, unit: str) -> bool:
    """Whether a text begins with the words of a unit that is counted (``55 amino acid tail`` for amino acids)."""
    wanted, there = (
        [stem(UNIT_WORDS.get(word, word)) for word in _UNIT_WORD.findall(each) if word != "per"]
        for each in (unit, text)
    )
    return bool(wanted) and there[: len(wanted)] == wanted and re.match(r"[\s-]*[A-Za-z]", text) is not None


class _ClaimReader:
    """A claim made ready, asked about numbers one by one."""

    def __init__(self, paper: Paper, claim: Claim, evidence: Evidence, wanted: Wanted) -> None:
        self._paper, self._claim, self._evidence, self._wanted = paper, claim, evidence, wanted
        abbreviations = abbreviations_of.of(paper)
        counted = claim.unit if claim.unit and not known(claim.unit) else ""
        bound = wanted.value.bound if wanted.value is not None else ""
        numbers = wanted.value.numbers if wanted.value is not None else ()
        self._asked = Asked.of(claim, counted, numbers, bound, abbreviations)
        self._prose = ProseCheck(paper, self._asked, evidence, abbreviations)
        self._table = TableCheck(paper, self._asked, evidence, abbreviations)

    @property
    def seen(self) -> Seen | None:
        """What is weighed of the number of a sentence that was asked about last."""
        return self._prose.seen

    def number(self, place: Place | None, quantity: Quantity, outcome: Outcome) -> list[Check]:
        """All checks of a number that is the claimed one."""
        value = outcome.value
        if value.verdict == "unsure" and quantity.bound and self._asked.asks_for_end(quantity.bound):
            value = Check("value", "holds", f"the paper gives {quantity.printed} as the most or the least")
        checks = [value] + ([outcome.unit] if outcome.unit is not None else [])
        named = self._prose.names(quantity) if place is None else self._table.names(place, quantity)
        if outcome.unit is not None and outcome.unit.verdict != "holds":
            checks[1] = self._unit_elsewhere(place, quantity) or outcome.unit
        for check in named:
            if check.name != "value":
                checks.append(check)
            elif checks[0].verdict == "holds":
                checks[0] = check
        checks = [self._of_its_kind(check, place, quantity) for check in checks]
        unit = outcome.unit is not None and checks[1]
        if unit and unit.verdict == "unsure" and place is not None and checks[-1].verdict == "holds":
            checks[1] = self._unprinted(place, quantity) or unit
        return checks

    def _of_its_kind(self, check: Check, place: Place | None, quantity: Quantity) -> Check:
        """The property check, unsure where values of the property are given in units of another kind only."""
        if check.name != "property" or check.verdict != "holds":
            return check
        units = [quantity.unit] if quantity.unit or place is None else place.units()
        concepts = concepts_of(clean(self._claim.property))
        if all(can_have(concepts, unit) for unit in units if unit):
            return check
        return Check("property", "unsure", f"{self._claim.property} is not known to be given in {units[0]}")

    def _unprinted(self, place: Place, quantity: Quantity) -> Check | None:
        """The unit check of a cell whose table says no unit: things that are counted, and shares of 100."""
        unit = self._claim.unit.strip()
        if quantity.unit or place.units():
            return None
        if unit.isalpha() and len(unit) > 3 and not known(unit) and quantity.value.is_integer():
            return Check("unit", "holds", f"the table counts; it does not say {unit}")
        if unit == "%" and 1 < quantity.value <= 100 and meaning_of(self._claim.property) & _SHARES:
            return Check("unit", "holds", "a share of 100, printed without its sign")
        return None

    def _unit_elsewhere(self, place: Place | None, quantity: Quantity) -> Check | None:
        """The unit check where the unit stands elsewhere: with other numbers, in labels or the caption, as a word."""
        unit = self._claim.unit.strip()
        folds = re.match(r"[\s-]*(?:folds?|times|×)", quantity.behind) is not None
        if folds and unit.strip("- ") in ("fold", "times", "×", "x"):
            return Check("unit", "holds", "so many times")
        if not unit and place is None and quantity.unit.isalpha() and len(quantity.unit) > 4:
            return Check("unit", "holds", f"{quantity.unit} are counted")
        if not unit:
            only_share = place is not None and not quantity.unit and set(place.units()) <= {"%"}
            return Check("unit", "holds", "the claim gives none; the cell's labels have %") if only_share else None
        sides = place is None and re.search(r"[×x]\s*$", self._evidence.text[: quantity.start])
        if sides and re.fullmatch(rf"{re.escape(unit)}\s*\^?\{{?[23]\}}?", quantity.unit):
            return Check(
                "unit", "unsure", f"{quantity.printed} may be a side, in {unit}, of a product in {quantity.unit}"
            )
        if quantity.unit and known(unit):
            return None
        if place is not None:
            texts = (*place.column, *place.row, place.grid.caption, place.grid.notes)
        elif re.match(r"\s*(?:[,;().×x±]|and\b|or\b|vs\b|$)", quantity.behind):
            texts = (self._evidence.text,)
        else:
            texts = ()
        if any(stands(unit, text) for text in texts):
            return Check("unit", "holds", f"{unit} stands with it")
        words = re.findall(r"[A-Za-zμ%]+|\d+", unit)
        here = clean(quantity.printed + quantity.behind) if place is None else " ".join((*texts, place.text))
        if len(words) > 1 and all(re.search(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", here) for word in words):
            return Check("unit", "holds", f"{unit} stands with it in parts")
        if not known(unit) and not quantity.unit and _begins_with_words(quantity.behind, unit):
            return Check("unit", "holds", f"{unit} stands behind it")
        counted = not known(unit) and unit.isalpha() and len(unit) > 3
        if counted and not quantity.unit and self._counts(unit, place):
            return Check("unit", "holds", f"{unit} are counted")
        return None

    def _counts(self, unit: str, place: Place | None) -> bool:
        text = (
            self._evidence.text
            if place is None
            else " ".join((*place.column, *place.row, place.grid.caption, place.grid.notes))
        )
        keys = meaning(unit)
        return any(word.keys & keys for word in read_words(text))

    def without_number(self) -> list[Check]:
        """The checks of material and property where the value is not there."""
        return self._prose.without_number() if not self._evidence.places else []

    def words(self) -> list[Check]:
        """All checks of a claim whose value is not a number, or that has none."""
        claim, wanted = self._claim, self._wanted
        readings = [place.text for place in self._evidence.places] or [self._evidence.quote]
        values = [judge_words(wanted, text, "the quote") for text in readings] if claim.value.strip() else []
        checks = [min(values, key=lambda check: check.verdict == "fails")] if values else []
        return [*checks, *(_self_evident(check, claim, wanted) for check in self._prose.without_number())]


def _self_evident(check: Check, claim: Claim, wanted: Wanted) -> Check:
    """A crystal system or a space group says itself what it is."""
    if check.name == "property" and check.verdict == "unsure" and wanted.kind.replace(" ", "_") in _kinds(claim):
        return Check("property", "holds", f"{wanted} is a {wanted.kind}")
    return check


def _kinds(claim: Claim) -> set[str]:
    """The kinds of value that the claim's property has, of those that are not numbers."""
    return {KINDS[concept] for concept in concepts_of(clean(claim.property)) if concept in KINDS}
