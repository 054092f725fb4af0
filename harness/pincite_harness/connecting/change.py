"""A change of a client's configuration: prepared, shown as a difference, written whole, with a backup."""

import difflib
import os
import shutil
import stat
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pincite_core.durable import write_whole
from pincite_core.errors import BadInputError, UnavailableError
from pincite_harness.connecting import json_text, toml_text
from pincite_harness.connecting.clients import ClientEntry, Entry

Edit = Callable[[str], str]
_TEXTS = {"json": json_text, "toml": toml_text}


@dataclass(frozen=True, slots=True)
class Change:
    """A file as it is (None: it is not there) and as it shall be."""

    file: Path
    before: str | None
    after: str

    @property
    def is_needed(self) -> bool:
        """Whether anything changes."""
        return (self.before or "") != self.after

    def difference(self) -> str:
        """The change as a unified difference."""
        lines = difflib.unified_diff(
            (self.before or "").splitlines(keepends=True),
            self.after.splitlines(keepends=True),
            str(self.file) if self.before is not None else "(no file)",
            str(self.file),
        )
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)

    def write(self) -> Path | None:
        """Write the file whole, with the mode that it had; the backup beside it, None where there was no file.

        UnavailableError where it cannot be written, or was changed since it was read.
        """
        try:
            if _text_of(self.file) != self.before:
                raise UnavailableError(f"{self.file} was changed in the meantime.", next="Try again.")
            self.file.parent.mkdir(parents=True, exist_ok=True)
            stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
            backup = None
            if self.before is not None:
                backup = self.file.with_name(f"{self.file.name}.{stamp}.bak")
                shutil.copy2(self.file, backup)
            beside = self.file.with_name(f".{self.file.name}.{stamp}")
            mode = stat.S_IMODE(self.file.stat().st_mode) if backup is not None else None
            write_whole(self.file, beside, self.after.encode())
            if mode is not None:
                os.chmod(self.file, mode)  # noqa: PTH101
        except OSError as error:
            raise UnavailableError(f"{self.file} cannot be written.", seen=str(error)) from error
        return backup


def connected(client: ClientEntry, file: Path, name: str, entry: Entry) -> Change:
    """The change that enters a server ``name``, or replaces it; BadInputError where the file is not what the client
    reads."""
    return _change(client, file, lambda text: _TEXTS[client.format].put(text, client.section, name, entry))


def disconnected(client: ClientEntry, file: Path, name: str) -> Change:
    """The change that takes the server ``name`` out."""
    return _change(client, file, lambda text: _TEXTS[client.format].take(text, client.section, name))


def snippet(client: ClientEntry, name: str, entry: Entry) -> str:
    """What a configuration that holds this server alone would say."""
    return _TEXTS[client.format].put("", client.section, name, entry)


def _change(client: ClientEntry, file: Path, edit: Edit) -> Change:
    before = _text_of(file)
    try:
        return Change(file, before, edit(before or ""))
    except ValueError as error:
        raise BadInputError(
            f"The configuration of {client.title} cannot be changed.",
            seen=f"{file}: {error}",
            next="Correct it, or enter by hand what --print shows.",
        ) from error


def _text_of(file: Path) -> str | None:
    try:
        return file.read_bytes().decode()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UnavailableError(f"{file} cannot be read.", seen=str(error)) from error
