"""``pincite sandbox check``: every probe on this machine, and what holds in a table."""

import asyncio
import json
import secrets
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape
from rich.status import Status
from rich.table import Table

from pincite_core.errors import BadInputError, PinciteError
from pincite_doors.door import ToolDoor
from pincite_doors.media import MediaStore
from pincite_doors.meter import ToolMeter
from pincite_doors.models.door import ModelDoor
from pincite_doors.models.meter import ModelMeter
from pincite_doors.models.recorder import ModelRecorder
from pincite_doors.models.route import Route
from pincite_doors.recorder import WireRecorder
from pincite_doors.redactor import Redactor
from pincite_doors.web.door import WebDoor
from pincite_models.choice import ModelChoice
from pincite_sandbox.choose import SandboxKind
from pincite_sandbox.probes.check import GROUPS, probe
from pincite_sandbox.probes.result import Group, Result
from pincite_sandbox.reaper import reap
from pincite_tasks.family import FamilyLimits

_NOBODY = ModelChoice(provider="compatible", name="nobody", base_url="http://127.0.0.1:9")
_GROUPS: dict[Group, str] = {
    "promises": "what commands, files and ends promise",
    "network": "ways out of the network",
    "relay": "the doors, and what the relay can be talked into",
    "kernel": "ways into the kernel and the supervisor",
    "files": "files, processes and devices of the machine",
    "limits": "limits under bombs",
    "configuration": "misconfigurations that must be refused",
}
OnProbe = Callable[[str], None]
_COLOURS = {"held": "green", "open": "bold red", "unknown": "yellow"}


class TrialDoors:
    """The doors of a trial, as real as they are: tools, model (whose provider is nobody) and web."""

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(32)
        self._exit = AsyncExitStack()

    async def open(self, folder: Path) -> Mapping[str, Path]:
        """Open all three."""
        sockets = {name: folder / f"{name}.sock" for name in ("tools", "model", "web")}
        redactor, media = Redactor([self.token]), MediaStore(folder)
        recorder = WireRecorder(folder / "mcp.jsonl", redactor)
        tools = ToolDoor(sockets["tools"], self.token, meter=ToolMeter(0), recorder=recorder, media=media)
        await tools.open([], {}, folder)
        self._exit.push_async_callback(tools.close)
        model = ModelDoor(
            sockets["model"], self.token, Route(_NOBODY, "", "openai.chat"),
            meter=ModelMeter(FamilyLimits(), None), recorder=ModelRecorder(folder / "llm.jsonl", redactor, media),
        )  # fmt: skip
        await model.open()
        self._exit.push_async_callback(model.close)
        web = WebDoor(sockets["web"], self.token, ["example.com"], folder / "web.jsonl", redactor)
        await web.open()
        self._exit.push_async_callback(web.close)
        return sockets

    async def close(self) -> None:
        """Close them."""
        await self._exit.aclose()


@dataclass(slots=True)
class Checked:
    """How one kind of sandbox did; ``trouble`` says why it does not come up at all."""

    kind: SandboxKind
    results: list[Result] = field(default_factory=list[Result])
    trouble: str = ""
    seconds: float = 0.0

    @property
    def counts(self) -> Counter[str]:
        """Probes by verdict."""
        return Counter(result.verdict for result in self.results)


def check_sandboxes(
    kinds: Sequence[SandboxKind], image: str, runtime: str, only: Sequence[str], *, everything: bool, as_json: bool
) -> None:
    """Probe each kind and print what holds; ends with 1 when a probe got out, or none of the kinds works."""
    if unknown := [name for name in only if name not in GROUPS]:
        raise BadInputError(f"There are no probes of {', '.join(unknown)}.", next=f"--only {' | '.join(GROUPS)}")
    groups: list[Group] = [group for group in GROUPS if not only or group in only]
    console = Console(stderr=as_json)
    checked: list[Checked] = []
    for kind in kinds:
        with console.status(f"probing {kind}") as status:

            def update(name: str, kind: str = kind, status: Status = status) -> None:
                status.update(f"{kind}: {name}")

            one = asyncio.run(_check(kind, image, runtime, groups, update))
        checked.append(one)
        if not as_json:
            _show(one, console, everything=everything)
    if as_json:
        typer.echo(json.dumps([_document(one) for one in checked], indent=2, ensure_ascii=False))
    if all(one.trouble for one in checked) or any(one.counts["open"] for one in checked):
        raise typer.Exit(1)


async def _check(kind: SandboxKind, image: str, runtime: str, only: Sequence[Group], on_probe: OnProbe) -> Checked:
    began = time.monotonic()
    one = Checked(kind)
    await reap()
    try:
        async for result in probe(kind, image, runtime, TrialDoors(), only):
            one.results.append(result)
            on_probe(result.name)
    except PinciteError as error:
        one.trouble = str(error).replace("\n", " ")
    one.seconds = time.monotonic() - began
    return one


def _document(one: Checked) -> dict[str, object]:
    return {
        "sandbox": one.kind,
        "works": not one.trouble,
        "trouble": one.trouble,
        "seconds": round(one.seconds, 1),
        "counts": {verdict: one.counts[verdict] for verdict in _COLOURS},
        "probes": [asdict(result) for result in one.results],
    }


def _show(one: Checked, console: Console, *, everything: bool) -> None:
    if one.trouble:
        console.print(f"[yellow]{one.kind}[/]: does not work. {escape(one.trouble)}", soft_wrap=True)
        return
    table = Table(title=f"{one.kind}, {len(one.results)} probes in {one.seconds:.0f} s", title_justify="left")
    table.add_column("probes of")
    for heading in ("held", "open", "cannot tell"):
        table.add_column(heading, justify="right", no_wrap=True)
    for group, title in _GROUPS.items():
        counts = Counter(result.verdict for result in one.results if result.group == group)
        if counts:
            table.add_row(title, *(_number(counts[verdict], verdict) for verdict in _COLOURS))
    table.add_row("[bold]all", *(_number(one.counts[verdict], verdict) for verdict in _COLOURS))
    console.print(table)
    for result in one.results:
        if result.name == "started" and result.detail != one.kind:
            console.print(escape(result.detail), soft_wrap=True, highlight=False)
    shown = [result for result in one.results if everything or result.verdict != "held"]
    if shown:
        console.print(_listing(shown))


def _listing(results: Sequence[Result]) -> Table:
    listing = Table()
    for heading in ("verdict", "probe", "tried", "what came of it"):
        listing.add_column(heading, no_wrap=heading in ("verdict", "probe"))
    for result in results:
        colour = _COLOURS[result.verdict]
        listing.add_row(f"[{colour}]{result.verdict}[/]", result.name, escape(result.what), escape(result.detail))
    return listing


def _number(count: int, verdict: str) -> str:
    return f"[{_COLOURS[verdict]}]{count}[/]" if count else "0"
