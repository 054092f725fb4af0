"""RayEngine: trials as tasks of a Ray cluster, each on a node with a free trial slot."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pincite_core.cluster.connection import SLOT, disconnect, nodes, slot_count, start_control, variables
from pincite_core.cluster.control import pack_variables
from pincite_core.cluster.untyped import RayError, on_node, ray
from pincite_core.errors import PinciteError, UnavailableError
from pincite_harness.runs.cluster.frames import Began, Chunk, Done, Ended, Fault, Frame, Never, Spent
from pincite_harness.runs.cluster.landing import Landing
from pincite_harness.runs.cluster.shipping import Shipment, pack
from pincite_harness.runs.cluster.worker import NodeOrder, TrialOrder, clean_node, prepare_node, run_trial
from pincite_harness.runs.engine import faulty
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.carrying import Carried
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.servers import Commands
from pincite_tasks.failure import Status
from pincite_tasks.spending import SPENT_FILE
from pincite_tasks.trial_record import TrialRecord, parse_record

_MOST_LOST = 4
"""How often a trial is begun again because its worker or node was lost: a trial that brings down every worker must end;
set by judgement."""
_IN_FLIGHT = 4
"""Frames of a trial that may lie in the object store: 16 MB; set by judgement."""
_PENDING_SECONDS = 10.0
"""Seconds that a trial which has not begun may take to see that the run stops, before Ray is asked to drop it."""


@dataclass(frozen=True, slots=True)
class _Lost:
    """Nothing came of a try at a trial, and why."""

    detail: str


class RayEngine:
    """Runs trials on the cluster that this process is connected to. ``say`` gets a line for each lost worker;
    ``leave`` ends the connection when the engine is closed."""

    def __init__(
        self,
        specification: RunSpecification,
        variables: Mapping[str, str],
        *,
        servers: Commands | None = None,
        say: Callable[[str], None] = lambda _: None,
        leave: Callable[[], None] = lambda: None,
    ) -> None:
        self._specification = specification
        self._variables = dict(variables)
        self._servers = servers
        self._start_control()
        self._renewing = asyncio.Lock()
        self._task: Any = ray.remote(
            num_cpus=0,
            resources={SLOT: 1},
            num_returns="streaming",
            max_retries=0,
            scheduling_strategy="SPREAD",
            _generator_backpressure_num_objects=_IN_FLIGHT,
        )(run_trial)
        self._files: dict[str, Any] = {}
        self._say = say
        self._leave = leave
        self._lost = 0

    @classmethod
    def of(cls, specification: RunSpecification, plans: Sequence[TrialPlan], say: Callable[[str], None]) -> "RayEngine":
        """The engine of a run, with this process's settings and keys for its trials."""
        return cls(specification, variables_for(plans), say=say, leave=disconnect)

    @property
    def slots(self) -> int:
        """The trial slots of the cluster."""
        return slot_count()

    def prepare(self, plans: Sequence[TrialPlan]) -> None:
        """Prepare every node for the families of ``plans``, all at once, and note the digest of the agent's image. The
        first node's PinciteError where one cannot run them, and UnavailableError where images differ."""
        task: Any = ray.remote(num_cpus=0, max_retries=3)(prepare_node)
        families = {plan.family.name: plan for plan in plans}
        pending: list[Any] = []
        for node in nodes():
            there = on_node(node)
            for plan in families.values():
                shipment = pack(plan)
                options = task.options(scheduling_strategy=there)
                pending.append(options.remote(self._order, shipment.packed, self._references(shipment)))
        try:
            images = set(ray.get(pending))
        except RayError as error:
            raise _cause(error) from error
        if len(images) > 1:
            raise UnavailableError("Nodes have different images of one name.", seen=", ".join(sorted(images)))
        for plan in plans:
            if image := next(iter(images), ""):
                object.__setattr__(plan.agent, "image_id", image)

    async def run(self, plan: TrialPlan, folder: Path, *, retries: int, carried: Carried) -> TrialRecord | None:
        """See Engine. A trial whose worker or node was lost is begun again, on another node where there is one."""
        shipment = pack(plan)
        files = self._references(shipment)
        detail = ""
        for _ in range(_MOST_LOST):
            attempt = f"{plan.name}/{secrets.token_hex(8)}"
            spent = _read(folder / SPENT_FILE)
            order = TrialOrder(attempt, shipment.packed, files, retries, carried, spent)
            outcome = await self._once(order, folder)
            if not isinstance(outcome, _Lost):
                return outcome
            detail = outcome.detail
            self._lost += 1
            self._say(f"{plan.name} is begun again: {detail}")
            await self._renew_control()
        return faulty(plan, f"No node brought it to its end: {detail}")

    async def close(self) -> None:
        """Let go of the run's actor; where workers were lost, remove what they left on the nodes that are there."""
        if self._lost:
            task: Any = ray.remote(num_cpus=0)(clean_node)
            for node in [on_node(node) for node in nodes()]:
                with suppress(RayError):
                    await task.options(scheduling_strategy=node).remote()
        ray.kill(self._control)
        self._leave()

    def _start_control(self) -> None:
        """Start the run's actor, and give it what the workers ask it for."""
        self._control = start_control(pack_variables(self._variables))
        order = NodeOrder(secrets.token_hex(8), self._specification, self._servers, version("pincite"), self._control)
        self._order = ray.put(order)

    async def _renew_control(self) -> None:
        """Start the run's actor again where it was lost with its node; its workers begin as those of another run."""
        async with self._renewing:
            try:
                await self._control.public_key.remote()
            except RayError:
                with suppress(RayError):  # the next lost trial tries again
                    await asyncio.to_thread(self._start_control)

    async def _once(self, order: TrialOrder, folder: Path) -> TrialRecord | _Lost | None:
        """One try; when this is cancelled, the worker is asked to stop, and what it then sends counts."""
        reference = ray.put(order)
        frames = self._task.remote(self._order, reference)
        watched = _Trial(folder, frames)
        receiving = asyncio.create_task(watched.receive())
        stopping = False
        try:
            while True:
                try:
                    outcome = await asyncio.shield(receiving)
                    return None if stopping and isinstance(outcome, _Lost) else outcome
                except asyncio.CancelledError:
                    if receiving.cancelled():
                        return None
                    if not stopping:
                        stopping = True
                        await self._stop(order.attempt, watched)
        finally:
            if not receiving.done():
                receiving.cancel()
            with suppress(RayError):
                self._control.forget.remote(order.attempt)

    async def _stop(self, attempt: str, watched: "_Trial") -> None:
        watched.stopping = True
        self._control.stop.remote(attempt)
        loop = asyncio.get_running_loop()
        loop.call_later(_PENDING_SECONDS, watched.drop)

    def _references(self, shipment: Shipment) -> dict[str, Any]:
        """References to a plan's files, each stored once for the run."""
        for digest, path in shipment.files.items():
            if digest not in self._files:
                self._files[digest] = ray.put(path.read_bytes())
        return {digest: self._files[digest] for digest in shipment.files}


