"""Scoring: an answer against its gold records and its papers."""

from pincite_harness.scoring.case import Case
from pincite_harness.scoring.result import Score, ScoringOptions
from pincite_harness.scoring.score import score
from pincite_harness.scoring.statistics import Mean

__all__ = ["Case", "Mean", "Score", "ScoringOptions", "score"]
