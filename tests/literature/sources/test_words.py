"""Queries taken apart, names of authors, queries in a source's own language, offsets."""

import pytest

from pincite_core.errors import BadInputError
from pincite_literature.sources.offset import offset_of
from pincite_literature.sources.query_words import MOST_CHARS, Term, checked_query, person_of, terms_of, words_of


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("kinase inhibitors", [Term("kinase"), Term("inhibitors")]),
        ('"heat shock" protein', [Term("heat shock", phrase=True), Term("protein")]),
        ("“heat  shock” protein", [Term("heat shock", phrase=True), Term("protein")]),
        ('odd "quote', [Term("odd"), Term("quote")]),
        ('""', None),
        ("cells AND mice OR rats not men", [Term("cells"), Term("mice"), Term("rats"), Term("men")]),
        ('"cells AND mice"', [Term("cells AND mice", phrase=True)]),
        ("What is the role of tau?", [Term("role"), Term("tau")]),
        ("the of and", [Term("the"), Term("of")]),
        ("AND", [Term("AND", phrase=True)]),
        ("vitamin D, (25-OH)", [Term("vitamin"), Term("D"), Term("(25-OH)")]),
        ("YBa2Cu3O7-δ, Tc > 90 K", [Term("YBa2Cu3O7-δ"), Term("Tc"), Term("90"), Term("K")]),
        ("zero\u200bwidth", [Term("zerowidth")]),
        ("--- !!! ***", None),
        ("量子 コンピュータ", [Term("量子"), Term("コンピュータ")]),
        ("a\tb\nc", [Term("b"), Term("c")]),
    ],
)
def test_terms(text: str, terms: list[Term] | None) -> None:
    if terms is None:
        with pytest.raises(BadInputError, match="empty"):
            terms_of(text)
    else:
        assert list(terms_of(text)) == terms


def test_a_query_has_an_end() -> None:
    assert terms_of("x " * (MOST_CHARS // 2))
    with pytest.raises(BadInputError, match="too long"):
        terms_of("x" * (MOST_CHARS + 1))


@pytest.mark.parametrize(
    ("name", "person"),
    [
        ("Ada Lovelace", ("Lovelace", "A")),
        ("Ada M. Lovelace", ("Lovelace", "AM")),
        ("Lovelace, Ada M.", ("Lovelace", "AM")),
        ("Lovelace AM", ("Lovelace", "AM")),
        ("Lovelace", ("Lovelace", "")),
        ("Johannes D. van der Waals", ("van der Waals", "JD")),
        ("van der Waals, J.", ("van der Waals", "J")),
        ("", ("", "")),
        (",", ("", "")),
        ("王 小云", ("小云", "王")),
    ],
)
def test_persons(name: str, person: tuple[str, str]) -> None:
    assert person_of(name) == person


def test_words_of_a_filter() -> None:
    assert words_of('"Phys. Rev. B" & more!') == ("Phys.", "Rev.", "B", "more")
    assert words_of("  ") == ()


@pytest.mark.parametrize("text", ["a[ti] AND (b OR c)", '"a) b" OR c', "a\\(b\\)", "a\n b"])
def test_own_languages_pass_as_they_are(text: str) -> None:
    assert checked_query(text, source="PubMed") == " ".join(text.split())


@pytest.mark.parametrize(
    "text",
    [
        "a) OR (b",
        "(a",
        "a)",
        '"a',
        'TITLE:"x \\" y" (z)',
        '"a\\" ) OR (b"',
        "a\\",
        "x[ti",
        "d:[1 TO",
        '("a)',
        "((a) OR (b)",
    ],
)
def test_what_could_leave_its_parentheses(text: str) -> None:
    with pytest.raises(BadInputError, match="does not close"):
        checked_query(text, source="PubMed")


@pytest.mark.parametrize("text", ["", "  ", "()", '""', "???"])
def test_empty_queries_of_own_languages(text: str) -> None:
    with pytest.raises(BadInputError, match="empty"):
        checked_query(text, source="PubMed")


def test_offsets() -> None:
    assert offset_of(None, "PubMed") == 0
    assert offset_of("0", "PubMed") == 0
    assert offset_of("250", "PubMed") == 250
    for cursor in ("", "-1", "1.5", "x", "٣", "9" * 12):
        with pytest.raises(BadInputError, match="was not given by PubMed"):
            offset_of(cursor, "PubMed")
