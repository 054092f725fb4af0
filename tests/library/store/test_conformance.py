"""What every store does, whatever it is made of."""

import hashlib
import random
from collections.abc import Callable
from dataclasses import fields, replace
from types import ModuleType

import numpy as np
import pytest

from pincite_core.errors import BadInputError, NotFoundError
from pincite_library.model import Chunk, ChunkKind, Filters, IndexedChunk, Marks, PaperEntry, Vectors, VectorSpace
from pincite_library.ranking.terms import index_terms, query_terms
from pincite_library.store.store import Store
from pincite_papers.model import Span

ALL = Filters(kinds=frozenset(ChunkKind))


def texts_found(store: Store, terms: list[str], k: int = 10, filters: Filters = ALL) -> list[str]:
    """The texts of the chunks that BM25 finds, in order."""
    return [stored.chunk.text for stored in store.fetch([one.key for one in store.rank_terms(terms, k, filters)])]


def put_vectors_of(store: Store, made: ModuleType, paper_id: str, seed: int = 0) -> np.ndarray:
    """Give all chunks of a paper vectors; the matrix."""
    stored = store.chunks_of(paper_id)
    matrix = made.unit_vectors(len(stored), seed=seed)
    store.put_vectors(made.SPACE, Vectors(tuple(one.key for one in stored), matrix))
    return matrix


def test_an_empty_library_answers_everything_with_nothing(store: Store, made: ModuleType) -> None:
    assert store.papers() == []
    assert store.rank_terms(["anything"], 10, Filters()) == []
    assert store.rank_vector(made.unit_vectors(1)[0], 10, Filters()) == []
    assert list(store.segments((), frozenset())) == []
    assert store.space() is None
    assert store.without_vectors(10) == []
    assert store.paper("0123456789") is None
    assert store.chunks_of(made.paper_id(1)) == []
    assert store.fetch([1, 2]) == []
    assert store.remove_papers([made.paper_id(1)]) == 0
    assert store.check() == []
    counts = store.counts()
    assert {name: counts[name] for name in ("papers", "chunks", "vectors", "unembedded", "segments")} == {
        "papers": 0,
        "chunks": 0,
        "vectors": 0,
        "unembedded": 0,
        "segments": 0,
    }
    with pytest.raises(NotFoundError):
        store.text(made.paper_id(1))


def full_entry(made: ModuleType, text: str, chunks: int) -> PaperEntry:
    """An entry with something in every field."""
    return PaperEntry(
        paper_id=made.paper_id(7),
        title="Über YBa₂Cu₃O₆.₉₃",
        source="papers/x y.pdf",
        authors=("Ångström, A.", "王伟"),
        year=1999,
        journal="Physical Review B",
        doi="10.1103/PhysRevB.1.1",
        abstract="An “abstract”.",
        format="pdf",
        pages=3,
        parser="pdf 7",
        chunker="chunks-1 terms-1",
        text_digest=hashlib.sha256(text.encode()).hexdigest(),
        chunks=chunks,
        added="2026-01-02T03:04:05Z",
        warnings=("page 2 has no text layer",),
        marks=Marks((0, 10), ((1, 3),), ((4, 9, 0.5),)),
    )


def full_chunks() -> tuple[str, list[IndexedChunk]]:
    """A text and chunks of every kind, with something in every field."""
    text = "Tc = 92 K in YBa₂Cu₃O₇ 𝛼\n\nTable 2 rows\n\nFigure 1 caption\n\n[1] A. Author"
    spans = (Span(26, 33), Span(34, 38))
    chunks = [
        Chunk(0, ChunkKind.TEXT, "2 Methods > 2.1 Cells", 1, 0, 24, text[:24], context="title\nabstract"),
        Chunk(
            1,
            ChunkKind.TABLE,
            "3 Results",
            2,
            26,
            38,
            "| Tc |\n| 92 |",
            False,
            "Table 2",
            (0, 4),
            "cap",
            "headers",
            spans,
        ),
        Chunk(2, ChunkKind.FIGURE, "3 Results", 2, 40, 56, text[40:56], True, "Figure 1", None, "cap", "a model"),
        Chunk(3, ChunkKind.REFERENCE, "References", None, 58, 71, text[58:71]),
    ]
    return text, [IndexedChunk(chunk, index_terms(f"{chunk.context} {chunk.text}")) for chunk in chunks]


