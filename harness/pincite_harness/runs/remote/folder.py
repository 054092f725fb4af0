"""RemoteRunFolder: a run on object storage, and the local folders that readers are given of one."""

import errno
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pincite_core.errors import BadInputError, NotFoundError, PinciteError, UnavailableError
from pincite_core.object_storage import StorageAddress, is_address, parse_address
from pincite_core.settings import load_settings
from pincite_harness.runs.remote.lease import Lease
from pincite_harness.runs.remote.mirror import TRIALS, Mirror, Wanted, without_wire
from pincite_harness.runs.remote.objects import Objects
from pincite_harness.runs.run_folder import RUN_FILE, RunDocument, RunFolder
from pincite_tasks.trial_record import TRIAL_FILE

_MIRRORS = "object-storage"


@dataclass(frozen=True, slots=True)
class RemoteRunFolder(RunFolder):
    """A run at ``mirror``'s address; its trials are run in the mirror and published when they are complete."""

    mirror: Mirror
    lease: Lease = field(compare=False)

    @classmethod
    def at(cls, address: StorageAddress) -> "RemoteRunFolder":
        """The run of that address, whether it is there yet or not. MissingExtraError without obstore."""
        mirror = mirror_of(address)
        return cls(mirror.folder, mirror, Lease(mirror.objects))

    @property
    def address(self) -> str:
        """See RunFolder."""
        return str(self.mirror.objects.address)

    def create(self, document: RunDocument) -> None:
        """See RunFolder: BadInputError where a run is there already."""
        if self.mirror.objects.find(RUN_FILE) is not None:
            raise BadInputError(
                f"There is a run in {self.address} already.",
                next=f"pincite resume {self.address} goes on with it; another --name starts a new one.",
            )
        # A run of this name that was removed there has left its mirror.
        self.mirror.drop()
        RunFolder.create(self, document)
        data = (self.path / RUN_FILE).read_bytes()
        if not self.mirror.create(RUN_FILE, data):
            self.mirror.drop()
            raise UnavailableError(f"Another pincite has just begun {self.address}.", next="Take another --name.")

    def read(self) -> RunDocument:
        """See RunFolder: run.json as it is there."""
        self.mirror.fetch_file(RUN_FILE)
        return RunFolder.read(self)

    def set_aside(self, name: str) -> int:
        """See RunFolder; the trial counts as complete no longer."""
        if (self.trial(name) / TRIAL_FILE).is_file():
            self.mirror.withdraw(name)
        return RunFolder.set_aside(self, name)

    def publish(self, name: str) -> None:
        """See RunFolder. OSError where the object storage cannot be used: the run stops, and what is complete here is
        published by the next resume on this machine."""
        self.lease.check()
        try:
            self.mirror.publish(name)
        except PinciteError as error:
            raise OSError(errno.EIO, " ".join(str(error).split())) from error

    def publish_rest(self) -> None:
        """See RunFolder."""
        self.mirror.publish_rest()

    @contextmanager
    def held(self) -> Generator[None]:
        """See RunFolder: hold the run against harnesses of this machine and of others, and bring all of it here."""
        with self.lease.held(), RunFolder.held(self):
            self.mirror.fetch()
            self.mirror.publish_unpublished(RunFolder.read(self).trials)
            yield


def open_run(named: str) -> RunFolder:
    """The run in a folder, or at an address of object storage."""
    return RemoteRunFolder.at(parse_address(named)) if is_address(named) else RunFolder(Path(named))


def check_local(folder: Path) -> None:
    """BadInputError for an address of object storage where only a folder will do."""
    if is_address(str(folder)):
        raise BadInputError("This is written to a folder only.", seen=str(folder), next="Name a folder with --out.")


def mirror_of(address: StorageAddress) -> Mirror:
    """The mirror of an address in the cache of this machine."""
    folder = load_settings().cache_dir / _MIRRORS / address.bucket / address.prefix
    return Mirror(Objects(address), folder)


def local_path(named: str, wanted: Wanted = without_wire) -> Path:
    """A path as it is; for an address (a run, a trial or a file of one, a folder of runs) the mirror's, with what is
    ``wanted`` of it fetched. NotFoundError where no run is there."""
    if not is_address(named):
        return Path(named)
    address = parse_address(named)
    above, inside, below = address.prefix.rpartition(f"/{TRIALS}/")
    if inside:
        trial = below.partition("/")[0]
        mirror = mirror_of(StorageAddress(address.bucket, above))
        _fetch(mirror, wanted, trial)
        path = mirror.folder / TRIALS / below
        if not path.exists():
            raise NotFoundError(f"There is no {named}.", next="Check the address.")
        return path
    mirror = mirror_of(address)
    if mirror.objects.find(RUN_FILE) is not None:
        _fetch(mirror, wanted)
        return mirror.folder
    runs = [name for name in mirror.objects.folders() if mirror.objects.find(f"{name}/{RUN_FILE}") is not None]
    if not runs:
        raise NotFoundError(
            f"There is no run at {address}.", next="Name a run, one of its trials, or a folder of runs."
        )
    for name in runs:
        _fetch(mirror_of(address / name), wanted)
    return mirror.folder


def local_paths(named: Sequence[str], wanted: Wanted = without_wire) -> list[Path]:
    """``local_path`` of each."""
    return [local_path(each, wanted) for each in named]


def _fetch(mirror: Mirror, wanted: Wanted, trial: str = "") -> None:
    """Fetch, unless a run of this machine is going on in the mirror: then it is newer than what is there."""
    with ExitStack() as stack:
        try:
            stack.enter_context(RunFolder(mirror.folder).locked())
        except UnavailableError:
            return
        mirror.fetch_file(RUN_FILE)
        mirror.fetch(wanted, trial)
