"""list_tables, read_table and list_references."""

import csv
import io
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

Ask = Callable[..., Awaitable[Any]]
Fails = Callable[..., Awaitable[str]]
Exact = Callable[[str, str], None]

ROWS = [["A1", "92.5", "3.82"], ["A2", "88.1", "3.83"], ["B|1", "7.25", "4.05"], ["mean of all", "", "3.90"]]
CAPTION = "Table 1: Transition temperatures and lattice constants."


async def test_tables_are_listed(ask: Ask, exact: Exact) -> None:
    listed = await ask("list_tables")
    assert listed["total"] == 1
    (table,) = listed["tables"]
    assert (table["table"], table["rows"], table["columns"]) == ("Table 1", 5, 3)
    assert table["header"] == ["Sample", "T_c (K)", "a (Å)"]
    assert table["caption"] == CAPTION
    assert table["confidence"] == "sure"
    assert "doubts" not in table
    exact(table["caption_locator"], CAPTION)


@pytest.mark.parametrize("name", ["Table 1", "1", "table I", "Tab. 1", "#1"])
async def test_a_table_by_any_of_its_names(ask: Ask, name: str) -> None:
    assert (await ask("read_table", table=name))["caption"] == CAPTION


async def test_a_table_by_a_locator_inside_it(ask: Ask) -> None:
    (hit,) = (await ask("grep_paper", pattern="88.1"))["hits"]
    assert (await ask("read_table", table=hit["locator"]))["table"] == "Table 1"


async def test_markdown(ask: Ask) -> None:
    table = await ask("read_table", table="1")
    assert table["content"].splitlines() == [
        "| Sample | T_c (K) | a (Å) |",
        "| --- | --- | --- |",
        "| A1 | 92.5 | 3.82 |",
        "| A2 | 88.1 | 3.83 |",
        "| B\\|1 | 7.25 | 4.05 |",
        "| mean of all |  | 3.90 |",
    ]
    assert table["spans"] == [{"row": 4, "column": 0, "row_span": 1, "column_span": 2}]
    assert "cells" not in table


async def test_csv(ask: Ask) -> None:
    table = await ask("read_table", table="1", format="csv")
    assert list(csv.reader(io.StringIO(table["content"])))[1:] == ROWS


async def test_every_cell_has_its_own_locator(ask: Ask, exact: Exact) -> None:
    table = await ask("read_table", table="1", format="cells")
    for cell in table["cells"]:
        exact(cell["locator"], cell["text"])
    texts = {(cell["row"], cell["column"]): cell["text"] for cell in table["cells"]}
    assert texts[2, 1] == "88.1"
    assert next(cell for cell in table["cells"] if cell["text"] == "mean of all")["column_span"] == 2


@pytest.mark.parametrize("form", ["markdown", "csv", "cells"])
async def test_a_table_comes_in_pages(ask: Ask, form: str) -> None:
    whole = await ask("read_table", table="1", format=form)
    parts: list[Any] = []
    cursor: str | None = ""
    while cursor is not None:
        part = await ask("read_table", table="1", format=form, max_chars=1000, cursor=cursor)
        assert len(str(part)) <= 1000
        parts += part.get("cells") or part["content"].splitlines()
        cursor = part["next_cursor"]
    assert parts == (whole.get("cells") or whole["content"].splitlines())


async def test_an_unknown_table_lists_the_known(fails: Fails) -> None:
    for name in ("Table 9", "#2", "", "pc:00000000#p1:0-1"):
        message = await fails("read_table", table=name)
        assert "Table 1" in message
        assert "Next: " in message
    assert "markdown" in await fails("read_table", table="1", format="html")


async def test_references(ask: Ask, exact: Exact) -> None:
    listed = await ask("list_references")
    assert listed["total"] == 3
    assert [entry["key"] for entry in listed["references"]] == ["1", "2", "3"]
    for entry in listed["references"]:
        exact(entry["locator"], entry["text"])
    assert listed["references"][0]["doi"] == "10.1007/BF01303701"
    assert listed["references"][1]["arxiv"] == "2301.01234"


@pytest.mark.parametrize(
    ("query", "keys"), [("Muller", []), ("müller", ["1"]), ("[2]", ["2"]), ("2", ["2"]), ("(1987)", ["2"])]
)
async def test_references_are_searched(ask: Ask, query: str, keys: list[str]) -> None:
    assert [entry["key"] for entry in (await ask("list_references", query=query))["references"]] == keys


async def test_references_come_in_pages(ask: Ask, fails: Fails) -> None:
    whole = await ask("list_references")
    assert whole["next_cursor"] is None
    assert "does not belong" in await fails("list_references", cursor="AAAAAAAAAAAA")