class _Trial:
    """Takes the frames of one try into the trial's folder."""

    def __init__(self, folder: Path, frames: Any) -> None:
        self._folder = folder
        self._frames = frames
        self._began = False
        self.stopping = False

    def drop(self) -> None:
        """Ask Ray to drop a task that has not begun."""
        if not self._began:
            ray.cancel(self._frames)

    async def receive(self) -> TrialRecord | _Lost | None:
        """The record, once the folder is complete; None where the trial was to stop before it began."""
        landing: Landing | None = None
        record: TrialRecord | None = None
        try:
            async for frame in self._each():
                match frame:
                    case Began():
                        self._began = True
                    case Spent(data):
                        await asyncio.to_thread(_append, self._folder / SPENT_FILE, data)
                    case Ended(value):
                        record = parse_record(value, "a node's answer")
                        if record.status is Status.CANCELLED and not self.stopping:
                            return _Lost("its worker lost sight of the run")
                        landing = Landing(self._folder)
                    case Chunk() if landing is not None:
                        await asyncio.to_thread(landing.take, frame)
                    case Done() if landing is not None:
                        await asyncio.to_thread(landing.finish, frame)
                        return record
                    case Fault(detail):
                        return _Lost(detail)
                    case _:
                        return None if isinstance(frame, Never) else _Lost(f"unexpected {type(frame).__name__}")
        except (RayError, UnavailableError) as error:
            return _Lost(_words(error))
        finally:
            if landing is not None:
                await asyncio.to_thread(landing.abandon)
        return _Lost("its worker ended early")

    async def _each(self) -> AsyncIterator[Frame]:
        async for reference in self._frames:
            yield await reference


def variables_for(plans: Sequence[TrialPlan]) -> dict[str, str]:
    """The variables of this process that trials on other nodes read: settings and keys, and what the definitions of
    third-party servers name."""
    found = variables()
    for plan in plans:
        for server in plan.family.settings.third_party:
            found |= server.variables()
    return found


def _cause(error: Exception) -> PinciteError:
    """The error that a node raised."""
    cause: Any = getattr(error, "cause", None)
    if isinstance(cause, PinciteError):
        return cause
    return UnavailableError("A node could not be prepared.", seen=_words(error))


def _words(error: BaseException) -> str:
    """An error in one line; Ray's own have many."""
    line = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {line[0][:300]}"


def _read(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _append(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(data)
