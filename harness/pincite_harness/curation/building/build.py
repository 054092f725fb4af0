"""Build: a folder of papers becomes a family of figure_analysis tasks, paper by paper, resumable at any point."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite_core.errors import BadInputError, PinciteError
from pincite_core.settings import load_settings
from pincite_harness.curation.building.collect import base_of, find_papers, refuse
from pincite_harness.curation.building.documents import Documents
from pincite_harness.curation.building.options import BuildOptions
from pincite_harness.curation.building.pictures import Pictures
from pincite_harness.curation.building.quotas import Quota, Quotas
from pincite_harness.curation.building.tasks import Made, make_tasks
from pincite_harness.curation.building.work import Result, Work
from pincite_harness.curation.importing.dataset import DatasetEntry
from pincite_harness.curation.importing.own_papers import to_task_id
from pincite_harness.curation.importing.write import Check, write_family
from pincite_papers.model import Paper
from pincite_papers.opening.store import PaperStore
from pincite_scoring.judging.judge import Judge
from pincite_tasks.family import Family, load_family
from pincite_tasks.files import digest_file
from pincite_tasks.task import Record, Task

Done = Callable[[Result], None]
"""Told of every paper as it is done."""
_STEM_CHARS = 40
"""Characters of a paper's name in the ids of its tasks."""


@dataclass(slots=True)
class Built:
    """The family (None: no task passed), and the results in the papers' order."""

    family: Family | None = None
    results: list[Result] = field(default_factory=list[Result])
    beyond: int = 0
    """Papers left out because a quota was full."""
    repeated: int = 0
    """Tasks left out because another file has the same paper, or another paper the same analysis."""

    @property
    def dropped(self) -> Counter[str]:
        """Analyses that made no task, by reason, over all papers."""
        return sum((Counter(result.dropped) for result in self.results), Counter[str]())

    @property
    def left_out(self) -> Counter[str]:
        """Papers that gave no task, by reason."""
        return Counter(result.reason for result in self.results if result.outcome == "left_out")


