"""Pages with hard tables whose cells are known: nested heads, stubs, notes, page breaks, turned and paired tables."""

import random
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import typst
from prose import paragraph

Grid = dict[tuple[int, int], str]
"""Texts by row and column; a cell over several places stands in each of them."""

NAMES = ("LSCO", "YBCO", "Bi2212", "Hg1201", "LaFeAsO", "FeSe", "MgB2", "NbN", "Nb3Sn", "CeCoIn5", "UTe2", "KFe2As2")
HEADS = ("Tc (K)", "a (Å)", "c (Å)", "Gap (meV)", "Field (T)", "Run", "Error")


@dataclass(slots=True)
class Made:
    """A typeset document, the grids of its tables in order and what the notes under them say."""

    style: str
    data: bytes
    grids: list[Grid]
    notes: list[str] = field(default_factory=list[str])


def number(dice: random.Random) -> str:
    """A value as tables print them."""
    value = dice.uniform(0, 400)
    forms = (
        f"{value:.2f}",
        f"{value:.1f}",
        f"−{value:.2f}",
        f"{value:.1f} ± {value / 9:.1f}",
        f"{value:.2f}({dice.randint(1, 9)})",
    )
    return dice.choice(forms)


def body(dice: random.Random, rows: int, columns: int, blanks: float = 0.0) -> list[list[str]]:
    """Rows of a name and numbers, some left blank."""
    names = (
        dice.sample(NAMES, min(rows, len(NAMES)))
        if rows <= len(NAMES)
        else [f"{dice.choice(NAMES)}-{k}" for k in range(rows)]
    )
    return [[name, *("" if dice.random() < blanks else number(dice) for _ in range(columns - 1))] for name in names]


def grid_of(rows: list[list[str]], spans: dict[tuple[int, int], tuple[int, int]] | None = None) -> Grid:
    """The grid of rows of texts; ``spans`` are (rows, columns) of spanning cells by their origin."""
    grid: Grid = {(r, c): text for r, row in enumerate(rows) for c, text in enumerate(row) if text}
    for (r, c), (down, right) in (spans or {}).items():
        grid |= {(r + k, c + n): rows[r][c] for k in range(down) for n in range(right)}
    return grid


def _cells(row: list[str]) -> str:
    return ", ".join(f"[{text}]" for text in row)


def _page(dice: random.Random, tables: str, columns: int = 1) -> str:
    return "\n\n".join(
        (
            f'#set text(font: "{dice.choice(("New Computer Modern", "Libertinus Serif"))}", size: 10pt)',
            f"#set page(columns: {columns})\n#set par(justify: true)\n#show table: set par(justify: false)",
            "#show figure.where(kind: table): set text(size: 9pt)",
            "#show figure.where(kind: table): set figure.caption(position: top)",
            paragraph(dice, 8),
            tables,
            paragraph(dice, 10),
        )
    )


def _figure(table: str, words: str = "Values of the samples.") -> str:
    return f"#figure({table}, caption: [{words}])"


def _booktabs(columns: int, head: str, rows: list[list[str]], align: str = "center") -> str:
    inner = ", ".join(_cells(row) for row in rows)
    return (
        f"table(columns: {columns}, align: (left, ..({align},) * {columns - 1}), stroke: none, "
        f"inset: (x: 6pt, y: 3pt), table.hline(), {head}, table.hline(stroke: 0.5pt), {inner}, table.hline())"
    )


def nested(dice: random.Random, *, ruled: bool) -> tuple[str, list[Grid]]:
    """Two levels of heads; partial rules, or none, between them."""
    rows = body(dice, dice.randint(3, 7), 5)
    rule = "table.hline(start: 1, end: 3, stroke: .5pt), table.hline(start: 3, end: 5, stroke: .5pt), " if ruled else ""
    top = "table.cell(colspan: 2)[Normal state], table.cell(colspan: 2)[Superconducting]"
    head = f"[Sample], {top}, {rule}[], [a (Å)], [c (Å)], [Gap], [Field]"
    heads = [["Sample", "Normal state", "", "Superconducting", ""], ["", "a (Å)", "c (Å)", "Gap", "Field"]]
    spans = {(0, 0): (2, 1), (0, 1): (1, 2), (0, 3): (1, 2)}
    return _page(dice, _figure(_booktabs(5, head, rows))), [grid_of([*heads, *rows], spans)]


