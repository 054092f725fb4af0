"""What tools showed in a trial is a second text to look for quotes in; rows of tables are compared cell by cell."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_papers.quoting.quotes import quote_stands
from pincite_scoring.shown import NOTHING_SHOWN, Shown, shown_in, text_paper

TEXT = """Table 1. Transition temperatures of the series.

x\tTc (K)
0\t4.60
0.25\t2.87
10\t4.61

The sample with x = 0.5 shows none."""
# (quote, whether it stands in that text)
ROWS: list[tuple[str, bool]] = [
    ("x\tTc (K)", True),
    ("| 0 | 4.60 |", True),
    ("0 | 4.60", True),
    ("x | Tc (K) | 0 | 4.60", True),
    ("| x | Tc (K) |\n|---|---|\n| 0 | 4.60 |", True),
    ("Tc (K) 0 4.60", True),
    ("0; 4.60", True),
    ("0.25 | 4.60", False),
    ("0 | 4.61", False),
    ("0 | 2.87", False),
    ("The sample | with x", False),
    ("Table 1. Transition temperatures", True),
    ("Table 1: Transition temperatures", False),
]


def test_rows_are_compared_cell_by_cell() -> None:
    paper = text_paper(TEXT)
    wrong = [(quote, stands) for quote, stands in ROWS if quote_stands(paper, quote) is not stands]
    assert not wrong


def test_bars_in_a_text_part_the_cells_of_a_table_too() -> None:
    paper = text_paper("Before.\n\n| x | Tc (K) |\n|---|:---:|\n| 0 | 4.60 |\n\nAfter | all.")
    assert all(quote_stands(paper, quote) for quote in ("0\t4.60", "| 0 | 4.60 |", "0, 4.60"))
    assert not quote_stands(paper, "0 | 4.61")


def trial(folder: Path, *calls: tuple[str, str, dict[str, Any], str, dict[str, Any]]) -> Shown:
    """What was shown in a trial whose tool door recorded these calls: server, tool, arguments, text, more."""
    lines: list[dict[str, Any]] = []
    for number, (server, tool, arguments, text, more) in enumerate(calls, start=1):
        request = {"kind": "request", "seq": number, "at": "2026-11-22T10:00:00+00:00", "server": server}
        lines.append(request | {"method": "tools/call", "params": {"name": tool, "arguments": arguments}})
        result = {"content": [{"type": "text", "text": text}], **more}
        lines.append({"kind": "response", "seq": number, "at": "2026-11-22T10:00:01+00:00", "result": result})
    (folder / "wire").mkdir(parents=True)
    (folder / "wire" / "mcp.jsonl").write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    return shown_in(folder)


FIRST, SECOND = "10.5555/a.1", "10.5555/b.2"
FOUND = orjson.dumps({"works": [{"doi": SECOND, "abstract": "It becomes “superconducting” at 5 K."}]}).decode()
CAPTION = "Table 1: Transition temperatures\n\n| x | Tc (K) |\n|---|---|\n| 0 | 4.60 |"
CALLS: tuple[tuple[str, str, dict[str, Any], str, dict[str, Any]], ...] = (
    ("documents", "read_pages", {"paper": "papers/10.5555_a.1.xml"}, CAPTION, {}),
    ("literature", "search_papers", {"query": "superconducting tellurides"}, FOUND, {}),
    ("provenance", "verify_quote", {"quote": "It melts at 9 K.", "paper": FIRST}, 'Not there: "It melts at 9 K."', {}),
    ("documents", "grep_paper", {"paper": FIRST}, "The server broke at 7.77 K.", {"isError": True}),
    ("workbench", "run", {"code": "print(chr(73))"}, f"{FIRST}: It was made by me at 1 K.", {}),
)
# (what, quote, DOI of the cited work, whether a tool showed it of that work)
SHOWN: list[tuple[str, str, str, bool]] = [
    ("a label in the tool's spelling", "Table 1: Transition temperatures", FIRST, True),
    ("a row in markdown", "| 0 | 4.60 |", FIRST, True),
    ("a row as text", "0\t4.60", FIRST, True),
    ("another value in the row", "| 0 | 4.61 |", FIRST, False),
    ("of a work that no result names", "Table 1: Transition temperatures", "10.5555/c.3", False),
    ("in a JSON result, quotation marks in another form", 'It becomes "superconducting" at 5 K.', SECOND, True),
    ("what the agent had sent itself", "It melts at 9 K.", FIRST, False),
    ("the words of an error", "The server broke at 7.77 K.", FIRST, False),
    ("what the agent's own program printed", "It was made by me at 1 K.", FIRST, False),
    ("nothing", " ", FIRST, False),
]


def test_a_quote_stands_in_what_a_tool_showed_of_the_cited_work(tmp_path: Path) -> None:
    shown = trial(tmp_path / "trial", *CALLS)
    wrong = [row for row in SHOWN if shown.holds(row[1], (row[2],)) is not row[3]]
    assert not wrong


def test_without_a_trial_nothing_was_shown(tmp_path: Path) -> None:
    assert shown_in(None) == NOTHING_SHOWN == shown_in(tmp_path)
    assert not NOTHING_SHOWN.holds("Table 1", ("papers/a.pdf",))


@pytest.mark.parametrize("text", ["", "|", "||", "\t", "| |", "{", "[1, 2", "a | b\n", "\x00 | \ud800"])
def test_odd_results_are_read_as_they_are(tmp_path: Path, text: str) -> None:
    assert isinstance(text_paper(text).text, str)
