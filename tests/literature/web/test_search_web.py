"""search_web over engines that speak their APIs on the loopback."""

from collections.abc import Callable
from datetime import date
from types import ModuleType
from typing import Any

import pytest

FOUND = [
    ("A <strong>made-up</strong> alloy &amp; its data sheet", "https://example.org/alloy", "It melts at 1,203 K."),
    ("Second page", "https://example.net/second", "Nothing to see."),
]


def searxng(asked: Any) -> dict[str, Any]:
    assert asked.path == "/search"
    assert asked.params["format"] == "json"
    rows = [
        {
            "url": url,
            "title": title,
            "content": text,
            "publishedDate": "2024-05-06T00:00:00",
            "engine": "made-up",
            "score": 1.0,
        }
        for title, url, text in FOUND
    ]
    rows.insert(1, {"url": "javascript:alert(1)", "title": "bad", "content": None})
    rows.insert(1, {"url": None, "title": ["odd"], "content": 7})
    return {
        "query": asked.params["q"],
        "number_of_results": 0,
        "results": rows,
        "answers": [],
        "unresponsive_engines": [["other", "timeout"]],
    }


def brave(asked: Any) -> dict[str, Any]:
    assert asked.path == "/res/v1/web/search"
    assert asked.headers["x-subscription-token"] == "k-brave"
    rows = [
        {"title": title, "url": url, "description": text, "page_age": "2024-05-06T10:00:00", "age": "May 6, 2024"}
        for title, url, text in FOUND
    ]
    return {"type": "search", "query": {"original": asked.params["q"]}, "web": {"type": "search", "results": rows}}


def serper(asked: Any) -> dict[str, Any]:
    assert asked.method == "POST"
    assert asked.headers["x-api-key"] == "k-serper"
    rows = [
        {"title": title, "link": url, "snippet": text, "date": "2024-05-06", "position": place}
        for place, (title, url, text) in enumerate(FOUND, 1)
    ]
    return {"searchParameters": {"q": asked.json()["q"], "type": "search"}, "organic": rows, "credits": 1}


def tavily(asked: Any) -> dict[str, Any]:
    assert asked.method == "POST"
    assert asked.headers["authorization"] == "Bearer k-tavily"
    rows = [
        {"title": title, "url": url, "content": text, "score": 0.9, "raw_content": None, "published_date": "2024-05-06"}
        for title, url, text in FOUND
    ]
    return {"query": asked.json()["query"], "answer": None, "images": [], "results": rows, "response_time": "0.5"}


ENGINES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "searxng": (searxng, "SearXNG"),
    "brave": (brave, "Brave Search"),
    "serper": (serper, "Serper"),
    "tavily": (tavily, "Tavily"),
}
EMPTY: dict[str, Any] = {
    "searxng": {"query": "x", "results": [], "unresponsive_engines": []},
    "brave": {"type": "search", "query": {"original": "x"}},
    "serper": {"searchParameters": {"q": "x"}, "organic": []},
    "tavily": {"query": "x", "results": []},
}


def _settings(name: str, url: str) -> dict[str, Any]:
    if name == "searxng":
        return {"searxng_url": url}
    return {f"{name}_api_key": f"k-{name}", "source_urls": {name: url}}


@pytest.mark.parametrize("name", ENGINES)
async def test_pages_are_found(speaking: Any, source_servers: ModuleType, name: str) -> None:
    answer, title = ENGINES[name]
    with source_servers.SourceServer(lambda asked: source_servers.Given(answer(asked))) as server:
        async with speaking(**_settings(name, server.url)) as call:
            found = await call("search_web", query="  made-up \n alloy ", limit=5)
    assert found["engine"] == title
    assert found["query"] == "made-up alloy"
    assert found["pages"] == [
        {
            "title": "A made-up alloy & its data sheet",
            "url": "https://example.org/alloy",
            "snippet": "It melts at 1,203 K.",
            "date": "2024-05-06",
        },
        {
            "title": "Second page",
            "url": "https://example.net/second",
            "snippet": "Nothing to see.",
            "date": "2024-05-06",
        },
    ]
    assert found.get("notes") == (["SearXNG could not ask other: timeout."] if name == "searxng" else None)


