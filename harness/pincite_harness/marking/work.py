"""What a marking process does: check one answer against its schema, or score it."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from pincite_harness.marking.questions import DistantJudge
from pincite_scoring.case import Case, OpenedPapers
from pincite_scoring.judging.judge import RuleJudge
from pincite_scoring.result import INVALID_ANSWER, OTHER, Score, ScoringOptions
from pincite_scoring.score import score
from pincite_tasks.answer import AnswerLimits, check_answer, read_answer

if TYPE_CHECKING:
    from pincite_harness.marking.worker import Parent


def do(header: dict[str, Any], data: bytes, parent: "Parent") -> tuple[dict[str, Any], bytes]:
    """Header and body of the reply to a job (see ``marking.marker``)."""
    if header["job"] == "check":
        bounds = AnswerLimits(header["answer_bytes"], header["answer_records"])
        return {"fault": check_answer(data, header["schema"], header["answer"], bounds).fault}, b""
    return {}, orjson.dumps(_score_answer(header, data, parent))


def _score_answer(header: dict[str, Any], data: bytes, parent: "Parent") -> dict[str, Any]:
    answer = read_answer(data, header["answer"]) if header["answered"] else None
    papers = OpenedPapers({name: Path(name) for name in header["papers"]}, lambda path: parent.paper(path.name))
    case = Case(
        answer,
        header["gold"],
        papers,
        header["parameters"],
        header["metadata"],
        {name: Path(path) for name, path in header["files"].items()},
        Path(header["corpus"]) if header["corpus"] is not None else None,
        Path(header["trial"]) if header["trial"] is not None else None,
    )
    name = header["judge"]
    judge = DistantJudge(name, parent) if name is not None else RuleJudge()
    options = ScoringOptions(judge, header["compat"])
    marked = _score(header["scorer"], case, options)
    if name is None:
        other = replace(options, compat=OTHER[options.compat])
        marked = replace(marked, also=_score(header["scorer"], case, other).metrics)
    return marked.to_json()


def _score(scorer: str, case: Case, options: ScoringOptions) -> Score:
    """The score; an answer that its schema let pass and that the scorer cannot read is scored as an empty one: nobody
    shall get out of a bad score."""
    marked = score(scorer, case, options)
    if marked.status == "unscored" and (marked.reason or "").startswith(INVALID_ANSWER):
        return replace(score(scorer, replace(case, answer=None), options), reason=marked.reason)
    return marked