def test_what_was_put_comes_back_whole(opened: Callable[[], Store], made: ModuleType) -> None:
    text, chunks = full_chunks()
    entry = full_entry(made, text, len(chunks))
    assert all(getattr(entry, field.name) != field.default for field in fields(PaperEntry)), "a field is left out"
    opened().put_paper(entry, text, chunks)
    for store in (opened(), opened()):
        assert store.papers() == [entry]
        assert store.paper(entry.paper_id) == store.paper(entry.paper_id[7:15]) == entry
        assert store.text(entry.paper_id) == text
        stored = store.chunks_of(entry.paper_id)
        assert [one.chunk for one in stored] == [one.chunk for one in chunks]
        assert {one.paper_id for one in stored} == {entry.paper_id}
        assert stored[1].locator == chunks[1].chunk.locator(entry.paper_id)
        assert store.fetch([stored[3].key, stored[0].key]) == [stored[3], stored[0]]
        assert store.check() == []


def test_papers_come_by_title(store: Store, made: ModuleType) -> None:
    for number, title in enumerate(("Zinc", "Alum", "Iron")):
        store.put_paper(*made.paper(number, ["x"], title=title))
    assert [entry.title for entry in store.papers()] == ["Alum", "Iron", "Zinc"]


def test_a_paper_is_named_by_eight_digits_or_more(store: Store, made: ModuleType) -> None:
    alike = [f"sha256:{'ab' * 20}{number:024x}" for number in range(2)]
    for number, one in enumerate(alike):
        store.put_paper(*made.paper(number, ["x"], paper_id=one))
    assert store.paper(alike[0]).paper_id == alike[0]
    with pytest.raises(BadInputError, match="Several papers"):
        store.paper("abababab")
    with pytest.raises(BadInputError, match="8 digits"):
        store.paper("sha256:ababab")
    assert store.paper("0" * 8) is None
    assert store.paper("%" * 8) is None


def test_the_order_is_that_of_bm25(store: Store, made: ModuleType) -> None:
    chance = random.Random(5)
    words = [f"w{number}" for number in range(60)]
    weights = [1 / (number + 1) for number in range(60)]
    blocks = [
        [" ".join(chance.choices(words, weights, k=chance.randrange(5, 60))) for _ in range(7)] for _ in range(80)
    ]
    for number, some in enumerate(blocks):
        store.put_paper(*made.paper(number, some))
    texts = [block for some in blocks for block in some]
    for terms in (["w0"], ["w3", "w40"], ["w0", "w1", "w2", "w59", "w7"], ["w5", "nowhere"], ["w9", "w9"]):
        expected = dict(zip(texts, made.bm25(texts, terms), strict=True))
        found = store.rank_terms(terms, 25, ALL)
        scores = [one.score for one in found]
        assert scores == sorted(scores, reverse=True)
        best = sorted(expected.values(), reverse=True)[:25]
        assert [expected[one.chunk.text] for one in store.fetch([one.key for one in found])] == pytest.approx(
            best, rel=1e-4
        )
        assert scores == pytest.approx(best, rel=1e-3)
    assert store.rank_terms(["nowhere"], 10, ALL) == []
    assert store.rank_terms([], 10, ALL) == []


def test_removed_and_replaced_chunks_do_not_count_in_bm25(store: Store, made: ModuleType) -> None:
    for number in range(40):
        store.put_paper(*made.paper(number, ["rare common", "common common", "common other"]))
    store.remove_papers([made.paper_id(number) for number in range(10, 40)])
    for number in range(9):
        store.put_paper(*made.paper(number, ["common again", "common"]))
    texts = ["common again", "common"] * 9 + ["rare common", "common common", "common other"]
    found = store.rank_terms(["rare", "common"], 50, ALL)
    assert [one.score for one in found] == pytest.approx(
        sorted(made.bm25(texts, ["rare", "common"]), reverse=True), rel=1e-3
    )


def test_a_long_count_of_a_term_is_not_lost(store: Store, made: ModuleType) -> None:
    blocks = ["word " * 700 + "end", "word " * 300 + "other " * 401, "word word"]
    store.put_paper(*made.paper(1, [block.strip() for block in blocks]))
    assert texts_found(store, ["word"], 3)[0].endswith("end")
    assert store.check() == []


