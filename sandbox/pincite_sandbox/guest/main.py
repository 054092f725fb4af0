"""The entry of the programs inside: ``supervisor CONFIG``, ``files VERB ROOT PATH NUMBER``, ``probe GROUP JSON``."""

from __future__ import annotations

import sys


def main(argv: list[str]) -> int:
    """Run the named program; its module is loaded only then."""
    if argv[0] == "supervisor":
        # asyncio would load it for what a sandbox never does, at a fifth of the time of its start.
        sys.modules.setdefault("ssl", None)  # type: ignore[arg-type]
        from . import supervisor as program
    elif argv[0] == "probe":
        from .probes import main as program
    else:
        from . import files as program
    return program.main(argv[1:])
