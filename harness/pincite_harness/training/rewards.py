"""Rewards: pure functions from 0 to 1 of what a model wrote, to train by or to choose among attempts.

The formulas are those of the published training of a four-role analysis system; its weights are not published, and
those of ``WEIGHTS`` are stated here. Nothing here needs more than numpy and jsonschema.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import sqrt
from typing import Any, cast

import jsonschema

from pincite_materials.values import scan_numbers, spell
from pincite_papers.model import Paper
from pincite_papers.quoting.quotes import find_quote

Call = Mapping[str, Any]
"""A tool call: ``tool``, its name, and ``arguments``."""
Embed = Callable[[str], Sequence[Sequence[float]]]
"""A vector for each token of a text, all of one length."""

WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "planner": {"format": 0.1, "choice": 0.9},
    "critic": {"format": 0.1, "choice": 0.9},
    "expert": {"format": 0.1, "tool": 0.9},
    "solver": {"format": 0.1, "length": 0.1, "meaning": 0.8},
}
"""By role. The published system says that they sum up to 1 and no more; these are decisions of ours."""

_TAG = re.compile(r"<([a-z_]+)>(.*?)</\1>", re.DOTALL)
_SHORTEST, _LONGEST = 0.5, 1.5
"""Words of an answer as shares of the gold's: the published bounds."""
_SAME = 1e-9
"""Of a number: how far two of them may differ by their spelling in floating point."""
_EXACT_NAMES = re.compile(r"(^|_)(id|ids|doi|page|pages|paper|cursor|locator|source)$")
"""Names of arguments that are right or wrong, never nearly right."""


def format_reward(text: str, *, tags: Sequence[str] = (), schema: Mapping[str, Any] | None = None) -> float:
    """1 where all of ``text`` is the required form: each of ``tags`` once with words in it, or JSON that the schema
    allows; else 0. ValueError where neither is required."""
    if bool(tags) == (schema is not None):
        raise ValueError("either tags or a schema is required")
    if schema is not None:
        try:
            jsonschema.validate(json.loads(text), schema)
        except (json.JSONDecodeError, jsonschema.ValidationError, RecursionError):
            return 0.0
        return 1.0
    found = [(name, inside.strip()) for name, inside in _TAG.findall(text)]
    right = sorted(name for name, _ in found) == sorted(tags) and all(inside for _, inside in found)
    return float(right and not _TAG.sub("", text).strip())


def choice_reward(chosen: Iterable[str], gold: Iterable[str]) -> float:
    """1 where the same options are chosen, else the harmonic mean of precision and recall; 0 where none is right."""
    mine, true = set(chosen), set(gold)
    right = len(mine & true)
    if not right:
        return float(not mine and not true)
    precision, recall = right / len(mine), right / len(true)
    return 2 * precision * recall / (precision + recall)


def letters(text: str) -> set[str]:
    """The options that a reply names: single capital letters that stand alone."""
    return set(re.findall(r"(?<![A-Za-z0-9])[A-Z](?![A-Za-z0-9])", text))


def tool_reward(call: Call, gold: Call, schema: Mapping[str, Any] | None = None) -> float:
    """0 for another tool than the gold call's, or for arguments that the tool's schema refuses, else the mean over the
    gold's arguments: identifiers, pages, truth values and listed words exactly, other numbers by 1 − |a − b| / max,
    free text by the F1 of its words. A gold call without arguments is met by its tool alone."""
    if call.get("tool") != gold.get("tool"):
        return 0.0
    given, true = _arguments(call), _arguments(gold)
    if schema is not None and not call_is_valid(given, schema):
        return 0.0
    if not true:
        return 1.0
    properties = cast("Mapping[str, Any]", (schema or {}).get("properties") or {})
    shares = [_likeness(name, given.get(name), value, properties.get(name) or {}) for name, value in true.items()]
    return sum(shares) / len(shares)


