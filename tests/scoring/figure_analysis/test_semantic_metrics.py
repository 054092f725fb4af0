"""METEOR, cosine, SciBERT score and the means, worked out by hand where no model is needed.

METEOR of m matched words in c chunks, of h words of the answer and r of the gold: P = m/h, R = m/r,
F = P R / (0.9 P + 0.1 R), times 1 - 0.5 (c/m)^3.
"""

import math
from pathlib import Path

import numpy as np
import pytest

from pincite_core.errors import BadInputError
from pincite_core.settings import load_settings
from pincite_scoring.figure_analysis.metrics.embedding import cosine
from pincite_scoring.figure_analysis.metrics.measure import Measure, mean_of
from pincite_scoring.figure_analysis.metrics.meteor import meteor
from pincite_scoring.figure_analysis.metrics.scibert import greedy_f1, scibert_score
from pincite_scoring.figure_analysis.metrics.wordnet import load_wordnet
from pincite_scoring.figure_analysis.scorer import LEXICAL, MEANS, SEMANTIC
from pincite_scoring.statistics.paired import compare_runs

METEOR = [
    # name, answer, gold, matched words, chunks
    ("the same", "a b c d e f", "a b c d e f", 6, 1),
    ("last word missing", "a b c d e", "a b c d e f", 5, 1),
    ("a gap in the gold", "a b d e f", "a b c d e f", 5, 2),
    ("one word changed", "a b x d e f", "a b c d e f", 5, 2),
    ("reversed", "c b a", "a b c", 3, 3),
    ("halves swapped", "d e f a b c", "a b c d e f", 6, 2),
    ("words between", "a x b y c", "a b c", 3, 3),
    ("one of three", "x a y", "a", 1, 1),
    ("one word twice", "a a", "a", 1, 1),
    ("longer answer", "a b c d", "a b", 2, 1),
    ("case", "Film", "film", 1, 1),
    ("stems", "films conduct", "film conducts", 2, 1),
    ("a synonym", "values climb", "values rise", 2, 1),
    ("the synonym the other way round", "values rise", "values climb", 2, 1),
    ("two synonyms", "climb and climb", "rise and rise", 3, 1),
    ("no synonym: climb is none of increase", "climb", "increase", 0, 0),
    # NLTK looks for synonyms of what the stemmer left: larg and increas are not words
    ("synonyms of stems only", "large increase", "big rise", 0, 0),
    ("nothing shared", "x y", "a b", 0, 0),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "gold", "matched", "chunks"), [case[1:] for case in METEOR],
                         ids=[case[0] for case in METEOR])  # fmt: skip
def test_meteor_is_what_the_arithmetic_says(
    small_wordnet: Path, answer: str, gold: str, matched: int, chunks: int
) -> None:
    expected = 0.0
    if matched:
        precision, recall = matched / len(answer.split()), matched / len(gold.split())
        mean = precision * recall / (0.9 * precision + 0.1 * recall)
        expected = mean * (1 - 0.5 * (chunks / matched) ** 3)
    measured = meteor(answer.split(), gold.split(), small_wordnet)
    assert measured.value == pytest.approx(expected)
    assert "wordnet 3.0" in measured.by


@pytest.mark.parametrize(
    ("answer", "gold", "published"),
    [
        (
            "It is a guide to action which ensures that the military always obeys the commands of the party",
            "It is a guide to action that ensures that the military will forever heed Party commands",
            0.6944,
        ),
        ("The cat was sat on the mat", "The cat sat on the mat", 0.9654),
        ("on the mat sat the cat", "The cat sat on the mat", 0.5),
        ("creates or updates a virtual machine scale set", "create or update a vm set", 0.7806),
        ("John loves Mary", "The candidate has no alignment to any of the references", 0.0),
    ],
)
def test_meteor_is_nltks_own_with_wordnet_installed(wordnet: Path, answer: str, gold: str, published: float) -> None:
    """The values are those that NLTK's documentation and doctests give."""
    from nltk.translate.meteor_score import single_meteor_score

    measured = meteor(answer.split(), gold.split(), wordnet).value
    assert measured == pytest.approx(published, abs=5e-5)
    assert measured == single_meteor_score(gold.split(), answer.split(), wordnet=load_wordnet(wordnet))


def test_wordnet_of_debian_is_read_whole(wordnet: Path) -> None:
    reader = load_wordnet(wordnet)
    assert {"rise", "climb"} <= {lemma.name() for synset in reader.synsets("mount") for lemma in synset.lemmas()}
    assert reader.synsets("conductivity")[0].lexname() == "noun.phenomenon"
    assert reader.synsets("tested")[0].lemmas()[0].name() == "test"


def test_without_wordnet_meteor_is_not_computed() -> None:
    measured = meteor(["a"], ["a"], None)
    assert measured.value is None
    assert "wordnet-base" in measured.reason


def test_a_folder_that_is_no_wordnet_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="PINCITE_WORDNET"):
        meteor(["a"], ["a"], tmp_path)


