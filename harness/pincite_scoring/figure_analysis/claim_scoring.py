"""Scoring: the claims of a case's gold in its answer, as metrics and records of score.json."""

from collections.abc import Iterable
from typing import Any

from pincite_scoring.case import Case
from pincite_scoring.figure_analysis.claims.check import Checked, check_answer
from pincite_scoring.figure_analysis.claims.derive import derive_claims
from pincite_scoring.figure_analysis.claims.judging import settle
from pincite_scoring.figure_analysis.claims.model import Claims
from pincite_scoring.figure_analysis.claims.reading import read_answer
from pincite_scoring.figure_analysis.claims.rows import Rows
from pincite_scoring.figure_analysis.claims.support import Support
from pincite_scoring.figure_analysis.claims.verdicts import ClaimVerdict
from pincite_scoring.figure_analysis.gold import Gold, read_gold, read_texts
from pincite_scoring.result import ScoringOptions
from pincite_scoring.scorer import GoldProblem

STATES = ("carried", "undecided", "missing", "contradicted")
UNSUPPORTED = "unsupported"
DERIVED = "derived from the gold's text by rule"


def check_claims(gold: Gold, answer: str, case: Case, options: ScoringOptions) -> Checked | None:
    """The claims of the gold in the answer, by rule and then by the judge; None where the gold has no claims."""
    tables = read_texts(case.files)
    claims = gold.claims or derive_claims(gold.analysis, tables)
    if claims is None:
        return None
    if not answer:
        missing = tuple(ClaimVerdict(one, "missing", reason="no answer") for one in claims.claims)
        return Checked(missing, (), claims.derived)
    support, rows = _support(gold, claims, tables, case), Rows(tables, claims)
    checked = check_answer(answer, claims, support, rows, gold.analysis)
    return Checked(tuple(settle(checked.verdicts, options.judge, answer)), checked.strangers, claims.derived)


def _support(gold: Gold, claims: Claims, tables: dict[str, str], case: Case) -> Support:
    texts = [gold.analysis, str(case.parameters.get("query", "")), *(one.quote for one in gold.evidence)]
    numbers = [*claims.numbers, *(one.value for one in claims.claims if one.value is not None)]

    said = read_answer(gold.analysis, claims)
    numbers += [number.value for sentence in said for number in sentence.numbers]

    def papers() -> Iterable[str]:
        return (case.papers[name].text for name in case.papers)

    quantities = [(one.value, one.unit) for one in claims.claims if one.value is not None]
    quantities += [(number.value, number.unit) for sentence in said for number in sentence.numbers]
    return Support(texts, numbers, tables, papers, claims.numbers, quantities)


def claim_problems(case: Case) -> list[GoldProblem]:
    """Claims that rules do not find in the gold's own analysis, or find contradicted; they may be meant."""
    gold = read_gold(case.gold)
    checked = check_claims(gold, gold.analysis, case, ScoringOptions()) if gold.claims is not None else None
    faults = [one for one in checked.verdicts if one.state in ("contradicted", "missing")] if checked else []
    return [
        GoldProblem(None, "claims", f"{one.claim.text!r} is {one.state} by its own analysis: {one.reason}", fatal=False)
        for one in faults
    ]


def claim_metrics(checked: Checked | None) -> dict[str, float | None]:
    """The headline and its counts; None where there are no claims."""
    names = ("claims", "credited", "n_claims", *(f"n_{state}" for state in STATES), f"n_{UNSUPPORTED}")
    if checked is None:
        return dict.fromkeys(names)
    counts = {f"n_{state}": float(checked.count(state)) for state in STATES}
    total = float(len(checked.verdicts))
    found = {"claims": checked.score, "credited": checked.credited, "n_claims": total}
    return {**found, **counts, f"n_{UNSUPPORTED}": float(len(checked.strangers))}


def claim_rows(checked: Checked | None) -> list[dict[str, Any]]:
    """One record a claim, then one for each number without support."""
    if checked is None:
        return []
    rows = [_row(one, checked.derived) for one in checked.verdicts]
    rows += [
        {
            "status": UNSUPPORTED,
            "state": UNSUPPORTED,
            "claim": f"(no claim) {one.printed}",
            "said": one.said,
            "reason": one.reason,
        }
        for one in checked.strangers
    ]
    return rows


def _row(one: ClaimVerdict, derived: bool) -> dict[str, Any]:
    row: dict[str, Any] = {"status": one.state, "state": one.state, "claim": one.claim.text, "said": one.said or None}
    row |= {"by": one.by, "reason": one.reason}
    return row | ({"claim_from": DERIVED} if derived else {})