def test_terms_of_any_writing_are_found_whole(store: Store, made: ModuleType) -> None:
    blocks = {
        "Die Übergangstemperatur beträgt 6.93 K in YBa₂Cu₃O₆.₉₃.": ["übergangstemperatur", "6.93", "YBa2Cu3O6.93"],
        "钇钡铜氧 是 超导体": ["超导体"],
        "The β-catenin pathway and TNF-α, doi 10.1021/x.y-z": ["β-catenin", "TNF-α", "10.1021/x.y-z"],
        "сверхпроводимость при 92 K": ["сверхпроводимость"],
        "naïve T-cells é (combining)": ["naïve", "cells"],
    }
    entry, text, chunks = made.paper(1, list(blocks))
    store.put_paper(entry, text, [replace(one, terms=index_terms(one.chunk.text)) for one in chunks])
    for block, queries in blocks.items():
        for query in queries:
            assert texts_found(store, query_terms(query))[:1] == [block], query
    assert store.check() == []


def test_terms_are_no_language(store: Store, made: ModuleType) -> None:
    store.put_paper(*made.paper(1, ["not and or near", "select from"]))
    assert texts_found(store, ["not"]) == ["not and or near"]
    for odd in ('"', "a OR b", "not*", "NEAR(a b)", "'; drop table papers; --", "", " ", "%", "_"):
        assert store.rank_terms([odd], 5, ALL) == []


def test_filters_hold_one_by_one_and_together(store: Store, made: ModuleType) -> None:
    for number in range(40):
        entry, text, chunks = made.paper(
            number,
            [f"word t{number}", "word u", "word v"],
            year=None if number == 0 else 1980 + number,
            journal=("Physical Review B", "PLOS ONE", "ACS Ärosol")[number % 3],
        )
        kinds, sections = list(ChunkKind), ("2 Methods > 2.1 Cells", "3 Results", "")
        changed = [
            replace(one, chunk=replace(one.chunk, kind=kinds[(number + place) % 4], section=sections[place]))
            for place, one in enumerate(chunks)
        ]
        store.put_paper(entry, text, changed)
    everything = [(entry, one) for entry in store.papers() for one in store.chunks_of(entry.paper_id)]
    some = frozenset(made.paper_id(number) for number in range(0, 40, 3))
    for filters, passes in (
        (Filters(), lambda e, c: c.kind != ChunkKind.REFERENCE),
        (ALL, lambda e, c: True),
        (Filters(kinds=frozenset({ChunkKind.TABLE})), lambda e, c: c.kind == ChunkKind.TABLE),
        (Filters(kinds=frozenset()), lambda e, c: False),
        (replace(ALL, years=(2000, 2003)), lambda e, c: e.year in range(2000, 2004)),
        (replace(ALL, years=(None, 1981)), lambda e, c: e.year == 1981),
        (replace(ALL, years=(2019, None)), lambda e, c: e.year == 2019),
        (replace(ALL, journal="review"), lambda e, c: e.journal == "Physical Review B"),
        (replace(ALL, journal="ärosol"), lambda e, c: e.journal == "ACS Ärosol"),
        (replace(ALL, section="METHODS"), lambda e, c: "Methods" in c.section),
        (replace(ALL, section="nowhere"), lambda e, c: False),
        (replace(ALL, papers=some), lambda e, c: e.paper_id in some),
        (replace(ALL, papers=frozenset({made.paper_id(5)})), lambda e, c: e.paper_id == made.paper_id(5)),
        (replace(ALL, papers=frozenset({made.paper_id(99)})), lambda e, c: False),
        (
            Filters(some, (1985, 2010), "plos", "results"),
            lambda e, c: (
                e.paper_id in some
                and e.year in range(1985, 2011)
                and e.journal == "PLOS ONE"
                and c.section == "3 Results"
                and c.kind != ChunkKind.REFERENCE
            ),
        ),
    ):
        expected = {one.key for entry, one in everything if passes(entry, one.chunk)}
        assert {one.key for one in store.rank_terms(["word"], 500, filters)} == expected
    assert len(store.rank_terms(["word"], 7, Filters())) == 7


def test_replacing_a_paper_leaves_nothing_of_the_old_one(store: Store, made: ModuleType) -> None:
    store.put_paper(*made.paper(1, ["old words here", "more old words"]))
    store.put_paper(*made.paper(2, ["another paper"]))
    old = store.chunks_of(made.paper_id(1))
    store.put_paper(*made.paper(1, ["new words"], title="New"))
    assert store.rank_terms(["old"], 10, ALL) == []
    assert texts_found(store, ["words"]) == ["new words"]
    assert store.text(made.paper_id(1)) == "new words"
    assert [entry.title for entry in store.papers()] == ["New", "Paper 2"]
    assert [segment.text for segment in store.segments((("words",),), frozenset())] == ["new words"]
    assert {one.chunk.text for one in store.fetch([one.key for one in old])} <= {"new words"}
    assert store.counts()["chunks"] == 2
    assert store.check() == []


