"""Text: characters, accents, fonts, and the commands whose arguments are passed over or kept."""

import re
import unicodedata

from pincite_papers.latex import atoms
from pincite_papers.latex.counters import FORMATS
from pincite_papers.latex.inline import Script
from pincite_papers.latex.symbols import kind_of
from pincite_papers.latex.tex import Handler, Tex

_LIGATURES = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("?`", "¿"), ("!`", "¡"), ("`", "‘"), ("'", "’"))
_ACCENTS = {
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    '"': "\u0308",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "d": "\u0323",
    "b": "\u0331",
    "r": "\u030a",
    "k": "\u0328",
    "t": "\u0361",
}
_DOTLESS = {"ı": "i", "ȷ": "j"}
_SPACES = (
    ",",
    ":",
    ";",
    ">",
    " ",
    "quad",
    "qquad",
    "enspace",
    "enskip",
    "thinspace",
    "medspace",
    "thickspace",
    "space",
)
_NOTHING = ("!", "/", "-", "@", "negthinspace", "relax", "protect", "leavevmode", "null", "ignorespaces", "unskip")
_KEPT_SIGNS = "%&#_${}"
_CODE = re.compile(r"(\"(?=[0-9A-F])|'(?=[0-7])|(?=\d))([0-9A-F]{1,4})(?![0-9A-F])\s?|`(.)")


def character(tex: Tex, lexeme: str) -> None:
    """A token that is not a command or brace."""
    if lexeme == "$":
        _dollar(tex)
    elif lexeme in ("^", "_"):
        if tex.math:
            atoms.script(tex, 1 if lexeme == "^" else -1)
        else:
            tex.out.add(lexeme)
    elif lexeme == "~" or lexeme == "&":
        tex.out.add(" ")
    elif tex.math:
        atoms.chunk(tex, lexeme)
    else:
        tex.out.add(ligatures(lexeme))


def ligatures(text: str) -> str:
    """Text with its dashes and quotation marks."""
    if "-" in text or "`" in text or "'" in text:
        for typed, printed in _LIGATURES:
            text = text.replace(typed, printed)
    return text


def _dollar(tex: Tex) -> None:
    """A formula in the text, up to its closing sign; a paragraph's end closes one that was left open."""
    if tex.math or tex.too_deep:
        return
    follows = tex.reader.raw()
    if follows == "$":
        tex.begin("displaymath$")
        return
    if follows is not None:
        tex.reader.unread(follows)
    inline_formula(tex, "$")


def inline_formula(tex: Tex, close: str) -> None:
    """A formula in the text up to ``close``."""
    tex.out.last, tex.out.atoms, tex.out.loose = "", 0, False
    with tex.mode(math=True, tight=False):
        stop = tex.run(close, "\\par")
    atoms.close(tex.out)
    if stop == "\\par":
        tex.warn("A formula in the text is not closed.")
        tex.par()


def _accent(mark: str) -> Handler:
    def handle(tex: Tex) -> None:
        content = tex.group(math=False)
        text = content.plain()
        if not text:
            tex.out.add(mark if mark != "\u0361" else "")
            return
        first = _DOTLESS.get(text[0], text[0])
        tex.out.add(unicodedata.normalize("NFC", first + mark) + text[1:])

    return handle


def _word(text: str) -> Handler:
    return lambda tex: tex.out.add(text)


def _sign(text: str) -> Handler:
    def handle(tex: Tex) -> None:
        if tex.math:
            atoms.atom(tex, text, kind_of(text) if text in "{}" else "ord")
        else:
            tex.out.add(text)

    return handle


def _nothing(tex: Tex) -> None:
    """A command that prints nothing."""


def _script(level: int) -> Handler:
    def handle(tex: Tex) -> None:
        content = tex.group(math=False, tight=True)
        if not content.empty():
            tex.out.parts.append(Script(level, content))

    return handle


def passing(specification: str) -> Handler:
    """Passes over arguments: ``*`` a star, ``o`` an optional one, ``p`` one in parentheses, ``m`` a plain one.

    A ``t`` is an argument whose text is kept: it is read on from where it stands.
    """

    def handle(tex: Tex) -> None:
        for kind in specification:
            if kind == "*":
                tex.reader.star()
            elif kind == "o":
                tex.reader.optional()
            elif kind == "p":
                tex.reader.optional("(", ")")
            elif kind == "m":
                tex.reader.argument()
            elif kind == "t":
                tex.reader.skip_spaces()

    return handle


def _upright(tex: Tex) -> None:
    if tex.math:
        tex.set_upright()


def _phrase(before: str, after: str) -> Handler:
    def handle(tex: Tex) -> None:
        content = tex.group()
        tex.out.add(before)
        tex.out.extend(content)
        tex.out.add(after)

    return handle


