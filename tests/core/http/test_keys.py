import json
import os
import subprocess
import sys
from typing import Any

import pytest

from pincite_core.http.exchange import Request
from pincite_core.http.keys import request_key
from pincite_core.http.policy import Access, Rate, SourcePolicy

POLICY = SourcePolicy("crossref", "Crossref", "https://api.crossref.org/v1", Rate(5, 1.0))


def _request(url: str = "https://api.crossref.org/v1/works", **fields: Any) -> Request:
    return Request(**({"policy": POLICY, "method": "GET", "url": url} | fields))


def _digest(url: str = "https://api.crossref.org/v1/works", **fields: Any) -> str:
    return request_key(_request(url, **fields)).digest


@pytest.mark.parametrize(
    "same",
    [
        "HTTPS://API.Crossref.ORG/v1/works",
        "https://api.crossref.org:443/v1/works",
        "https://api.crossref.org:/v1/works",
        "https://api.crossref.org/v1/%77orks",
        "https://somebody:secret@api.crossref.org/v1/works",
        "https://api.crossref.org/v1/works#part",
    ],
)
def test_spellings_of_an_address_are_one_question(same: str) -> None:
    assert _digest(same) == _digest()


@pytest.mark.parametrize(
    "other",
    [
        "https://api.crossref.org/v1/Works",
        "https://api.crossref.org/v1/works/",
        "https://api.crossref.org:8443/v1/works",
        "http://api.crossref.org/v1/works",
        "https://api.crossref.org/v2/works",
        "https://api.crossref.org/v1works",
        "https://api.crossref.org/v1/works%2F",
    ],
)
def test_other_addresses_are_other_questions(other: str) -> None:
    assert _digest(other) != _digest()


def test_escapes_of_a_path_have_one_spelling() -> None:
    base = "https://api.crossref.org/v1/works/"
    assert _digest(f"{base}10.1%2fé x") == _digest(f"{base}10.1%2F%c3%a9%20x")
    assert _digest(f"{base}10.1%2Fa") != _digest(f"{base}10.1/a")
    assert _digest(f"{base}100%") == _digest(f"{base}100%25")


def test_parameters_count_without_their_order_but_repeated_ones_with_it() -> None:
    a, b, c = ("a", "1"), ("b", "x y"), ("b", "ü")
    assert _digest(params=(a, b, c)) == _digest(params=(b, a, c))
    assert _digest(params=(a, b, c)) != _digest(params=(a, c, b))
    assert _digest(params=(a, ("b", ""))) != _digest(params=(a,))
    assert _digest(params=(("a", "1&b=2"),)) != _digest(params=(a, ("b", "2")))


def test_a_query_in_the_address_is_worth_the_same_as_parameters() -> None:
    url = "https://api.crossref.org/v1/works?b=x+y&a=1&b=%C3%BC"
    assert _digest(url) == _digest(params=(("a", "1"), ("b", "x y"), ("b", "ü")))


def test_json_bodies_are_equal_by_value_and_forms_by_their_fields() -> None:
    def of(body: bytes, kind: str = "application/json") -> str:
        return _digest(method="POST", body=body, headers={"Content-Type": kind})

    assert of(b'{"ids": ["a", "b"], "n": 1}') == of(b'{ "n":1,"ids":["a","b"] }')
    assert of(b'{"ids": ["a", "b"]}') != of(b'{"ids": ["b", "a"]}')
    assert of(b'{"n": 1') != of(b'{"n":1')
    assert of(b"[" * 100_000) != of(b"[" * 99_999)
    form = "application/x-www-form-urlencoded; charset=utf-8"
    assert of(b"db=pubmed&id=1%2C2", form) == of(b"id=1,2&db=pubmed", form)
    assert of(b"id=1&id=2", form) != of(b"id=2&id=1", form)
    assert of(b"\xff\x00", "application/octet-stream") != of(b"\xff\x01", "application/octet-stream")
    assert _digest(method="POST") != _digest()


def test_headers_that_change_the_answer_count_and_those_that_say_who_asks_do_not() -> None:
    plain = _digest()
    assert _digest(headers={"Accept": "text/html"}) != plain
    assert _digest(headers={"accept": "text/html "}) == _digest(headers={"ACCEPT": "text/html"})
    for name in ("User-Agent", "Authorization", "Cookie", "If-None-Match", "Accept-Encoding"):
        assert _digest(headers={name: "x"}) == plain


def test_nothing_of_access_limits_or_patience_is_in_the_key() -> None:
    access = Access({"mailto": "me@example.org"}, {"x-api-key": "0123456789"})
    assert _digest(access=access, expect=frozenset({404}), most_bytes=5, seconds=2.0) == _digest()


def test_a_source_at_another_address_is_still_the_source() -> None:
    elsewhere = {"crossref": "http://127.0.0.1:8123/gateway/crossref/"}
    mirrored = _request("http://127.0.0.1:8123/gateway/crossref/works", params=(("q", "1"),))
    own = _request(params=(("q", "1"),))
    assert request_key(mirrored, elsewhere) == request_key(own)
    assert request_key(own, elsewhere) == request_key(own)
    assert request_key(mirrored) != request_key(own)
    assert request_key(mirrored, {"openalex": elsewhere["crossref"]}) != request_key(own)
    beside = _request("http://127.0.0.1:8123/gateway/crossref2/works", params=(("q", "1"),))
    assert request_key(beside, elsewhere) != request_key(own)


@pytest.mark.parametrize("url", ["https://[::1/works", "https://a]b/", "https://ex\u2100mple.org/", "https://", "x"])
def test_an_address_that_is_none_has_a_key_too(url: str) -> None:
    assert _digest(url) == _digest(url)
    assert _digest(url) != _digest(f"{url}/more")
    assert request_key(_request(url)).label


def test_sources_are_kept_apart() -> None:
    other = SourcePolicy("openalex", "OpenAlex", POLICY.base_url, POLICY.rate)
    assert _digest(policy=other) != _digest()


def test_labels_name_the_address_in_characters_that_every_file_system_takes() -> None:
    label = request_key(_request(params=(("query", "La₂CuO₄ / ../ doping"), ("rows", "20")))).label
    assert label == "works-la-cuo-doping-20"
    assert request_key(_request("https://api.crossref.org/v1")).label == "root"
    long = request_key(_request(params=(("query", "x/" * 3000),))).label
    assert len(long) <= 48


def test_keys_are_equal_in_every_process() -> None:
    code = (
        "from pincite_core.http.exchange import Request\n"
        "from pincite_core.http.keys import request_key\n"
        "from pincite_core.http.policy import Rate, SourcePolicy\n"
        "policy = SourcePolicy('crossref', 'Crossref', 'https://api.crossref.org/v1', Rate(5, 1.0))\n"
        "request = Request(policy, 'POST', 'https://api.crossref.org/v1/works', params=(('b', '2'), ('a', '1')),\n"
        "    headers={'Accept': 'x', 'Content-Type': 'application/json'},\n"
        '    body=b\'{"b": 1, "a": {"d": 1, "c": 2}}\')\n'
        "print(request_key(request).digest)"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("0", "1", "4711")
    }
    headers = {"content-type": "application/json", "accept": "x"}
    here = _digest(
        method="POST",
        params=(("a", "1"), ("b", "2")),
        headers=headers,
        body=json.dumps({"a": {"c": 2, "d": 1}, "b": 1}).encode(),
    )
    assert seen == {here}
