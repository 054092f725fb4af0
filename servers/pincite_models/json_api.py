"""JsonApi: one address that is asked with JSON and answers with JSON, for embeddings and rerankers."""

import weakref
from functools import partial
from typing import Any

from pydantic import SecretStr

from pincite_core.errors import UnavailableError
from pincite_core.http.retries import Backoff
from pincite_models.call_loop import CallLoop, LoopClosedError
from pincite_models.client import Bounds, ModelClient
from pincite_models.connection import Connection
from pincite_models.role import Role
from pincite_models.trouble import CallError

_TRIES = 5
"""Requests for one answer, the first included: one more than for text, since a batch is lost. Set by judgement."""
_BACKOFF = Backoff(0.5, most=1.25)
_MOST_REPLY = 64 << 20
"""Bytes of a reply: 2,048 vectors of 1,536 numbers as text need about 60 MB."""
_SEEN_CHARS = 300
"""Characters of an unusable answer that an error shows."""


class JsonApi:
    """Asks one address. Blocks: call it in a thread; safe in several. The key stands in no message or error of ours."""

    def __init__(self, url: str, *, role: Role, api_key: SecretStr | None, seconds: float, model: str = "") -> None:
        there = Connection.of_server(role, url, model, api_key)
        self.host = there.host
        self._role = role
        self._client = ModelClient(there, Bounds(seconds, _TRIES, _MOST_REPLY, _BACKOFF), keep=True)
        self._loop = CallLoop(f"{role.title} calls")
        weakref.finalize(self, self._loop.close, self._client.close)

    def ask(self, body: dict[str, Any]) -> Any:
        """The decoded answer, after a few more tries where the API is busy.

        Raises UnavailableError when it cannot be reached in time or answers with an error or no JSON.
        """
        try:
            return self._loop.run(partial(self._client.post, body))
        except LoopClosedError:
            raise self.failed("is not asked any more", "the process ends") from None
        except CallError as failure:
            if failure.cause == "malformed" and not failure.final:
                raise self.malformed(f"no JSON: {failure.seen}") from None
            raise self._role.explain(f"at {self.host}", failure) from None

    def failed(self, how: str, seen: str) -> UnavailableError:
        """The error that says how the API failed."""
        return self._role.explain(f"at {self.host}", CallError("malformed", how, seen))

    def malformed(self, seen: str) -> UnavailableError:
        """The error for an answer that is not what was asked for."""
        return self.failed("sent an answer that cannot be used", seen[:_SEEN_CHARS])
