"""A JSON answer as a ReportText: each record is a paragraph of its fields, and what it quotes is a quotation."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite_provenance.audit.text import ReportText, TextBuilder

QUOTING = frozenset({"quote", "quotes", "quotation", "quoted", "evidence", "passage", "excerpt", "snippet", "verbatim"})
"""Names of fields that hold words of a source."""
_UNIT = re.compile(r"(?:^|_)units?$", re.IGNORECASE)
_POWER = re.compile(r'"10\s?[\^⁻⁰-⁹]')
"""A unit that begins with a power of ten, by which the number is to be multiplied."""
_PLACE = re.compile(
    r"(?:^|_)(?:page|start|end|line|offset|id|index|paper|file|path|locator|score|confidence)s?$", re.IGNORECASE
)
"""Names of fields whose numbers say where something is, and no value."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}\[\]:,]')
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?|.)")


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int


def read_answer(source: str) -> ReportText:
    """The text of a JSON document; its spans are those of the document."""
    builder = TextBuilder(source)
    tokens = [_Token(match[0], match.start()) for match in _TOKEN.finditer(source)]
    key = ""
    quotes: list[_Token] = []
    inside: list[str] = []
    for at, token in enumerate(tokens):
        following = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if token.text in "{[":
            if token.text == "{" and (not inside or inside[-1] == "["):
                _end_record(builder, quotes)
            inside.append(token.text)
        elif token.text in "}]":
            if inside:
                inside.pop()
            if token.text == "}" and (not inside or inside[-1] == "["):
                _end_record(builder, quotes)
        elif token.text.startswith('"') and following == ":":
            key = token.text.strip('"')
        elif token.text in (":", ",", "null"):
            continue
        elif key.lower() in QUOTING and token.text.startswith('"'):
            quotes.append(token)
        elif not _PLACE.search(key):
            _field(builder, key, token)
    _end_record(builder, quotes)
    return builder.built()


def _field(builder: TextBuilder, key: str, token: _Token) -> None:
    """A field of a record: its name and its value; a unit stands behind the value before it."""
    if not builder.is_open:
        builder.begin("paragraph")
    if _UNIT.search(key):
        builder.stand_in(" × " if _POWER.match(token.text) else " ", token.start)
    else:
        builder.stand_in(f" ; {key.replace('_', ' ')}: ", token.start)
    _put(builder, token)


def _end_record(builder: TextBuilder, quotes: list[_Token]) -> None:
    builder.end()
    for token in quotes:
        builder.begin("quotation")
        _put(builder, token)
    builder.end()
    quotes.clear()


def _put(builder: TextBuilder, token: _Token) -> None:
    if not token.text.startswith('"'):
        builder.put(token.text, token.start)
        return
    for text, at, is_escape in _pieces(token):
        if is_escape:
            builder.stand_in(text, at)
        else:
            builder.put(text, at)


def _pieces(token: _Token) -> Iterator[tuple[str, int, bool]]:
    """The characters of a string, escapes resolved, with their places."""
    import json

    inner, begin = token.text[1:-1], token.start + 1
    position = 0
    for match in _ESCAPE.finditer(inner):
        if match.start() > position:
            yield inner[position : match.start()], begin + position, False
        try:
            text = str(json.loads(f'"{match[0]}"'))
        except ValueError:
            text = match[0][1:]
        yield text, begin + match.start(), True
        position = match.end()
    if position < len(inner):
        yield inner[position:], begin + position, False
