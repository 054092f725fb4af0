"""How sure one may be of each value of an answer, from what is known without the gold."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.json_fields import items, mapping
from pincite_harness.reports.debates import STATE
from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.trials.write import answer_left
from pincite_harness.runs.run_folder import RunFolder
from pincite_materials.comparing import Stated, compare_stated
from pincite_provenance.audit.finding import ALTERED, INVENTED, SUPPORTED
from pincite_scoring.statistics import Scored
from pincite_tasks.files import read_json

SIGNALS = ("confidence", "agreement", "quote", "judge")
RIGHT = frozenset({"correct", "right"})
WRONG = frozenset(
    {"wrong", "wrong_value", "wrong_class", "unmatched", "spurious", "incorrect", "other_material", "repeated"}
)
"""Statuses of the records of scorers; values of any other status (unsure, unscored, partial) are not labelled."""
_UNKNOWN = frozenset({"unverifiable", "not_known", "unscored"})
"""Standings of a quote that say nothing of it: its paper is not at hand."""
_SAME = 0.001
"""Relative: two attempts that are nearer state the same number; the scorers' own tolerance of 0.1 %."""
_FORM = "pincite-audit/1"


@dataclass(frozen=True, slots=True)
class ValueScore:
    """A value that an answer states. ``signals`` has those of SIGNALS that are known, each from 0 to 1; ``wrong`` is
    None where the value is not labelled."""

    trial: str
    task: str
    name: str
    value: str
    signals: Mapping[str, float]
    wrong: bool | None

    @property
    def score(self) -> float:
        """The mean of the known signals, each with the same weight (set by judgement, so that no labelled task is
        needed to fit it); 0 where nothing is known."""
        return math.fsum(self.signals.values()) / len(self.signals) if self.signals else 0.0


def labelled_values(scores: Sequence[ValueScore]) -> list[Scored]:
    """Score and fault of each value that the scorer calls right or wrong."""
    return [(value.score, value.wrong) for value in scores if value.wrong is not None]


class Audits:
    """What an audit (``pincite audit RUN --json``) says of the claims of each trial's answer; it never sees the
    gold."""

    def __init__(self, claims: Mapping[str, Sequence[tuple[str, str]]]) -> None:
        self._claims = claims

    @classmethod
    def read(cls, path: Path | None) -> "Audits":
        """NotFoundError where there is no such file, BadInputError for a file that is not an audit; none for None."""
        if path is None:
            return cls({})
        if not path.is_file():
            raise NotFoundError(f"There is no file {path}.", next="pincite audit RUN --json > FILE")
        audit = mapping(read_json(path))
        if audit.get("form") != _FORM:
            raise BadInputError(f"{path} is not an audit.", next="pincite audit RUN --json > FILE")
        found: dict[str, list[tuple[str, str]]] = {}
        for report in map(mapping, items(audit.get("reports"))):
            trial = str(report.get("report") or "").partition("/")[0]
            claims = map(mapping, items(report.get("claims")))
            found[trial] = [(str(claim.get("text") or ""), str(claim.get("verdict") or "")) for claim in claims]
        return cls(found)

    def verdict(self, trial: str, texts: Sequence[str]) -> float | None:
        """0 where a claim with one of these texts is altered or invented, 1 where one is borne out and none is not;
        None where no claim says either: *unsure* is neither."""
        told = {verdict for text, verdict in self._claims.get(trial, ()) if text in texts}
        if told & (ALTERED | INVENTED):
            return 0.0
        return 1.0 if told & SUPPORTED else None


def value_scores(run: RunReport, audits: Audits) -> list[ValueScore]:
    """The values of all answers of a run, trial by trial, as the rows of score.json have them."""
    stated = {trial.name: list(_rows(trial)) for trial in run.trials}
    found: list[ValueScore] = []
    for trial in run.trials:
        rows = stated[trial.name]
        if not rows:
            continue
        others = [stated[other.name] for other in run.trials if _is_other_attempt(trial, other)]
        folder = RunFolder(run.path).trial(trial.name)
        sure = _Confidences(folder)
        alone = len(rows) == 1
        for row in rows:
            signals = {
                "confidence": sure.of(row),
                "agreement": _agreement(row, others),
                "quote": _quote(row, trial if alone else None),
                "judge": audits.verdict(trial.name, _claim_texts(row)),
            }
            known = {name: value for name, value in signals.items() if value is not None}
            found.append(ValueScore(trial.name, trial.task, _name(row), _value(row), known, _is_wrong(row)))
    return found


