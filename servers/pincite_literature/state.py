"""LiteratureState: what the tools of the literature server share: the sources, the web, the cutoff, opened papers."""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import TypeVar

import anyio

from pincite_core.errors import BadInputError, PinciteError, SourceError, UnavailableError
from pincite_core.http.client import Web
from pincite_core.lazy import load
from pincite_core.settings import Settings
from pincite_core.state import ServerState
from pincite_literature.catalog import PLACES, ROWS, SOURCES
from pincite_literature.date_cutoff import DateCutoff
from pincite_literature.entries import SourceEntry, answered, failed, found_in
from pincite_literature.memo import Memo
from pincite_literature.sources.source import Source
from pincite_literature.warming import warming
from pincite_literature.withheld import Withheld
from pincite_literature.witness import WitnessedWeb, witnessing
from pincite_papers.opening.library import Library

log = logging.getLogger(__name__)

_WARMED = (
    "pincite_core.http.live",
    *(f"pincite_literature.sources.{name}" for name in SOURCES),
    "pincite_literature.ranking",
    *(library for row in ROWS for library in row.libraries),
    "lxml.etree",
    "rapidfuzz.distance",
)
"""What the first lookup would import."""

_BEGINS = frozenset(row.name for row in ROWS if row.two_requests)
"""Sources that are asked first."""

_GRACE_SECONDS = 0.2
"""How much longer than the web a question may take, so that the web's own words come first."""

_Answer = TypeVar("_Answer")


class Sources(Mapping[str, Source]):
    """The sources by name; each is imported and made when first asked for."""

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._settings = settings
        self._made: dict[str, Source] = {}

    def __getitem__(self, name: str) -> Source:
        if name not in self._made:
            self._made[name] = load(PLACES[name])(self._web, self._settings)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(SOURCES)

    def __len__(self) -> int:
        return len(SOURCES)


class LiteratureState(ServerState):
    """Tool functions take it first: ``function(state, …)``."""

    def __init__(self, settings: Settings, web: Web) -> None:
        super().__init__(settings)
        self.web = WitnessedWeb(web)
        self.library = Library(settings)
        self.cutoff = DateCutoff(settings.before, Withheld(settings.withheld))
        self.memo = Memo()
        self.sources: Mapping[str, Source] = Sources(self.web, settings)

    @asynccontextmanager
    async def lifespan(self, server: object) -> AsyncGenerator[None]:
        """While a server runs; then connections are closed and parsing processes end."""
        with warming(_WARMED):
            async with self.web.lifespan(server), self.library.lifespan(server):
                yield

    async def ask_all(
        self,
        names: Iterable[str],
        question: Callable[[Source], Awaitable[_Answer]],
        *,
        found: Callable[[_Answer], int] = found_in,
    ) -> tuple[dict[str, _Answer], list[SourceEntry]]:
        """Ask these sources at once: what each answered by name, and an entry for each, both in the order of ``names``.

        A source that fails, or takes longer than PINCITE_SOURCE_SECONDS, is named in its entry with the reason, while
        the others' answers stand. When all fail, UnavailableError (BadInputError when all refuse the question) names
        each.
        """
        answers, entries, errors = await self.ask_each(names, question, found=found)
        if errors and not answers:
            raise none_answered(errors)
        return answers, entries

    async def ask_each(
        self,
        names: Iterable[str],
        question: Callable[[Source], Awaitable[_Answer]],
        *,
        found: Callable[[_Answer], int] = found_in,
    ) -> tuple[dict[str, _Answer], list[SourceEntry], list[PinciteError]]:
        """As ``ask_all``, with the errors instead of raising."""
        asked = list(dict.fromkeys(names))
        answers: dict[str, _Answer] = {}
        entries: dict[str, SourceEntry] = {}
        errors: dict[str, PinciteError] = {}

        async def ask(name: str) -> None:
            with witnessing() as heard:
                try:
                    answers[name] = await self._in_time(self.sources[name], question)
                    entries[name] = answered(name, found(answers[name]), heard)
                except PinciteError as error:
                    errors[name] = error
                    entries[name] = failed(name, error)

        async with anyio.create_task_group() as tasks:
            for name in sorted(asked, key=lambda name: name not in _BEGINS):
                tasks.start_soon(ask, name)
        return (
            {name: answers[name] for name in asked if name in answers},
            [entries[name] for name in asked],
            [errors[name] for name in asked if name in errors],
        )

    async def _in_time(self, source: Source, question: Callable[[Source], Awaitable[_Answer]]) -> _Answer:
        policy, seconds = source.policy, self.settings.source_seconds
        try:
            with anyio.fail_after(seconds + _GRACE_SECONDS):
                return await question(source)
        except TimeoutError as error:
            raise SourceError(
                f"{policy.title} did not answer in {seconds:g} s.", source=policy.name, cause="slow"
            ) from error
        except PinciteError:
            raise
        except Exception as error:  # A fault in what reads one source must not take the others' answers away.
            log.exception("Asking %s failed", policy.name)
            raise SourceError(
                f"{policy.title} could not be asked or read because of a bug in pincite.",
                source=policy.name,
                cause="malformed",
                next="Ask another source, or report it with the server's log (stderr).",
            ) from error


def none_answered(errors: list[PinciteError]) -> PinciteError:
    """The error for sources of which none answered."""
    if len(errors) == 1:
        return errors[0]
    kind = BadInputError if all(isinstance(error, BadInputError) for error in errors) else UnavailableError
    return kind(
        "No source answered: nothing is known of what there is.",
        seen=" ".join(error.what for error in errors),
        next="Try again later, or ask other sources.",
    )
