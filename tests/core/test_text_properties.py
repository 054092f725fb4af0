"""What holds of locators and of search for every text, not only for those that somebody thought of."""

import re
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from pincite_core.errors import BadInputError
from pincite_core.locator import ShortLocator, parse_locator
from pincite_core.patterns import FoldedText, find_literal, find_regex

DIGITS = st.text("0123456789abcdef", min_size=8, max_size=8)
PRINT = st.text(
    st.one_of(
        st.sampled_from("aAbΣσςİKſµ0159.,;- −–\u00ad\n^_{}‘’“”°±\u2009\U0001d447"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=60,
)


@given(DIGITS, st.one_of(st.none(), st.integers(1, 10**6)), st.integers(0, 10**9), st.integers(0, 10**6))
def test_a_locator_reads_back_as_it_was_written(digits: str, page: int | None, start: int, length: int) -> None:
    locator = ShortLocator(paper_prefix=digits, page=page, start=start, end=start + length)
    assert parse_locator(str(locator)) == locator


@given(st.one_of(PRINT, st.from_regex(r"pc:[0-9a-f]{7,9}#?(p-?\d{1,3}:)?\d{0,4}-?\d{0,4}", fullmatch=True)))
def test_any_other_text_is_refused_or_read_whole(text: str) -> None:
    try:
        read = parse_locator(text)
    except BadInputError:
        return
    assert re.sub(r"(?<=[-#:])0+(?=\d)", "", text.strip()) == str(read)
    assert read.start <= read.end


@given(PRINT)
def test_folded_characters_stand_for_characters_of_the_text_in_order(text: str) -> None:
    folded = FoldedText.of(text)
    offsets = [int(offset) for offset in folded.offsets]
    assert len(folded.folded) == len(folded.lowered) == len(offsets)
    assert offsets == sorted(set(offsets))
    assert all(0 <= offset < len(text) for offset in offsets)


@given(PRINT, PRINT, PRINT)
@example("x", "İ", "")
@example("", "10^5", "K")
def test_what_stands_in_a_text_is_found_where_it_stands(before: str, wanted: str, after: str) -> None:
    text = before + "¦" + wanted + "¦" + after
    marks = any(character in "^_{}" for character in wanted)
    if marks or not FoldedText.of(wanted).folded.strip() or "\n" in wanted:
        return
    spans = list(find_literal(FoldedText.of(text), wanted, case_sensitive=True))
    place = len(before) + 1
    found_here = [(start, end) for start, end in spans if place <= start and end <= place + len(wanted)]
    overlapped = any(start < place < end for start, end in spans)
    assert found_here or overlapped
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(one[1] <= following[0] for one, following in pairwise(spans))


@given(st.text("abc01 .", max_size=40), st.text("abc01.", min_size=1, max_size=3))
def test_a_literal_as_a_pattern_matches_what_the_standard_library_matches(text: str, literal: str) -> None:
    expected = [match.span() for match in re.finditer(re.escape(literal), text)]
    assert list(find_regex(text, re.escape(literal), case_sensitive=True)) == expected
