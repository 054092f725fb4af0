"""What ``pincite tasks import`` and ``pincite tasks fetch`` do."""

import asyncio
from collections import Counter
from pathlib import Path

import typer

from pincite_core.settings import load_settings
from pincite_harness.curation.importing.dataset import ImportOptions, choose_dataset
from pincite_harness.curation.importing.fetch import fetch_dataset
from pincite_harness.curation.importing.gold_file import read_gold
from pincite_harness.curation.importing.own_papers import import_family
from pincite_harness.curation.importing.write import import_dataset
from pincite_harness.curation.validation.gold_check import GoldCheck
from pincite_harness.labels.outcomes import Correction, corrections_in
from pincite_tasks.family import Family

_MOST = 5
"""Lines of one reason."""


def from_dataset(
    like: Family,
    source: Path,
    dataset: str | None,
    papers: Path | None,
    limit: int | None,
    out: Path,
    corrections: Path | None = None,
) -> Family:
    """A family of a published data set, its gold corrected by people's labels; says what was left out."""
    chosen = choose_dataset(like.name, dataset, source)
    left_out = _LeftOut()
    with GoldCheck(like, [out]) as gold_check:
        options = ImportOptions(papers, limit, note=left_out.note, corrections=_corrections(corrections))
        try:
            family = import_dataset(like, chosen, source, out, gold_check.check, options)
        finally:
            left_out.say_more()
    _say_notes(gold_check)
    typer.echo(f"data set: {chosen.title}, licence: {chosen.licence}")
    return family


def from_own_papers(like: Family, papers: Path, gold: Path, out: Path, corrections: Path | None = None) -> Family:
    """A family of a user's own papers and gold; says which records and papers were left out."""
    left_out = _LeftOut()
    options = ImportOptions(note=left_out.note, corrections=_corrections(corrections))
    with GoldCheck(like, [out]) as gold_check:
        try:
            done = import_family(like, papers, read_gold(gold, options), out, gold_check.check, options)
        finally:
            left_out.say_more()
    _say_notes(gold_check)
    for paper in done.left_out:
        typer.echo(f"left out, because the gold does not name it: {paper}")
    return done.family


def _corrections(path: Path | None) -> list[Correction]:
    """What a file of labels changes; says how much of it is to be done."""
    if path is None:
        return []
    found = corrections_in(path)
    counts = Counter(each.action for each in found)
    typer.echo(f"corrections: {', '.join(f'{count} to {action}' for action, count in counts.items()) or 'none'}")
    return found


def fetch(family: str, dataset: str | None, folder: Path) -> list[Path]:
    """The fetched files."""
    return asyncio.run(fetch_dataset(choose_dataset(family, dataset), folder, load_settings()))


class _LeftOut:
    """Says what was left out: of each reason the first few in lines of their own, the others by name at the end."""

    def __init__(self) -> None:
        self._named: dict[str, list[str]] = {}

    def note(self, note: str) -> None:
        """One line of a reader; its reason is what follows the last colon."""
        name, _, reason = note.rpartition(": ")
        named = self._named.setdefault(reason, [])
        named.append(name)
        if len(named) <= _MOST:
            typer.echo(f"left out: {note}")

    def say_more(self) -> None:
        """What each reason left out beyond what was said."""
        for reason, names in self._named.items():
            if len(names) > _MOST:
                typer.echo(f"left out: {len(names) - _MOST} more: {reason}: {'; '.join(names[_MOST:])}")


def _say_notes(gold_check: GoldCheck) -> None:
    for note in gold_check.notes:
        typer.echo(f"note: {note}")
