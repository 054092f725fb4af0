"""Reports of misreadings: one file with the page's crop, what the parser read there, and what a reader says."""

import io
import zipfile
from collections.abc import Sequence
from importlib.metadata import version

import orjson

from pincite_core.errors import BadInputError
from pincite_harness.desk.marks import mark
from pincite_harness.desk.papers import Papers, page_of
from pincite_harness.desk.surroundings import widened
from pincite_papers.model import Page, Paper, Rect, Span

MOST_NOTE = 2000
"""Characters of what a reader says. Set by judgement."""
_AROUND = 40.0
"""Points (1/72 inch) above and below the marked lines that the crop shows: some three lines of print. Set by
judgement."""
_FORM = "pincite-misreading/1"


def report_misreading(papers: Papers, paper: Paper, spans: Sequence[Span], page: int | None, note: str) -> bytes:
    """A zip archive of ``report.md``, ``misreading.json`` and a picture a page: the lines of ``spans`` over the whole
    width, or all of ``page`` where the parser read nothing that could be selected. BadInputError without a place."""
    if not spans and page is None:
        raise BadInputError("A report needs a place.", next="Select the text, or name a page.")
    marked = mark(paper, spans, page)
    if not marked.pages and paper.pages:
        raise BadInputError("What is selected stands on no page.", next="Select text that is printed.")
    crops: dict[str, bytes] = {}
    places: list[dict[str, object]] = []
    for each in marked.pages:
        box = _crop(paper, each.page, each.boxes)
        name = f"page-{each.page.number}.png"
        crops[name] = papers.crop(paper, each.page.number, box)
        boxes = [[b.x0, b.y0, b.x1, b.y1] for b in each.boxes]
        places.append({"page": each.page.number, "picture": name, "crop": _edges(box), "boxes": boxes})
    text = marked.quote or _page_text(paper, page)
    report: dict[str, object] = {
        "form": _FORM,
        "paper_id": paper.paper_id,
        "doi": paper.doi,
        "title": paper.title,
        "parser": paper.parser,
        "pincite": version("pincite"),
        "locator": marked.locator,
        "spans": [[span.start, span.end] for span in spans],
        "places": places,
        "text": text,
        "note": note[:MOST_NOTE],
    }
    return _packed(report, crops)


def _crop(paper: Paper, page: Page, boxes: Sequence[Rect]) -> Rect:
    """The lines of the boxes over the whole width; the whole page where there are none."""
    if not boxes:
        return Rect(0.0, 0.0, page.width, page.height)
    top = min(box.y0 for box in boxes) - _AROUND
    bottom = max(box.y1 for box in boxes) + _AROUND
    return widened(paper, page.number, Rect(0.0, top, page.width, bottom))


def _page_text(paper: Paper, number: int | None) -> str:
    if number is None:
        return ""
    page = page_of(paper, number)
    return paper.text[page.start : page.end]


def _edges(box: Rect) -> list[float]:
    return [round(edge, 2) for edge in (box.x0, box.y0, box.x1, box.y1)]


def _packed(report: dict[str, object], crops: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("misreading.json", orjson.dumps(report, option=orjson.OPT_INDENT_2))
        archive.writestr("report.md", _readable(report, list(crops)))
        for name, data in crops.items():
            archive.writestr(name, data)
    return out.getvalue()


def _readable(report: dict[str, object], pictures: Sequence[str]) -> str:
    """The report for people: what is in code blocks is indented, so that no text of a paper is taken as Markdown."""
    named = ("paper_id", "doi", "parser", "pincite", "locator")
    lines = ["# Misreading", "", *(_named(title, report[title]) for title in named)]
    lines += ["", "## As the parser read it", "", *_indented(str(report["text"]))]
    lines += [
        "",
        "## What the reader says",
        "",
        *_indented(str(report["note"]) or "nothing"),
        "",
        "## As it is printed",
    ]
    for name in pictures:
        lines += ["", f"![{name}]({name})"]
    return "\n".join(lines) + "\n"


def _named(title: str, value: object) -> str:
    text = str(value or "none").replace("`", "'")
    return f"- {title}: `{' '.join(text.split())}`"


def _indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.splitlines()]
