"""Papers of several pages with figures whose boxes are known, typeset from a seed."""

import json
import random
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import typst
from figure_bodies import KINDS, Body, make_body
from prose import caption, paragraph, title

_FONTS = ("New Computer Modern", "Libertinus Serif")
_LABELS = (
    "*Figure {}:*",
    "Figure {}:",
    "*Fig. {}.*",
    "FIG. {}.",
    "*Figure {} |*",
    "_Fig. {}._",
    "#smallcaps[Figure {}.]",
)
_COLUMN, _PAGE = 220.0, 460.0
_MARKS = """
#let mark(id, edge) = context [#metadata((id: id, edge: edge, at: here().position())) <mark>]
#let exact(id, body) = box({
  place(top + left, mark(id, 0)); body; place(bottom + right, mark(id, 1)) })
"""


@dataclass(frozen=True, slots=True)
class TrueFigure:
    """A figure as set: number, style, page (from 1), box in points, what paints it, the letters of its panels."""

    number: str
    style: str
    page: int
    box: tuple[float, float, float, float]
    painted: str
    letters: str


@dataclass(slots=True)
class FigurePaper:
    """A typeset paper and the truth about its figures."""

    data: bytes
    figures: list[TrueFigure]
    source: str
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])


def make_paper(seed: int) -> FigurePaper:
    """The paper of a seed: three or more figures in different settings, among things that are no figures."""
    dice = random.Random(seed)
    columns = 1 if seed % 4 == 3 else 2
    size = dice.choice((9, 10)) if columns == 2 else dice.choice((10, 11))
    writer = _Writer(dice, columns, dice.choice(_LABELS), dice.choice((size, size - 1, size - 2)))
    parts = [_head(dice, columns, size), writer.banner(), writer.prose(6)]
    if dice.random() < 0.3:
        parts += [writer.abstract_picture(), writer.prose(2)]
    for number in range(3):
        kind = KINDS[(seed * 3 + number) % len(KINDS)]
        parts += [writer.figure(str(number + 1), kind), writer.prose(dice.randint(3, 7)), writer.distractor()]
        parts += [writer.prose(2)] if dice.random() < 0.7 else []
    parts += [writer.prose(10)]
    return _compile("\n\n".join(parts), writer)