def stated_values(trial: TrialRow) -> list[str]:
    """The texts of the values that a trial's answer states."""
    return [_value(row) for row in _rows(trial)]


def _rows(trial: TrialRow) -> Iterator[Mapping[str, Any]]:
    """The rows of what the answer states, not what it missed or what cannot be read."""
    status = {*RIGHT, *WRONG, "unscored"}
    for row in trial.score.records if trial.score is not None else ():
        if row.get("status") in status and row.get("answer") is not None and _value(row):
            yield row


def _value(row: Mapping[str, Any]) -> str:
    """The stated value; of a question the answer itself."""
    value = row.get("value")
    return str(row["answer"] if value is None and isinstance(row.get("answer"), str) else value or "")


def _name(row: Mapping[str, Any]) -> str:
    return str(row.get("property") or row.get("field") or row.get("kind") or "")


def _is_wrong(row: Mapping[str, Any]) -> bool | None:
    status = row.get("status")
    if status in RIGHT:
        return False
    return True if status in WRONG else None


def _is_other_attempt(trial: TrialRow, other: TrialRow) -> bool:
    same = (trial.family, trial.task) == (other.family, other.task)
    return same and trial.name != other.name and other.finished


def _agreement(row: Mapping[str, Any], others: Sequence[Sequence[Mapping[str, Any]]]) -> float | None:
    """The share of the other attempts at the task that state the same value of the same property; None for none."""
    if not others:
        return None
    return sum(any(_is_same(row, each) for each in rows) for rows in others) / len(others)


def _is_same(row: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    if _name(row).casefold() != _name(other).casefold():
        return False
    mine, theirs = _value(row), _value(other)
    if mine.casefold() == theirs.casefold() and row.get("unit") == other.get("unit"):
        return True
    first, second = (Stated(_value(each), str(each.get("unit") or "")) for each in (row, other))
    if first.quantity()[0] is None or second.quantity()[0] is None:
        return False
    return compare_stated("number", first, second).within(_SAME)


def _quote(row: Mapping[str, Any], trial: TrialRow | None) -> float | None:
    """Of the checks of the value's quote, the share that it passes: it stands on its page, and it holds the value.

    Of an answer with one value alone (``trial``), the share of its quotes that stand.
    """
    standing = row.get("evidence")
    if standing is None and trial is not None:
        return trial.metrics.get("evidence_verified")
    checks = [] if standing is None or standing in _UNKNOWN else [float(standing == "verified")]
    if isinstance(row.get("value_in_quote"), bool):
        checks.append(float(row["value_in_quote"]))
    return sum(checks) / len(checks) if checks else None


def _claim_texts(row: Mapping[str, Any]) -> list[str]:
    """The words that an audit may have as a claim: value, value with unit, quote."""
    value, unit = _value(row), str(row.get("unit") or "")
    texts = [value, f"{value} {unit}".strip(), f"{value}{unit}", str(row.get("quote") or "")]
    return [text for text in texts if text]


class _Confidences:
    """What an agent says of how sure it is: ``confidence`` (0 to 1) of the record or of the answer, by field where it
    is an object; or the claims of agents that debate, in their state.jsonl."""

    def __init__(self, folder: Path) -> None:
        self._answer = mapping(answer_left(folder))
        lists = [items(value) for value in self._answer.values() if isinstance(value, list)]
        self._records: list[Any] = lists[0] if lists else []
        self._said: dict[tuple[str, str], float] = {}
        for path in sorted((folder / "agent").rglob(STATE)) if (folder / "agent").is_dir() else ():
            self._said.update(_claims(path))

    def of(self, row: Mapping[str, Any]) -> float | None:
        """None where nothing is said of this value, or no number from 0 to 1."""
        place = row.get("answer")
        record: Any = self._records[place] if isinstance(place, int) and place < len(self._records) else self._answer
        said: Any = mapping(record).get("confidence")
        if isinstance(said, dict):
            said = mapping(said).get(_name(row))
        if said is None:
            said = self._said.get((_name(row), _value(row)))
        is_number = isinstance(said, int | float) and not isinstance(said, bool)
        return float(said) if is_number and 0 <= said <= 1 else None


def _claims(path: Path) -> Iterator[tuple[tuple[str, str], float]]:
    """Confidence by field and value, the last one said; lines that cannot be read are passed over."""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            event: Any = json.loads(line)
            for claim in event.get("claims", ()):
                yield (str(event["field"]), str(claim["value"])), float(claim["confidence"])
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
