"""Lengths: what is skipped, kerned and assigned, passed over without a trace in the text."""

import re

from pincite_papers.latex.tex import Handler, Tex

_LENGTHS = [
    "parskip",
    "parindent",
    "baselineskip",
    "leftskip",
    "rightskip",
    "tolerance",
    "pretolerance",
    "penalty",
    "textwidth",
    "textheight",
    "linewidth",
    "columnwidth",
    "hsize",
    "vsize",
    "topmargin",
    "oddsidemargin",
    "evensidemargin",
    "tabcolsep",
    "arrayrulewidth",
    "columnsep",
    "clubpenalty",
    "widowpenalty",
    "emergencystretch",
    "hfuzz",
    "vfuzz",
    "abovedisplayskip",
    "belowdisplayskip",
    "fboxsep",
    "itemsep",
    "parsep",
    "topsep",
    "arraycolsep",
    "intextsep",
    "floatsep",
    "textfloatsep",
    "abovecaptionskip",
    "belowcaptionskip",
    "extrarowheight",
    "hoffset",
    "voffset",
]


_GLUE = re.compile(
    r"\s*-?\s*\d*\.?\d*\s*(?:true\s*)?(?:pt|mm|cm|in|ex|em|bp|pc|mu|sp|dd|cc)?"
    r"(?:\s*(?:plus|minus)\s*-?\d*\.?\d*\s*(?:pt|mm|cm|in|ex|em|bp|pc|mu|sp|fill?l?))*\s*"
)


def _length(tex: Tex) -> None:
    """``\\hskip 3pt plus 1fil`` and the like, with or without an equals sign."""
    lexeme = tex.reader.peek()
    if lexeme.startswith("="):
        tex.reader.raw()
        if rest := lexeme[1:].lstrip():
            tex.reader.unread(rest)
        lexeme = tex.reader.peek()
    if lexeme.startswith("\\"):
        if lexeme[1:].isalpha() and lexeme[1:].endswith(
            ("width", "skip", "sep", "indent", "height", "space", "margin")
        ):
            tex.reader.raw()
        return
    match = _GLUE.match(lexeme)
    if match and match.end():
        tex.reader.raw()
        if lexeme[match.end() :]:
            tex.reader.unread(lexeme[match.end() :])
        elif match.group().strip().replace(".", "").replace("-", "").isdigit():
            follows = tex.reader.peek()
            if follows.startswith("\\") and follows[1:].endswith(("width", "skip", "height", "indent", "size")):
                tex.reader.raw()


def commands() -> dict[str, Handler]:
    """What commands of lengths mean."""
    skips = ("\\hskip", "\\vskip", "\\kern", "\\mkern", "\\mskip", "\\hglue", "\\vglue")
    return dict.fromkeys((*skips, *("\\" + name for name in _LENGTHS)), _length)
