"""Scoring: an answer against its gold records and its papers."""

from pincite_scoring.case import Case
from pincite_scoring.result import Score, ScoringOptions
from pincite_scoring.score import score
from pincite_scoring.statistics import Mean

__all__ = ["Case", "Mean", "Score", "ScoringOptions", "score"]
