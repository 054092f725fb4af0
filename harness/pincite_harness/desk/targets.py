"""Targets: what the desk is asked to show, told by what lies there."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.desk.audit_book import REPORT_ENDS, is_audit
from pincite_harness.desk.library_book import is_library
from pincite_harness.runs.run_folder import RUN_FILE

_MOST_PAPERS = 200
"""Papers that one desk opens. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Targets:
    """Folders of runs and files of papers; ``trial`` is the name of the one trial that was meant. ``audits`` are
    reports to be audited against ``sources``, or audits that were made."""

    runs: tuple[Path, ...] = ()
    papers: tuple[Path, ...] = ()
    trial: str = ""
    audits: tuple[Path, ...] = ()
    sources: tuple[Path, ...] = ()
    libraries: tuple[Path, ...] = ()


def read_targets(named: Sequence[Path], sources: Sequence[Path] = (), *, audit: bool = False) -> Targets:
    """Runs (a folder with run.json), folders of runs, trials (a folder in a run's ``trials``), files of papers, reports
    in Markdown or text, audits as JSON, and folders of libraries. With ``audit`` all that is named is audited.

    NotFoundError for a path that is not there, BadInputError for a folder that is none of these.
    """
    for path in sources:
        if not path.exists():
            raise NotFoundError(f"There is no {path}.", next="Name a paper, or a folder of papers, with --papers.")
    found: dict[str, dict[Path, None]] = {"runs": {}, "papers": {}, "audits": {}, "libraries": {}}
    trial = ""
    for path in (each.expanduser().absolute() for each in named):
        kind, paths = ("audits", [path]) if audit else _kind_of(path)
        if kind == "trial":
            trial = path.name if len(named) == 1 else ""
            kind = "runs"
        found[kind].update(dict.fromkeys(paths))
    if len(found["papers"]) > _MOST_PAPERS:
        raise BadInputError(f"The desk opens {_MOST_PAPERS} papers at most.", seen=f"{len(found['papers'])} papers")
    return Targets(trial=trial, sources=tuple(sources), **{name: tuple(paths) for name, paths in found.items()})


def _kind_of(path: Path) -> tuple[str, list[Path]]:
    """What a path is, and the paths that are meant: of a trial its run, of a folder of runs these."""
    if path.is_file():
        is_report = path.suffix.lower() in REPORT_ENDS or is_audit(path)
        return ("audits" if is_report else "papers"), [path]
    if not path.is_dir():
        raise NotFoundError(f"There is no {path}.", next="Name a run, a trial, a paper, a report or an audit.")
    if is_library(path):
        return "libraries", [path]
    if (path / RUN_FILE).is_file():
        return "runs", [path]
    if path.parent.name == "trials" and (path.parents[1] / RUN_FILE).is_file():
        return "trial", [path.parents[1]]
    inner = sorted(each.parent for each in path.glob(f"*/{RUN_FILE}"))
    if not inner:
        raise BadInputError(
            f"{path} is neither a run nor a trial nor a library, and no run lies in it.",
            next="Name the folder of a run, one that holds runs, a library's folder, or a paper's file.",
        )
    return "runs", inner
