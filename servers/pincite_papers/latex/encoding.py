"""Bytes of a TeX file as text: UTF-8, else what inputenc says, else Windows-1252 (a superset of printable Latin-1)."""

import re
import unicodedata

_DECLARED = re.compile(rb"\\(?:usepackage|RequirePackage)\s*\[([a-z0-9A-Z-]{1,20})\]\s*\{inputenc\}")
_CODECS = {
    b"latin1": "latin-1",
    b"latin2": "iso8859-2",
    b"latin3": "iso8859-3",
    b"latin4": "iso8859-4",
    b"latin5": "iso8859-9",
    b"latin9": "iso8859-15",
    b"latin10": "iso8859-16",
    b"ansinew": "cp1252",
    b"cp1250": "cp1250",
    b"cp1251": "cp1251",
    b"cp1252": "cp1252",
    b"cp1257": "cp1257",
    b"cp437": "cp437",
    b"cp850": "cp850",
    b"cp852": "cp852",
    b"cp866": "cp866",
    b"koi8-r": "koi8-r",
    b"koi8-ru": "koi8-u",
    b"applemac": "mac-roman",
    b"macce": "mac-latin2",
}
_CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127, 0xFEFF, 0x200B], " ") | {0xFEFF: "", 0x200B: ""}
_LINE_ENDS = re.compile(r"\r\n?|[\x85\u2028\u2029]")


def decode(data: bytes, declared: str | None = None) -> str:
    """The text with plain line ends, in NFC and without control characters."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
    else:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            text = data.decode(declared or declared_encoding(data) or "cp1252", "replace")
    text = _LINE_ENDS.sub("\n", text).translate(_CONTROLS)
    text = text.encode("utf-8", "replace").decode("utf-8")
    return unicodedata.normalize("NFC", text)


def declared_encoding(data: bytes) -> str | None:
    """The codec that the source declares for inputenc, if it is none of UTF-8."""
    match = _DECLARED.search(data)
    return _CODECS.get(match.group(1).lower()) if match else None
