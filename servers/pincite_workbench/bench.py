"""Bench: one sandbox with a folder of its own in which Python is run, a fresh process for each call."""

import asyncio
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import orjson

from pincite_core.errors import BadInputError, LimitReachedError, PinciteError, UnavailableError
from pincite_core.settings import Settings
from pincite_sandbox.base import ExecResult, Limits, Sandbox, SandboxSpec
from pincite_sandbox.choose import SandboxKind, choose_kind, open_sandbox
from pincite_sandbox.guest.files import remove_tree
from pincite_sandbox.owner import owner_label
from pincite_sandbox.process import SCRATCH_PREFIX
from pincite_sandbox.science import Science, prepare_science

OUTPUT_BYTES = 200_000
"""Bytes that are kept of each stream of a program: twenty times what a result shows."""
MOST_FILES = 1000
"""Files of the working folder that are listed."""
MOST_SHOWN_BYTES = 256 * 1024 * 1024
"""Bytes of the task's files that are brought into one sandbox: they lie on this machine's disk."""
PICTURE_BYTES = 1_000_000
"""Most bytes of a picture that is shown, as of the figures server."""
_SCRATCH_MB = 256
"""Megabytes of the scratch folder. Set by judgement."""
_PIDS = 64
"""Processes and threads: numerical libraries start some for each core. Set by judgement."""
_CPUS = 2.0
"""Cores that a call may use."""
_HELPER_SECONDS = 30.0
"""Time for listing the folder or for one picture."""
_VARIABLES = {
    "MPLBACKEND": "Agg",
    # More threads than processors only take memory and processes.
    "OMP_NUM_THREADS": "2",
    "OPENBLAS_NUM_THREADS": "2",
    "PYTHONUNBUFFERED": "1",
}
_REFUSED = "apt-get install bubblewrap; or start Docker, then pincite sandbox build."


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file of the working folder: its path in it, its bytes, and when it was last changed (ns)."""

    path: str
    size: int
    changed: int


@dataclass(frozen=True, slots=True)
class Listing:
    """Files of the working folder by path; not ``whole`` where there are more than ``MOST_FILES``."""

    files: Mapping[str, FileEntry]
    whole: bool


class Bench:
    """Opens its sandbox with the first call. Not more than one call at a time: the others wait."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = asyncio.Lock()
        self._sandbox: Sandbox | None = None
        self._science = Science("")
        self._shown: Path | None = None
        self._brought: dict[str, str] = {}
        self._before = Listing({}, whole=True)
        self._lost = False

    @property
    def lock(self) -> asyncio.Lock:
        """Held by whoever uses the bench, for one call."""
        return self._lock

    async def run(self, code: str, seconds: float) -> ExecResult:
        """Run a program to its end, at most ``seconds`` s; none of its processes outlives it."""
        sandbox = await self._opened()
        command = [self._science.python, "-B", "-c", _program("run"), code]
        try:
            result = await sandbox.exec(command, env=_VARIABLES, timeout=seconds, output_limit=OUTPUT_BYTES)
            await sandbox.end_processes()
        except UnavailableError as error:
            await self._abandon()
            raise UnavailableError(
                "The workbench ended during this call.",
                seen=error.seen or error.what,
                next="Call again: it starts with an empty working folder.",
            ) from error
        return result

    async def written(self) -> Listing:
        """The files of the working folder; without a sandbox there is none."""
        return (await self.listing())[0] if self._sandbox is not None else Listing({}, whole=True)

    async def listing(self) -> tuple[Listing, list[FileEntry]]:
        """The files of the working folder, and those of them that are new or changed since it was last asked."""
        said = await self._helped("listing", str(MOST_FILES))
        answer = orjson.loads(said.stdout)
        entries = [FileEntry(str(path), int(size), int(changed)) for path, size, changed in answer["files"]]
        now = Listing({entry.path: entry for entry in entries}, bool(answer["all"]))
        new = [entry for entry in entries if self._before.files.get(entry.path) != entry]
        self._before = now
        return now, new

    async def read(self, path: str, most: int) -> bytes:
        """A file of the working folder; NotFoundError, ForbiddenError (it leads out), LimitReachedError."""
        return await (await self._opened()).get(path, max_bytes=most)

    async def picture(self, path: str, side: int) -> bytes:
        """A picture as PNG or JPEG, its longest side at most ``side`` pixels; decoded inside the sandbox."""
        said = await self._helped("picture", path, str(side), str(PICTURE_BYTES))
        if said.exit_code != 0 or not said.stdout:
            seen = said.stderr.decode("utf-8", "replace").strip() or "no answer in time"
            raise BadInputError(f"{path[:200]!r} cannot be shown as a picture.", seen=seen)
        return said.stdout

    async def bring(self, name: str, source: str, data: bytes) -> None:
        """Show a file read-only at ``/files/name``; BadInputError where another has that name."""
        await self._opened()
        assert self._shown is not None
        known = self._brought.get(name, source)
        if known != source:
            raise BadInputError(f"Two files are named {name!r}.", seen=f"{known}; {source}", next="Rename one of them.")
        others = [path.stat().st_size for path in self._shown.iterdir() if path.name != name]
        if sum(others) + len(data) > MOST_SHOWN_BYTES:
            raise LimitReachedError(
                f"{name!r} does not fit beside the files that were brought before.",
                seen=f"{len(data)} bytes; at most {MOST_SHOWN_BYTES} in all",
            )
        # A new file takes the old one's place: a program never sees half of it.
        part = self._shown.with_name(f"{self._shown.name}.part")
        part.write_bytes(data)
        part.chmod(0o644)
        part.replace(self._shown / name)
        self._brought[name] = source

    def has(self, name: str) -> bool:
        """Whether a file of this name was brought."""
        return name in self._brought

    def brought(self, name: str, most: int) -> bytes:
        """The bytes of a file that was brought; LimitReachedError beyond ``most``."""
        assert self._shown is not None
        path = self._shown / name
        if path.stat().st_size > most:
            raise LimitReachedError(
                f"{name!r} is larger than {most:,} bytes.", next="Read it by run_python, a part at a time."
            )
        return path.read_bytes()

    def lost(self) -> bool:
        """Whether the working folder was lost since the last call; said once."""
        lost, self._lost = self._lost, False
        return lost

    async def close(self) -> None:
        """End everything and remove it; safe to call twice."""
        sandbox, self._sandbox = self._sandbox, None
        shown, self._shown = self._shown, None
        self._brought.clear()
        self._before = Listing({}, whole=True)
        try:
            if sandbox is not None:
                await sandbox.stop()
        finally:
            if shown is not None:
                await asyncio.to_thread(remove_tree, str(shown.parent))

    async def _abandon(self) -> None:
        self._lost = self._sandbox is not None
        await self.close()

    async def _helped(self, program: str, *words: str) -> ExecResult:
        """A program of ours in the sandbox, in an interpreter that takes nothing from the working folder."""
        sandbox = await self._opened()
        command = [self._science.python, "-I", "-B", "-c", _program(program), *words]
        try:
            return await sandbox.exec(command, timeout=_HELPER_SECONDS, output_limit=2 * PICTURE_BYTES)
        except UnavailableError:
            await self._abandon()
            raise

    async def _opened(self) -> Sandbox:
        if self._sandbox is not None:
            return self._sandbox
        kind = await self._kind()
        self._science = await asyncio.to_thread(prepare_science, kind, self._settings.cache_dir)
        prefix = f"{SCRATCH_PREFIX}{owner_label().replace(':', '-')}-"
        folder = Path(tempfile.mkdtemp(prefix=prefix))
        shown = folder / "files"
        try:
            shown.mkdir()
            for each in (folder, shown):
                # The sandbox's user reads what is in them.
                each.chmod(0o755)
            spec = SandboxSpec(
                name="workbench",
                owner=owner_label(),
                limits=Limits(self._settings.workbench_memory_mb, _SCRATCH_MB, _PIDS, _CPUS),
                image=self._science.image,
                runtime=self._settings.workbench_runtime,
                programs=self._science.programs,
                shown=shown,
            )
            self._sandbox = await open_sandbox(kind, spec)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self._shown = shown
        return self._sandbox

    async def _kind(self) -> SandboxKind:
        asked = self._settings.workbench_sandbox
        try:
            kind, _ = await choose_kind("local" if asked == "bubblewrap" else asked)
        except PinciteError as error:
            raise UnavailableError(
                "The workbench runs code in a sandbox alone, and there is none on this machine.",
                seen=error.seen,
                next=_REFUSED,
            ) from error
        return kind


def _program(name: str) -> str:
    return files("pincite_workbench.inside").joinpath(f"{name}.py").read_text(encoding="utf-8")
