"""Text that comes from the web, made one clean line."""

import re
import unicodedata

from pincite_core.characters import DASHES, HYPHENS
from pincite_literature.model import Work

_UNSEEN = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]")
_PAGES = re.compile(rf"([\w.:]+)\s*[-{HYPHENS}{DASHES}]+\s*([\w.:]+)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def clean(text: str) -> str:
    """``text`` in NFC on one line: control, invisible and direction characters and lone surrogates are left out."""
    text = _CONTROL.sub(" ", text).encode("utf-8", "ignore").decode()
    return " ".join(unicodedata.normalize("NFC", _UNSEEN.sub("", text)).split())


def address(url: str) -> str:
    """A web address without characters that end a field or a line; empty where it is none of http or https."""
    url = clean(url)
    if not url.lower().startswith(("http://", "https://")):
        return ""
    return re.sub(r"[\s{}\\<>\"|^`]", lambda bad: "".join(f"%{byte:02X}" for byte in bad[0].encode()), url)


def page_range(pages: str) -> tuple[str, str]:
    """First and last page; the last is empty for a single page or an article number."""
    match = _PAGES.fullmatch(clean(pages))
    return (match[1], match[2]) if match else (clean(pages), "")


def venue_of(work: Work) -> str:
    """Where the version cited appeared. A preprint's journal reference is another version's, of another year."""
    return "" if later_reference(work) else work.venue


def later_reference(work: Work) -> str:
    """The journal reference that a preprint server gives ("J. Appl. Phys. 14, 55 (2021)"); archives' own names have
    no digit. "" where there is none."""
    return work.venue if work.kind == "preprint" and any(map(str.isdigit, work.venue)) else ""
