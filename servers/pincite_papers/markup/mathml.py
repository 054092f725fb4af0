"""MathML as linear text: ``E = mc^2``, ``x_{i+1}``, ``(a + b)/2``, ``∑_{i=1}^n``; invisible operators are left out."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence

from pincite_papers.characters import is_one_bracket
from pincite_papers.markup.elements import Element, local_name, plain_text
from pincite_papers.markup.run import Run

_RELATIONS = frozenset([*"=≠≡≈≃≅∼~∝<>≤≥≪≫≲≳⩽⩾∈∉⊂⊆⊃⊇→←↔⇒⇐⇔⟶⟹⟵⇌↦⊥≔", ":=", "<=", ">=", "==", "!="])
_BINARY = frozenset(["+", "-", "−", "±", "∓", "×", "⋅", "·", "∗", "÷", "∪", "∩", "∧", "∨", "⊕", "⊗", "∘", "mod"])
_COMMAS = frozenset(",;")
_OPENING = frozenset(["(", "[", "{", "⟨", "⌈", "⌊", "‖", "|"])
_ACCENTS = {
    **dict.fromkeys("\u00af\u203e\u0305\u0304\u2015_-\u2212", "\u0304"),
    **dict.fromkeys("^\u02c6\u0302", "\u0302"),
    **dict.fromkeys("~\u02dc\u0303\u223c", "\u0303"),
    **dict.fromkeys("\u2192\u20d7", "\u20d7"),
    **dict.fromkeys("\u02d9.\u0307", "\u0307"),
    **dict.fromkeys("\u00a8\u0308", "\u0308"),
    **dict.fromkeys("\u02c7\u030c", "\u030c"),
    **dict.fromkeys("\u02d8\u0306", "\u0306"),
}
"""Bars, hats, tildes, arrows, dots and so on as the combining character of each."""
_SPACED = {"\u0304": "\u00af", "\u0302": "\u02c6", "\u0303": "~", "\u20d7": "→", "\u0307": "\u02d9", "\u0308": "\u00a8"}
"""What stands for an accent over more than one letter."""
_PRIMES = frozenset("\u2032\u2033\u2034\u2057'")
_LARGE = frozenset("∑∏∫∬∭∮⋃⋂⨁⨂∐")
_ROWS = ("mrow", "mstyle", "mpadded")
_LEFT_OUT = frozenset({"annotation", "annotation-xml", "mphantom", "none", "mprescripts", "maligngroup", "malignmark"})


def math_run(math: Element) -> Run:
    """A ``math`` element (of lxml, with or without its namespace) as a run."""
    run = Run()
    _row(_children(math), run, tight=False)
    return run


def _children(element: Element) -> list[Element]:
    return [child for child in element if (name := local_name(child)) and name not in _LEFT_OUT]


def _row(children: Sequence[Element], run: Run, *, tight: bool) -> None:
    """Children side by side; operators between two operands stand between spaces, unless in a script (``tight``)."""
    after_operand, before = False, ""
    for index, child in enumerate(children):
        name = local_name(child)
        if name == "mo":
            mark = _operator(plain_text(child), run, after_operand=after_operand, tight=tight)
            after_operand = bool(mark) and mark not in _RELATIONS | _BINARY | _OPENING and mark not in _COMMAS
            before = mark
            continue
        part = Run()
        _element(child, part, tight=tight)
        text = str(part)
        if not text:
            run.add_run(part)
            continue
        if _is_word(before, text):
            run.add(" ")
        if _is_fraction(child) and (after_operand or _is_factor(children[index + 1 : index + 2])):
            part = Run().add("(").add_run(part).add(")")
        run.add_run(part)
        after_operand, before = True, text


def _is_fraction(element: Element) -> bool:
    while local_name(element) in _ROWS and len(element) == 1:
        element = element[0]
    return local_name(element) == "mfrac"


def _is_factor(following: Sequence[Element]) -> bool:
    """Whether what follows a fraction multiplies it without a sign between them."""
    if not following:
        return False
    first = following[0]
    while local_name(first) in _ROWS and len(first):
        first = first[0]
    if local_name(first) in ("mspace", "mtext"):
        return False
    return local_name(first) != "mo" or plain_text(first) in {*_OPENING, "\u2062", "\u2061"}


def _is_word(before: str, text: str) -> bool:
    """Whether a space must part two neighbours: names of functions and words, not the letters of a product."""
    if not before[-1:].isalnum() or not text[:1].isalpha():
        return False
    return _last_word(before) > 1 or _first_word(text) > 1


def _last_word(text: str) -> int:
    return len(text) - len(text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))


def _first_word(text: str) -> int:
    return len(text) - len(text.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))


def _operator(mark: str, run: Run, *, after_operand: bool, tight: bool) -> str:
    """Append an operator as print spaces it; returns it as it is written."""
    mark = mark.strip("\u2061\u2062\u2063\u2064")
    if not mark:
        return ""
    if mark in _COMMAS:
        run.add(mark if tight else f"{mark} ")
    elif not tight and (
        mark in _RELATIONS or (mark in _BINARY and after_operand) or (len(mark) > 1 and mark.isalpha())
    ):
        run.add(f" {mark} ")
    else:
        run.add(mark)
    return mark


def _element(element: Element, run: Run, *, tight: bool) -> None:
    """Append one element that is not an operator in a row."""
    name = local_name(element)
    shape = _SHAPES.get(name)
    children = _children(element)
    if name in ("mi", "mn", "mtext", "ms", "ci", "cn"):
        text = "".join(element.itertext())
        run.add(text if name == "mtext" else text.strip(), italic=name == "mi" and len(text.strip()) == 1)
    elif name == "mo":
        _operator(plain_text(element), run, after_operand=False, tight=True)
    elif name == "mspace":
        if not element.get("width", "0").startswith(("0e", "0p", "-")) and element.get("width", "0") != "0":
            run.add(" ")
    elif name in ("semantics", "maction"):
        _row(children[:1], run, tight=tight)
    elif shape is not None and children:
        shape(element, children, run, tight)
    else:
        _row(children, run, tight=tight)
        if not children and element.text:
            run.add(element.text)


def _part(element: Element, *, tight: bool) -> Run:
    run = Run()
    _element(element, run, tight=tight)
    return run


def _add_scripts(run: Run, scripts: Iterable[tuple[int, Element]]) -> None:
    for level, script in scripts:
        part = _part(script, tight=True)
        if level == 1 and _PRIMES.issuperset(str(part)):
            run.add_run(part)
        else:
            run.add_script(level, part)


def _script(element: Element, children: list[Element], run: Run, tight: bool) -> None:
    levels = {"msub": (-1,), "munder": (-1,), "msup": (1,), "mover": (1,)}.get(local_name(element), (-1, 1))
    run.add_run(_part(children[0], tight=tight).stripped())
    _add_scripts(run, zip(levels, children[1:], strict=False))


def _accented(element: Element, children: list[Element], run: Run, tight: bool) -> None:
    """An accent over one letter is its combining character; over more than that, and limits, a superscript."""
    base = _part(children[0], tight=tight)
    accent = _ACCENTS.get(plain_text(children[1])) if len(children) > 1 else None
    letter = str(base)
    single = sum(not unicodedata.combining(mark) for mark in letter) == 1
    if accent is not None and single and letter not in _LARGE and letter not in _RELATIONS:
        run.add(letter + accent, italic=True)
    elif accent is not None:
        run.add_run(base.stripped()).add_script(1, Run().add(_SPACED.get(accent, accent)))
    else:
        _add_scripts(run.add_run(base.stripped()), [(1, over) for over in children[1:2]])


def _multiscripts(element: Element, children: list[Element], run: Run, tight: bool) -> None:
    """Scripts before the base, then the base, then those behind it, each a subscript and superscript in turn."""
    before: list[tuple[int, Element]] = []
    behind: list[tuple[int, Element]] = []
    at, level = behind, -1
    for child in element:
        if not local_name(child) or child is children[0]:
            continue
        if local_name(child) == "mprescripts":
            at, level = before, -1
            continue
        at.append((level, child))
        level = -level
    _add_scripts(run, before)
    _element(children[0], run, tight=tight)
    _add_scripts(run, behind)


def _fraction(element: Element, children: list[Element], run: Run, tight: bool) -> None:
    for index, part in enumerate(children):
        run.add("/" if index else "").add_run(_grouped(part))


def _grouped(element: Element) -> Run:
    """In brackets unless it is one symbol, number, word or bracket already."""
    part = _part(element, tight=False)
    text = str(part)
    closed = text[:1] in "([{" and text[-1:] in ")]}" and is_one_bracket(text)
    simple = not any(mark in text for mark in " +-−/,·×") and (text.isalnum() or len(_children(element)) <= 1)
    if closed or simple:
        return part
    return Run().add("(").add_run(part).add(")")


def _root(element: Element, children: list[Element], run: Run, tight: bool) -> None:
    if local_name(element) == "mroot" and len(children) > 1:
        index = plain_text(children[1])
        sign = {"3": "∛", "4": "∜"}.get(index)
        if sign is None:
            run.add_script(1, Run().add(index))
        run.add(sign or "√").add_run(_grouped(children[0]))
        return
    inner = Run()
    _row(children, inner, tight=False)
    simple = str(inner).isalnum()
    run.add("√").add_run(inner) if simple else run.add("√(").add_run(inner).add(")")


def _fenced(element: Element, children: list[Element], run: Run, tight: bool) -> None:
    marks = "".join(element.get("separators", ",").split())
    run.add(element.get("open", "("))
    for index, child in enumerate(children):
        if index and marks:
            mark = marks[min(index, len(marks)) - 1]
            run.add(mark if tight else f"{mark} ")
        _element(child, run, tight=tight)
    run.add(element.get("close", ")"))


def _table(element: Element, children: list[Element], run: Run, tight: bool) -> None:
    """Rows parted by semicolons; the cells of a matrix by commas, those of aligned equations by spaces."""
    fenced = element.getparent()
    between = ", " if fenced is not None and _is_matrix(element, fenced) else " "
    for index, row in enumerate(children):
        if index:
            run.add("; ")
        for place, cell in enumerate(_children(row)):
            if place:
                run.add(between)
            _row(_children(cell), run, tight=False)


def _is_matrix(table: Element, parent: Element) -> bool:
    if local_name(parent) == "mfenced":
        return parent.get("close", ")") != ""
    previous, following = table.getprevious(), table.getnext()
    return (
        previous is not None
        and following is not None
        and plain_text(previous) in _OPENING
        and bool(plain_text(following))
    )


_SHAPES: dict[str, Callable[[Element, list[Element], Run, bool], None]] = {
    "msub": _script,
    "msup": _script,
    "msubsup": _script,
    "munder": _script,
    "munderover": _script,
    "mover": _accented,
    "mmultiscripts": _multiscripts,
    "mfrac": _fraction,
    "msqrt": _root,
    "mroot": _root,
    "mfenced": _fenced,
    "mtable": _table,
}
