"""Errand: what a command waits for on its stdin: files to put, and the command that it then becomes."""

import json
import secrets
from collections.abc import Mapping, Sequence

from .base import OnOutput, Stream
from .guest.files import pack_orders
from .trouble import file_error, start_error

_MOST_WORDS = 10_000
"""Bytes of the errand's complaints that are kept."""


class Errand:
    """What is sent to the guest's ``files start``, and its own words among what comes back.

    They begin with a word that only the two know: the command comes after it and cannot imitate a failure.
    """

    def __init__(
        self, files: Mapping[str, bytes], argv: Sequence[str], folder: str, env: Mapping[str, str],
        on_output: OnOutput | None,
    ) -> None:  # fmt: skip
        self._word = secrets.token_hex(16)
        self._on_output = on_output
        self._said = b""
        self.stdin = pack_orders(self._word, files, argv, folder, env)

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
