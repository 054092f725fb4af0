"""Shared by the tests of the builder: articles of our own, and builds of folders."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.settings import load_settings
from pincite_harness.curation.building.build import Builder, Built
from pincite_harness.curation.building.options import BuildOptions
from pincite_harness.curation.building.pictures import Pictures
from pincite_harness.curation.building.tasks import Made, make_tasks
from pincite_papers.opening.source import parse_source
from pincite_papers.opening.store import PaperStore
from pincite_scoring.judging.judge import RuleJudge
from pincite_tasks.catalog import Catalog


@pytest.fixture(scope="session")
def articles(module_at: Callable[[Path], ModuleType]) -> ModuleType:
    """The module ``made_articles``."""
    return module_at(Path(__file__).with_name("made_articles.py"))


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Built]:
    """A function that builds the folder ``papers`` into ``out`` of the test's own folder."""
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))

    def run(judge: Any = None, done: Any = lambda _: None, check: Any = lambda _: None, **options: Any) -> Built:
        builder = Builder(Catalog().family("figure_analysis"), judge or RuleJudge(), BuildOptions(**options), workers=1)
        return builder.build(tmp_path / "papers", tmp_path / "out", check, lambda _: None, done)

    (tmp_path / "papers").mkdir()
    return run


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Made]:
    """A function that makes the tasks of one article in this process, its picture beside it."""

    def run(article: bytes, picture: bytes, judge: Any = None, **options: Any) -> Made:
        (tmp_path / "glass_1.png").write_bytes(picture)
        settings = load_settings().model_copy(update={"roots": (tmp_path,)})
        paper = parse_source(article, max_pages=10)
        with PaperStore(settings) as store, Pictures(settings, store) as pictures:
            path = tmp_path / "glass.xml"
            return make_tasks(paper, path, pictures, judge or RuleJudge(), BuildOptions(**options), "glass")

    return run
