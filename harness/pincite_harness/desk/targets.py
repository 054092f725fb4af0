"""Targets: what the desk is asked to show, told by what lies there."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.desk.audit_book import REPORT_ENDS, is_audit
from pincite_harness.runs.run_folder import RUN_FILE

_MOST_PAPERS = 200


@dataclass(frozen=True, slots=True)
class Targets:
    """Folders of runs and files of papers; ``trial`` is the name of the one trial that was meant. ``audits`` are
    reports to be audited against ``sources``, or audits that were made."""

    runs: tuple[Path, ...] = ()
    papers: tuple[Path, ...] = ()
    trial: str = ""
    audits: tuple[Path, ...] = ()
    sources: tuple[Path, ...] = ()


def read_targets(named: Sequence[Path], sources: Sequence[Path] = (), *, audit: bool = False) -> Targets:
    """Runs (a folder with run.json), folders of runs, trials (a folder in a run's ``trials``), files of papers, reports
    in Markdown or text, and audits as JSON. With ``audit`` all that is named is audited.

    NotFoundError for a path that is not there, BadInputError for a folder that is none of these.
    """
    for path in sources:
        if not path.exists():
            raise NotFoundError(f"There is no {path}.", next="Name a paper, or a folder of papers, with --papers.")
    if audit:
        return Targets(
            audits=tuple(dict.fromkeys(path.expanduser().absolute() for path in named)), sources=tuple(sources)
        )
    runs: dict[Path, None] = {}
    papers: dict[Path, None] = {}
    audits: dict[Path, None] = {}
    trial = ""
    for path in (each.expanduser().absolute() for each in named):
        if path.is_file() and (path.suffix.lower() in REPORT_ENDS or is_audit(path)):
            audits[path] = None
        elif path.is_file():
            papers[path] = None
        elif not path.is_dir():
            raise NotFoundError(f"There is no {path}.", next="Name a run, a trial, a paper, a report or an audit.")
        elif (path / RUN_FILE).is_file():
            runs[path] = None
        elif path.parent.name == "trials" and (path.parents[1] / RUN_FILE).is_file():
            runs[path.parents[1]] = None
            trial = path.name if len(named) == 1 else ""
        else:
            inner = sorted(each.parent for each in path.glob(f"*/{RUN_FILE}"))
            if not inner:
                raise BadInputError(
                    f"{path} is neither a run nor a trial, and no run lies in it.",
                    next="Name the folder of a run, one that holds runs, or a paper's file.",
                )
            runs.update(dict.fromkeys(inner))
    if len(papers) > _MOST_PAPERS:
        raise BadInputError(f"The desk opens {_MOST_PAPERS} papers at most.", seen=f"{len(papers)} papers")
    return Targets(tuple(runs), tuple(papers), trial, tuple(audits), tuple(sources))
