"""Sessions: the files that an agent's own program kept, taken out of the sandbox as evidence."""

import io
import tarfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from pincite_core.errors import PinciteError
from pincite_harness.files import write_atomic
from pincite_harness.gateway.redactor import Redactor
from pincite_sandbox.base import Sandbox

FOLDER = "agent"
MAX_BYTES = 50_000_000
_MAX_FILES = 5000
_SECONDS = 60.0


async def keep_sessions(sandbox: Sandbox, paths: Sequence[str], trial_folder: Path, redactor: Redactor) -> str | None:
    """Copy regular files below ``paths`` into ``<trial>/agent``, without secrets; says what could not be kept.

    What the agent left is untrusted: links, devices and paths that lead out are passed over, sizes are bounded.
    """
    if not paths:
        return None
    command = ["/bin/tar", "--ignore-failed-read", "--warning=none", "--sparse", "-cf", "-", "--", *paths]
    try:
        result = await sandbox.exec(command, timeout=_SECONDS, output_limit=MAX_BYTES)
    except PinciteError as error:
        return f"the agent's own session files could not be read: {error}"
    kept = _extract(result.stdout, trial_folder / FOLDER, redactor)
    if result.truncated:
        return f"the agent's own session files exceed {MAX_BYTES} bytes: the first {kept} were kept"
    return None


def _extract(archive: bytes, folder: Path, redactor: Redactor) -> int:
    """Write the archive's regular files; how many. A broken end (what was not there, what was cut) ends it."""
    kept = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r|") as tar:
            for member in tar:
                parts = PurePosixPath(member.name).parts
                if not member.isreg() or member.issparse() or ".." in parts or member.name.startswith("/"):
                    continue
                content = tar.extractfile(member)
                if content is None or kept == _MAX_FILES:
                    continue
                target = folder.joinpath(*(part.lstrip(".") or "_" for part in parts))
                write_atomic(target, redactor.clean(content.read()))
                kept += 1
    except (tarfile.TarError, OSError):
        return kept
    return kept
