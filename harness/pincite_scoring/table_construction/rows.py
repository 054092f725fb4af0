"""Row matching: which row of an answer is about the same thing as a gold row, by their keys."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from pincite_scoring.judging.judge import Judge, Labels, Question, Verdict
from pincite_scoring.table_construction.columns import FUZZY
from pincite_scoring.table_construction.details import Documents, details_agree, without_denied
from pincite_scoring.table_construction.forms import bare_key, is_empty, key_form, marks, words
from pincite_scoring.table_construction.rubrics import NONE, row_rubric

Key = tuple[str, ...]
_SUBTITLE = re.compile(r"(?:: |：).*", re.DOTALL)
MAX_CANDIDATES = 20
"""Rows of an answer that a judge chooses from for one gold row: those with the likest keys."""


@dataclass(frozen=True, slots=True)
class Match:
    """A gold row and its row of the answer, how they were found, and the judge's verdict where one was asked."""

    gold: int
    answer: int
    via: str
    verdict: Verdict | None = None


def match_rows(
    gold: Sequence[Key], answer: Sequence[Key], names: Sequence[str], judge: Judge, documents: Documents = tuple
) -> list[Match]:
    """Match one to one: keys equal after normalisation, then those equal to a gold key's short titles where no other
    gold row has the same, then those equal without remarks in brackets, case numbers, blanks and hyphens where each
    side has one such row and the remark agrees with the documents, then, for every gold row left, what the judge says.
    "X (without cache)" is X where another gold row is "X + cache".

    Without a model the likest row is taken whose every part is at least FUZZY alike and has the same numbers and single
    letters. A key with an empty part matches nothing; of rows with one key the first is matched.
    """
    wanted = [key_of(key) for key in gold]
    answer = [without_denied(key, gold) for key in answer]
    given = [key_of(key) for key in answer]
    first: dict[Key, int] = {}
    for index, key in enumerate(given):
        if key:
            first.setdefault(key, index)
    matches = [Match(g, first[key], "same key") for g, key in enumerate(wanted) if key and key in first]
    matches += _by_short_titles(gold, wanted, first, {match.gold for match in matches})
    matches += _by_bare_keys(gold, answer, matches, documents)
    taken = {match.answer for match in matches}
    done = {match.gold for match in matches}
    for g, key in enumerate(wanted):
        candidates = _candidates(key, given, taken) if g not in done and key else []
        if not candidates:
            continue
        verdict = judge.decide(_question(gold[g], key, {i: answer[i] for i in candidates}, given, names))
        label = verdict.labels.get("row")
        if label is not None and label != NONE:
            index = candidates[int(label) - 1]
            matches.append(Match(g, index, verdict.judge, verdict))
            taken.add(index)
    return sorted(matches, key=lambda match: match.gold)


def same_key(gold: Key, answer: Key) -> float:
    """How alike two normalised keys are, in per cent: their least alike part; 0 where a part has other numbers or
    single letters."""
    least = 100.0
    for a, b in zip(gold, answer, strict=True):
        if marks(words(a)) != marks(words(b)):
            return 0.0
        least = min(least, fuzz.ratio(a, b))
    return least


def key_of(key: Key) -> Key:
    """The normalised key; empty where a part is."""
    return () if any(is_empty(part) for part in key) else tuple(key_form(part) for part in key)


def _by_short_titles(
    gold: Sequence[Key], wanted: Sequence[Key], first: Mapping[Key, int], done: Set[int]
) -> list[Match]:
    """ "Slow Gates" for "Slow Gates: Recurrent Memory for Long Documents"."""
    shorts = [key_of(tuple(_SUBTITLE.sub("", part) for part in key)) for key in gold]
    count = Counter(shorts)
    return [
        Match(g, first[short], "short title")
        for g, short in enumerate(shorts)
        if g not in done and short in first and count[short] == 1 and short not in wanted
    ]


def _by_bare_keys(
    gold: Sequence[Key], answer: Sequence[Key], done: Sequence[Match], documents: Documents
) -> list[Match]:
    """ "SlowGate (ours)" for "SlowGate", of the rows that are left; none where two rows of one side have such a key."""
    taken = {match.gold for match in done}, {match.answer for match in done}
    sides: list[dict[Key, list[int]]] = [{}, {}]
    for side, keys, gone in zip(sides, (gold, answer), taken, strict=True):
        for index, key in enumerate(keys):
            if index not in gone and key_of(key):
                for form in {tuple(map(bare_key, key)), tuple(bare_key(_SUBTITLE.sub("", part)) for part in key)}:
                    side.setdefault(form, []).append(index)
    mine, theirs = sides
    found: dict[int, int] = {}
    for form, indexes in mine.items():
        others = theirs.get(form, [])
        if len(indexes) != 1 or len(others) != 1 or others[0] in found.values():
            continue
        if details_agree(gold[indexes[0]], answer[others[0]], documents):
            found.setdefault(indexes[0], others[0])
    return [Match(g, a, "same name") for g, a in found.items()]


def _candidates(key: Key, given: Sequence[Key], taken: set[int]) -> list[int]:
    """The rows left with the likest keys, in the answer's order."""
    left = {index: " ".join(other) for index, other in enumerate(given) if other and index not in taken}
    likest = process.extract(" ".join(key), left, scorer=fuzz.ratio, limit=MAX_CANDIDATES)
    return sorted(index for _, _, index in likest)


def _question(
    gold: Key, form: Key, candidates: Mapping[int, Key], given: Sequence[Key], names: Sequence[str]
) -> Question:
    def rule() -> Labels:
        likest = max(range(len(candidates)), key=lambda n: (same_key(form, given[indexes[n]]), -n))
        return {"row": str(likest + 1) if same_key(form, given[indexes[likest]]) >= FUZZY else NONE}

    indexes = list(candidates)
    numbered = "\n".join(f"{number}. {_shown(names, key)}" for number, key in enumerate(candidates.values(), 1))
    subject = {"key of the expected row": _shown(names, gold), "keys of the answer's rows": numbered}
    return Question(row_rubric(len(candidates)), subject, rule)


def _shown(names: Sequence[str], key: Key) -> str:
    return "; ".join(f"{name}: {part}" for name, part in zip(names, key, strict=True))
