"""Tree: a page as a tree of lxml, without what is not part of its text, and with hidden parts marked."""

import re
from dataclasses import dataclass, field
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pincite_papers.html.decoding import bounded, decode
from pincite_papers.html.hiding import UNSEEN_CLASSES, hidden_names, hides
from pincite_papers.markup.elements import Element, etree

HIDDEN = "pincite-hidden"
"""The attribute that says why an element is not seen."""
_GROUND = "pincite-ground"
_DEEPEST = 150
"""Elements inside each other that keep their nesting; deeper ones are laid beside each other."""
_MOST_NODES = 2_000_000
"""Nodes of a page. Set by judgement."""
# fmt: off
_DROPPED = frozenset({
    "head", "style", "template", "noscript", "iframe", "embed", "canvas", "audio", "video", "input", "select",
    "textarea", "dialog", "nav", "link", "meta", "base", "frame", "frameset", "map", "progress", "meter", "menu",
})
_DROPPED_ROLES = frozenset({
    "navigation", "banner", "search", "dialog", "alertdialog", "alert", "menu", "menubar", "contentinfo", "tooltip",
    "toolbar", "tablist", "progressbar", "status",
})
# fmt: on
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_MATH_SCRIPT = re.compile(r"math/(?:tex|mml)", re.IGNORECASE)


@dataclass(slots=True)
class Page:
    """A page: its ``body`` as a tree; ``meta`` (name, content) pairs of its head in order; its JSON-LD texts.

    ``cut`` says that parts of the markup were left out because there were too many of them.
    """

    body: Element
    title: str = ""
    language: str = ""
    encoding: str = ""
    meta: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    linked_data: list[str] = field(default_factory=list[str])
    cut: bool = False


def read_page(data: bytes) -> Page:
    """The page of its bytes; an empty body where there is none."""
    text, encoding = decode(data)
    markup, cut = bounded(text)
    parser = LexborHTMLParser(markup)
    page = Page(etree.Element("body"), encoding=encoding, cut=cut)
    styles: list[str] = []
    for node in parser.css("meta, title, script, style"):
        _read_head(node, page, styles)
    root = parser.body
    if root is not None:
        names = hidden_names(styles)
        page.cut |= _Copy(names).fill(root, page.body)
    html = parser.css_first("html")
    page.language = (html.attributes.get("lang") or "") if html is not None else ""
    return page


def _read_head(node: LexborNode, page: Page, styles: list[str]) -> None:
    tag, attributes = node.tag, node.attributes
    if tag == "meta":
        name = attributes.get("name") or attributes.get("property") or attributes.get("itemprop") or ""
        content = attributes.get("content") or ""
        if name and content:
            page.meta.append((name.strip().lower(), " ".join(writable(content).split())))
    elif tag == "title":
        page.title = page.title or " ".join(writable(node.text()).split())
    elif tag == "script" and "ld+json" in (attributes.get("type") or ""):
        page.linked_data.append(node.text())
    elif tag == "style":
        styles.append(node.text())


def writable(text: str) -> str:
    """``text`` without characters that no tree may hold."""
    return _UNWRITABLE.sub("", text)


class _Copy:
    """Copies the nodes of a parsed page into a tree of lxml, level by level without recursion."""

    def __init__(self, hidden: frozenset[str]) -> None:
        self._hidden = hidden
        self._texts: list[str] = []

    def fill(self, root: LexborNode, body: Element) -> bool:
        """Copy what is inside ``root`` to ``body``; True if the page was too large to be copied whole."""
        stack: list[Any] = [body]
        node: Any = root.first_child
        depth = steps = 0
        while node is not None:
            steps += 1
            if steps > _MOST_NODES:
                self._put_text(stack[-1])
                return True
            if node.is_text_node:
                self._texts.append(node.text_content or "")
                entered = None
            elif not node.is_element_node:
                entered = None
            else:
                entered = self._enter(node, stack[-1], flat=depth >= _DEEPEST)
            inner = node.first_child if entered is not None else None
            if inner is not None:
                stack.append(entered)
                depth += 1
                node = inner
                continue
            while node is not None and node.next is None:
                if depth == 0:
                    self._put_text(stack[-1])
                    return False
                node = node.parent
                left = stack.pop()
                if left is not stack[-1]:
                    self._put_text(left)
                depth -= 1
            node = node.next if node is not None else None
        return False

    def _put_text(self, parent: Any) -> None:
        """Append the texts that were read since the last element to ``parent``, all at once."""
        if not self._texts:
            return
        text = writable("".join(self._texts))
        self._texts.clear()
        if len(parent):
            last = parent[-1]
            last.tail = (last.tail or "") + text
        else:
            parent.text = (parent.text or "") + text

    def _enter(self, node: Any, parent: Any, *, flat: bool) -> Any:
        """The copy of an element under ``parent``, or ``parent`` for one that is left out but not what is inside it.

        None for what has nothing inside to be copied; ``flat`` makes no copies, below the deepest level.
        """
        tag = node.tag
        if tag in _DROPPED or (flat and tag == "script"):
            return None
        if flat or not _NAME.fullmatch(tag):
            return parent
        attributes: dict[str, str | None] = node.attributes
        if tag == "script":
            if not _MATH_SCRIPT.match(attributes.get("type") or ""):
                return None
        elif (attributes.get("role") or "").lower() in _DROPPED_ROLES or (
            (attributes.get("aria-hidden") or "").lower() == "true" and tag != "math"
        ):
            return None
        kept = {
            name: writable(value or "")
            for name, value in attributes.items()
            if _NAME.fullmatch(name) and name not in ("style", "hidden") and not name.startswith("on")
        }
        style = attributes.get("style") or ""
        if "background" in style or parent.get(_GROUND) is not None:
            kept[_GROUND] = ""
        reason = self._reason(attributes, style, grounded=_GROUND in kept)
        if reason:
            kept[HIDDEN] = reason
        self._put_text(parent)
        element = etree.SubElement(parent, tag, kept)
        return None if tag == "svg" else element

    def _reason(self, attributes: dict[str, str | None], style: str, *, grounded: bool) -> str:
        """Why an element is not seen, "" if it is."""
        if "hidden" in attributes and (attributes["hidden"] or "").lower() != "until-found":
            return "display none"
        reason = hides(style, grounded=grounded)
        if reason:
            return reason
        classes = (attributes.get("class") or "").split()
        if not UNSEEN_CLASSES.isdisjoint(classes):
            return "for screen readers"
        if self._hidden:
            names = {f".{name}" for name in classes} | {f"#{attributes.get('id') or ''}"}
            if not self._hidden.isdisjoint(names):
                return "display none"
        return ""
