"""The sources of an audit: files and folders, each opened once."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from pincite_core.errors import BadInputError, PinciteError
from pincite_core.settings import Settings, load_settings
from pincite_library.model import PaperEntry
from pincite_library.shelf import library_settings
from pincite_library.shelf import open_library as open_store_of
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


def open_all(papers: Sequence[Path], library: Path | None, settings: Settings | None = None) -> OpenedSources:
    """The files and folders, and the papers of a library that are not among them."""
    opened = open_sources(papers, settings)
    if library is not None:
        there = {source.paper.paper_id for source in opened.sources}
        found = open_library(library, settings)
        opened.sources += [source for source in found.sources if source.paper.paper_id not in there]
    return opened


def open_library(folder: Path, settings: Settings | None = None) -> OpenedSources:
    """The papers of the library in ``folder``: each from its file where that is still the same, with its tables, else
    as the text that the library holds. NotFoundError where there is no library."""
    chosen = library_settings(settings or load_settings(), folder)
    opened = OpenedSources()
    with closing(open_store_of(chosen)) as library:
        for entry in library.papers():
            source = _same_file(entry, chosen)
            if source is None:
                text = library.text(entry.paper_id)
                paper = replace(text_paper(text), title=entry.title, authors=entry.authors, doi=entry.doi)
                source = AuditSource(Path(entry.source).name, replace(paper, year=entry.year))
            opened.sources.append(source)
    return opened


def _same_file(entry: PaperEntry, settings: Settings) -> AuditSource | None:
    """The file that a library's paper was read from; None where it is gone or has changed."""
    file = Path(entry.source)
    if not file.is_file() or not file.name.lower().endswith(PAPER_ENDS):
        return None
    try:
        with PaperStore(settings.model_copy(update={"roots": (file.resolve().parent,)})) as store:
            paper = store.open(file)
    except (PinciteError, OSError):
        return None
    return AuditSource(file.name, paper) if paper.paper_id == entry.paper_id else None


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
