"""Vectors, made by an embedding API on the loopback."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.errors import BadInputError, UnavailableError
from pincite_core.settings import Settings
from pincite_library.ingest.outcome import Outcome, Report, State, Watcher
from pincite_library.ingest.pipeline import Ingest
from pincite_library.store.opening import open_store

BATCH = 2


class Model:
    """Answers with a vector made of each text's digest; ``left`` more requests are answered, then none."""

    def __init__(self, source_servers: ModuleType) -> None:
        self.left = 10**6
        self.pause = 0.0
        self.texts: list[str] = []
        self._given = source_servers.Given
        self.server = source_servers.SourceServer(self._answer)

    def _answer(self, asked: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            return self._given({"error": "no more"}, status=401)
        texts: list[str] = asked.json()["input"]
        self.texts += texts
        digests = [hashlib.sha256(text.encode()).digest()[:8] for text in texts]
        data = [{"index": place, "embedding": [byte - 127.5 for byte in each]} for place, each in enumerate(digests)]
        return self._given({"data": data}, after=self.pause)


@pytest.fixture
def model(source_servers: ModuleType) -> Iterator[Model]:
    made = Model(source_servers)
    with made.server:
        yield made


@pytest.fixture
def embedding(settings: Settings, model: Model, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings with the model, asked for two chunks at once, one after the other."""
    monkeypatch.setattr("pincite_library.ingest.embedding.BATCH", BATCH)
    monkeypatch.setattr("pincite_library.ingest.nodes.LocalNodes.batches", 1)
    return settings.model_copy(
        update={"embedder": "openai", "embedding_url": model.server.url, "embedding_model": "digests"}
    )


def _add(settings: Settings, *sources: Path) -> Report:
    with Ingest(settings) as ingest:
        return ingest.add([str(source) for source in sources])


def _counts(settings: Settings) -> dict[str, int]:
    store = open_store(settings)
    try:
        assert store.check() == []
        return store.counts()
    finally:
        store.close()


def test_what_is_added_gets_its_vectors(embedding: Settings, model: Model, papers: Path) -> None:
    report = _add(embedding, papers)
    counts = _counts(embedding)
    assert report.embedded == counts["vectors"] == counts["chunks"] > 3 * BATCH
    assert (report.unembedded, report.embedding_error) == (0, None)
    assert any("A study of alpha" in text and "39 K" in text for text in model.texts)
    asked = len(model.texts)
    assert _add(embedding, papers).embedded == 0
    assert len(model.texts) <= asked + 1  # the length of its vectors is asked for


def test_an_outage_keeps_what_is_done_and_the_next_pass_goes_on(
    embedding: Settings, model: Model, papers: Path
) -> None:
    model.left = 3
    report = _add(embedding, papers)
    counts = _counts(embedding)
    assert len(report.written) == counts["papers"] == 3
    assert report.embedded == counts["vectors"] == 2 * BATCH
    assert report.unembedded == counts["chunks"] - 2 * BATCH > 0
    assert isinstance(report.embedding_error, UnavailableError)
    model.left = 10**6
    with Ingest(embedding) as ingest:
        again = ingest.embed()
    assert (again.embedded, again.unembedded) == (report.unembedded, 0)


def test_an_unreachable_model_is_told_and_the_papers_are_in(embedding: Settings, model: Model, papers: Path) -> None:
    model.left = 0
    report = _add(embedding, papers)
    assert report.counts[State.ADDED] == 3
    assert isinstance(report.embedding_error, UnavailableError)
    assert report.unembedded == _counts(embedding)["chunks"]


def test_vectors_of_another_model_are_refused_until_all_are_made_anew(embedding: Settings, papers: Path) -> None:
    _add(embedding, papers / "one.xml")
    before = _counts(embedding)["vectors"]
    other = embedding.model_copy(update={"embedding_model": "others"})
    report = _add(other, papers)
    assert len(report.written) == 2
    assert isinstance(report.embedding_error, BadInputError)
    assert "pincite library embed --again" in report.embedding_error.next
    assert _counts(embedding)["vectors"] == before
    with Ingest(other) as ingest:
        again = ingest.embed(again=True)
    counts = _counts(embedding)
    assert again.embedded == counts["vectors"] == counts["chunks"]


class _Stopping(Watcher):
    """Stops a pass after its first vectors."""

    def __init__(self, ingest: Ingest) -> None:
        self._ingest = ingest
        self.told: list[tuple[int, int]] = []

    def ended(self, outcome: Outcome) -> None:
        raise AssertionError

    def embedding(self, done: int, total: int) -> None:
        self.told.append((done, total))
        if done:
            self._ingest.stop()


def test_a_pass_can_be_stopped_and_tells_how_far_it_is(
    settings: Settings, embedding: Settings, model: Model, papers: Path
) -> None:
    _add(settings, papers)
    model.pause = 0.2
    total = _counts(embedding)["chunks"]
    with Ingest(embedding) as ingest:
        watcher = _Stopping(ingest)
        report = ingest.embed(watcher=watcher)
    assert report.stopped
    assert watcher.told[0] == (0, total)
    assert BATCH <= report.embedded == _counts(embedding)["vectors"] < total
    assert report.unembedded == total - report.embedded


def test_without_an_embedder_nothing_is_embedded(settings: Settings, papers: Path) -> None:
    report = _add(settings, papers)
    assert (report.embedded, report.unembedded) == (0, 0)
    with Ingest(settings) as ingest, pytest.raises(BadInputError, match="No embedder"):
        ingest.embed()