def stub(dice: random.Random) -> tuple[str, list[Grid]]:
    """Rows in sections, each opened by a name over all columns, the names under it indented."""
    rows: list[list[str]] = []
    shown: list[str] = []
    spans: dict[tuple[int, int], tuple[int, int]] = {}
    for section in ("Cuprates", "Pnictides"):
        spans[1 + len(rows), 0] = (1, 4)
        rows.append([section, "", "", ""])
        shown.append(f"table.cell(colspan: 4)[_{section}_]")
        for row in body(dice, dice.randint(2, 4), 4):
            rows.append(row)
            shown.append(f"[#h(1em){row[0]}], {_cells(row[1:])}")
    head = ["Sample", "Tc (K)", "a (Å)", "Gap"]
    table = (
        f"table(columns: 4, align: (left, center, center, center), stroke: none, inset: 4pt, table.hline(), "
        f"{_cells(head)}, table.hline(), {', '.join(shown)}, table.hline())"
    )
    return _page(dice, _figure(table)), [grid_of([head, *rows], spans)]


def unruled(dice: random.Random) -> tuple[str, list[Grid]]:
    """No rules, blanks, numbers to the right."""
    head = ["Sample", *HEADS[: dice.randint(2, 4)]]
    rows = body(dice, dice.randint(4, 8), len(head), blanks=0.12)
    inner = ", ".join(_cells(row) for row in (head, *rows))
    table = (
        f"table(columns: {len(head)}, align: (left, ..(right,) * {len(head) - 1}), stroke: none, inset: 4pt, {inner})"
    )
    return _page(dice, _figure(table)), [grid_of([head, *rows])]


def wrapped(dice: random.Random) -> tuple[str, list[Grid]]:
    """A column of text that wraps."""
    rows = [[name, number(dice), paragraph(dice, 1)] for name in dice.sample(NAMES, 4)]
    head = ["Sample", "Tc (K)", "Remark"]
    inner = ", ".join(_cells(row) for row in rows)
    table = (
        "table(columns: (auto, auto, 160pt), align: left, stroke: none, inset: (x: 6pt, y: 4pt), "
        f"table.hline(), {_cells(head)}, table.hline(), {inner}, table.hline())"
    )
    return _page(dice, _figure(table)), [grid_of([head, *rows])]


def centred_rows(dice: random.Random) -> tuple[str, list[Grid]]:
    """Names that stand at half the height of the two or four rows they span, no rule between."""
    rows: list[list[str]] = []
    shown: list[str] = []
    spans: dict[tuple[int, int], tuple[int, int]] = {}
    for name in dice.sample(NAMES, 3):
        spans[1 + len(rows), 0] = (2, 1)
        pair = [["", f"{dice.randint(1, 9)} T", number(dice), number(dice)] for _ in range(2)]
        pair[0][0] = name
        rows += pair
        shown.append(
            f"table.cell(rowspan: 2)[{name}], {_cells(pair[0][1:])}, {_cells(pair[1][1:])}, table.hline(stroke: .3pt)"
        )
    head = ["Sample", "Field", "Gap", "Error"]
    inner = f"table.hline(), {_cells(head)}, table.hline(), {', '.join(shown)}"
    table = f"table(columns: 4, align: horizon, stroke: none, inset: 4pt, {inner})"
    return _page(dice, _figure(table)), [grid_of([head, *rows], spans)]


def grid_spans(dice: random.Random) -> tuple[str, list[Grid]]:
    """A full grid of rules with merged cells."""
    rows = body(dice, 4, 4)
    head = "table.cell(rowspan: 2)[Sample], table.cell(colspan: 3)[Measured], [Tc], [Gap], [Field]"
    heads = [["Sample", "Measured", "", ""], ["", "Tc", "Gap", "Field"]]
    table = f"table(columns: 4, inset: 4pt, {head}, {', '.join(_cells(row) for row in rows)})"
    return _page(dice, _figure(table)), [grid_of([*heads, *rows], {(0, 0): (2, 1), (0, 1): (1, 3)})]


def column(dice: random.Random) -> tuple[str, list[Grid]]:
    """A table in one of two columns."""
    head = ["Sample", "Tc (K)", "Gap"]
    rows = body(dice, dice.randint(3, 6), 3)
    return _page(dice, _figure(_booktabs(3, _cells(head), rows)) + "\n\n" + paragraph(dice, 60), 2), [
        grid_of([head, *rows])
    ]


def pair(dice: random.Random) -> tuple[str, list[Grid]]:
    """Two tables side by side, each with its caption."""
    parts: list[str] = []
    grids: list[Grid] = []
    for head in (["Sample", "Tc (K)", "Gap"], ["Film", "Field", "Error"]):
        rows = body(dice, dice.randint(3, 5), 3)
        parts.append(
            f"figure({_booktabs(3, _cells(head), rows)}, caption: [Values of {head[0].lower()}s in the series.])"
        )
        grids.append(grid_of([head, *rows]))
    return _page(dice, f"#grid(columns: (1fr, 1fr), gutter: 24pt, {parts[0]}, {parts[1]})"), grids


