"""Labels: "Fig. 3", "Table II", "Sec. 4.1", "Eq. (2)", "Ref. [12]", as printed and as a model writes them."""

import functools
import re
from dataclasses import dataclass
from enum import StrEnum

from pincite_core.errors import NotFoundError
from pincite_core.locator import parse_locator
from pincite_papers.model import Paper, Table

_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50}


class LabelKind(StrEnum):
    """What a label names."""

    FIGURE = "figure"
    TABLE = "table"
    SECTION = "section"
    EQUATION = "equation"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class Label:
    """A kind and its number in plain form: "3", "s2", "4.1", "12"."""

    kind: LabelKind
    number: str


_WORDS = {
    LabelKind.FIGURE: r"(?:extended\s+data\s+)?fig(?:ure|s|ures)?\.?|scheme",
    LabelKind.TABLE: r"(?:extended\s+data\s+)?tab(?:le|s|les)?\.?",
    LabelKind.SECTION: r"sec(?:tion|s|tions|t)?\.?|appendix|§",
    LabelKind.EQUATION: r"eq(?:uation|n|s|uations)?\.?",
    LabelKind.REFERENCE: r"ref(?:erence|s|erences)?\.?",
}
_NUMBER = r"(?P<number>[A-Z]?\.?\d{1,4}(?:\.\d{1,3})*|[IVXL]{1,6}(?:\.?\s?[A-Z0-9])?|[A-Z])"
_BRACKETED = re.compile(r"\[(?P<number>\d{1,4})\]")


@functools.cache
def _written(kind: LabelKind) -> re.Pattern[str]:
    return re.compile(rf"(?:{_WORDS[kind]})\s*[\[(]?\s*{_NUMBER}\s*(?:\(?[a-z]\)?)?\s*[\])]?[.:]?", re.IGNORECASE)


def read_label(text: str) -> Label | None:
    """The label that ``text`` is, None where it is something else."""
    text = text.strip()
    for kind in LabelKind:
        match = _written(kind).fullmatch(text)
        if match is not None:
            return Label(kind, plain_number(match["number"]))
    match = _BRACKETED.fullmatch(text)
    return Label(LabelKind.REFERENCE, match["number"]) if match is not None else None


def plain_number(number: str) -> str:
    """A printed number in the form that compares: Arabic, lower case, no spaces ("II" is "2", "S1" is "s1")."""
    number = re.sub(r"\s+", "", number).strip(".")
    roman = re.fullmatch(r"[IVXL]+", number)
    if roman is not None:
        return str(_from_roman(number))
    return number.lower().lstrip(".")


def _from_roman(number: str) -> int:
    values = [_ROMAN[c] for c in number]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))


def find_table(paper: Paper, wanted: str) -> int:
    """The index of the table that ``wanted`` names: "Table 2", "2", "#1" (the first one) or a locator inside it."""
    if wanted.startswith("pc:"):
        at = parse_locator(wanted).start
        for index, table in enumerate(paper.tables):
            if table.start <= at < table.end or (table.caption and table.caption.start <= at < table.caption.end):
                return index
            if table.parts and any(cell.start <= at < cell.end for cell in table.cells):
                return index
    elif re.fullmatch(r"#\d{1,4}", wanted.strip()):
        index = int(wanted.strip()[1:]) - 1
        if 0 <= index < len(paper.tables):
            return index
    else:
        label = read_label(wanted)
        number = label.number if label is not None else plain_number(wanted)
        for index, table in enumerate(paper.tables):
            if table.label.casefold() == wanted.strip().casefold() or table_number(table) == number:
                return index
        _refuse_picture(paper, wanted)
    known = ", ".join(table_name(paper, index) for index in range(min(len(paper.tables), 40)))
    raise NotFoundError(
        f"There is no table {wanted[:60]!r} in this paper.",
        seen=f"its tables are {known}" if known else "no table was recognised in it",
        next="Give one of these names."
        if known
        else "Search the text with grep_paper: a table may stand there as lines.",
    )


def _refuse_picture(paper: Paper, wanted: str) -> None:
    """NotFoundError where the source gives the table as a picture: it stands among the figures then."""
    for figure in paper.figures:
        label = read_label(figure.label)
        if label is not None and label.kind is LabelKind.TABLE and label == read_label(wanted):
            raise NotFoundError(
                f"The source gives {figure.label} as a picture only: its cells cannot be read.",
                seen=", ".join(figure.graphics[:3]),
                next="Look at it in the paper's PDF, which the figures server shows.",
            )


def table_number(table: Table) -> str:
    """The table's number in plain form, "" where it has no label."""
    label = read_label(table.label)
    return label.number if label is not None else ""


def table_name(paper: Paper, index: int) -> str:
    """The table's label, or "#3" for the third one where it has none."""
    return paper.tables[index].label or f"#{index + 1}"
