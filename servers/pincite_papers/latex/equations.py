"""Displayed formulas, one block a row with its printed number, and rows inside of formulas."""

from pincite_papers.latex.inline import Inline, Ref, Script
from pincite_papers.latex.items import BlockItem
from pincite_papers.latex.reader import Macro
from pincite_papers.latex.state import Target
from pincite_papers.latex.symbols import kind_of
from pincite_papers.latex.tex import EnvironmentHandler, Handler, Tex
from pincite_papers.latex.text_commands import inline_formula
from pincite_papers.model import BlockKind

_ONE = ("equation", "math", "displaymath", "dmath", "multline", "empheq")
_ROWS = ("align", "gather", "eqnarray", "flalign", "alignat", "xalignat", "IEEEeqnarray", "dgroup", "subeqnarray")
_FENCES = {
    "pmatrix": "()",
    "bmatrix": "[]",
    "Bmatrix": "{}",
    "vmatrix": "||",
    "Vmatrix": "‖‖",
    "matrix": ("", ""),
    "smallmatrix": ("", ""),
    "cases": ("{", ""),
    "dcases": ("{", ""),
    "rcases": ("", "}"),
}
_ALIGNED = (
    "aligned",
    "split",
    "gathered",
    "alignedat",
    "array",
    "multlined",
    "subarray",
    "IEEEeqnarraybox",
    "lgathered",
)
_ARGUMENT = frozenset(
    ("alignat", "xalignat", "alignedat", "array", "IEEEeqnarray", "subarray", "empheq", "IEEEeqnarraybox")
)
_BREAKS = ("\\\\", "\\cr", "\\tabularnewline")


def _display(tex: Tex, name: str) -> None:
    """An environment of numbered or unnumbered formulas."""
    plain = name.rstrip("*")
    tex.reader.optional()
    if plain in _ARGUMENT:
        tex.reader.argument()
    if tex.nested:
        with tex.mode(math=True, tight=False):
            tex.body(name)
        return
    tex.par()
    numbered = not name.endswith("*") and plain not in ("math", "displaymath")
    joined = plain in ("multline", "dmath", "equation")
    content, labels = Inline(), list[str]()
    while True:
        tex.numbered_row, tex.row_tag, tex.row_labels = numbered, None, [*labels]
        stop = _row(tex, name, content)
        labels, tex.row_labels = tex.row_labels or [], None
        if joined and stop in _BREAKS:
            content.add(" ")
            continue
        _finish(tex, content, labels)
        if stop not in _BREAKS:
            return
        content, labels = Inline(), []


def _row(tex: Tex, name: str, content: Inline) -> str:
    """Read a row of aligned formulas."""
    columns = 0
    with tex.into(content), tex.mode(math=True, tight=False):
        while True:
            stop = tex.body(name, "&", *_BREAKS)
            if stop != "&":
                break
            columns += 1
            if columns % 2 == 0:
                content.add("   ")
                content.last = ""
    if stop in _BREAKS:
        tex.reader.star()
        tex.reader.dimension()
    return stop


def _finish(tex: Tex, content: Inline, labels: list[str]) -> None:
    """Append a row as an EQUATION, with its number or tag; labels name it."""
    number = ""
    shown = Inline()
    if tex.row_tag is not None:
        shown, number = tex.row_tag, tex.row_tag.plain().strip("()")
        tex.here = Target(number, "equation")
    elif tex.numbered_row and not content.empty():
        number = tex.step("equation")
        shown.add(f"({number})")
    for label in labels:
        tex.labels.setdefault(label, Target(number, "equation") if number else tex.here)
    if content.empty():
        return
    if not shown.empty():
        content.add(" ")
        content.extend(shown)
    tex.items.append(BlockItem(BlockKind.EQUATION, content))


def _between_signs(close: str) -> EnvironmentHandler:
    """``$$...$$`` and ``\\[...\\]``."""

    def handle(tex: Tex, name: str) -> None:
        if tex.nested:
            inline_formula(tex, close)
        else:
            tex.par()
            tex.numbered_row, tex.row_tag, tex.row_labels = False, None, []
            content = Inline()
            with tex.into(content), tex.mode(math=True, tight=False):
                stop = tex.run(close, "\\par")
            labels, tex.row_labels = tex.row_labels or [], None
            _finish(tex, content, labels)
            if stop != close:
                return
        if close == "$":
            follows = tex.reader.raw()
            if follows is not None and follows != "$":
                tex.reader.unread(follows)

    return handle


