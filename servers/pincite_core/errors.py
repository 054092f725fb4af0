"""The error tree of pincite.

PinciteError
├── BadInputError          the call's words are off: a path, a pattern, a range, an id
├── NotFoundError          the call is right, the thing named is not there
├── ForbiddenError         outside the allowed roots, or an address that may not be fetched
├── UnavailableError       an outage: a server, a daemon or a service did not answer
├── LimitReachedError      a stated limit (bytes, pages, memory, seconds, calls) was hit
├── MissingExtraError      an optional dependency is not installed
└── UnreadableError        the source is there but cannot become a Paper
    ├── UnknownFormatError the bytes are no format that can be read
    ├── EmptySourceError   no bytes, or no pages
    ├── EncryptedError     a password is needed
    ├── DamagedError       truncated or broken beyond the parser's repair
    ├── ImageOnlyError     pages without a text layer
    └── HostileError       the parser was killed: it crashed or grew past its limits
"""


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
    """The call's words are off."""


class NotFoundError(PinciteError):
    """The thing named is not there."""


class ForbiddenError(PinciteError):
    """Outside the allowed roots, or an address that may not be fetched."""


class UnavailableError(PinciteError):
    """An outage: never to be read as an empty result."""


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


class UnreadableError(PinciteError):
    """The source is there but cannot become a Paper."""


class UnknownFormatError(UnreadableError):
    """The bytes are no format that can be read."""


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
