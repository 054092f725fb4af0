"""Details: how reports name what of the gold's evidence reached a trial (``gathered`` counts it)."""

from pincite_scoring.given import SHOWN
from pincite_scoring.scorer import Metric

DETAILS = (
    Metric("doi_recall", "Gold works brought by tools", "works\nbrought", detail=True),
    Metric("doi_recall_top", "Gold works brought as a first result", "works\nfirst", detail=True),
    Metric("figure_recall", "Gold figures named or shown by tools", "figures\nbrought", detail=True),
    Metric("figure_inspected", "Gold figures looked at", "figures\nseen", detail=True),
    SHOWN,
)