@pytest.mark.parametrize("name", ENGINES)
async def test_nothing_found_is_said(speaking: Any, source_servers: ModuleType, name: str) -> None:
    with source_servers.SourceServer(lambda _: source_servers.Given(EMPTY[name])) as server:
        async with speaking(**_settings(name, server.url)) as call:
            found = await call("search_web", query="nobody knows")
    assert found["pages"] == []
    assert found["says"] == f"{ENGINES[name][1]} has no page for these words."


@pytest.mark.parametrize("fault", ["malformed", "429", "500", "slow", "truncated", "refused"])
@pytest.mark.parametrize("name", ENGINES)
async def test_an_engine_that_fails_is_told(speaking: Any, source_servers: ModuleType, name: str, fault: str) -> None:
    failure = source_servers.FAULTS[fault]
    with source_servers.SourceServer(lambda _: failure.given) as server:
        url = server.url if failure.given else f"http://127.0.0.1:{source_servers.closed_port()}"
        limit = source_servers.patience(fault)
        async with speaking(**_settings(name, url), source_seconds=limit) as call:
            said = await call("search_web", query="alloy")
    assert f"{ENGINES[name][1]} {failure.says}" in said or (fault == "malformed" and failure.says in said)


@pytest.mark.parametrize("body", [[], "text", {"results": "none"}, {"web": 3, "organic": 4}, {"hello": 1}])
@pytest.mark.parametrize("name", ["searxng", "tavily"])
async def test_json_of_another_shape_is_malformed(
    speaking: Any, source_servers: ModuleType, name: str, body: Any
) -> None:
    with source_servers.SourceServer(lambda _: source_servers.Given(body)) as server:
        async with speaking(**_settings(name, server.url)) as call:
            assert "sent an answer that cannot be read." in await call("search_web", query="alloy")


REFUSALS = {
    "searxng": (403, "<h1>Forbidden</h1>", "search.formats"),
    "brave": (
        422,
        {"type": "ErrorResponse", "error": {"status": 422, "code": "SUBSCRIPTION_TOKEN_INVALID", "detail": "bad"}},
        "PINCITE_BRAVE_API_KEY",
    ),
    "serper": (400, {"message": "Not enough credits", "statusCode": 400}, "credits"),
    "tavily": (432, {"detail": {"error": "This request exceeds your plan's set usage limit."}}, "limit"),
}


@pytest.mark.parametrize("name", REFUSALS)
async def test_a_refused_key_is_told_with_what_to_do(speaking: Any, source_servers: ModuleType, name: str) -> None:
    status, body, hint = REFUSALS[name]
    with source_servers.SourceServer(lambda _: source_servers.Given(body, status=status)) as server:
        async with speaking(**_settings(name, server.url)) as call:
            said = await call("search_web", query="alloy")
    assert f"{ENGINES[name][1]} refused access." in said
    assert hint in said
    assert f"k-{name}" not in said


async def test_searxng_without_its_engines_is_no_empty_result(speaking: Any, source_servers: ModuleType) -> None:
    body = {"query": "x", "results": [], "unresponsive_engines": [["google", "CAPTCHA"], ["bing", "timeout"]]}
    with source_servers.SourceServer(lambda _: source_servers.Given(body)) as server:
        async with speaking(searxng_url=server.url) as call:
            said = await call("search_web", query="alloy")
    assert "SearXNG found nothing, and some of the engines that it asks did not answer." in said
    assert "google: CAPTCHA" in said


async def test_without_an_engine_the_settings_are_named(speaking: Any) -> None:
    async with speaking() as call:
        said = await call("search_web", query="alloy")
    for name in ("PINCITE_SEARXNG_URL", "PINCITE_BRAVE_API_KEY", "PINCITE_SERPER_API_KEY", "PINCITE_TAVILY_API_KEY"):
        assert name in said


