"""The page of one trial: no script, nothing from elsewhere, pictures as files beside it."""

import os
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote as escape_url

from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.markup import Markup, join, tag
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.records import records_table
from pincite_harness.reports.statistics import show
from pincite_harness.reports.trials.comparison import pair_cards, side_by_side
from pincite_harness.reports.trials.pairs import Paired, pair_records
from pincite_harness.reports.trials.quotations import Found, Quote
from pincite_harness.reports.trials.quotes_shown import QuoteView
from pincite_harness.reports.trials.steps import StepView
from pincite_harness.reports.trials.subject import Subject
from pincite_harness.reports.trials.texts import Budget, block
from pincite_tasks.plural import plural
from pincite_trajectory.atif import Trajectory

_POLICY = "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'"
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
        parts = [
            self._top(around),
            self._heading(),
            self._tiles(),
            self._failure(),
            self._compared(answer, paired, quotes, view),
            self._quotes([] if paired is not None else quotes, view),
            self._steps(trajectory),
            self._logs(),
            self._files(),
        ]
        styles = files("pincite_harness.reports")
        sheets = [styles.joinpath(name).read_text(encoding="utf-8") for name in ("report.css", "trials/trial.css")]
        head = tag(
            "head",
            Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
            Markup(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
            tag("title", f"{self._trial.name}: {self._run.name}"),
            tag("style", Markup("\n".join(sheets))),
        )
        skip = tag("a", "Skip to the answer", href="#answer", class_="skip")
        body = tag("body", skip, tag("main", parts, class_="trial"))
        return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"

    def _top(self, around: tuple[str | None, str | None]) -> Markup:
        links = [tag("a", f"Report of {self._run.name}", href="../../report.html")]
        for name, title in zip(around, ("Previous trial", "Next trial"), strict=True):
            if name is not None:
                links.append(tag("a", title, href=escape_url(name)))
        return tag("nav", links, class_="top", aria_label="Pages")

    def _heading(self) -> Markup:
        trial = self._trial
        attempt = f", attempt {trial.attempt}" if trial.attempt > 1 else ""
        model = trial.record.model if trial.record is not None else None
        about = f"{trial.family}{attempt}, by {self._run.agent if model else self._run.document.specification.agent}"
        return join([tag("h1", trial.task), tag("p", about, class_="sub")])

    def _tiles(self) -> Markup:
        trial = self._trial
        status = (trial.cause or trial.status).replace("_", " ")
        told = [("Status", status, "" if trial.scored else "unscored")]
        measured = [metric for metric in self._measured.shown.headline if metric.name in trial.metrics]
        told += [(metric.title, show(trial.metrics[metric.name]), "") for metric in measured]
        told += self._spent()
        tiles = [
            tag("div", tag("dt", title), tag("dd", value, tag("small", more) if more else ""), class_="tile")
            for title, value, more in told
        ]
        return tag("dl", tiles, class_="tiles")

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

    def _failure(self) -> Markup:
        trial = self._trial
        reason = trial.unreadable or (trial.reason if trial.cause is not None or not trial.scored else None)
        if not reason:
            return Markup("")
        cause = (trial.cause or ("unreadable answer" if trial.unreadable else "unscored")).replace("_", " ")
        text = block(reason, Budget(), _LOG_TAIL)
        return tag("section", tag("h2", f"Why: {cause}"), text, class_="why", aria_label="Why")

    def _compared(
        self, answer: Any, paired: Paired | None, quotes: Sequence[tuple[Quote, Found]], view: QuoteView
    ) -> Markup:
        gold, note = self._subject.gold, self._subject.note
        parts: list[Markup] = [tag("h2", "Answer beside gold" if gold is not None else "Answer", id="answer")]
        if answer is None:
            parts.append(tag("p", "There is no answer that can be read.", class_="sub"))
        if paired is not None:
            parts += [tag("p", note, class_="sub")] if note else []
            columns = self._measured.shown.columns
            parts.append(pair_cards(paired, columns, lambda index: self._of_record(paired.name, index, quotes, view)))
            both = tag("div", side_by_side(answer, gold, ""), class_="inside")
            parts.append(tag("details", tag("summary", "Both as they are"), both, class_="more"))
        else:
            rows = self._trial.score.records if self._trial.score is not None else []
            if rows:
                about = "As the scorer compared them"
                compared = tag("div", records_table(rows, self._measured.shown.columns), class_="compared")
                parts += [tag("h3", about), compared]
            parts.append(side_by_side(answer, gold, note))
        return tag("section", parts)

    def _of_record(self, name: str, index: int, quotes: Sequence[tuple[Quote, Found]], view: QuoteView) -> list[Markup]:
        """The quotes of the answer's record ``index``, with the scorer's word on each where it has one."""
        rows = self._trial.score.records if self._trial.score is not None else []
        own = [row for row in rows if row.get("answer") == index and "evidence" in row and "field" not in row]
        scored = evidence_in_words(own[0]) if len(own) == 1 else ""
        return [view.show(quote, found, scored) for quote, found in quotes if quote.path[:2] == (name, index)]

    def _quotes(self, quotes: Sequence[tuple[Quote, Found]], view: QuoteView) -> Markup:
        if not quotes:
            return Markup("")
        shown = [
            tag("div", tag("h3", place_in_answer(quote)), view.show(quote, found), class_="card")
            for quote, found in quotes
        ]
        return tag("section", tag("h2", "Quotes"), shown)

    def _steps(self, trajectory: Trajectory | None) -> Markup:
        if trajectory is None:
            return tag(
                "section", tag("h2", "Steps"), tag("p", "There is no trajectory that can be read.", class_="sub")
            )
        return tag("section", tag("h2", "Steps"), StepView(self._folder, self._base).show(trajectory))

    def _logs(self) -> Markup:
        logs = [self._folder / "agent.log", *sorted((self._folder / "wire").glob("*.log"))]
        parts: list[Markup] = []
        for path in logs:
            text = end_of(path)
            if text.strip():
                name = path.relative_to(self._folder).as_posix()
                opened = "" if self._trial.cause is not None and path is logs[0] else None
                summary = tag("summary", f"The end of {name}")
                parts.append(tag("details", summary, block(text, Budget(), _LOG_TAIL), class_="more", open=opened))
        return tag("section", tag("h2", "Logs"), parts) if parts else Markup("")

    def _files(self) -> Markup:
        links = [
            tag("a", name, href=escape_url(Path(os.path.relpath(self._folder / name, self._base)).as_posix()))
            for name in self._trial.files
        ]
        return tag("footer", tag("p", "Files: ", join(links, " · ")))


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
