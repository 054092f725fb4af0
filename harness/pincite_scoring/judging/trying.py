"""Small questions that are put to a judge before anything is judged: whether it answers as it should, and sees."""

import io
from pathlib import Path

from pincite_scoring.judging.judge import Item, Question, Rubric
from pincite_scoring.judging.pictures import Picture
from pincite_tasks.files import digest_bytes

GREETING = Question(
    Rubric(
        "pincite/ready/1",
        "Say whether the text is a greeting.",
        (Item("greeting", ("no", "yes"), "Is the text a greeting?"),),
    ),
    {"text": "Good morning."},
)
COLOUR = "colour"
SIGHT = Question(
    Rubric(
        "pincite/sees/1",
        "Say which colour the picture has.",
        (Item(COLOUR, ("red", "orange", "yellow", "green", "blue", "purple"), "Which colour fills the picture?"),),
    ),
    {"text": "The picture has one colour."},
    pictures={"square.png": Path("square.png")},
)
TRUE_COLOUR = "purple"
_SIDE = 96
"""Pixels of the picture by which it is tried whether a judge sees."""


def square() -> Picture:
    """A picture that holds nothing but ``TRUE_COLOUR``: a model that is not shown it can only guess."""
    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (_SIDE, _SIDE), TRUE_COLOUR).save(out, "PNG")
    ((name, path),) = SIGHT.pictures.items()
    return Picture(name, path, out.getvalue(), digest_bytes(out.getvalue()))