async def test_the_cutoff_closes_the_web(speaking: Any, source_servers: ModuleType) -> None:
    with source_servers.SourceServer(lambda asked: source_servers.Given(searxng(asked))) as server:
        async with speaking(searxng_url=server.url, before=date(2021, 1, 1)) as call:
            said = await call("search_web", query="alloy")
        assert "under the cutoff 2021-01-01" in said
        assert server.asked == []


@pytest.mark.parametrize("query", ["", "  ", "x" * 401])
async def test_a_query_of_no_use_is_refused(speaking: Any, query: str) -> None:
    async with speaking(searxng_url="http://127.0.0.1:9") as call:
        assert "The query" in await call("search_web", query=query)


async def test_pages_of_withheld_works_are_left_out(speaking: Any, source_servers: ModuleType) -> None:
    withheld = ("A made-up alloy & its data sheet",)
    with source_servers.SourceServer(lambda asked: source_servers.Given(brave(asked))) as server:
        async with speaking(**_settings("brave", server.url), withheld=withheld) as call:
            found = await call("search_web", query="alloy")
    assert [page["title"] for page in found["pages"]] == ["Second page"]
    assert found["notes"] == ["1 of the engine's pages were left out: their works are withheld here."]


SENT: dict[str, Callable[[Any], Any]] = {
    "searxng": lambda asked: {name: asked.params.get(name) for name in ("language", "time_range")},
    "brave": lambda asked: {name: asked.params.get(name) for name in ("freshness", "search_lang")},
    "serper": lambda asked: {name: asked.json().get(name) for name in ("tbs", "hl")},
    "tavily": lambda asked: {name: asked.json().get(name) for name in ("start_date", "end_date")},
}
WANTED = {
    "searxng": {"language": "en", "time_range": None},
    "brave": {"freshness": "2024-01-02to2024-12-31", "search_lang": "en"},
    "serper": {"tbs": "cdr:1,cd_min:1/2/2024,cd_max:12/31/2024", "hl": "en"},
    "tavily": {"start_date": "2024-01-02", "end_date": "2024-12-31"},
}


@pytest.mark.parametrize("name", ENGINES)
async def test_dates_and_language_are_asked_for_as_each_engine_has_them(
    speaking: Any, source_servers: ModuleType, name: str
) -> None:
    answer, title = ENGINES[name]
    window = {"after": "2024-01-02", "before": "2025-01-01", "language": "EN"}
    with source_servers.SourceServer(lambda asked: source_servers.Given(answer(asked))) as server:
        async with speaking(**_settings(name, server.url)) as call:
            found = await call("search_web", query="alloy", **window)
            late = await call("search_web", query="alloy", after="2024-06-01")
            await call("search_web", query="alloy")
        sent = [SENT[name](asked) for asked in server.asked]
    assert sent[0] == WANTED[name]
    assert not any(sent[-1].values()), "without filters nothing is asked for"
    assert len(found["pages"]) == 2
    assert late["pages"] == [], "what an engine gives beside the dates is left out"
    assert "2 pages with another date were left out." in late["notes"]
    unfiltered = [note for note in found.get("notes", []) if f"{title} does not filter" in note]
    assert len(unfiltered) == (0 if name == "brave" else 1)


@pytest.mark.parametrize(
    ("window", "says"),
    [
        ({"after": "2024"}, "after='2024' is not a day"),
        ({"before": "2024-02-30"}, "is not a day"),
        ({"after": "2024-01-02", "before": "2024-01-02"}, "No day is from"),
        ({"language": "english"}, "is not a code"),
    ],
)
async def test_a_window_of_no_use_is_refused(speaking: Any, window: dict[str, str], says: str) -> None:
    async with speaking(searxng_url="http://127.0.0.1:9") as call:
        assert says in await call("search_web", query="alloy", **window)
