"""Keeps what authenticates or identifies us out of everything that is shown."""

import re
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, quote, quote_plus, urlencode, urlsplit

from pincite_core.errors import PinciteError
from pincite_core.http.policy import Access

_SHORTEST = 4
_HIDDEN = "***"
_TAG = re.compile(r"<[^<>]{0,500}>")
_LOOSE = re.compile(r"(?is)<(script|style|head)\b.{0,20000}?</\1\s*>")


class Hiding:
    """Knows the values of an Access, and of further secrets, in the spellings in which a source repeats them."""

    def __init__(self, access: Access, more: Iterable[str] = ()) -> None:
        self._params = frozenset(access.params)
        values = {*access.params.values(), *access.headers.values(), *more}
        words = {word for value in values for word in (value.strip(), *value.split()) if len(word) >= _SHORTEST}
        spelt = {form for word in words for form in (word, quote(word, safe=""), quote(word), quote_plus(word))}
        longest_first = sorted(spelt - {"Bearer", "Basic"}, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE) if longest_first else None

    def text(self, text: str) -> str:
        """The text with every secret replaced by ``***``."""
        return text if self._pattern is None else self._pattern.sub(_HIDDEN, text)

    def address(self, address: str) -> str:
        """The address without the parameters that carry secrets."""
        parts = urlsplit(address)
        pairs = parse_qsl(parts.query, keep_blank_values=True)
        kept = [(name, value) for name, value in pairs if name not in self._params]
        if len(kept) < len(pairs):
            parts = parts._replace(query=urlencode(kept))
        return self.text(parts.geturl())

    def headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """The headers of an answer with their values redacted."""
        return {name: self.text(value) for name, value in headers.items()}

    def error(self, error: PinciteError) -> None:
        """Redact the words of an error in place."""
        error.what, error.seen, error.next = (self.text(part) for part in (error.what, error.seen, error.next))
        error.args = (error.what,)

    def excerpt(self, content: bytes, chars: int) -> str:
        """The start of a body on one line, without markup."""
        text = content[: 40 * chars].decode(errors="replace")
        if "<" in text:
            text = _TAG.sub(" ", _LOOSE.sub(" ", text))
        return self.text(" ".join(text.split()))[:chars]
