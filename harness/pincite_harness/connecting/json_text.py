"""One value changed in the text of a JSON file, with its comments, order and layout kept (JSON with comments too)."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

_SPACE = re.compile(r"(?:[\s\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_REST_OF_LINE = re.compile(r"[ \t]*(?://[^\r\n]*)?")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_PLAIN = re.compile(r"[^\s,:\[\]{}\"/]+")


@dataclass(slots=True)
class Node:
    """A value of the text: where it stands, and for an object its members in order, each with where its key begins."""

    start: int
    end: int
    value: Any
    members: "dict[str, tuple[int, Node]]" = field(default_factory=dict[str, "tuple[int, Node]"])


def read(text: str) -> Node:
    """The value of a whole text; ValueError, with the line, where it is not JSON (comments and commas at an end
    apart)."""
    node = _value(text, _skip(text, 0))
    if _skip(text, node.end) != len(text):
        raise _wrong(text, node.end)
    return node


def put(text: str, section: str, name: str, value: Any) -> str:
    """The text with ``{section: {name: value}}``; ValueError where it cannot hold that."""
    if not text.strip("\ufeff \t\r\n"):
        return json.dumps({section: {name: value}}, indent=2, ensure_ascii=False) + "\n"
    root = read(text)
    if not isinstance(root.value, dict):
        raise ValueError("it does not hold an object")
    unit = _unit(text, root)
    if section not in root.members:
        return _insert(text, root, section, {name: value}, unit, 1)
    inner = root.members[section][1]
    if not isinstance(inner.value, dict):
        raise ValueError(f"{section!r} in it is not an object")
    if name not in inner.members:
        return _insert(text, inner, name, value, unit, 2)
    old = inner.members[name][1]
    return text[: old.start] + _shown(value, unit, 2) + text[old.end :]


def take(text: str, section: str, name: str) -> str:
    """The text without ``section``'s member ``name``; as it is where there is none."""
    if not text.strip("\ufeff \t\r\n"):
        return text
    root = read(text)
    inner = root.members[section][1] if section in root.members else None
    if inner is None or name not in inner.members:
        return text
    keys = list(inner.members)
    at = keys.index(name)
    start, node = inner.members[name]
    rest = _skip(text, node.end)
    has_comma = text[rest] == ","
    after = rest + 1 if has_comma else node.end
    if at + 1 < len(keys):
        return text[:start] + text[after:].lstrip()
    if not at:
        return text[: inner.start + 1] + text[after:]
    comma = _skip(text, inner.members[keys[at - 1]][1].end)
    between = text[comma + 1 : start].rstrip()
    return text[: comma + has_comma] + between + text[after:]


def _insert(text: str, node: Node, name: str, value: Any, unit: str, depth: int) -> str:
    """The text with a last member more in the object ``node``, which stands ``depth`` - 1 levels deep."""
    member = f"{json.dumps(name)}: {_shown(value, unit, depth)}"
    if not node.members:
        return f"{text[: node.start + 1]}\n{unit * depth}{member}\n{unit * (depth - 1)}{text[node.end - 1 :]}"
    _, last = list(node.members.values())[-1]
    rest = _skip(text, last.end)
    has_comma = text[rest] == ","
    at = rest + 1 if has_comma else last.end
    line = _REST_OF_LINE.match(text, at)
    end = line.end() if line is not None else at
    first = text[:at] if has_comma else f"{text[:at]},"
    return f"{first}{text[at:end]}\n{unit * depth}{member}{',' if has_comma else ''}{text[end:]}"


def _shown(value: Any, unit: str, depth: int) -> str:
    return json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", "\n" + unit * depth)


def _unit(text: str, root: Node) -> str:
    """What the file indents by: the space before its first key, two spaces where it has none."""
    for start, _ in root.members.values():
        before = text[text.rfind("\n", 0, start) + 1 : start]
        if before and not before.strip():
            return before
        break
    return "  "


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found is not None else at


def _value(text: str, at: int) -> Node:
    if text[at : at + 1] == "{":
        return _object(text, at)
    if text[at : at + 1] == "[":
        return _array(text, at)
    found = _STRING.match(text, at) or _PLAIN.match(text, at)
    if found is None:
        raise _wrong(text, at)
    try:
        return Node(at, found.end(), json.loads(found[0]))
    except ValueError as error:
        raise _wrong(text, at) from error


def _object(text: str, at: int) -> Node:
    node = Node(at, at, {})
    at = _skip(text, at + 1)
    while text[at : at + 1] != "}":
        key = _STRING.match(text, at)
        if key is None:
            raise _wrong(text, at)
        colon = _skip(text, key.end())
        if text[colon : colon + 1] != ":":
            raise _wrong(text, colon)
        member = _value(text, _skip(text, colon + 1))
        name = json.loads(key[0])
        node.members[name] = (at, member)
        node.value[name] = member.value
        at = _next(text, member.end, "}")
    node.end = at + 1
    return node


def _array(text: str, at: int) -> Node:
    node = Node(at, at, [])
    at = _skip(text, at + 1)
    while text[at : at + 1] != "]":
        item = _value(text, at)
        node.value.append(item.value)
        at = _next(text, item.end, "]")
    node.end = at + 1
    return node


def _next(text: str, end: int, closing: str) -> int:
    """Where what follows a member or an item begins: another one, or the closing bracket."""
    at = _skip(text, end)
    if text[at : at + 1] == ",":
        return _skip(text, at + 1)
    if text[at : at + 1] != closing:
        raise _wrong(text, at)
    return at


def _wrong(text: str, at: int) -> ValueError:
    return ValueError(f"it is not JSON at line {text.count(chr(10), 0, at) + 1}")
