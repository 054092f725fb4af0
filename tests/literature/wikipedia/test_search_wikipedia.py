"""search_wikipedia over a server that speaks the MediaWiki action API."""

from collections.abc import Callable
from datetime import date
from types import ModuleType
from typing import Any

import pytest

PAGES = {
    11: {
        "title": "Made-up cuprate",
        "intro": "A made-up cuprate is a compound that nobody made.\nIt is black.",
        "history": [
            (901, "2019-05-01T10:00:00Z", "A made-up cuprate was proposed."),
            (950, "2020-12-31T23:59:59Z", "A made-up cuprate is blue."),
            (999, "2024-02-03T04:05:06Z", "A made-up cuprate is a compound that nobody made."),
        ],
    },
    12: {
        "title": "Cuprate (disambiguation)",
        "intro": "Cuprate may refer to:",
        "disambiguation": True,
        "history": [(960, "2020-01-01T00:00:00Z", "Cuprate may refer to:")],
    },
    13: {
        "title": "Discovered later",
        "intro": "It was discovered in 2022.",
        "history": [(970, "2022-01-01T00:00:00Z", "It was discovered in 2022.")],
    },
}


def rendered(text: str) -> str:
    """HTML as the parser of MediaWiki gives it: an infobox, a note, a reference, a formula."""
    return (
        '<div class="mw-content-ltr mw-parser-output" lang="en" dir="ltr">'
        '<div class="shortdescription nomobile noexcerpt noprint" style="display:none">Compound</div>'
        '<div role="note" class="hatnote navigation-not-searchable">For others, see <a href="/wiki/X">X</a>.</div>'
        '<table class="infobox"><tbody><tr><td><p>Melting point 99 K</p></td></tr></tbody></table>'
        '<style data-mw-deduplicate="TemplateStyles:r1">.x{color:red}</style><p class="mw-empty-elt">\n</p>'
        f'<p>{text} It has <i>T</i><sub>c</sub> &lt; 92&nbsp;K.<sup id="cite_ref-1" class="reference">'
        '<a href="#cite_note-1">[1]</a></sup></p></div>'
    )


def wiki(*pages: int) -> Callable[[Any], Any]:
    """Answers of a Wikipedia in which the search finds these pages."""

    def answer(asked: Any) -> Any:
        assert asked.path == "/w/api.php"
        assert asked.params["formatversion"] == "2"
        params = asked.params
        if params["action"] == "parse":
            number = int(params["oldid"])
            key, text = next((k, t) for k, p in PAGES.items() for n, _, t in p["history"] if n == number)
            properties = {"disambiguation": ""} if PAGES[key].get("disambiguation") else {}
            title = PAGES[key]["title"]
            return {
                "parse": {
                    "title": title,
                    "pageid": key,
                    "revid": number,
                    "text": rendered(text),
                    "properties": properties,
                }
            }
        if "generator" in params:
            if not pages:
                return {"batchcomplete": True}
            listed = pages[: int(params["gsrlimit"])]
            return {
                "batchcomplete": True,
                "continue": {"gsroffset": 3, "continue": "gsroffset||"},
                "warnings": {"extracts": {"warnings": "HTML may be malformed and/or unbalanced."}},
                "query": {"pages": [_found(key, place) for place, key in reversed(list(enumerate(listed, 1)))]},
            }
        key = int(params["pageids"])
        earlier = [(n, t) for n, t, _ in PAGES[key]["history"] if t <= params["rvstart"]]
        page: dict[str, Any] = {"pageid": key, "ns": 0, "title": PAGES[key]["title"]}
        if earlier:
            page["revisions"] = [{"revid": earlier[-1][0], "parentid": 1, "timestamp": earlier[-1][1]}]
        return {"batchcomplete": True, "query": {"pages": [page]}}

    return answer


def _found(key: int, place: int) -> dict[str, Any]:
    page = PAGES[key]
    number, timestamp, _ = page["history"][-1]
    found = {
        "pageid": key,
        "ns": 0,
        "title": page["title"],
        "index": place,
        "extract": page["intro"],
        "revisions": [{"revid": number, "parentid": 1, "timestamp": timestamp}],
    }
    return found | ({"pageprops": {"disambiguation": ""}} if page.get("disambiguation") else {})


@pytest.fixture
def wikipedia(speaking: Any, source_servers: ModuleType) -> Callable[..., Any]:
    """``await wikipedia(answer, query=…)``: what the tool says of a Wikipedia that answers so."""

    async def ask(answer: Callable[[Any], Any], settings: dict[str, Any] | None = None, **arguments: Any) -> Any:
        def give(asked: Any) -> Any:
            said = answer(asked)
            return said if isinstance(said, source_servers.Given) else source_servers.Given(said)

        language = arguments.get("language", "en")
        name = "wikipedia" if language == "en" else f"wikipedia-{language}"
        with source_servers.SourceServer(give) as server:
            async with speaking(source_urls={name: server.url}, **(settings or {})) as call:
                return await call("search_wikipedia", **arguments)

    return ask


async def test_pages_come_in_order_and_pinned(wikipedia: Any) -> None:
    found = await wikipedia(wiki(11, 12), query=" made-up  cuprate ")
    assert found["query"] == "made-up cuprate"
    first, second = found["pages"]
    assert first == {
        "title": "Made-up cuprate",
        "url": "https://en.wikipedia.org/w/index.php?oldid=999",
        "revision": 999,
        "timestamp": "2024-02-03T04:05:06Z",
        "text": "A made-up cuprate is a compound that nobody made.\nIt is black.",
    }
    assert second["disambiguation"] is True
    assert found["warnings"] == ["HTML may be malformed and/or unbalanced."]
    assert "says" not in found


