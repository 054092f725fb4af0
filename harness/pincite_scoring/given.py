"""Given: the words that models were given in a trial, as the model door recorded them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pincite_core.locator import WITHIN_TEXT
from pincite_models.dialects.model import Part, Result, Text
from pincite_papers.doubts import bare
from pincite_papers.quoting.skeleton import Skeleton
from pincite_scoring.scorer import Metric
from pincite_trajectory.model_wire import read_model_record

METRIC = "evidence_shown"
SHOWN = Metric(METRIC, "Gold quotes in what models were given", "quotes\ngiven", detail=True)
_LOCATOR = re.compile(rf"\[?{WITHIN_TEXT.pattern}(?: [a-z]+)?\]?")


@dataclass(frozen=True, slots=True)
class Given:
    """What models read in a trial beside their own words, each text once, as a skeleton."""

    texts: tuple[str, ...]

    def holds(self, quote: str) -> bool:
        """Whether the words stand in one of the texts; locators and what parts cells do not count."""
        wanted = Skeleton.of(bare(quote)).bare
        return bool(wanted) and any(wanted in text for text in self.texts)


def evidence_shown(trial: Path | None, quotes: Iterable[str]) -> float | None:
    """The share of these quotes that stood in what models were given; None without quotes, and where no model was
    asked. A quote is sought in all that was given, not in its own paper alone."""
    wanted = [quote for quote in quotes if quote.strip()]
    given = given_in(trial)
    if given is None or not wanted:
        return None
    return sum(given.holds(quote) for quote in wanted) / len(wanted)


def given_in(trial: Path | None) -> Given | None:
    """What models were given in the trial of this folder; None where none answered."""
    wire = trial / "wire" / "llm.jsonl" if trial is not None else None
    if wire is None or not wire.is_file():
        return None
    return _given(wire, wire.stat().st_mtime_ns)


@lru_cache(maxsize=2)
def _given(wire: Path, _stamp: int) -> Given | None:
    answered = [each for each in read_model_record(wire).exchanges if each.response is not None]
    if not answered:
        return None
    texts: dict[str, None] = {}
    for exchange in answered:
        for item in exchange.sent:
            if item.role != "assistant":
                texts |= dict.fromkeys(_texts(item.part))
    return Given(tuple(Skeleton.of(bare(_LOCATOR.sub(" ", text))).bare for text in texts))


def _texts(part: Part) -> Iterator[str]:
    if isinstance(part, Text):
        yield part.text
    elif isinstance(part, Result):
        for inner in part.parts:
            yield from _texts(inner)
