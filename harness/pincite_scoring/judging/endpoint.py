"""JudgeEndpoint: a model's API, asked with bounded tries; may be used from several threads.

The calls run on an event loop in a thread of their own, so that whoever waits for one is let go at once when the run
ends.
"""

import asyncio
import math
import re
import threading
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import orjson

from pincite_core.errors import BadInputError, LimitReachedError, PinciteError, UnavailableError
from pincite_core.http.circuit import Circuit
from pincite_core.http.retries import Backoff, asked_pause
from pincite_core.settings import Settings
from pincite_models.dialects.model import ModelResponse
from pincite_models.dialects.table import DIALECTS
from pincite_models.trouble import cause_of_status, cause_of_words, shortened
from pincite_scoring.judging.bodies import Asked, to_call
from pincite_scoring.judging.choice import KEY_VARIABLE, JudgeChoice
from pincite_scoring.judging.pictures import Shown

if TYPE_CHECKING:
    import httpx

AT_ONCE = 8
"""Questions on the way to one judge, all trials of a run together."""
_TRIES = 4
_PASSING = frozenset({"rate_limited", "overloaded", "server_error", "timeout", "connection", "malformed"})
_NOT_OF_PICTURES = frozenset({"auth", "rate_limited", "overloaded", "context_overflow"})
FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 60.0
_CONNECT_SECONDS, _CLOSE_SECONDS = 15.0, 2.0
_MOST_REPLY = 8 << 20
_FORMAT_WORDS = ("response_format", "json_schema", "responseJsonSchema", "structured", "tool_choice")
"""Stand in the error of a server that takes no output format, or not this one."""
_PICTURE_WORDS = re.compile(r"image|vision|multi-?modal|content must be a string|content part", re.IGNORECASE)
"""Stand in the error of a model that takes no pictures, whatever its status: 400, 404 and 500 are seen."""


