"""Metrics of one trial, each None where its condition is not met: a mean over trials is the published figure."""

from collections.abc import Sequence

from pincite_scoring.precedent_search.citations import Matches
from pincite_scoring.precedent_search.verdict import DIAGNOSES, SCORES, Verdict

Metrics = dict[str, float | None]


def trial_metrics(verdict: Verdict, matches: Matches) -> Metrics:
    """Score, diagnosis, accuracy, coverage, precision, matches, and the conditional ones."""
    cited, score = matches.any, verdict.score
    metrics: Metrics = {"score": float(score)}
    metrics |= {name: float(verdict.diagnosis == name) for name in DIAGNOSES}
    metrics["accuracy_strict"] = float(score == 2) if verdict.valid else None
    metrics["accuracy_loose"] = float(score >= 1) if verdict.valid else None
    metrics["coverage"] = float(verdict.attempted) if verdict.valid else None
    metrics |= {f"precision_{s}": float(score == s) if verdict.attempted else None for s in SCORES}
    metrics |= {"doi_match": _indicator(matches.doi), "title_match": _indicator(matches.title)}
    metrics["any_match"] = _indicator(cited)
    metrics |= {f"citation_quality_{s}": float(score == s) if cited else None for s in SCORES}
    metrics |= {f"attribution_quality_{s}": _indicator(cited) if score == s else None for s in SCORES}
    metrics["doi_match_given_correct"] = _indicator(matches.doi) if score == 2 else None
    metrics["score_given_retrieval"] = float(score) if cited else None
    return metrics


def share(part: int, whole: int) -> float | None:
    """``part`` of ``whole``, None of nothing."""
    return part / whole if whole else None


def found(hits: Sequence[bool]) -> float | None:
    """The share of hits, None of none."""
    return share(sum(hits), len(hits))


def _indicator(value: bool | None) -> float | None:
    return None if value is None else float(value)
