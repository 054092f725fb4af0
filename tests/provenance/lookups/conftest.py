"""The provenance server in memory, over local servers that speak the sources' APIs and doi.org's."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.settings import Settings
from pincite_provenance.server import create_server


@pytest.fixture
def asking(
    source_servers: ModuleType,
    literature_services: ModuleType,
    checked_calls: Callable[..., Any],
    tmp_path: Path,
) -> Callable[..., Any]:
    """``async with asking(works, own=…, faults=…) as call:`` a world in which every source, and doi.org ("doi"), knows
    ``works``, or those of its name in ``own``; those in ``faults`` fail so."""

    @asynccontextmanager
    async def open_world(
        works: Sequence[Any],
        *,
        own: dict[str, Sequence[Any]] | None = None,
        faults: dict[str, str] | None = None,
        **settings: Any,
    ) -> AsyncGenerator[Callable[..., Any]]:
        names = (*literature_services.NAMES, "doi")
        seconds = source_servers.patience(*(faults or {}).values())
        with literature_services.serving(works, own=own, faults=faults, names=names) as (_, urls):
            made = Settings(
                source_urls=urls,
                cache_dir=tmp_path / "cache",
                papers_dir=tmp_path / "papers",
                ledger=tmp_path / "claims.db",
                roots=(tmp_path,),
                **{"source_seconds": seconds, "source_rates": "off", **settings},
            )
            async with checked_calls(create_server(made)) as call:
                yield call

    return open_world


@pytest.fixture
def one(invented: ModuleType) -> Any:
    """A work that every source knows."""
    return invented.known_everywhere()
