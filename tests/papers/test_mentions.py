"""Mentions: what a text names, in the ways papers write it, and what only looks like a mention."""

import numpy as np
import pytest

from pincite_papers.geometry import Geometry
from pincite_papers.labels import Label, LabelKind, plain_number, read_label
from pincite_papers.mentions import find_mentions
from pincite_papers.model import Page, Paper, Reference

NUMBERED = [str(number) for number in range(1, 13)]
NAMED = ["Fukuda 2016", "Suga 2014", "Suga 2017", "R Core Team 2021", "de Vries 2008", "Barnard 1979"]


def mentions(text: str, keys: list[str]) -> list[tuple[str, str, str]]:
    """(kind, number, text) of the mentions in ``text``, with a reference list of these keys behind it."""
    entries: list[Reference] = []
    whole = text + "\n\n"
    for key in keys:
        entries.append(Reference(key, len(whole), len(whole) + len(key) + 9, 1))
        whole += f"{key} Fig. 9.\n\n"
    paper = Paper(
        paper_id="sha256:" + "0" * 64,
        parser="test",
        title="",
        text=whole,
        pages=(Page(1, "1", 100, 100, 0, len(whole)),),
        blocks=(),
        geometry=Geometry(np.full((len(whole), 4), np.nan, dtype=np.float32)),
        references=tuple(entries),
    )
    return [(m.label.kind.value, m.label.number, whole[m.start : m.end]) for m in find_mentions(paper)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see Fig. 3.", [("figure", "3", "Fig. 3")]),
        ("see Figure 3(a) and (b)", [("figure", "3", "Figure 3(a)")]),
        ("see (Fig. 2a–c)", [("figure", "2", "Fig. 2a–c")]),
        ("see Figs. 2 and 4", [("figure", "2", "Figs. 2"), ("figure", "4", "Figs. 2 and 4")]),
        ("Figures 2–4", [("figure", "2", "Figures 2"), ("figure", "3", "Figures 2–4"), ("figure", "4", "Figures 2–4")]),
        ("Fig. 2 and 5 samples", [("figure", "2", "Fig. 2")]),
        ("FIG. S1", [("figure", "s1", "FIG. S1")]),
        ("in Supplementary Fig. 2c and Fig. 2", [("figure", "s2", "Fig. 2c"), ("figure", "2", "Fig. 2")]),
        ("(Additional Table 3)", [("table", "s3", "Table 3")]),
        ("Supplemental Figs. S1 and 2", [("figure", "s1", "Figs. S1"), ("figure", "s2", "Figs. S1 and 2")]),
        ("Supporting Information, Table 4", [("table", "s4", "Table 4")]),
        ("suppl. Tables 2–3", [("table", "s2", "Tables 2"), ("table", "s3", "Tables 2–3")]),
        ("Tables I and II", [("table", "1", "Tables I"), ("table", "2", "Tables I and II")]),
        ("Sec. II B says", [("section", "iib", "Sec. II B")]),
        ("in Section 4.2,", [("section", "4.2", "Section 4.2")]),
        ("Eqs. (1) and (2)", [("equation", "1", "Eqs. (1)"), ("equation", "2", "Eqs. (1) and (2)")]),
        ("Ref. [12]", [("reference", "12", "Ref. [12]"), ("reference", "12", "[12]")]),
        ("stable 3 tables of figures", []),
        ("configure 5", []),
    ],
)
def test_labels_in_a_sentence(text: str, found: list[tuple[str, str, str]]) -> None:
    assert mentions(text, NUMBERED) == found


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("as shown [1, 3–5]; later [7]", ["1", "3", "4", "5", "7"]),
        ("between [10, 20] K", []),
        ("in the interval [0, 1]", []),
        ("the precedent^5–7. The", ["5", "6", "7"]),
        ("as shown.^2,4", ["2", "4"]),
        ("the RDKit^{3}", ["3"]),
        ("10^4 cm^-3 and 5 m^2", []),
        ("it costs^1.5", []),
    ],
)
def test_citations_by_number(text: str, numbers: list[str]) -> None:
    assert [number for _, number, _ in mentions(text, NUMBERED)] == numbers


def test_raised_numbers_are_no_citations_where_brackets_are() -> None:
    assert [n for _, n, _ in mentions("one [1], two [2], three [3] and area^2", NUMBERED)] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("(Barnard and Burk 1979)", ["Barnard 1979"]),
        ("Barnard & Burk (1979) say", ["Barnard 1979"]),
        ("(Suga et al., 2014, 2017)", ["Suga 2014", "Suga 2017"]),
        ("(Fukuda, Tse, Nakane et al., 2016)", ["Fukuda 2016"]),
        ("(R Core Team, 2021; de Vries 2008)", ["R Core Team 2021", "de Vries 2008"]),
        ("in March 1979 and Smith 2016", []),
    ],
)
def test_citations_by_name(text: str, keys: list[str]) -> None:
    assert [key for _, key, _ in mentions(text, NAMED)] == keys


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Fig. 3", Label(LabelKind.FIGURE, "3")),
        ("figure 3b", Label(LabelKind.FIGURE, "3")),
        ("TABLE II.", Label(LabelKind.TABLE, "2")),
        ("Sec. 4.1", Label(LabelKind.SECTION, "4.1")),
        ("eq. (2)", Label(LabelKind.EQUATION, "2")),
        ("Ref. [12]", Label(LabelKind.REFERENCE, "12")),
        ("[12]", Label(LabelKind.REFERENCE, "12")),
        ("table of contents", None),
        ("the figure", None),
        ("", None),
    ],
)
def test_labels_as_a_model_writes_them(text: str, label: Label | None) -> None:
    assert read_label(text) == label


@pytest.mark.parametrize(("number", "plain"), [("IV", "4"), ("XIX", "19"), ("S 1", "s1"), ("4.1.", "4.1"), ("A", "a")])
def test_numbers_in_plain_form(number: str, plain: str) -> None:
    assert plain_number(number) == plain