def test_removing_papers_leaves_nothing_of_them(opened: Callable[[], Store], made: ModuleType) -> None:
    store = opened()
    for number in range(6):
        store.put_paper(*made.paper(number, [f"secret{number} common", "shared common"]))
        put_vectors_of(store, made, made.paper_id(number), number)
    gone = [made.paper_id(number) for number in (0, 3, 5)]
    keys = [one.key for paper_id in gone for one in store.chunks_of(paper_id)]
    assert store.remove_papers([*gone, gone[0], made.paper_id(99)]) == 3
    for again in (store, opened()):
        assert again.rank_terms(["secret3"], 10, ALL) == []
        assert list(again.segments((("secret3",),), frozenset())) == []
        assert again.fetch(keys) == []
        assert again.chunks_of(gone[0]) == []
        assert again.paper(gone[0]) is None
        assert len(again.rank_terms(["common"], 50, ALL)) == 6
        assert len(again.rank_vector(made.unit_vectors(1)[0], 50, ALL)) == 6
        assert again.counts()["papers"] == 3
        assert again.counts()["vectors"] == 6
        with pytest.raises(NotFoundError):
            again.text(gone[0])
        assert again.check() == []


def test_segments_hold_every_match_of_a_paper(store: Store, made: ModuleType) -> None:
    blocks = [
        f"Block {number} tells of {'hafnium' if number == 11 else 'zirconium'} oxide. " * 20 for number in range(30)
    ]
    store.put_paper(*made.paper(1, blocks))
    store.put_paper(*made.paper(2, ["Hafnium too"]))
    store.put_paper(*made.paper(3, ["hafnium without segments"]), segments=False)
    found = list(store.segments((("hafnium",),), frozenset()))
    assert {segment.paper_id for segment in found} == {made.paper_id(number) for number in (1, 2, 3)}
    for segment in found:
        assert segment.text == store.text(segment.paper_id)[segment.start : segment.start + len(segment.text)]
    assert sum(segment.text.lower().count("hafnium") for segment in found) == 22
    only = list(store.segments((("hafnium", "titanium"),), frozenset({made.paper_id(2), made.paper_id(99)})))
    assert [segment.text for segment in only] == ["Hafnium too"]
    everything = "".join(segment.text for segment in store.segments((), frozenset({made.paper_id(1)})))
    assert everything.count("oxide") == 600


def test_vectors_are_found_as_by_exact_comparison(store: Store, made: ModuleType) -> None:
    matrices = []
    for number in range(60):
        store.put_paper(
            *made.paper(number, [f"paper {number} chunk {place}" for place in range(50)], year=1950 + number)
        )
        matrices.append(put_vectors_of(store, made, made.paper_id(number), number))
    ids = [made.paper_id(number) for number in range(60)]
    keys = np.concatenate([[one.key for one in store.chunks_of(one_id)] for one_id in ids])
    matrix = np.concatenate(matrices)
    place = np.arange(3000) // 50
    for seed in range(20):
        query = made.unit_vectors(1, seed=100 + seed)[0]
        for years, allowed in (((None, None), place >= 0), ((1960, 1961), (place >= 10) & (place <= 11))):
            exact = np.where(allowed, matrix @ query, -2)
            best = np.sort(exact)[::-1][:10].tolist()
            found = store.rank_vector(query, 10, replace(ALL, years=years))
            assert [one.score for one in found] == pytest.approx(best, abs=2e-3)
            by_key = dict(zip(keys.tolist(), exact.tolist(), strict=True))
            assert [by_key[one.key] for one in found] == pytest.approx(best, abs=2e-3)


