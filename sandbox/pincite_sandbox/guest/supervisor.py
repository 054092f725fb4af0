"""The root of a sandbox: runs commands for the harness, relays the doors, and ends everything when the harness ends.

It speaks frames (``wire``) on one control connection that no command can reach. When that connection ends, for
whatever reason, every process of the sandbox is killed, the scratch folder is removed and the supervisor exits.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from .cgroup import read_cgroup
from .files import FileTrouble, read_file, remove_tree, write_file, write_files
from .gold import gold_files
from .process import Confinement, confinement, enter, kill_round, protect_supervisor, spawn
from .relay import Relay
from .scratch import Scratch
from .wire import CHUNK, pack, read_frame

_DRAIN_SECONDS = 0.5
"""How long output still in the pipes is awaited after a command has ended, when something it left holds them open."""
_KILL_SECONDS = 10.0
"""Seconds until all processes of a command have ended. Set by judgement."""


class Supervisor:
    """One sandbox's commands, doors and files."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, config: dict[str, Any]) -> None:
        self.reader = reader
        self.writer = writer
        self.workdir: str = config["workdir"]
        self.scratch: str | None = config.get("scratch")
        self.doors: dict[str, str] = config.get("doors", {})
        self.owned: list[str] = config.get("owned", [])
        self.rules = Confinement(**config.get("rules", {}))
        self.confining = "rules" in config and config["rules"].get("filtered", False)
        self.watched = Scratch(config.get("watched", []))
        self.exits: dict[int, asyncio.Future[int]] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.sending = asyncio.Lock()

    async def run(self) -> None:
        """Serve the control connection until it ends, then clean up."""
        for path in self.owned:
            os.chown(path, self.rules.uid or -1, self.rules.uid or -1)
        relays = {name: Relay(path) for name, path in self.doors.items()}
        ports = {name: await relay.start() for name, relay in relays.items()}
        await self.send(
            {"op": "ready", "doors": ports, "limits": self.figures(), "confinement": await self.confinement()}
        )
        watching = asyncio.get_running_loop().create_task(self.watched.watch())
        while True:
            frame = await read_frame(self.reader)
            if frame is None:
                break
            task = asyncio.get_running_loop().create_task(self.answer(*frame))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        watching.cancel()
        if not self.rules.whole_namespace:
            # Otherwise the kernel does so at once, when process 1 ends.
            await self.kill_all()
        if self.scratch:
            remove_tree(self.scratch)

    async def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        """Send a frame; waits while the harness does not read."""
        async with self.sending:
            try:
                self.writer.write(pack(header, body))
                await self.writer.drain()
            except ConnectionError:
                pass

    async def answer(self, request: dict[str, Any], body: bytes) -> None:
        """Do what a request asks and send its last frame."""
        operation = {
            "exec": self.exec,
            "kill": self.kill,
            "get": self.get,
            "put": self.put,
            "put_all": self.put_all,
            "limits": self.limits,
            "gold": self.gold,
        }
        try:
            header, data = await operation[request["op"]](request, body)
        except FileTrouble as trouble:
            header, data = {"error": trouble.kind, "what": trouble.what}, b""
        except ValueError as error:
            header, data = {"error": "os", "errno": errno.EINVAL, "what": str(error)}, b""
        except OSError as error:
            header, data = {"error": "os", "errno": error.errno, "what": error.strerror or str(error)}, b""
        await self.send({**header, "id": request["id"], "last": True}, data)

    async def exec(self, request: dict[str, Any], _body: bytes) -> tuple[dict[str, Any], bytes]:
        """Run a command to its end; its output goes out as it comes."""
        out, err = os.pipe(), os.pipe()
        try:
            env = {str(name): str(value) for name, value in request["env"].items()}
            pid = spawn(request["argv"], request["cwd"] or self.workdir, env, out[1], err[1], self.rules)
        except OSError:
            os.close(out[0])
            os.close(err[0])
            raise
        finally:
            os.close(out[1])
            os.close(err[1])
        exited = self.exit_of(pid)
        pumps = [self.pump(request["id"], "stdout", out[0]), self.pump(request["id"], "stderr", err[0])]
        reading = asyncio.gather(*pumps)
        status = await exited
        self.rules.groups.discard(pid)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(reading, _DRAIN_SECONDS)
        return {"exit_code": os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)}, b""

    async def pump(self, request_id: int, stream: str, descriptor: int) -> None:
        """Send what comes out of a pipe until it is closed."""
        reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        pipe = os.fdopen(descriptor, "rb", buffering=0)
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
        try:
            while True:
                chunk = await reader.read(CHUNK)
                if not chunk:
                    return
                await self.send({"id": request_id, "stream": stream}, chunk)
        finally:
            transport.close()

    async def kill(self, _request: dict[str, Any], _body: bytes) -> tuple[dict[str, Any], bytes]:
        """End every process of the commands."""
        return {"ended": await self.kill_all()}, b""

    async def get(self, request: dict[str, Any], _body: bytes) -> tuple[dict[str, Any], bytes]:
        """A regular file's bytes."""
        return await self.as_user(lambda: read_file(self.workdir, request["path"], request["max_bytes"]))

    async def put(self, request: dict[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
        """Write a file whole."""
        return await self.as_user(lambda: write_file(self.workdir, request["path"], body))

    async def put_all(self, _request: dict[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
        """Write several files, each whole."""
        return await self.as_user(lambda: write_files(self.workdir, body))

    async def as_user(self, work: Callable[[], bytes]) -> tuple[dict[str, Any], bytes]:
        """Do file work with no more rights than the commands have: in a child where those are fewer than our own."""
        if self.rules.uid is None and self.rules.file_size is None:
            return {}, work()
        return await self.in_child(work)

    async def in_child(self, work: Callable[[], bytes]) -> tuple[dict[str, Any], bytes]:
        """Do work in a child that is confined as the commands are."""
        told, tell = os.pipe()
        pid = os.fork()
        if pid == 0:
            _work_as(self.rules, tell, work)
        os.close(tell)
        exited = self.exit_of(pid)
        with os.fdopen(told, "rb") as pipe:
            header, _, data = pipe.read().partition(b"\n")
        await exited
        if not header:
            raise FileTrouble("unavailable", "The file could not be read or written: its helper ended early.")
        return json.loads(header), data

    async def limits(self, _request: dict[str, Any], _body: bytes) -> tuple[dict[str, Any], bytes]:
        """The limits, how often they have bitten, and how many other processes are to be seen."""
        return {"limits": self.figures(), "processes": _others()}, b""

    async def gold(self, _request: dict[str, Any], _body: bytes) -> tuple[dict[str, Any], bytes]:
        """The gold files that can be seen from here."""
        return {"found": gold_files()}, b""

    async def confinement(self) -> dict[str, int | None]:
        """What the kernel says of a process that runs as the commands do."""
        if not self.confining:
            return {}
        _, said = await self.in_child(lambda: json.dumps(confinement()).encode())
        return json.loads(said)

    def figures(self) -> dict[str, float | None]:
        """The limits in force and how often they have bitten, as far as it can be seen from here."""
        return {**read_cgroup(), **self.watched.look()}

    async def kill_all(self) -> bool:
        """Kill until no process is left; False when some would not end in 10 seconds."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _KILL_SECONDS
        while True:
            kill_round(self.rules)
            if not self.reap():
                return True
            if loop.time() > deadline:
                return False
            await asyncio.sleep(0.005)

    def exit_of(self, pid: int) -> asyncio.Future[int]:
        """The wait status of a child, when it has ended."""
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.exits[pid] = future
        return future

    def reap(self) -> bool:
        """Collect ended children, adopted ones too; whether any child still runs."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            future = self.exits.pop(pid, None)
            if future is not None and not future.done():
                future.set_result(status)


def _others() -> int:
    return sum(1 for folder in Path("/proc").glob("[0-9]*") if folder.name != str(os.getpid()))


def _work_as(rules: Confinement, tell: int, work: Callable[[], bytes]) -> NoReturn:
    """In a forked child: give up privileges, work, tell how it went, exit."""
    try:
        enter(rules)
        os.umask(0o022)
        try:
            header, data = {}, work()
        except FileTrouble as trouble:
            header, data = {"error": trouble.kind, "what": trouble.what}, b""
        with os.fdopen(tell, "wb") as pipe:
            pipe.write(json.dumps(header).encode() + b"\n" + data)
    finally:
        os._exit(0)


async def _serve(config: dict[str, Any]) -> None:
    control = _control_socket(config)
    reader, writer = await asyncio.open_connection(sock=control)
    supervisor = Supervisor(reader, writer, config)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGCHLD, supervisor.reap)
    for number in (signal.SIGINT, signal.SIGHUP):
        # Ctrl-C in the harness's terminal is the harness's to handle.
        loop.add_signal_handler(number, lambda: None)
    await supervisor.run()


def _control_socket(config: dict[str, Any]) -> socket.socket:
    if "control_fd" in config:
        control = socket.socket(fileno=config["control_fd"])
    else:
        control = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        control.connect(config["control_path"])
    os.set_inheritable(control.fileno(), False)
    return control


def main(argv: list[str]) -> int:
    """The program of this module: ``supervisor CONFIG`` with the configuration as JSON."""
    protect_supervisor()
    asyncio.run(_serve(json.loads(argv[0])))
    return 0
