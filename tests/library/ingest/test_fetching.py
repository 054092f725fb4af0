"""Identifiers come in by the literature server's own machinery, from sources and archives on the loopback."""

import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.settings import Settings
from pincite_library.ingest.outcome import Report, State, Watcher
from pincite_library.ingest.pipeline import Ingest
from pincite_library.store.opening import open_store

LITERATURE = Path(__file__).parents[2] / "literature"
DOI = "10.5555/cuprate.1"

World = Callable[..., Any]


@pytest.fixture
def world(
    source_servers: ModuleType,
    literature_services: ModuleType,
    module_at: Callable[[Path], ModuleType],
    settings: Settings,
) -> World:
    """``with world(works, answers) as settings``: sources that know the works, archives that give the answers."""
    hall_of = module_at(LITERATURE / "fulltext" / "archives.py").Hall

    @contextmanager
    def opened(
        works: Sequence[Any], answers: Mapping[str, Any], *, failing: Sequence[str] = (), fault: Any = None
    ) -> Generator[Settings]:
        with ExitStack() as stack:
            hall = stack.enter_context(hall_of(answers))
            servers, urls = stack.enter_context(literature_services.serving(works))
            for name in failing:
                servers[name].fault = fault or source_servers.FAULTS["500"]
            places = {**hall.urls, **urls}
            yield settings.model_copy(update={"source_urls": places, "allow_private_addresses": True})

    return opened


@pytest.fixture
def articles(module_at: Callable[[Path], ModuleType]) -> ModuleType:
    return module_at(LITERATURE / "fulltext" / "articles.py")


@pytest.fixture
def invented(literature_services: ModuleType, articles: ModuleType) -> Callable[..., Any]:
    """A function that makes a work that the sources know."""
    make = literature_services.invented.Invented

    def work(**ids: str) -> Any:
        return make(articles.TITLE, articles.AUTHORS, articles.ABSTRACT, "2019-03-05", **ids)

    return work


def _add(settings: Settings, *sources: str) -> Any:
    with Ingest(settings) as ingest:
        return ingest.add(sources)


def test_a_preprint_comes_in_by_its_identifier(
    world: World, articles: ModuleType, invented: Callable[..., Any]
) -> None:
    work = invented(arxiv="1903.01234", journal="")
    with world([work], {"/arxiv/src/1903.01234v1": articles.latex()}) as settings:
        (outcome,) = _add(settings, "https://arxiv.org/abs/1903.01234").outcomes
        assert (outcome.name, outcome.state) == ("arxiv:1903.01234", State.ADDED)
        store = open_store(settings)
        (entry,) = store.papers()
        assert entry.source == str(settings.papers_dir / "1903.01234v1.tar.gz")
        assert (entry.title, entry.year, entry.format) == (articles.TITLE, 2019, "latex")
        store.close()
    # What was fetched is there without the web, by its identifier and by its file.
    (again,) = _add(settings, "arXiv:1903.01234").outcomes
    assert again.state is State.UNCHANGED
    (same,) = _add(settings, str(settings.papers_dir / "1903.01234v1.tar.gz")).outcomes
    assert (same.state, same.why) == (State.UNCHANGED, "The same paper as arxiv:1903.01234")


def test_an_abstract_is_no_full_text(world: World, invented: Callable[..., Any]) -> None:
    with world([invented(doi=DOI)], {}) as settings:
        (outcome,) = _add(settings, DOI).outcomes
    assert (outcome.name, outcome.state, outcome.code) == (f"doi:{DOI}", State.FAILED, "not_found")
    assert "No open full text" in outcome.why
    assert "by its path" in outcome.next


def test_an_outage_is_no_answer_and_stops_no_other(world: World, invented: Callable[..., Any], papers: Path) -> None:
    with world([invented(doi=DOI)], {}, failing=["openalex", "europe_pmc"]) as settings:
        report = _add(settings, DOI, "10.5555/nobody.knows", str(papers))
    outcomes = {outcome.name: outcome for outcome in report.failed}
    asked, unknown = outcomes[f"doi:{DOI}"], outcomes["doi:10.5555/nobody.knows"]
    assert asked.code == "unavailable"
    assert "some of what could tell of one could not be asked" in asked.why
    assert "OpenAlex answered with an error" in unknown.why
    assert len(report.written) == 3


class _Stopping(Watcher):
    """Stops an ingest as soon as it asks for something."""

    def __init__(self, ingest: Ingest) -> None:
        self._ingest = ingest

    def started(self, name: str) -> None:
        threading.Timer(0.5, self._ingest.stop).start()


def test_a_fetch_that_hangs_ends_when_it_is_stopped(
    world: World, invented: Callable[..., Any], source_servers: ModuleType, literature_services: ModuleType
) -> None:
    hanging = source_servers.Fault(source_servers.Given("{}", after=60.0), "")
    with world([invented(doi=DOI)], {}, failing=literature_services.NAMES, fault=hanging) as settings:
        slow = settings.model_copy(update={"source_seconds": 60.0})
        reports: list[Report] = []
        with Ingest(slow) as ingest:
            adding = threading.Thread(target=lambda: reports.append(ingest.add([DOI], watcher=_Stopping(ingest))))
            adding.start()
            adding.join(timeout=30)
            assert not adding.is_alive()
    (report,) = reports
    assert report.stopped
    assert report.outcomes == []