@dataclass(frozen=True, slots=True)
class Builder:
    """Builds tasks like those of the family ``like``; see ``build``."""

    like: Family
    judge: Judge
    options: BuildOptions
    workers: int = 2
    quotas: Sequence[Quota] = ()

    def build(self, papers: Path, out: Path, check: Check, expect: Callable[[int], None], done: Done) -> Built:
        """Write ``<out>/<family name>``; what was done before with the same options is taken from the work folder.

        A paper that cannot be read or judged is a failed result, never the end. An interrupt keeps what was finished.
        BadInputError where ``papers`` holds none, or the family's folder is there and no build made it.
        """
        target, folder = out / self.like.name, out / f".{self.like.name}.build"
        found = find_papers(papers, target)
        if not found:
            raise BadInputError(f"{papers} holds no paper.", next="Give a folder of PDF, JATS, LaTeX or HTML files.")
        if target.exists() and not folder.is_dir():
            raise BadInputError(f"{target} already exists.", next="Give another --out, or remove it.")
        files = [digest_file(path) for paths in found for path in paths] if self.options.across else []
        work = Work(folder, self.options.digest(self.judge.name, files))
        named = list(zip(found, _stems(found), strict=True))
        built = Built()
        expect(len(found))
        settings = load_settings()
        roots = {"roots": (papers.resolve(),)}
        with PaperStore(settings.model_copy(update=roots)) as store, Pictures(settings, store) as pictures:
            room = _Room(store, pictures, work, check, self._documents(found, store))
            pool = ThreadPoolExecutor(max_workers=self.workers)
            try:
                for future in [pool.submit(self._best, paths, papers, room, stem) for paths, stem in named]:
                    built.results.append(future.result())
                    done(built.results[-1])
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
        entries = list(_entries(built, folder, Quotas(self.quotas)))
        if entries:
            built.family = self._write(entries, folder, target)
        return built

    def _documents(self, found: Sequence[Sequence[Path]], store: PaperStore) -> Documents:
        """The papers that contexts may reach into, each by the first of its files that can be read."""
        papers = (_open_first(paths, store) for paths in (found if self.options.across else ()))
        return Documents.of(paper for paper in papers if paper is not None)

    def _write(self, entries: list[DatasetEntry], folder: Path, target: Path) -> Family:
        """Write the family in the work folder, then put it in place of the one that an earlier build made."""
        shutil.rmtree(folder / target.name, ignore_errors=True)
        made = write_family(self.like, entries, folder, lambda _: None)
        shutil.rmtree(target, ignore_errors=True)
        made.folder.rename(target)
        return load_family(target)

    def _best(self, paths: list[Path], papers: Path, room: "_Room", stem: str) -> Result:
        """The result of the first of a paper's files that gives tasks, else that of the first that can be read."""
        results: list[Result] = []
        for path in paths:
            results.append(self._one(path, path.relative_to(papers).as_posix(), room, stem))
            if results[-1].outcome == "built":
                return results[-1]
        return next((result for result in results if result.outcome == "left_out"), results[0])

    def _one(self, path: Path, name: str, room: "_Room", stem: str) -> Result:
        """One file's result: kept from before, or made now."""
        try:
            digest = digest_file(path)
            return room.work.find(name, digest) or self._make(path, name, digest, room, stem)
        except PinciteError as error:
            return Result(name, "failed", error.short())
        except Exception as error:  # noqa: BLE001 - a fault of ours with one paper must not end the build
            return Result(name, "failed", f"A fault in pincite: {type(error).__name__}: {error}")

    def _make(self, path: Path, name: str, digest: str, room: "_Room", stem: str) -> Result:
        """Make the tasks of a file, without those whose gold does not hold in what the agent would be given."""
        paper, made = room.store.open(path.resolve()), Made()
        reason = refuse(paper, self.options)
        if not reason:
            made = make_tasks(paper, path.resolve(), room.pictures, self.judge, self.options, stem, room.documents)
        files = room.work.place(digest, made)
        records = [record for record in made.records if self._holds(record, files, room, made.dropped)]
        if not records:
            reason = reason or "no paragraph passed the filters"
        outcome = "built" if records else "left_out"
        dropped = dict(made.dropped)
        result = Result(name, outcome, reason, paper.paper_id, paper.doi or "", records, files, dropped)
        room.work.keep(digest, result)
        return result

    def _holds(self, record: dict[str, Any], files: Mapping[str, str], room: "_Room", dropped: Counter[str]) -> bool:
        """Whether the gold of a record is right, which is counted where it is not."""
        inputs = record["inputs"]
        papers, given = (tuple(room.work.folder / files[name] for name in inputs[kind]) for kind in ("papers", "files"))
        task = Task(self.like.name, record["task_id"], papers, record["gold"], files=given)
        try:
            room.check(task)
        except BadInputError:
            dropped["whose words or captions do not come through as they are"] += 1
            return False
        return True


@dataclass(frozen=True, slots=True)
class _Room:
    """What the workers share."""

    store: PaperStore
    pictures: Pictures
    work: Work
    check: Check
    documents: Documents


def _open_first(paths: Sequence[Path], store: PaperStore) -> Paper | None:
    """The first of a paper's files that can be read."""
    for path in paths:
        try:
            return store.open(path.resolve())
        except PinciteError:  # named when its turn comes
            continue
    return None


def _entries(built: Built, folder: Path, quotas: Quotas) -> Iterator[DatasetEntry]:
    """The tasks of all papers in order; a paper that another file has too (by its DOI), and an analysis that another
    paper has in the same words, come once."""
    seen: set[str] = set()
    for result in built.results:
        again = bool(result.doi) and result.doi in seen
        seen.add(result.doi)
        if result.records and not again and not quotas.takes(result.records):
            built.beyond += 1
            continue
        for record in result.records:
            gold = str(record["gold"]["analysis"])
            if again or gold in seen:
                built.repeated += 1
                continue
            seen.add(gold)
            inputs = record["inputs"]
            names = [*inputs["papers"], *inputs["files"]]
            yield DatasetEntry(Record.model_validate(record), {name: folder / result.files[name] for name in names})


def _stems(found: list[list[Path]]) -> list[str]:
    """What the ids of each paper's tasks begin with: its name, numbered where two meet."""
    stems: list[str] = []
    for paths in found:
        base = to_task_id(base_of(paths[0]).name)[:_STEM_CHARS].rstrip("-._") or "paper"
        number, stem = 1, base
        while stem in stems:
            number += 1
            stem = f"{base}-{number}"
        stems.append(stem)
    return stems
