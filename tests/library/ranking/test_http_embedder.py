"""Embeddings over HTTP against real servers on the loopback."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr

from pincite_core.errors import BadInputError, UnavailableError
from pincite_core.settings import Settings
from pincite_library.ranking.embedder import Embedder, open_embedder
from pincite_library.ranking.http_embedder import BATCH

KEY = "sk-never-to-be-seen"


def _vector(text: str) -> list[float]:
    return [float(len(text)), 3.0, 0.5]


def _embeddings(_: str, body: dict[str, Any]) -> dict[str, Any]:
    data = [{"object": "embedding", "index": n, "embedding": _vector(text)} for n, text in enumerate(body["input"])]
    return {"object": "list", "data": data[::-1], "model": body["model"]}


def _opened(url: str, **more: Any) -> Embedder:
    options = {"embedding_model": "m", "embedding_api_key": SecretStr(KEY), "embedding_seconds": 5.0} | more
    made = open_embedder(Settings(embedder="openai", embedding_url=url, **options))
    assert made is not None
    return made


def test_texts_are_embedded_in_batches_in_their_order(serve: Callable[..., Any]) -> None:
    api = serve(_embeddings)
    embedder = _opened(api.url, embedding_text_prefix="passage: ", embedding_query_prefix="query: ")
    texts = ["x" * n for n in range(BATCH + 3)]
    matrix = embedder.embed_texts(texts)
    assert matrix.dtype == np.float32
    wanted = np.array([_vector("passage: " + text) for text in texts])
    assert np.allclose(matrix, wanted / np.linalg.norm(wanted, axis=1, keepdims=True), atol=1e-6)
    assert np.allclose(embedder.embed_query("a")[0] / embedder.embed_query("a")[1], len("query: a") / 3, atol=1e-5)
    assert embedder.space.model == "m"
    assert embedder.space.dimension == 3
    assert "passage" in embedder.space.text_version
    path, headers, body = api.requests[1]
    assert path == "/v1/embeddings"
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body["encoding_format"] == "float"
    assert "dimensions" not in body
    assert [len(request[2]["input"]) for request in api.requests[:3]] == [1, BATCH, 3]
    assert embedder.embed_texts([]).shape == (0, 3)


@pytest.mark.parametrize(
    ("base", "path"),
    [
        ("", "/v1/embeddings"),
        ("/v1", "/v1/embeddings"),
        ("/api/v1/", "/api/v1/embeddings"),
        ("/embeddings", "/embeddings"),
    ],
)
def test_the_address_follows_from_that_of_the_api(serve: Callable[..., Any], base: str, path: str) -> None:
    api = serve(_embeddings)
    _opened(api.url + base).embed_query("a")
    assert api.requests[0][0] == path


def test_the_length_that_is_asked_for_must_come(serve: Callable[..., Any]) -> None:
    api = serve(_embeddings)
    assert _opened(api.url, embedding_dimensions=3).embed_query("a").shape == (3,)
    assert api.requests[0][2]["dimensions"] == 3
    with pytest.raises(UnavailableError, match="cannot be used"):
        _opened(api.url, embedding_dimensions=8).embed_query("a")


def test_a_busy_api_is_asked_again_when_it_says(serve: Callable[..., Any]) -> None:
    api = serve(_embeddings, statuses=[429, 503], headers={"retry-after": "0.3"})
    begun = time.monotonic()
    assert _opened(api.url).embed_query("a").shape == (3,)
    assert len(api.requests) == 3
    assert time.monotonic() - begun >= 0.6


@pytest.mark.parametrize(("status", "advice"), [(401, "_API_KEY"), (404, "_URL"), (302, "redirects")])
def test_a_refusal_is_told_at_once_without_the_key(serve: Callable[..., Any], status: int, advice: str) -> None:
    api = serve(_embeddings, statuses=[status])
    with pytest.raises(UnavailableError) as refused:
        _opened(api.url).embed_query("a")
    assert str(status) in refused.value.seen
    assert advice in refused.value.next
    assert KEY not in str(refused.value)
    assert "Bearer ***" in refused.value.seen
    assert len(api.requests) == 1


@pytest.mark.parametrize("fault", [{"delay": 2.0}, {"drip": 0.05}])
def test_a_slow_api_is_not_waited_for(serve: Callable[..., Any], fault: dict[str, float]) -> None:
    api = serve(_embeddings, **fault)
    begun = time.monotonic()
    with pytest.raises(UnavailableError, match="in time"):
        _opened(api.url, embedding_seconds=0.3).embed_query("a")
    assert time.monotonic() - begun < 1.5


@pytest.mark.parametrize(
    "answer",
    [
        b"<html>",
        [],
        {"data": None},
        {"data": []},
        {"data": [{"index": 1, "embedding": [1.0]}]},
        {"data": [{"index": "0", "embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": []}]},
        {"data": [{"index": 0, "embedding": [0.0, 0.0]}]},
        {"data": [{"index": 0, "embedding": ["a"]}]},
        {"data": [{"index": 0, "embedding": [None, 1.0]}]},
        {"data": [{"index": 0, "embedding": "AAAA"}]},
        {"data": [{"index": 0, "embedding": [1e300, 1.0]}]},
        b'{"data": [{"index": 0, "embedding": [NaN]}]}',
    ],
)
def test_what_is_no_vector_is_an_outage(serve: Callable[..., Any], answer: Any) -> None:
    api = serve(lambda *_: answer)
    with pytest.raises(UnavailableError, match="cannot be used"):
        _opened(api.url).embed_query("a")


def test_an_api_without_indexes_answers_in_order(serve: Callable[..., Any]) -> None:
    api = serve(lambda _, body: {"data": [{"embedding": _vector(text)} for text in body["input"]]})
    matrix = _opened(api.url).embed_texts(["a", "bbbb"])
    assert matrix[1, 0] > matrix[0, 0]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"embedder": "openai"}, "partly set up"),
        ({"embedder": "openai", "embedding_url": "ftp://x", "embedding_model": "m"}, "not an address"),
        ({"embedder": "word2vec"}, "PINCITE_EMBEDDER"),
        ({"embedder": "local:/nowhere"}, "holds no model"),
        ({"embedder": "local:"}, "PINCITE_EMBEDDER"),
    ],
)
def test_settings_that_cannot_be_used_say_so(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInputError, match=words):
        open_embedder(Settings(**settings))


def test_no_embedder_is_none() -> None:
    assert open_embedder(Settings()) is None
    assert open_embedder(Settings(embedder="none")) is None