def turned(dice: random.Random) -> tuple[str, list[Grid]]:
    """A table in landscape on a page of its own."""
    head = ["Sample", *HEADS[:5]]
    rows = body(dice, 7, 6)
    table = f"#rotate(-90deg, reflow: true)[{_figure(_booktabs(6, _cells(head), rows))}]"
    return _page(dice, f"#pagebreak()\n{table}\n#pagebreak()"), [grid_of([head, *rows])]


def broken(dice: random.Random) -> tuple[str, list[Grid]]:
    """A table over two or three pages, its head repeated."""
    head = ["Sample", "Tc (K)", "a (Å)", "Gap"]
    rows = body(dice, dice.randint(60, 95), 4)
    inner = f"table.header(table.hline(), {_cells(head)}, table.hline(stroke: .5pt)), {', '.join(map(_cells, rows))}"
    table = f"table(columns: 4, stroke: none, inset: (x: 6pt, y: 3pt), {inner}, table.hline())"
    return _page(dice, f"#show figure: set block(breakable: true)\n{_figure(table)}"), [grid_of([head, *rows])]


EAST_ASIAN_FONTS = ("Noto Sans CJK SC", "Droid Sans Fallback")
"""Fonts with ideographs, of which the style "Chinese" needs one."""


def chinese(dice: random.Random) -> tuple[str, list[Grid]]:
    """Ideographs in the cells."""
    head = ["样品", "温度", "能隙"]
    rows = [[name, number(dice), number(dice)] for name in ("铜氧化物", "铁基材料", "镍酸盐", "重费米子")]
    table = _figure(_booktabs(3, _cells(head), rows))
    fonts = ", ".join(f'"{name}"' for name in ("New Computer Modern", *EAST_ASIAN_FONTS))
    return f"#set text(font: ({fonts}))\n" + _page(dice, table), [grid_of([head, *rows])]


def nothing(dice: random.Random) -> tuple[str, list[Grid]]:
    """A matrix, an algorithm and a listing: no table."""
    matrix = "$ M = mat(1, 0, 0; 0, cos x, -sin x; 0, sin x, cos x), quad v = vec(1, 2, 3) $"
    steps = "*Algorithm 1* Search \\ 1: *for* each node *do* \\ 2: #h(1em) pop the queue \\ 3: *end for*"
    rules = "#block(stroke: (top: .8pt, bottom: .8pt), inset: 5pt, width: 100%)"
    code = "```\nfor k in range(10):\n    total += values[k]\n    print(k,    total)\n```"
    return _page(dice, f"{matrix}\n\n{paragraph(dice, 2)}\n\n{rules}[{steps}]\n\n{code}"), []


LATEX = r"""\documentclass[%s]{article}
\usepackage{booktabs,longtable,rotating,array}
\begin{document}
%s

%s

%s
\end{document}
"""


def latex_nested(dice: random.Random) -> tuple[str, list[Grid]]:
    """LaTeX: booktabs with cmidrules, notes under the table."""
    rows = _plain(body(dice, 6, 5))
    heads = [["Sample", "Normal", "", "Super", ""], ["", "a", "c", "Gap", "Field"]]
    inner = "\\\\\n".join(" & ".join(row) for row in rows)
    table = (
        "\\begin{table}[h]\\centering\\caption{Values of the samples.}\n\\begin{tabular}{lcccc}\\toprule\n"
        "Sample & \\multicolumn{2}{c}{Normal} & \\multicolumn{2}{c}{Super}\\\\\\cmidrule(lr){2-3}\\cmidrule(lr){4-5}\n"
        f" & a & c & Gap & Field\\\\\\midrule\n{inner}\\\\\\bottomrule\\end{{tabular}}\n\n"
        "\\footnotesize $^a$ Measured at low field. $^b$ From neutrons.\n\\end{table}"
    )
    grid = grid_of([*heads, *rows], {(0, 0): (2, 1), (0, 1): (1, 2), (0, 3): (1, 2)})
    return LATEX % ("", paragraph(dice, 6), table, paragraph(dice, 8)), [grid]


