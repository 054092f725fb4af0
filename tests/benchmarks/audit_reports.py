"""How an audit judges reports whose altered and invented claims are known.

    python tests/benchmarks/audit_reports.py FOLDER… [--misses] [--accused] [--no-registry]

A FOLDER has reports and ``key.json``: by the name of a report its ``papers`` (files of FOLDER/papers, or names of
papers of the bundled tasks, ``family/stem``, or of ../shared/data) and its ``altered`` spans (``kind``, ``start`` and
``end`` in characters, -1 where ``text`` alone says it, as in DOCX); everything else in it is true. Registries on the
loopback know the papers of a report and no other work. A span is found where a claim that touches it gets a verdict
against it, with the right kind where that verdict is of its kind: a number or a unit *value differs* or *not there*,
a quotation besides *reworded*, a reference *does not exist* or *is another work*. *unsure* is neither found nor an
accusation. Printed are shares with Wilson intervals. ``written_reports`` beside this file has four such folders, three
by writers who had not seen the rules, ``fourth`` by one who knew what had been missed; development has seen all of them
now, so that a new rule wants new reports. The exit status is 1 below 95 % found, or above 2 % of true claims accused.
"""

import argparse
import functools
import importlib
import json
import sys
from collections import Counter
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
from parts.rates import wilson

from pincite_core.settings import Settings
from pincite_harness.audit.audited import Audited, audit_online, audit_path
from pincite_harness.audit.sources import open_sources
from pincite_papers.model import Paper
from pincite_provenance.audit.finding import ALTERED, INVENTED

ROOT = Path(__file__).parents[2]
FOUND, ACCUSED = 0.95, 0.02
"""The bars: the share of altered claims to be found, and of true ones that may be accused."""
_REFERENCES = ("doi", "reference", "citation")


@dataclass
class Measured:
    """What was found of the altered spans, with verdicts of their kind, and which true claims were accused."""

    altered: Counter[str] = field(default_factory=Counter[str])
    found: Counter[str] = field(default_factory=Counter[str])
    right: int = 0
    clean: int = 0
    unsure: int = 0
    missed: list[str] = field(default_factory=list[str])
    accused: list[str] = field(default_factory=list[str])


def shared_data() -> Path | None:
    """The papers that the repository does not hold, where they are beside it."""
    folders = [parent / "shared/data" for parent in ROOT.parents]
    return next((folder for folder in folders if folder.is_dir()), None)


def place_of(name: str, folder: Path) -> Path | None:
    """The file of a paper that a key names; None for one of the shared data where these are not there."""
    beside = folder / "papers" / name
    if beside.is_file():
        return beside
    bundled = [*ROOT.glob(f"tasks/*/papers/{Path(name).name}"), *ROOT.glob(f"tasks/*/papers/{Path(name).name}.*")]
    family = name.partition("/")[0]
    bundled.sort(key=lambda path: path.parts[-3] != family)
    if bundled:
        return bundled[0]
    data = shared_data()
    if data is None:
        return None
    if (data / name).is_file():
        return data / name
    return next(iter(sorted(data.rglob(Path(name).name))), None)


def measure(folder: Path, services: ModuleType | None, cache: Path) -> Measured:
    """Audit the reports of a folder; with ``services`` (tests/literature_services) their references are asked about."""
    key: dict[str, Any] = json.loads((folder / "key.json").read_text(encoding="utf-8"))
    measured = Measured()
    for name, told in key.items():
        places = [place_of(paper, folder) for paper in told["papers"]]
        papers = [paper for paper in places if paper is not None]
        if len(papers) < len(places):
            print(f"left out, papers are missing: {name}", file=sys.stderr)
            continue
        opened = open_sources(papers)
        if services is None:
            (audited,) = audit_path(folder / name, opened)
        else:
            known = [_work(source.paper, services.invented) for source in opened.sources]
            with _asked(services, known) as (_, urls):
                settings = Settings(source_urls=urls, cache_dir=cache, papers_dir=cache, source_rates="off")
                audit = functools.partial(audit_online, folder / name, papers, settings, fetch=False, registry=True)
                (audited,), _ = anyio.run(audit)
        count(audited, told["altered"], measured)
    return measured


