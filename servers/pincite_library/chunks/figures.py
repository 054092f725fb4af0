"""Figures in chunks: the caption with the text inside the figure."""

from collections.abc import Sequence

from pincite_library.chunks.draft import Draft
from pincite_library.chunks.headers import describe_figure
from pincite_library.chunks.prose import split
from pincite_library.model import ChunkKind
from pincite_papers.labels import LabelKind, read_label
from pincite_papers.model import Figure, Paper, Span

_LONGEST = 1800
"""Characters up to which a caption with its figure's text is one chunk. Set by judgement."""
_TARGET = 1100
"""Characters of a part of a longer one, about."""


def figures_by_caption(paper: Paper) -> list[list[Figure]]:
    """The figures in order, those together that share one caption."""
    found: dict[Span | int, list[Figure]] = {}
    for number, figure in enumerate(paper.figures):
        found.setdefault(figure.caption or number, []).append(figure)
    return list(found.values())


def cut_figures(paper: Paper, figures: Sequence[Figure]) -> list[Draft]:
    """The chunks of the figures that share one caption (mostly one figure): caption and text inside the figure.

    A table given as a picture is a table. What is too long is parted, the text inside the figure apart from the
    caption. ``start`` to ``end`` is the caption, its part, or the text in a figure without one. A figure without any
    text has no chunk: nothing could find it.
    """
    label = figures[0].label
    printed = read_label(label)
    kind = ChunkKind.TABLE if printed is not None and printed.kind is LabelKind.TABLE else ChunkKind.FIGURE
    captions = _captions(figures)
    inside = [figure.text for figure in figures if figure.text is not None]
    words = "\n".join(" ".join(paper.text[span.start : span.end].split()) for span in inside)
    said = "\n".join(paper.text[span.start : span.end] for span in captions)
    about = describe_figure(figures, label, words)
    whole = "\n".join(filter(None, (said, words)))
    if captions and len(whole) <= _LONGEST:
        spans = (*captions, *inside) if len(captions) + len(inside) > 1 else ()
        text = whole if spans else ""
        return [
            Draft(kind, captions[0].start, captions[0].end, text, label, spans=spans, description=about, whole=whole)
        ]
    parts = [
        part for span in (*captions, *inside) for part in split(paper.text, span.start, span.end, _TARGET, _LONGEST)
    ]
    return [Draft(kind, *part, label=label, description=about, whole=whole) for part in parts]


def _captions(figures: Sequence[Figure]) -> list[Span]:
    """The captions, those of panels that are not part of the figure's own included."""
    found: list[Span] = []
    for figure in figures:
        for span in (figure.caption, *(panel.caption for panel in figure.panels)):
            if span is not None and not any(one.start <= span.start and span.end <= one.end for one in found):
                found.append(span)
    return found
