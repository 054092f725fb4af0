"""ModelDoor: the way of one trial's agent and of its servers to their models: a Unix socket and a port of the host."""

import asyncio
import logging
import re
from collections.abc import Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

from starlette.types import Receive, Scope, Send

from pincite_core.settings import load_settings
from pincite_doors.listening import listening, listening_on_loopback
from pincite_doors.models.answer import REFUSED_STATUS
from pincite_doors.models.calls import ModelCalls, passed, say
from pincite_doors.models.headers import brings_token
from pincite_doors.models.meter import ModelMeter
from pincite_doors.models.policy import refused_operation
from pincite_doors.models.recorder import ModelRecorder
from pincite_doors.models.route import ROLES, SERVERS, OpenRoute, Route
from pincite_doors.models.upstream import SILENCE_SECONDS
from pincite_doors.traffic import Traffic
from pincite_models.trouble import ModelTrouble

_LOG = logging.getLogger(__name__)
_IDLE_SECONDS = 3600
"""Seconds that a connection of the agent may rest: models think for minutes between calls."""
_PLAIN_PATH = re.compile(r"(/[\w.:@~+-]+)+/?\Z", re.ASCII)


class ModelDoor:
    """Passes calls on ``routes`` to the models' addresses and records them.

    The agent asks at ``socket`` with ``token``: the main model by the API's own paths, that of a role below
    ``/role/ROLE``. Servers, which run on the host, ask at a port of the loopback with ``server_token``, below
    ``/server/SERVER/USE``. ``traffic`` meters what is sent; ``silence_seconds`` is how long a provider may send
    nothing.
    """

    def __init__(
        self,
        socket: Path,
        token: str,
        *routes: Route,
        meter: ModelMeter,
        recorder: ModelRecorder,
        traffic: Traffic | None = None,
        server_token: str = "",
        silence_seconds: float = SILENCE_SECONDS,
    ) -> None:
        self.meter = meter
        self.traffic = traffic or Traffic()
        self.port = 0
        """Where servers ask; 0 where none has a model."""
        self._socket = socket
        self._token = token
        self._server_token = server_token
        self._recorder = recorder
        settings = load_settings()
        marks = self.traffic.limits.model_body_marks
        self._routes = {
            route.place: OpenRoute(route, meter.limits, marks, settings, silence_seconds) for route in routes
        }
        self._calls = ModelCalls(meter, recorder, self.traffic, pass_labels=settings.pass_labels)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._exit = AsyncExitStack()

    @property
    def limited(self) -> asyncio.Event:
        """Set when a limit refused a call or was passed by an answer."""
        return self._calls.limited

    @property
    def trouble(self) -> ModelTrouble | None:
        """How the agent's last call for an answer ended where that was not good."""
        return self._calls.trouble

    def address(self, server: str, use: str) -> str:
        """Where a server finds its model for ``use``, once the door is open: the base of its API, up to ``/v1``."""
        return f"http://127.0.0.1:{self.port}{SERVERS}{server}/{use}"

    async def open(self) -> None:
        """Listen; UnavailableError when the socket or the port does not come up."""
        self._exit.push_async_callback(self._finish_record)
        try:
            for route in self._routes.values():
                self._exit.push_async_callback(route.upstream.close)
                await route.upstream.open()
            await self._listen()
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Cut the calls that are under way, stop listening and finish the record; safe to call twice."""
        for task in list(self._tasks):
            task.cancel()
        await self._exit.aclose()

    async def __aenter__(self) -> "ModelDoor":
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _listen(self) -> None:
        """On the socket for the agent's routes, on the loopback for those of servers, each where there is one."""
        options: dict[str, Any] = {
            "traffic": self.traffic,
            "on_refused": self._calls.record_refused,
            "body_bytes": self.traffic.limits.model_body_bytes,
            "lifespan": False,
            "idle_seconds": _IDLE_SECONDS,
        }
        of_servers = [place for place in self._routes if place.startswith(SERVERS)]
        if len(of_servers) < len(self._routes):
            served = listening(self._serve_agent, self._socket, "model door", **options)
            await self._exit.enter_async_context(served)
        if of_servers:
            served = listening_on_loopback(self._serve_servers, "model door of the servers", **options)
            self.port = await self._exit.enter_async_context(served)

    async def _finish_record(self) -> None:
        self._recorder.catch_up()
        await asyncio.to_thread(self._recorder.close)

    async def _serve_agent(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._serve(scope, receive, send, self._token, servers=False)

    async def _serve_servers(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._serve(scope, receive, send, self._server_token, servers=True)

    async def _serve(self, scope: Scope, receive: Receive, send: Send, token: str, *, servers: bool) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._answer(scope, receive, send, token, servers=servers)
        except asyncio.CancelledError:
            # The door closes: the server hangs up on an answer that has not ended.
            task.uncancel()
        except Exception as error:
            self._calls.trouble = ModelTrouble("door", f"{type(error).__name__}: {error}")
            _LOG.exception("The model door failed on %s", scope["path"])
            raise
        finally:
            self._tasks.discard(task)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, token: str, *, servers: bool) -> None:
        method, path = scope["method"], scope["path"]
        place = _place(path, SERVERS, 2) if servers else _place(path, ROLES, 1)
        route = self._routes.get(place)
        dialect = (route or next(iter(self._routes.values()))).dialect
        if self.traffic.exceeded is not None:
            return await say(send, dialect, REFUSED_STATUS, "limit", passed(self.traffic.exceeded))
        if not token or not brings_token(scope["headers"], scope["query_string"], token):
            return await self._calls.turn_away(send, dialect, 401, "auth", path, "A trial token is needed.")
        if route is None:
            reason = f"This trial has no model at {place or path}{_others(self._routes)}."
            return await self._calls.turn_away(send, dialect, 404, "policy", path, reason)
        inner = path.removeprefix(place)
        operation = dialect.operation(method, inner) if _PLAIN_PATH.match(inner) and ".." not in inner else None
        if operation is None:
            reason = f"This trial's model API has no {method} {inner}."
            return await self._calls.turn_away(send, dialect, 404, "policy", path, reason)
        if reason := refused_operation(operation, method):
            return await self._calls.turn_away(send, dialect, 404, "policy", path, reason)
        return await self._calls.answer(route, operation, inner, scope, receive, send)


def _place(path: str, prefix: str, parts: int) -> str:
    """The beginning of a path that names its route: the prefix and so many more parts; empty without the prefix."""
    if not path.startswith(prefix):
        return ""
    return "/".join(path.split("/")[: parts + 2])


def _others(places: Iterable[str]) -> str:
    """The roles that have a model, for who asked for another."""
    roles = [place.removeprefix(ROLES) for place in places if place.startswith(ROLES)]
    return f", only for the roles {', '.join(sorted(roles))}" if roles else ""
