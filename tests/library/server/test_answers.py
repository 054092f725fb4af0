"""What of an answer is looked up in its evidence."""

import pytest

from pincite_library.tools.answers import missing_numbers, missing_quotes, numbers_in


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("T_c is 92.5 K.", ["92.5"]),
        ("It was 6.24(3) at -5.2 \u00b0C and 1.5\u20132.5 h.", ["6.24", "3", "5.2", "1.5", "2.5"]),
        ("1,000 of 12,345.6 and 3,4-dimethyl", ["1,000", "12,345.6", "3", "4"]),
        ("10^5, 3 \u00d7 10^-4, 5%, 92K, .5", ["10", "5", "3", "10", "4", "5", "92", ".5"]),
        ("YBa2Cu3O6.93 and H2O and BRCA1", []),
        ("as said [3, 5\u20137] in pc:3f9a0c1d#p4:1021-1088 and 10.1234/a.12", []),
        ("1. First it was 7.\n2) Then 8.", ["7", "8"]),
    ],
)
def test_numbers_of_an_answer(answer: str, numbers: list[str]) -> None:
    found = numbers_in(answer)
    assert [number for number, _ in found] == numbers
    assert all(answer[at:].startswith(number) for number, at in found)


@pytest.mark.parametrize(
    ("answer", "text", "missing"),
    [
        ("92.50 K", "near 92.5 K", []),
        ("92.5 K", "near 92.6 K", ["92.5"]),
        ("1000 and 1,000", "of 1,000", []),
        ("5 and 5 and 6", "four", ["5", "6"]),
        ("0.10 meV", "O6.93 and .1", []),
        ("6.93", "YBa2Cu3O6.93", []),
    ],
)
def test_numbers_that_no_text_has(answer: str, text: str, missing: list[str]) -> None:
    assert [one.written for one in missing_numbers(answer, [text])] == missing


def test_quotes_that_no_text_has() -> None:
    texts = ["The T_c\u2011value was \u201chigh\u201d\nand the gap is small."]
    answer = 'They say "the Tc-value was", \u201cand the gap is small.\u201d and "two words" but "the gap is large".'
    (missing,) = missing_quotes(answer, texts)
    assert missing.written == "the gap is large"
    assert "but" in missing.around
