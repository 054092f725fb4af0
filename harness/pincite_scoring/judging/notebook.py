"""Notebook: a model judge that writes down what it is asked for one answer."""

import threading
from pathlib import Path
from typing import Any

import orjson

from pincite_scoring.judging.exchange import Exchange, Tally
from pincite_scoring.judging.judge import Question, Verdict
from pincite_scoring.judging.model_judge import ModelJudge
from pincite_tasks.files import write_atomic

RECORD_FILE = "judging.jsonl"


class Notebook:
    """A model judge that notes what it is asked for one answer."""

    def __init__(self, judge: ModelJudge) -> None:
        self._judge = judge
        self.name = judge.name
        self.width = judge.width
        self._lock = threading.Lock()
        self._noted: dict[str, Exchange] = {}
        self._tally = Tally()

    def decide(self, question: Question) -> Verdict:
        """See Judge."""
        exchange = self._judge.ask(question)
        with self._lock:
            if exchange.digest not in self._noted:
                self._noted[exchange.digest] = exchange
                self._tally.add(exchange)
        return exchange.verdict

    def summary(self) -> dict[str, Any]:
        """Who judged, how many questions, at what cost: for score.json."""
        return {"judge": self.name, **self._tally.to_json()}

    def lines(self) -> list[bytes]:
        """Each question with its prompt and every reply, as JSON, in order of their digests."""
        return [orjson.dumps(self._noted[digest].to_json()) for digest in sorted(self._noted)]


def write_record(notebook: Notebook | None, folder: Path) -> None:
    """Write judging.jsonl into a trial's folder; where nothing was asked, remove what an earlier scoring left."""
    lines = notebook.lines() if notebook is not None else []
    path = folder / RECORD_FILE
    if lines:
        write_atomic(path, b"\n".join(lines) + b"\n")
    else:
        path.unlink(missing_ok=True)
