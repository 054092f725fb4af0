"""Sentences parted into clauses: each number with the clause it stands in, and the subject of that clause."""

from pincite_provenance.claims.clauses import clauses_of

CASES: tuple[tuple[str, str, str, str], ...] = (
    # A sentence, a number of it, the words that its clause begins with, and those of its subject.
    (
        "The open voltage fell by 1% in a year, whereas the current density fell by 40%.",
        "40",
        "the current",
        "the current",
    ),
    ("The peak power is 610 mW at 500 °C, and increases to 802 mW at 550 °C.", "802", "increases", "The peak power"),
    ("The strain was 11% at first and the stress reached 30 MPa.", "30", "the stress", "the stress"),
    ("Sixty parts were sequenced, representing 25 genes.", "25", "representing", "Sixty parts"),
    ("In mice fed with corn, the weight was 31 g.", "31", "In mice", "In mice"),
    ("The values obtained for A and B were 12 and 15 nm.", "15", "The values", "The values"),
    ("The levels of protein, sugar and fat were 3, 4 and 5 g.", "5 g", "The levels", "The levels"),
    ("Growth stopped; the colony held 80 cells.", "80", "the colony", "the colony"),
)


def test_a_number_has_its_clause_and_its_subject() -> None:
    wrong: list[tuple[str, str, str]] = []
    for text, number, begins, subject in CASES:
        clause = clauses_of(text).of(text.rindex(number))
        parts = (text[clause.start : clause.end].strip(), text[slice(*clause.subject)].strip())
        if not parts[0].startswith(begins) or not parts[1].startswith(subject):
            wrong.append((text, *parts))
    assert wrong == []
