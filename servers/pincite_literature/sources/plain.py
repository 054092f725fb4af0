"""Plain text of what sources send: titles and abstracts with HTML, JATS or MathML in them, entities, odd characters."""

import re
from html import unescape

_TAGS = (
    "a|abbr|abstract|alternatives|annotation|annotation-xml|article-title|b|bold|br|caption|center|cite|code|disp-formula"
    "|disp-quote|div|dd|dl|dt|em|email|ext-link|fig|font|h[1-6]|hr|i|img|inf|inline-formula|inline-graphic|italic|label"
    "|li|list|list-item|math|mfenced|mfrac|mi|mml|mmultiscripts|mn|mo|mover|mprescripts|mroot|mrow|mspace|msqrt|mstyle"
    "|msub|msubsup|msup|mtable|mtd|mtext|mtr|munder|munderover|named-content|none|ol|overline|p|q|roman|sc|script|sec"
    "|section|semantics|small|smallcaps|span|strong|styled-content|sub|sup|table|tbody|td|tex-math|th|title|tr|tt|u|ul"
    "|underline|uri|xref"
)
_TAG = re.compile(rf"</?(?:(?:mml|jats|m|xhtml):[a-z-]{{1,30}}|{_TAGS})(?:\s[^<>]{{0,1000}})?\s?/?>", re.IGNORECASE)
"""Known names only: "p <0.05 and n> 3" is text."""
_BREAKS = re.compile(
    r"</?(?:jats:)?(?:p|div|sec|section|title|h[1-6]|br|li|list-item|tr|ul|ol|list|abstract)(?:\s[^<>]{0,1000})?\s?/?>",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"<((?:jats:)?(?:h[1-6]|title))(?:\s[^<>]{0,1000})?>([^<>]{1,200})</\1\s?>\s{0,20}(?:</?(?:jats:)?p\s?>)?",
    re.IGNORECASE,
)
_UNSAID = re.compile(
    r"<((?:mml:)?annotation(?:-xml)?|tex-math|script|style)\b[^<>]{0,1000}>[^<]{0,20000}</\1\s?>", re.IGNORECASE
)
"""What repeats a formula as TeX, or is no text."""
_MOST_CHARS = 200_000
_MOST_ESCAPED = 3


def plain(text: object) -> str:
    """One line without markup, entities resolved, NFC; "" for what is no text."""
    return " ".join(plain_paragraphs(text).split())


def plain_paragraphs(text: object) -> str:
    """Text without markup, a line a paragraph; headings ("Methods") stand with a colon before their paragraph."""
    from pincite_papers.markup.characters import clean

    if not isinstance(text, str):
        return ""
    shown = _without_tags(text[:_MOST_CHARS])
    for _ in range(_MOST_ESCAPED):
        unescaped = unescape(shown)
        if unescaped == shown:
            break
        shown = _without_tags(unescaped)
    lines = (" ".join(line.split()) for line in clean(shown).split("\n"))
    return "\n".join(line for line in lines if line)


def _without_tags(text: str) -> str:
    if "<" not in text:
        return text
    titled = _HEADING.sub(_titled, _UNSAID.sub("", text))
    return _TAG.sub("", _BREAKS.sub("\n", titled))


def _titled(heading: re.Match[str]) -> str:
    name = heading[2].strip()
    return f"\n{name} " if name[-1:] in (":", ".", "?", "!") else f"\n{name}: " if name else "\n"
