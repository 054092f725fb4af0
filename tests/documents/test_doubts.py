"""Unreliable characters are marked in what every tool shows, and a quote with the marks is the same quote."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from parts.sign_fonts import SignFont, print_lines

from pincite_core.errors import BadInputError
from pincite_papers import doubts
from pincite_papers.pdf.parse import parse_pdf
from pincite_papers.quoting.quotes import find_quote
from pincite_provenance.claims.check import check_claim
from pincite_provenance.model import Claim

Ask = Callable[..., Awaitable[Any]]

_LINE = "The wave has λ and the angle θ, both with the shift δ of 3.5 mm in the spectrum."
_SHOWN = "The wave has ⁅λ⁆ and the angle ⁅θ⁆, both with the shift ⁅b⁆ of 3.5 mm in the spectrum."
_READ = "3 characters, read as λ, θ, b"


@pytest.fixture
def printed(folder: Path) -> bytes:
    """A page in the folder whose font of signs tells nothing but shapes."""
    data = print_lines([_LINE], SignFont("Scrambled", "DejaVuSansMono.ttf", {"%": "λ", "x": "θ", "b": "δ"}))
    (folder / "signs.pdf").write_bytes(data)
    return data


async def test_every_tool_shows_the_same_marks_and_the_same_number(ask: Ask, printed: bytes) -> None:
    text = await ask("read_pages", paper="signs.pdf", pages="1")
    assert _SHOWN in text
    assert f"unreliable: {_READ}" in text
    assert text.count(doubts.EXPLAINED) == 1
    opened = await ask("open_paper", paper="signs.pdf")
    assert opened["counts"]["unreliable"] == 3
    assert any(warning.startswith("3 characters") for warning in opened["warnings"])
    (hit,) = (await ask("grep_paper", paper="signs.pdf", pattern="angle", context=100))["hits"]
    assert (hit["quote"], hit["context"]) == ("angle", _SHOWN)
    (marked,) = (await ask("grep_paper", paper="signs.pdf", pattern="has ⁅λ⁆ and"))["hits"]
    assert (marked["quote"], marked["unreliable"]) == ("has ⁅λ⁆ and", "1 character, read as λ")
    (checked,) = (await ask("verify_quotes", paper="signs.pdf", quotes=[_SHOWN]))["checked"]
    assert checked["stands"]
    assert checked["unreliable"] == _READ


def test_a_claim_on_unreliable_characters_never_holds(printed: bytes) -> None:
    paper = parse_pdf(printed, max_pages=1)
    assert find_quote(paper, _SHOWN).standing == find_quote(paper, paper.text).standing == "exact"
    for quote, verdict in (("⁅b⁆ of 3.5 mm in", "unsure"), ("of 3.5 mm in the", "holds")):
        named = paper.locator(paper.text.index(doubts.bare(quote)), paper.text.index(doubts.bare(quote)) + 9)
        claim = Claim(quote, f"pc:{named.paper_id[7:15]}#p1:{named.start}-{named.end}", value="3.5", unit="mm")
        checks = {check.name: check.verdict for check in check_claim(paper, claim).checks}
        assert checks["quote"] == verdict, checks
    with pytest.raises(BadInputError):
        find_quote(paper, "⁅⁆")


def test_marks_stand_around_the_part_that_is_shown() -> None:
    assert doubts.with_marks("abcdef", [(11, 13), (15, 20)], 10) == "a⁅bc⁆de⁅f⁆"
    assert doubts.with_marks("abc", [(1, 4)], 3) == "⁅a⁆bc"
    assert doubts.note_of(["ab", "c", "a", "d", "e", "f"]) == "7 characters, read as a, b, c, d, e, …"
    assert doubts.note_of([]) == ""
