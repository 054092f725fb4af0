"""The small made-up literatures of precedent_search: sound, mixed, and hard for whoever searches carelessly."""

from collections import Counter
from pathlib import Path

import pytest

from pincite_papers.opening.source import parse_source
from pincite_papers.quoting.quotes import find_quote
from pincite_tasks.corpus.check import check_corpus
from pincite_tasks.corpus.corpus import read_corpus
from pincite_tasks.corpus.exchange import Asked
from pincite_tasks.corpus.fulltext import as_jats, as_latex, read_blocks
from pincite_tasks.corpus.server import answer
from pincite_tasks.family import load_family

FAMILY = Path(__file__).parents[2] / "tasks" / "precedent_search"
TASKS = load_family(FAMILY).sets["standard"]
CORPORA = sorted({task.corpus.name for task in TASKS if task.corpus is not None})
SMALL = 150_000
"""Bytes of a corpus."""


@pytest.mark.parametrize("name", CORPORA)
def test_a_corpus_is_sound_mixed_and_small(name: str) -> None:
    folder = FAMILY / "corpora" / name
    assert check_corpus(folder) == []
    works = read_corpus(folder).works
    roles = Counter(work.role for work in works)
    assert 25 <= len(works) <= 40
    assert {"true", "negative", "retracted", "notice", "hidden", "related", "unrelated"} <= roles.keys()
    assert roles["unrelated"] >= len(works) / 3
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < SMALL


@pytest.mark.parametrize("name", CORPORA)
def test_a_text_says_the_same_in_every_format_that_it_is_given_in(name: str) -> None:
    corpus = read_corpus(FAMILY / "corpora" / name)
    for work in corpus.works:
        blocks = read_blocks(corpus.text(work))
        for render in (as_latex, as_jats) if blocks else ():
            paper = parse_source(render(work, corpus.text(work), corpus.cited(work)).encode(), max_pages=10)
            quotes = [work.abstract, *(block.text for block in blocks if block.kind != "table")]
            cells = [cell for block in blocks for row in block.rows for cell in row]
            assert [quote for quote in quotes if not find_quote(paper, quote).stands] == [], work.id
            assert [cell.text for table in paper.tables for cell in table.cells] == cells, work.id


def test_there_is_a_contradiction_to_weigh_and_no_name_is_in_two_corpora() -> None:
    works = [work for name in CORPORA for work in read_corpus(FAMILY / "corpora" / name).works]
    assert len(CORPORA) >= 3
    assert any(work.role == "contradicting" for work in works)
    names = [name for work in works for name in (work.doi, work.arxiv, work.pmcid) if name]
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_every_corpus_is_asked_about_and_every_task_has_one() -> None:
    tasks = load_family(FAMILY).tasks
    folders = {path.name for path in (FAMILY / "corpora").iterdir() if path.is_dir()}
    assert {task.corpus.name for task in tasks if task.corpus is not None} == folders
    assert all(task.corpus is not None for task in tasks)


@pytest.mark.parametrize("name", CORPORA)
def test_what_is_hidden_is_not_found_by_the_formula_alone(name: str) -> None:
    """arXiv wants every word: the formulas of the tasks find none of the works that are marked as hidden."""
    corpus = read_corpus(FAMILY / "corpora" / name)
    hidden = {work.arxiv for work in corpus.works if work.role == "hidden"}
    materials = [str(task.parameters["material"]) for task in TASKS if task.corpus == FAMILY / "corpora" / name]
    for material in materials:
        asked = Asked("export.arxiv.org", "/api/query", {"search_query": f'all:"{material}"', "max_results": "50"})
        feed = answer(corpus, asked).content.decode()
        assert not [number for number in hidden if f"/abs/{number}" in feed], material
