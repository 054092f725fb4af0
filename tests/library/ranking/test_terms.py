"""Terms: what a text is indexed by and what a query looks for."""

import random
import re
from pathlib import Path

import pytest

from pincite_library.ranking.terms import index_terms, query_terms

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"


def indexed(text: str) -> set[str]:
    return set(index_terms(text).split())


@pytest.mark.parametrize(
    "forms",
    [
        ("T_c", "Tc", "T_{c}", "T_c."),
        ("YBa_2Cu_3O_{6.93}", "YBa2Cu3O6.93", "YBa₂Cu₃O₆.₉₃"),
        ("IL-6", "IL6", "IL–6", "il-6"),
        ("TNF-α", "TNFα", "TNF-alpha", "TNF-Α"),
        ("5 µm", "5 μm"),
        ("NaV1.7", "NaV1.7,", "(NaV1.7)"),
        ("16,419", "16419", "16\u2009419"),
        ("10.1021/jacs.1c01234", "10.1021/JACS.1C01234).", "https://doi.org/10.1021/jacs.1c01234"),
        ("1.2 × 10^{-3}", "1.2×10^-3", "1.2·10⁻³", "1.2e-3", "1.2E-03", "1.2 × 10−3", "1.2 x 10−3"),
        ("10^5", "10⁵", "1 × 10^5", "1e5"),
        (".93", "0.93"),
        ("ﬁeld", "field", "Fields"),
        ("Müller", "Muller"),
        ("superconductivity", "super-\nconductivity", "super\u00adconductivity", "super-conductivity"),
        ("m²", "m^2", "m2"),
        ("Crohn's", "Crohn’s", "Crohn"),
        ("5 Å", "5 angstrom", "5 \u212b"),
    ],
)
def test_one_thing_is_found_however_it_is_printed(forms: tuple[str, ...]) -> None:
    shared = set.intersection(*(indexed(form) for form in forms))
    for form in forms:
        assert shared & set(query_terms(form)), f"{form!r}: {index_terms(form)}"
    whole = max((query_terms(form) for form in forms), key=len)
    assert shared & set(whole)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10^2", "102"),
        ("10²", "102"),
        ("6.93", "693"),
        ("6.93", "6.9"),
        ("7732-18-5", "7732185"),
        ("10-20", "1020"),
        ("0.1", "01"),
        ("1.2e-3", "1.2e3"),
        ("10^-3", "10^3"),
        ("10.1021/a.b", "10.1021/a-b"),
        ("YBa2Cu3O6.93", "YBa2Cu3O6.9"),
        ("6.24(3)", "6.24"),
    ],
)
def test_different_things_keep_a_term_of_their_own(one: str, other: str) -> None:
    assert set(query_terms(one)) - indexed(other)


@pytest.mark.parametrize(
    "query", ["", "   ", "of the and", "what is it about?", "?!…", "AND OR NOT", "In which of them"]
)
def test_a_query_of_function_words_has_no_terms(query: str) -> None:
    assert query_terms(query) == []


@pytest.mark.parametrize(
    ("text", "term", "there"),
    [
        ("As and Sb were doped", "as", True),
        ("it behaves as a metal", "as", False),
        ("doped with In at 300 K", "in", True),
        ("a dip in the curve", "in", False),
        ("the IT sector", "it", True),
        ("It is so", "it", False),
        ("patients with AIDS", "aids", True),
        ("she aids them", "aids", False),
        ("NO reacts", "no", True),
        ("there is no reaction", "no", False),
        ("vitamin A", "a", True),
    ],
)
def test_symbols_are_told_from_function_words_by_their_capitals(text: str, term: str, there: bool) -> None:
    assert (term in indexed(text)) == there


