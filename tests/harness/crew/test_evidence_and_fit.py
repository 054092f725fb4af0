"""Evidence that stands or not, and texts that fit or not."""

from typing import Any

import pytest


def test_a_quote_that_does_not_stand_caps_its_candidate(crew: Any, program: Any) -> None:
    evidence = program("crew.evidence")
    page = crew.Data(
        "[pc:3f9a0c1d#p4:10-20] The onset of T\u2212Phase\nis [pc:3f9a0c1d#p4:21-30] \u201c92 K\u201d.", "p. 4"
    )
    rows = [
        ("onset of t-phase is", True),
        ('IS "92 K".', True),
        ("93 K", False),
        ("", False),
        ("3f9a0c1d", False),
    ]
    wrong = [quote for quote, stands in rows if evidence.check(quote, 4, page).stands is not stands]
    assert not wrong
    assert evidence.capped(0.9, evidence.check("93 K", 4, page)) == 0.3
    assert evidence.capped(0.9, evidence.check("92 K", 4, page)) == 0.9
    assert evidence.capped(0.9, evidence.Evidence("93 K", 4)) == 0.9
    assert evidence.check("92 K", 4, page).record() == {"quote": "92 K", "page": 4}


def test_a_quote_has_offsets_where_its_block_was_shown_letter_for_letter(crew: Any, program: Any) -> None:
    check = program("crew.evidence").check
    page = crew.Data("[pc:3f9a0c1d#p4:10-32] Tin melts at 505 kelvin\n\n[pc:3f9a0c1d#p4:40-60] Lead | 601 K", "p. 4")
    assert check("melts at 505", 4, page).record() == {"quote": "melts at 505", "page": 4}, "one letter too many"
    page = crew.Data(page.text.replace("10-32", "10-33"), "p. 4")
    assert check("melts at 505", 4, page).record() == {"quote": "melts at 505", "page": 4, "start": 14, "end": 26}
    for quote in ("MELTS at 505", "601 K", "e"):  # folded, a composed table, several places
        assert check(quote, 4, page).stands and "start" not in check(quote, 4, page).record(), quote


def test_texts_fit_by_a_stated_policy(crew: Any, program: Any) -> None:
    tokens = program("context_fit").tokens
    texts = [crew.Data("a" * 400, "a"), crew.Data("b" * 4000, "b"), crew.Data("c" * 4000, "c")]
    assert [tokens("a" * 400), tokens("\u6f22" * 3)] == [100, 2]
    assert crew.fit(texts, 2100).parts == tuple(texts)
    with pytest.raises(ValueError, match="about 2100 tokens, and there is room for 600"):
        crew.fit(texts, 600)
    assert crew.fit(texts, 600, "cut").shown == (100, 500, 0)
    shared = crew.fit(texts, 600, "share")
    assert (shared.shown, shared.whole) == ((100, 250, 250), (100, 1000, 1000))
    assert all(tokens(part.text) <= 250 for part in shared.parts)
    assert shared.parts[1].source == "b; only the first 250 of about 1000 tokens"
