"""Captions: labels at the start of set-apart lines, and the sentences that only look like them."""

import pytest

from pincite_papers.pdf.captions import CaptionKind, find_captions
from pincite_papers.pdf.captions.labels import read_label
from pincite_papers.pdf.elements import PageLayout, Style
from pincite_papers.pdf.layout.measures import body_style

PROSE = "The samples were annealed in flowing oxygen for two days before every measurement was taken at low field. " * 3


def captions_of(page: PageLayout) -> list[tuple[str, str, str]]:
    found = find_captions(page, body_style([page]))
    return [(each.kind.value, each.label, " ".join(page.lines[i].text for i in each.lines)) for each in found]


@pytest.mark.parametrize(
    ("text", "kind", "label", "sign"),
    [
        ("Figure 3: Resistivity of", CaptionKind.FIGURE, "Figure 3", ":"),
        ("Fig. 3. Resistivity", CaptionKind.FIGURE, "Fig. 3", "."),
        ("FIG. 2. (a) Phase diagram", CaptionKind.FIGURE, "FIG. 2", "."),
        ("Fig. 2 | Zeolite structures", CaptionKind.FIGURE, "Fig. 2", "|"),
        ("Figure S1 Susceptibility", CaptionKind.FIGURE, "Figure S1", ""),
        ("Figure 3a Susceptibility", CaptionKind.FIGURE, "Figure 3a", ""),
        ("Extended Data Fig. 4 | Maps", CaptionKind.FIGURE, "Extended Data Fig. 4", "|"),
        ("Supplementary Table 2: Cells", CaptionKind.TABLE, "Supplementary Table 2", ":"),
        ("FIG. 2.—The light curve", CaptionKind.FIGURE, "FIG. 2", "."),
        ("TABLE II. Lattice constants", CaptionKind.TABLE, "TABLE II", "."),
        ("Table A.1: Samples", CaptionKind.TABLE, "Table A.1", ":"),
        ("Scheme 1. Synthesis", CaptionKind.OTHER, "Scheme 1", "."),
        ("Algorithm 1 Fit", CaptionKind.OTHER, "Algorithm 1", ""),
    ],
)
def test_labels_are_read_as_printed(text: str, kind: CaptionKind, label: str, sign: str) -> None:
    found = read_label(text)
    assert found is not None
    assert (found.kind, found.text, found.sign) == (kind, label, sign)


@pytest.mark.parametrize(
    "text", ["Figures show that", "Table of contents", "Tables were", "Figurative 3", "figure", ""]
)
def test_other_words_are_no_labels(text: str) -> None:
    assert read_label(text) is None


def test_captions_stand_apart_from_sentences_that_begin_alike(layouts) -> None:
    page = layouts(
        f"""
        {PROSE}

        #figure(rect(width: 120pt, height: 60pt), caption: [Resistivity of both samples, measured with four probes on a
        bar that was cut along the a axis of the crystal.])

        Figure 1 shows that the resistivity falls. Table 1 lists the lattice constants of both samples. {PROSE}

        #figure(table(columns: 2, [a], [b], [1], [2]), caption: [Lattice constants.])

        {PROSE} as in
        Table 1. Squares are measured. {PROSE}
        """
    )[0]
    found = captions_of(page)
    assert [(kind, label) for kind, label, _ in found] == [("figure", "Figure 1"), ("table", "Table 1")]
    assert found[0][2].endswith("axis of the crystal.")
    assert found[1][2] == "Table 1: Lattice constants."


def test_a_label_in_bold_needs_no_sign(layouts) -> None:
    page = layouts(
        f"""
        {PROSE}

        #rect(width: 100%, height: 40pt)
        #text(size: 8pt)[*Fig. 2* Mean oxytocin in the trial group compared to the concentrations in free animals, with
        standard errors of the means of all groups shown as bars]

        {PROSE}
        """
    )[0]
    [(kind, label, text)] = captions_of(page)
    assert (kind, label) == ("figure", "Fig. 2")
    assert text.endswith("shown as bars")


def test_a_label_alone_on_its_line_takes_the_lines_below(layouts) -> None:
    page = layouts(
        f"""
        {PROSE}

        #text(size: 8pt)[Table 2 \\ Neutron data-processing and refinement statistics.]
        #table(columns: 2, stroke: none, table.hline(), [a], [b], table.hline(), [1], [2], table.hline())

        {PROSE}
        """
    )[0]
    [(kind, label, text)] = captions_of(page)
    assert (kind, label) == ("table", "Table 2")
    assert text == "Table 2 Neutron data-processing and refinement statistics."


def test_a_caption_of_a_manuscript_set_wide_ends_above_its_table(layouts) -> None:
    page = layouts(
        f"""
        #set par(leading: 1.9em)
        #set text(size: 11pt)
        {PROSE * 3}

        #align(center, text(size: 10pt)[Table 4. Conductivity and activation energy of samples, computed by molecular
        dynamics with a fitted potential.])
        #v(-16pt)
        #align(center, table(columns: 2, stroke: none, inset: 2pt, [Sample], [Energy], [E1], [0.256], [E2], [0.301]))
        """
    )[0]
    [(_, label, text)] = captions_of(page)
    assert label == "Table 4"
    assert text.endswith("with a fitted potential.")


def test_a_caption_ends_at_a_rule(layouts) -> None:
    page = layouts(
        """
        #text(size: 8pt)[*Table 1* Samples \\ #v(-6pt) #line(length: 100%, stroke: 0.5pt) #v(-6pt) name #h(1fr) value]
        """
    )[0]
    assert captions_of(page) == [("table", "Table 1", "Table 1 Samples")]


def test_side_by_side_captions_stay_apart(layouts) -> None:
    page = layouts(
        f"""
        #grid(columns: 2, gutter: 20pt,
          figure(rect(width: 80pt, height: 40pt), caption: [The frequency of checks across both of the trial types.]),
          figure(rect(width: 80pt, height: 40pt), caption: [The frequency of aggression across both trial types.]))

        {PROSE}
        """
    )[0]
    found = captions_of(page)
    assert [text for _, _, text in found] == [
        "Figure 1: The frequency of checks across both of the trial types.",
        "Figure 2: The frequency of aggression across both trial types.",
    ]


def test_a_page_without_text_has_no_captions() -> None:
    assert find_captions(PageLayout(1, 100, 100, []), Style("", 10, bold=False, italic=False)) == []


def test_a_plain_label_needs_a_title_after_it(layouts) -> None:
    page = layouts(
        f"""
        {PROSE}

        #rect(width: 100%, height: 40pt)

        Figure 1 Map of the two sites

        {PROSE}

        Figure 1 shows where the samples were taken. {PROSE}
        """
    )[0]
    assert [text for _, _, text in captions_of(page)] == ["Figure 1 Map of the two sites"]
