"""The claims that an agent recorded in its ledger during a trial."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite_harness.trial.workspace import LEDGER_FILE
from pincite_provenance.ledger.entry import LedgerEntry, read_ledger
from pincite_provenance.ledger.ledger import Ledger

MOST_CLAIMS = 500
"""Of one page; `pincite provenance list` has all. Set by judgement."""


@dataclass(frozen=True, slots=True)
class LedgerShown:
    """The claims, the newest first; ``faults`` say what of the ledger is not as it was recorded."""

    claims: Sequence[LedgerEntry]
    left: int
    faults: Sequence[str]


def has_ledger(folder: Path) -> bool:
    """Whether an agent recorded claims in this trial."""
    return (folder / LEDGER_FILE).is_file()


def show_ledger(folder: Path) -> LedgerShown:
    """The claims of the trial in ``folder``; a PinciteError where its ledger cannot be read."""
    audited, entries = read_ledger(Ledger(folder / LEDGER_FILE))
    claims = list(reversed(entries.claims))
    faults = [finding.what for finding in audited.findings]
    return LedgerShown(claims[:MOST_CLAIMS], max(0, len(claims) - MOST_CLAIMS), faults)
