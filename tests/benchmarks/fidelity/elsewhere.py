"""What print sets among the sections but a publisher's XML keeps elsewhere, or without a title of its own."""

import re

from inline import inline_text, squeeze
from lxml.etree import _Element

_TITLES = {
    "ref-list": ("References", "Bibliography", "Literature cited"),
    "refgrp": ("References",),
    "abstract": ("Abstract", "Summary"),
    "abs": ("Abstract",),
    "ack": ("Acknowledgements", "Acknowledgments"),
    "aff": ("Author details", "Affiliations"),
    "insg": ("Author details",),
    "supplementary-material": ("Additional files", "Supplementary material", "Supporting information"),
    "suppl": ("Additional files",),
    "funding-group": ("Funding", "Grant information"),
    "kwd-group": ("Keywords",),
    "sub-article": ("Open Peer Review", "Current Referee Status:"),
}
_NOTES = {"con": "Author contributions", "conflict": "Competing interests"}
_VERSION = re.compile(r"\bversion \d+$", re.IGNORECASE)
_SHORTEST = 30
_HOLDERS = ("author-notes", "funding-statement", "notes", "suppl", "fn-group")


def untitled_titles(root: _Element) -> list[str]:
    """The titles that print may give to parts that the XML has without one, and those inside abstracts and notes."""
    found: list[str] = []
    for tag, titles in _TITLES.items():
        if root.find(f".//{tag}") is not None:
            found += titles
    found += [title for kind, title in _NOTES.items() if root.find(f".//fn[@fn-type='{kind}']") is not None]
    for part in root.iter("abstract", "abs", "notes"):
        found += [squeeze(inline_text(title, ())) for title in part.iter("title", "st")]
    for article in root.iter("sub-article"):
        title = article.find(".//article-title")
        version = _VERSION.search("" if title is None else squeeze(inline_text(title, ())))
        found += [version.group()] if version else []
    return found


def outside_texts(root: _Element) -> list[str]:
    """The paragraphs of notes on authors, funding and additional files, wherever the XML keeps them; longest first."""
    found: list[str] = []
    for holder in root.iter(*_HOLDERS):
        if holder.getparent() is not None and holder.getparent().tag == "back":
            continue
        if holder.tag == "suppl":
            parts = [squeeze(inline_text(part, ())) for part in holder if part.tag in ("title", "text")]
            found.append(". ".join(part.rstrip(".") for part in parts))
        else:
            found += [squeeze(inline_text(part, ())) for part in list(holder.iter("p")) or [holder]]
    return sorted((text for text in found if len(text) >= _SHORTEST), key=len, reverse=True)