class _Writer:
    """Writes the parts of one paper and keeps its files and bodies."""

    def __init__(self, dice: random.Random, columns: int, label: str, caption_size: float) -> None:
        self._dice, self._columns, self._label, self._size = dice, columns, label, caption_size
        self._centred = dice.random() < 0.3
        self._above = dice.random() < 0.2
        self.files: dict[str, bytes] = {}
        self.bodies: dict[str, tuple[str, Body]] = {}

    def prose(self, paragraphs: int) -> str:
        return "\n\n".join(paragraph(self._dice, self._dice.randint(2, 6)) for _ in range(paragraphs))

    def banner(self) -> str:
        """A journal's head: a logo, a line of print and a rule under it."""
        self.files["logo.png"] = _logo(self._dice)
        name = "text(size: 8pt)[Journal of Measured Things 12 (2026) 34]"
        head = f'grid(columns: (1fr, auto), align: horizon, {name}, image("logo.png", width: 50pt))'
        rule = "line(length: 100%, stroke: 0.6pt)"
        top = f"#{head}\n#{rule}"
        if self._columns == 2:
            top = f'#place(top, scope: "parent", float: true)[#{head} #{rule}]'
        return f"{top}\n\n= {title(self._dice, 6)}"

    def abstract_picture(self) -> str:
        """A picture without a caption, as a graphical abstract."""
        self.files["abstract.png"] = _logo(self._dice, 500, 300)
        return '#align(center, image("abstract.png", width: 190pt))'

    def figure(self, number: str, kind: str) -> str:
        dice = self._dice
        setting = dice.choice(("column", "top", "wide", "column", "side", "pair", "rotated", "column"))
        if self._above and setting in {"column", "top"}:
            setting = "above"
        if setting == "side" and self._columns == 2:
            setting = "wide side"
        if setting == "pair":
            return self._pair(number, kind)
        room = _COLUMN if self._columns == 2 else 360.0
        if setting in {"wide", "wide side", "rotated"} and self._columns == 2:
            room = _PAGE
        width = room * dice.uniform(0.6, 0.98)
        if "side" in setting:
            width = room * 0.55
        if setting == "rotated":
            width = dice.uniform(420, 560)
        shown = self._shown(number, kind, setting, width)
        text = self._caption(number)
        if "side" in setting:
            parts = [shown, f"align(left, {text})"] if dice.random() < 0.5 else [f"align(left, {text})", shown]
            columns = "(auto, 1fr)" if parts[0] == shown else "(1fr, auto)"
            block = f"grid(columns: {columns}, gutter: 12pt, align: top, {parts[0]}, {parts[1]})"
        else:
            order = (text, shown) if setting == "above" else (shown, text)
            block = f"align(center, stack(dir: ttb, spacing: {dice.choice((6, 9, 14))}pt, {order[0]}, {order[1]}))"
        if setting == "rotated":
            return (
                f"#page(columns: 1, align(center + horizon, rotate(-90deg, reflow: true, box(width: 600pt, {block}))))"
            )
        if setting.startswith("wide") and self._columns == 2:
            where = f'{dice.choice(("top", "bottom"))}, scope: "parent", float: true, clearance: 1.5em'
            return f"#place({where}, {block})"
        if setting == "top":
            return f"#place(auto, float: true, clearance: 1.5em, {block})"
        return f"#block(breakable: false, above: 1.4em, below: 1.4em, {block})"

    def _pair(self, number: str, kind: str) -> str:
        """Two figures side by side, each with its own caption."""
        dice = self._dice
        own = (_PAGE if self._columns == 2 else 380.0) / 2 - 14
        second = dice.choice(("svg", "photo", "bars", "scheme"))
        blocks = [
            f"align(center, stack(dir: ttb, spacing: 7pt, {body}, {self._caption(each)}))"
            for each, body in (
                (each, self._shown(each, what, "pair", own)) for each, what in ((number, kind), (number + "0", second))
            )
        ]
        grid = f"grid(columns: (1fr, 1fr), gutter: 20pt, {blocks[0]}, {blocks[1]})"
        if self._columns == 2:
            return f'#place(top, scope: "parent", float: true, clearance: 1.5em, {grid})'
        return f"#block(breakable: false, {grid})"

    def _shown(self, number: str, kind: str, setting: str, width: float) -> str:
        body = make_body(self._dice, kind, f"f{number}", round(width, 1))
        self.files |= body.files
        self.bodies[number] = (f"{kind}, {setting}", body)
        return f'exact("{number}", {body.markup})'

    def _caption(self, number: str) -> str:
        letters = self.bodies[number][1].letters if number in self.bodies else ""
        words = f"{self._label.format(number)} {caption(self._dice, letters)}"
        return f"align({'center' if self._centred else 'left'}, text(size: {self._size}pt)[{words}])"

    def distractor(self) -> str:
        """Something drawn or set apart that is no figure."""
        dice = self._dice
        formula = "sum_(k=1)^n (a_k + b) / (c + d_k) = integral_0^1 (f(x)) / (sqrt(1 + x^2)) dif x"
        steps = "*for* each node *do* \\ #h(1em) pop the queue \\ *end for*"
        heading = "#align(center, text(size: 8pt)[*Table 1:* Values of the gap.])"
        rules = "stroke: (top: 0.8pt, bottom: 0.8pt), inset: 5pt, width: 100%"
        cells = "table.hline(), [Run], [Gap], [Error], table.hline(), [A], [3.20], [0.01], [B], [4.10], [0.02]"
        made = (
            f"$ {formula} $",
            f"#block({rules})[*Algorithm 1* Greedy search \\ {steps}]",
            f"#block(fill: luma(235), inset: 8pt, width: 100%)[*Highlights.* {paragraph(dice, 2)}]",
            "#line(length: 40%, stroke: 0.5pt)\n#text(size: 8pt)[#super[1] Corresponding author.]",
            f"{heading}\n#align(center, table(columns: 3, inset: 4pt, stroke: none, {cells}, table.hline()))",
            "#align(center, line(length: 60%, stroke: 2pt + rgb(0, 90, 160)))",
            f"== {title(dice, 3)}",
        )
        return dice.choice(made)


def _head(dice: random.Random, columns: int, size: float) -> str:
    return "\n".join(
        (
            f'#set text(font: "{dice.choice(_FONTS)}", size: {size}pt)',
            f'#set page(paper: "{dice.choice(("a4", "us-letter"))}", columns: {columns}, margin: 56pt, numbering: "1")',
            f"#set par(justify: true, first-line-indent: {dice.choice(('0pt', '1em'))})",
            "#set columns(gutter: 18pt)",
            _MARKS,
        )
    )


def _logo(dice: random.Random, width: int = 120, height: int = 60) -> bytes:
    import pictures

    return pictures.micrograph(dice, (width, height))


def _compile(source: str, writer: _Writer) -> FigurePaper:
    with tempfile.TemporaryDirectory() as folder:
        for name, data in writer.files.items():
            (Path(folder) / name).write_bytes(data)
        path = Path(folder) / "paper.typ"
        path.write_text(source, encoding="utf-8")
        data = typst.compile(str(path))
        marks = [each["value"] for each in json.loads(typst.query(str(path), "<mark>"))]
    figures: list[TrueFigure] = []
    for number, (style, body) in writer.bodies.items():
        own = [mark["at"] for mark in marks if mark["id"] == number]
        xs = [float(at["x"].removesuffix("pt")) for at in own]
        ys = [float(at["y"].removesuffix("pt")) for at in own]
        box = (min(xs), min(ys), max(xs), max(ys))
        figures.append(TrueFigure(number, style, own[0]["page"], box, body.painted, body.letters))
    return FigurePaper(data, figures, source, writer.files)