ROOT = math.sqrt(0.5)
VECTORS = [
    # rows are tokens, the first and last are marks: they may be matched with but do not count
    ("the same", [[0, 1], [1, 0], [0, 1]], [[0, 1], [1, 0], [0, 1]], 1.0),
    # the one token of each: right angle, but the mark of the gold is like it
    ("a mark is matched with", [[1, 0], [0, 1], [1, 0]], [[0, 1], [1, 0], [0, 1]], 1.0),
    # precision: max(0.7071, 0, 0) = recall
    ("half a right angle", [[0, -1], [1, 0], [0, -1]], [[-1, 0], [ROOT, ROOT], [-1, 0]], ROOT),
    # precision of two tokens: (1 + 0) / 2; recall of one: 1; F1 = 2 (1/2) / (3/2)
    ("one token too many", [[0, -1], [1, 0], [0, 1], [0, -1]], [[0, -1], [1, 0], [0, -1]], 2 / 3),
    ("opposite", [[0, -1], [1, 0], [0, -1]], [[0, -1], [-1, 0], [0, -1]], 0.0),
]


@pytest.mark.parametrize(("answer", "gold", "expected"), [v[1:] for v in VECTORS], ids=[v[0] for v in VECTORS])
def test_greedy_f1(answer: list[list[float]], gold: list[list[float]], expected: float) -> None:
    assert greedy_f1(np.array(answer, np.float32), np.array(gold, np.float32)) == pytest.approx(expected, abs=1e-6)


def test_models_rank_what_says_the_same_above_what_does_not(minilm: Path) -> None:
    gold = "The conductivity of the glass rises with temperature."
    settings = load_settings().model_copy(update={"embedder": f"local:{minilm}"})
    texts = [gold, "With heating, the glass conducts better.", "Fares fell on routes with a rival.", ""]
    near = [cosine(text, gold, settings).value or 0.0 for text in texts]
    like = [scibert_score(text, gold, minilm).value or 0.0 for text in texts]
    for values in (near, like):
        assert values[0] == 1.0
        assert values[-1] == 0.0
        assert values[1] > 0.6 > 0.5 > values[2]
    assert "MiniLM" in cosine(gold, gold, settings).by


def test_without_models_nothing_is_computed() -> None:
    for measured in (cosine("a", "a", load_settings()), scibert_score("a", "a", None)):
        assert measured.value is None
        assert "set PINCITE_" in measured.reason


A, B, C = Measure(0.2), Measure(0.4), Measure(0.9)
NONE = Measure(None, reason="no model")
MEASURES = [
    # rouge_l, bleu, jaccard, cosine, scibert, meteor -> s_lex, s_sem, s_avg, s_avg_of_4, s_avg_of_3
    ((A, B, C, A, B, C), (1.5 / 3, 1.5 / 3, 3.0 / 6, 2.4 / 4, 1.5 / 3)),
    ((A, A, C, B, B, B), (1.3 / 3, 0.4, 2.5 / 6, 1.7 / 4, 1.3 / 3)),
    ((A, B, C, NONE, NONE, NONE), (1.5 / 3, None, None, None, 1.5 / 3)),
    ((A, B, C, C, NONE, NONE), (1.5 / 3, None, None, None, 1.5 / 3)),
    ((A, B, C, NONE, B, A), (1.5 / 3, None, None, 1.7 / 4, 1.5 / 3)),
    ((A, A, A, NONE, NONE, Measure(0.0)), (0.2, None, None, 0.6 / 4, 0.2)),
]


@pytest.mark.parametrize(("values", "expected"), MEASURES)
def test_a_mean_is_over_all_that_its_name_says(values: tuple[Measure, ...], expected: tuple[float | None, ...]) -> None:
    measures: dict[str, Measure] = dict(zip((*LEXICAL, *SEMANTIC), values, strict=True))
    means = [mean_of(measures, over) for over in MEANS.values()]
    assert [mean.value for mean in means] == [None if e is None else pytest.approx(e) for e in expected]
    missing = [name for name, one in measures.items() if one.value is None]
    assert means[2].reason == (f"not computed: {', '.join(missing)}" if missing else "")


@pytest.mark.parametrize(
    ("baseline", "run", "absolute", "relative"),
    [
        ([0.5], [0.6], 0.1, 0.2),
        ([0.5], [0.4], -0.1, -0.2),
        ([0.5], [0.5], 0.0, 0.0),
        ([0.0], [0.5], 0.5, None),
        ([0.4], [0.0], -0.4, -1.0),
        # of the means: (0.5 - 0.4) / 0.4, not the mean of +50 % and 0 %
        ([0.2, 0.6], [0.3, 0.7], 0.1, 0.25),
    ],
)
def test_differences(baseline: list[float], run: list[float], absolute: float, relative: float | None) -> None:
    pair = compare_runs(*({str(task): value for task, value in enumerate(values)} for values in (baseline, run)))
    assert pair is not None
    assert pair.difference.mean == pytest.approx(absolute)
    assert pair.relative == (None if relative is None else pytest.approx(relative))
