"""Score an answer by the scorer that a family names."""

from dataclasses import replace

from pincite_scoring.case import Case
from pincite_scoring.gathered import gathered
from pincite_scoring.result import Score, ScoringOptions
from pincite_scoring.scorer import get_scorer


def score(scorer: str, case: Case, options: ScoringOptions) -> Score:
    """Score ``case.answer`` (None: there is none) against ``case.gold`` (None: unscored).

    Raises NotFoundError for a scorer nobody knows, BadInputError for broken gold, and MissingExtraError where the
    scorer needs an extra. A trial's score has what of the gold's evidence reached it, too (``gathered``).
    """
    made = get_scorer(scorer).score(case, options)
    return replace(made, metrics=made.metrics | gathered(case)) if made.status == "scored" else made
