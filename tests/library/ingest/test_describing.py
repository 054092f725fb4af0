"""Descriptions of tables and figures, by a text model on the loopback."""

import json
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings
from pincite_library.ingest.outcome import Options, Report
from pincite_library.ingest.pipeline import Ingest
from pincite_library.model import ChunkKind, Filters, StoredChunk
from pincite_library.ranking.terms import query_terms
from pincite_library.store.opening import open_store

TABLE = """<article article-type="research-article"><front><article-meta><title-group>
<article-title>On tin</article-title></title-group></article-meta></front><body><sec><title>Results</title>
<p>The samples are listed.</p><table-wrap><label>Table 1</label><caption><p>Samples.</p></caption><table><thead><tr>
<th>Sample</th><th>a (nm)</th></tr></thead><tbody><tr><td>A1</td><td>0.583</td></tr><tr><td>A2</td><td>0.318</td></tr>
</tbody></table></table-wrap></sec></body></article>"""


@pytest.fixture
def model(source_servers: ModuleType) -> Iterator[Any]:
    """A model that describes everything with the same words, as an OpenAI-compatible API."""
    reply = {"choices": [{"message": {"content": "Unit-cell edges of zirconium."}, "finish_reason": "stop"}]}

    def answer(asked: Any) -> Any:
        return source_servers.Given(reply)

    with source_servers.SourceServer(answer) as server:
        yield server


@pytest.fixture
def describing(settings: Settings, model: Any) -> Settings:
    settings.roots[0].joinpath("table.xml").write_text(TABLE)
    update = {"text_url": f"{model.url}/v1", "text_model": "teller", "text_dialect": "openai", "text_seconds": 2.0}
    return settings.model_copy(update=update)


def _add(settings: Settings, *, describe: bool = True) -> Report:
    with Ingest(settings) as ingest:
        return ingest.add([str(settings.roots[0])], Options(describe=describe))


def _table(settings: Settings, query: str) -> StoredChunk | None:
    """The table that is found for a query."""
    store = open_store(settings)
    try:
        found = store.rank_terms(query_terms(query), 1, Filters(kinds=frozenset({ChunkKind.TABLE})))
        return store.fetch([found[0].key])[0] if found else None
    finally:
        store.close()


def test_a_table_is_found_by_what_the_model_says_of_it(describing: Settings, model: Any) -> None:
    assert len(_add(describing, describe=False).written) == 1
    assert _table(describing, "zirconium") is None
    (outcome,) = _add(describing).outcomes
    assert (outcome.state, outcome.why) == ("updated", "")
    found = _table(describing, "zirconium")
    assert found is not None
    assert found.chunk.described_by.startswith("teller at ")
    assert "0.583" in json.dumps(model.asked[0].json())
    asked = len(model.asked)
    for describe in (True, False):
        assert _add(describing, describe=describe).counts == {"unchanged": 1}
    assert len(model.asked) == asked


def test_a_model_that_fails_leaves_the_description_from_headers(
    describing: Settings, model: Any, source_servers: ModuleType
) -> None:
    model.fault = source_servers.Fault(source_servers.Given("no", status=401), "")
    (outcome,) = _add(describing).outcomes
    assert outcome.state == "added"
    assert "not described by the model" in outcome.why
    found = _table(describing, "samples")
    assert found is not None
    assert found.chunk.described_by == "headers"
    model.fault = None
    assert _add(describing).counts == {"updated": 1}
    assert _table(describing, "zirconium") is not None


def test_without_a_model_nothing_is_described(settings: Settings) -> None:
    with pytest.raises(BadInputError, match="no model"):
        _add(settings)


def test_figures_are_described_by_the_model_that_is_shown_them(
    settings: Settings, model: Any, typeset: Callable[[str], bytes]
) -> None:
    picture = "#figure(rect(width: 60pt, height: 40pt, fill: green), caption: [The cell of a crystal.])"
    text = "= On gold\n\nThe cell was measured again and again, as is shown below.\n\n"
    (settings.roots[0] / "gold.pdf").write_bytes(typeset(text + picture))
    update = {"vision_url": f"{model.url}/v1", "vision_model": "seer", "vision_dialect": "openai"}
    seeing = settings.model_copy(update={**update, "library_describe": "figures"})
    assert _add(settings, describe=False).counts == {"added": 1}
    assert not model.asked
    (outcome,) = _add(seeing, describe=False).outcomes
    assert (outcome.state, outcome.why) == ("updated", "")
    [asked] = model.asked
    [shown] = [part for part in asked.json()["messages"][-1]["content"] if part["type"] == "image_url"]
    assert shown["image_url"]["url"].startswith("data:image/")
    store = open_store(settings)
    try:
        [found] = store.rank_terms(query_terms("zirconium"), 1, Filters(kinds=frozenset({ChunkKind.FIGURE})))
        chunk = store.fetch([found.key])[0].chunk
    finally:
        store.close()
    assert chunk.described_by.startswith("seer at ") and "zirconium" not in chunk.text
    assert _add(seeing, describe=False).counts == {"unchanged": 1}


def test_the_whole_abstract_is_indexed_and_embedded_where_it_is_asked_for(
    settings: Settings, source_servers: ModuleType
) -> None:
    """A paper is cut again where another context is set, and vectors are asked for with all of it, or none."""
    abstract = "Tin was studied for long. " + "Its cell is small and white. " * 12 + "Its grain hums in winter."
    front = f"<abstract><p>{abstract}</p></abstract></article-meta></front>"
    paper = TABLE.replace("</article-meta></front>", front)
    settings.roots[0].joinpath("table.xml").write_text(paper)

    def answer(asked: Any) -> Any:
        made = [{"index": at, "embedding": [1.0, float(at + 1)]} for at in range(len(asked.json()["input"]))]
        return source_servers.Given({"data": made, "model": "e"})

    for context, counts in (("short", "added"), ("full_abstract", "updated"), ("none", "updated")):
        with source_servers.SourceServer(answer) as server:
            update = {"embedder": "openai", "embedding_url": f"{server.url}/v1", "embedding_model": "e"}
            chosen = settings.model_copy(update={**update, "library_context": context})
            assert _add(chosen, describe=False).counts == {counts: 1}, context
            sent = [text for asked in server.asked for text in asked.json()["input"]]
        [body] = [text for text in sent if text.endswith("The samples are listed.")]
        assert ("hums in winter" in body) == (context == "full_abstract"), context
        assert ("On tin" in body) == (context != "none"), context
    with pytest.raises(BadInputError, match="by their pictures"):
        _add(settings.model_copy(update={"library_describe": "both", "text_url": "http://x", "text_model": "t"}))
