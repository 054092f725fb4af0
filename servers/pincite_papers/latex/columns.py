"""Columns of a table: what its preamble (``l@{.}r>{$}c<{$}*{3}{S}``) says of each."""

from pincite_papers.latex.inline import Inline
from pincite_papers.latex.rows import Column
from pincite_papers.latex.tex import Handler, Tex

_MOST_COLUMNS = 500
"""Columns of a table. Set by judgement."""
_MOST_TOKENS = 5000
"""Tokens of a preamble once its repeats are written out. Set by judgement."""
_WITH_GROUPS = {"p": 1, "m": 1, "b": 1, "w": 2, "W": 2, "D": 3, "d": 1, "P": 1, "L": 0, "R": 0, "C": 0}


def read_columns(tex: Tex, tokens: list[str]) -> list[Column]:
    """The columns of a preamble; one that is too long is cut."""
    columns: list[Column] = []
    queue = _characters(tokens)
    queue.reverse()
    math, before, steps = False, Inline(), 0
    while queue and len(columns) < _MOST_COLUMNS and steps < _MOST_TOKENS:
        steps += 1
        lexeme = queue.pop()
        if lexeme in (">", "<", "@", "!"):
            group = _group(queue)
            if lexeme == ">":
                math = "$" in group
            elif lexeme != "<":
                before.extend(tex.render(group))
        elif lexeme == "*":
            count, inner = "".join(_group(queue)), _group(queue)
            times = int(count) if count.isascii() and count.isdecimal() and len(count) < 4 else 1
            room = (_MOST_TOKENS - len(queue)) // max(len(inner), 1)
            queue += inner[::-1] * max(min(times, room), 0)
        elif lexeme in tex.columns:
            arguments, body = tex.columns[lexeme]
            for _ in range(arguments):
                _group(queue)
            if len(queue) < _MOST_TOKENS:
                queue.extend(reversed(_characters(body)))
        elif lexeme.isalpha():
            _skip_arguments(queue, lexeme)
            columns.append(Column(math or lexeme in "Dd", lexeme == "S", None if before.empty() else before))
            math, before = False, Inline()
    return columns


def _skip_arguments(queue: list[str], letter: str) -> None:
    """Pass over the widths and options of a column type."""
    for _ in range(_WITH_GROUPS.get(letter, 0)):
        if queue and queue[-1] == "{":
            _group(queue)
    if letter in "SX" and queue and queue[-1] == "[":
        _bracket(queue)


def _characters(tokens: list[str]) -> list[str]:
    """Tokens with chunks of text as single characters, white space left out."""
    found: list[str] = []
    for lexeme in tokens[:_MOST_TOKENS]:
        if lexeme[0] == "\\":
            found.append(lexeme)
        else:
            found += [character for character in lexeme[:_MOST_TOKENS] if not character.isspace()]
    return found


def _group(queue: list[str]) -> list[str]:
    """The next group of a reversed queue, or the next token."""
    if not queue:
        return []
    if queue[-1] != "{":
        return [queue.pop()]
    queue.pop()
    taken: list[str] = []
    depth = 1
    while queue:
        lexeme = queue.pop()
        depth += (lexeme == "{") - (lexeme == "}")
        if depth == 0:
            break
        taken.append(lexeme)
    return taken


def _bracket(queue: list[str]) -> None:
    while queue and queue.pop() != "]":
        pass


def _new_type(tex: Tex) -> None:
    """``\\newcolumntype{C}[1]{body}``."""
    name = tex.reader.text_argument()
    count = tex.reader.text_optional() or "0"
    body = tex.reader.argument()
    if len(name) == 1:
        tex.columns[name] = (int(count) if count.isascii() and count.isdecimal() and len(count) == 1 else 0, body)


def commands() -> dict[str, Handler]:
    """What commands of columns mean."""
    return {"\\newcolumntype": _new_type}
