"""Worker: what runs on a node of the cluster: its preparation, and one trial after another."""

import asyncio
import fcntl
import os
import shutil
import tempfile
import threading
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import wait
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pincite_core.cluster.control import unpack_variables
from pincite_core.cluster.sealing import Receiver
from pincite_core.cluster.untyped import RayError, own_address, ray, this_node
from pincite_core.errors import PinciteError, UnavailableError
from pincite_core.http.redaction import keys_of
from pincite_core.settings import load_settings
from pincite_doors.redactor import Redactor
from pincite_harness.runs.cluster.frames import Began, Ended, Fault, Frame, Never, Spent, chunks_of
from pincite_harness.runs.cluster.shipping import InputFolder, unpack
from pincite_harness.runs.engine import LocalEngine, surroundings_of
from pincite_harness.runs.judge_opening import open_judge
from pincite_harness.runs.preparation import check_sandbox, prepare_agent
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.carrying import Carried
from pincite_harness.trial.faults import describe_fault
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.servers import SERVERS, Commands
from pincite_harness.trial.workspace import WORKSPACE_PREFIX, reap_workspaces
from pincite_sandbox.owner import owner_label
from pincite_sandbox.reaper import reap
from pincite_scoring import ScoringOptions
from pincite_tasks.catalog import bundled_folder
from pincite_tasks.spending import SPENT_FILE
from pincite_tasks.trial_record import TrialRecord

_POLL_SECONDS = 0.1
"""Seconds between looks at what a running trial spent; a killed worker loses that of its account; set by judgement."""
_NODE_FOLDER = "cluster"


@dataclass(frozen=True, slots=True)
class NodeOrder:
    """What a run's workers are sent once. None of it is secret."""

    run: str
    specification: RunSpecification
    servers: Commands | None
    """Commands of servers in place of the node's own."""
    version: str
    """The driver's version of pincite."""
    control: Any
    """Handle of the RunControl."""


@dataclass(frozen=True, slots=True)
class TrialOrder:
    """One trial: its plan as shipping packs it, references to its files by digest, and what it goes on from."""

    attempt: str
    """Names this try at the trial."""
    plan: bytes
    files: Mapping[str, Any]
    retries: int
    carried: Carried
    spent: bytes
    """What earlier attempts left in the file of spending."""


class Workplace:
    """This process as the worker of one run: its event loop, and what its trials share."""

    def __init__(self, order: NodeOrder) -> None:
        self.order = order
        _take_variables(order)
        specification = order.specification
        self.prepared: set[str] = set()
        """Families whose trials this node is prepared for."""
        self._options = ScoringOptions(open_judge(specification.judge), specification.compat)
        self._marker = Marker((), self._options, roots=[_node_folder() / "inputs", bundled_folder()])
        servers = SERVERS if order.servers is None else order.servers
        self.engine = LocalEngine(surroundings_of(specification, self._marker, servers))
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, name="pincite-trials", daemon=True).start()

    def redact(self, text: str) -> str:
        """The text without this run's keys."""
        return Redactor([], keys_of(load_settings())).clean(text.encode()).decode()


_workplace: Workplace | None = None


def _work_for(order: NodeOrder) -> Workplace:
    global _workplace  # noqa: PLW0603 - a worker process of Ray serves one run, and has no other place for it
    if _workplace is None or _workplace.order.run != order.run:
        _workplace = Workplace(order)
    return _workplace


def prepare_node(order: NodeOrder, packed: bytes, files: Mapping[str, Any]) -> str:
    """Prepare this node for trials of one family; the digest of the image that the run names. What is wrong is raised
    as a PinciteError."""
    _take_variables(order)
    plan = unpack(packed, _inputs(files))
    _prepare(order, plan)
    return plan.agent.image_id


def run_trial(order: NodeOrder, trial: TrialOrder) -> Generator[Frame]:
    """Run one trial on this node and yield its frames."""
    try:
        place = _work_for(order)
        plan = unpack(trial.plan, _inputs(trial.files))
        if plan.family.name not in place.prepared:
            _prepare(order, plan)
            place.prepared.add(plan.family.name)
    except (PinciteError, OSError) as error:
        yield Fault(f"{own_address()}: {describe_fault('prepare', error)}")
        return
    parent = Path(tempfile.mkdtemp(prefix=f"{WORKSPACE_PREFIX}{owner_label().replace(':', '-')}-"))
    try:
        yield from _stream(place, trial, plan, parent / plan.name)
    finally:
        shutil.rmtree(parent, ignore_errors=True)


def clean_node() -> int:
    """Remove what dead workers left on this node; how many things that were."""
    return len(asyncio.run(reap())) + len(reap_workspaces())


