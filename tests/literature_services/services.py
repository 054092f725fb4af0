"""The services of the literature over invented works, once for all tests: each source's API in the module
``NAME_server`` (``make_NAME(works)`` gives what answers), and doi.org's handles.

    with services.serving(works, own={"arxiv": [preprint]}, faults={"crossref": "500"}) as (servers, urls):
"""

import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import source_server
from pincite_tasks.corpus.sources.others import doi_handles
from source_server import Asked, Given

NAMES = ("arxiv", "pubmed", "crossref", "semantic_scholar", "openalex", "europe_pmc")
"""The six sources that a search asks."""

Answer = Callable[[Asked], Given]


def module(name: str) -> ModuleType:
    """The module of this folder of that name, loaded once."""
    if name not in sys.modules:
        place = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
        assert place is not None
        assert place.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(place)
        place.loader.exec_module(sys.modules[name])
    return sys.modules[name]


invented = module("invented")
module("speaking")


def answering(name: str, works: Sequence[Any]) -> Answer:
    """What answers for a source, or for doi.org ("doi"), that knows these works."""
    if name == "doi":
        return module("speaking").replying(doi_handles, works)
    return getattr(module(f"{name}_server"), f"make_{name}")(works)


@contextmanager
def serving(
    works: Sequence[Any],
    *,
    own: Mapping[str, Sequence[Any]] | None = None,
    faults: Mapping[str, str] | None = None,
    names: Sequence[str] = NAMES,
    others: Mapping[str, Callable[[Answer], Answer]] | None = None,
) -> Iterator[tuple[dict[str, Any], dict[str, str]]]:
    """Servers of these services by name, and their addresses: each knows ``works``, or those of its name in ``own``;
    those in ``faults`` (of ``source_server.FAULTS``) fail so; ``others`` put something before what answers.
    """
    speaking = {name: answering(name, (own or {}).get(name, works)) for name in names}
    for name, around in (others or {}).items():
        speaking[name] = around(speaking[name])
    with source_server.serving(speaking, faults or {}) as (servers, urls):
        yield servers, urls
