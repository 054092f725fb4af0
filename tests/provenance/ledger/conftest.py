"""A ledger with rows, and raw access to its file as someone with an editor for databases has it."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from pincite_provenance.ledger.ledger import Ledger


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "claims.db"


@pytest.fixture
def fill() -> Callable[..., Ledger]:
    """Append ``count`` rows to the ledger at a path."""

    def fill(path: Path, count: int, key: bytes | None = None) -> Ledger:
        ledger = Ledger(path, key=key)
        for number in range(count):
            ledger.append(lambda _past, number=number: {"kind": "claim", "text": f"Tc ist {number} K — naïve"})
        return ledger

    return fill


@pytest.fixture(scope="session")
def tampering(module_at) -> ModuleType:
    """The module ``tampering``."""
    return module_at(Path(__file__).with_name("tampering.py"))


@pytest.fixture
def raw(tampering):
    """``with raw(path) as connection:`` the triggers are dropped while the body runs, and put back after it."""
    return tampering.unguarded
