"""Evidence: what a fork shows in place of a tool's result: a page, or the passages or figures that the gold names."""

import base64
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pincite_core.errors import NotFoundError, PinciteError
from pincite_core.settings import Settings, load_settings
from pincite_figures.naming import figure_name, find_figure
from pincite_harness.reports.trials.pictures import PageDrawer
from pincite_papers.model import Paper
from pincite_papers.opening.store import PaperStore
from pincite_papers.quoting.quotes import find_quote
from pincite_scoring.gathered import figure_label, is_of_figure, objects_in, quotes_of
from pincite_tasks.task import Task

Content = Mapping[str, Any]
"""A block of a tool's result, as MCP has it."""


def page_shown(task: Task, name: str) -> list[Content]:
    """``N`` or ``PAPER:N`` as the text of that page (from 1) of one of the task's papers. NotFoundError for none."""
    paper, _, number = name.rpartition(":")
    files = [path for path in task.papers if not paper or path.name == paper]
    if len(files) != 1 or not number.isdecimal():
        seen = ", ".join(path.name for path in task.papers)
        raise NotFoundError(f"--page {name} does not name one page.", seen=seen, next="--page PAPER:N, N from 1")
    with _opened(task) as (store, _):
        opened = store.open(files[0])
        text = _page(opened, int(number))
        if not text:
            raise NotFoundError(f"{files[0].name} has no text on page {number}.", seen=f"{len(opened.pages)} pages")
    return [_text(f"{files[0].name}, page {number}:\n\n{text}")]


def passages_shown(task: Task) -> list[Content]:
    """The passages that the gold quotes, each as the paragraph of its paper where the words stand; the quoted words
    alone where the paper is not at hand or has them otherwise. NotFoundError where the gold quotes nothing."""
    shown: dict[str, None] = {}
    with _opened(task) as (store, _):
        for each in objects_in(task.gold):
            if is_of_figure(each):
                continue
            for quote in quotes_of(each):
                where = _source(task, each)
                page = each.get("page")
                place = f"{where}, page {page}" if page is not None else where
                shown[f"{place}:\n\n{_paragraph(task, store, where, quote)}"] = None
    if not shown:
        raise NotFoundError("The task's gold quotes no passage.", seen=task.task_id, next="Leave --gold-passage out.")
    return [_text(text) for text in shown]


def figures_shown(task: Task) -> list[Content]:
    """The figures that the gold's evidence stands in, drawn from their papers, each after its name and caption.
    NotFoundError where the gold names none that a paper of the task has."""
    shown: list[Content] = []
    with _opened(task) as (store, settings):
        drawer = PageDrawer(settings, store)
        try:
            for where, index in _figures(task, store):
                paper = store.open(where)
                caption = paper.figures[index].caption
                words = paper.text[caption.start : caption.end] if caption is not None else ""
                kind, data = drawer.draw_figure(paper, index)
                shown.append(_text(f"{where.name}, {figure_name(paper, index)}. {words}".strip()))
                shown.append({"type": "image", "data": base64.b64encode(data).decode(), "mimeType": kind})
        finally:
            drawer.close()
    if not shown:
        raise NotFoundError("The task's gold names no figure.", seen=task.task_id, next="Leave --gold-figure out.")
    return shown


def _figures(task: Task, store: PaperStore) -> list[tuple[Any, int]]:
    """Path and index of each figure that the gold names by its label, else of all on the page that it names."""
    found: dict[tuple[Any, int], None] = {}
    files = {path.name: path for path in task.papers}
    for each in objects_in(task.gold):
        path = files.get(_source(task, each))
        if not is_of_figure(each) or path is None:
            continue
        for index in _of_gold(store.open(path), each):
            found[path, index] = None
    return list(found)


def _of_gold(paper: Paper, named: Mapping[str, Any]) -> Sequence[int]:
    label = figure_label(named)
    if label is not None:
        try:
            return [find_figure(paper, label)]
        except PinciteError:
            pass
    return [index for index, figure in enumerate(paper.figures) if figure.page == named.get("page")]


def _paragraph(task: Task, store: PaperStore, name: str, quote: str) -> str:
    path = next((path for path in task.papers if path.name == name), None)
    if path is None:
        return quote
    paper = store.open(path)
    match = find_quote(paper, quote)
    blocks = [block for block in paper.blocks if block.start < match.end and block.end > match.start]
    return "\n\n".join(paper.text[block.start : block.end] for block in blocks) or quote


def _page(paper: Paper, page: int) -> str:
    blocks = [block for block in paper.blocks if block.page == page]
    return "\n\n".join(paper.text[block.start : block.end] for block in blocks)


def _source(task: Task, named: Mapping[str, Any]) -> str:
    """The paper's file name, DOI or title; where the gold says none, the task's first paper."""
    stated = [str(value) for key in ("paper", "doi", "title") if (value := named.get(key))]
    first = [path.name for path in task.papers[:1]]
    return [*stated, *first, "the gold"][0]


@contextmanager
def _opened(task: Task) -> Generator[tuple[PaperStore, Settings]]:
    roots = tuple({path.resolve().parent for path in task.papers})
    settings = load_settings().model_copy(update={"roots": roots})
    with PaperStore(settings) as store:
        yield store, settings


def _text(text: str) -> Content:
    return {"type": "text", "text": text}
