"""Where a live result differs from the recorded one: error, structured content, text, images."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, cast

from .outcome import Outcome
from .volatile import Mask

MOST = 20
"""Differences of one structured content that are told."""
_LONGEST = 400
"""Characters of a difference that are shown."""
_DECORATION = 200
"""Letters that a client may have put around a tool's text."""
_ERROR_DECORATION = 5000
"""The same where the tool failed: some clients tell the whole exchange."""
_ABSENT = "(absent)"


@dataclass(frozen=True, slots=True)
class Difference:
    """``place`` is a path in structured content, a line of the text, the number of an image."""

    part: Literal["error", "structured", "text", "images"]
    place: str
    recorded: str
    live: str


def compare(recorded: Outcome, live: Outcome, mask: Mask) -> list[Difference]:
    """All differences that count."""
    found: list[Difference] = []
    if recorded.failed is not None and recorded.failed != live.failed:
        found.append(Difference("error", "", _failure(recorded), _failure(live)))
        return found
    if recorded.structured is not None:
        walk = _walk(mask.value(recorded.structured), mask.value(live.structured), "$")
        found += [Difference("structured", *place) for _, place in zip(range(MOST), walk, strict=False)]
    told_by_structured = live.structured is not None and _parsed(live.text) == live.structured
    if not (recorded.structured is not None and told_by_structured) and not _same_text(recorded.text, live, mask):
        found.append(_first_line(mask.text(recorded.text), mask.text(live.text)))
    if not mask.images and recorded.images != live.images:
        found += _images(recorded.images, live.images)
    return found


def _failure(outcome: Outcome) -> str:
    return _short(f"failed: {outcome.text}" if outcome.failed else f"a result: {outcome.text}")


def _walk(recorded: Any, live: Any, path: str) -> Iterator[tuple[str, str, str]]:
    if isinstance(recorded, dict) and isinstance(live, dict):
        old, new = cast("dict[str, Any]", recorded), cast("dict[str, Any]", live)
        for key in [*old, *(key for key in new if key not in old)]:
            yield from _walk(old.get(key, _ABSENT), new.get(key, _ABSENT), f"{path}.{key}")
    elif isinstance(recorded, list) and isinstance(live, list):
        olds, news = cast("list[Any]", recorded), cast("list[Any]", live)
        for index in range(max(len(olds), len(news))):
            old = olds[index] if index < len(olds) else _ABSENT
            yield from _walk(old, news[index] if index < len(news) else _ABSENT, f"{path}[{index}]")
    elif recorded != live or isinstance(recorded, bool) != isinstance(live, bool):
        yield path, _short(recorded), _short(live)


def _same_text(recorded: str, live: Outcome, mask: Mask) -> bool:
    """Whether the recorded text says what the live result does: as its text, or as its structured content, which some
    clients show in its place; within the words that a client puts around it."""
    said = _squeezed(mask.text(recorded))
    if said == _squeezed(mask.text(live.text)):
        return True
    value = _parsed(recorded)
    if value is not None and mask.value(value) in (mask.value(_parsed(live.text)), mask.value(live.structured)):
        return True
    forms = [live.text, _dumped(live.text)[1:-1]]
    if live.structured is not None:
        plain = _dumped(live.structured)
        forms += [plain, _dumped(plain)[1:-1]]
    allowed = _ERROR_DECORATION if live.failed else _DECORATION
    return any(_within(said, _squeezed(mask.text(form)), allowed) for form in forms)


def _within(said: str, form: str, allowed: int) -> bool:
    return bool(form) and form in said and len(said) - len(form) <= allowed


def _first_line(recorded: str, live: str) -> Difference:
    old, new = recorded.splitlines(), live.splitlines()
    for number in range(max(len(old), len(new))):
        before = old[number] if number < len(old) else _ABSENT
        after = new[number] if number < len(new) else _ABSENT
        if before != after:
            return Difference("text", f"line {number + 1}", *_around(before, after))
    return Difference("text", "spaces", _short(recorded), _short(live))


def _around(old: str, new: str) -> tuple[str, str]:
    """Both lines from shortly before the place where they part."""
    same = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = max(0, same - 60)
    lead = "…" if start else ""
    return _short(lead + old[start:]), _short(lead + new[start:])


def _images(recorded: tuple[str, ...], live: tuple[str, ...]) -> list[Difference]:
    found: list[Difference] = []
    for index in range(max(len(recorded), len(live))):
        old = recorded[index] if index < len(recorded) else _ABSENT
        new = live[index] if index < len(live) else _ABSENT
        if old != new:
            found.append(Difference("images", str(index + 1), old, new))
    return found


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else _dumped(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} … ({len(text)} characters)"
