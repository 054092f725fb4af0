"""What a query finds in a corpus: words in their forms, operators and fields of each language, the order of results."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite_tasks.corpus.corpus import read_corpus
from pincite_tasks.corpus.exchange import Asked
from pincite_tasks.corpus.index import ABSTRACT, TEXT, TITLE, Index
from pincite_tasks.corpus.query import QueryError, Syntax
from pincite_tasks.corpus.search_words import split
from pincite_tasks.corpus.server import answer

LUCENE = Syntax(
    usual=(TITLE, ABSTRACT),
    fields={"ti": (TITLE,)},
    facts={"year": lambda work, first, last: first <= work.published[:4] <= last},
)
SIGNS = Syntax(usual=(TITLE, ABSTRACT), any_of=("|",), none_of=("-",), all_of=("+",))


@pytest.mark.parametrize(
    "same",
    [
        "superconductor superconductors superconducting superconductivity Superconductive",
        "transition transitions",
        "temperature temperatures",
        "measured measure measuring",
        "naïve naive",
        "La3Ni2O7 La₃Ni₂O₇ la3ni2o7",
    ],
)
def test_forms_of_a_word_are_one_word(same: str) -> None:
    assert len(set(split(same))) == 1


def test_words_that_differ_stay_apart() -> None:
    assert len(set(split("Lu3Rh4Sb7 Lu3Rh4Sb8 Lu3Ir4Sb7 phase phonon polar"))) == 6
    assert split("x=0.15, spin-glass_state") == ["x", "0", "15", "spin", "glas", "stat"]


@pytest.mark.parametrize(
    ("syntax", "query", "found"),
    [
        (LUCENE, "superconducting Sr3Ta2Bi4", "okonjo2014 harker2016 harker2017"),
        (LUCENE, "superconducting AND Sr3Ta2Bi4", "okonjo2014 harker2016 harker2017"),
        (LUCENE, "resistivity OR kagome", "lindqvist2009 dube2019"),
        (LUCENE, "Sr3Ta2Bi4 NOT superconductivity", "lindqvist2009"),
        (LUCENE, "Sr3Ta2Bi4 AND NOT (films OR layered)", "lindqvist2009"),
        (LUCENE, "kagome OR films AND near", "harker2016 harker2017 dube2019"),
        (LUCENE, '"transition temperature"', "okonjo2014"),
        (LUCENE, '"temperature transition"', ""),
        (LUCENE, '"temperature transition"~2', "okonjo2014"),
        (LUCENE, "the of a kagome", "dube2019"),
        (LUCENE, "bismuth*", "dube2019 silva2021"),
        (LUCENE, "ti:bismuth", "silva2021"),
        (LUCENE, "ti:(bismuth OR layered)", "okonjo2014 silva2021"),
        (LUCENE, "TI:kagome", "dube2019"),
        (LUCENE, "year:[2014 TO 2016]", "okonjo2014 harker2016"),
        (LUCENE, "year:2009 OR year:2021", "lindqvist2009 silva2021"),
        (LUCENE, "x-ray", ""),
        (SIGNS, "resistivity | kagome", "lindqvist2009 dube2019"),
        (SIGNS, "Sr3Ta2Bi4 -superconductivity", "lindqvist2009"),
        (SIGNS, "+bismuth +(solar | kagome) -cells", "dube2019"),
    ],
)
def test_a_query_finds_what_it_says(write: Callable[..., Path], syntax: Any, query: str, found: str) -> None:
    corpus = read_corpus(write())
    read = syntax.read(query)
    assert [work.id for at, work in enumerate(corpus.works) if read.fits(corpus.subject(at))] == found.split()


@pytest.mark.parametrize(
    "query",
    ["", "AND kagome", "kagome OR", "(kagome", "kagome)", "NOT", "nope:kagome", "ti:[a TO b]", "(" * 1000 + "a", '"'],
)
def test_what_is_no_query_is_told(query: str) -> None:
    with pytest.raises(QueryError):
        LUCENE.read(query)


def test_words_of_a_negation_do_not_rank() -> None:
    assert LUCENE.read("kagome NOT layered").words == ("kagom",)


def test_the_order_is_by_rarity_place_and_length() -> None:
    texts = [
        {TITLE: "Growth of crystals", ABSTRACT: "The kagome lattice is named once in a rather long abstract of words."},
        {TITLE: "A kagome metal", ABSTRACT: "Growth of crystals."},
        {TITLE: "Growth of crystals", ABSTRACT: "Kagome."},
        {TITLE: "Growth of crystals", ABSTRACT: "Nothing.", TEXT: "Kagome " * 3},
        {TITLE: "Growth of crystals", ABSTRACT: "Nothing."},
    ]
    index = Index(texts)
    assert index.rank(range(5), split("kagome"), (TITLE, ABSTRACT)) == [1, 2, 0, 3, 4]
    scores = index.scores(split("kagome"), (TITLE, ABSTRACT, TEXT))
    assert scores[3] > 0
    assert scores[4] == 0
    assert index.scores(split("the of"), (TITLE, ABSTRACT)) == [0.0] * 5


def test_okapi_bm25_is_what_it_says() -> None:
    """Two works of one field: 1 of 4 words, 0 of 2; mean length 3; idf ln(1 + (2 - 1 + 0.5)/(1 + 0.5)) = ln 2."""
    index = Index([{ABSTRACT: "kagome a1 b1 c1"}, {ABSTRACT: "d1 e1"}])
    expected = 0.6931471805599453 * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 4 / 3))
    assert index.scores(["kagom"], (ABSTRACT,)) == [pytest.approx(expected), 0.0]


@pytest.mark.parametrize(
    ("host", "path", "params", "status"),
    [
        ("api.openalex.org", "/works", {"filter": "nope:1"}, 400),
        ("api.openalex.org", "/works", {"filter": "publication_year:soon"}, 400),
        ("api.openalex.org", "/works", {"filter": "type"}, 400),
        ("api.openalex.org", "/works", {"search": "(a"}, 400),
        ("api.openalex.org", "/works", {"sort": "nope"}, 400),
        ("api.openalex.org", "/works", {"page": "0"}, 400),
        ("api.openalex.org", "/works", {"page": "101", "per_page": "100"}, 400),
        ("api.openalex.org", "/works/W1", {}, 404),
        ("api.crossref.org", "/works", {"filter": "nope:1"}, 400),
        ("api.crossref.org", "/works", {"query.nope": "a"}, 400),
        ("api.crossref.org", "/works", {"sort": "nope"}, 400),
        ("api.crossref.org", "/works/10.5555/nobody", {}, 404),
        ("export.arxiv.org", "/api/query", {"search_query": "nope:a"}, 400),
        ("export.arxiv.org", "/api/query", {"max_results": "many"}, 400),
        ("arxiv.org", "/src/1402.9911v2", {}, 404),
        ("arxiv.org", "/pdf/1402.9911", {}, 404),
        ("arxiv.org", "/src/1906.99001", {}, 404),
        ("api.semanticscholar.org", "/graph/v1/paper/search", {"query": "()"}, 400),
        ("api.semanticscholar.org", "/graph/v1/paper/search/bulk", {"query": "a", "sort": "nope"}, 400),
        ("api.semanticscholar.org", "/graph/v1/paper/DOI:10.5555/nobody", {}, 404),
        ("www.ebi.ac.uk", "/europepmc/webservices/rest/PMC1/fullTextXML", {}, 404),
        ("www.ebi.ac.uk", "/europepmc/webservices/rest/MED/99000001/citations", {"pageSize": "many"}, 200),
        ("pubchem.ncbi.nlm.nih.gov", "/rest/pug/compound/name/water/cids/JSON", {}, 404),
        ("nobody.example", "/", {}, 404),
    ],
)
def test_what_a_source_does_not_take_or_have_it_says(
    write: Callable[..., Path], host: str, path: str, params: dict[str, str], status: int
) -> None:
    assert answer(read_corpus(write()), Asked(host, path, params)).status == status
