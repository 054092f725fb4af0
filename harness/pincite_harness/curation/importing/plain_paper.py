"""Plain paper: a text of a data set becomes a page that the servers open, with a way from offset to offset."""

import html
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite_core.errors import BadInputError
from pincite_papers.html import parse_html
from pincite_papers.model import Paper

_FURTHEST = 8
"""Characters in a row that the parser may add, such as the colon behind "Keywords"."""


@dataclass(frozen=True, slots=True)
class PlainPaper:
    """The page's bytes, the paper parsed from them, and where each character of the text went.

    ``places[i]`` is the offset in ``paper.text`` of character i of the text; white space has that of the character
    before it.
    """

    page: bytes
    paper: Paper
    text: str
    places: npt.NDArray[np.int64]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the paper of ``text[start:end]``, which begins and ends with no white space."""
        return int(self.places[start]), int(self.places[end - 1]) + 1

    def segments(self) -> list[list[int]]:
        """Runs that the paper took over as they are: [offset in the paper, offset in the text, length]."""
        runs: list[list[int]] = []
        for i, place in enumerate(self.places.tolist()):
            if self.text[i].isspace():
                continue
            if runs and place - runs[-1][0] == i - runs[-1][1]:
                runs[-1][2] = i - runs[-1][1] + 1
            else:
                runs.append([place, i, 1])
        return runs

    def map(self, source: str) -> dict[str, Any]:
        """The way back, as a file keeps it: offsets count Unicode code points."""
        return {"source": source, "parser": self.paper.parser, "segments": self.segments()}


def make_plain_paper(title: str, text: str) -> PlainPaper:
    """A minimal HTML page with a paragraph for each line of ``text``; BadInputError where the parsed paper does not
    hold the text character for character, white space apart."""
    lines = "\n".join(f"<p>{html.escape(line, quote=False)}</p>" for line in text.split("\n") if line.strip())
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title>'
    page = f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body><article>\n{lines}\n</article></body></html>\n'
    paper = parse_html(page.encode(), max_pages=1)
    return PlainPaper(page.encode(), paper, text, _places(title, text, paper))


def _places(title: str, text: str, paper: Paper) -> npt.NDArray[np.int64]:
    ink = _ink(paper.text, _behind(title, paper.text))
    places = np.zeros(len(text), dtype=np.int64)
    last = k = 0
    for i, character in enumerate(text):
        if not character.isspace():
            near = ink[k : k + _FURTHEST]
            skipped = next((n for n, place in enumerate(near) if paper.text[place] == character), None)
            if skipped is None:
                raise BadInputError(
                    f"The text of {title!r} does not come through as it is.",
                    seen=f"{text[max(0, i - 20) : i + 20]!r} against {paper.text[last : last + 40]!r}",
                    next="Leave this text out.",
                )
            last, k = near[skipped], k + skipped + 1
        places[i] = last
    return places


def _ink(text: str, start: int) -> list[int]:
    """Where the characters from ``start`` on stand that are not white space."""
    return [i for i in range(start, len(text)) if not text[i].isspace()]


def _behind(title: str, text: str) -> int:
    """Where the title that the parser put first ends; 0 where it put none."""
    at = 0
    for character in title:
        if character.isspace():
            continue
        while at < len(text) and text[at].isspace():
            at += 1
        if at >= len(text) or text[at] != character:
            return 0
        at += 1
    return at
