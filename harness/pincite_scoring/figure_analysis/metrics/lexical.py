"""Lexical metrics: the longest common subsequence, BLEU, and the overlap of words."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from pincite_core.errors import MissingExtraError


def rouge_l(answer: Sequence[str], gold: Sequence[str]) -> float:
    """The words of the longest common subsequence over those of the longer text; 0 where both are empty."""
    from rapidfuzz.distance import LCSseq

    longer = max(len(answer), len(gold))
    return LCSseq.similarity(answer, gold) / longer if longer else 0.0


def longest_run(answer: Sequence[str], gold: Sequence[str]) -> Sequence[str]:
    """The longest run of words that stands in both texts."""
    matcher = SequenceMatcher(None, answer, gold, autojunk=False)
    found = matcher.find_longest_match()
    return answer[found.a : found.a + found.size]


def bleu(answer: str, gold: str) -> float:
    """Sentence BLEU (Papineni et al. 2002) as sacrebleu has it by default, over 100: ``13a`` words, up to four in a
    row, as many as there are, and exponential smoothing."""
    try:
        import sacrebleu
    except ImportError:
        raise MissingExtraError.of("scoring", needed_for="BLEU") from None
    return min(sacrebleu.sentence_bleu(answer, [gold]).score / 100, 1.0)


def jaccard(answer: Sequence[str], gold: Sequence[str]) -> float:
    """The words that both have over those that either has, each counted once; 0 where both are empty."""
    mine, theirs = set(answer), set(gold)
    return len(mine & theirs) / len(mine | theirs) if mine or theirs else 0.0
