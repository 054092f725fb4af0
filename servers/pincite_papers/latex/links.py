"""Links and verbatim words: read as they are written, ``%`` and ``#`` in them too."""

from pincite_papers.latex.tex import Handler, Tex


def _verb(tex: Tex) -> None:
    lexer = tex.reader.lexer()
    if lexer is None:
        return
    text = lexer.take_verb()
    if text == "" and tex.reader.lexer() is None:
        return
    tex.out.add(text)


def _link(tex: Tex) -> None:
    """``\\href{address}{text}``: the text is printed, the address kept for the identifiers in it."""
    tex.reader.optional()
    tex.links.append(_address(tex))
    tex.reader.skip_spaces()


def _url(tex: Tex) -> None:
    address = _address(tex)
    tex.links.append(address)
    tex.out.add(address)


def _address(tex: Tex) -> str:
    """An address as it is written, its escapes undone."""
    lexer = tex.reader.lexer()
    raw = lexer.take_group() if lexer is not None else None
    tokens = tex.reader.argument() if raw is None else [raw]
    text = "".join(lexeme for lexeme in tokens if lexeme not in "{}")
    for typed, meant in (("\\doibase", "https://doi.org/"), ("\\%", "%"), ("\\_", "_"), ("\\#", "#"), ("\\&", "&")):
        text = text.replace(typed, meant)
    return "".join(text.replace("\\~", "~").replace("\\", "").split())


def commands() -> dict[str, Handler]:
    """What commands of links and verbatim words mean."""
    return {
        **dict.fromkeys(("\\verb", "\\lstinline"), _verb),
        **dict.fromkeys(("\\url", "\\path", "\\nolinkurl", "\\burl"), _url),
        **dict.fromkeys(("\\href", "\\href@noop"), _link),
    }
