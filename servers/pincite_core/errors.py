"""The error tree of pincite.

PinciteError
├── BadInputError          an argument is not valid: a path, a pattern, a range, an id
├── NotFoundError          the call is valid, but what it names does not exist
├── ForbiddenError         outside the allowed roots, or an address that may not be fetched
├── UnavailableError       an outage: a server, a daemon or a service did not answer
│   └── SourceError        a source on the web failed, with its name and the cause
├── LimitReachedError      a stated limit (bytes, pages, memory, seconds, calls) was hit
├── MissingExtraError      an optional dependency is not installed
├── TamperedError          a record that nobody may change was changed
└── UnreadableError        the source is there but cannot become a Paper
    ├── UnknownFormatError the bytes are not a format that can be read
    ├── EmptySourceError   no bytes, or no pages
    ├── EncryptedError     a password is needed
    ├── DamagedError       truncated or broken beyond the parser's repair
    ├── ImageOnlyError     pages without a text layer
    └── HostileError       the parser was killed: it crashed or grew past its limits
"""

from typing import Literal


class PinciteError(Exception):
    """An error that says what was asked, what was seen and what to do next."""

    def __init__(self, what: str, *, seen: str = "", next: str = "") -> None:  # noqa: A002
        super().__init__(what)
        self.what = what
        self.seen = seen
        self.next = next

    def __str__(self) -> str:
        parts = [self.what]
        if self.seen:
            parts.append(f"Seen: {self.seen}")
        if self.next:
            parts.append(f"Next: {self.next}")
        return "\n".join(parts)

    def short(self) -> str:
        """What was asked and what was seen, on one line."""
        return f"{self.what} {self.seen}" if self.seen else self.what

    def bracketed(self) -> str:
        """What was asked, and in brackets what was seen."""
        return f"{self.what} ({self.seen})" if self.seen else self.what

    @property
    def code(self) -> str:
        """Stable machine name of the error, e.g. ``encrypted`` for ``EncryptedError``."""
        name = type(self).__name__.removesuffix("Error")
        return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.what, self.seen, self.next))


def _rebuild(kind: type[PinciteError], what: str, seen: str, hint: str) -> PinciteError:
    return kind(what, seen=seen, next=hint)


class BadInputError(PinciteError):
    """An argument of the call is not valid."""


class NotFoundError(PinciteError):
    """What the call names does not exist."""


class ForbiddenError(PinciteError):
    """Outside the allowed roots, or an address that may not be fetched."""


class UnavailableError(PinciteError):
    """An outage: never to be read as an empty result."""


SourceCause = Literal[
    "rate_limited", "server_error", "slow", "unreachable", "truncated", "malformed", "refused", "down", "not_recorded"
]
"""Why a source failed: it asks to wait (HTTP 429), answers with an error (5xx), not in time, not at all, with half an
answer, with one that cannot be read, does not let us in (401, 403, 451), failed so often that it is left alone, or the
recorded web does not have the request."""


class SourceError(UnavailableError):
    """A source on the web failed; ``retry_after`` is how many seconds it asks to be left alone, if it says so."""

    def __init__(
        self,
        what: str,
        *,
        source: str = "",
        cause: SourceCause = "unreachable",
        retry_after: float | None = None,
        seen: str = "",
        next: str = "",  # noqa: A002
    ) -> None:
        super().__init__(what, seen=seen, next=next)
        self.source = source
        self.cause: SourceCause = cause
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_source, (self.what, self.source, self.cause, self.retry_after, self.seen, self.next))


def _rebuild_source(
    what: str, source: str, cause: SourceCause, retry_after: float | None, seen: str, hint: str
) -> SourceError:
    return SourceError(what, source=source, cause=cause, retry_after=retry_after, seen=seen, next=hint)


class LimitReachedError(PinciteError):
    """A stated limit was hit."""


class MissingExtraError(PinciteError):
    """An optional dependency is not installed; ``next`` carries the install line."""

    @classmethod
    def of(cls, extra: str, *, needed_for: str) -> "MissingExtraError":
        """The error for the extra ``extra``, which ``needed_for`` needs."""
        return cls(
            f"{needed_for} needs the '{extra}' extra, which is not installed.",
            next=f"pip install 'pincite[{extra}]'",
        )


class TamperedError(PinciteError):
    """A record that must not change was changed. Nothing more is written to it, so that the evidence stays."""


class UnreadableError(PinciteError):
    """The source is there but cannot become a Paper."""


class UnknownFormatError(UnreadableError):
    """The bytes are not a format that can be read."""


class EmptySourceError(UnreadableError):
    """No bytes, or no pages."""


class EncryptedError(UnreadableError):
    """A password is needed to read the source."""


class DamagedError(UnreadableError):
    """Truncated or broken beyond the parser's repair."""


class ImageOnlyError(UnreadableError):
    """The pages carry no text layer."""


class HostileError(UnreadableError):
    """The parser was killed because it crashed or grew past its limits."""