def test_vectors_of_another_space_are_refused(opened: Callable[[], Store], made: ModuleType) -> None:
    store = opened()
    store.put_paper(*made.paper(1, ["one", "two"]))
    put_vectors_of(store, made, made.paper_id(1))
    key = store.chunks_of(made.paper_id(1))[0].key
    for other in (replace(made.SPACE, model="b"), replace(made.SPACE, text_version="2"), VectorSpace("made", 8, "1")):
        with pytest.raises(BadInputError):
            store.put_vectors(other, Vectors((key,), made.unit_vectors(1, other.dimension)))
    assert opened().space() == made.SPACE
    with pytest.raises(BadInputError):
        store.rank_vector(made.unit_vectors(1, 8)[0], 5, ALL)
    store.drop_vectors()
    assert store.space() is None
    assert store.rank_vector(made.unit_vectors(1)[0], 5, ALL) == []
    assert len(store.without_vectors(10)) == 2
    other = VectorSpace("b", 8, "2")
    store.put_vectors(other, Vectors((key,), made.unit_vectors(1, 8)))
    again = opened()
    assert again.space() == other
    assert [one.key for one in again.rank_vector(made.unit_vectors(1, 8)[0], 5, ALL)] == [key]
    assert again.check() == []


def test_vectors_that_are_none_are_refused(store: Store, made: ModuleType) -> None:
    store.put_paper(*made.paper(1, ["one", "two"]))
    keys = tuple(one.key for one in store.chunks_of(made.paper_id(1)))
    wrong = made.unit_vectors(2)
    wrong[1, 3] = np.nan
    for matrix in (wrong, made.unit_vectors(1), made.unit_vectors(2, 8)):
        with pytest.raises(BadInputError):
            store.put_vectors(made.SPACE, Vectors(keys, matrix))
    assert store.space() is None
    store.put_vectors(made.SPACE, Vectors((keys[0], 10**9), made.unit_vectors(2)))
    assert store.counts()["vectors"] == 1
    assert [one.key for one in store.without_vectors(10)] == [keys[1]]
    assert store.counts()["unembedded"] == 1


def test_a_second_vector_takes_the_place_of_the_first(store: Store, made: ModuleType) -> None:
    store.put_paper(*made.paper(1, ["one", "two"]))
    put_vectors_of(store, made, made.paper_id(1), seed=1)
    matrix = put_vectors_of(store, made, made.paper_id(1), seed=2)
    assert store.counts()["vectors"] == 2
    found = store.rank_vector(matrix[1], 5, ALL)
    assert len(found) == 2
    assert found[0].key == store.chunks_of(made.paper_id(1))[1].key
    assert found[0].score == pytest.approx(1.0, abs=2e-3)
    assert store.check() == []


def test_unchanged_chunks_keep_their_vectors(opened: Callable[[], Store], made: ModuleType) -> None:
    store = opened()
    store.put_paper(*made.paper(1, ["alpha", "beta", "gamma", "gamma"]))
    matrix = put_vectors_of(store, made, made.paper_id(1))
    store.put_paper(*made.paper(1, ["new", "gamma", "alpha", "gamma", "gamma"]))
    assert [one.chunk.text for one in store.without_vectors(10)] == ["new", "gamma"]
    for again in (store, opened()):
        assert again.counts()["vectors"] == 3
        found = again.rank_vector(matrix[0], 1, ALL)
        assert again.fetch([found[0].key])[0].chunk.text == "alpha"
        assert found[0].score == pytest.approx(1.0, abs=2e-3)
    context = made.paper(1, ["new", "gamma", "alpha"], chunk={"context": "another title"})
    store.put_paper(*context)
    assert store.counts()["vectors"] == 0
    assert store.check() == []


def test_references_are_not_embedded(store: Store, made: ModuleType) -> None:
    store.put_paper(*made.paper(1, ["[1] A. Author", "[2] B. Author"], chunk={"kind": ChunkKind.REFERENCE}))
    store.put_paper(*made.paper(2, [f"text {number}" for number in range(5)]))
    assert [one.paper_id for one in store.without_vectors(10)] == [made.paper_id(2)] * 5
    assert len(store.without_vectors(3)) == 3


def test_thousands_of_keys_and_papers_at_once(store: Store, made: ModuleType) -> None:
    with store.batch():
        for number in range(4):
            store.put_paper(*made.paper(number, [f"word p{number}c{place}" for place in range(700)]))
    stored = [one for entry in store.papers() for one in store.chunks_of(entry.paper_id)]
    keys = [one.key for one in stored][::-1]
    assert [one.key for one in store.fetch([*keys, 10**12, -1, 0])] == keys
    many = frozenset({made.paper_id(2), *(made.paper_id(number) for number in range(100, 5000))})
    assert len(store.rank_terms(["word"], 5000, replace(ALL, papers=many))) == 700
    assert {segment.paper_id for segment in store.segments((("word",),), many)} == {made.paper_id(2)}
    assert store.remove_papers(sorted(many)) == 1