def _prepare(order: NodeOrder, plan: TrialPlan) -> None:
    """Install or pull what the agent needs and look at its image; the first worker of a run on this node also removes
    what dead ones left."""
    if (own := version("pincite")) != order.version:
        raise UnavailableError(
            "A node has another version of pincite.", seen=f"{own}, the run has {order.version}", next="Install it."
        )
    with _once(order.run) as first:
        if first:
            clean_node()
            InputFolder(_node_folder() / "inputs", _no_file).prune()
            _check_folders(order.specification)
        prepare_agent(order.specification, [plan], lambda _: None)
        check_sandbox(order.specification, [plan])


def _stream(place: Workplace, trial: TrialOrder, plan: TrialPlan, folder: Path) -> Iterator[Frame]:
    folder.mkdir()
    spending = folder / SPENT_FILE
    if trial.spent:
        spending.write_bytes(trial.spent)
    seen = len(trial.spent)
    yield Began(own_address())
    closed = asyncio.Event()
    running = asyncio.run_coroutine_threadsafe(_run(place, trial, plan, folder, closed), place.loop)
    try:
        while not running.done():
            wait((running,), timeout=_POLL_SECONDS)
            if more := _since(spending, seen):
                seen += len(more)
                yield Spent(more)
    finally:
        # A generator that is closed early, or interrupted, waits until the trial has cleaned up.
        place.loop.call_soon_threadsafe(closed.set)
        wait((running,))
    outcome = running.result()
    if outcome is None:
        yield Never()
    elif isinstance(outcome, BaseException):
        yield Fault(place.redact(f"{own_address()}: {describe_fault('trial', outcome)}"))
    else:
        yield Ended(outcome.model_dump(mode="json"))
        yield from chunks_of(folder, SPENT_FILE)


async def _run(
    place: Workplace, trial: TrialOrder, plan: TrialPlan, folder: Path, closed: asyncio.Event
) -> TrialRecord | BaseException | None:
    """Run the trial, and cancel it when the run's control says so, is gone with its driver, or nobody takes the frames
    any more. An error is returned for the driver, which decides; None where the trial had not begun."""
    work = asyncio.create_task(place.engine.run(plan, folder, retries=trial.retries, carried=trial.carried))
    ends = (asyncio.create_task(_until_stopped(place.order.control, trial.attempt)), asyncio.create_task(closed.wait()))
    try:
        await asyncio.wait((work, *ends), return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            work.cancel()
        return await work
    except asyncio.CancelledError:
        return None
    except Exception as error:  # noqa: BLE001 - see above
        return error
    finally:
        for end in ends:
            end.cancel()


async def _until_stopped(control: Any, attempt: str) -> None:
    try:
        while not await control.stopped.remote(attempt):
            pass
    except RayError:
        return


def _since(path: Path, start: int) -> bytes:
    """The whole lines of a file from ``start`` on."""
    try:
        with path.open("rb") as file:
            file.seek(start)
            data = file.read()
    except FileNotFoundError:
        return b""
    return data[: data.rfind(b"\n") + 1]


_receiver = Receiver()
_variables_of = ""


def _take_variables(order: NodeOrder) -> None:
    """Put the run's variables into this process's environment, once: they come sealed for it alone."""
    global _variables_of  # noqa: PLW0603 - see ``_work_for``
    if _variables_of == order.run:
        return
    sealed = ray.get(order.control.variables.remote(_receiver.public))
    os.environ.update(unpack_variables(_receiver.open(sealed)))
    _variables_of = order.run


def _node_folder() -> Path:
    return load_settings().cache_dir / _NODE_FOLDER


def _inputs(files: Mapping[str, Any]) -> InputFolder:
    return InputFolder(_node_folder() / "inputs", lambda digest: ray.get(files[digest]))


def _no_file(digest: str) -> bytes:
    raise KeyError(digest)


@contextmanager
def _once(run: str) -> Generator[bool]:
    """Hold this node's lock; whether nobody held it for the run before. A killed holder lets go, and counts as nobody
    where it did not come to its end."""
    folder = _node_folder()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{this_node()[:16]}.lock"
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        first = file.read().decode() != run
        yield first
        file.truncate(0)
        file.write(run.encode())
        file.flush()


def _check_folders(specification: RunSpecification) -> None:
    """UnavailableError where a folder that trials share is not on this node."""
    specification.shared_library()
    store = specification.web.store
    if store is not None and not Path(store).is_dir():
        raise UnavailableError(
            f"A node has no folder {store} of the recorded web.", next="Share it with all nodes at this path."
        )
