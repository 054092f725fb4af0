"""Clauses of patterns: what must stand in a match, never more."""

import random

import pytest

from pincite_core.errors import BadInputError
from pincite_core.patterns import find_regex
from pincite_library.grep.clauses import regex_clauses
from pincite_library.segments import lowered

CLAUSES = {
    r"temperature of \d+": [{"temperature of "}],
    r"[Ee]mbryos? at (day|stage) \d": [{"embryo at day ", "embryo at stage ", "embryos at day ", "embryos at stage "}],
    r"mice (were|was) \w+ed": [{"mice was ", "mice were "}, {"ed"}],
    r"(foo|bar)+baz": [{"foo", "bar"}, {"baz"}],
    r"(foo\d|bar+)baz": [{"foo", "ba"}, {"baz"}],
    r"foo.*bar": [{"foo"}, {"bar"}],
    r"a{3}bcd": [{"aaabcd"}],
    r"(?:abc){2,}": [{"abcabc"}],
    r"abc?d": [{"abcd", "abd"}],
    r"(?i)T_c\s*=": [{"tc"}],
    r"\QA+B\E-c": [{"a+b-c"}],
    r"[[:alpha:]]+ion\b": [{"ion"}],
    "10\\^\\{?[-\u2212]3": [{"10-3"}],
    r"(?P<n>abc)(?-i:D)|abx": [{"abcd", "abx"}],
    "Å3 \u2013 µm": [{"å3 - \u03bcm"}],
    r"x{2}y{0,1}": [{"xx", "xxy"}],
    r"\(a\|b\)": [{"(a|b)"}],
}


@pytest.mark.parametrize("pattern", CLAUSES)
def test_clauses_are_read_off_a_pattern(pattern: str) -> None:
    list(find_regex("", pattern))
    assert sorted(map(sorted, regex_clauses(pattern))) == sorted(map(sorted, CLAUSES[pattern]))


@pytest.mark.parametrize(
    "pattern", [r"\d+ K", "x*", "[^a]+", "(foo|)", r"\pL{4}", "a|bcd", r"(?:foo)*", r"\x{41}BC?", "ι"]
)
def test_a_pattern_without_a_sure_text_has_no_long_clause(pattern: str) -> None:
    list(find_regex("", pattern))
    assert all(min(map(len, clause)) < 3 for clause in regex_clauses(pattern))


def test_deep_nesting_ends() -> None:
    assert regex_clauses("(" * 400 + "abc" + ")" * 400) == ()
    assert regex_clauses("(" * 30 + "abc" + ")" * 30) == (("abc",),)


def test_random_patterns_never_lose_a_match() -> None:
    choice = random.Random(5)
    matched = 0
    for _ in range(400):
        pattern, sensitive = made_pattern(choice, 3), choice.random() < 0.5
        clauses = regex_clauses(pattern)
        for text in ("".join(choice.choices(ALPHABET, k=60)) for _ in range(5)):
            try:
                found = list(find_regex(text, pattern, case_sensitive=sensitive))
            except BadInputError:
                break
            matched += len(found)
            for start, end in found:
                for clause in clauses:
                    assert any(part in lowered(text) for part in clause), (pattern, clauses, text[start:end])
    assert matched > 1000


ALPHABET = [
    *"abcABC  .^_-",
    "\u2212",
    "\u2013",
    "\u017f",
    "\u212a",
    "k",
    "s",
    "θ",
    "\u03d1",
    "Σ",
    "ς",
    "β",
    "µ",
    "\u03bc",
]
ATOMS = [*"abcABCks-", " ", ".", r"\.", "_", r"\^", r"\d", r"\w", r"\s", "[ab]", "[^a]", "[a-c]", "[A-Z]", "σ", "θ"]
ATOMS += ["\u2212", "(?i)", r"\b", "^", "$", r"\Qa.\E", r"\pL", "[[:alpha:]]", r"[\w.]", "µ", "β", "K", "ſ", "[-a]"]


def made_pattern(choice: random.Random, depth: int) -> str:
    """A random pattern of atoms, repetitions, groups and alternations; not all of them are valid."""
    parts: list[str] = []
    for _ in range(choice.randint(1, 4)):
        kind = choice.random()
        if kind < 0.25 and depth:
            opening = choice.choice(["(", "(?:", "(?P<n>" if depth == 3 else "(", "(?i:"])
            part = opening + made_pattern(choice, depth - 1) + ")"
        else:
            part = choice.choice(ATOMS)
        if choice.random() < 0.3:
            part += choice.choice(["*", "+", "?", "{2}", "{1,2}", "{2,}", "+?", "{0}", "??"])
        parts.append(part)
    text = "".join(parts)
    return text if choice.random() < 0.7 or not depth else f"{text}|{made_pattern(choice, depth - 1)}"


def test_every_letter_that_a_pattern_may_hold_folds_as_what_it_matches() -> None:
    cased = [c for c in map(chr, range(0x20, 0x11000)) if not c.lower() == c.upper() == c]
    letters = [c for c in cased if ord(c) < 0x2130]
    steady = [letter for letter in letters if regex_clauses(f"{letter}xy")[0][0] != "xy"]
    assert set("abcdefghijklmnopqrstuvwxyzABCKSåéüßαβγμΩΣ") <= set(steady)
    everything = "".join(cased)
    for letter in steady:
        for start, end in find_regex(everything, letter):
            assert lowered(everything[start:end]) == lowered(letter), (letter, everything[start:end])
