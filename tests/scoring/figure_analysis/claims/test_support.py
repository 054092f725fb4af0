"""Numbers that an answer may say: given, or following from one column of a table; all others are without support."""

from pincite_scoring.figure_analysis.claims.model import Claim, Claims
from pincite_scoring.figure_analysis.claims.reading import read_answer
from pincite_scoring.figure_analysis.claims.support import Support

TABLE = {"t.csv": "Site,Mass before (kg),Mass after (kg)\nNorth,410,880\nSouth,300 (12),210\n"}
NOTHING = Claims(claims=[Claim(text="nothing")])
SUPPORTED: list[tuple[str, list[str]]] = [
    ("It rose to 880 kg.", []),
    ("It rose to 890 kg.", ["890 kg"]),
    ("The spread is 12 kg.", []),
    # differences, ratios and changes in percent within one column: 410 and 300, 880 and 210
    ("North began 110 kg above South.", []),
    ("North ends 4.2 times above South.", []),
    ("South begins 27 % below North.", []),
    ("South begins 37 % above North.", []),
    ("South begins 31 % below North.", ["31 %"]),
    # and between columns of one kind, in a row
    ("South fell by 30 % on the reef.", []),
    ("South fell by 32 % on the reef.", ["32 %"]),
    ("It is about 875 kg.", []),
    ("It is about 800 kg.", ["800 kg"]),
    ("It stays below 900 kg.", ["900 kg"]),
    # what counts, names or dates
    ("Table 7 shows both of the 4 banks since 2015 (n = 88).", []),
    ("It took three weeks, and five of seven divers agreed.", []),
    ("It fell by seven points.", ["seven points"]),
    ("The paper says 37.5 °C.", []),
    ("It was lowest on day 12.", []),
    ("It was lowest on day 9.", ["9"]),
]


def without_support(answer: str) -> list[str]:
    """The numbers of an answer that neither the table nor the paper gives, as printed."""
    support = Support([], [], TABLE, lambda: ["It was kept at 37.5 °C."])
    foreign = support.foreign(read_answer(answer, NOTHING))
    return [number.printed for _, number in foreign if not support.prints(number)]


def test_numbers_without_support() -> None:
    wrong = [
        f"{answer}: {found}, not {expected}"
        for answer, expected in SUPPORTED
        if (found := without_support(answer)) != expected
    ]
    assert not wrong, "\n".join(wrong)
