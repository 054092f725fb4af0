"""RequestKey: what makes two requests the same question, in every process and on every machine."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from pincite_core.http.exchange import Params, Request

_VERSION = "pincite-request/1"
_DEFAULT_PORTS = {"http": 80, "https": 443}
_SAME_ANSWER = frozenset(
    {
        "accept-encoding",
        "authorization",
        "cache-control",
        "connection",
        "cookie",
        "from",
        "if-modified-since",
        "if-none-match",
        "pragma",
        "proxy-authorization",
        "user-agent",
    }
)
"""Headers that do not change what is asked: they say who asks, how it travels, or what is kept already."""

_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_TO_ESCAPE = re.compile(r"[^A-Za-z0-9._~!$&'()*+,;=:@/%-]")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_LABEL_CHARS = 48
"""Characters of a recording's file name that a person can read; the digest tells recordings apart."""


@dataclass(frozen=True, slots=True)
class RequestKey:
    """``digest`` (64 hexadecimal digits) is equal for equal questions; ``label`` is short, for file names."""

    digest: str
    label: str


def request_key(request: Request, source_urls: Mapping[str, str] | None = None) -> RequestKey:
    """The key of ``request``: nothing of what authenticates us, of limits or of the caller's patience is in it.

    An address below the source's own, or below the one that ``source_urls`` gives it by name, counts from there: a
    mirror's, gateway's or test server's answers are the source's. Without ``source_urls`` a mirror is a place of its
    own. The order of parameters of different names does not matter; JSON bodies are equal by value.
    """
    bases = [request.policy.base_url]
    if source_urls and request.policy.name in source_urls:
        bases.append(source_urls[request.policy.name])
    place, own_params = _place(request.url, bases)
    params = sorted([*own_params, *request.params], key=_name)
    asked = [
        _VERSION,
        request.policy.name,
        request.method,
        place,
        params,
        sorted(keyed_headers(request).items()),
        _body(request),
    ]
    digest = hashlib.sha256(json.dumps(asked).encode()).hexdigest()
    return RequestKey(digest, _label(place, params))


def keyed_headers(request: Request) -> dict[str, str]:
    """The headers of a request that change its answer, with names in lower case."""
    named = ((name.lower(), value.strip()) for name, value in request.headers.items())
    return {name: value for name, value in named if name not in _SAME_ANSWER}


def _name(pair: tuple[str, str]) -> str:
    return pair[0]


def _place(url: str, bases: list[str]) -> tuple[str, Params]:
    """The address without its query, from the first of ``bases`` that it lies below, and the query's parameters."""
    origin, path, params = _parts(url)
    for base in bases:
        base_origin, base_path, _ = _parts(base)
        base_path = base_path.rstrip("/")
        if origin == base_origin and (path == base_path or path.startswith(f"{base_path}/")):
            return path[len(base_path) :], params
    return f"{origin}{path}", params


def _parts(url: str) -> tuple[str, str, Params]:
    """Origin, path and parameters; an address that is none is its own path, and refused when it is asked."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", url, ()
    scheme = parts.scheme.lower()
    host = parts.netloc.rpartition("@")[2].lower()
    default = _DEFAULT_PORTS.get(scheme)
    if default is not None:
        host = host.removesuffix(f":{default}").removesuffix(":")
    params = tuple(parse_qsl(parts.query, keep_blank_values=True, errors="surrogateescape"))
    return f"{scheme}://{host}", _path(parts.path) or "/", params


def _path(path: str) -> str:
    """The path with one spelling for each character (RFC 3986, 6.2.2): unreserved ones plain, others in capitals."""
    path = _STRAY_PERCENT.sub("%25", path)
    path = _TO_ESCAPE.sub(lambda found: _escaped(found[0]), path)
    return _ESCAPE.sub(lambda found: _plain(int(found[1], 16)), path)


def _escaped(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode(errors="surrogatepass"))


def _plain(byte: int) -> str:
    return chr(byte) if _UNRESERVED.match(chr(byte)) else f"%{byte:02X}"


def _body(request: Request) -> str:
    """The digest of the body: of the value for JSON, of the sorted fields for a form, else of the bytes."""
    if not request.body:
        return ""
    kind = next((value for name, value in request.headers.items() if name.lower() == "content-type"), "").lower()
    content = request.body
    if kind.startswith("application/x-www-form-urlencoded"):
        fields = parse_qsl(content.decode(errors="surrogateescape"), keep_blank_values=True, errors="surrogateescape")
        content = json.dumps(sorted(fields, key=_name)).encode()
    elif "json" in kind or content.lstrip()[:1] in (b"{", b"["):
        content = _canonical(content)
    return hashlib.sha256(content).hexdigest()


def _canonical(content: bytes) -> bytes:
    """JSON with sorted names and no spaces; what is not JSON, or too deep to read, as it is."""
    try:
        return json.dumps(json.loads(content), sort_keys=True, separators=(",", ":")).encode()
    except (ValueError, RecursionError):
        return content


def _label(place: str, params: Iterable[tuple[str, str]]) -> str:
    shown = f"{place.partition('://')[2] or place} {' '.join(value for _, value in params)}"
    return re.sub(r"[^a-z0-9]+", "-", shown[: 4 * _LABEL_CHARS].lower()).strip("-")[:_LABEL_CHARS].strip("-") or "root"
