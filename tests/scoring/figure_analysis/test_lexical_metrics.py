"""ROUGE-L, BLEU and Jaccard of pairs of texts, worked out by hand: the arithmetic stands in the table.

``bleu`` lists the precisions of one to four words in a row: right ones / all of the answer; where none of k is right,
the first such precision is 1/(2 k), the next 1/(4 k), then 1/(8 k). BLEU is their geometric mean, times exp(1 - gold /
answer) where the answer is shorter.
"""

import math
from collections.abc import Sequence
from fractions import Fraction as F  # noqa: N817

import pytest
import sacrebleu

from pincite_scoring.figure_analysis.metrics.lexical import bleu, jaccard, rouge_l
from pincite_scoring.figure_analysis.metrics.tokens import split_words

SIX = "a b c d e f"
CASES = [
    # name, answer, gold, longest common subsequence / longer text, shared / all words, precisions, (answer, gold) words
    ("the same", SIX, SIX, F(6, 6), F(6, 6), [F(6, 6), F(5, 5), F(4, 4), F(3, 3)], (6, 6)),
    ("last word missing", "a b c d e", SIX, F(5, 6), F(5, 6), [F(5, 5), F(4, 4), F(3, 3), F(2, 2)], (5, 6)),
    ("half, three in a row at most", "a b c", SIX, F(3, 6), F(3, 6), [F(3, 3), F(2, 2), F(1, 1)], (3, 6)),
    ("one word", "a", SIX, F(1, 6), F(1, 6), [F(1, 1)], (1, 6)),
    ("one word more", f"{SIX} g", SIX, F(6, 7), F(6, 7), [F(6, 7), F(5, 6), F(4, 5), F(3, 4)], (7, 6)),
    # a b, b c, e f; a b c; no four
    ("one word changed", "a b c x e f", SIX, F(5, 6), F(5, 7), [F(5, 6), F(3, 5), F(1, 4), F(1, 2 * 3)], (6, 6)),
    ("reversed", "f e d c b a", SIX, F(1, 6), F(6, 6), [F(6, 6), F(1, 2 * 5), F(1, 4 * 4), F(1, 8 * 3)], (6, 6)),
    # c d, d e, e f; c d e, d e f; c d e f
    ("two words swapped", "b a c d e f", SIX, F(5, 6), F(6, 6), [F(6, 6), F(3, 5), F(2, 4), F(1, 3)], (6, 6)),
    ("nothing shared", "x y z", SIX, F(0), F(0), None, (3, 6)),
    # of four a one is right
    ("one word over and over", "a a a a", SIX, F(1, 6), F(1, 6), [F(1, 4), F(1, 2 * 3), F(1, 4 * 2), F(1, 8)], (4, 6)),
    ("twice over", f"{SIX} {SIX}", SIX, F(6, 12), F(6, 6), [F(6, 12), F(5, 11), F(4, 10), F(3, 9)], (12, 6)),
    ("upper case, which BLEU minds", SIX.upper(), SIX, F(6, 6), F(6, 6), None, (6, 6)),
    # the full stop is a word of BLEU's alone
    ("full stop", f"{SIX}.", SIX, F(6, 6), F(6, 6), [F(6, 7), F(5, 6), F(4, 5), F(3, 4)], (7, 6)),
    ("decimals are whole", "rate 12.5 K", "rate 12.5 K", F(3, 3), F(3, 3), [F(3, 3), F(2, 2), F(1, 1)], (3, 3)),
    ("another number", "rate 12.6 K", "rate 12.5 K", F(2, 3), F(2, 4), [F(2, 3), F(1, 2 * 2), F(1, 4 * 1)], (3, 3)),
    ("another minus sign", "rate -5 K", "rate −5 K", F(3, 3), F(3, 3), [F(2, 3), F(1, 2 * 2), F(1, 4 * 1)], (3, 3)),
    ("another sign", "rate 5 K", "rate -5 K", F(2, 3), F(2, 4), [F(2, 3), F(1, 2 * 2), F(1, 4 * 1)], (3, 3)),
    # BLEU: 5, -, 10, K against 5, 10, K; shared: three words, 10 K
    ("a range", "5-10 K", "5 10 K", F(3, 3), F(3, 3), [F(3, 4), F(1, 3), F(1, 2 * 2), F(1, 4 * 1)], (4, 3)),
    ("hyphen", "well-known a", "well known a", F(1, 3), F(1, 4), [F(1, 2), F(1, 2 * 1)], (2, 3)),
    ("percent apart or not", "5 %", "5%", F(2, 2), F(2, 2), [F(2, 2), F(1, 1)], (2, 2)),
    ("paragraphs", "a b c\n\nd e f", SIX, F(6, 6), F(6, 6), [F(6, 6), F(5, 5), F(4, 4), F(3, 3)], (6, 6)),
    ("thousands as written", "n 1,200", "n 1200", F(1, 2), F(1, 3), [F(1, 2), F(1, 2 * 1)], (2, 2)),
    ("every second word", "a c e", SIX, F(3, 6), F(3, 6), [F(3, 3), F(1, 2 * 2), F(1, 4 * 1)], (3, 6)),
    # e f, a b, b c, c d; a b c, b c d; a b c d
    ("end before beginning", "e f a b c d", SIX, F(4, 6), F(6, 6), [F(6, 6), F(4, 5), F(2, 4), F(1, 3)], (6, 6)),
    # one a and one b right; one a b right of three and two b a
    ("a b thrice", "a b a b a b", "a b c", F(2, 6), F(2, 3), [F(2, 6), F(1, 5), F(1, 2 * 4), F(1, 4 * 3)], (6, 3)),
    ("ligature", "κ ﬁlm", "κ film", F(2, 2), F(2, 2), [F(1, 2), F(1, 2 * 1)], (2, 2)),
    ("no words at all", "…", SIX, F(0), F(0), None, (1, 6)),
    ("raised digit", "m2", "m²", F(1, 1), F(1, 1), None, (1, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "gold", "rouge", "shared", "precisions", "words"), [c[1:] for c in CASES],
                         ids=[case[0] for case in CASES])  # fmt: skip
def test_metrics_are_what_the_arithmetic_says(
    answer: str, gold: str, rouge: F, shared: F, precisions: Sequence[F] | None, words: tuple[int, int]
) -> None:
    mine, theirs = split_words(answer), split_words(gold)
    assert rouge_l(mine, theirs) == pytest.approx(float(rouge))
    assert jaccard(mine, theirs) == pytest.approx(float(shared))
    expected = 0.0
    if precisions is not None:
        brevity = math.exp(min(0.0, 1 - words[1] / words[0]))
        expected = brevity * math.prod(map(float, precisions)) ** (1 / len(precisions))
    assert bleu(answer, gold) == pytest.approx(expected)
    assert bleu(answer, gold) == pytest.approx(sacrebleu.sentence_bleu(answer, [gold]).score / 100)


def test_reference_words_keep_their_punctuation() -> None:
    mine, theirs = (split_words(text, "reference") for text in ("The film, thin.", "the film thin."))
    assert mine == ["the", "film,", "thin."]
    assert rouge_l(mine, theirs) == pytest.approx(2 / 3)
    assert jaccard(mine, theirs) == pytest.approx(2 / 4)
    assert split_words("The film, thin.") == ["the", "film", "thin"]


def test_nothing_is_like_nothing_in_no_way() -> None:
    assert rouge_l([], []) == 0.0
    assert jaccard([], []) == 0.0
