"""Errand: files that one command of the Docker daemon puts before it becomes the command that was asked for."""

import json
import secrets
from collections.abc import Mapping

from .base import OnOutput, Stream
from .guest.files import pack_files
from .trouble import file_error, start_error

_MOST_WORDS = 10_000


class Errand:
    """What is sent to the guest's ``files start``, and its own words among what comes back.

    They begin with a word that only the two know: the command comes after it and cannot imitate a failure.
    """

    def __init__(self, files: Mapping[str, bytes], on_output: OnOutput | None) -> None:
        packed = pack_files(dict(files))
        self._word = secrets.token_hex(16)
        self._on_output = on_output
        self._said = b""
        self.size = len(packed)
        self.stdin = f"{self._word}\n".encode() + packed

    def hear(self, stream: Stream, data: bytes) -> None:
        """Pass output on, but for the guest's own words."""
        if stream == "stderr" and len(self._said) < _MOST_WORDS:
            self._said += data[:_MOST_WORDS]
            if self._said.startswith(self._word.encode()):
                return
        if self._on_output is not None:
            self._on_output(stream, data)

    def check(self, program: str, folder: str) -> None:
        """Raise the error of ``put`` or of a command that cannot start, when the guest said so."""
        said = self._said.decode("utf-8", "replace")
        if not said.startswith(self._word):
            return
        answer = json.loads(said.removeprefix(self._word))
        if "error" in answer:
            raise file_error(answer)
        raise start_error(answer["errno"], answer["step"], program, folder)
