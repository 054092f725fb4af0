"""Recorded answers of the sources behind local servers."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.errors import PinciteError
from pincite_literature.sources.arxiv import Arxiv
from pincite_literature.sources.crossref import Crossref
from pincite_literature.sources.europe_pmc import EuropePmc
from pincite_literature.sources.openalex import OpenAlex
from pincite_literature.sources.pubmed import PubMed
from pincite_literature.sources.semantic_scholar import SemanticScholar
from pincite_literature.sources.unpaywall import Unpaywall

CLASSES = {
    "crossref": Crossref,
    "semantic_scholar": SemanticScholar,
    "openalex": OpenAlex,
    "arxiv": Arxiv,
    "pubmed": PubMed,
    "europe_pmc": EuropePmc,
    "unpaywall": Unpaywall,
}


@pytest.fixture(scope="session")
def classes() -> dict[str, Any]:
    """The class of each source, by name."""
    return CLASSES


@pytest.fixture(scope="session")
def readings(module_at: Callable[[Path], ModuleType]) -> ModuleType:
    """The module ``readings``: what answers say, read without pincite."""
    return module_at(Path(__file__).with_name("readings.py"))


@pytest.fixture(scope="session")
def recorded(module_at: Callable[[Path], ModuleType]) -> ModuleType:
    """The module ``recordings``, where its data are."""
    module = module_at(Path(__file__).with_name("recordings.py"))
    if module.FILE is None:
        pytest.skip("no recorded answers beside the repository (../shared/data/api-bodies)")
    return module


@pytest.fixture
def replies(asking: Callable[..., Any], source_servers: ModuleType, recorded: ModuleType) -> Callable[..., Any]:
    """``async for question, outcome in replies(source, rows)``: what the source makes of each recorded answer, an error
    included, from a local server that gives it for the request that the source makes."""

    async def ask(name: str, rows: list[Any]) -> Any:
        questions = list(recorded.questions([row for row in rows if row.source == name]))

        def answer(asked: Any) -> Any:
            given = next((one for one in waiting if recorded.same_request(asked, one)), None)
            if given is None:
                return source_servers.Given("not recorded", status=500)
            return source_servers.Given(given.recorded.body, status=given.recorded.status)

        waiting: list[Any] = []
        async with asking(CLASSES[name], answer, contact="a@b.example") as (source, _):
            for question in questions:
                waiting[:] = [question]
                try:
                    yield question, await question.ask(source)
                except PinciteError as error:
                    yield question, error

    return ask
