"""ModelJudge: a model decides, by a recorded prompt, with its verdicts kept on the disk."""

import threading
from collections import defaultdict
from dataclasses import replace
from typing import Any

import orjson

from pincite_core.cache import DiskCache
from pincite_core.errors import BadInputError, LimitReachedError, UnavailableError
from pincite_core.settings import Settings
from pincite_models.pricing import price_of
from pincite_scoring.judging.choice import JudgeChoice
from pincite_scoring.judging.endpoint import AT_ONCE, FIRST_PAUSE, JudgeEndpoint
from pincite_scoring.judging.exchange import Exchange
from pincite_scoring.judging.judge import Question, Verdict
from pincite_scoring.judging.pictures import Picture, read_pictures, show
from pincite_scoring.judging.poll import Poll
from pincite_scoring.judging.prompt import PROMPT
from pincite_scoring.judging.trying import COLOUR, GREETING, SIGHT, TRUE_COLOUR, square
from pincite_tasks.files import digest_json

_FOLDER = "verdicts"


class ModelJudge:
    """Asks a model, ``choice.votes`` times a question, and takes the majority. An answer that cannot be read is asked
    for once more, then its vote abstains; an outage is an UnavailableError, and a model that takes no pictures a
    BadInputError where a question has some. Verdicts are kept for each ``repeat`` apart: the second judging of an
    answer asks all again. May be used from several threads."""

    width = AT_ONCE

    def __init__(
        self, choice: JudgeChoice, settings: Settings, first_pause: float = FIRST_PAUSE, repeat: int = 1
    ) -> None:
        self._choice = choice
        self._repeat = repeat
        self._endpoint = JudgeEndpoint(choice, settings, first_pause)
        self._kept = DiskCache(settings.cache_dir, max_bytes=settings.cache_max_bytes)
        self._price = price_of(choice.model)
        self._asking: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._guard = threading.Lock()

    @property
    def name(self) -> str:
        """Model, temperature, votes and the version of the prompt."""
        return f"{self._choice.name}, prompt {PROMPT}"

    def decide(self, question: Question) -> Verdict:
        """See Judge."""
        return self.ask(question).verdict

    def ask(self, question: Question) -> Exchange:
        """The verdict with everything that was said; a question that was asked before is not asked again."""
        question = replace(question, rubric=self._choice.apply(question.rubric))
        pictures = read_pictures(question.pictures)
        digest = self._digest(question, pictures)
        with self._guard:
            turn = self._asking[digest]
        with turn:
            kept = self._recall(digest, question)
            if kept is not None:
                return kept
            exchange = self._ask(question, pictures, digest)
            if exchange.whole:
                self._kept.put(_FOLDER, PROMPT, digest, orjson.dumps(exchange.to_json()))
            return exchange

    def check(self) -> None:
        """Ask one small question, which is not kept; the errors of an outage, and UnavailableError where its answers
        cannot be read."""
        exchange = self._ask(GREETING, (), "")
        if not exchange.whole:
            raise UnavailableError(
                f"The judge ({self._choice.name}) answers, but not in a form that can be read.",
                seen=exchange.replies[-1].fault,
                next="Take another model: --judge PROVIDER:NAME.",
            )

    def check_sight(self) -> None:
        """Show one small picture, whose verdict is not kept; BadInputError for a model that takes no pictures, or that
        its server does not show them."""
        label = self._ask(SIGHT, (square(),), "").verdict.labels[COLOUR]
        if label != TRUE_COLOUR:
            raise BadInputError(
                f"The judge ({self._choice.name}) does not see pictures.",
                seen=f"asked for the colour of a {TRUE_COLOUR} square, it said {label}",
                next="Choose a vision model: --judge PROVIDER:NAME.",
            )

    def close(self) -> None:
        """Close the connections."""
        self._endpoint.close()

    def _digest(self, question: Question, pictures: tuple[Picture, ...]) -> str:
        """Of everything that a verdict depends on, in hexadecimal digits."""
        rubric = question.rubric
        items = [[item.name, list(item.labels), item.meaning] for item in rubric.items]
        parts: list[Any] = [PROMPT, rubric.name, rubric.instruction, items, list(question.subject.items())]
        parts += [[picture.name, picture.digest] for picture in pictures]
        if self._repeat > 1:
            parts.append(self._repeat)
        return digest_json([*parts, self._choice.model_dump(exclude={"prompts"})]).removeprefix("sha256:")

    def _recall(self, digest: str, question: Question) -> Exchange | None:
        stored = self._kept.get(_FOLDER, PROMPT, digest)
        try:
            return Exchange.from_json(orjson.loads(stored), question.pictures) if stored is not None else None
        except (KeyError, TypeError, ValueError):
            return None  # written by another version: it is asked again

    def _ask(self, question: Question, pictures: tuple[Picture, ...], digest: str) -> Exchange:
        poll = Poll(question, (), self._endpoint, self._price)
        try:
            poll.shown = show(pictures)
        except (BadInputError, LimitReachedError) as error:
            # Without a picture it would be another question: the model is not asked.
            undecided = {item.name: None for item in question.rubric.items}
            verdict = Verdict(undecided, self.name, " ".join(filter(None, (error.what, error.seen))))
        else:
            verdict = poll.decide(self._choice.votes, self.name)
        return Exchange(
            digest=digest,
            rubric=question.rubric.name,
            prompt=PROMPT,
            system=poll.system,
            message=poll.message,
            subject=question.subject,
            pictures=tuple(shown.to_json() for shown in poll.shown),
            replies=tuple(poll.replies),
            verdict=verdict,
            usage=poll.usage,
            cost_usd=poll.cost_usd,
        )
