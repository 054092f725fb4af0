"""Plain text of what sources send: titles and abstracts with HTML, JATS or MathML in them, entities, odd characters."""

import re
from dataclasses import dataclass, field
from html import unescape

from pincite_papers.characters import clean

_INLINE = (
    "a|abbr|alternatives|b|bdi|bold|cite|code|email|em|ext-link|font|i|img|inf|inline-formula|inline-graphic|italic"
    "|monospace|named-content|overline|q|roman|sc|scp|small|smallcaps|span|strike|strong|styled-content|sub|sup|tt|u"
    "|underline|uri|xref"
)
_BREAKING = (
    "abstract|article-title|br|break|caption|center|dd|disp-formula|disp-quote|div|dl|dt|fig|h[1-6]|hr|label|li|list"
    "|list-item|ol|p|sec|section|table|tbody|td|th|title|tr|ul"
)
_MATHS = (
    "annotation|annotation-xml|maction|math|menclose|merror|mfenced|mfrac|mi|mmultiscripts|mn|mo|mover|mpadded|mphantom"
    "|mprescripts|mroot|mrow|ms|mspace|msqrt|mstyle|msub|msubsup|msup|mtable|mtd|mtext|mtr|munder|munderover|none"
    "|semantics|tex-math|script|style"
)
_ATTRIBUTE = r"""\s{1,20}[\w:.-]{1,60}\s{0,5}=\s{0,5}(?:"[^"]{0,500}"|'[^']{0,500}'|[^\s"'<>]{1,200})"""
_TAG = re.compile(
    rf"<(?P<end>/?)(?:(?:jats|mml|m|xhtml):(?P<prefixed>[a-z][a-z0-9-]{{0,30}})|(?P<bare>{_INLINE}|{_BREAKING}|{_MATHS}))"
    rf"(?:{_ATTRIBUTE}){{0,20}}\s{{0,5}}(?P<alone>/?)>"
    r"|<!--.{0,500}?-->|<!\[CDATA\[|\]\]>|<\?[a-z][\w-]{0,40}[^<>]{0,500}\?>",
    re.IGNORECASE | re.DOTALL,
)
"""Known names with true attributes only: "p <0.05 and n> 3" and "a <b and c> d" are text."""
_BREAKS = re.compile(_BREAKING)
_HEADS = re.compile("title|h[1-6]")
_HIDDEN = frozenset({"annotation", "annotation-xml", "mphantom", "script", "style"})
"""What repeats a formula in another language, or is not text."""
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});", re.IGNORECASE)
_BREAK = "\x1e"
"""Stands for a new line until the last entity is resolved; line ends of marked-up text are blanks."""
_MOST_CHARS = 200_000
"""Characters of a title or abstract that are read. Set by judgement."""
_MOST_ESCAPED = 3
"""Times that entities were escaped over each other (``&amp;amp;lt;``) and are resolved. Set by judgement."""


def plain(text: object) -> str:
    """One line without markup, entities resolved (escaped twice too), NFC; "" for what is not text."""
    if isinstance(text, str) and text.isascii() and text.isprintable() and "<" not in text and "&" not in text:
        return " ".join(text[:_MOST_CHARS].split())
    return " ".join(plain_paragraphs(text).split())


def plain_paragraphs(text: object) -> str:
    """Text without markup, a line a paragraph; headings ("Methods") stand with a colon before their paragraph.

    A formula is read from its MathML, from its TeX only where it has none.
    """
    if not isinstance(text, str):
        return ""
    shown = _without_tags(text[:_MOST_CHARS].replace(_BREAK, " "))
    for _ in range(_MOST_ESCAPED):
        if not _ENTITY.search(shown):
            break
        shown = _without_tags(_ENTITY.sub(lambda entity: unescape(entity[0]), shown))
    lines = (" ".join(line.split()) for line in clean(shown.replace(_BREAK, "\n")).split("\n"))
    return "\n".join(line for line in lines if line)


def _without_tags(text: str) -> str:
    if "<" not in text:
        return text
    reader = _QueryReader(maths="math>" in text)
    at = 0
    for tag in _TAG.finditer(text):
        reader.read_text(text[at : tag.start()])
        name = (tag["prefixed"] or tag["bare"] or "").lower()
        if name:
            reader.read_tag(name, 0 if tag["alone"] else -1 if tag["end"] else 1)
        at = tag.end()
    reader.read_text(text[at:])
    return "".join(reader.parts)


@dataclass(slots=True)
class _QueryReader:
    """What was read; ``maths`` says that the text has MathML. Other fields are how deep in an element it stands."""

    maths: bool
    parts: list[str] = field(default_factory=list[str])
    formula: int = 0
    hidden: int = 0
    choice: int = 0
    head: int | None = None
    """Where the heading that is open starts in ``parts``."""
    headed: bool = False
    """Whether the last that was read is a heading: its paragraph follows on the line."""

    def read_text(self, text: str) -> None:
        if self.hidden:
            return
        text = text.strip() if self.formula and "\n" in text else text.replace("\n", " ")
        if text.strip():
            self.headed = False
        self.parts.append(text)

    def read_tag(self, name: str, step: int) -> None:
        if name in _HIDDEN or (name == "tex-math" and self.maths and self.choice):
            self.hidden = max(0, self.hidden + step)
        elif name == "math":
            self.formula = max(0, self.formula + step)
        elif name == "alternatives":
            self.choice = max(0, self.choice + step)
        elif _HEADS.fullmatch(name):
            self._head(step)
        elif _BREAKS.fullmatch(name) and self.head is None and not self.headed:
            self.parts.append(_BREAK)
        elif name in ("mspace", "mtd") or _BREAKS.fullmatch(name):
            self.parts.append(" ")

    def _head(self, step: int) -> None:
        if step > 0:
            self.parts.append(_BREAK)
            self.head = len(self.parts)
        elif step < 0 and self.head is not None:
            words = "".join(self.parts[self.head :]).strip()
            if words:
                self.parts.append(" " if words.endswith((":", ".", "?", "!")) else ": ")
            self.head, self.headed = None, bool(words)