def _inner(tex: Tex, name: str) -> None:
    """Rows in a formula: a matrix ``(a, b; c, d)``, cases ``{x, if a; y, otherwise``, aligned parts."""
    plain = name.rstrip("*")
    tex.reader.optional()
    if plain in _ARGUMENT:
        tex.reader.argument()
    left, right = _FENCES.get(plain, ("", ""))
    rows = _inner_rows(tex, name, " " if plain in _ALIGNED and plain != "array" else ", ")
    tex.out.add(left)
    for index, row in enumerate(rows):
        if index:
            first = row.plain()[:1]
            carries_on = plain in _ALIGNED and kind_of(first) in ("rel", "bin") if first else False
            if not carries_on:
                tex.out.strip_end(" ,")
            tex.out.add(" " if carries_on else "; ")
        tex.out.extend(row)
    tex.out.add(right)
    tex.out.last = "close"
    tex.out.atoms += 1
    tex.out.loose = tex.out.loose or not right


def _inner_rows(tex: Tex, name: str, between: str) -> list[Inline]:
    rows: list[Inline] = []
    while True:
        row, first = Inline(), True
        while True:
            cell = Inline()
            if not first and between == " ":
                cell.last = row.last
            with tex.into(cell), tex.mode(math=True, tight=False):
                stop = tex.body(name, "&", *_BREAKS)
            if not first and not cell.empty() and (between != " " or not _joins(cell)):
                row.add(between)
            row.extend(cell)
            row.last, first = cell.last, False
            if stop != "&":
                break
        if not row.empty():
            rows.append(row)
        if stop not in _BREAKS:
            return rows
        tex.reader.star()
        tex.reader.dimension()


def _joins(cell: Inline) -> bool:
    return kind_of(cell.plain()[:1] or " ") in ("rel", "bin")


def _subequations(tex: Tex, name: str) -> None:
    """Numbers such as 3a and 3b."""
    tex.reader.optional()
    parent = tex.step("equation")
    before = tex.reader.macros.get("\\theequation")
    value = tex.counters.get("equation")
    tex.counters.set("equation", 0)
    tex.reader.macros["\\theequation"] = Macro((parent, "\\alph", "{", "equation", "}"))

    def end() -> None:
        tex.counters.set("equation", value)
        if before is not None:
            tex.reader.macros["\\theequation"] = before

    tex.enter(name, end)


def _tag(tex: Tex) -> None:
    bare = tex.reader.star()
    content = tex.group(math=False)
    tag = Inline()
    tag.add("" if bare else "(")
    tag.extend(content)
    tag.add("" if bare else ")")
    tex.row_tag = tag


def _unnumbered(tex: Tex) -> None:
    tex.numbered_row = False


def _reference(command: str) -> Handler:
    def handle(tex: Tex) -> None:
        tex.reader.star()
        labels = tuple(label.strip() for label in tex.reader.text_argument().split(","))
        tex.refer(Ref(command, labels))

    return handle


def _linked_reference(tex: Tex) -> None:
    """``\\hyperref[label]{text}``: the text is printed."""
    if tex.reader.optional() is None:
        tex.reader.argument()
        tex.reader.argument()
        tex.reader.argument()
    tex.reader.skip_spaces()


def _math_script(level: int) -> Handler:
    def handle(tex: Tex) -> None:
        body = tex.group(math=True, tight=True)
        tex.out.parts.append(Script(level, body))

    return handle


def commands() -> dict[str, Handler]:
    """What commands of numbered formulas and references mean."""
    names = ("ref", "eqref", "autoref", "cref", "Cref", "pageref", "vref", "Vref", "nameref", "fullref", "labelcref")
    return {
        "\\tag": _tag,
        "\\nonumber": _unnumbered,
        "\\notag": _unnumbered,
        "\\hyperref": _linked_reference,
        "\\hyperlink": lambda tex: (tex.reader.argument(), tex.reader.skip_spaces())[-1],
        "\\hypertarget": lambda tex: (tex.reader.argument(), tex.reader.skip_spaces())[-1],
        "\\sp": _math_script(1),
        "\\sb": _math_script(-1),
        **{"\\" + name: _reference(name) for name in names},
    }


def environments() -> dict[str, EnvironmentHandler]:
    """What environments of formulas mean."""
    found: dict[str, EnvironmentHandler] = {}
    for name in (*_ONE, *_ROWS):
        found[name] = found[name + "*"] = _display
    for name in (*_FENCES, *_ALIGNED):
        found[name] = found[name + "*"] = _inner
    found["subequations"] = _subequations
    found["displaymath$"] = _between_signs("$")
    found["displaymath["] = _between_signs("\\]")
    return found
