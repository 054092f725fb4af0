"""Decoding: the bytes of a page as text, bounded where a page of this shape would cost more than its size."""

import re

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_LABEL = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_:.-]{2,40})""", re.IGNORECASE)
_HEAD = 4096
"""Bytes in which a page says its encoding; the standard asks for 1,024."""
_AS_LABELLED = re.compile(
    r"utf-?8|windows-125\d|cp125\d|iso-?8859-?\d{1,2}|latin-?[1-9]|us-ascii|ascii|gbk|gb2312|gb18030|big5(?:-hkscs)?"
    r"|euc-jp|shift[_-]jis|iso-2022-jp|euc-kr|koi8-[ru]|macintosh|tis-620"
)
# What browsers read under these labels (WHATWG Encoding Standard, section 4.2).
_MEANT = {
    "iso-8859-1": "cp1252", "iso8859-1": "cp1252", "latin1": "cp1252", "latin-1": "cp1252", "us-ascii": "cp1252",
    "ascii": "cp1252", "gb2312": "gbk", "iso-8859-9": "cp1254", "macintosh": "mac_roman",
}  # fmt: skip

_TAG = re.compile(r"<(/?)([A-Za-z][^\s/<>]*+)([^<>]*+)>?")
_VOID = frozenset({
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link",
    "meta", "param", "source", "track", "wbr",
})  # fmt: skip
# Elements whose ends may be left out; they do not pile up where they are.
_OPEN_ENDED = frozenset({
    "p", "li", "dt", "dd", "option", "optgroup", "tr", "td", "th", "thead", "tbody", "tfoot", "colgroup", "rp", "rt",
    "html", "body", "head",
})  # fmt: skip
_DEEPEST = 1500
"""Elements inside each other that the parser is given. Set by judgement."""
_LONG_TAG = 4096
"""Characters of a tag whose attributes are counted before it is parsed. Set by judgement."""
_MOST_ATTRIBUTES = 200
"""Attributes of such a tag; one with more is dropped. Set by judgement."""


def decode(data: bytes) -> tuple[str, str]:
    """The text of a page and the encoding it was read in: by byte order mark, label, or what fits the bytes."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace"), encoding
    if data[:4].count(0) == 2 and data[:1] in b"<\x00":
        encoding = "utf-16-le" if data[:1] == b"<" else "utf-16-be"
        return data.decode(encoding, "replace"), encoding
    match = _LABEL.search(data, 0, _HEAD)
    label = match[1].decode("ascii").lower() if match is not None else ""
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        pass
    if not _AS_LABELLED.fullmatch(label):
        label = "cp1252"
    encoding = _MEANT.get(label, label)
    try:
        return data.decode(encoding, "replace"), encoding
    except LookupError:
        return data.decode("cp1252", "replace"), "cp1252"


def bounded(markup: str) -> tuple[str, bool]:
    """The markup without tags nested beyond 1,500 levels and without heaps of attributes, and whether any was cut.

    The parser takes time squared in both. The check is rough (it knows no comments or scripts) but linear.
    """
    if not _is_suspect(markup):
        return markup, False
    parts: list[str] = []
    done = depth = 0
    cut = False
    for match in _TAG.finditer(markup):
        end, name, rest = match[1], match[2].lower(), match[3]
        if len(rest) > _LONG_TAG and len(rest.split(None, _MOST_ATTRIBUTES)) > _MOST_ATTRIBUTES:
            parts += (markup[done : match.start()], f"<{end}{name}>")
            done, cut = match.end(), True
        if name in _VOID or name in _OPEN_ENDED or rest.endswith("/"):
            continue
        depth += -1 if end else 1
        if depth > _DEEPEST or (end and depth == _DEEPEST):
            parts.append(markup[done : match.start()])
            done, cut = match.end(), True
        depth = max(depth, 0)
    return "".join([*parts, markup[done:]]), cut


def _is_suspect(markup: str) -> bool:
    """Whether the markup opens many elements more than it closes, or has a very long tag."""
    depth = 0
    for match in _TAG.finditer(markup):
        if len(match[3]) > _LONG_TAG:
            return True
        name = match[2].lower()
        if name in _VOID or name in _OPEN_ENDED or match[3].endswith("/"):
            continue
        depth = max(depth - 1, 0) if match[1] else depth + 1
        if depth > _DEEPEST:
            return True
    return False
