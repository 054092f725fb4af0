"""Figures are found by caption and inner text."""

from collections.abc import Callable

import typst

from pincite_library.chunks.cut import cut_paper
from pincite_library.model import Chunk, ChunkKind
from pincite_papers.model import Paper
from pincite_papers.opening.source import parse_source

Jats = Callable[..., Paper]


def figures(paper: Paper) -> list[Chunk]:
    return [chunk for chunk in cut_paper(paper) if chunk.kind is ChunkKind.FIGURE]


def figure(caption: str, label: str = "Figure 1") -> str:
    return (
        f'<sec><title>Results</title><p>See it.</p><fig id="f"><label>{label}</label><caption><p>{caption}</p>'
        '</caption><graphic xlink:href="f.tif"/></fig></sec>'
    )


def test_a_caption_is_an_exact_chunk_with_its_panels_named(jats: Jats) -> None:
    paper = jats(figure("Resistance of samples. (a) Against temperature. (b) Against field. (c) Against time."))
    [chunk] = figures(paper)
    assert chunk.exact
    assert chunk.text == paper.text[chunk.start : chunk.end]
    assert (chunk.label, chunk.section) == ("Figure 1", "Results")
    assert "Figure 1 with panels a to c." in chunk.context
    assert chunk.described_by == "headers"


def test_nothing_is_described_where_only_the_caption_speaks(jats: Jats) -> None:
    [chunk] = figures(jats(figure("Resistance of samples.")))
    assert chunk.context.split("\n") == ["Superconductivity of made compounds", "Results"]
    assert chunk.described_by == ""


def test_a_long_caption_is_parted_and_keeps_its_label(jats: Jats) -> None:
    caption = "Resistance of samples. " + "The sample was cooled again and measured once more. " * 60
    paper = jats(figure(caption))
    found = figures(paper)
    assert len(found) > 1
    assert all(chunk.exact and chunk.label == "Figure 1" and len(chunk.text) <= 1800 for chunk in found)
    assert " ".join(chunk.text for chunk in found).endswith(caption.strip())


def test_a_table_given_as_a_picture_is_a_table(jats: Jats) -> None:
    chunks = cut_paper(jats(figure("Values of samples.", label="Table 2")))
    assert [chunk.label for chunk in chunks if chunk.kind is ChunkKind.TABLE] == ["Table 2"]


def test_the_text_inside_a_figure_stands_behind_its_caption() -> None:
    prose = "The samples were annealed in flowing oxygen for two days before every measurement was taken. " * 5
    bars = "grid(columns: 3, gutter: 4pt, ..range(3).map(k => rect(width: 40pt, height: 30pt + k * 20pt, fill: blue)))"
    source = f"""#set page(paper: "a5", margin: 18mm)\n#set text(size: 10pt)
#align(center)[#text(15pt, weight: "bold")[Made figures with words inside]]\n= Results\n{prose}
#figure(stack(spacing: 3pt, {bars}, text(size: 7pt)[Temperature (K)]), caption: [Resistance of lead.])\n{prose}"""
    paper = parse_source(typst.compile(source.encode()), max_pages=5)
    [chunk] = figures(paper)
    assert chunk.text.startswith("Figure 1")
    assert "Temperature (K)" in chunk.text
    assert "Temperature (K)" in chunk.context
    assert not chunk.exact
    assert len(chunk.spans) == 2
    assert paper.text[chunk.start : chunk.end] in chunk.text
