"""The tool door as seen from inside the sandbox: a small MCP client over streamable HTTP, standard library only."""

import itertools
import json
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, cast
from urllib.parse import urlsplit

PROTOCOL = "2025-06-18"
_CLIENT = {"name": "pincite-program", "version": "1"}


class DoorError(Exception):
    """The door did not do what the protocol promises, or a tool reported an error."""


class RequestError(DoorError):
    """The server answered a request with a JSON-RPC error."""

    def __init__(self, method: str, code: int, message: str) -> None:
        super().__init__(f"{method} failed: {message} (code {code})")
        self.code = code
        self.message = message


class SlowError(DoorError):
    """There was no answer in time."""


class ToolError(DoorError):
    """The tool was reached and answered with an error."""


class Door:
    """One MCP server behind the door. Use as a context manager: the handshake is made on entering.

    ``headers`` go with every request (the bearer token); ``timeout`` is in seconds, a response at a time.
    """

    def __init__(self, url: str, headers: Mapping[str, str], *, timeout: float = 120) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise DoorError(f"the door's address {url!r} is not an http address")
        self._parts = parts
        self._timeout = timeout
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **headers,
        }
        self._ids = itertools.count(1)
        self.calls = 0
        self.instructions = ""
        """What the server says about itself."""

    def __enter__(self) -> "Door":
        hello = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": _CLIENT}
        answer = self._request("initialize", hello)
        version = answer.get("protocolVersion")
        if not isinstance(version, str):
            raise DoorError("the door's answer to initialize names no protocol version")
        self._headers["MCP-Protocol-Version"] = version
        self.instructions = str(answer.get("instructions") or "")
        self._post({"jsonrpc": "2.0", "method": "notifications/initialized"}, wanted=None)
        return self

    def __exit__(self, *_: object) -> None:
        if "Mcp-Session-Id" in self._headers:
            connection = self._connect()
            try:
                connection.request("DELETE", self._path(), headers=self._headers)
                connection.getresponse().read()
            except (OSError, HTTPException):
                pass  # the session ends with the door in any case
            finally:
                connection.close()

    def tools(self) -> list[str]:
        """The names of the tools."""
        return [str(tool["name"]) for tool in self.definitions()]

    def definitions(self) -> list[dict[str, Any]]:
        """The tools with their descriptions and schemas, over all pages of the list."""
        found: list[dict[str, Any]] = []
        cursor: str | None = None
        while True:
            page = self._request("tools/list", {"cursor": cursor} if cursor else {})
            found += page.get("tools", [])
            cursor = page.get("nextCursor")
            if not cursor:
                return found

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of ``tools/call``; ToolError when the tool says that it failed."""
        result = self.outcome(tool, arguments)
        if result.get("isError"):
            raise ToolError(f"{tool}: {text_of(result) or 'an error without a text'}")
        return result

    def outcome(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result of ``tools/call`` as it came, one that says that the tool failed (``isError``) too."""
        self.calls += 1
        return self._request("tools/call", {"name": tool, "arguments": arguments})

    def text(self, tool: str, **arguments: Any) -> str:
        """The text of a prose tool's result."""
        return text_of(self.call(tool, **arguments))

    def data(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured content of a data tool's result."""
        content = self.call(tool, **arguments).get("structuredContent")
        return _object(content, f"{tool} returned no structured content")

    def _request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        wanted = next(self._ids)  # calls may come from several threads
        message = self._post({"jsonrpc": "2.0", "id": wanted, "method": method, "params": params}, wanted)
        if "error" in message:
            error = message["error"]
            raise RequestError(method, error.get("code"), error.get("message"))
        return _object(message.get("result"), f"the answer to {method} has no result")

    def _post(self, message: Mapping[str, Any], wanted: int | None) -> dict[str, Any]:
        connection = self._connect()
        try:
            connection.request("POST", self._path(), json.dumps(message).encode(), self._headers)
            response = connection.getresponse()
            session = response.getheader("Mcp-Session-Id")
            if session:
                self._headers["Mcp-Session-Id"] = session
            return self._read(response, wanted)
        except TimeoutError:
            raise SlowError(f"the door did not answer within {self._timeout:g} s") from None
        except (OSError, HTTPException) as error:
            raise DoorError(f"the door at {self._parts.netloc} cannot be reached: {error}") from error
        finally:
            connection.close()

    def _read(self, response: HTTPResponse, wanted: int | None) -> dict[str, Any]:
        if response.status >= 400:
            detail = response.read(500).decode("utf-8", "replace").strip()
            raise DoorError(f"the door answered HTTP {response.status} {response.reason}: {detail}")
        if wanted is None:
            response.read()
            return {}
        kind = response.getheader("Content-Type", "").partition(";")[0].strip()
        if kind == "text/event-stream":
            messages = _events(response)
        elif kind == "application/json":
            messages = iter([response.read().decode()])
        else:
            raise DoorError(f"the door answered with the unknown content type {kind!r}")
        for text in messages:
            try:
                message = json.loads(text)
            except json.JSONDecodeError as error:
                raise DoorError(f"the door answered with broken JSON: {error}") from error
            if _object(message, "the door answered with JSON that is not a message").get("id") == wanted:
                return message
        raise DoorError("the door closed the stream before the answer")

    def _connect(self) -> HTTPConnection:
        kind = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        return kind(self._parts.hostname or "", self._parts.port, timeout=self._timeout)

    def _path(self) -> str:
        return (self._parts.path or "/") + (f"?{self._parts.query}" if self._parts.query else "")


def _object(value: Any, fault: str) -> dict[str, Any]:
    """``value`` where it is a JSON object; DoorError with ``fault`` otherwise."""
    if not isinstance(value, dict):
        raise DoorError(fault)
    return cast("dict[str, Any]", value)


def text_of(result: Mapping[str, Any]) -> str:
    """The text parts of a tool's result, joined."""
    parts = result.get("content", [])
    return "\n".join(str(part["text"]) for part in parts if part.get("type") == "text")


def _events(response: HTTPResponse) -> Iterator[str]:
    """The data of each server-sent event (WHATWG HTML, section 9.2)."""
    data: list[str] = []
    while line := response.readline():
        text = line.decode().rstrip("\r\n")
        if text.startswith("data:"):
            data.append(text[5:].removeprefix(" "))
        elif not text and data:
            yield "\n".join(data)
            data = []
    if data:
        yield "\n".join(data)
