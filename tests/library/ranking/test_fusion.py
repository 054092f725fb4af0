"""Fusion of two rankings, what a chunk is indexed by and what is embedded of it."""

import itertools

from pincite_library.model import Chunk, ChunkKind, Scored
from pincite_library.ranking.embedder import embedded_text
from pincite_library.ranking.fields import chunk_terms
from pincite_library.ranking.fusion import coverage, dense_weight, fuse
from pincite_library.ranking.terms import only_exact


def _ranking(**scores: float) -> list[Scored]:
    return [Scored(int(name[1:]), score) for name, score in sorted(scores.items(), key=lambda one: -one[1])]


def _keys(fused: list[Scored]) -> list[int]:
    return [one.key for one in fused]


def test_one_ranking_alone_keeps_its_order() -> None:
    terms, dense = _ranking(c1=8.0, c2=4.0, c3=1.0), _ranking(c3=0.9, c1=0.2, c2=-0.1)
    assert fuse(terms, [], {}) == [Scored(1, 1.0), Scored(2, 0.5), Scored(3, 0.125)]
    assert fuse([], dense, {}) == [Scored(3, 0.9), Scored(1, 0.2), Scored(2, 0.0)]
    assert fuse([], [], {}) == []


def test_a_lead_in_bm25_stands_and_a_near_tie_is_decided_by_the_vectors() -> None:
    dense = _ranking(c9=0.7, c2=0.6, c1=0.1)
    assert _keys(fuse(_ranking(c1=20.0, c2=18.0), dense, {1: 0.9}))[0] == 1
    assert _keys(fuse(_ranking(c1=20.0, c2=19.9), dense, {1: 0.9}))[0] == 2


def test_vectors_weigh_more_where_few_of_the_words_are_found() -> None:
    weights = [dense_weight({1: share, 2: 0.1}) for share in (1.0, 0.5, 0.45, 0.4, 0.3, 0.1)]
    assert weights == sorted(weights)
    assert weights[1] == 0 < weights[2] < weights[3] < weights[4] == weights[5]
    assert dense_weight({}) == dense_weight({1: 0.0}) == weights[5]
    terms, dense = _ranking(c1=10.0, c2=4.0), _ranking(c3=0.95, c4=0.5)
    assert _keys(fuse(terms, dense, {1: 0.9}))[:2] == [1, 2]
    assert _keys(fuse(terms, dense, {1: 0.5})) == [1, 2, 3, 4]
    assert _keys(fuse(terms, dense, {1: 0.05})) == [3, 4, 1, 2]


def test_where_one_text_holds_all_words_vectors_decide_ties_and_what_comes_after() -> None:
    terms, dense = _ranking(c1=10.0, c2=9.9, c3=9.9), _ranking(c8=0.4, c9=0.9, c3=0.8)
    assert _keys(fuse(terms, dense, {1: 1.0, 2: 1.0, 3: 1.0})) == [1, 3, 2, 9, 8]


def test_vectors_have_no_say_in_a_query_of_exact_tokens() -> None:
    terms, dense = _ranking(c1=10.0, c2=9.95), _ranking(c3=0.9, c2=0.9, c1=0.0)
    assert _keys(fuse(terms, dense, {1: 0.7, 2: 0.7})) == [2, 1, 3]
    assert _keys(fuse(terms, dense, {1: 0.7, 2: 0.7}, exact=True)) == [1, 2, 3]
    assert _keys(fuse(terms, dense, {1: 0.1, 2: 0.1}, exact=True)) == [1, 2, 3]
    for query in ("YBa2Cu3O6.93 93 K 10^-3", "GSE12345", "10.1021/jacs.1c01234", "6.93"):
        assert only_exact(query)
    for query in ("Tc of YBa2Cu3O6.93", "the gene BRCA1", "超伝導", "K", "?", ""):
        assert not only_exact(query)


def test_a_text_that_holds_all_words_is_not_pushed_out() -> None:
    dense = _ranking(**{f"c{n}": 0.99 - n / 1000 for n in range(10, 60)})
    fused = fuse(_ranking(c1=10.0, c2=9.0, c3=8.0), dense, {1: 0.5, 2: 0.5, 3: 1.0})
    assert _keys(fused)[0] == 3
    assert len(fused) == 53
    assert all(0 <= one.score <= 1 for one in fused)


def test_the_order_is_the_same_however_the_rankings_tie() -> None:
    terms, dense = _ranking(c1=1.0, c2=1.0, c3=1.0), _ranking(c1=0.5, c2=0.5, c3=0.5)
    for order in itertools.permutations(terms):
        assert _keys(fuse(list(order), dense, {})) == [1, 2, 3]


def test_coverage_is_the_share_of_the_terms() -> None:
    assert coverage(["a", "b"], {1: {"a", "b", "c"}, 2: {"b"}, 3: set()}) == {1: 1.0, 2: 0.5, 3: 0.0}
    assert coverage([], {1: {"a"}}) == {1: 0.0}


def _chunk(text: str, context: str) -> Chunk:
    return Chunk(0, ChunkKind.TEXT, "", 1, 0, len(text), text, context=context)


def test_the_text_of_a_chunk_weighs_more_than_its_context() -> None:
    stream = chunk_terms(_chunk("gene gene laser " + "quark " * 40, "gene superconductor superconductor")).split()
    counts = {term: stream.count(term) for term in set(stream)}
    assert counts["superconductor"] == 1
    assert counts["superconductor"] < counts["laser"] < counts["gene"] < counts["quark"] < 10
    assert [term for term, _ in itertools.groupby(stream)] == list(dict.fromkeys(stream))
    assert chunk_terms(_chunk("of the", "")) == ""


def test_a_long_context_leaves_room_for_the_text_that_is_embedded() -> None:
    made = embedded_text(_chunk("The text.", "A title " * 30 + "\nMethods\n" + "w" * 200))
    title, section, lead, text = made.split("\n")
    assert title.startswith("A title")
    assert max(map(len, (title, section, lead))) <= 80
    assert (section, text) == ("Methods", "The text.")
    assert embedded_text(_chunk("The text.", "")) == "The text."
