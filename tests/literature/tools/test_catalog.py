"""Every source of the catalog can do what its row says, is asked and probed, and is named to users."""

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

from pincite_core.http.opening import open_web
from pincite_core.lazy import load
from pincite_core.settings import Settings
from pincite_literature.catalog import CITING, PLACES, RECOMMENDING, REFERRING, ROWS, SOURCES, TITLES, SourceName
from pincite_literature.model import Identifiers
from pincite_literature.probes import PROBES

ROOT = Path(__file__).parents[3]
DOI = "10.5555/cuprate.2019.1"


def test_each_row_says_what_its_class_can() -> None:
    settings = Settings()
    assert get_args(SourceName) == SOURCES
    assert len({row.registers for row in ROWS}) == len(ROWS)
    for row in ROWS:
        source = load(PLACES[row.name])(open_web(settings), settings)
        assert (source.policy.name, source.policy.title) == (row.name, row.title)
        assert row.knows <= {field.name for field in fields(Identifiers)}, row.name
        assert row.registers in row.knows, row.name
        able = [callable(getattr(source, method, None)) for method in ("citations", "references", "similar")]
        assert able == [row.cites, row.refers, row.recommends], row.name


def test_ranks_leave_nothing_to_chance() -> None:
    for name in ("fields", "titles", "abstracts", "texts"):
        ranks = [rank for row in ROWS if (rank := getattr(row.ranks, name)) is not None]
        assert len(set(ranks)) == len(ranks), name


async def test_each_source_is_asked(world: Callable[..., Any], one: Any) -> None:
    calls = {
        "search_papers": ({"query": "cuprate"}, SOURCES),
        "list_citations": ({"id": DOI}, CITING),
        "list_cited_works": ({"id": DOI}, REFERRING),
        "find_similar": ({"id": DOI}, RECOMMENDING),
    }
    async with world([one]) as there:
        for tool, (arguments, names) in calls.items():
            made = await there.call(tool, **arguments)
            assert [entry["source"] for entry in made["sources"]] == list(names), tool
        for name in SOURCES:
            assert there.asked(name), name


def test_each_source_is_probed() -> None:
    probed = {probe.source: probe.title for probe in PROBES}
    assert {name: probed.get(name) for name in SOURCES} == TITLES


def test_users_read_of_each_source() -> None:
    searching = load("pincite_literature.searching:search_papers").__doc__
    alike = load("pincite_literature.following:find_similar").__doc__
    readme = (ROOT / "README.md").read_text()
    for row in ROWS:
        assert row.title in searching, row.name
        assert row.title in readme, row.name
        assert (row.title in alike) == row.recommends, row.name