def call_is_valid(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> bool:
    """Whether a tool's schema allows these arguments."""
    try:
        jsonschema.validate(dict(arguments), schema)
    except jsonschema.ValidationError:
        return False
    return True


def length_reward(text: str, gold: str) -> float:
    """1 for half to one and a half times the gold's words, else 0."""
    mine, true = len(text.split()), len(gold.split())
    return float(_SHORTEST * true <= mine <= _LONGEST * true)


def meaning_reward(text: str, gold: str, embed: Embed) -> float:
    """The harmonic mean of how well the tokens of each are matched by the most similar one of the other (greedy
    matches by cosine, as BERTScore; the published system takes SciBERT's). 0 where a text has no token."""
    import numpy as np

    mine, true = (np.asarray(embed(one), dtype=float) for one in (text, gold))
    if not mine.size or not true.size:
        return 0.0
    mine, true = (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12) for rows in (mine, true))
    alike = mine @ true.T
    precision, recall = float(alike.max(axis=1).mean()), float(alike.max(axis=0).mean())
    if precision <= 0 or recall <= 0:
        return 0.0
    return min(1.0, 2 * precision * recall / (precision + recall))


def quote_reward(quotes: Sequence[str], papers: Sequence[Paper]) -> float:
    """The share of quotations that stand in one of the papers, exactly or but for print; 0 where there is none."""
    standing = [any(find_quote(paper, quote).stands for paper in papers) for quote in quotes]
    return sum(standing) / len(standing) if standing else 0.0


def number_reward(value: float, quote: str) -> float:
    """1 where the quote prints this number, in whatever spelling; else 0."""
    printed = [one.value for one in scan_numbers(spell(quote))]
    return float(any(abs(one - value) <= _SAME * max(abs(value), abs(one)) for one in printed))


def flag_reward(flagged: bool, wrong_figure: bool) -> float:
    """1 where a figure was called the wrong one if and only if it is."""
    return float(flagged == wrong_figure)


def combined(rewards: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The weighted sum; ValueError where the weights do not sum up to 1, or a reward is missing."""
    if abs(sum(weights.values()) - 1) > 1e-9:
        raise ValueError(f"the weights sum up to {sum(weights.values()):g}, not 1")
    if missing := sorted(set(weights) - set(rewards)):
        raise ValueError(f"there is no reward called {', '.join(missing)}")
    return sum(weight * rewards[name] for name, weight in weights.items())


def advantages(rewards: Sequence[float]) -> list[float]:
    """(R − mean) / (standard deviation + 1e-6) in a group of attempts at one prompt; the deviation of the group itself
    (divided by n), of which the published formula does not say whether it is meant."""
    if not rewards:
        return []
    mean = sum(rewards) / len(rewards)
    deviation = sqrt(sum((reward - mean) ** 2 for reward in rewards) / len(rewards))
    return [(reward - mean) / (deviation + 1e-6) for reward in rewards]


def group_loss(rewards: Sequence[float], log_probabilities: Sequence[float]) -> float:
    """−(1/n) Σ Â log π of a group, without clipping and without a KL term, as the published system writes it."""
    pairs = zip(advantages(rewards), log_probabilities, strict=True)
    return -sum(advantage * logarithm for advantage, logarithm in pairs) / len(rewards)


def _arguments(call: Call) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", call.get("arguments") or {})


def _likeness(name: str, given: Any, gold: Any, described: Mapping[str, Any]) -> float:
    if given is None:
        return 0.0
    is_number = isinstance(gold, int | float) and not isinstance(gold, bool)
    if is_number and isinstance(given, int | float) and not _EXACT_NAMES.search(name):
        largest = max(abs(given), abs(gold))
        return 1.0 if largest == 0 else max(0.0, 1 - abs(given - gold) / largest)
    is_listed = "enum" in described or "const" in described
    is_exact = is_listed or bool(_EXACT_NAMES.search(name))
    if isinstance(gold, str) and isinstance(given, str) and " " in gold.strip() and not is_exact:
        return word_f1(given, gold)
    return float(given == gold)


def word_f1(text: str, gold: str) -> float:
    """F1 of the words of two texts in lower case, each as often as it stands."""
    mine, true = (Counter(re.findall(r"\w+", one.lower())) for one in (text, gold))
    right = sum((mine & true).values())
    if not right:
        return 0.0
    precision, recall = right / sum(mine.values()), right / sum(true.values())
    return 2 * precision * recall / (precision + recall)