class JudgeEndpoint:
    """Asks one model. The key goes in a header and stands in no error or record of ours; redirects are not followed."""

    def __init__(self, choice: JudgeChoice, settings: Settings, first_pause: float = FIRST_PAUSE) -> None:
        self._choice = choice
        self._backoff = Backoff(first_pause, least=0.5, most=1.5)
        self._dialect = DIALECTS[choice.model.dialect]
        self._key = choice.key()
        self._proxy = settings.http_proxy or None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._client: httpx.AsyncClient | None = None
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._seconds = settings.judge_seconds
        self._circuit = Circuit()
        self._guard = threading.Lock()
        self._formless = False
        self._closed = False

    def ask(self, system: str, message: str, form: dict[str, Any], pictures: tuple[Shown, ...] = ()) -> ModelResponse:
        """The model's answer, after a few more tries where what went wrong may pass.

        UnavailableError when it cannot be reached, answers with an error, not in time or is closed meanwhile, and
        without a call while it is left alone because 5 questions in a row ended so; LimitReachedError for a question
        that is too long for it, BadInputError for one that it turns down, such as one with pictures.
        """
        asked = Asked(self._choice.model.name, system, message, form, self._choice.temperature, pictures)
        with self._guard:
            if self._closed:
                raise self._ended()
            going = asyncio.run_coroutine_threadsafe(self._ask(asked), self._running())
        try:
            return going.result()
        except CancelledError:
            raise self._ended() from None
        except BaseException:
            going.cancel()
            raise

    def close(self) -> None:
        """Break off every call and close the connections, for good; safe to call twice."""
        with self._guard:
            self._closed = True
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is not None and thread is not None:
            asyncio.run_coroutine_threadsafe(self._end(), loop)
            thread.join(_CLOSE_SECONDS)

    def _running(self) -> asyncio.AbstractEventLoop:
        """The loop, started by the first call."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=_serve, args=(self._loop,), name="judge-calls", daemon=True)
            self._thread.start()
        return self._loop

    async def _end(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        if self._client is not None:
            with suppress(Exception):  # the other side may be gone; nothing is asked of it any more
                await self._client.aclose()
        asyncio.get_running_loop().stop()

    async def _ask(self, asked: Asked) -> ModelResponse:
        async with self._slots:
            if wait := self._circuit.remaining():
                raise self._failed("failed too often and is left alone", f"asked again in {math.ceil(wait)} s")
            self._circuit.begin()
            try:
                answer = await self._persist(asked)
            except UnavailableError:
                self._circuit.fail()
                raise
            except BaseException as error:
                # A question that is turned down was answered; one that was broken off tells nothing.
                self._circuit.succeed() if isinstance(error, PinciteError) else self._circuit.leave()
                raise
            self._circuit.succeed()
            return answer

    async def _persist(self, asked: Asked) -> ModelResponse:
        """The answer to one question after at most 4 tries and ``judge_seconds``; the last trouble where there is
        none."""
        trouble: PinciteError | None = None
        try:
            async with asyncio.timeout(self._seconds):
                for tried in range(1, _TRIES + 1):
                    answer, trouble, pause = await self._try(replace(asked, form=None) if self._formless else asked)
                    if answer is not None:
                        return answer
                    if pause is None or tried == _TRIES or pause > _LONGEST_PAUSE:
                        break
                    own = self._backoff.pause(tried)
                    await asyncio.sleep(max(pause, own))
        except TimeoutError:
            late = f"nothing whole came in {self._seconds:g} s (PINCITE_JUDGE_SECONDS)"
            raise trouble or self._failed("did not answer in time", late) from None
        assert trouble is not None
        raise trouble

    async def _try(self, asked: Asked) -> tuple[ModelResponse | None, PinciteError | None, float | None]:
        """An answer, or what went wrong with the seconds to wait for another try (None: there is none)."""
        import httpx

        call = to_call(self._dialect.name, asked)
        headers = {**call.headers, **(self._dialect.credentials(self._key) if self._key else {})}
        url = self._choice.model.base_url + call.path
        content = bytearray()
        try:
            async with self._connections().stream("POST", url, json=call.body, headers=headers) as reply:
                async for piece in reply.aiter_bytes():
                    content += piece
                    if len(content) > _MOST_REPLY:
                        return None, self._failed("sent too long an answer", f"more than {_MOST_REPLY} bytes"), None
        except httpx.InvalidURL as error:
            raise BadInputError(f"{url!r} is not an address of a judge.", seen=str(error)) from error
        except httpx.TransportError as error:
            # The text of an error may quote the request: its kind says enough.
            return None, self._failed("could not be reached", type(error).__name__), 0.0
        except httpx.HTTPError as error:
            return None, self._failed("sent an answer that is none", type(error).__name__), 0.0
        if reply.status_code != 200:
            return self._refused(reply.status_code, self._clean(bytes(content)), dict(reply.headers), asked)
        return self._read(bytes(content))

    def _read(self, content: bytes) -> tuple[ModelResponse | None, PinciteError | None, float | None]:
        try:
            body: Any = orjson.loads(content)
        except orjson.JSONDecodeError:
            body = None
        if not isinstance(body, dict):
            return None, self._failed("sent an answer that is none", self._clean(content)), 0.0
        answer = self._dialect.read_response(cast("dict[str, Any]", body))
        if answer.stop == "error" or not (answer.complete or answer.parts):
            words = shortened(answer.error or self._clean(content))
            again = 0.0 if cause_of_words(words) in _PASSING else None
            return None, self._failed("answered with an error", words), again
        return answer, None, None

    def _refused(
        self, status: int, text: str, headers: dict[str, str], asked: Asked
    ) -> tuple[None, PinciteError, float | None]:
        cause = cause_of_status(status, text) or "bad_request"
        seen = f"HTTP {status}: {shortened(text)}"
        if asked.pictures and cause not in _NOT_OF_PICTURES and _PICTURE_WORDS.search(text):
            blind = BadInputError(
                f"The judge ({self._choice.name}) does not take the pictures that belong to the question.",
                seen=seen,
                next="Choose a vision model: --judge PROVIDER:NAME.",
            )
            return None, blind, None
        if cause in _PASSING:
            return None, self._failed("answered with an error", seen), asked_pause(headers) or 0.0
        if cause == "bad_request" and asked.form is not None and any(word in text for word in _FORMAT_WORDS):
            # A server that takes no output format is told the form in words alone, from now on.
            self._formless = True
            return None, self._failed("takes no output format", seen), 0.0
        if cause == "context_overflow":
            return (
                None,
                LimitReachedError(f"The question is too long for the judge {self._choice.name}.", seen=seen),
                None,
            )
        if cause in ("auth", "model_not_found"):
            return None, self._failed("refused access" if cause == "auth" else "was not found", seen), None
        advice = "If it takes no temperature: --judge-temperature own." if "temperature" in text else ""
        refused = BadInputError(f"The judge {self._choice.name} refused the question.", seen=seen, next=advice)
        return None, refused, None

    def _failed(self, how: str, seen: str) -> UnavailableError:
        kept = "Verdicts are kept: pincite score RUN judges the rest."
        return UnavailableError(
            f"The judge ({self._choice.name}) {how}.",
            seen=seen,
            next=f"Check --judge, --judge-url and {KEY_VARIABLE}. {kept}",
        )

    def _clean(self, content: bytes) -> str:
        """Text for an error, without the key should the endpoint repeat it."""
        text = content[:4000].decode(errors="replace")
        return text.replace(self._key, "***") if self._key else text

    def _ended(self) -> UnavailableError:
        return self._failed("is not asked any more", "the run ends")

    def _connections(self) -> "httpx.AsyncClient":
        import httpx

        if self._client is None:
            secure = self._choice.model.base_url.startswith("https:") or self._proxy is not None
            # As at the model door: the user's certificates count, a proxy only where pincite's settings name one.
            # Reading the certificates takes a tenth of a second, and a server on this machine mostly needs none.
            self._client = httpx.AsyncClient(
                timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),
                verify=httpx.create_ssl_context() if secure else False,
                proxy=self._proxy,
                trust_env=False,
            )
        return self._client


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()
