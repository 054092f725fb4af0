"""Every bundled reference analysis, changed in one way at many places: the scores move exactly as defined.

What is expected is computed here: the subsequence and the shared words from what the change does to them, BLEU by
counting.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite_scoring import Case, ScoringOptions, score
from pincite_scoring.scorer import get_scorer

FAMILY = Path(__file__).resolve().parents[3] / "tasks" / "figure_analysis"
GOLDS = {
    record["task_id"]: record["gold"]
    for record in map(json.loads, (FAMILY / "records.jsonl").read_text("utf-8").splitlines())
}
STRANGER = "zzqx"
PLACES = 7
FULL = ("claims", "s_avg_of_3", "s_lex", "rouge_l", "bleu", "jaccard")


def pieces_of(text: str) -> list[str]:
    """The text cut at white space."""
    return text.split()


def is_plain(piece: str) -> bool:
    """Whether a piece is one word and no more: its change is the change of one word."""
    return piece.isascii() and piece.isalpha()


def word_list(text: str) -> list[str]:
    """The words of the bundled analyses, by another way than the scorer's: runs of what a word is made of."""
    spaced = text.replace("−", "-").replace("–", " ").replace("%", " % ").lower()
    spaced = re.sub(r"(?<![0-9])[.,]|[.,](?![0-9])|[():;?]", " ", spaced)
    return [word for piece in spaced.split() for word in _parts(piece.strip("'’"))]


def _parts(piece: str) -> list[str]:
    """Slashes and signs part words, and so does a dash between digits; a hyphen behind a letter does not."""
    return [part for part in re.split(r"[/×=]|(?<=[0-9])-(?=[0-9])|^-$", piece) if part]


def bleu_by_counting(answer: str, gold: str) -> float:
    """BLEU of two texts by its definition: clipped counts of one to four tokens, doubled smoothing, brevity."""
    mine, theirs = tokens_of(answer), tokens_of(gold)
    logs, smoothing, matched = [], 1, False
    for n in range(1, 5):
        have, want = (Counter(tuple(t[i : i + n]) for i in range(len(t) - n + 1)) for t in (mine, theirs))
        total, right = sum(have.values()), sum((have & want).values())
        if not total:
            break
        matched = matched or bool(right)
        smoothing *= 1 if right else 2
        logs.append(math.log(right / total if right else 1 / (smoothing * total)))
    brevity = min(0.0, 1 - len(theirs) / len(mine))
    return math.exp(brevity + sum(logs) / len(logs)) if matched else 0.0


def tokens_of(text: str) -> list[str]:
    """Tokens as mteval-v13a cuts them."""
    text = re.sub(r"([{-~\[-` -&(-+:-@/])", r" \1 ", f" {text.replace(chr(10), ' ')} ")
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text).split()


def spread(places: list[int], most: int = PLACES) -> list[int]:
    """Some of the places, evenly."""
    return places[:: max(len(places) // most, 1)][:most]


def changes() -> Iterator[tuple[str, str, str, float, float]]:
    """Task, name of the change, changed text, ROUGE-L and Jaccard that follow."""
    for task, gold in GOLDS.items():
        text = gold["analysis"]
        pieces, words = pieces_of(text), word_list(text)
        n, kinds = len(words), Counter(words)
        plain = [i for i, piece in enumerate(pieces) if is_plain(piece)]

        def at(i: int, *new: str, pieces: list[str] = pieces, width: int = 1) -> str:
            return " ".join([*pieces[:i], *new, *pieces[i + width :]])

        for i in spread(plain):
            piece, alone = pieces[i], kinds[pieces[i].lower()] == 1
            yield task, f"word {i} left out", at(i), (n - 1) / n, (len(kinds) - alone) / len(kinds)
            yield task, f"word {i} changed", at(i, STRANGER), (n - 1) / n, (len(kinds) - alone) / (len(kinds) + 1)
            yield task, f"a word before word {i}", at(i, STRANGER, piece), n / (n + 1), len(kinds) / (len(kinds) + 1)
            yield task, f"word {i} said twice", at(i, piece, piece), n / (n + 1), 1.0
            yield task, f"word {i} in upper case", at(i, piece.upper()), 1.0, 1.0
        pairs = [i for i in plain if i + 1 in plain and pieces[i].lower() != pieces[i + 1].lower()]
        for i in spread(pairs, 5):
            yield task, f"words {i} and {i + 1} swapped", at(i, pieces[i + 1], pieces[i], width=2), (n - 1) / n, 1.0
        for share in (4, 2):
            kept = " ".join(pieces[: len(pieces) // share])
            few = word_list(kept)
            yield task, f"cut to one {share}th", kept, len(few) / n, len(set(few)) / len(kinds)
        numbers = [i for i, piece in enumerate(pieces) if piece.isdigit() and kinds[piece] == 1]
        for i in spread(numbers, 3):
            yield task, f"number {i} changed", at(i, "987"), (n - 1) / n, (len(kinds) - 1) / (len(kinds) + 1)
        yield task, "over and over", f"{text} {text}", n / (2 * n), 1.0
        yield task, "in two paragraphs", "\n\n".join((" ".join(pieces[:20]), " ".join(pieces[20:]))), 1.0, 1.0


CHANGES = list(changes())


def test_there_are_enough_changes() -> None:
    assert len(CHANGES) >= 400
    assert len({task for task, *_ in CHANGES}) == len(GOLDS)


@pytest.mark.parametrize("task", sorted(GOLDS))
def test_a_change_moves_the_score_as_defined(task: str) -> None:
    gold = GOLDS[task]
    for _, name, answer, rouge, shared in (change for change in CHANGES if change[0] == task):
        metrics = score("figure_analysis", Case(answer, gold), ScoringOptions()).metrics
        expected = {"rouge_l": rouge, "bleu": bleu_by_counting(answer, gold["analysis"]), "jaccard": shared}
        for metric, value in expected.items():
            assert metrics[metric] == pytest.approx(value), f"{name}: {metric}"
        assert metrics["s_lex"] == pytest.approx(sum(expected.values()) / 3), name
        assert metrics["s_avg_of_3"] == metrics["s_lex"]
        assert metrics["s_sem"] is metrics["s_avg"] is metrics["s_avg_of_4"] is None


@pytest.mark.parametrize("task", sorted(GOLDS))
def test_the_gold_has_full_marks_and_nothing_none(task: str) -> None:
    gold = GOLDS[task]
    ideal = get_scorer("figure_analysis").ideal(gold)
    full = score("figure_analysis", Case(ideal, gold), ScoringOptions()).metrics
    assert [full[name] for name in FULL] == [1.0] * 6
    for nothing in (None, "", " \n"):
        none = score("figure_analysis", Case(nothing, gold), ScoringOptions())
        assert (none.status, none.reason) == ("scored", "no answer")
        assert [none.metrics[name] for name in FULL] == [0.0] * 6
