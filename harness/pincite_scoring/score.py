"""Score an answer by the scorer that a family names."""

from pincite_scoring.case import Case
from pincite_scoring.result import Score, ScoringOptions
from pincite_scoring.scorer import get_scorer


def score(scorer: str, case: Case, options: ScoringOptions) -> Score:
    """Score ``case.answer`` (None: there is none) against ``case.gold`` (None: unscored).

    Raises NotFoundError for a scorer nobody knows, BadInputError for broken gold, and MissingExtraError where the
    scorer needs an extra.
    """
    return get_scorer(scorer).score(case, options)
