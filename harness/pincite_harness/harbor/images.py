"""Images of Harbor tasks: built from a Dockerfile or found by name, then made ready for a trial by one more layer."""

import io
import json
import os
import shutil
import subprocess
import tarfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docker.errors import ImageNotFound

from pincite_core.errors import UnavailableError
from pincite_sandbox.daemon import SDK_ERRORS, connect, docker_error, socket_path
from pincite_sandbox.images import AGENTS_IMAGE, BUILD_LINE
from pincite_sandbox.images.build import last_words
from pincite_sandbox.images.registries import proxies
from pincite_tasks.files import digest_bytes, digest_file, digest_json

REPOSITORY = "pincite-harbor"
FOLDERS = ("/logs/agent", "/logs/verifier", "/logs/artifacts", "/tests", "/solution")
_NOT_BUILT = "The task's image could not be built."
_NEWER = ("buildkit", "parse error", "unknown flag")
"""What the daemon's own builder says of a recipe that it does not understand: here documents, mounts, links."""
_CHECK = "import sys; sys.exit(sys.version_info < (3, 9))"
_BUILDING: dict[str, threading.Lock] = {}
_LOCK = threading.Lock()


@dataclass(frozen=True, slots=True)
class ReadyImage:
    """An image that a trial can start from: the folder and the user of its commands, and what it runs at its start."""

    name: str
    workdir: str
    user: str
    entrypoint: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImageSource:
    """Where a task's image comes from: a build context with a Dockerfile, or an image that is here by ``name``."""

    context: Path | None
    name: str = ""
    seconds: float = 600.0
    """How long each answer of the daemon may take in a build."""


def check_docker(with_agents: bool) -> None:
    """UnavailableError where no Docker answers, or it has not the image that the agent's programs come from."""
    client = connect(timeout=10)
    try:
        if with_agents:
            client.api.inspect_image(AGENTS_IMAGE)
    except ImageNotFound as error:
        raise UnavailableError(f"The image {AGENTS_IMAGE} is not there.", next=BUILD_LINE) from error
    except SDK_ERRORS as error:
        raise docker_error(error, "look at its images") from error
    finally:
        client.close()


def prepare_image(source: ImageSource, workdir: str | None) -> ReadyImage:
    """Build what is not there yet; blocks. UnavailableError where the image is not here, cannot be built, or has no
    Python, which the supervisor inside and pincite's own agents run on."""
    client = connect(timeout=int(source.seconds))
    try:
        name = source.name if source.context is None else _built(client, source.context)
        config = _config(client, name)
        user, folder = str(config.get("User") or "0"), workdir or str(config.get("WorkingDir") or "/")
        entrypoint = tuple(str(word) for word in config.get("Entrypoint") or ())
        ready = _layered(client, name, folder)
    finally:
        client.close()
    return ReadyImage(ready, folder, user, entrypoint)


def _config(client: Any, name: str) -> dict[str, Any]:
    try:
        return client.api.inspect_image(name)["Config"] or {}
    except ImageNotFound as error:
        raise UnavailableError(f"The image {name} is not on this machine.", next=f"docker pull {name}") from error
    except SDK_ERRORS as error:
        raise docker_error(error, "look at the image") from error


def _built(client: Any, context: Path) -> str:
    """The image of a build context, under a name that its files decide."""
    files = sorted(path for path in context.rglob("*") if path.is_file())
    digest = digest_json([[path.relative_to(context).as_posix(), digest_file(path)] for path in files])
    return _once(client, _name("task", digest), {"path": str(context)})


def _layered(client: Any, base: str, workdir: str) -> str:
    """The image with the folders that Harbor promises, and with links to the CLI agents, which a volume brings."""
    links = "ln -sf /opt/clis/node_modules/.bin/$cli /usr/local/bin/$cli"
    lines = [
        f"FROM {base}",
        "USER root",
        f"RUN python3 -c {json.dumps(_CHECK)} || {{ echo 'the image has no Python 3.9 or newer'; exit 1; }}",
        f"RUN mkdir -p {' '.join(FOLDERS)} {json.dumps(workdir)} && chmod 777 {' '.join(FOLDERS[:3])}",
        "RUN test -e /usr/local/bin/node || ln -s /opt/clis/node /usr/local/bin/node",
        f"RUN for cli in claude codex gemini qwen; do {links}; done",
    ]
    recipe = "\n".join([*lines, ""]).encode()
    name = _name("ready", digest_json([digest_bytes(recipe), client.api.inspect_image(base)["Id"]]))
    return _once(client, name, {"fileobj": _context(recipe), "custom_context": True})


def _context(recipe: bytes) -> io.BytesIO:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        entry = tarfile.TarInfo("Dockerfile")
        entry.size = len(recipe)
        tar.addfile(entry, io.BytesIO(recipe))
    archive.seek(0)
    return archive


def _name(kind: str, digest: str) -> str:
    return f"{REPOSITORY}:{kind}-{digest.removeprefix('sha256:')[:24]}"


def _once(client: Any, name: str, how: dict[str, Any]) -> str:
    """Build an image unless it is there, one build of a name at a time."""
    with _LOCK:
        lock = _BUILDING.setdefault(name, threading.Lock())
    with lock:
        try:
            client.api.inspect_image(name)
        except ImageNotFound:
            _build(client, name, how)
        except SDK_ERRORS as error:
            raise docker_error(error, "look at the image") from error
    return name


def _build(client: Any, name: str, how: dict[str, Any]) -> None:
    """By the daemon's own builder, and by BuildKit (the command ``docker``) what only that understands."""
    try:
        _build_plainly(client, name, how)
    except UnavailableError as error:
        newer = any(word in error.seen.lower() for word in _NEWER)
        if not newer or "path" not in how or not _build_by_command(Path(how["path"]), name, client.api.timeout):
            raise


def _build_plainly(client: Any, name: str, how: dict[str, Any]) -> None:
    said = ""
    try:
        for line in client.api.build(tag=name, rm=True, forcerm=True, decode=True, buildargs=proxies(), **how):
            said = (said + str(line.get("stream", "")))[-10_000:]
            if "error" in line:
                raise UnavailableError(_NOT_BUILT, seen=f"{last_words(said)} / {line['error']}".strip(" /"))
    except SDK_ERRORS as error:
        raise docker_error(error, "build the task's image") from error


def _build_by_command(context: Path, name: str, seconds: float) -> bool:
    """Build with BuildKit; False where the command is not there, UnavailableError with what it said where it fails."""
    program = shutil.which("docker")
    if program is None:
        return False
    arguments = [word for key, value in proxies().items() for word in ("--build-arg", f"{key}={value}")]
    command = [program, "build", "--tag", name, *arguments, str(context)]
    env = {**os.environ, "DOCKER_BUILDKIT": "1", "DOCKER_HOST": f"unix://{socket_path()}"}
    try:
        done = subprocess.run(command, env=env, capture_output=True, timeout=seconds, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnavailableError(_NOT_BUILT, seen=str(error)) from error
    if done.returncode != 0:
        raise UnavailableError(_NOT_BUILT, seen=last_words(done.stderr.decode(errors="replace")))
    return True
