"""Nothing that a client or a server sends makes a dialect raise."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from pincite_models.dialects.model import DialectName
from pincite_models.dialects.table import DIALECTS

FOLDER = Path(__file__).parent
ODD: tuple[Any, ...] = (
    None, True, -1, 1e400, 10**400, "", "x", "\ud800", "data:,", "media:", [], [None], [[]], {}, {"type": 7},
    {"type": "text"},
)  # fmt: skip
SEEDS = range(60)


def spoiled(value: Any, chance: random.Random, rate: float) -> Any:
    """A copy in which some values are others, and some fields are gone."""
    if chance.random() < rate:
        return chance.choice(ODD)
    if isinstance(value, dict):
        return {
            chance.choice(["type", "role", "id"]) if chance.random() < rate else key: spoiled(item, chance, rate)
            for key, item in value.items()
            if chance.random() >= rate
        }
    if isinstance(value, list):
        return [spoiled(item, chance, rate) for item in value if chance.random() >= rate]
    return value


@pytest.mark.parametrize("name", list(DIALECTS))
def test_requests_of_any_shape(name: DialectName) -> None:
    recorded = json.loads((FOLDER / "requests" / f"{name}.json").read_text())
    dialect = DIALECTS[name]
    operation = dialect.operation("POST", recorded["path"])
    assert operation is not None
    for seed in SEEDS:
        body = spoiled(recorded["body"], random.Random(seed), 0.02)
        body = body if isinstance(body, dict) else {}
        request = dialect.read_request(operation, body)
        json.dumps([repr(request), dialect.hosted_tools(body), dialect.model_of(operation, body)]).encode()


def test_answers_of_any_shape(stream: Path) -> None:
    """Whole ones, and streams of spoiled events: what is read can be written as UTF-8, and counts are counts."""
    dialect = DIALECTS[stream.stem.partition("-")[0]]  # type: ignore[index]
    text = stream.read_text()
    lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {")]
    events = json.loads(text) if text.startswith("[") else [json.loads(line) for line in lines]
    for seed in SEEDS:
        chance = random.Random(seed)
        given = [spoiled(event, chance, 0.03) for event in events]
        chance.shuffle(given) if seed % 3 == 0 else None
        reader = dialect.reader()
        for event in given:
            reader.feed(b"data: " + json.dumps(event).encode() + b"\n\n")
        responses = [reader.response(), *(dialect.read_response(event) for event in given if isinstance(event, dict))]
        for response in responses:
            assert (
                all(
                    isinstance(count, int) and count >= 0
                    for count in (response.usage.input_tokens, response.usage.output_tokens)
                )
                if response.usage
                else True
            )
            [getattr(part, "text", "").encode() for part in response.parts]


def test_bytes_of_any_kind(stream: Path) -> None:
    dialect = DIALECTS[stream.stem.partition("-")[0]]  # type: ignore[index]
    data = stream.read_bytes()
    for seed in SEEDS:
        chance = random.Random(seed)
        broken = bytearray(data)
        for _ in range(1 + seed % 7):
            place = chance.randrange(len(broken))
            broken[place : place + chance.randrange(9)] = chance.randbytes(chance.randrange(5))
        reader = dialect.reader()
        for start in range(0, len(broken), 97):
            reader.feed(bytes(broken[start : start + 97]))
        reader.response()


@pytest.mark.parametrize("name", list(DIALECTS))
def test_deep_and_huge(name: DialectName) -> None:
    dialect = DIALECTS[name]
    deep = b"[" * 5000 + b"]" * 5000
    reader = dialect.reader()
    reader.feed(b'data: {"type":"message_start","message":{"content":' + deep + b"}}\n\n")
    assert not reader.response().complete
    long = dialect.reader()
    for _ in range(200):
        long.feed(b"data: " + b"x" * 100_000)
    assert not long.response().complete
