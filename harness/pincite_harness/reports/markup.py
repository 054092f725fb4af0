"""HTML and SVG elements as strings: every text and attribute is escaped, since it may come from a paper."""

from collections.abc import Iterable
from html import escape


class Markup(str):
    """A string that is markup already."""

    __slots__ = ()

    def __html__(self) -> str:
        """The markup itself: a template puts it in as it is."""
        return str(self)


_VOID = frozenset({"img"})
"""Elements without content and end."""


def tag(name: str, *children: "str | Markup | Iterable[Markup]", **attributes: object) -> Markup:
    """An element; plain strings are escaped. ``class_`` gives ``class``, ``stroke_width`` gives ``stroke-width``; an
    attribute that is None is left out."""
    opening = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Markup(f"<{name}{opening}>")
    inner = "".join(_inner(child) for child in children)
    return Markup(f"<{name}{opening}>{inner}</{name}>")


def _inner(child: "str | Markup | Iterable[Markup]") -> str:
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return escape(child, quote=False)
    return "".join(child)


def join(parts: Iterable[Markup], between: str = "") -> Markup:
    """Markup side by side, with the text ``between``."""
    return Markup(escape(between).join(parts))
