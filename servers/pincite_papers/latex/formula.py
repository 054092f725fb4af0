"""Formulas as linear text: ``E = mc^2``, ``(a + b)/2``, ``√(x + 1)``, ``∑_{i=1}^N``; a minus sign is U+2212."""

from pincite_papers.latex.atoms import AS_PRINTED, atom, grouped, put
from pincite_papers.latex.inline import Inline, Script, inline
from pincite_papers.latex.symbols import characters, kind_of, operators
from pincite_papers.latex.tex import Handler, Tex

_ACCENTS = {
    "hat": "\u0302",
    "widehat": "\u0302",
    "bar": "\u0304",
    "overline": "\u0305",
    "tilde": "\u0303",
    "widetilde": "\u0303",
    "vec": "\u20d7",
    "overrightarrow": "\u20d7",
    "dot": "\u0307",
    "ddot": "\u0308",
    "dddot": "\u20db",
    "check": "\u030c",
    "widecheck": "\u030c",
    "breve": "\u0306",
    "acute": "\u0301",
    "grave": "\u0300",
    "mathring": "\u030a",
}
_SPACING = {"hat": "^", "widehat": "^", "bar": "¯", "overline": "¯", "tilde": "~", "widetilde": "~", "vec": "→"}
_ROOTS = {"": "√", "2": "√", "3": "∛", "4": "∜"}
_DOUBLE = {"C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ", "1": "𝟙"}
_BIG = tuple(size + side for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m"))
_ARROWS = {"xrightarrow": "→", "xleftarrow": "←", "xRightarrow": "⇒", "xleftrightarrow": "↔", "xmapsto": "↦"}


def _fraction(tex: Tex) -> None:
    above, below = tex.group(math=True, upright=tex.upright), tex.group(math=True, upright=tex.upright)
    whole = Inline(atoms=1, loose=True)
    # A product above the line needs no bracket: ab/c is read as it is meant.
    whole.extend(grouped(above) if above.loose else above)
    whole.add("/")
    whole.extend(grouped(below))
    put(tex, whole, "frac")


def _unit_fraction(tex: Tex) -> None:
    """``\\nicefrac`` and ``\\sfrac``, in text too."""
    tex.reader.optional()
    _fraction(tex)


def _binomial(tex: Tex) -> None:
    above, below = tex.group(math=True), tex.group(math=True)
    content = Inline(atoms=1)
    content.add("(")
    content.extend(above)
    content.add(" choose ")
    content.extend(below)
    content.add(")")
    put(tex, content)


def _root(tex: Tex) -> None:
    taken = tex.reader.optional()
    degree = tex.render(taken, math=True) if taken else Inline()
    sign = _ROOTS.get(degree.plain())
    content = Inline(atoms=1)
    if sign is None:
        content.parts.append(Script(1, degree))
    content.add(sign or "√")
    below = tex.group(math=True)
    below.loose = below.loose or any(isinstance(part, Script) for part in below.parts)
    content.extend(grouped(below))
    put(tex, content)


def _accent(name: str) -> Handler:
    def handle(tex: Tex) -> None:
        content = tex.group(math=True, upright=tex.upright)
        text = content.plain()
        if len(text) == 1:
            atom(tex, text + _ACCENTS[name], "ord", italic=not tex.upright)
            return
        if text and name in _SPACING:
            content = grouped(content) if content.loose else content
            content.parts.append(Script(1, inline(_SPACING[name])))
        put(tex, content)

    return handle


def _fence(tex: Tex) -> None:
    """``\\left``, ``\\right`` and ``\\middle`` with the delimiter behind them."""
    tex.reader.skip_spaces()
    lexeme = tex.reader.next()
    if lexeme is None:
        return
    if lexeme[0] != "\\":
        if lexeme[1:]:
            tex.reader.unread(lexeme[1:])
        lexeme = lexeme[0]
        if lexeme == ".":
            return
        text = lexeme
    else:
        text = characters().get(lexeme[1:], "{" if lexeme == "\\{" else "}" if lexeme == "\\}" else "")
        if not text:
            tex.reader.unread(lexeme)
            return
    atom(tex, text, "open" if text in "([{⟨⌊⌈" else "close" if text in ")]}⟩⌋⌉" else "ord")


def _words(tex: Tex) -> None:
    """Text in a formula, its spaces kept; elsewhere just text."""
    if not tex.math:
        return
    content = tex.group(math=False)
    content.atoms = 1
    put(tex, content)


def _upright(tex: Tex) -> None:
    put(tex, tex.group(math=True, upright=True))


def _italic(tex: Tex) -> None:
    put(tex, tex.group(math=True))


def _blackboard(tex: Tex) -> None:
    content = tex.group(math=True, upright=True)
    text = content.plain()
    if text in _DOUBLE:
        atom(tex, _DOUBLE[text], "ord")
    else:
        put(tex, content)


def _operator_name(tex: Tex) -> None:
    tex.reader.star()
    content = tex.group(math=True, upright=True)
    content.atoms = 1
    put(tex, content, "op")


def _function(name: str) -> Handler:
    shown = {"liminf": "lim inf", "limsup": "lim sup", "injlim": "inj lim", "projlim": "proj lim"}.get(name, name)
    return lambda tex: atom(tex, shown, "op")


def _character(text: str) -> Handler:
    def handle(tex: Tex) -> None:
        if not tex.math:
            tex.out.add(text)
        else:
            atom(tex, text, kind_of(text) if len(text) == 1 else "ord", italic=text.isalpha() and not tex.upright)

    return handle


def _stacked(tex: Tex) -> None:
    """``\\overset{above}{base}``: the base with what is above it as a superscript."""
    above = tex.group(math=True, tight=True)
    _put_marked(tex, tex.group(math=True), 1, above)


def _put_marked(tex: Tex, base: Inline, level: int, script_body: Inline) -> None:
    """Append a symbol with a script; a relation keeps its spaces around both."""
    relation = base.last in ("rel", "bin")
    base.strip()
    if not script_body.empty():
        base.parts.append(Script(level, script_body))
    if relation:
        tex.out.add(" ")
    put(tex, base)
    if relation:
        tex.out.add(" ")
        tex.out.last = "rel"


def _understacked(tex: Tex) -> None:
    below = tex.group(math=True, tight=True)
    _put_marked(tex, tex.group(math=True), -1, below)


def _arrow(name: str) -> Handler:
    def handle(tex: Tex) -> None:
        tex.reader.optional()
        above = tex.group(math=True, tight=True)
        arrow = inline(_ARROWS[name])
        arrow.last = "rel"
        _put_marked(tex, arrow, 1, above)

    return handle


def _not(tex: Tex) -> None:
    tex.reader.skip_spaces()
    lexeme = tex.reader.next()
    if lexeme is None:
        return
    sign = characters().get(lexeme[1:], "") if lexeme[0] == "\\" else AS_PRINTED.get(lexeme[0], lexeme[0])
    if lexeme[0] != "\\" and lexeme[1:]:
        tex.reader.unread(lexeme[1:])
    atom(tex, {"=": "≠", "∈": "∉"}.get(sign, sign + "\u0338"), "rel")


def _mod(tex: Tex) -> None:
    content = inline("(mod ")
    content.extend(tex.group(math=True))
    content.add(")")
    tex.out.add(" ")
    put(tex, content)


def _prescript(tex: Tex) -> None:
    above, below = tex.group(math=True, tight=True), tex.group(math=True, tight=True)
    for level, part in ((1, above), (-1, below)):
        if not part.empty():
            tex.out.parts.append(Script(level, part))
    put(tex, tex.group(math=True))


def _general_fraction(tex: Tex) -> None:
    """``\\genfrac{left}{right}{thickness}{style}{above}{below}``."""
    left, right = (tex.group(math=True) for _ in range(2))
    line = tex.reader.text_argument()
    tex.reader.argument()
    above, below = (tex.group(math=True) for _ in range(2))
    whole = Inline(atoms=1, loose=left.empty())
    for part in (left, grouped(above), inline(" over " if line.startswith("0") else "/"), grouped(below), right):
        whole.extend(part)
    put(tex, whole, "frac")


def _dots_for(tex: Tex) -> None:
    tex.reader.optional()
    tex.reader.argument()
    atom(tex, "…", "ord")


def _colon(tex: Tex) -> None:
    atom(tex, ":", "punct")


def handlers() -> dict[str, Handler]:
    """What commands of formulas mean, by their names with the backslash."""
    found: dict[str, Handler] = {"\\" + name: _character(text) for name, text in characters().items()}
    found |= {"\\" + name: _function(name) for name in operators()}
    found |= {"\\" + name: _accent(name) for name in _ACCENTS}
    found |= {"\\" + name.capitalize(): _accent(name) for name in _ACCENTS if name.islower() and len(name) < 6}
    found |= {"\\" + name: _arrow(name) for name in _ARROWS}
    found |= dict.fromkeys(["\\" + name for name in _BIG] + ["\\left", "\\right", "\\middle"], _fence)
    found |= dict.fromkeys(("\\frac", "\\dfrac", "\\tfrac", "\\cfrac"), _fraction)
    found |= dict.fromkeys(("\\nicefrac", "\\sfrac", "\\flatfrac"), _unit_fraction)
    found |= dict.fromkeys(("\\binom", "\\dbinom", "\\tbinom"), _binomial)
    found |= dict.fromkeys(
        ("\\mathrm", "\\mathsf", "\\mathtt", "\\mathbf", "\\mathup", "\\symrm", "\\symup", "\\mathds"), _upright
    )
    found |= dict.fromkeys(("\\mathbb", "\\mathds", "\\Bbb", "\\mathbbm"), _blackboard)
    found |= dict.fromkeys(
        (
            "\\mathit",
            "\\mathnormal",
            "\\mathcal",
            "\\mathscr",
            "\\mathfrak",
            "\\boldsymbol",
            "\\bm",
            "\\bs",
            "\\pmb",
            "\\symbf",
            "\\underbrace",
            "\\overbrace",
            "\\underbar",
            "\\mathbin",
            "\\mathrel",
            "\\mathop",
            "\\mathord",
            "\\mathopen",
            "\\mathclose",
            "\\mathinner",
            "\\mathpunct",
        ),
        _italic,
    )
    return found | {
        "\\sqrt": _root,
        "\\operatorname": _operator_name,
        "\\overset": _stacked,
        "\\stackrel": _stacked,
        "\\underset": _understacked,
        "\\not": _not,
        "\\pmod": _mod,
        "\\pod": _mod,
        "\\prescript": _prescript,
        "\\colon": _colon,
        "\\genfrac": _general_fraction,
        "\\hdotsfor": _dots_for,
        "\\ensuremath": _italic,
        **dict.fromkeys(("\\text", "\\textnormal", "\\mbox", "\\hbox", "\\intertext", "\\shortintertext"), _words),
    }
