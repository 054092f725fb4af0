"""The sources of an audit: files and folders, each opened once."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from pincite_core.errors import BadInputError, PinciteError
from pincite_core.settings import Settings, load_settings
from pincite_papers.opening.store import PaperStore
from pincite_provenance.audit.citing import AuditSource
from pincite_scoring.shown import text_paper
from pincite_tasks.files import decode_text

PAPER_ENDS = (".pdf", ".xml", ".nxml", ".tex", ".tar.gz", ".tgz", ".zip", ".html", ".htm", ".docx", ".epub")
TEXT_ENDS = (".txt", ".md")
"""Files that are read as they are."""
_AT_ONCE = 2
"""Papers that are parsed side by side; each takes a core."""


@dataclass
class OpenedSources:
    """The papers that could be read, each under its file's name, and why the others could not."""

    sources: list[AuditSource] = field(default_factory=list[AuditSource])
    failed: dict[str, str] = field(default_factory=dict[str, str])


def open_sources(paths: Sequence[Path], settings: Settings | None = None) -> OpenedSources:
    """Open the files, and those of papers below the folders. NotFoundError or BadInputError for a path that is none."""
    files = _files(paths)
    opened = OpenedSources()
    roots = tuple(dict.fromkeys(file.parent for file in files))
    chosen = (settings or load_settings()).model_copy(update={"roots": roots})
    with PaperStore(chosen) as store, ThreadPoolExecutor(_AT_ONCE) as threads:
        outcomes = threads.map(partial(_opened, store), files)
        for file, outcome in zip(files, outcomes, strict=True):
            if isinstance(outcome, AuditSource):
                opened.sources.append(outcome)
            else:
                opened.failed[file.name] = str(outcome)
    return opened


def _opened(store: PaperStore, file: Path) -> AuditSource | Exception:
    try:
        if file.name.lower().endswith(TEXT_ENDS):
            return AuditSource(file.name, text_paper(decode_text(file.read_bytes())))
        return AuditSource(file.name, store.open(file))
    except (PinciteError, OSError, UnicodeDecodeError) as error:
        return error


def _files(paths: Sequence[Path]) -> list[Path]:
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            inside = [each for each in sorted(path.rglob("*")) if each.is_file() and _may_be_source(each)]
            if not inside:
                listed = ", ".join((*PAPER_ENDS, *TEXT_ENDS))
                raise BadInputError(f"The folder {path} holds no papers.", next=f"Files of papers end in {listed}.")
            found.update((each.resolve(), None) for each in inside)
        elif path.is_file():
            found[path.resolve()] = None
        else:
            raise BadInputError(f"There is no file or folder {path}.", next="Check the path.")
    return list(found)


def _may_be_source(file: Path) -> bool:
    return file.name.lower().endswith((*PAPER_ENDS, *TEXT_ENDS)) and not file.name.startswith(".")
