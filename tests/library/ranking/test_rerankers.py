"""Rerankers over HTTP in each shape, against real servers on the loopback, and a cross-encoder in a folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from pincite_core.errors import BadInputError, UnavailableError
from pincite_core.settings import Settings
from pincite_library.ranking.reranker import HTTP_SHAPES, Reranker, open_reranker

KEY = "sk-never-to-be-seen"
PASSAGES = ["short", "a longer passage", "the longest passage of all"]
PATHS = {"cohere": "/v2/rerank", "jina": "/v1/rerank", "voyage": "/v1/rerank", "tei": "/rerank"}


def _answer(shape: str, scores: list[tuple[Any, Any]]) -> Any:
    if shape == "tei":
        return [{"index": place, "score": score} for place, score in scores]
    results = [{"index": place, "relevance_score": score} for place, score in scores]
    return {"object": "list", "data": results} if shape == "voyage" else {"id": "1", "results": results}


def _by_length(shape: str) -> Callable[[str, dict[str, Any]], Any]:
    def answer(_: str, body: dict[str, Any]) -> Any:
        texts = body["texts" if shape == "tei" else "documents"]
        return _answer(shape, sorted(((n, float(len(t))) for n, t in enumerate(texts)), key=lambda one: -one[1]))

    return answer


def _opened(shape: str, url: str, **more: Any) -> Reranker:
    options = {"rerank_model": "m", "rerank_api_key": SecretStr(KEY), "rerank_seconds": 3.0} | more
    made = open_reranker(Settings(reranker=shape, rerank_url=url, **options))
    assert made is not None
    return made


@pytest.mark.parametrize("shape", HTTP_SHAPES)
async def test_each_shape_is_asked_and_read_as_published(serve: Callable[..., Any], shape: str) -> None:
    api = serve(_by_length(shape))
    reranker = _opened(shape, api.url)
    assert await reranker.rerank("a question", PASSAGES) == [float(len(text)) for text in PASSAGES]
    path, headers, body = api.requests[0]
    assert path == PATHS[shape]
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body["query"] == "a question"
    if shape == "tei":
        assert body == {"query": "a question", "texts": PASSAGES, "truncate": True}
    else:
        assert body["documents"] == PASSAGES
        assert body["model"] == "m"
        assert body["top_k" if shape == "voyage" else "top_n"] == 3
    assert reranker.name == "m at 127.0.0.1"


async def test_many_passages_go_to_tei_in_batches(serve: Callable[..., Any]) -> None:
    api = serve(_by_length("tei"))
    passages = ["x" * n for n in range(70)]
    assert await _opened("tei", api.url, rerank_model="").rerank("q", passages) == list(map(float, range(70)))
    assert [len(body["texts"]) for _, _, body in api.requests] == [32, 32, 6]


@pytest.mark.parametrize("shape", HTTP_SHAPES)
@pytest.mark.parametrize(
    "scores",
    [
        [(0, 1.0), (1, 0.5)],
        [(0, 1.0), (1, 0.5), (1, 0.2)],
        [(0, 1.0), (1, 0.5), (3, 0.2)],
        [(0, 1.0), (1, 0.5), (-1, 0.2)],
        [(0, 1.0), (1, 0.5), (2, float("nan"))],
        [(0, 1.0), (1, 0.5), (2, None)],
        [(0, 1.0), (1, 0.5), (2, "0.2")],
        [(0, 1.0), (True, 0.5), (2, 0.2)],
        [(0, 1.0), (1, 0.5), (2, 0.2), (2, 0.1)],
        [],
    ],
)
async def test_scores_that_are_not_one_for_each_passage_are_an_outage(
    serve: Callable[..., Any], shape: str, scores: list[tuple[Any, Any]]
) -> None:
    api = serve(lambda *_: _answer(shape, scores))
    with pytest.raises(UnavailableError, match="cannot be used"):
        await _opened(shape, api.url).rerank("q", PASSAGES)


@pytest.mark.parametrize("answer", [b"", b"<html>", None, [], {}, {"results": 3}, {"data": {}}, {"results": ["a"]}])
@pytest.mark.parametrize("shape", HTTP_SHAPES)
async def test_what_is_no_list_of_scores_is_an_outage(serve: Callable[..., Any], shape: str, answer: Any) -> None:
    api = serve(lambda *_: answer)
    with pytest.raises(UnavailableError, match="cannot be used"):
        await _opened(shape, api.url).rerank("q", PASSAGES)


async def test_a_busy_api_is_asked_again_and_one_that_fails_told_without_the_key(serve: Callable[..., Any]) -> None:
    api = serve(_by_length("jina"), statuses=[500, 429], headers={"retry-after": "0"})
    assert len(await _opened("jina", api.url).rerank("q", PASSAGES)) == 3
    assert len(api.requests) == 3
    api.statuses += [403]
    with pytest.raises(UnavailableError) as refused:
        await _opened("jina", api.url).rerank("q", PASSAGES)
    assert "PINCITE_RERANK_API_KEY" in refused.value.next
    assert KEY not in str(refused.value)


async def test_a_slow_or_absent_api_is_not_waited_for(serve: Callable[..., Any]) -> None:
    api = serve(_by_length("cohere"), delay=1.5)
    with pytest.raises(UnavailableError, match="in time"):
        await _opened("cohere", api.url, rerank_seconds=0.3).rerank("q", PASSAGES)
    with pytest.raises(UnavailableError, match="could not be reached"):
        await _opened("cohere", "http://127.0.0.1:9", rerank_seconds=0.3).rerank("q", PASSAGES)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"reranker": "cohere"}, "partly set up"),
        ({"reranker": "tei"}, "partly set up"),
        ({"reranker": "jina", "rerank_url": "http://x"}, "partly set up"),
        ({"reranker": "jina", "rerank_url": "x", "rerank_model": "m"}, "not an address"),
        ({"reranker": "magic"}, "PINCITE_RERANKER"),
        ({"reranker": "local:/nowhere"}, "holds no model"),
    ],
)
def test_settings_that_cannot_be_used_say_so(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInputError, match=words):
        open_reranker(Settings(**settings))
    assert open_reranker(Settings()) is None


@pytest.mark.parametrize("outputs", [1, 2])
async def test_a_cross_encoder_in_a_folder_scores_pairs(
    small_model: Callable[..., Path], tmp_path: Path, outputs: int
) -> None:
    folder = small_model(tmp_path / "cross", outputs=outputs)
    reranker = open_reranker(Settings(reranker=f"local:{folder}"))
    assert reranker is not None
    passages = ["the gene brca1", "laser " * 40, "superconductor", ""]
    scores = await reranker.rerank("gene", passages)
    alone = [(await reranker.rerank("gene", [passage]))[0] for passage in passages]
    assert scores == pytest.approx(alone, abs=1e-5)
    assert len(set(scores)) == 4
    assert reranker.name == "local:cross"


async def test_a_model_of_many_labels_is_no_reranker(small_model: Callable[..., Path], tmp_path: Path) -> None:
    reranker = open_reranker(Settings(reranker=f"local:{small_model(tmp_path, outputs=3)}"))
    assert reranker is not None
    with pytest.raises(BadInputError, match="not a cross-encoder"):
        await reranker.rerank("gene", ["laser"])
