"""Bodies of figures in typst markup: what stands where a caption is bound, and the files that it shows."""

import random
from dataclasses import dataclass, field

import pictures

KINDS = (
    *("svg", "pdf", "cloud", "bars", "map", "outlined", "photo", "labelled photo", "panels", "photo panels", "scheme"),
    *("tree", "clipped", "framed text", "circuit", "heat map", "white ground", "free text", "stroked", "molecules"),
)


@dataclass(slots=True)
class Body:
    """Markup of a figure's body, what paints it, the letters of its panels and its files."""

    kind: str
    markup: str
    painted: str
    letters: str = ""
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])


def make_body(dice: random.Random, kind: str, name: str, width: float) -> Body:
    """A body of ``kind``, ``width`` points wide; its files begin with ``name``."""
    return _MAKERS[kind](dice, kind, name, width)


def _plot(dice: random.Random, kind: str, name: str, width: float) -> Body:
    suffix = {"pdf": "pdf", "map": "svg"}.get(kind) or ("svg" if dice.random() < 0.6 else "pdf")
    own = {"svg": "lines", "pdf": "lines"}.get(kind, kind)
    suffix = "svg" if own == "outlined" else suffix
    data = pictures.plot(dice, suffix, (width, width * dice.uniform(0.5, 0.85)), own)
    file = f"{name}.{suffix}"
    return Body(kind, f'image("{file}", width: {width}pt)', "mixed" if kind == "map" else "vector", files={file: data})


def _photo(dice: random.Random, kind: str, name: str, width: float) -> Body:
    suffix = dice.choice(("png", "jpg"))
    file = f"{name}.{suffix}"
    data = pictures.micrograph(dice, (int(width * 2), int(width * dice.uniform(0.9, 1.5))), suffix)
    markup = f'image("{file}", width: {width}pt)'
    if kind == "labelled photo":
        bar = f"place(bottom + right, dx: -8pt, dy: -8pt, rect(width: {width / 5:.0f}pt, height: 3pt, fill: white))"
        name_of = 'place(bottom + right, dx: -10pt, dy: -14pt, text(white, size: 7pt, font: "DejaVu Sans Mono")[5 μm])'
        markup = f"box({{ {markup}; {bar}; {name_of} }})"
    painted = "mixed" if kind == "labelled photo" else "raster"
    return Body(kind, markup, painted, files={file: data})


def _panels(dice: random.Random, kind: str, name: str, width: float) -> Body:
    across = 2 if width < 300 else dice.choice((2, 3))
    letters = "abcdef"[: across * dice.choice((1, 2))]
    own = (width - 10 * (across - 1)) / across
    files: dict[str, bytes] = {}
    cells: list[str] = []
    inside = kind == "photo panels" and dice.random() < 0.6
    form = dice.choice(("*{}*", "({})", "{}"))
    for letter in letters:
        file = f"{name}{letter}.{'png' if kind == 'photo panels' else 'svg'}"
        if kind == "photo panels":
            files[file] = pictures.micrograph(dice, (300, 220))
        else:
            files[file] = pictures.plot(dice, "svg", (own, own * 0.7), dice.choice(("lines", "bars", "cloud")))
        mark = form.format(letter)
        if inside:
            spot = f"place(top + left, dx: 4pt, dy: 4pt, text(white, size: 9pt)[{mark}])"
            cells.append(f'box({{ image("{file}", width: {own:.1f}pt); {spot} }})')
        else:
            head = f"text(size: 9pt)[{mark}]"
            cells.append(f'stack(dir: ttb, spacing: 3pt, {head}, image("{file}", width: {own:.1f}pt))')
    columns = ", ".join([f"{own:.1f}pt"] * across)
    markup = f"grid(columns: ({columns}), gutter: 10pt, align: left, {', '.join(cells)})"
    painted = "vector" if kind == "panels" else "raster"
    return Body(kind, markup, painted, letters, files)


def _scheme(dice: random.Random, kind: str, name: str, width: float) -> Body:
    del name
    boxes = dice.randint(3, 5)
    steps = ("Mix the oxides", "Calcine", "Grind again", "Press", "Anneal in flowing oxygen", "Measure")
    parts: list[str] = []
    fill = dice.choice(("none", "luma(230)", "rgb(200, 220, 255)"))
    for number in range(boxes):
        label = f"text(size: 8pt)[{steps[number]}]"
        parts.append(f"rect(width: {width - 60}pt, inset: 6pt, fill: {fill}, stroke: 0.7pt, align(center, {label}))")
        if number < boxes - 1:
            parts.append("align(center, line(length: 12pt, angle: 90deg, stroke: 0.8pt))")
    return Body(kind, f"box(width: {width - 60}pt, stack(dir: ttb, {', '.join(parts)}))", "vector")