def _cased(tex: Tex) -> None:
    content = tex.group()
    for part in content.parts:
        if hasattr(part, "text"):
            tex.out.add(part.text.upper(), italic=part.italic)  # type: ignore[union-attr]
        else:
            tex.out.parts.append(part)


def _first_of_two(tex: Tex) -> None:
    """``\\texorpdfstring{printed}{plain}``."""
    printed = tex.reader.argument()
    tex.reader.argument()
    tex.reader.push(["{", *printed, "}"])


def _break(tex: Tex) -> None:
    tex.reader.star()
    tex.reader.dimension()
    tex.out.add(" ")


def _number(style: str) -> Handler:
    def handle(tex: Tex) -> None:
        tex.out.add(FORMATS[style](tex.counters.get(tex.reader.text_argument())))

    return handle


def _value(tex: Tex) -> None:
    tex.out.add(str(tex.counters.get(tex.reader.text_argument())))


def _code(tex: Tex) -> None:
    """``\\char"5C``, ``\\char'134``, ``\\char92`` and ``\\char`a``."""
    text = tex.reader.peek()
    match = _CODE.match(text)
    if match is None:
        return
    tex.reader.raw()
    if rest := text[match.end() :]:
        tex.reader.unread(rest)
    digits, base = match[2] or "", {'"': 16, "'": 8}.get(match[1] or "", 10)
    known = all(digit in "0123456789ABCDEF"[:base] for digit in digits)
    number = ord(match[3]) if match[3] else int(digits, base) if known else 0
    if 32 <= number < 127:
        tex.out.add(chr(number))


def _ion(tex: Tex) -> None:
    """``\\ion{He}{2}`` prints He II."""
    tex.out.extend(tex.group(math=False))
    stage = tex.group(math=False).plain()
    small = stage.isascii() and stage.isdecimal() and len(stage) < 3
    tex.out.add(" " + (FORMATS["Roman"](int(stage)) if small else stage.upper()))


def _space_if_needed(tex: Tex) -> None:
    """``\\xspace``: a space, unless a mark or the end of a group follows."""
    follows = tex.reader.raw()
    if follows is None:
        return
    tex.reader.unread(follows)
    if follows[0] not in ".,;:!?)]}/'~-" and not follows.startswith(("\\ ", "\\,", "\\/", "{", "\\xspace")):
        tex.out.add(" ")


def _literal(tex: Tex) -> None:
    """``\\string``: the next command as it is written."""
    lexeme = tex.reader.raw()
    if lexeme is not None:
        tex.out.add(lexeme)


def _open_formula(tex: Tex) -> None:
    inline_formula(tex, "\\)")


def _open_display(tex: Tex) -> None:
    tex.begin("displaymath[")


def _at_letter(*, on: bool) -> Handler:
    def handle(tex: Tex) -> None:
        lexer = tex.reader.innermost_file()
        if lexer is not None and not (tex.in_list and not on):
            lexer.at_letter = on

    return handle


def handlers() -> dict[str, Handler]:
    """What commands of text mean, by their names with the backslash."""
    found: dict[str, Handler] = {"\\" + mark: _accent(code) for mark, code in _ACCENTS.items()}
    found |= {"\\" + name: _word(" ") for name in _SPACES}
    found |= {"\\" + name: _nothing for name in _NOTHING}
    found |= {"\\" + sign: _sign(sign) for sign in _KEPT_SIGNS}
    found |= {"\\" + name: _number(name) for name in ("arabic", "roman", "Roman", "alph", "Alph", "fnsymbol")}
    found |= dict.fromkeys(("\\rm", "\\sf", "\\tt", "\\bf", "\\upshape", "\\rmfamily"), _upright)
    found |= dict.fromkeys(("\\uppercase", "\\MakeUppercase", "\\MakeTextUppercase"), _cased)
    return found | {
        "\\textsuperscript": _script(1),
        "\\textsubscript": _script(-1),
        "\\up": _script(1),
        "\\enquote": _phrase("“", "”"),
        "\\textquote": _phrase("“", "”"),
        "\\texorpdfstring": _first_of_two,
        "\\\\": _break,
        "\\newline": _break,
        "\\linebreak": _break,
        "\\value": _value,
        "\\par": Tex.par,
        "\\ion": _ion,
        "\\xspace": _space_if_needed,
        "\\char": _code,
        "\\string": _literal,
        "\\makeatletter": _at_letter(on=True),
        "\\makeatother": _at_letter(on=False),
        "\\(": _open_formula,
        "\\)": _nothing,
        "\\[": _open_display,
        "\\]": _nothing,
    }
