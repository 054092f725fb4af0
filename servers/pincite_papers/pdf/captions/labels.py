"""Labels: how the first words of a caption look."""

import re
from dataclasses import dataclass

from pincite_papers.pdf.captions.draft import CaptionKind

_PREFIX = r"(?:(?:Extended\s+Data|Supplementa(?:ry|l)|Supporting|Online|Web|Appendix|Additional)\s+)?"
_WORD = (
    r"(?P<word>Fig(?:ure|s|ures)?\.?|FIG(?:URE|S)?\.?|F\s?IG(?:URE)?\.?|Tab(?:le)?\.?|TAB(?:LE)?\.?|"
    r"Scheme|SCHEME|Chart|Box|BOX|Algorithm|ALGORITHM|Listing|Plate|Video|Movie|Exhibit|Abb(?:ildung)?\.?|Tabelle)"
)
_NUMBER = r"(?P<number>(?:[A-Z]{1,2}[.\-]?)?\d{1,3}(?:[.\-–]\d{1,2})?[a-zA-Z]?|[IVXL]{1,6}|[A-Z]\.?\d*)"
_LABEL = re.compile(rf"^(?P<label>{_PREFIX}{_WORD}\s*{_NUMBER})(?:(?P<dash>\.[—–])|(?P<sign>\s?[.:|¦—–]|\)|)(?=\s|$))")
"""A dash after the stop needs no space behind it: ``Fig. 1.—The``, as astronomers print."""


@dataclass(frozen=True, slots=True)
class Label:
    """A label read at the start of a line: its kind, text, the ``sign`` after it ("" if none) and where it ends."""

    kind: CaptionKind
    text: str
    sign: str
    end: int


def read_label(text: str) -> Label | None:
    """The label at the start of ``text``, None where there is none."""
    if not text or text[0] not in "FTSCBALPVMESOWat":
        return None
    match = _LABEL.match(text)
    if match is None:
        return None
    word = match["word"].replace(" ", "").rstrip(".").casefold()
    if word.startswith(("fig", "abb", "plate")):
        kind = CaptionKind.FIGURE
    elif word.startswith("tab"):
        kind = CaptionKind.TABLE
    else:
        kind = CaptionKind.OTHER
    return Label(kind, match["label"], (match["dash"] or match["sign"]).strip()[:1], match.end())
