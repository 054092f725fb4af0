"""Articles of our own for the builder: JATS with a chain of references, a table, figures and their pictures; LaTeX."""

import io
import struct
import tarfile
import zlib
from collections.abc import Sequence

FILLER = (
    "The samples of this series were made in one furnace and measured in one week, so that they can be compared with "
    "each other, as is the custom in the field and in this laboratory. "
)
TABLE_ANALYSIS = (
    "<xref ref-type='table' rid='t1'>Table 1</xref> shows that the conductivity of the doped glass rises from 0.12 to "
    "0.48 S/m between 300 and 500 K, which is four times the value at room temperature, while that of the pure glass "
    "hardly changes. The gain is thus not a property of the glass itself but of the carriers that doping adds, and it "
    "would be lost in a film that is thinner than their mean path. The last row stands apart, because that sample had "
    "been cooled twice and has a finer grain than the others."
)
FIGURE_ANALYSIS = (
    "The curves of <xref ref-type='fig' rid='f1'>Fig. 1</xref> part near 400 K, where the doped glass leaves the "
    "straight line on which the pure one stays up to the highest temperature of the study. Such a kink is known from "
    "other glasses of this kind <xref ref-type='bibr' rid='r1'>[1]</xref> and marks the point from which the bonds "
    "give way; its place agrees with the method of <xref ref-type='sec' rid='s2'>Section 2</xref> within the error. "
    "Above it both curves are steeper than any model with one kind of carrier allows them to be."
)
SECOND = "A shorter remark on <xref ref-type='fig' rid='f1'>Fig. 1</xref> is of no use as an analysis."


def png(width: int = 60, height: int = 40) -> bytes:
    """A grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes((x * 4) % 256 for x in range(width)) for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def article(
    results: Sequence[str] = (SECOND, TABLE_ANALYSIS, FIGURE_ANALYSIS),
    *,
    title: str = "Carriers in a doped glass",
    kind: str = "research-article",
    subject: str = "Materials",
    licence: str = "http://creativecommons.org/licenses/by/4.0/",
    doi: str = "",
    filler: str = FILLER * 25,
    rows: int = 0,
) -> bytes:
    """A JATS article with Table 1, Fig. 1 (picture ``glass_1``), Fig. 2 (without a picture) and two sections; the
    table has ``rows`` more."""
    identifier = f'<article-id pub-id-type="doi">{doi}</article-id>' if doi else ""
    paragraphs = "".join(f"<p>{text}</p>" for text in results)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="{kind}"><front>
<journal-meta><journal-title-group><journal-title>Invented Glass</journal-title></journal-title-group></journal-meta>
<article-meta>{identifier}<article-categories><subj-group><subject>{subject}</subject></subj-group></article-categories>
<title-group><article-title>{title}</article-title></title-group>
<permissions><license xlink:href="{licence}"><p>Free.</p></license></permissions>
<abstract><p>We measured glasses between 300 and 500 K.</p></abstract></article-meta></front>
<body><sec id="s1"><label>1</label><title>Introduction</title><p>{filler}</p></sec>
<sec id="s2"><label>2</label><title>Method</title>
<p>Bridges were read at four contacts with a current of one milliampere, as drawn in
<xref ref-type="fig" rid="f2">Fig. 2</xref>.</p></sec>
<sec id="s3"><label>3</label><title>Results</title>{paragraphs}
<table-wrap id="t1"><label>Table 1</label><caption><p>Conductivity of the glasses in S/m.</p></caption>
<table><thead><tr><th>T (K)</th><th>pure</th><th>doped</th></tr></thead><tbody>
<tr><td>300</td><td>0.10</td><td>0.12</td></tr><tr><td>400</td><td>0.11</td><td>0.25</td></tr>
<tr><td>500</td><td>0.11</td><td>0.48</td></tr>
{"<tr><td>7</td><td>ab1</td><td>cd2</td></tr>" * rows}</tbody></table></table-wrap>
<fig id="f1"><label>Fig. 1</label><caption><p>Conductivity over temperature.</p></caption>
<graphic xlink:href="glass_1"/></fig>
<fig id="f2"><label>Fig. 2</label><caption><p>The bridge and its four contacts.</p></caption>
<graphic xlink:href="glass_2"/></fig></sec></body>
<back><ref-list><ref id="r1"><label>1</label><mixed-citation>A. Kern. Bonds in glass. 2019.</mixed-citation></ref>
</ref-list></back></article>""".encode()


def latex_archive() -> bytes:
    """A LaTeX source as arXiv keeps it: one file with a figure, and its two pictures."""
    text = r"""\documentclass{article}
\usepackage{graphicx}
\title{Fares and floors: a survey}
\begin{document}\maketitle
\begin{abstract}We look at fares.\end{abstract}
\section{Introduction}
FILLER
\section{Results}
Figure~\ref{fig:fares} shows that fares rise in steps after the floor, to eight per cent within three months and to ten
within six, and that they stay there to the end of the year on all routes without a rival. On routes with a rival the
first jump is larger but most of it is lost again before the year is over. The lasting effect is therefore about three
times as large where nobody competes, and a study that ended after one month would have found the opposite.
\begin{figure}
\begin{subfigure}{5cm}\includegraphics{fares.png}\caption{All routes.}\end{subfigure}
\begin{subfigure}{5cm}\includegraphics{rivals}\caption{With a rival.}\end{subfigure}
\caption{Fares after the floor.}\label{fig:fares}\end{figure}
\end{document}
""".replace("FILLER", FILLER * 25)
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name, content in {"main.tex": text.encode(), "fares.png": png(), "rivals.png": png(30, 30)}.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return data.getvalue()
