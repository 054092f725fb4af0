"""Exact search through a store: the same hits as a scan of every text, block by block, and no others."""

import functools
import hashlib
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_core.patterns import FoldedText, find_literal, find_regex
from pincite_library.grep.matchers import make_matcher
from pincite_library.grep.search import find
from pincite_library.model import PaperEntry, Segment
from pincite_library.segments import SEGMENT_CHARS, blocks_of, lowered, segments_of
from pincite_library.store.sqlite import segments as sqlite_segments
from pincite_library.store.sqlite.store import SqliteStore

SAID = """temperature temperatures of the cuprate YBa2Cu3O6.93 T_c T_{c} 92.5 K 10^5 10^{-3} −5.2 (p < 0.001) 5 of $ ^
“quoted text” rational irrational, rationale; Å3 µm \u03bcm H_2O H2O ab–initio ab-initio ſo Σας ΣΑΣ σας İstanbul _ -
naïve\tTab a\u00a0b 6.93 16.93 6.935 and\nnext line α-phase (rational) e.g. x=y [12] https://a.org/a_b 1,000 K."""
ASKED = """temperature temp of the rational Rational 6.93 .93 93 92.5 T_c Tc c 10^5 105 10-3 -5.2 −5.2 (p < 0 quoted
"quoted text" ab-initio h2o Å µ μm σας σασ istanbul tional of e . - 1,000 K. K x=y of cuprate y zzz 2Cu3 _b \\d İ"""
WORDS, LITERALS = SAID.split(" "), ASKED.split()
LITERALS += ["of the", "the cuprate", "p < 0.001)", "and next", "a b", "initio ſo", "K 10", "rationale;", "rational)"]
EXPRESSIONS = [
    r"temp\w+ of",
    r"\d+\.\d+ K",
    r"(?:ir)?rational\b",
    r"10\^\{?-?\d",
    r"[^z]+",
    r"(?s)K.{0,30}of",
    r"\s+",
    r"\A\w+",
    r"\w+\z",
    r"^\S+|\S+$",
    r"T_\{?c\}?",
    r"(cuprate|phase)\s",
    r"(?i)σ\w",
    r"-",
    r"\n",
    r"Å|µ",
    r"(?-m)\w$",
]


def made_text(choice: random.Random) -> str:
    """A text of some blocks, parted by blank lines, one of them long."""
    blocks = [" ".join(choice.choices(WORDS, k=choice.randint(1, 60))) for _ in range(choice.randint(1, 12))]
    blocks.insert(1, " ".join(choice.choices(WORDS, k=choice.choice([1, 500]))))
    return choice.choice(["", "\n"]) + "\n\n".join(blocks).replace("K. ", "K.\n\n\n") + choice.choice(["", "\n\n"])


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Texts by paper id."""
    choice = random.Random(3)
    return {f"sha256:{number:064x}": made_text(choice) for number in range(7)}


@pytest.fixture(scope="module")
def store(texts: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A store with these texts; of some there was another one before, and one paper more was removed."""
    store = SqliteStore(tmp_path_factory.mktemp("store"))
    for number, (paper_id, text) in enumerate(texts.items()):
        if number % 3 == 0:
            put(store, paper_id, "An older text of the cuprate T_c, irrational.")
        put(store, paper_id, text)
    put(store, "sha256:" + "f" * 64, "temperature of the rational cuprate 6.93")
    store.remove_papers(["sha256:" + "f" * 64])
    yield store
    store.close()