def test_equal_chunks_come_in_the_order_of_their_keys(store: Store, made: ModuleType) -> None:
    for number in range(5):
        store.put_paper(*made.paper(number, ["same words", "same words"]))
    keys = [one.key for one in store.rank_terms(["same"], 10, ALL)]
    assert keys == sorted(keys)
    assert [one.key for one in store.rank_terms(["same"], 4, ALL)] == keys[:4]


def test_contradictions_are_refused_and_change_nothing(store: Store, made: ModuleType) -> None:
    entry, text, chunks = made.paper(1, ["alpha", "beta"])
    store.put_paper(entry, text, chunks)
    shifted = [replace(one, chunk=replace(one.chunk, start=one.chunk.start + 1)) for one in chunks]
    for wrong in (
        (entry, text, shifted),
        (entry, text, chunks[::-1]),
        (replace(entry, text_digest="0" * 64), text, chunks),
        (replace(entry, paper_id="sha256:12"), text, chunks),
    ):
        with pytest.raises(BadInputError):
            store.put_paper(*wrong)
    assert store.papers() == [entry]
    assert [one.chunk.text for one in store.chunks_of(entry.paper_id)] == ["alpha", "beta"]
    assert store.check() == []


def test_a_paper_without_chunks_or_text_is_a_paper(store: Store, made: ModuleType) -> None:
    store.put_paper(*made.paper(1, []))
    assert store.text(made.paper_id(1)) == ""
    assert store.chunks_of(made.paper_id(1)) == []
    store.put_paper(*made.paper(2, ["word"]))
    assert texts_found(store, ["word"]) == ["word"]
    assert store.check() == []
    assert store.remove_papers([made.paper_id(1)]) == 1


def test_vacuum_gives_back_room_and_changes_no_answer(opened: Callable[[], Store], made: ModuleType) -> None:
    store, reader = opened(), opened()
    for number in range(40):
        store.put_paper(*made.paper(number, [f"word n{number} p{place} " + "filler " * 50 for place in range(10)]))
        put_vectors_of(store, made, made.paper_id(number), number)
    store.remove_papers([made.paper_id(number) for number in range(0, 40, 2)])
    query = made.unit_vectors(1, seed=77)[0]
    before = (store.rank_terms(["n7", "word"], 20, ALL), store.rank_vector(query, 20, ALL), store.papers())
    assert reader.rank_vector(query, 20, ALL) == before[1]
    assert store.vacuum() > 0
    for again in (store, reader, opened()):
        assert again.papers() == before[2]
        terms, vectors = again.rank_terms(["n7", "word"], 20, ALL), again.rank_vector(query, 20, ALL)
        assert [one.key for one in terms] == [one.key for one in before[0]]
        assert [one.score for one in terms] == pytest.approx([one.score for one in before[0]])
        assert [one.score for one in vectors] == pytest.approx([one.score for one in before[1]], abs=1e-4)
        assert again.check() == []
    store.put_paper(*made.paper(90, ["after vacuum"]))
    assert texts_found(reader, ["after"]) == ["after vacuum"]


def test_a_library_that_is_emptied_can_be_filled_again(opened: Callable[[], Store], made: ModuleType) -> None:
    store = opened()
    for number in range(3):
        store.put_paper(*made.paper(number, ["one", "two"]))
        put_vectors_of(store, made, made.paper_id(number), number)
    assert store.remove_papers([entry.paper_id for entry in store.papers()]) == 3
    for _ in range(2):
        store.vacuum()
        assert store.rank_terms(["one"], 5, ALL) == []
        assert store.rank_vector(made.unit_vectors(1)[0], 5, ALL) == []
        assert store.check() == []
    store.put_paper(*made.paper(1, ["one", "two"]))
    matrix = put_vectors_of(store, made, made.paper_id(1), 5)
    for again in (store, opened()):
        assert texts_found(again, ["two"]) == ["two"]
        best = again.rank_vector(matrix[0], 1, ALL)[0]
        assert again.fetch([best.key])[0].chunk.text == "one"
        assert again.check() == []


def test_readers_see_what_writers_finished(opened: Callable[[], Store], made: ModuleType) -> None:
    writer, reader = opened(), opened()
    for number in range(35):
        writer.put_paper(*made.paper(number, [f"word number{number}"]))
        assert texts_found(reader, [f"number{number}"]) == [f"word number{number}"]
        assert reader.counts()["papers"] == number + 1
    writer.drop_vectors()
    assert len(reader.rank_terms(["word"], 50, ALL)) == 35
