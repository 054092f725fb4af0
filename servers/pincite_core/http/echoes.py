"""Echoes: removes our keys from responses that repeat them, before anything is stored or shown."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import quote, quote_plus

from pydantic import SecretStr

from pincite_core.http.exchange import Next, Request, Response
from pincite_core.settings import Settings

_SHORTEST = 8
"""Shorter values (the name of a tool, say) are words that stand in bodies for other reasons."""


class Echoes:
    """A layer that replaces our keys and e-mail address in responses by stars of the same length."""

    def __init__(self, settings: Settings) -> None:
        self._own = frozenset([*keys_of(settings), *_spellings([settings.contact])])

    async def answer(self, request: Request, call_next: Next) -> Response:
        """The answer with nothing of our secrets in its URL, headers and body."""
        response = await call_next(request)
        hidden = sorted(self._own | set(_access_secrets(request)), key=len, reverse=True)
        return _hidden(response, hidden) if hidden else response


def keys_of(settings: Settings) -> Iterator[str]:
    """The keys among the settings, with how they look inside a URL."""
    values = (getattr(settings, name) for name in type(settings).model_fields)
    keys = [value.get_secret_value() for value in values if isinstance(value, SecretStr)]
    return _spellings([*keys, *(part for key in keys for part in key.split(":"))])


def _access_secrets(request: Request) -> Iterator[str]:
    yield from _spellings(request.access.params.values())
    for value in request.access.headers.values():
        yield from _spellings([value, *value.split()])


def _spellings(values: Iterable[str]) -> Iterator[str]:
    for value in values:
        if len(value) >= _SHORTEST or ("@" in value and "." in value):
            yield from (value, quote(value, safe=""), quote_plus(value))


def _hidden(response: Response, hidden: Iterable[str]) -> Response:
    url, headers, content = response.url, dict(response.headers), response.content
    for secret in hidden:
        raw, stars = secret.encode(), "*" * len(secret)
        if raw in content:
            content = content.replace(raw, b"*" * len(raw))
        url = url.replace(secret, stars)
        headers = {name: value.replace(secret, stars) for name, value in headers.items()}
    return replace(response, url=url, headers=headers, content=content)