def put(store: SqliteStore, paper_id: str, text: str) -> None:
    """A paper without chunks."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    store.put_paper(PaperEntry(paper_id=paper_id, title="T", source="s", text_digest=digest), text, [])


folded = functools.cache(FoldedText.of)


def scanned(text: str, pattern: str, regex: bool, **options: bool) -> list[tuple[int, int]]:
    """The hits in a text, without segments or an index."""
    if not regex:
        return list(find_literal(folded(text), pattern, **options))
    return [
        (low + start, low + end)
        for low, high in blocks_of(text)
        for start, end in find_regex(text[low:high], pattern, **options)
    ]


def found(store: SqliteStore, pattern: str, regex: bool, papers: frozenset[str] = frozenset(), **options: bool) -> Any:
    """The hits that exact search finds, as (paper id, start, end)."""
    options = {"case_sensitive": False, "whole_word": False} | options
    matcher = make_matcher(pattern, regex=regex, **options)
    said = find(store.segments(matcher.clauses, papers), matcher, take=100_000, most=100_000)
    assert not said.stopped
    assert said.total == len(said.places)
    return [(place.segment.paper_id, place.start, place.end) for place in said.places]


@pytest.mark.parametrize("options", [{}, {"case_sensitive": True}, {"whole_word": True}], ids=str)
@pytest.mark.parametrize("regex", [False, True], ids=["literals", "expressions"])
def test_hits_are_those_of_a_scan(
    store: SqliteStore, texts: dict[str, str], regex: bool, options: dict[str, bool]
) -> None:
    hits = 0
    for pattern in EXPRESSIONS if regex else LITERALS:
        if not regex and "\n\n" in pattern:
            continue
        every = found(store, pattern, regex, **options)
        assert len(set(every)) == len(every)
        for paper_id, text in texts.items():
            here = [(start, end) for paper, start, end in every if paper == paper_id]
            assert here == scanned(text, pattern, regex, **options), (pattern, paper_id)
            hits += len(here)
    assert hits > 1000


def test_random_parts_of_texts_are_found(store: SqliteStore, texts: dict[str, str]) -> None:
    choice = random.Random(8)
    for _ in range(60):
        text = choice.choice(list(texts.values()))
        at = choice.randrange(len(text))
        part = text[at : at + choice.choice([1, 2, 3, 5, 9, 40])]
        try:
            every = found(store, part, regex=False)
        except BadInputError:
            continue
        assert every == [(paper, *span) for paper, one in texts.items() for span in scanned(one, part, False)], part


def test_papers_narrow_the_search(store: SqliteStore, texts: dict[str, str]) -> None:
    some = frozenset(list(texts)[2:4])
    assert {paper for paper, _, _ in found(store, "of", False, some)} == some
    assert {paper for paper, _, _ in found(store, "temperature", False, some)} == some
    assert found(store, "temperature", False) != found(store, "temperature", False, some)


def test_the_index_is_sound_after_all_that(store: SqliteStore) -> None:
    with sqlite3.connect(store.folder / "library.db") as connection:
        assert sqlite_segments.check(connection) == []
        sqlite_segments.optimise(connection)
        assert sqlite_segments.check(connection) == []
        connection.execute("UPDATE segments SET lowered = CAST('other' AS BLOB) WHERE id = 1")
        (wrong,) = sqlite_segments.check(connection)
        assert "segment 1" in wrong
        connection.execute("DELETE FROM segment_words_data WHERE id > 100")
        (damaged,) = sqlite_segments.check(connection)
        assert "damaged" in damaged
        connection.rollback()
    connection.close()


def test_a_new_word_is_found_by_a_store_that_searched_before(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    put(store, "sha256:" + "a" * 64, "The first text.")
    assert found(store, "second", False) == []
    other = SqliteStore(tmp_path)
    put(other, "sha256:" + "b" * 64, "The second text.")
    other.close()
    assert len(found(store, "secon", False)) == 1
    store.close()


def test_libraries_in_one_place_are_not_taken_for_each_other(tmp_path: Path) -> None:
    for word in ("alpha", "omega"):
        store = SqliteStore(tmp_path)
        put(store, "sha256:" + "a" * 64, f"Here stands {word}.")
        assert len(found(store, word, False)) == 1
        store.close()
        for path in tmp_path.glob("library.db*"):
            path.unlink()


def test_segments_are_whole_blocks_and_hold_all(texts: dict[str, str]) -> None:
    for text in texts.values():
        spans = segments_of(text)
        rest = "".join(
            text[low:high] for (_, low), (high, _) in zip([(0, 0), *spans], [*spans, (len(text), 0)], strict=True)
        )
        assert set(rest) <= {"\n"}
        assert sorted({start for start, _ in spans} - {start for start, _ in blocks_of(text)}) == []
        long = [(start, end) for start, end in spans if end - start > SEGMENT_CHARS]
        assert set(long) <= set(blocks_of(text))
    assert segments_of("") == segments_of("\n\n\n") == []


def test_a_search_stops_at_its_bounds() -> None:
    segments = [Segment("sha256:" + "0" * 64, 100 * number, "one two one", b"one two one") for number in range(50)]
    matcher = make_matcher("one", regex=False, case_sensitive=False, whole_word=False)
    page = find(segments, matcher, skip=9, take=3)
    assert (page.total, page.stopped) == (100, "")
    assert [place.start for place in page.places] == [408, 500, 508]
    bounded = find(segments, matcher, skip=18, take=5, most=20)
    assert (bounded.total, bounded.stopped, len(bounded.places)) == (20, "count", 2)
    timed = find(segments, matcher, seconds=-1)
    assert (timed.total, timed.stopped) == (0, "time")


def test_a_segment_without_folded_text_is_folded() -> None:
    (place,) = find([Segment("sha256:" + "0" * 64, 7, "a T_{c} b")], make("Tc")).places
    assert (place.start, place.end) == (9, 14)


@pytest.mark.parametrize(
    ("pattern", "regex"), [("", False), ("^_", False), ("a\n\nb", False), ("(", True), ("(?=a)", True)]
)
def test_patterns_that_cannot_be_searched_for_say_why(pattern: str, regex: bool) -> None:
    with pytest.raises(BadInputError) as caught:
        make(pattern, regex=regex)
    assert caught.value.next


def make(pattern: str, regex: bool = False) -> Any:
    """A matcher with the usual options."""
    return make_matcher(pattern, regex=regex, case_sensitive=False, whole_word=False)


def test_folding_is_the_same_in_a_part_as_in_the_whole(texts: dict[str, str]) -> None:
    for text in texts.values():
        whole = FoldedText.of(text).lowered
        assert all(lowered(text[start:end]) in whole for start, end in segments_of(text))
