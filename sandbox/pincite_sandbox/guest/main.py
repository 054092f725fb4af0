"""The entry of the programs inside: ``supervisor CONFIG``, ``files VERB ROOT PATH NUMBER``, ``probe GROUP JSON``."""

from __future__ import annotations


def main(argv: list[str]) -> int:
    """Run the named program; its module is loaded only then."""
    if argv[0] == "supervisor":
        from . import supervisor as program
    elif argv[0] == "probe":
        from .probes import main as program
    else:
        from . import files as program
    return program.main(argv[1:])
