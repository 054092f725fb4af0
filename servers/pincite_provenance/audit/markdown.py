"""Markdown and plain text as a ReportText: marks of emphasis, links and quotation are taken out, the rest stays."""

import re

from pincite_provenance.audit.text import ReportText, TextBuilder

_FENCE = re.compile(r"^\s{0,3}(```|~~~)")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+")
_UNDERLINE = re.compile(r"^\s{0,3}(?:={3,}|-{3,})\s*$")
_ITEM = re.compile(r"^\s*([-*+•]|\d{1,3}[.)])\s+")
_QUOTATION = re.compile(r"^\s{0,3}>\s?")
_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_ENTRY = re.compile(r"^\s{0,3}\[[@^]?[\w:.-]{1,60}\]:?\s+\S")
"""``[1] …`` and ``[@key]: …`` at the begin of a line: an entry of a list of references."""
LIST_HEADING = re.compile(
    r"(?:\d+\.?\s+)?(?:references?|bibliography|sources?|literature(?: cited)?|works cited|citations?)\s*:?",
    re.IGNORECASE,
)
"""The heading of a list of references, alone on its line."""
_CELL = re.compile(r"(?:[^|\\]|\\.)+")
_MARKUP = re.compile(
    r"<!--.*?-->"
    r"|<(?P<raised>/?su[bp])>"
    r"|</?[A-Za-z][^<>]{0,200}>"
    r"|\\(?P<escaped>[\\`*_{}\[\]()#+.!|~^-])"
    r"|!?\[(?=[^\]\n]{1,300}\]\()(?!\^|@)"
    r"|(?P<link>\]\()(?=[^)\s]{1,500}\))"
    r"|\*{1,3}(?=\S)|(?<=\S)\*{1,3}(?!\w)"
    r"|(?<!\w)_{1,2}(?=\w)|(?<=[\w.,;)])_{1,2}(?!\w)"
    r"|~~|`{1,2}"
    r"|\^(?P<power>[+−–-]?\d{1,3})\^"
)


def read_markdown(source: str) -> ReportText:
    """The text of a Markdown file; code blocks and comments are left out."""
    return _read(source, has_markup=True)


def read_plain(source: str) -> ReportText:
    """The text of a plain file, in paragraphs."""
    return _read(source, has_markup=False)


def _read(source: str, *, has_markup: bool) -> ReportText:
    builder = TextBuilder(source)
    lines = source.split("\n")
    in_code = False
    at = 0
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if has_markup and _FENCE.match(line):
            in_code = not in_code
            builder.end()
        elif in_code:
            pass
        elif not line.strip() or (_UNDERLINE.match(line) and not builder.is_open):
            builder.end()
        else:
            _line(builder, line, at, following, has_markup=has_markup)
        at += len(line) + 1
    return builder.built()


def _line(builder: TextBuilder, line: str, at: int, following: str, *, has_markup: bool) -> None:
    """One line that is not blank."""
    heading, item, quotation = _HEADING.match(line), _ITEM.match(line), _QUOTATION.match(line)
    is_underlined = _UNDERLINE.match(following) is not None and not builder.is_open
    is_heading = heading is not None or is_underlined or LIST_HEADING.fullmatch(line.strip()) is not None
    if line.strip().startswith("|") and line.count("|") > 1:
        _row(builder, line, at, has_markup=has_markup)
    elif _UNDERLINE.match(line):
        builder.end()
    elif is_heading:
        builder.begin("heading")
        start = heading.end() if heading is not None else 0
        _inline(builder, line[start:], at + start, has_markup=has_markup)
        builder.end()
    elif quotation is not None:
        if builder.kind != "quotation":
            builder.begin("quotation")
        _inline(builder, line[quotation.end() :] + "\n", at + quotation.end(), has_markup=has_markup)
    elif item is not None:
        builder.begin("item", item[1])
        _inline(builder, line[item.end() :] + "\n", at + item.end(), has_markup=has_markup)
    else:
        if not builder.is_open or builder.kind in ("quotation", "table") or _ENTRY.match(line):
            builder.begin("paragraph")
        _inline(builder, line + "\n", at, has_markup=has_markup)


def _row(builder: TextBuilder, line: str, at: int, *, has_markup: bool) -> None:
    """A row of a table."""
    if builder.kind != "table":
        builder.begin("table")
    if _RULE.match(line):
        return
    builder.begin_row()
    for cell in _CELL.finditer(line):
        if cell[0].strip() or 0 < cell.start() < len(line.rstrip()) - 1:
            builder.begin_cell()
            _inline(builder, cell[0], at + cell.start(), has_markup=has_markup)
            builder.end_cell()


def _inline(builder: TextBuilder, text: str, at: int, *, has_markup: bool) -> None:
    """The characters of a line without marks of emphasis; a link is its text with its address in brackets."""
    if not has_markup:
        builder.put(text, at)
        return
    position = 0
    for match in _MARKUP.finditer(text):
        if match.start() > position:
            builder.put(text[position : match.start()], at + position)
        here = at + match.start()
        if match["escaped"]:
            builder.put(match["escaped"], here + 1)
        elif match["link"]:
            builder.stand_in(" (", here)
        elif match["power"]:
            builder.stand_in("^", here)
            builder.put(match["power"], here + 1)
        elif match["raised"] == "sup":
            builder.stand_in("^{", here)
        elif match["raised"] == "/sup":
            builder.stand_in("}", here)
        position = match.end()
    if position < len(text):
        builder.put(text[position:], at + position)
