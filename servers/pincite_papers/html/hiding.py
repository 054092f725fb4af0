"""Hiding: which elements of a page a reader does not see."""

import re
from collections.abc import Iterable, Mapping

_DECLARATION = re.compile(r"([a-z-]{1,40})\s*:\s*([^;{}]{1,200})")
_RULE = re.compile(r"([^{}@;]{1,300})\{([^{}]{0,2000})\}")
_SELECTOR = re.compile(r"(?:[a-z][a-z0-9]*)?([.#][A-Za-z_][\w-]*)")
_MOST_STYLE = 300_000
"""Characters of style sheets that are read. Set by judgement."""
_ZERO = re.compile(r"-?0*(?:\.0+)?(?:px|pt|em|rem|ex|%|vh|vw)?")
_TINY = re.compile(r"(?:0*(?:\.\d+)?|1(?:\.\d+)?)(?:px|pt)|0*\.0\d*r?em")
_FAR = re.compile(r"-\d{3,}(?:\.\d+)?(?:px|pt|em|rem|%)?")
_WHITE = re.compile(r"#f{3}|#f{6}|#f[c-f]f[c-f]f[c-f]|white|snow|rgba?\(25[0-5],25[0-5],25[0-5](?:,[\d.]+)?\)")
_CLEAR = re.compile(r"transparent|rgba\([\d.]+,[\d.]+,[\d.]+,0?\.?0*\)|#[0-9a-f]{6}00|#[0-9a-f]{3}0")
UNSEEN_CLASSES = frozenset({
    "sr-only", "visually-hidden", "visuallyhidden", "u-visually-hidden", "screen-reader-text", "screenreader-only",
    "screen-reader-only", "element-invisible", "offscreen", "off-screen", "hidden-text", "assistive-text",
    "usa-sr-only", "skip-link", "skiplink", "skip-nav", "sr-only-focusable", "visually-hidden-focusable", "d-none",
})  # fmt: skip
"""Classes by which pages name what only a screen reader speaks; they are not styles of the page's own."""


def hidden_names(styles: Iterable[str]) -> frozenset[str]:
    """The ``.class`` and ``#id`` names that the style sheets of a page hide, outside of media queries."""
    found: set[str] = set()
    for style in styles:
        for match in _RULE.finditer(_without_blocks(style[:_MOST_STYLE])):
            if not hides(match[2], grounded=True):
                continue
            for selector in match[1].split(","):
                name = _SELECTOR.fullmatch(selector.strip())
                if name is not None:
                    found.add(name[1])
    return frozenset(found)


def _without_blocks(style: str) -> str:
    """A style sheet without its comments and what stands in blocks of ``@`` rules."""
    style = re.sub(r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/", " ", style)
    parts: list[str] = []
    done = 0
    while (at := style.find("@", done)) >= 0:
        parts.append(style[done:at])
        depth, done = 0, at
        for match in re.compile(r"[{};]").finditer(style, at):
            mark = match.group()
            depth += (mark == "{") - (mark == "}")
            done = match.end()
            if depth <= 0 and mark != "{":
                break
        else:
            break
    return "".join([*parts, style[done:]])


def hides(style: str, *, grounded: bool) -> str:
    """Why an element with these declarations is not seen, "" if it is; ``grounded``: it may stand on a dark ground."""
    if ":" not in style:
        return ""
    has = {name: re.sub(r"\s+|!important", "", value.lower()) for name, value in _DECLARATION.findall(style.lower())}
    if has.get("display") == "none" or has.get("visibility") in ("hidden", "collapse"):
        return "display none"
    if _ZERO.fullmatch(has.get("opacity", "1")):
        return "transparent"
    if _TINY.fullmatch(has.get("font-size", "1em")) or has.get("font-size") == "0":
        return "under 2 px"
    if any(_FAR.fullmatch(has.get(name, "")) for name in ("left", "top", "right", "text-indent", "margin-left")):
        return "off the page"
    if _is_clipped(has):
        return "clipped away"
    return _ink(has, grounded=grounded)


def _is_clipped(has: Mapping[str, str]) -> bool:
    if "overflow" in has and has["overflow"] in ("hidden", "clip"):
        sizes = [has[name] for name in ("width", "height", "max-width", "max-height") if name in has]
        if any(_ZERO.fullmatch(size) or size == "1px" for size in sizes):
            return True
    return has.get("clip", "").startswith(("rect(0", "rect(1px")) or has.get("clip-path", "") == "inset(50%)"


def _ink(has: Mapping[str, str], *, grounded: bool) -> str:
    color = has.get("color", "")
    if _CLEAR.fullmatch(color):
        return "transparent"
    ground = has.get("background-color") or has.get("background") or ""
    if color and color == ground:
        return "colour of the background"
    if _WHITE.fullmatch(color) and (_WHITE.fullmatch(ground) or (not ground and not grounded)):
        return "colour of the background"
    return ""
