"""What a crew reads through the tool door: pages whose quotes get the offsets of the paper's text, and figures."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pincite_papers.pdf.parse import parse_pdf

PAPER = "ybco_oxygen.pdf"


def test_a_quote_of_a_page_has_its_offsets_and_a_figure_its_caption(
    program: Any, addresses: Mapping[str, str], papers_folder: Path
) -> None:
    sources, check = program("crew.sources").Sources, program("crew.evidence").check
    tools = {name: {"url": addresses[name], "headers": {}} for name in ("documents", "figures")}

    async def read() -> tuple[Any, Any, Any]:
        with sources({"tools": tools}) as opened:
            return await opened.page(PAPER, 1), *(await opened.figure(PAPER, "Fig. 1"))

    page, picture, about = asyncio.run(read())
    paper = parse_pdf((papers_folder / PAPER).read_bytes(), max_pages=20)
    sentence = next(each for each in paper.text.split(". ") if len(each) > 60 and each in page.text)
    record = check(sentence, 1, page).record()
    assert paper.text[record["start"] : record["end"]] == sentence
    assert picture.media_type in ("image/png", "image/jpeg") and len(picture.data) > 1000
    assert "Fig. 1" in about.text