def latex_long(dice: random.Random) -> tuple[str, list[Grid]]:
    """LaTeX: longtable over pages, its caption marked as continued."""
    head = ["Sample", "Tc", "Gap"]
    rows = _plain(body(dice, 70, 3))
    inner = "\\\\\n".join(" & ".join(row) for row in rows)
    names = " & ".join(head)
    table = (
        f"\\begin{{longtable}}{{lrr}}\\caption{{Long values.}}\\\\\\toprule {names}\\\\\\midrule\\endfirsthead\n"
        f"\\caption[]{{Long values. (continued)}}\\\\\\toprule {names}\\\\\\midrule\\endhead\n"
        f"\\midrule\\multicolumn{{3}}{{r}}{{Continued on next page}}\\\\\\endfoot\\bottomrule\\endlastfoot\n"
        f"{inner}\\\\\n\\end{{longtable}}"
    )
    return LATEX % ("", paragraph(dice, 6), table, paragraph(dice, 8)), [grid_of([head, *rows])]


def latex_sideways(dice: random.Random) -> tuple[str, list[Grid]]:
    """LaTeX: a table turned on a page of its own."""
    head = ["Sample", "A", "B", "C", "D"]
    rows = _plain(body(dice, 8, 5))
    inner = "\\\\\n".join(" & ".join(row) for row in rows)
    table = (
        "\\begin{sidewaystable}\\centering\\caption{Turned values of the samples.}\n\\begin{tabular}{lrrrr}\\toprule\n"
        f"{' & '.join(head)}\\\\\\midrule\n{inner}\\\\\\bottomrule\\end{{tabular}}\\end{{sidewaystable}}"
    )
    return LATEX % ("", paragraph(dice, 6), table, paragraph(dice, 8)), [grid_of([head, *rows])]


def latex_bars(dice: random.Random) -> tuple[str, list[Grid]]:
    """LaTeX: upright rules, a rule under the head and partial rules, in one of two columns."""
    rows = _plain(body(dice, 5, 3))
    inner = "\\\\\n".join(" & ".join(row) for row in rows)
    table = (
        "\\begin{table}[t]\\centering\\caption{Values of the samples.}\n\\begin{tabular}{|l|c|c|}\\hline\n"
        f"Sample & \\multicolumn{{2}}{{c|}}{{Measured}}\\\\\\cline{{2-3}}\n & Tc & Gap\\\\\\hline\n"
        f"{inner}\\\\\\hline\\end{{tabular}}\\end{{table}}"
    )
    grid = grid_of([["Sample", "Measured", ""], ["", "Tc", "Gap"], *rows], {(0, 0): (2, 1), (0, 1): (1, 2)})
    return LATEX % ("twocolumn", paragraph(dice, 20), table, paragraph(dice, 40)), [grid]


def _plain(rows: list[list[str]]) -> list[list[str]]:
    """Rows without signs that plain LaTeX does not set."""
    return [
        [text.replace("−", "").replace(" ± ", "(") + (")" if " ± " in text else "") for text in row] for row in rows
    ]


STYLES = {
    "nested, ruled": lambda dice: nested(dice, ruled=True),
    "nested, no rule": lambda dice: nested(dice, ruled=False),
    "stub": stub,
    "unruled": unruled,
    "wrapped": wrapped,
    "centred row spans": centred_rows,
    "grid with spans": grid_spans,
    "one of two columns": column,
    "side by side": pair,
    "turned": turned,
    "over pages": broken,
    "Chinese": chinese,
    "no table": nothing,
    "LaTeX booktabs": latex_nested,
    "LaTeX longtable": latex_long,
    "LaTeX sidewaystable": latex_sideways,
    "LaTeX bars": latex_bars,
}


def missing_part(style: str) -> str:
    """What this machine lacks to typeset a style, empty where it has everything."""
    if style.startswith("LaTeX") and shutil.which("pdflatex") is None:
        return "no pdflatex (Debian: apt-get install texlive-latex-recommended)"
    if style == "Chinese" and not set(EAST_ASIAN_FONTS) & set(typst.Fonts().families()):
        return "no font with ideographs (Debian: apt-get install fonts-droid-fallback)"
    return ""


def make_tables(style: str, seed: int) -> Made:
    """The document of a style and a seed."""
    source, grids = STYLES[style](random.Random(seed))
    data = _latex(source) if style.startswith("LaTeX") else typst.compile(source.encode())
    return Made(style, data, grids)


def _latex(source: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.tex"
        path.write_text(source, encoding="utf-8")
        for _ in range(3 if "longtable}{" in source else 1):
            subprocess.run(
                ["pdflatex", "-interaction=batchmode", "page.tex"], cwd=folder, capture_output=True, check=True
            )
        return path.with_suffix(".pdf").read_bytes()
