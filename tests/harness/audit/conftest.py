"""Registries on the loopback for the audit."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.settings import Settings


@pytest.fixture
def services(literature_services: ModuleType, tmp_path: Path) -> Callable[..., AbstractContextManager[Settings]]:
    """``with services(works, faults) as settings:`` registries, doi.org ("doi") among them, that know these works."""

    @contextmanager
    def serving(works: Sequence[Any], faults: Mapping[str, str] | None = None) -> Generator[Settings]:
        names = (*literature_services.NAMES, "doi")
        with literature_services.serving(works, faults=faults or {}, names=names) as (_, urls):
            yield Settings(
                source_urls=urls,
                cache_dir=tmp_path / "cache",
                papers_dir=tmp_path / "papers",
                roots=(tmp_path,),
                source_rates="off",
            )

    return serving
