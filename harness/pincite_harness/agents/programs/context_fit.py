"""Context: documents for a model whose context is limited, by a stated policy; what of each is shown is counted."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

CHARS_PER_TOKEN = 4.0
"""Of text in Latin letters: the rule of thumb of the APIs' own guides."""
HAN_PER_TOKEN = 1.5
"""Of Chinese, Japanese and Korean."""
POLICIES = ("whole", "cut:published", "cut:tokens", "share")
CONTEXT_DEFAULT = 32_000
"""Tokens of a context that nobody knows, for reading in parts: most models that are in use take more."""
PUBLISHED_LENGTH = 32_000
"""Tokens of a context that nobody knows, as AOE's published code takes them."""
_PUBLISHED_LONG = 42_700
"""Tokens of a context above which AOE's code keeps 2,000 for the answer, else 1,000."""
_ANSWER_TOKENS = 8_192
"""Kept for the answer where nothing is said: a table of some hundred rows; a quarter of a smaller context."""
SHOWN_FILE = Path(".agent/shown.json")
"""What was shown of each document, below the working folder; the harness keeps the file with the trial."""
_BLOCK = re.compile(r"\n\n(?=\[pc:)")
_FIRST = re.compile(r"\[pc:[^\s\]]+ (?:title|heading|table|caption)\]")
"""Marks of the blocks that ``share`` takes before running text."""
_GAP = "[…]"
_WIDE = re.compile(r"[\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens that a model takes in all, and those of them that are kept for its answer."""

    length: int
    output: int

    @property
    def room(self) -> int:
        """Tokens for the prompt."""
        return max(self.length - self.output, 0)


@dataclass(frozen=True, slots=True)
class Shown:
    """A document as it is shown: ``tokens`` of ``of`` tokens, estimated."""

    name: str
    text: str
    tokens: int
    of: int


def tokens(text: str) -> int:
    """An estimate: a quarter of the characters, and two thirds of those of Chinese, Japanese and Korean."""
    wide = len(_WIDE.findall(text))
    return round((len(text) - wide) / CHARS_PER_TOKEN + wide / HAN_PER_TOKEN)


def window_of(known: int | None, options: Mapping[str, str], policy: str) -> Window | None:
    """The window by the options ``window`` and ``max_output``, else by what is ``known`` of the model; None where
    nobody knows and the policy needs none. ValueError where it does."""
    length = int(options.get("window", "0")) or known or 0
    if not length and policy == "cut:published":
        length = PUBLISHED_LENGTH
    if not length:
        if policy == "whole":
            return None
        raise ValueError(f"context={policy} needs the model's context in tokens: --agent-option window=131072, say")
    output = int(options.get("max_output", "0"))
    if not output and policy == "cut:published":
        output = 2_000 if length > _PUBLISHED_LONG else 1_000
    return Window(length, output or min(_ANSWER_TOKENS, length // 4))


def fit_documents(
    documents: Sequence[tuple[str, str]], before: str, window: Window | None, policy: str
) -> list[Shown]:  # fmt: skip
    """The documents (name, text) that follow the text ``before`` in a prompt, as the policy shows them:

    - ``whole``: everything; ValueError with the count where it does not fit the window;
    - ``cut:published``: the first (length - 2 output) *characters* of the whole prompt, as AOE's code does;
    - ``cut:tokens``: the first tokens that fit, in the documents' order;
    - ``share``: the same room for each; titles, headings, captions and tables first, then text in order.
    """
    sizes = [tokens(text) for _, text in documents]
    if policy not in POLICIES:
        raise ValueError(f"context={policy} is not a policy; there are {', '.join(POLICIES)}")
    if policy == "cut:published" and window is not None:
        left = max(window.length - 2 * window.output - len(before), 0)
        lengths = prefix([len(text) for _, text in documents], left)
        cut = [text[:length] for (_, text), length in zip(documents, lengths, strict=True)]
        return _shown(documents, cut)
    room = window.room - tokens(before) if window is not None else sum(sizes)
    if sum(sizes) <= room:
        return _shown(documents, [text for _, text in documents])
    if policy == "whole":
        total = sum(sizes) + tokens(before)
        raise ValueError(
            f"the prompt has about {total} tokens, and the model takes {window.room if window else 0} beside its "
            "answer; context=share, parts or cut:tokens shows what fits"
        )
    rooms = shares(sizes, max(room, 0)) if policy == "share" else prefix(sizes, max(room, 0))
    cutter = _chosen if policy == "share" else beginning
    return _shown(documents, [cutter(text, limit) for (_, text), limit in zip(documents, rooms, strict=True)])


def record(shown: Sequence[Shown], policy: str, window: Window | None, before: str, file: Path = SHOWN_FILE) -> None:
    """Note what was shown, a document each, for the trial's record."""
    documents = [{"name": each.name, "shown": each.tokens, "of": each.of} for each in shown]
    note: dict[str, Any] = {"policy": policy, "window": asdict(window) if window is not None else None}
    note |= {"prompt": tokens(before), "documents": documents}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(note, ensure_ascii=False, indent=1), encoding="utf-8")


def prefix(sizes: Sequence[int], room: int) -> list[int]:
    """The room of each, the first ones in full as long as there is any."""
    rooms: list[int] = []
    for size in sizes:
        rooms.append(min(size, room))
        room -= rooms[-1]
    return rooms


def shares(sizes: Sequence[int], room: int) -> list[int]:
    """The same room for each, the shortest first, so that what they leave goes to the longer ones."""
    rooms = [0] * len(sizes)
    order = sorted(range(len(sizes)), key=lambda number: sizes[number])
    for done, number in enumerate(order):
        rooms[number] = min(sizes[number], room // (len(sizes) - done))
        room -= rooms[number]
    return rooms


def beginning(text: str, limit: int) -> str:
    """The longest beginning of at most ``limit`` tokens."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if tokens(text[:middle]) <= limit:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def outline(text: str, limit: int) -> str:
    """Titles, headings, captions and tables of a document, the first ones that fit into ``limit`` tokens."""
    blocks = [block for block in _BLOCK.split(text) if _FIRST.search(block.split("\n")[0]) or "title]" in block[:200]]
    return beginning("\n\n".join(blocks), limit)


def parts_of(text: str, limit: int) -> list[str]:
    """The text in parts of at most ``limit`` tokens, cut between its blocks; a longer block is cut inside."""
    parts: list[str] = []
    held = ""
    for block in _BLOCK.split(text):
        joined = f"{held}\n\n{block}" if held else block
        if tokens(joined) <= limit:
            held = joined
            continue
        if held:
            parts.append(held)
        held = block
        while tokens(held) > limit:
            start = beginning(held, limit)
            if not start:
                raise ValueError(f"a part of {limit} tokens holds no character")
            parts.append(start)
            held = held[len(start) :]
    return [*parts, held] if held else parts


def _chosen(text: str, limit: int) -> str:
    """The blocks that fit, tables and headings before running text, in the order of the text; gaps are marked."""
    if tokens(text) <= limit:
        return text
    blocks = _BLOCK.split(text)
    order = sorted(range(len(blocks)), key=lambda number: (_FIRST.match(blocks[number]) is None, number))
    gap = tokens(f"\n\n{_GAP}\n\n") + 1
    left = limit
    taken: set[int] = set()
    for number in order:
        cost = tokens(blocks[number]) + gap
        if cost <= left:
            taken.add(number)
            left -= cost
    pieces: list[str] = []
    for number, block in enumerate(blocks):
        if number in taken:
            pieces.append(block)
        elif not pieces or pieces[-1] != _GAP:
            pieces.append(_GAP)
    return "\n\n".join(pieces) if taken else ""


def _shown(documents: Sequence[tuple[str, str]], texts: Sequence[str]) -> list[Shown]:
    pairs = zip(documents, texts, strict=True)
    return [Shown(name, text, tokens(text), tokens(whole)) for (name, whole), text in pairs]
