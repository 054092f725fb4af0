"""Real papers come in: the same articles as PDF and as JATS."""

from contextlib import closing
from pathlib import Path

import pytest

from pincite_core.settings import Settings
from pincite_library.ingest.outcome import State
from pincite_library.ingest.pipeline import Ingest
from pincite_library.model import ChunkKind, Filters
from pincite_library.ranking.terms import query_terms
from pincite_library.store.opening import open_store

_DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data"
_NAMES = ("jats-pdf-pairs/jose.00261", "papers-cc-by/f1000_3-190")
_FILES = [path for name in _NAMES for path in sorted((_DATA / name).parent.glob(f"{Path(name).name}.*"))]


@pytest.mark.skipif(len(_FILES) != 4, reason="the papers of ../shared/data are not here")
def test_real_papers_come_in_as_pdf_and_as_jats(settings: Settings) -> None:
    with Ingest(settings) as ingest:
        report = ingest.add([str(path) for path in _FILES])
    assert report.counts == {State.ADDED: 4}
    assert report.pages == 11
    with closing(open_store(settings)) as store:
        assert store.check() == []
        entries = {Path(entry.source).name: entry for entry in store.papers()}
        assert {entry.doi for entry in entries.values()} == {"10.21105/jose.00261", "10.12688/f1000research.4767.2"}
        assert all(entry.abstract for name, entry in entries.items() if name.startswith("f1000"))
        for entry in entries.values():
            text, chunks = store.text(entry.paper_id), store.chunks_of(entry.paper_id)
            assert entry.year is not None
            assert all(text[one.chunk.start : one.chunk.end] == one.chunk.text for one in chunks if one.chunk.exact)
            assert {one.chunk.kind for one in chunks} >= {ChunkKind.TEXT, ChunkKind.REFERENCE}
            found = store.rank_terms(query_terms(entry.title), 5, Filters())
            assert any(one.paper_id == entry.paper_id for one in store.fetch([scored.key for scored in found]))
