"""What a ledger that was tampered with answers."""

from pathlib import Path

from pincite_core.errors import TamperedError


def tampered(path: Path, seen: str) -> TamperedError:
    """The error for the ledger at ``path``, of which ``seen`` tells what is wrong."""
    return TamperedError(
        f"The ledger {path} was tampered with: nothing was recorded.",
        seen=seen,
        next="Let the user run `pincite provenance check`, keep the files as evidence and set PINCITE_LEDGER to "
        "another file.",
    )
