"""Values as people and models write them: names with words beside them, and numbers with what they count."""

from collections.abc import Callable

from pincite_papers.model import Paper
from pincite_scoring import Score

PAPER = """Saponins are old. QV-7, a fraction of soap bark, is new. We gave the saponin QV-7 with the fusion protein
TBF-3. The protein STING (stimulator of interferon genes) is its sensor. Groups: LTX-9, a toxin; FLG is flagellin; the
beads of chitosan measure 2 um. It acts through Toll-like receptor 4 (TLR4). A recombinant haemolysin was made: the
haemolysin rHB-2. A chimeric protein was made too.
QV-7 emulsion was not tested, and the anti-TBF-3 serum was a control."""

NAMES: list[tuple[str, str, bool]] = [
    # the gold's name, the answer's, whether they are one in this paper
    ("QV-7", "saponin QV-7", True),
    ("QV-7", "the saponin QV-7", True),
    ("QV-7", "QV-7 saponin", True),
    ("TBF-3", "fusion protein TBF-3", True),
    ("STING", "STING (stimulator of interferon genes)", True),
    ("STING", "stimulator of interferon genes (STING)", True),
    ("FLG", "FLG (flagellin)", True),
    ("QV-7", "QV-7, a fraction of soap bark", True),
    ("chitosan beads", "beads of chitosan", True),
    ("beads of chitosan", "chitosan beads", True),
    ("TLR4", "Toll-like receptor 4 (TLR4)", True),
    ("TLR4", "TLR4 (Toll-like receptor 4)", True),
    ("TLR4", "Toll-like receptor 4", True),
    ("rHB-2", "the recombinant haemolysin rHB-2", True),
    ("rHB-2", "the haemolysin rHB-2", True),
    ("TLR4", "Toll-like receptor 7 (TLR4)", False),
    ("TLR4", "Toll-like receptor 7", False),
    ("TLR4", "Nod-like receptor 4 (TLR4)", False),
    ("TLR4", "TLR7 (Toll-like receptor 4)", False),
    ("rHB-2", "the native haemolysin rHB-2", False),
    ("TBF-3", "the chimeric protein TBF-3", False),
    # another thing, another code, words that this paper does not print there, words that make it more than one
    ("QV-7", "QV-9", False),
    ("QV-7", "saponin", False),
    ("QV-7", "saponin QV-9", False),
    ("QV-7", "the peptide QV-7", False),
    ("QV-7", "QV-7 and LTX-9", False),
    ("QV-7", "QV-7 (LTX-9)", False),
    ("TBF-3", "anti-TBF-3 serum", False),
    ("STING", "STING agonist", False),
    ("chitosan beads", "chitosan of beads", False),
    ("chitosan beads", "chitosan", False),
    ("mouse", "old mouse", False),
]

COUNTED: list[tuple[str, str, bool]] = [
    # a concentration of magnesium in the gold (a value "Mg" of the same object) and in an answer
    ("2.4e19 cm^-3", "2.4 × 10^19 Mg atoms per cm^3", True),
    ("2.4e19 cm^-3", "2.4e19 atoms/cm³", True),
    ("2.4e19 cm^-3", "2.4e25 m^-3", True),
    ("2.0 at.%", "2.0 atomic %", True),
    ("2.0 at.%", "2 atomic percent", True),
    ("2.0 at.%", "2.0 at% Mg", True),
    ("25 µg", "25 micrograms", True),
    ("25 µg", "25 mcg per dose", True),
    ("25 µg", "25 µg each", True),
    ("300 K", "room temperature (300 K)", True),
    ("300 K", "room temperature (30 K)", False),
    ("25 µg", "25 µg per mL", False),
    ("25 µg", "25 µg/kg", False),
    ("25 µg", "0.025 milligrams", True),
    ("2.4e19 cm^-3", "2.4 × 10^19 Zn atoms per cm^3", False),
    ("2.4e19 cm^-3", "2.4e19 atoms/m³", False),
    ("2.0 at.%", "2.0 at% Zn", False),
    ("2.0 at.%", "2.0 wt%", False),
    ("25 µg", "25 milligrams", False),
]
SCHEMA = """
name = "films"
object = "One film."
[[fields]]
name = "name"
definition = "Its name."
[[fields]]
name = "amount"
definition = "How much."
kind = "number"
"""


def test_words_beside_a_name_that_the_paper_prints_there(
    scored: Callable[..., Score], paper: Callable[..., Paper]
) -> None:
    papers = {"x.pdf": paper(PAPER)}
    wrong: list[str] = []
    for gold, answer, same in NAMES:
        objects = [{"objects": [{"name": name}]} for name in (answer, gold)]
        if (scored(*objects, SCHEMA, papers).metrics["overall"] == 1) is not same:
            wrong.append(f"{gold} / {answer}")
    assert not wrong


def test_numbers_with_the_names_of_what_is_counted(scored: Callable[..., Score]) -> None:
    wrong: list[str] = []
    for gold, answer, same in COUNTED:
        objects = [{"objects": [{"name": "Mg", "amount": amount}]} for amount in (answer, gold)]
        if (scored(*objects, SCHEMA).metrics["overall"] == 1) is not same:
            wrong.append(f"{gold} / {answer}")
    assert not wrong


DOSES = """The low dose holds 12.5 ug and the high dose 25 ug of MPX; both
 hold 40 ug of the antigen FK-2. With 1.5 % MPX on
alum the mice slept. A syringe took 7 ug MPX per mL."""

DOSED: list[tuple[str, str, bool]] = [
    # doses of MPX in the gold and in an answer, where the object has the values MPX and FK-2
    ("12.5 ug", "12.5 µg of MPX", True),
    ("25 ug", "25 micrograms of MPX", True),
    ("25 ug", "0.025 mg MPX", True),
    ("1.5 %", "1.5 % MPX on alum", True),
    ("40 ug", "40 µg of the FK-2", True),
    # another number or unit, another value of the object first behind the number, what is printed nowhere, a rate
    ("12.5 ug", "25 µg of MPX", False),
    ("12.5 ug", "12.5 mg of MPX", False),
    ("12.5 ug", "12.5 µg of FK-2", False),
    ("40 ug", "40 µg of MPX", False),
    ("12.5 ug", "12.5 µg of QV-7", False),
    ("1.5 %", "1.5 % MPX on wool", False),
    ("7 ug", "7 µg MPX per mL", False),
    ("25 ug", "25 µg of MPX and FK-2", False),
]


def test_doses_with_the_name_that_the_paper_prints_behind_them(
    scored: Callable[..., Score], paper: Callable[..., Paper]
) -> None:
    schema = SCHEMA + '[[fields]]\nname = "other"\ndefinition = "Another."\n'
    wrong: list[str] = []
    for gold, answer, same in DOSED:
        objects = [{"objects": [{"name": "MPX", "amount": amount, "other": "FK-2"}]} for amount in (answer, gold)]
        if (scored(*objects, schema, {"x.pdf": paper(DOSES)}).metrics["overall"] == 1) is not same:
            wrong.append(f"{gold} / {answer}")
    assert not wrong
