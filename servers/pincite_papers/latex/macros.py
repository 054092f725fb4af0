"""Definitions of macros: ``\\newcommand`` and its kin, ``\\def``, ``\\let``, ``\\NewDocumentCommand``, environments."""

from collections.abc import Callable, Sequence

from pincite_papers.latex.reader import Macro, Part, Reader

Defines = Callable[[Reader, Callable[[str, Macro], None]], None]
"""Reads a definition and hands the macro's name and itself on."""


def body_of(tokens: Sequence[str]) -> tuple[Part, ...]:
    """A macro's body with its parameters as numbers; ``##`` is a ``#`` of a definition inside."""
    found: list[Part] = []
    index = 0
    while index < len(tokens):
        lexeme = tokens[index]
        index += 1
        if lexeme != "#" or index >= len(tokens):
            found.append(lexeme)
            continue
        follows = tokens[index]
        if follows == "#":
            found.append("#")
            index += 1
        elif follows[0] in "123456789":
            found.append(int(follows[0]))
            if follows[1:]:
                found.append(follows[1:])
            index += 1
    return tuple(found)


def newcommand(reader: Reader, define: Callable[[str, Macro], None]) -> None:
    """``\\newcommand*{\\name}[count][default]{body}``."""
    reader.star()
    name = reader.argument()
    kinds, default = _parameters(reader)
    body = body_of(reader.argument())
    if name and name[0][0] == "\\":
        define(name[0], Macro(body, kinds, default))


def document_command(reader: Reader, define: Callable[[str, Macro], None]) -> None:
    """``\\NewDocumentCommand{\\name}{s o m O{default}}{body}``; other kinds of arguments are read as plain ones."""
    name = reader.argument()
    specification = reader.argument()
    kinds: list[str] = []
    default: tuple[str, ...] | None = None
    letters = "".join(lexeme if lexeme not in "{}" else " " for lexeme in specification)
    for letter in letters.replace("+", ""):
        if letter in "mrRv":
            kinds.append("m")
        elif letter in "oOdD":
            kinds.append("o")
        elif letter in "st":
            kinds.append("s")
    if "O" in specification and "{" in specification:
        start = specification.index("{")
        end = specification.index("}", start) if "}" in specification[start:] else start
        default = tuple(specification[start + 1 : end])
    body = body_of(reader.argument())
    if name and name[0][0] == "\\":
        define(name[0], Macro(body, "".join(kinds), default))


def def_command(reader: Reader, define: Callable[[str, Macro], None]) -> None:
    """``\\def\\name#1#2.{body}``: parameters plain or followed by marks."""
    name = reader.raw()
    if name is None:
        return
    pattern: list[str] = []
    while (lexeme := reader.raw()) is not None and lexeme != "{":
        if len(pattern) > 60 or lexeme == "\\par":
            return
        pattern.append(lexeme)
    reader.unread("{")
    body = body_of(reader.argument())
    lead: list[str] = []
    after: list[list[str]] = []
    count = 0
    numbered = False
    for lexeme in pattern:
        if lexeme == "#":
            numbered = True
            continue
        rest = lexeme
        if numbered and lexeme[0].isdigit():
            count += 1
            after.append([])
            rest = lexeme[1:]
        numbered = False
        if rest.strip():
            (after[-1] if after else lead).append(rest)
    if name[0] == "\\" and len(name) > 1:
        marks = tuple(tuple(mark) for mark in after)
        define(name, Macro(body, "m" * count, None, tuple(lead), marks))


def let_command(reader: Reader) -> tuple[str, str] | None:
    """``\\let\\name=\\other``: both names."""
    name = reader.argument()
    lexeme = reader.peek()
    if lexeme.startswith("="):
        reader.raw()
        if lexeme[1:].strip():
            reader.unread(lexeme[1:].lstrip())
    reader.skip_spaces()
    other = reader.raw()
    if not name or name[0][0] != "\\" or other is None or other == name[0]:
        return None
    if other[0] != "\\" and len(other) > 1:
        reader.unread(other[1:])
        other = other[0]
    return name[0], other


def math_operator(reader: Reader, define: Callable[[str, Macro], None]) -> None:
    """``\\DeclareMathOperator*{\\name}{text}``."""
    reader.star()
    name = reader.argument()
    text = reader.argument()
    if name and name[0][0] == "\\":
        define(name[0], Macro(("\\operatorname", "{", *text, "}")))


def paired_delimiter(reader: Reader, define: Callable[[str, Macro], None]) -> None:
    """``\\DeclarePairedDelimiter{\\name}{left}{right}``."""
    name = reader.argument()
    left, right = reader.argument(), reader.argument()
    if name and name[0][0] == "\\":
        define(name[0], Macro((*left, 3, *right), "som"))


def new_environment(reader: Reader, define: Callable[[str, Macro], None]) -> tuple[str, Macro, Macro] | None:
    """``\\newenvironment*{name}[count][default]{begin}{end}``: its two macros."""
    reader.star()
    name = reader.text_argument()
    kinds, default = _parameters(reader)
    begin, end = reader.argument(), reader.argument()
    return (name, Macro(body_of(begin), kinds, default), Macro(body_of(end))) if name else None


def _parameters(reader: Reader) -> tuple[str, tuple[str, ...] | None]:
    count = reader.text_optional() or ""
    number = int(count) if count.isascii() and count.isdecimal() and len(count) == 1 else 0
    default = reader.optional() if number else None
    if default is None:
        return "m" * number, None
    return "o" + "m" * (number - 1), tuple(default)


DEFINITIONS: dict[str, Defines] = {
    **dict.fromkeys(
        ("\\newcommand", "\\renewcommand", "\\providecommand", "\\DeclareRobustCommand", "\\newrobustcmd"), newcommand
    ),
    **dict.fromkeys(("\\def", "\\gdef", "\\edef", "\\xdef"), def_command),
    **dict.fromkeys(("\\DeclareMathOperator", "\\DeclareMathOperators"), math_operator),
    **dict.fromkeys(
        (
            "\\NewDocumentCommand",
            "\\RenewDocumentCommand",
            "\\ProvideDocumentCommand",
            "\\DeclareDocumentCommand",
        ),
        document_command,
    ),
    "\\DeclarePairedDelimiter": paired_delimiter,
}