def _tree(dice: random.Random, kind: str, name: str, width: float) -> Body:
    """Thin level and upright lines only, with small names at their ends: a cladogram or a circuit."""
    del name
    leaves = dice.randint(6, 14)
    step, reach = 14, width - 50
    parts: list[str] = []
    for leaf in range(leaves):
        depth = reach * (0.15 + 0.1 * (leaf % 6))
        y = 7 + leaf * step
        parts.append(
            f"place(top + left, line(start: ({depth:.1f}pt, {y}pt), end: ({reach:.1f}pt, {y}pt), stroke: .6pt))"
        )
        if leaf + 1 < leaves:
            ends = f"start: ({depth:.1f}pt, {y}pt), end: ({depth:.1f}pt, {y + step}pt)"
            parts.append(f"place(top + left, line({ends}, stroke: .6pt))")
        label = dice.choice(("Passiflo", "O.sativa", "KJ545522", "outgroup", "Zea mays"))
        style = 'size: 7pt, font: "DejaVu Sans Mono"'
        parts.append(f"place(top + right, dy: {y - 3}pt, text({style})[{label} {leaf:02}])")
    parts.append(f"place(top + left, line(start: (0pt, 4pt), end: (0pt, {leaves * step - 4}pt), stroke: .6pt))")
    parts.append(f"place(top + left, line(start: (0pt, 30pt), end: ({reach * 0.15:.1f}pt, 30pt), stroke: .6pt))")
    return Body(kind, f"box(width: {width}pt, height: {leaves * step}pt, {{ {'; '.join(parts)} }})", "vector")


def _clipped(dice: random.Random, kind: str, name: str, width: float) -> Body:
    """A picture much larger than the window that shows a part of it."""
    file = f"{name}.png"
    data = pictures.micrograph(dice, (600, 500))
    high = width * 0.6
    shown = f'image("{file}", width: 100%, height: 100%, fit: "stretch")'
    inner = f"place(dx: -60pt, dy: -50pt, box(width: {width + 160}pt, height: {high + 90:.1f}pt, {shown}))"
    return Body(kind, f"box(width: {width}pt, height: {high:.1f}pt, clip: true, {inner})", "raster", files={file: data})


def _framed_text(dice: random.Random, kind: str, name: str, width: float) -> Body:
    del name
    lines = "\\ ".join(f"{word}: {dice.randint(1, 99)} units of the scale" for word in ("Prompt", "Answer", "Score"))
    inner = f"text(size: 8pt)[{lines}]"
    if kind == "free text":
        return Body(kind, f"box(align(left, {inner}))", "vector")
    stroke = "0.7pt"
    return Body(kind, f"block(width: {width}pt, inset: 8pt, stroke: {stroke}, align(left, {inner}))", "vector")


def _heat_map(dice: random.Random, kind: str, name: str, width: float) -> Body:
    del name
    n = dice.randint(4, 7)
    cells = ", ".join(
        f"table.cell(fill: rgb({dice.randint(120, 255)}, 200, 120))[0.{dice.randint(10, 99)}]" for _ in range(n * n)
    )
    side = width / n
    return Body(kind, f"table(columns: ({side:.1f}pt,) * {n}, inset: 3pt, stroke: white, {cells})", "vector")


def _white_ground(dice: random.Random, kind: str, name: str, width: float) -> Body:
    """A plot in a white rectangle without a stroke, as many programs draw first."""
    inner = _plot(dice, "svg", name, width)
    return Body(kind, f"rect(fill: white, stroke: none, inset: 0pt, {inner.markup})", "vector", files=inner.files)


def _stroked(dice: random.Random, kind: str, name: str, width: float) -> Body:
    """Hundreds of curves, each its own path."""
    del name
    curves: list[str] = []
    high = width * 0.55
    for _ in range(300):
        x, y = dice.uniform(8, width - 8), dice.uniform(8, high - 8)
        curves.append(
            f"place(top + left, curve(stroke: 0.4pt, curve.move(({x:.1f}pt, {y:.1f}pt)), curve.cubic(none, "
            f"({x - 5:.1f}pt, {y + 4:.1f}pt), ({x + 7:.1f}pt, {y + 6:.1f}pt))))"
        )
    frame = f"place(top + left, rect(width: {width}pt, height: {high:.1f}pt, stroke: 0.5pt))"
    return Body(kind, f"box(width: {width}pt, height: {high:.1f}pt, {{ {frame}; {'; '.join(curves)} }})", "vector")


def _molecules(dice: random.Random, kind: str, name: str, width: float) -> Body:
    """Rings and letters with room between them, as a reaction scheme has."""
    del name
    step = min(width / 3, 70)
    parts: list[str] = []
    for number in range(3):
        at = f"left + horizon, dx: {number * step:.0f}pt"
        parts.append(f"place({at}, polygon.regular(size: 36pt, vertices: 6, stroke: .7pt))")
        if number < 2:
            letters = dice.choice(("OH", "NH#sub[2]", "Br"))
            parts.append(f"place(left + horizon, dx: {number * step + 39:.0f}pt, text(size: 8pt)[{letters}])")
    return Body(kind, f"box(width: {2 * step + 36:.0f}pt, height: 34pt, {{ {'; '.join(parts)} }})", "vector")


_MAKERS = {
    **dict.fromkeys(("svg", "pdf", "cloud", "bars", "map", "outlined"), _plot),
    **dict.fromkeys(("photo", "labelled photo"), _photo),
    **dict.fromkeys(("panels", "photo panels"), _panels),
    **dict.fromkeys(("framed text", "free text"), _framed_text),
    "scheme": _scheme,
    "tree": _tree,
    "circuit": _tree,
    "clipped": _clipped,
    "heat map": _heat_map,
    "white ground": _white_ground,
    "stroked": _stroked,
    "molecules": _molecules,
}
