"""search_patents and get_patent, against local servers that speak as Europe PMC, the EPO and Google Patents do."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from mcp import Client

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings
from pincite_databases.patents.numbers import parse_number
from pincite_databases.patents.record import Patent
from pincite_databases.server import create_server

FAULTS = ("malformed", "429", "500", "slow", "truncated", "refused")
KEY, SECRET, TOKEN = "invented-key", "invented-secret", "invented-token"

PATENTS: list[dict[str, Any]] = [
    {
        "number": f"EP{1000000 + n}A1",
        "title": f"Garnet electrolyte number {n}",
        "abstract": f"A lithium garnet of composition {n} conducts at 300 K.",
        "applicant": "Invented Cells SE",
        "inventor": "Lovelace Ada" if n else "Noether Emmy",
        "date": f"{2010 + n}0517",
    }
    for n in range(5)
]


def europe_pmc(servers: ModuleType) -> Callable[[Any], Any]:
    def answer(asked: Any) -> Any:
        query, mark = asked.params["query"], asked.params["cursorMark"]
        terms = query.split(" AND ")
        words = [term.strip('"').lower() for term in terms if not re.match(r"[A-Z_]+:", term)]
        exact = re.search(r"EXT_ID:(\w+)", query)
        years = re.search(r"\[(\d{4})-01-01 TO (\d{4})", query)
        found = [
            patent
            for patent in PATENTS
            if all(word in f"{patent['title']} {patent['abstract']}".lower() for word in words)
            and (exact is None or patent["number"].startswith(exact[1]))
            and (years is None or years[1] <= patent["date"][:4] <= years[2])
        ]
        start = 0 if mark == "*" else int(mark)
        end = start + int(asked.params["pageSize"])
        results = [
            {
                "id": patent["number"][:-2],
                "source": "PAT",
                "title": f"{patent['title']}.",
                "authorString": f"{patent['inventor']}, .",
                "pubYear": patent["date"][:4],
                "firstPublicationDate": f"{patent['date'][:4]}-05-17",
                "abstractText": patent["abstract"],
                "patentDetails": {"application": {"applicationDate": "2009-01-02"}},
            }
            for patent in found[start:end]
        ]
        following = str(end) if end < len(found) else mark
        return servers.Given({"hitCount": len(found), "nextCursorMark": following, "resultList": {"result": results}})

    return answer


def exchange_document(patent: dict[str, Any]) -> str:
    country, digits, kind = patent["number"][:2], patent["number"][2:-2], patent["number"][-2:]
    return f"""
    <exchange-document system="ops.epo.org" family-id="777" country="{country}" doc-number="{digits}" kind="{kind}">
      <bibliographic-data>
        <publication-reference><document-id document-id-type="docdb"><country>{country}</country>
          <doc-number>{digits}</doc-number><kind>{kind}</kind><date>{patent["date"]}</date></document-id>
        </publication-reference>
        <patent-classifications><patent-classification><section>H</section><class>01</class><subclass>M</subclass>
          <main-group>10</main-group><subgroup>0562</subgroup></patent-classification></patent-classifications>
        <application-reference><document-id><date>20090102</date></document-id></application-reference>
        <priority-claims><priority-claim><document-id><date>20080303</date></document-id></priority-claim>
        </priority-claims>
        <parties>
          <applicants>
            <applicant data-format="epodoc"><applicant-name><name>INVENTED CELLS SE [DE]</name></applicant-name>
            </applicant>
            <applicant data-format="original"><applicant-name><name>{patent["applicant"]},</name></applicant-name>
            </applicant>
          </applicants>
          <inventors><inventor data-format="original"><inventor-name><name>{patent["inventor"]}</name></inventor-name>
          </inventor></inventors>
        </parties>
        <invention-title lang="de">Granat</invention-title>
        <invention-title lang="en">{patent["title"]}</invention-title>
      </bibliographic-data>
      <abstract lang="en"><p>{patent["abstract"]}</p></abstract>
    </exchange-document>"""


def epo(servers: ModuleType) -> Callable[[Any], Any]:
    def world(inside: str) -> Any:
        body = f'<ops:world-patent-data xmlns="http://www.epo.org/exchange" xmlns:ops="http://ops.epo.org">{inside}</ops:world-patent-data>'
        return servers.Given(body, headers={"Content-Type": "application/exchange+xml"})

    def answer(asked: Any) -> Any:
        if asked.path == "/auth/accesstoken":
            good = asked.headers["authorization"] == "Basic aW52ZW50ZWQta2V5OmludmVudGVkLXNlY3JldA=="
            token = {"access_token": TOKEN, "expires_in": "1199", "token_type": "BearerToken"}
            return servers.Given(token) if good else servers.Given({"error": "invalid_client"}, status=401)
        if asked.headers.get("authorization") != f"Bearer {TOKEN}":
            return servers.Given("<fault/>", status=403)
        missing = servers.Given("<fault><code>SERVER.EntityNotFound</code></fault>", status=404)
        if "/search/" in asked.path:
            text = asked.params["q"]
            words = re.search('ta all "(.*?)"', text)
            years = re.search(r'pd within "(\d{4})0101 (\d{4})1231"', text)
            found = [
                patent
                for patent in PATENTS
                if (words is None or all(word in patent["title"].lower() for word in words[1].lower().split()))
                and (years is None or years[1] <= patent["date"][:4] <= years[2])
            ]
            first, last = map(int, asked.params["Range"].split("-"))
            documents = "".join(map(exchange_document, found[first - 1 : last]))
            search = (
                f'<ops:biblio-search total-result-count="{len(found)}"><ops:search-result><exchange-documents>'
                f"{documents}</exchange-documents></ops:search-result></ops:biblio-search>"
            )
            return world(search) if found else missing
        name = asked.path.rsplit("/", 2)[1].replace(".", "")
        found = [patent for patent in PATENTS if patent["number"].startswith(name)]
        return world(f"<exchange-documents>{exchange_document(found[0])}</exchange-documents>") if found else missing

    return answer


def google(servers: ModuleType) -> Callable[[Any], Any]:
    pages = {patent["number"]: patent for patent in PATENTS}

    def answer(asked: Any) -> Any:
        patent = pages.get(asked.path.split("/")[2])
        if patent is None:
            return servers.Given("<title>Error 404</title>", status=404)
        translated = '<span class="google-src-text">Granat</span>' if patent is PATENTS[4] else ""
        claims = "".join(
            f'<div class="claim" num="{n:05d}"><div class="claim-text">{n}. A garnet of kind {n}.</div></div>'
            for n in (1, 2)
        )
        return servers.Given(
            f"""<html><head><meta name="DC.title" content="{patent["title"]} "></head><body><article>
            <dd itemprop="publicationNumber">{patent["number"]}</dd><dd itemprop="inventor">{patent["inventor"]}</dd>
            <dd itemprop="assigneeOriginal">{patent["applicant"]}</dd>
            <time itemprop="publicationDate" datetime="{patent["date"][:4]}-05-17">May</time>
            <time itemprop="filingDate" datetime="2009-01-02">Jan</time>
            <section itemprop="abstract"><div class="abstract">{patent["abstract"]}</div></section>
            <section itemprop="description"><heading>FIELD</heading>
            <div class="description-paragraph">Solid cells. {translated}</div>
            <div class="description-paragraph">{"Long. " * 400}</div></section>
            <section itemprop="claims"><h2>Claims</h2>{claims}</section></article></body></html>""",
            headers={"Content-Type": "text/html; charset=utf-8"},
        )

    return answer


@pytest.fixture
def servers(source_servers: ModuleType) -> Iterator[dict[str, Any]]:
    with (
        source_servers.SourceServer(europe_pmc(source_servers)) as first,
        source_servers.SourceServer(epo(source_servers)) as second,
        source_servers.SourceServer(google(source_servers)) as third,
    ):
        yield {"europe_pmc_patents": first, "epo": second, "google_patents": third}


@pytest.fixture
def connect(servers: dict[str, Any], source_servers: ModuleType, tmp_path: Path) -> Callable[..., Client]:
    """A client of a server that asks these servers, with further settings."""

    def make(**more: Any) -> Client:
        urls = {name: server.url for name, server in servers.items()} | more.pop("source_urls", {})
        limit = more.pop("source_seconds", 10.0)
        return Client(create_server(Settings(cache_dir=tmp_path, source_urls=urls, source_seconds=limit, **more)))

    return make


@pytest.mark.parametrize("key", [None, f"{KEY}:{SECRET}"])
async def test_patents_are_found_paged_and_named_with_their_source(
    connect: Callable[..., Client], key: str | None
) -> None:
    async with connect(epo_key=key) as client:
        asked = {"query": "garnet electrolyte", "year": "2011-", "limit": 3}
        first = (await client.call_tool("search_patents", asked)).structured_content
        rest = (await client.call_tool("search_patents", asked | {"cursor": first["next_cursor"]})).structured_content
    titles = [patent["title"] for page in (first, rest) for patent in page["patents"]]
    assert titles == [f"Garnet electrolyte number {n}" for n in range(1, 5)]
    assert rest["next_cursor"] is None
    assert first["found"] == 4
    assert first["source"] == ("Europe PMC (patents)" if key is None else "EPO Open Patent Services")
    assert first["limits"]
    assert first["sources"][0]["retrieved"].endswith("Z")
    assert first["patents"][0]["inventors"] == ["Lovelace Ada"]
    assert first["patents"][0]["filed"] == "2009-01-02"


async def test_the_epo_gives_names_as_written_and_family_and_classes(connect: Callable[..., Client]) -> None:
    async with connect(epo_key=f"{KEY}:{SECRET}") as client:
        result = await client.call_tool("get_patent", {"number": "EP 1000003 A1"})
    patent = result.structured_content["patent"]
    assert (patent["applicants"], patent["family"], patent["classes"]) == (
        ["Invented Cells SE"],
        "777",
        ["H01M10/0562"],
    )
    assert (patent["published"], patent["filed"], patent["priority"]) == ("2013-05-17", "2009-01-02", "2008-03-03")
    assert "300 K" in result.structured_content["text"]


async def test_the_token_is_asked_once_and_shown_nowhere(
    connect: Callable[..., Client], servers: dict[str, Any], tmp_path: Path
) -> None:
    async with connect(epo_key=f"{KEY}:{SECRET}") as client:
        await client.call_tool("search_patents", {"query": "garnet"})
        await client.call_tool("search_patents", {"query": "electrolyte"})
        await client.call_tool("get_patent", {"number": "EP1000001A1"})
    assert [asked.path for asked in servers["epo"].asked].count("/auth/accesstoken") == 1
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert TOKEN.encode() not in kept
    assert SECRET.encode() not in kept


async def test_claims_and_description_come_from_the_page_in_parts(connect: Callable[..., Client]) -> None:
    async with connect() as client:
        claims = (await client.call_tool("get_patent", {"number": "EP1000002A1", "part": "claims"})).structured_content
        asked = {"number": "EP1000002A1", "part": "description", "max_chars": 1000}
        first = (await client.call_tool("get_patent", asked)).structured_content
        second = (await client.call_tool("get_patent", asked | {"cursor": first["next_cursor"]})).structured_content
    assert claims["text"] == "1. A garnet of kind 1.\n\n2. A garnet of kind 2."
    assert claims["next_cursor"] is None
    assert first["text"].startswith("FIELD\nSolid cells.\nLong.")
    assert len(first["text"]) == 1000
    assert second["text"] == ("FIELD\nSolid cells.\n" + " ".join(["Long."] * 400))[1000:2000]


async def test_a_translation_is_said_and_the_source_text_is_not_mixed_in(connect: Callable[..., Client]) -> None:
    async with connect() as client:
        result = (
            await client.call_tool("get_patent", {"number": "EP1000004", "part": "description"})
        ).structured_content
    assert result["patent"]["number"] == "EP1000004A1"
    assert "machine translation" in result["note"]
    assert "Granat" not in result["text"]


async def test_nothing_found_is_an_answer(connect: Callable[..., Client]) -> None:
    for key in (None, f"{KEY}:{SECRET}"):
        async with connect(epo_key=key) as client:
            result = await client.call_tool("search_patents", {"query": "perpetuum mobile"})
            assert result.structured_content["patents"] == []
            assert result.structured_content["found"] == 0
    async with connect() as client:
        missing = await client.call_tool("get_patent", {"number": "US9999999B2"})
    assert missing.is_error
    assert "no patent US9999999B2" in missing.content[0].text


@pytest.mark.parametrize("key", [None, f"{KEY}:{SECRET}"])
async def test_a_cutoff_withholds_what_was_published_later(connect: Callable[..., Client], key: str | None) -> None:
    async with connect(epo_key=key, before="2012-05-18") as client:
        assert "before 2012-05-18 are withheld" in client.instructions
        listed = (await client.call_tool("search_patents", {"query": "garnet"})).structured_content
        earlier = await client.call_tool("get_patent", {"number": "EP1000002A1"})
        later = await client.call_tool("get_patent", {"number": "EP1000003A1", "part": "claims"})
        trials = await client.call_tool("search_trials", {"condition": "burns"})
    assert [patent["published"][:4] for patent in listed["patents"]] == ["2010", "2011", "2012"]
    assert listed["found"] is None
    assert "before 2012-05-18 are withheld" in listed["limits"]
    assert not earlier.is_error
    assert later.is_error
    assert "kind" not in later.content[0].text
    assert trials.is_error
    assert "under the cutoff 2012-05-18" in trials.content[0].text


@pytest.mark.parametrize(
    ("published", "passes"), [("2012-05-17", True), ("2012-05-18", False), ("2012", False), ("2011", True), ("", False)]
)
def test_a_date_known_to_the_year_passes_only_when_all_of_it_does(published: str, passes: bool) -> None:
    assert Patent(number="EP1", title="t", published=published).surely_before(date(2012, 5, 18)) is passes


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", ["europe_pmc_patents", "epo", "google_patents"])
async def test_every_failure_is_told_from_the_others(
    connect: Callable[..., Client], servers: dict[str, Any], source_servers: ModuleType, name: str, fault: str
) -> None:
    gone = {name: f"http://127.0.0.1:{source_servers.closed_port()}"} if fault == "refused" else {}
    servers[name].fault = source_servers.FAULTS[fault]
    tool, asked = "search_patents", {"query": "garnet"}
    if name == "google_patents":
        tool, asked = "get_patent", {"number": "EP1000001A1", "part": "claims"}
    key = f"{KEY}:{SECRET}" if name == "epo" else None
    async with connect(source_urls=gone, epo_key=key, source_seconds=source_servers.patience(fault)) as client:
        result = await client.call_tool(tool, asked)
    assert result.is_error
    assert source_servers.FAULTS[fault].says in result.content[0].text


async def test_where_the_epo_fails_the_page_stands_in_and_the_failure_is_said(
    connect: Callable[..., Client], servers: dict[str, Any], source_servers: ModuleType
) -> None:
    servers["epo"].fault = source_servers.FAULTS["429"]
    async with connect(epo_key=f"{KEY}:{SECRET}") as client:
        result = await client.call_tool("get_patent", {"number": "EP1000001A1"})
    assert "EPO could not be asked: EPO Open Patent Services asks to wait" in result.structured_content["note"]
    assert result.structured_content["patent"]["title"] == "Garnet electrolyte number 1"


async def test_another_patents_page_is_not_taken_for_the_asked_one(
    connect: Callable[..., Client], servers: dict[str, Any], source_servers: ModuleType
) -> None:
    page = '<meta name="DC.title" content="Other"><dd itemprop="publicationNumber">US1234567B2</dd>'
    servers["google_patents"].answer = lambda _: source_servers.Given(page, headers={"Content-Type": "text/html"})
    async with connect() as client:
        result = await client.call_tool("get_patent", {"number": "US7654321B2"})
    assert result.is_error
    assert "cannot be read" in result.content[0].text


@pytest.mark.parametrize("query", ["AND OR NOT", "(((", 'SRC:MED) OR "x', "pn=EP* and", "(xq) [yq] {zq}"])
@pytest.mark.parametrize("key", [None, f"{KEY}:{SECRET}"])
async def test_words_never_become_operators_or_fields(
    connect: Callable[..., Client], servers: dict[str, Any], query: str, key: str | None
) -> None:
    async with connect(epo_key=key) as client:
        result = await client.call_tool("search_patents", {"query": query})
    sent = [
        asked.params.get("query", asked.params.get("q", "")) for server in servers.values() for asked in server.asked
    ]
    assert result.is_error or not result.structured_content["patents"]
    assert not any(re.search(r"MED\)|pn=EP\*|[({}\[\])]", text) for text in sent)


@pytest.mark.parametrize("key", ["", "no-colon"])
async def test_a_half_key_is_told(connect: Callable[..., Client], key: str) -> None:
    async with connect(epo_key=key or "x") as client:
        result = await client.call_tool("search_patents", {"query": "garnet"})
    assert result.is_error
    assert "key:secret" in result.content[0].text


@pytest.mark.parametrize("year", ["19", "2020-2010", "twenty", "2010 2011", "-"])
async def test_a_wrong_year_is_told(connect: Callable[..., Client], year: str) -> None:
    async with connect() as client:
        assert (await client.call_tool("search_patents", {"query": "garnet", "year": year})).is_error


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("US 7,654,321 B2", "US7654321B2"), ("EP1000000A1", "EP1000000A1"), ("WO 2019/123456 A1", "WO2019123456A1"),
        ("us2019/0123456a1", "US20190123456A1"), ("EP 1 000 000", "EP1000000"), ("CN.101234567.A", "CN101234567A"),
        ("https://patents.google.com/patent/US7654321B2/en?oq=x", "US7654321B2"),
    ],
)  # fmt: skip
def test_numbers_in_usual_spellings(written: str, number: str) -> None:
    assert str(parse_number(written)) == number


@pytest.mark.parametrize(
    "written", ["", "7654321", "US", "U7654321", "US12", "../../etc", "US" + "1" * 40, "EP1000000A1/../x"]
)
def test_what_is_no_number_is_told(written: str) -> None:
    with pytest.raises(BadInputError):
        parse_number(written)