@pytest.mark.parametrize(
    ("query", "gone"), [("In which samples", "in"), ("As the field rises", "as"), ("A of the mice", "a")]
)
def test_the_first_word_of_a_question_has_its_capital_from_its_place(query: str, gone: str) -> None:
    assert gone not in query_terms(query)
    assert gone in query_terms(f"{gone.capitalize()} doping")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("mutations of BRCA1", "brca"),
        ("cooled to 93K", "93"),
        ("NP_001234.1", "np001234"),
        ("arXiv:2101.00001v2", "2101_p00001"),
        ("TiO2/Pt", "tio2"),
        ("Bi-2212", "2212"),
        ("poly(ethylene)glycol", "glycol"),
        ("cells^{12}", "cell"),
        ("TNFα", "tnf"),
        ("p27^{Kip1−/−} mice", "kip1"),
        ("T_{max}", "max"),
        ("US$3,000.00", "000_p00"),
        ("La2-xSrxCuO4 and La1.85Sr0.15CuO4", "_fculaosr"),
    ],
)
def test_parts_of_what_is_compound_are_terms_too(text: str, part: str) -> None:
    assert part in indexed(text)


def test_words_are_found_by_their_stems() -> None:
    assert query_terms("superconducting transitions measured") == query_terms("Superconductive transition measures")


def test_scripts_without_spaces_are_found_by_pairs_of_signs() -> None:
    text = indexed("高温超伝導体の研究")
    assert set(query_terms("超伝導")) <= text
    assert query_terms("伝")[0] in text
    assert not set(query_terms("超音")) <= text
    assert set(query_terms("Высокотемпературная")) <= indexed("Высокотемпературная сверхпроводимость")


def test_every_term_is_one_token_of_any_tokenizer() -> None:
    text = (
        "αβγ 超伝導 naïve İstanbul ǅ ½ Ⅷ 𝛼 𠀀 x̂ ½₃ 10.1016/S0140-6736(20)30183-5;x "
        + "a" * 90
        + " "
        + "1.2" * 50
        + " émigré-été/œuvre"
    )
    for term in index_terms(text).split(" "):
        assert re.fullmatch("[a-z0-9_]{1,39}", term), term
    longer = ["a" * 90, "a" * 89 + "b"]
    assert query_terms(longer[0]) != query_terms(longer[1])


@pytest.mark.parametrize(
    "text", ["(" * 20_000, "a(" * 10_000, "1." * 20_000, "a-" * 20_000, "10^" * 9_000, "α" * 30_000]
)
def test_hostile_text_takes_linear_time(text: str) -> None:
    assert index_terms(text + " end").endswith("end") or "end" in indexed(text + " end")


@pytest.mark.parametrize("seed", range(4))
def test_the_terms_of_a_token_made_at_random_are_among_those_of_its_text(seed: int) -> None:
    rng = random.Random(seed)
    pieces = [
        "IL",
        "6",
        "Na",
        "V",
        ".",
        "-",
        "/",
        "1.7",
        "α",
        "^",
        "_",
        "{",
        "}",
        "O",
        "é",
        "超",
        "(",
        ")",
        "e",
        "x",
        ",",
        "'",
        "10",
        "·",
        "−",
        "As",
        "in",
    ]
    for _ in range(2_000):
        token = "".join(rng.choice(pieces) for _ in range(rng.randint(1, 7)))
        if token.startswith((".", "'", "(", ",", "^", "-", "−", "·")) or "," in token:
            continue
        text = f"Measured in samples of {token} and later the results"
        assert set(query_terms(token)) <= indexed(text), token


def test_the_terms_of_tokens_of_real_papers_are_among_those_of_their_text() -> None:
    files = sorted((SHARED / "sofc-exp").rglob("*.txt"))
    if not files:
        pytest.skip("the shared texts are not here")
    checked = 0
    for file in files[:6]:
        text = file.read_text()
        for start in range(0, len(text), 4_000):
            page = text[start : start + 4_000]
            found = indexed(page)
            for token in re.findall(r"(?<=\s)\S*\d\S*(?=\s)", page):
                bare = token.strip(".,;:()[]{}'\"’“”-–−^·•~<>=±×*/+")
                if bare.count("(") != bare.count(")") or bare.count("[") != bare.count("]"):
                    continue
                assert set(query_terms(bare)) <= found, (bare, query_terms(bare))
                checked += 1
    assert checked > 1_000
