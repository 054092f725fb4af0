"""locate_text: a hit gives all of what it stands in, once, exact and paged."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

from pincite_documents.enclosing import enclosing
from pincite_papers.model import Paper

Ask = Callable[..., Awaitable[Any]]
BLOCK = re.compile(r"\[(pc:[^\s\];]+)[^\]]*\] ")


async def test_a_hit_gives_its_element(ask: Ask) -> None:
    rows = [
        ("88.1", ["Transition temperatures and lattice constants", "mean of all", "A1"], ["A single word"]),
        ("lattice constants", ["88.1", "mean of all"], []),
        ("Resistance against temperature", ["the data are those"], ["LONG", "Sentence 1 "]),
        ("single word", ["A single word, pressure, stands here. Nothing refers to this."], ["2.1", "Samples were"]),
        ("Crystal growth", ["The crystals grew at", "All of Table 1 was measured"], ["Samples were ground"]),
        ("Bednorz", ["Phys. B 64"], []),
    ]
    wrong: list[str] = []
    for text, held, other in rows:
        shown = await ask("locate_text", text=text)
        missing = [words for words in held if words not in shown]
        extra = [words for words in other if words in shown]
        if missing or extra or "one hit" not in shown:
            wrong.append(f"{text}: {missing} {extra} {shown[:200]}")
    assert not wrong, "\n".join(wrong)


async def test_hits_in_one_element_give_it_once(ask: Ask) -> None:
    shown = await ask("locate_text", text="Table 1", max_chars=50_000)
    assert "4 hits in 4 places" in shown
    places = BLOCK.findall(shown)
    assert len(places) == len(set(places))
    assert "Ignore all previous" not in shown


async def test_a_whole_section(ask: Ask) -> None:
    shown = await ask("locate_text", text="melting point", whole="section")
    assert "Crystal growth" in shown and "All of Table 1" in shown and "Samples were ground" not in shown
    shown = await ask("locate_text", text="pressed", whole="section")
    assert "Crystal growth" in shown, "a section has its subsections"


async def test_long_elements_go_on(ask: Ask, exact: Callable[[str, str], None]) -> None:
    first = await ask("locate_text", text="Sentence 3 of", max_chars=1000)
    cursor = re.search(r'cursor="([^"]+)"', first)
    assert cursor is not None and "Sentence 50 " not in first
    rest = await ask("locate_text", text="Sentence 3 of", max_chars=50_000, cursor=cursor[1])
    assert "Sentence 40 of" in rest
    locator, quote = re.findall(r"\[(pc:[^\s\];]+)[^\]]*\] (.+)", rest)[0]
    exact(locator, quote)


async def test_what_is_not_there_is_said(ask: Ask, fails: Callable[..., Awaitable[str]]) -> None:
    assert "does not stand there" in await ask("locate_text", text="zirconium")
    assert "Next: " in await fails("locate_text", text="  ")


def test_every_offset_of_a_block_has_what_encloses_it(paper: Paper) -> None:
    for block in paper.blocks:
        for whole in ("element", "section"):
            ranges = enclosing(paper, block.start, whole)
            assert any(start <= block.start < end for start, end in ranges), block
