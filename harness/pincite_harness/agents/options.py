"""Options of agents: what each means and which values it takes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from pincite_core.errors import BadInputError, NotFoundError
from pincite_tasks.files import digest_bytes, digest_json

GIVEN = ".given"
"""Where a file that an option names lies in the sandbox, under the option's name."""
FILE_MARK = "@"
"""Begins a value that is the path of a file where an agent says nothing of its options: a program of the user's."""
_MOST_BYTES = 10_000_000
"""Bytes of such a file: it is copied into every trial's working folder, which is memory, at most 1 GiB with all
else."""
_WHOLE = re.compile(r"[0-9]{1,15}", re.ASCII)
_DECIMAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?", re.ASCII)
"""Numbers as people write them: no exponent, no ``nan``, at most 15 digits on a side, which a float holds."""


@dataclass(frozen=True, slots=True)
class Number:
    """Numbers from ``least`` to ``most``, whole or with decimals, perhaps behind a word (``random:7``); with ``span``
    also two of them, the smaller first (``2-5``)."""

    least: float = 1
    most: float | None = None
    decimals: bool = False
    prefix: str = ""
    span: bool = False

    def takes(self, value: str) -> bool:
        """Whether ``value`` is such a number, or such a span."""
        if not value.startswith(self.prefix):
            return False
        text = value.removeprefix(self.prefix)
        if self._reads(text):
            return True
        first, dash, last = text.partition("-")
        return self.span and bool(dash) and self._reads(first) and self._reads(last) and float(first) <= float(last)

    def _reads(self, text: str) -> bool:
        pattern = _DECIMAL if self.decimals else _WHOLE
        if pattern.fullmatch(text) is None:
            return False
        return self.least <= float(text) and (self.most is None or float(text) <= self.most)

    def __str__(self) -> str:
        kind = "number" if self.decimals else "whole number"
        limits = f"from {self.least:g} on" if self.most is None else f"from {self.least:g} to {self.most:g}"
        told = f"{self.prefix}N, N a {kind} {limits}" if self.prefix else f"a {kind} {limits}"
        return f"{told}, or two of them as LOW-HIGH" if self.span else told


@dataclass(frozen=True, slots=True)
class Option:
    """An option of an agent: what it means, and its values, which are words, numbers or the path of a file; a whole
    number above 0 where none of these is said."""

    meaning: str
    values: Sequence[str] = ()
    number: Number | None = field(default=None, kw_only=True)
    file: bool = field(default=False, kw_only=True)
    """Whether it names a file of the user's: the agent finds a copy of it, and is given the copy's path."""

    def takes(self, value: str) -> bool:
        """Whether ``value`` is one of its values; whether a file is there is asked by ``Given.of``."""
        if value in self.values:
            return True
        number = self._number
        return (number is not None and number.takes(value)) or (self.file and bool(value))

    def names_file(self, value: str) -> bool:
        """Whether ``value`` is the path of a file, and none of the option's words and numbers."""
        return self.file and value not in self.values and not (self.number is not None and self.number.takes(value))

    @property
    def _number(self) -> Number | None:
        return Number() if not (self.values or self.number or self.file) else self.number

    def __str__(self) -> str:
        words = [*self.values, *([str(self._number)] if self._number is not None else [])]
        words += ["the path of a file"] if self.file else []
        return f"{self.meaning}: {' or '.join(words)}"


def check_options(agent: str, options: Mapping[str, str], known: Mapping[str, Option]) -> None:
    """BadInputError for an option that the agent does not have, and for a value that the option does not take."""
    for name, value in options.items():
        option = known.get(name)
        if option is None:
            names = "; ".join(f"{word}: {what.meaning}" for word, what in known.items())
            raise BadInputError(f"{agent} has no option {name!r}.", seen=names, next="Name one of these.")
        if not option.takes(value):
            raise BadInputError(f"{name}={value!r} is not a valid value.", seen=str(option))


def named_files(options: Mapping[str, str], known: Mapping[str, Option]) -> dict[str, Path]:
    """The files that options name, by the options; a word or a number of an option is not a file."""
    found: dict[str, Path] = {}
    for name, value in options.items():
        option = known.get(name)
        if option is not None and option.names_file(value):
            found[name] = Path(value)
    return found


@dataclass(frozen=True, slots=True)
class Given:
    """Options as an agent inside a sandbox is told them: a file's is the path of its copy there."""

    options: Mapping[str, str]
    files: Mapping[str, bytes]
    """The copies by their paths in the sandbox."""

    @classmethod
    def of(cls, options: Mapping[str, str], files: Mapping[str, Path]) -> Self:
        """Reads the files that options name; NotFoundError without one, BadInputError for one that is too large."""
        inside = {name: f"{GIVEN}/{name}" for name in files}
        contents = {inside[name]: _read(name, path) for name, path in files.items()}
        return cls({**options, **inside}, contents)

    def digests(self) -> dict[str, str]:
        """Digest of each file by its path in the sandbox, and of the options."""
        files = {name: digest_bytes(data) for name, data in sorted(self.files.items())}
        return files | {"options": digest_json(dict(self.options))}


def _read(name: str, path: Path) -> bytes:
    if not path.is_file():
        raise NotFoundError(f"There is no file {path}.", next=f"Check --agent-option {name}=.")
    size = path.stat().st_size
    if size > _MOST_BYTES:
        raise BadInputError(
            f"{path} is too large to be put into every trial.",
            seen=f"{size / 1e6:.0f} MB",
            next=f"Keep it below {_MOST_BYTES / 1e6:.0f} MB: data belongs into an image of your own (--image).",
        )
    return path.read_bytes()