async def test_another_language_is_asked(wikipedia: Any) -> None:
    found = await wikipedia(wiki(11), query="cuprate", language="de")
    assert found["pages"][0]["url"] == "https://de.wikipedia.org/w/index.php?oldid=999"


@pytest.mark.parametrize("language", ["en.evil.example/", "EN", "", "a", "de/../x"])
async def test_what_is_no_language_is_refused(wikipedia: Any, language: str) -> None:
    assert "'language' was" in await wikipedia(wiki(11), query="cuprate", language=language)


async def test_nothing_found_is_said(wikipedia: Any) -> None:
    found = await wikipedia(wiki(), query="nobody knows")
    assert found["pages"] == []
    assert found["says"] == "Wikipedia has no page for these words."


async def test_under_a_cutoff_pages_are_as_they_were(wikipedia: Any) -> None:
    found = await wikipedia(wiki(11, 12, 13), {"before": date(2021, 1, 1)}, query="cuprate")
    first, second = found["pages"]
    assert first["revision"] == 950
    assert first["timestamp"] == "2020-12-31T23:59:59Z"
    assert first["text"] == "A made-up cuprate is blue. It has Tc < 92 K."
    assert second["disambiguation"] is True
    assert found["says"] == (
        "Each page is as its last revision before 2021-01-01 left it. 1 page without one is withheld."
    )
    assert "2022" not in str(found["pages"])


async def test_a_revision_that_is_not_before_the_cutoff_is_withheld(wikipedia: Any) -> None:
    def wrong(asked: Any) -> Any:
        if "pageids" in asked.params:
            revisions = [{"revid": 999, "timestamp": "2024-02-03T04:05:06Z"}]
            return {"query": {"pages": [{"pageid": 11, "title": "Made-up cuprate", "revisions": revisions}]}}
        return wiki(11)(asked)

    found = await wikipedia(wrong, {"before": date(2021, 1, 1)}, query="cuprate")
    assert found["pages"] == []


@pytest.mark.parametrize("code", ["nosuchrevid", "permissiondenied", "missingcontent-revid"])
async def test_a_revision_that_is_hidden_is_withheld(wikipedia: Any, code: str) -> None:
    def hidden(asked: Any) -> Any:
        if asked.params["action"] == "parse":
            return {"error": {"code": code, "info": "It is hidden."}, "servedby": "mw1"}
        return wiki(11)(asked)

    found = await wikipedia(hidden, {"before": date(2021, 1, 1)}, query="cuprate")
    assert found["pages"] == []
    assert "1 page without" in found["says"]


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("ratelimited", "Wikipedia answered with an error."),
        ("internal_api_error_DBQueryError", "Wikipedia answered with an error."),
        ("readonly", "Wikipedia answered with an error."),
        ("badvalue", "Wikipedia rejected this query."),
        ("cirrussearch-query-too-long", "Wikipedia rejected this query."),
    ],
)
async def test_an_error_inside_a_good_answer_is_told(wikipedia: Any, code: str, says: str) -> None:
    said = await wikipedia(lambda _: {"error": {"code": code, "info": "In words."}, "servedby": "mw1"}, query="cuprate")
    assert says in said
    assert f"{code}: In words." in said


@pytest.mark.parametrize("body", [[], {"hello": 1}, "text", {"warnings": {}}])
async def test_json_of_another_shape_is_malformed(wikipedia: Any, body: Any) -> None:
    assert "Wikipedia sent an answer that cannot be read." in await wikipedia(lambda _: body, query="cuprate")


async def test_odd_pages_are_left_out(wikipedia: Any) -> None:
    def odd(_: Any) -> Any:
        good = _found(11, 4)
        rows = [None, 3, {}, {"pageid": "12", "title": "x"}, {**good, "revisions": None}, {**good, "title": None}, good]
        return {"query": {"pages": rows}}

    found = await wikipedia(odd, query="cuprate", limit=10)
    assert [page["revision"] for page in found["pages"]] == [999]


async def test_long_introductions_are_cut(wikipedia: Any) -> None:
    def long(_: Any) -> Any:
        return {"query": {"pages": [{**_found(11, 1), "extract": "word " * 5000}]}}

    text = (await wikipedia(long, query="cuprate"))["pages"][0]["text"]
    assert len(text) <= 1500
    assert text.endswith("…")


@pytest.mark.parametrize("before", [None, date(2021, 1, 1)])
@pytest.mark.parametrize("fault", ["malformed", "429", "500", "slow", "truncated", "refused"])
async def test_an_outage_is_told(speaking: Any, source_servers: ModuleType, fault: str, before: date | None) -> None:
    """Under a cutoff the search answers, and what looks up the revision fails."""
    failure = source_servers.FAULTS[fault]

    def answer(asked: Any) -> Any:
        failing = before is None or "generator" not in asked.params
        return failure.given if failing and failure.given else source_servers.Given(wiki(11)(asked))

    with source_servers.SourceServer(answer) as server:
        url = server.url if failure.given else f"http://127.0.0.1:{source_servers.closed_port()}"
        limit = source_servers.patience(fault)
        async with speaking(source_urls={"wikipedia": url}, before=before, source_seconds=limit) as call:
            said = await call("search_wikipedia", query="cuprate")
    assert f"Wikipedia {failure.says}" in said or (fault == "malformed" and failure.says in said)


@pytest.mark.parametrize("query", ["", "  ", "x" * 301])
async def test_a_query_of_no_use_is_refused(wikipedia: Any, query: str) -> None:
    assert "The query" in await wikipedia(wiki(11), query=query)
