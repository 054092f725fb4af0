"""Consent: the keys by which a running Zotero lets pincite write, once or until its user takes it back."""

import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import orjson

from pincite_core.json_fields import mapping


@dataclass(frozen=True, slots=True)
class Grant:
    """A key for one Zotero (``server`` is its id); one that is not ``lasting`` holds for one write."""

    server: str
    key: str
    lasting: bool


class Consent:
    """Keeps lasting keys in ``file``, which only the user may read; the others until they are used."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._once: Grant | None = None

    def known(self, server: str) -> Grant | None:
        """A key for this Zotero, None where it has to be asked for."""
        if self._once is not None and self._once.server == server:
            return self._once
        key = self._read().get(server)
        return Grant(server, key, lasting=True) if isinstance(key, str) and key else None

    def keep(self, grant: Grant) -> None:
        """Keep a key that Zotero gave."""
        if not grant.lasting:
            self._once = grant
            return
        self._write({**self._read(), grant.server: grant.key})

    def used(self, grant: Grant) -> None:
        """Forget a key that held for this one write."""
        if not grant.lasting:
            self._once = None

    def forget(self, server: str) -> None:
        """Forget the key of this Zotero, which does not take it any more."""
        self._once = None
        kept = self._read()
        if kept.pop(server, None) is not None:
            self._write(kept)

    def _read(self) -> dict[str, object]:
        try:
            return mapping(orjson.loads(self._file.read_bytes()))
        except (OSError, ValueError):
            return {}

    def _write(self, keys: dict[str, object]) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        beside = self._file.with_name(f"{self._file.name}.{secrets.token_hex(4)}.tmp")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(orjson.dumps(keys))
            beside.replace(self._file)
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
