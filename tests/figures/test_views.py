import random
from fractions import Fraction

import pytest

from pincite_core.errors import BadInputError
from pincite_figures.views import View, read_box, read_view, write_box


def box(rng: random.Random, digits: int) -> str:
    x0, x1 = sorted(rng.sample(range(10**digits + 1), 2))
    y0, y1 = sorted(rng.sample(range(10**digits + 1), 2))
    return ",".join(f"{value / 10**digits:.{digits}f}" for value in (x0, y0, x1, y1))


def test_a_name_reads_back_as_the_same_view() -> None:
    rng = random.Random(1)
    for _ in range(200):
        view = View("Fig. 2")
        for _ in range(rng.randrange(5)):
            view = view.zoom(read_box(box(rng, rng.randrange(1, 10))))
        assert read_view("Fig. 2", view.name) == view


def test_a_name_shows_the_steps_as_they_were_given() -> None:
    view = View("Fig. 2").zoom(read_box("0.25, 0.10, 0.60, 0.40")).zoom(read_box("[0 0 1 0.5]"))
    assert view.name == "Fig. 2 > 0.25,0.1,0.6,0.4 > 0,0,1,0.5"


def test_a_zoom_of_a_zoom_is_the_direct_box_exactly() -> None:
    rng = random.Random(2)
    for _ in range(500):
        outer, inner = read_box(box(rng, 4)), read_box(box(rng, 4))
        nested = View("f").zoom(outer).zoom(inner).region
        width, height = outer[2] - outer[0], outer[3] - outer[1]
        direct = (
            outer[0] + inner[0] * width,
            outer[1] + inner[1] * height,
            outer[0] + inner[2] * width,
            outer[1] + inner[3] * height,
        )
        assert nested == direct
        assert View("f").zoom(read_box(",".join(str(float(edge)) for edge in direct))).region == nested


def test_numbers_are_read_to_nine_decimals() -> None:
    assert read_box("0.30000000000000004,0,1e0,5E-1") == (Fraction(3, 10), 0, 1, Fraction(1, 2))
    assert write_box(read_box("0.123456789123,0,1,1")) == "0.123456789,0,1,1"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "four numbers"),
        ("0,0,1", "four numbers"),
        ("a,b,c,d", "four numbers"),
        ("nan,0,1,1", "four numbers"),
        ("inf,0,1,1", "four numbers"),
        ("1e999999999,0,1,1", "from 0 to 1"),
        ("0,0,100,100", "from 0 to 1"),
        ("-0.1,0,1,1", "from 0 to 1"),
        ("0.5,0,0.5,1", "empty"),
        ("0.6,0,0.5,1", "empty"),
        ("0,0,0.0000000001,1", "empty"),
    ],
)
def test_what_is_no_box_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(BadInputError) as caught:
        read_box(text)
    assert why in caught.value.seen
    assert "0,0,0.5,0.5" in caught.value.next


def test_views_have_an_end() -> None:
    view = View("f")
    for _ in range(12):
        view = view.zoom(read_box("0,0,0.9,0.9"))
    with pytest.raises(BadInputError):
        view.zoom(read_box("0,0,0.9,0.9"))
    with pytest.raises(BadInputError):
        read_view("f", view.name + " > 0,0,0.9,0.9")
