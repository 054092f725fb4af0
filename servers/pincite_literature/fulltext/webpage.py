"""Web pages that stand where a paper was expected: landing pages, logins, walls.

``citation_pdf_url`` is the tag of Google Scholar's inclusion guidelines (Highwire Press tags), which publishers set.
"""

import re
from html import unescape
from urllib.parse import urljoin, urlsplit

_HEAD = 512 << 10
"""Bytes of a page in which its metadata and its words are looked for. Set by judgement."""
_META = re.compile(rb"<meta\s([^<>]{1,4000})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"""(name|property|content)\s*=\s*(?:"([^"]{0,3000})"|'([^']{0,3000})'|([^\s"'>]{1,3000}))""", re.IGNORECASE
)
_TITLE = re.compile(rb"<title[^<>]{0,300}>([^<]{0,400})", re.IGNORECASE)
_PDF_NAMES = ("citation_pdf_url", "eprints.document_url", "bepress_citation_pdf_url", "wkhealth_pdf_url")
_WALLS = (
    (
        "a check for robots",
        re.compile(
            r"just a moment|verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|captcha|cf-chl|"
            r"attention required|checking your browser|unusual traffic|preparing to download",
            re.IGNORECASE,
        ),
    ),
    (
        "a page that denies access",
        re.compile(r"access (?:was |is |has been )?denied|not authori[sz]ed|403 forbidden", re.IGNORECASE),
    ),
    (
        "a cookie page",
        re.compile(
            r"cookies? (?:must be|are not|is not|need to be|disabled)|enable cookies|cookie absent", re.IGNORECASE
        ),
    ),
    (
        "a page that sells the article",
        re.compile(
            r"preview of subscription content|(?:buy|purchase|rent) (?:this )?(?:article|access|pdf|instant)|"
            r"get access to (?:the full|this)|access options|subscribe to (?:this journal|continue)|"
            r"institutional (?:login|subscri)|(?:log|sign) in (?:via|through|to (?:access|read|continue|your))",
            re.IGNORECASE,
        ),
    ),
    (
        "a login page",
        re.compile(
            r"type=[\"']?password\b|<title[^<>]{0,100}>[^<]{0,100}\b(?:sign|log) ?in\b|shibboleth", re.IGNORECASE
        ),
    ),
)
_SCRIPT = re.compile(r"<(?:script|style)\b", re.IGNORECASE)
SOLD = _WALLS[3][0]
"""A page that may show a preview of the article."""

REFUSALS = frozenset(what for what, _ in _WALLS[:3])
"""Those behind which the text may well be, for others than us."""


def linked_pdf(page: bytes, url: str) -> str | None:
    """The address of the PDF that a landing page at ``url`` names in its ``citation_pdf_url``; None for none."""
    named: dict[str, str] = {}
    for match in _META.finditer(page[:_HEAD]):
        attributes = {
            found[1].lower(): unescape(found[2] or found[3] or found[4] or "")
            for found in _ATTRIBUTE.finditer(match[1].decode(errors="replace"))
        }
        name = (attributes.get("name") or attributes.get("property") or "").lower()
        if name in _PDF_NAMES and attributes.get("content"):
            named.setdefault(name, attributes["content"].strip())
    for name in _PDF_NAMES:
        if name in named:
            try:
                address = urljoin(url, named[name])
                parts = urlsplit(address)
            except ValueError:
                continue
            if parts.scheme in ("http", "https") and parts.hostname and address != url:
                return address
    return None


def wall(page: bytes) -> str:
    """What a page is that gives no article ("a login page"), "" where nothing tells."""
    text = _without_scripts(page[:_HEAD].decode(errors="replace"))
    return next((what for what, mark in _WALLS if mark.search(text)), "")


def page_title(page: bytes) -> str:
    """The title of a page, at most 100 characters, "" without one."""
    found = _TITLE.search(page[:_HEAD])
    return " ".join(unescape(found[1].decode(errors="replace")).split())[:100] if found else ""


def _without_scripts(text: str) -> str:
    """A page without what programs it: names in scripts (of captchas, of logins) tell nothing of the page."""
    first, *others = _SCRIPT.split(text)
    return first + " ".join(other.partition("</")[2] if "</" in other else "" for other in others)
