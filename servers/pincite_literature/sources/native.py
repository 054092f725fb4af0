"""Native: queries that are parameters of a source's API, and what to say when it refuses one, or us."""

from collections.abc import Collection, Mapping
from datetime import date
from urllib.parse import unquote_plus

from pincite_core.errors import BadInputError, SourceError
from pincite_core.http.exchange import Response
from pincite_literature.sources.record import Record

_LONGEST = 4000
"""Characters of a query in a source's own language."""
_SHOWN = 500
"""Characters of a source's own words in an error."""


def parameters(text: str, *, allowed: Collection[str], words_as: str, example: str) -> dict[str, str]:
    """The ``key=value`` pairs, joined by ``&``, that ``text`` is; keys outside ``allowed`` are a BadInputError.

    ``&`` and ``%`` in a value are written %26 and %25; ``+`` is a blank. A key is given once. Words without ``=`` are
    the value of ``words_as``.
    """
    words = text.strip().removeprefix("?")
    if not words or len(words) > _LONGEST:
        raise BadInputError(
            f"The query is {'empty' if not words else 'longer than 4,000 characters'}.", next=f"Such as: {example}"
        )
    if "=" not in words:
        return {words_as: words}
    found: dict[str, str] = {}
    for pair in words.split("&"):
        key, equals, value = pair.partition("=")
        key, value = unquote_plus(key).strip(), unquote_plus(value).strip()
        if not equals or key not in allowed or not value or key in found:
            wrong = "is given twice" if key in found else "is not NAME=VALUE with an allowed name"
            raise BadInputError(
                f"{pair[:100]!r} {wrong}.",
                seen=f"the query {words[:200]!r}",
                next=f"Parameters: {', '.join(sorted(allowed))}. Such as: {example}",
            )
        found[key] = value
    return found


def refuse_counts(asked: Mapping[str, str], names: Collection[str], before: date | None) -> None:
    """BadInputError when parameters order or filter by citations under a cutoff, which would tell of later works."""
    text = f"{asked.get('sort', '')} {asked.get('filter', '')}".lower()
    named = next((name for name in names if name in text), None)
    if before is not None and named is not None:
        raise BadInputError(
            f"{named} is not available under the cutoff {before}: it would tell of later works.", next="Leave it out."
        )


def refusal(response: Response) -> BadInputError:
    """The error for an answer by which a source refuses a query, with what it says."""
    return BadInputError(
        f"{response.request.policy.title} rejected this query.",
        seen=f"HTTP {response.status}: {' '.join(_message(response).split())[:_SHOWN]}",
        next="Change the query; simpler words work in every source.",
    )


def advise_key(error: SourceError, name: str, about: str, *, keyed: bool) -> None:
    """Say in ``error.next`` what the key of that setting does, where a source sends us away for want of a good one."""
    if error.cause == "refused" and keyed:
        error.next = f"Check {name}: the key may be wrong or used up."
    elif error.cause in ("rate_limited", "refused") and not keyed:
        error.next = f"Try again later, or set {name}: {about}."


def _message(response: Response) -> str:
    """What an error body says: ``message`` or ``error``, or the messages of a list; else the body as it is."""
    try:
        record = Record.of(response.json()) or Record()
    except SourceError:
        record = Record()
    listed = "; ".join(entry.text("message") for entry in record.records("message"))
    return (
        listed or record.text("message") or record.text("error") or response.content[:_SHOWN].decode(errors="replace")
    )
