"""The page of one trial: no script, nothing from elsewhere, pictures as files beside it."""

import os
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote as escape_url

from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.records import records_table
from pincite_harness.reports.statistics import show
from pincite_harness.reports.templating import render
from pincite_harness.reports.trials.comparison import pair_cards, side_by_side
from pincite_harness.reports.trials.pairs import Paired, pair_records
from pincite_harness.reports.trials.quotations import Found, Quote
from pincite_harness.reports.trials.quotes_shown import QuoteView
from pincite_harness.reports.trials.steps import StepView
from pincite_harness.reports.trials.subject import Subject
from pincite_harness.reports.trials.texts import Budget, block
from pincite_tasks.plural import plural
from pincite_trajectory.atif import Trajectory

_LOG_TAIL = 8000
"""Bytes of a log's end."""


class TrialPage:
    """One trial with all that its page says; links are relative to ``base``, the folder of the page."""

    def __init__(self, run: RunReport, measured: Measured, trial: TrialRow, subject: Subject, base: Path) -> None:
        self._run = run
        self._measured = measured
        self._trial = trial
        self._subject = subject
        self._base = base
        self._folder = run.path / "trials" / trial.name

    def to_html(
        self,
        answer: Any,
        quotes: Sequence[tuple[Quote, Found]],
        view: QuoteView,
        trajectory: Trajectory | None,
        around: tuple[str | None, str | None],
    ) -> str:
        """The page; ``around`` are the pages of the trials before and after."""
        rows = self._trial.score.records if self._trial.score is not None else []
        paired = pair_records(answer, self._subject.gold, rows)
        styles = files("pincite_harness.reports")
        sheets = [styles.joinpath(name).read_text(encoding="utf-8") for name in ("report.css", "trials/trial.css")]
        steps = StepView(self._folder, self._base).show(trajectory) if trajectory is not None else None
        shown = {
            "title": f"{self._trial.name}: {self._run.name}",
            "style": "\n".join(sheets),
            "run": self._run.name,
            "around": _pages(around),
            "task": self._trial.task,
            "about": self._about(),
            "tiles": self._tiles(),
            "failure": self._failure(),
            "quotes": [] if paired is not None else self._quotes(quotes, view),
            "steps": steps,
            "logs": self._logs(),
            "files": self._files(),
        }
        return render("trial.html", {**shown, **self._compared(answer, paired, quotes, view)})

    def _about(self) -> str:
        trial = self._trial
        attempt = f", attempt {trial.attempt}" if trial.attempt > 1 else ""
        model = trial.record.model if trial.record is not None else None
        return f"{trial.family}{attempt}, by {self._run.agent if model else self._run.document.specification.agent}"

    def _tiles(self) -> list[tuple[str, str, str]]:
        trial = self._trial
        status = (trial.cause or trial.status).replace("_", " ")
        told = [("Status", status, "" if trial.scored else "unscored")]
        measured = [metric for metric in self._measured.shown.headline if metric.name in trial.metrics]
        told += [(metric.title, show(trial.metrics[metric.name]), "") for metric in measured]
        return told + self._spent()

    def _spent(self) -> list[tuple[str, str, str]]:
        record = self._trial.record
        if record is None:
            return []
        agent = self._trial.agent_seconds
        told = [("Time", f"{show(self._trial.seconds, 1)} s", f"agent {show(agent, 1)} s" if agent is not None else "")]
        told.append(("Tool calls", str(record.tool_calls), self._trial.odd_calls))
        if record.tokens is not None:
            tokens = record.tokens
            more = f"{tokens.cached:,} of them cached; {tokens.output:,} out, {plural(record.model_calls, 'call')}"
            told.append(("Tokens in", f"{tokens.input:,}", more))
            cost = f"{record.cost_usd:.4f} USD" if record.cost_usd is not None else "–"
            told.append(("Cost", cost, "" if record.cost_usd is not None else "the price is not known"))
        return told

    def _failure(self) -> dict[str, str] | None:
        trial = self._trial
        reason = trial.unreadable or (trial.reason if trial.cause is not None or not trial.scored else None)
        if not reason:
            return None
        cause = (trial.cause or ("unreadable answer" if trial.unreadable else "unscored")).replace("_", " ")
        return {"cause": cause, "text": block(reason, Budget(), _LOG_TAIL)}

    def _compared(
        self, answer: Any, paired: Paired | None, quotes: Sequence[tuple[Quote, Found]], view: QuoteView
    ) -> dict[str, object]:
        """What stands under the heading of the answer: cards of its records where they were paired with the gold's."""
        gold, note = self._subject.gold, self._subject.note
        rows = self._trial.score.records if self._trial.score is not None else []
        columns = self._measured.shown.columns
        shown: dict[str, object] = {"has_gold": gold is not None, "has_answer": answer is not None, "note": note}
        if paired is None:
            compared = records_table(rows, columns) if rows else None
            return {**shown, "cards": None, "compared": compared, "both": side_by_side(answer, gold, note)}
        cards = pair_cards(paired, columns, lambda index: self._of_record(paired.name, index, quotes, view))
        return {**shown, "cards": cards, "compared": None, "both": side_by_side(answer, gold, "")}

    def _of_record(self, name: str, index: int, quotes: Sequence[tuple[Quote, Found]], view: QuoteView) -> list[Markup]:
        """The quotes of the answer's record ``index``, with the scorer's word on each where it has one."""
        rows = self._trial.score.records if self._trial.score is not None else []
        own = [row for row in rows if row.get("answer") == index and "evidence" in row and "field" not in row]
        scored = evidence_in_words(own[0]) if len(own) == 1 else ""
        return [view.show(quote, found, scored) for quote, found in quotes if quote.path[:2] == (name, index)]

    def _quotes(self, quotes: Sequence[tuple[Quote, Found]], view: QuoteView) -> list[dict[str, str]]:
        return [{"place": place_in_answer(quote), "shown": view.show(quote, found)} for quote, found in quotes]

    def _logs(self) -> list[dict[str, object]]:
        logs = [self._folder / "agent.log", *sorted((self._folder / "wire").glob("*.log"))]
        shown: list[dict[str, object]] = []
        for path in logs:
            text = end_of(path)
            if text.strip():
                name = path.relative_to(self._folder).as_posix()
                opened = self._trial.cause is not None and path is logs[0]
                shown.append({"name": name, "open": opened, "text": block(text, Budget(), _LOG_TAIL)})
        return shown

    def _files(self) -> list[dict[str, str]]:
        return [
            {"name": name, "address": escape_url(Path(os.path.relpath(self._folder / name, self._base)).as_posix())}
            for name in self._trial.files
        ]


def _pages(around: tuple[str | None, str | None]) -> list[dict[str, str]]:
    """Links to the pages of the trials before and after."""
    both = zip(("Previous trial", "Next trial"), around, strict=True)
    return [{"title": title, "address": escape_url(name)} for title, name in both if name is not None]


def evidence_in_words(row: Mapping[str, Any]) -> str:
    """The scorer's word on a record's evidence."""
    told = [f"scorer: {str(row['evidence']).replace('_', ' ')}"]
    if row.get("value_in_quote") is not None:
        told.append("value in quote" if row["value_in_quote"] else "value not in quote")
    return ", ".join(told)


def place_in_answer(quote: Quote) -> str:
    """Where in the answer a quote stands: ``sources 1``, ``objects 2 evidence 1``."""
    words = [str(step + 1) if isinstance(step, int) else step.replace("_", " ") for step in quote.path[:-1]]
    return " ".join(words) or "quote"


def end_of(path: Path) -> str:
    """The end of a log; "" where there is none."""
    try:
        with path.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - _LOG_TAIL))
            return file.read(_LOG_TAIL).decode("utf-8", errors="replace")
    except OSError:
        return ""
