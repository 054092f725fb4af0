"""Redaction: keeps our keys and e-mail address out of results, errors, logs, and responses that repeat them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from urllib.parse import parse_qsl, quote, quote_plus, urlencode, urlsplit

from pydantic import SecretStr

from pincite_core.errors import PinciteError
from pincite_core.http.exchange import Next, Request, Response
from pincite_core.http.policy import Access
from pincite_core.settings import Settings

_SHORTEST = 8
"""Shorter values (the name of a tool, say) are words that stand in texts for other reasons; addresses are hidden."""

_HIDDEN = "***"
_TAG = re.compile(r"<(/?[a-zA-Z]*)[^<>]{0,500}>")
_NOT_TEXT = frozenset(("head", "script", "style"))


class TextRedactor:
    """Replaces the values of an Access, and further secrets, in every spelling in which a source may repeat them."""

    def __init__(self, access: Access, more: Iterable[str] = ()) -> None:
        self._params = frozenset(access.params)
        values = {*access.params.values(), *access.headers.values(), *more}
        words = {word for value in values for word in (value.strip(), *value.split())}
        hidden = [word for word in words if len(word) >= _SHORTEST or "@" in word]
        spelt = {form for word in hidden for form in (word, quote(word, safe=""), quote(word), quote_plus(word))}
        longest_first = sorted(spelt, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE) if longest_first else None

    def text(self, text: str) -> str:
        """The text with every secret replaced by ``***``."""
        return text if self._pattern is None else self._pattern.sub(_HIDDEN, text)

    def address(self, address: str) -> str:
        """The address without the parameters that carry secrets."""
        parts = urlsplit(self.text(address))
        pairs = parse_qsl(parts.query, keep_blank_values=True)
        kept = [(name, value) for name, value in pairs if name not in self._params]
        if len(kept) < len(pairs):
            parts = parts._replace(query=urlencode(kept, safe=_HIDDEN))
        return parts.geturl()

    def headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """The headers of an answer with their values redacted."""
        return {name: self.text(value) for name, value in headers.items()}

    def error(self, error: PinciteError) -> None:
        """Redact the words of an error in place."""
        error.what, error.seen, error.next = (self.text(part) for part in (error.what, error.seen, error.next))
        error.args = (error.what,)

    def excerpt(self, content: bytes, chars: int) -> str:
        """The start of a body on one line, without markup."""
        text = _text_of(content[: 40 * chars].decode(errors="replace"))
        return self.text(" ".join(text.split()))[:chars]


class ResponseRedactor:
    """A layer that replaces our keys and e-mail address in responses by stars of the same length, before anything is
    stored or shown."""

    def __init__(self, settings: Settings) -> None:
        self._own = frozenset([*keys_of(settings), *_spellings([settings.contact])])

    async def answer(self, request: Request, call_next: Next) -> Response:
        """The response with nothing of our secrets in its URL, headers and body."""
        response = await call_next(request)
        secrets = sorted(self._own | set(_access_secrets(request)), key=len, reverse=True)
        return _without(response, secrets) if secrets else response


def own_secrets(settings: Settings) -> frozenset[str]:
    """The keys among the settings, their parts, and the user's e-mail address."""
    return frozenset((settings.contact, *_keys_and_parts(settings)))


def keys_of(settings: Settings) -> Iterator[str]:
    """The keys among the settings and their parts, with how they look inside a URL."""
    return _spellings(_keys_and_parts(settings))


def _keys_and_parts(settings: Settings) -> list[str]:
    """The keys among the settings, and the parts of keys of the form ``a:b``."""
    values = (getattr(settings, name) for name in type(settings).model_fields)
    keys = [value.get_secret_value() for value in values if isinstance(value, SecretStr)]
    return [*keys, *(part for key in keys for part in key.split(":"))]


def _access_secrets(request: Request) -> Iterator[str]:
    yield from _spellings(request.access.params.values())
    for value in request.access.headers.values():
        yield from _spellings([value, *value.split()])


def _spellings(values: Iterable[str]) -> Iterator[str]:
    """The values that are secrets, with how they look inside a URL."""
    for value in values:
        if len(value) >= _SHORTEST or ("@" in value and "." in value):
            yield from (value, quote(value, safe=""), quote_plus(value))


def _without(response: Response, secrets: Iterable[str]) -> Response:
    url, headers, content = response.url, dict(response.headers), response.content
    for secret in secrets:
        raw, stars = secret.encode(), "*" * len(secret)
        if raw in content:
            content = content.replace(raw, b"*" * len(raw))
        url = url.replace(secret, stars)
        headers = {name: value.replace(secret, stars) for name, value in headers.items()}
    return replace(response, url=url, headers=headers, content=content)


def _text_of(page: str) -> str:
    """What stands between the tags, without heads, scripts and styles."""
    parts: list[str] = []
    at, inside = 0, ""
    for tag in _TAG.finditer(page):
        if not inside:
            parts.append(page[at : tag.start()])
        at = tag.end()
        name = tag[1].lower()
        if not inside and name in _NOT_TEXT:
            inside = name
        elif name == f"/{inside}":
            inside = ""
    return " ".join((*parts, "" if inside else page[at:]))