def _asked(services: ModuleType, works: list[Any]) -> AbstractContextManager[Any]:
    return services.serving(works, names=(*services.NAMES, "doi"))


def _work(paper: Paper, invented: ModuleType) -> Any:
    """The record that the registries have of a paper."""
    names = tuple((author.rpartition(" ")[2], author.rpartition(" ")[0]) for author in paper.authors)
    year = str(paper.year or 2026)
    return invented.Invented(paper.title, names, published=year, doi=paper.doi or "", openalex=f"W{year}")


def count(audited: Audited, altered: list[dict[str, Any]], measured: Measured) -> None:
    """Count the findings of one report."""
    name = audited.subject.name
    altered = [_placed(audited, span) for span in altered]
    verdicts: dict[int, set[str]] = {at: set() for at in range(len(altered))}
    for finding in audited.audit.findings:
        start, end = audited.audit.report.in_source(finding.claim.start, finding.claim.end)
        touched = [at for at, span in enumerate(altered) if span["start"] < end and start < span["end"]]
        for at in touched:
            verdicts[at].add(finding.verdict)
        if touched:
            continue
        measured.clean += 1
        measured.unsure += finding.verdict in ("unsure", "not checked", "source not at hand")
        if finding.verdict in ALTERED | INVENTED:
            measured.accused.append(f"{name}: {finding.claim.words!r}: {finding.verdict}, {finding.reason}")
    for at, span in enumerate(altered):
        against = verdicts[at] & (ALTERED | INVENTED)
        measured.altered[span["kind"]] += 1
        measured.found[span["kind"]] += bool(against)
        measured.right += bool(against & _fitting(span["kind"]))
        if not against:
            measured.missed.append(f"{name}: {span['kind']} {span['text']!r}: {', '.join(verdicts[at]) or 'no claim'}")


def _placed(audited: Audited, span: dict[str, Any]) -> dict[str, Any]:
    """The span with its place in the source, where the key gives its text alone (``start`` is -1)."""
    if span["start"] >= 0:
        return span
    report = audited.audit.report
    at = report.text.find(span["text"])
    if at < 0:
        print(f"{audited.subject.name}: the text has no {span['text']!r}", file=sys.stderr)
        return span
    start, end = report.in_source(at, at + len(span["text"]))
    return span | {"start": start, "end": end}


def _fitting(kind: str) -> frozenset[str]:
    if any(each in kind for each in _REFERENCES):
        return frozenset(INVENTED)
    return frozenset(ALTERED) if "quot" in kind else frozenset({"value differs", "not there", "reworded"})


def _services() -> ModuleType:
    """The registries of the tests."""
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/literature_services")]
    return importlib.import_module("services")


def _line(what: str, hits: int, total: int) -> None:
    low, high = wilson(hits, total)
    print(f"{what:34} {hits:4} of {total:4}  {hits / max(total, 1):.1%} (95 %: {low:.1%} to {high:.1%})")


def main() -> int:
    """Measure and print."""
    import tempfile

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--accused", action="store_true")
    parser.add_argument("--no-registry", action="store_true")
    options = parser.parse_args()
    is_below = False
    for folder in options.folders:
        with tempfile.TemporaryDirectory(prefix="pincite-audit-") as cache:
            measured = measure(folder, None if options.no_registry else _services(), Path(cache))
        found, altered = measured.found.total(), measured.altered.total()
        print(folder)
        _line("altered or invented: found", found, altered)
        for kind in sorted(measured.altered):
            _line(f"  {kind}", measured.found[kind], measured.altered[kind])
        _line("found with the right kind", measured.right, altered)
        _line("true claims accused", len(measured.accused), measured.clean)
        _line("true claims left open", measured.unsure, measured.clean)
        for line in measured.missed if options.misses else []:
            print(f"  missed: {line}")
        for line in measured.accused if options.accused else []:
            print(f"  accused: {line}")
        is_below |= found < FOUND * altered or len(measured.accused) > ACCUSED * measured.clean
    return int(is_below)


if __name__ == "__main__":
    sys.exit(main())
