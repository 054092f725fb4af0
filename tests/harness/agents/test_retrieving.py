"""Chunks of so many characters, ranked by words or by the vectors of an embedding model behind a door."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

VOCABULARY = ("copper", "iron", "melts", "boils")


class Embeddings(BaseHTTPRequestHandler):
    """OpenAI's /v1/embeddings: how often each word of a small vocabulary stands in a text; in reverse order."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        good = self.headers["Authorization"] == "Bearer token" and self.path.endswith("/v1/embeddings")
        rows = [
            {"index": place, "embedding": [float(text.lower().count(word)) + 0.01 for word in VOCABULARY]}
            for place, text in enumerate(asked["input"])
        ]
        body = json.dumps({"data": rows[::-1]}).encode()
        self.send_response(200 if good else 401)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Say nothing."""


@pytest.fixture
def embeddings() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Embeddings) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/role/embedding"
        server.shutdown()


def test_texts_are_split_at_the_largest_separators_that_do(program: Any) -> None:
    split = program("retrieving").split
    assert split("one two three four", 9, 0) == ["one two", "three", "four"]
    assert split("one two three four", 9, 4) == ["one two", "two three", "four"]
    assert split("first part\n\nsecond\npart is longer", 12, 0) == ["first part", "second", "part is", "longer"]
    assert split("abcdefghij", 4, 1) == ["abcd", "defg", "ghij"]
    with pytest.raises(ValueError, match="not below the size"):
        split("text", 4, 4)


def test_locators_are_no_part_of_a_chunk(program: Any) -> None:
    text = "Paper 5592235d, the whole text.\n<<<5592235d\n[pc:5592235d#0-23 title] A title\n\n"
    text += "[pc:5592235d#p2:25-30] Text.\n5592235d>>>"
    assert program("retrieving").plain(text) == "A title\n\nText."


def test_chunks_are_ranked_by_words_vectors_or_both(program: Any, embeddings: str) -> None:
    retrieving = program("retrieving")
    documents = [("a.html", "Iron melts late.\n\nCopper boils."), ("b.html", "Copper melts early.\n\nIron melts late.")]
    chunks = retrieving.chunks_of(documents, 20, 0)
    assert [(chunk.source, chunk.number) for chunk in chunks] == [
        ("a.html", 1),
        ("a.html", 2),
        ("b.html", 1),
        ("b.html", 2),
    ]
    query = "When copper melts"
    embed = retrieving.embedder({"url": embeddings, "name": "m", "api_key": "token"})
    words, vectors = retrieving.by_words(chunks, query), retrieving.by_vectors(chunks, query, embed)
    for scores in (words, vectors, retrieving.fused([words, vectors])):
        assert max(range(4), key=lambda place: scores[place]) == 2
    best = retrieving.nearest(chunks, words, 4, 1)
    assert [chunk.text for chunk in best] == ["Copper melts early.", "Copper boils."], "one a document, best first"
    assert len(retrieving.nearest(chunks, words, 4, 50)) == 3, "a text that is there already is left out"
    refused = retrieving.embedder({"url": embeddings, "name": "m", "api_key": "wrong"})
    with pytest.raises(OSError, match="HTTP 401"):
        refused(["text"])


def test_a_sign_of_chinese_is_a_word(program: Any) -> None:
    retrieving = program("retrieving")
    chunks = retrieving.chunks_of([("a", "净利润为三元。\n\n营业收入为九元。")], 12, 0)
    scores = retrieving.by_words(chunks, "营业收入")
    assert scores[1] > scores[0]
