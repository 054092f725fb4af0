"""METEOR (Lavie and Agarwal 2007) as NLTK computes it, with WordNet's synonyms."""

import threading
from collections.abc import Sequence
from pathlib import Path

from pincite_scoring.figure_analysis.metrics.measure import Measure
from pincite_scoring.figure_analysis.metrics.wordnet import find_wordnet, load_wordnet

ABSENT = "WordNet is not installed: install wordnet-base, or NLTK's data, or set PINCITE_WORDNET"
_LOCK = threading.Lock()


def meteor(answer: Sequence[str], gold: Sequence[str], setting: Path | None) -> Measure:
    """NLTK's ``single_meteor_score`` of these words; not computed without WordNet."""
    folder = find_wordnet(setting)
    if folder is None:
        return Measure(None, reason=ABSENT)
    from nltk.translate.meteor_score import single_meteor_score

    # NLTK's reader seeks in open files: one thread at a time.
    with _LOCK:
        wordnet = load_wordnet(folder)
        value = single_meteor_score(gold, answer, wordnet=wordnet) if answer and gold else 0.0
        return Measure(float(value), f"nltk with wordnet {wordnet.get_version()}")
