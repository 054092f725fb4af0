"""JudgeEndpoint: a model's API as a judge asks it; may be used from several threads."""

import asyncio
import math
import re
from dataclasses import replace
from typing import Any

from pincite_core.errors import BadInputError, LimitReachedError, PinciteError, UnavailableError
from pincite_core.http.circuit import Circuit
from pincite_core.http.retries import Backoff
from pincite_core.settings import Settings
from pincite_models.call_loop import CallLoop, LoopClosedError
from pincite_models.client import TOO_LATE, Bounds, ModelClient, may_pass
from pincite_models.connection import Connection, check_address
from pincite_models.dialects.model import ModelResponse
from pincite_models.dialects.question import Form, ImagePart, Message, Part, Question
from pincite_models.trouble import CallError
from pincite_scoring.judging.choice import KEY_VARIABLE, JudgeChoice
from pincite_scoring.judging.pictures import Shown

AT_ONCE = 8
"""Questions on the way to one judge, all trials of a run together."""
FIRST_PAUSE = 0.5
"""Seconds before the second try; doubled each time. Set by judgement."""
_TRIES = 4
"""Requests for one verdict, the first included. Set by judgement."""
_LONGEST_PAUSE, _CONNECT_SECONDS = 60.0, 15.0
"""Seconds of the longest pause, and to reach the provider. Set by judgement."""
_MOST_REPLY = 8 << 20
"""Bytes of a reply, far above the longest that a model writes. Set by judgement."""
_NOT_OF_PICTURES = frozenset({"auth", "rate_limited", "overloaded", "context_overflow"})
_FORMAT_WORDS = ("response_format", "json_schema", "responseJsonSchema", "structured", "tool_choice")
"""Stand in the error of a server that takes no output format, or not this one."""
_PICTURE_WORDS = re.compile(r"image|vision|multi-?modal|content must be a string|content part", re.IGNORECASE)
"""Stand in the error of a model that takes no pictures, whatever its status: 400, 404 and 500 are seen."""


class JudgeEndpoint:
    """Asks one model. The key goes in a header and stands in no error or record of ours; redirects are not followed."""

    def __init__(self, choice: JudgeChoice, settings: Settings, first_pause: float = FIRST_PAUSE) -> None:
        there = Connection.of_choice(choice.model, choice.key(), settings.http_proxy)
        check_address(there.url, "a judge", "Give --judge-url as http(s)://…")
        bounds = Bounds(
            seconds=settings.judge_seconds,
            tries=_TRIES,
            most_reply=_MOST_REPLY,
            backoff=Backoff(first_pause, least=0.5, most=1.5),
            longest_pause=_LONGEST_PAUSE,
            connect_seconds=_CONNECT_SECONDS,
            may_pass=_may_pass,
        )
        self._choice = choice
        self._client = ModelClient(there, bounds, keep=True)
        self._loop = CallLoop("judge-calls")
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._circuit = Circuit()
        self._formless = False

    def ask(self, system: str, message: str, form: dict[str, Any], pictures: tuple[Shown, ...] = ()) -> ModelResponse:
        """The model's answer, after a few more tries where what went wrong may pass.

        UnavailableError when it cannot be reached, answers with an error, not in time or is closed meanwhile, and
        without a call while it is left alone because 5 questions in a row ended so; LimitReachedError for a question
        that is too long for it, BadInputError for one that it turns down, such as one with pictures.
        """
        asked = Question(
            system,
            [_message(message, pictures)],
            temperature=self._choice.temperature,
            form=Form("verdict", "Give the verdict.", form),
        )
        try:
            return self._loop.run(lambda: self._ask(asked, bool(pictures)))
        except LoopClosedError:
            raise self._failed("is not asked any more", "the run ends") from None

    def close(self) -> None:
        """Break off every call and close the connections, for good; safe to call twice."""
        self._loop.close(self._client.close)

    async def _ask(self, asked: Question, pictured: bool) -> ModelResponse:
        async with self._slots:
            if wait := self._circuit.remaining():
                raise self._failed("failed too often and is left alone", f"asked again in {math.ceil(wait)} s")
            self._circuit.begin()
            try:
                answer = await self._reach(asked, pictured)
            except UnavailableError:
                self._circuit.fail()
                raise
            except BaseException as error:
                # A question that is turned down was answered; one that was broken off tells nothing.
                self._circuit.succeed() if isinstance(error, PinciteError) else self._circuit.leave()
                raise
            self._circuit.succeed()
            return answer

    async def _reach(self, asked: Question, pictured: bool) -> ModelResponse:
        """The answer; a server that takes no output format is told the form in words alone, from now on."""
        try:
            if not self._formless:
                try:
                    return await self._client.ask(asked)
                except CallError as failure:
                    if not _takes_no_format(failure):
                        raise
                    self._formless = True
            return await self._client.ask(replace(asked, form=None))
        except CallError as failure:
            raise self._explain(failure, pictured) from None

    def _explain(self, failure: CallError, pictured: bool) -> PinciteError:
        cause, seen, text = failure.cause, failure.seen, failure.text
        if pictured and _names_pictures(failure):
            return BadInputError(
                f"The judge ({self._choice.name}) does not take the pictures that belong to the question.",
                seen=seen,
                next="Choose a vision model: --judge PROVIDER:NAME.",
            )
        if failure.how == TOO_LATE:
            limit = f"{self._client.bounds.seconds:g} s (PINCITE_JUDGE_SECONDS)"
            return self._failed(failure.how, f"nothing whole came in {limit}")
        if failure.status and cause == "context_overflow":
            return LimitReachedError(f"The question is too long for the judge {self._choice.name}.", seen=seen)
        if failure.status and cause in ("auth", "model_not_found"):
            return self._failed("refused access" if cause == "auth" else "was not found", seen)
        if failure.status and cause == "bad_request":
            advice = "If it takes no temperature: --judge-temperature own." if "temperature" in text else ""
            return BadInputError(f"The judge {self._choice.name} refused the question.", seen=seen, next=advice)
        return self._failed(failure.how, seen)

    def _failed(self, how: str, seen: str) -> UnavailableError:
        kept = "Verdicts are kept: pincite score RUN judges the rest."
        return UnavailableError(
            f"The judge ({self._choice.name}) {how}.",
            seen=seen,
            next=f"Check --judge, --judge-url and {KEY_VARIABLE}. {kept}",
        )


def _may_pass(failure: CallError) -> bool:
    """An answer that cannot be read is asked for again too; a server's trouble with pictures would come again."""
    passing = may_pass(failure) or failure.cause == "malformed"
    return passing and not _names_pictures(failure)


def _names_pictures(failure: CallError) -> bool:
    named = _PICTURE_WORDS.search(failure.text) is not None
    return bool(failure.status) and failure.cause not in _NOT_OF_PICTURES and named


def _takes_no_format(failure: CallError) -> bool:
    return failure.cause == "bad_request" and any(word in failure.text for word in _FORMAT_WORDS)


def _message(words: str, pictures: tuple[Shown, ...]) -> Message:
    """The pictures, each behind its name, and then the words."""
    if not pictures:
        return Message("user", words)
    parts: list[Part] = []
    for shown in pictures:
        parts += [f"The picture {shown.name}:", ImagePart(shown.data, shown.media_type)]
    return Message("user", [*parts, words])
