"""Evidence: the quote stands on its page, and the value stands in the quote."""

from collections.abc import Callable
from typing import Any

import pytest

from pincite_papers.model import Paper
from pincite_scoring.property_extraction.evidence import Library, value_in_quote
from pincite_scoring.property_extraction.records import Record

ONE = "The transition of YBa2Cu3O6.93 is at T_c = 93(1) K, and the resis- tivity is 1.2 × 10^-3 Ω cm. It runs on "
TWO = (
    "to the second page, where ξ_{ab} = 1.6 nm.\n\n0.05\t3.8202(3)\t–\t93.4\n\nThe efficient flow is “fine” – see x−y."
)


@pytest.fixture
def library(paper: Callable[..., Paper]) -> Library:
    return Library({"one.pdf": paper(ONE, TWO)})


@pytest.mark.parametrize(
    ("quote", "page", "standing"),
    [
        ("The transition of YBa2Cu3O6.93 is at T_c = 93(1) K", 1, "verified"),
        ("The transition of YBa2Cu3O6.93 is at Tc = 93(1) K", 1, "verified"),
        ("the transition of YBa2Cu3O6.93", 1, "absent"),
        ("The  transition\nof YBa2 Cu3 O6.93", 1, "verified"),
        ("The transition of YBa₂Cu₃O₆.₉₃ is at T_{c} = 93(1) K", 1, "verified"),
        ("the resistivity is 1.2 × 10⁻³ Ω cm", 1, "verified"),
        ("the resis-tivity is 1.2 x 10−3 \u2126 cm.", 1, "verified"),
        ("the resistivity is 1.3 × 10^-3 Ω cm", 1, "absent"),
        ("the resistivity is 1.2 × 10^3 Ω cm", 1, "absent"),
        ("The transition of YBa2Cu3O6.93", 2, "wrong_page"),
        ("The transition of YBa2Cu3O6.93", 3, "wrong_page"),
        ("something else entirely", 3, "no_such_page"),
        ("It runs on to the second page", 1, "verified"),
        ("It runs on to the second page", 2, "verified"),
        ("to the second page", 1, "wrong_page"),
        ("It runs on", 2, "wrong_page"),
        ("where ξ_ab = 1.6 nm", 2, "verified"),
        ("0.05 3.8202(3) – 93.4", 2, "verified"),
        ("0.05\t3.8202(3)\t—\t93.4", 2, "verified"),
        ('The eﬃcient ﬂow is "fine" - see x-y', 2, "verified"),
        ("The efficient flow is 'fine'", 2, "absent"),
        ("93 K ... 1.6 nm", 1, "absent"),
        ("", 1, "no_quote"),
        ("K", 1, "absent"),
    ],
)
def test_standing(record: Callable[..., Record], library: Library, quote: str, page: int, standing: str) -> None:
    found = record(page=page, evidence=quote or " ")
    assert library.standing(found) == standing


def test_the_second_of_two_occurrences_counts(record: Callable[..., Record], paper: Callable[..., Paper]) -> None:
    library = Library({"one.pdf": paper("Tc is 93 K. ", "Nothing here. ", "Tc is 93 K.")})
    standings = [library.standing(record(page=page, evidence="Tc is 93 K.")) for page in (1, 2, 3)]
    assert standings == ["verified", "wrong_page", "verified"]


def test_several_papers(record: Callable[..., Record], paper: Callable[..., Paper], raw: Callable[..., Any]) -> None:
    library = Library({"one.pdf": paper("Tc is 93 K."), "two.pdf": paper("Tc is 39 K.")})
    assert library.standing(record(evidence="Tc is 39 K.")) == "verified"
    named = raw(evidence="Tc is 39 K.")
    named["location"]["paper"] = "one.pdf"
    assert library.standing(Record.model_validate(named)) == "absent"
    assert Library({}).standing(record(evidence="Tc is 39 K.")) == "absent"


@pytest.mark.parametrize(
    ("value", "unit", "quote", "held"),
    [
        ("93", "K", "Tc is 93(1) K", True),
        ("93.0", "K", "Tc is 93 K", True),
        ("1.2e-3", "Ω cm", "a resistivity of 1.2 × 10^-3 Ω cm", True),
        ("1.2 × 10⁻³", "", "0.0012", True),
        ("-5", "K", "Θ = −5 K", True),
        ("5", "K", "Θ = −5 K", False),
        ("93", "K", "Tc is 193 K", False),
        ("93", "K", "Tc is 9.3 K", False),
        ("3", "", "YBa2Cu3O7", False),
        ("1.2–1.5", "GPa", "from 1.2 to 1.5 GPa", True),
        ("1.2–1.5", "GPa", "at 1.2 GPa", False),
        ("12,345", "Oe", "12345 Oe", True),
        ("1.7", "10^20 cm^-3", "0.05\t1.7\t–", True),
        ("0.382", "nm", "a = 3.82 Å", False),
        ("tetragonal", "", "The crystal is Tetragonal.", True),
        ("tetragonal", "", "The crystal is cubic.", False),
        ("type-II", "", "a type II superconductor", True),
        ("P6_3/mmc", "", "space group P6₃/mmc", True),
        ("P63/mmc", "", "space group P 6_3/m m c", True),
        ("Fm-3m", "", "space group Fm3̅m", True),
        ("Fm-3m", "", "space group Pm-3m", False),
    ],
)
def test_value_in_quote(record: Callable[..., Record], value: str, unit: str, quote: str, held: bool) -> None:
    assert value_in_quote(record(value=value, unit=unit, evidence=quote)) is held


def test_a_quote_from_a_typeset_paper(record: Callable[..., Record]) -> None:
    """Set, parsed and quoted again in the plain way that a person types."""
    import typst

    from pincite_papers.pdf.parse import parse_pdf

    source = """#set page(width: 12cm, height: 8cm)
The critical temperature $T_c$ of YBa#sub[2]Cu#sub[3]O#sub[6.93] is 93.0(5) K.
#pagebreak()
The carrier density is $1.7 times 10^20$ cm#super[−3]."""
    paper = parse_pdf(typst.compile(source.encode(), format="pdf"), max_pages=5)
    library = Library({"p.pdf": paper})
    first = record(value="93.0(5)", evidence="of YBa2Cu3O6.93 is 93.0(5) K.", page=1)
    second = record(value="1.7e20", unit="cm^-3", evidence="The carrier density is 1.7 × 10^20 cm^-3.", page=2)
    assert library.standing(first) == "verified" and value_in_quote(first)
    assert library.standing(second) == "verified" and value_in_quote(second)
    assert library.standing(second.model_copy(update={"location": first.location})) == "verified"
