"""Names of authors as sources spell them."""

import pytest

from pincite_literature.model import Author
from pincite_literature.names import agreement, read_name, same_name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Author("Ada M. Lovelace", "Lovelace", "Ada M."), Author("Lovelace AM", "Lovelace", "AM")),
        (Author("Ada Lovelace"), Author("A. M. Lovelace")),
        (Author("Jürgen Müller", "Müller", "Jürgen"), Author("Juergen Mueller")),
        (Author("Jürgen Müller"), Author("J Muller")),
        (Author("María García-López", "García-López", "María"), Author("M. Garcia Lopez")),
        (Author("J. D. van der Waals", "van der Waals", "J. D."), Author("Johannes Diderik Van Der Waals")),
        (Author("Wei Zhang", "Zhang", "Wei"), Author("Zhang Wei")),
        (Author("Łukasz Øster", "Øster", "Łukasz"), Author("L. Oster")),
        (Author("Sean O'Brien"), Author("S. O’Brien")),
        (Author("ADA LOVELACE"), Author("Ada Lovelace")),
        (Author("Robert Brown Jr."), Author("R. Brown")),
        (Author("Plato"), Author("Plato")),
    ],
)  # fmt: skip
def test_spellings_of_one_name_agree(one: Author, other: Author) -> None:
    assert same_name(read_name(one), read_name(other))
    assert same_name(read_name(other), read_name(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Author("Ada Lovelace"), Author("Grace Lovelace")),
        (Author("Ada Lovelace"), Author("Ada Hopper", "Hopper", "Ada")),
        (Author("W. Zhang"), Author("L. Zhang")),
        (Author("J. van der Waals", "van der Waals", "J."), Author("J. van der Berg", "van der Berg", "J.")),
        (Author(""), Author("")),
        (Author("^ (x)", "^", "(x)"), Author("^ $", "^", "$")),
    ],
)
def test_other_names_do_not(one: Author, other: Author) -> None:
    assert not same_name(read_name(one), read_name(other))


def test_agreement_is_a_part_of_the_shorter_list() -> None:
    three = [read_name(Author(name)) for name in ("Ada Lovelace", "Emmy Noether", "Grace Hopper")]
    assert agreement(three, three[:1]) == 1.0
    assert agreement(three, [read_name(Author("E. Noether")), read_name(Author("Kurt Gödel"))]) == 0.5
    assert agreement(three, []) is None
    collaboration = [read_name(Author("ATLAS Collaboration"))]
    assert agreement(collaboration, three) == 0.0
    assert agreement(collaboration, three * 4) == 1.0
