"""What comes first: running text before title pages and footnotes, tables where a value is asked for."""

from collections.abc import Generator
from pathlib import Path

import pytest

from pincite_library.chunks.cut import cut_paper
from pincite_library.ingest.entry import entry_of
from pincite_library.model import FRONT_LABELS, Filters, IndexedChunk
from pincite_library.ranking.fields import chunk_terms
from pincite_library.ranking.questions import asks_for_value
from pincite_library.ranking.ranked import Found
from pincite_library.ranking.search import search
from pincite_library.store.sqlite.store import SqliteStore
from pincite_papers.opening.source import parse_source

_FILLER = " ".join(
    f"Further samples of batch {n} were weighed, sealed and stored until they were needed." for n in range(9)
)
ARTICLE = f"""<?xml version="1.0"?><article><front><article-meta><title-group>
<article-title>Hardness of annealed boride coatings</article-title></title-group><contrib-group><contrib
contrib-type="author"><name><surname>Lovelace</surname><given-names>Ada</given-names></name></contrib></contrib-group>
<abstract><p>We coat tools. {_FILLER}</p></abstract></article-meta></front><body>
<sec><title>Preparation</title><p>Boride coatings were annealed in argon; the hardness of the coatings depends on how
long they were annealed, as the reader will see. {_FILLER}</p></sec>
<sec><title>Results</title><p>The hardness of sample B2 after annealing was measured with an indenter by two people, and
the values of all samples are listed below. {_FILLER}</p>
<table-wrap><label>Table 1</label><caption><p>Hardness of the coatings.</p></caption><table><thead><tr><th>Sample</th>
<th>Hardness (GPa)</th><th>Annealed (h)</th></tr></thead><tbody>{
    "".join(f"<tr><td>B{n}</td><td>{20 + n}.5</td><td>{n}</td></tr>" for n in range(9))
}</tbody></table></table-wrap></sec></body>
</article>"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Generator[SqliteStore]:
    paper = parse_source(ARTICLE.encode(), max_pages=5)
    chunks = cut_paper(paper)
    made = SqliteStore(Path(tmp_path_factory.mktemp("library")))
    made.put_paper(entry_of(paper, source="a", chunker="t", chunks=len(chunks)), paper.text, _indexed(chunks))
    yield made
    made.close()


def _indexed(chunks: list) -> list[IndexedChunk]:  # type: ignore[type-arg]
    return [IndexedChunk(chunk, chunk_terms(chunk)) for chunk in chunks]


async def found(store: SqliteStore, query: str) -> list[Found]:
    return list((await search(store, query, 5, Filters())).found)


async def test_running_text_comes_before_the_title_page(store: SqliteStore) -> None:
    first, *others = await found(store, "annealed boride coatings hardness")
    assert first.stored.chunk.label not in FRONT_LABELS
    assert first.stored.chunk.section == "Preparation"
    assert "Title page" in [one.stored.chunk.label for one in others]


async def test_a_title_still_finds_its_paper_first(store: SqliteStore) -> None:
    for query in ("Hardness of annealed boride coatings", "hardness of annealed boride"):
        first, *_ = await found(store, query)
        assert first.stored.chunk.label == "Title page"


async def test_a_question_for_a_value_finds_the_table_first(store: SqliteStore) -> None:
    first, *_ = await found(store, "What is the hardness of sample B2 after annealing?")
    assert first.stored.chunk.label == "Table 1"
    first, *_ = await found(store, "Who measured the hardness of sample B2 after annealing?")
    assert first.stored.chunk.section == "Results"
    assert first.stored.chunk.kind == "text"


VALUES = (
    "What is the band gap of MoS2?",
    "what was the highest superconducting transition temperature",
    "How many patients were enrolled?",
    "How large is the thermal conductivity at 300 K?",
    "At which pH does it precipitate?",
    "Which value of the lattice constant was found?",
    "What is the specific F-value reported for the interaction?",
    "value of the Seebeck coefficient",
)
NO_VALUES = (
    "What is the role of pressure in superconductivity?",
    "What is the effect of temperature on yield?",
    "How does annealing change the structure?",
    "Why is the conductivity low?",
    "Which gene regulates myelination?",
    "transition temperature of cuprates",
    "Who measured the density?",
    "How were the samples prepared?",
    "",
)


def test_questions_for_a_value_are_told_from_others() -> None:
    wrong = [query for query in VALUES if not asks_for_value(query)]
    wrong += [query for query in NO_VALUES if asks_for_value(query)]
    assert not wrong
