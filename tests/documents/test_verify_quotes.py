"""verify_quotes: many quotes of one paper at once."""

from collections.abc import Awaitable, Callable
from typing import Any

Ask = Callable[..., Awaitable[Any]]
Fails = Callable[..., Awaitable[str]]


async def test_each_quote_is_checked_with_its_page(ask: Ask) -> None:
    (hit, *_) = (await ask("grep_paper", pattern="Table 1"))["hits"]
    page = int(hit["locator"].partition("#p")[2].partition(":")[0])
    quotes = [hit["quote"], hit["quote"], "sheep graze upon the hills of another land", hit["quote"]]
    found = await ask("verify_quotes", quotes=quotes, pages=[page, page + 7, 0, 0])
    assert [each["stands"] for each in found["checked"]] == [True, True, False, True]
    assert found["faulty"] == [2, 3]
    assert f"not on page {page + 7}" in found["checked"][1]["fault"]
    assert found["checked"][0]["locator"]


async def test_what_is_near_is_shown(ask: Ask) -> None:
    (hit, *_) = (await ask("grep_paper", pattern="Table 1", context=60))["hits"]
    words = hit["context"].split()
    near = " ".join([*words[:4], "sheep", *words[5:]])
    (checked,) = (await ask("verify_quotes", quotes=[near]))["checked"]
    assert not checked["stands"]
    assert checked.get("paper_says") or checked["fault"] == "nothing like it stands there"


async def test_one_page_for_each_quote(fails: Fails) -> None:
    assert "one page for each quote" in await fails("verify_quotes", quotes=["a thing"], pages=[1, 2])
