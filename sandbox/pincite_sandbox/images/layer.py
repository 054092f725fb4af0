"""Images of agents that pincite does not bring: a layer with what one needs, and a look at an image of its own."""

import hashlib
import json
import re
import shutil
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from docker.errors import ImageNotFound

from pincite_core.errors import BadInputError, UnavailableError

from ..container import environment
from ..daemon import SDK_ERRORS, connect, docker_error
from .build import BUILD_SECONDS, Say, last_words
from .needs import LAYER_PATH, Needs
from .registries import build_files, proxies
from .versions import agents_versions

LAYER_REPOSITORY = "pincite-agent"
_DOCKERFILE = Path(__file__).with_name("layer.Dockerfile")
_OLDEST_PYTHON = (3, 9)
"""What the supervisor inside is written for."""
_CHECK = (
    'command -v python3 >/dev/null || { echo "no python3"; exit 1; }; '
    f"python3 -I -S -c 'import sys; sys.exit(sys.version_info < {_OLDEST_PYTHON})' || "
    f'{{ echo "python3 is older than {".".join(map(str, _OLDEST_PYTHON))}"; exit 1; }}; '
    'for each in "$@"; do command -v "$each" >/dev/null || { echo "no command $each"; exit 1; }; done'
)
_MACHINES = {"x86_64": "amd64", "aarch64": "arm64", "armv7l": "arm", "i686": "386"}
"""How daemons name the architectures of machines, and how images do."""
_USER = "1000:1000"
"""The agent's user inside; it needs no account."""
_AGENT_SECONDS = 120
"""Seconds in which an image of one's own must have shown its agent. Set by judgement."""
_STEP = re.compile(r"Step (\d+/\d+) : (\w+)")
_LOCK = threading.Lock()


def build_layer(base: str, needs: Needs, say: Say = lambda _line: None) -> str:
    """The name of the image ``base`` with what an agent needs, built unless it is here; blocks. UnavailableError says
    which step failed and its last words."""
    client = connect(timeout=BUILD_SECONDS)
    try:
        with _LOCK:
            name = _layer_name(client, base, needs)
            if not _is_there(client, name):
                say(f"building {name} on {base}, once for what the agent needs")
                _build(client, name, base, needs)
    except SDK_ERRORS as error:
        raise docker_error(error, "build the agent's image") from error
    finally:
        _forget_stages(client)
        client.close()
    return name


def check_image(name: str, commands: Sequence[str] = ()) -> str:
    """The id of an image of somebody's own in which an agent can run. UnavailableError where it is not on this machine,
    BadInputError where it is of another machine's kind, or lacks sh, Python 3.9 or one of the agent's ``commands``."""
    client = connect(timeout=_AGENT_SECONDS)
    try:
        found = client.api.inspect_image(name)
        machine = str(client.info().get("Architecture"))
        kind = f"{found.get('Os')}/{found.get('Architecture')}"
        wanted = f"linux/{_MACHINES.get(machine, machine)}"
        if kind != wanted:
            raise BadInputError(
                f"The image {name} is for {kind}, and this machine runs {wanted}.",
                next=f"docker build --platform {wanted} …",
            )
        _try(client, name, commands)
    except ImageNotFound as error:
        raise UnavailableError(
            f"The image {name} is not on this machine.", next=f"docker pull {name}, or docker build -t {name} …"
        ) from error
    except SDK_ERRORS as error:
        raise docker_error(error, "look at the agent's image") from error
    finally:
        client.close()
    return str(found["Id"])


def _try(client: Any, name: str, commands: Sequence[str]) -> None:
    """Run a few commands in it as the agent's user, without network and with a root that cannot be written."""
    container = ""
    variables = environment()
    advice = f"It needs /bin/sh, python3 (3.9 or newer) and the agent's commands, on the path {variables['PATH']}."
    variables["PATH"] = f"{LAYER_PATH}:{variables['PATH']}"
    host = client.api.create_host_config(
        network_mode="none", read_only=True, cap_drop=["ALL"], security_opt=["no-new-privileges:true"], pids_limit=64
    )
    try:
        entry = ["/bin/sh", "-c", _CHECK, "check", *commands]
        created = client.api.create_container(
            name, entrypoint=entry, command=[], user=_USER, environment=variables, host_config=host
        )
        container = created["Id"]
        try:
            client.api.start(container)
        except SDK_ERRORS as error:
            raise BadInputError(
                f"Agents cannot run in the image {name}.", seen="/bin/sh does not start in it", next=advice
            ) from error
        code = client.api.wait(container, timeout=_AGENT_SECONDS)["StatusCode"]
        if code != 0:
            said = client.api.logs(container, tail=3).decode("utf-8", "replace").strip()
            raise BadInputError(f"Agents cannot run in the image {name}.", seen=said or f"exit {code}", next=advice)
    finally:
        if container:
            client.api.remove_container(container, force=True)


def _layer_name(client: Any, base: str, needs: Needs) -> str:
    """A name that follows from all that decides what the layer holds."""
    identity = str(client.api.inspect_image(base)["Id"])
    recipe = _DOCKERFILE.read_text(encoding="utf-8")
    text = json.dumps([identity, recipe, needs.requirements, needs.npm, agents_versions()["node"]])
    return f"{LAYER_REPOSITORY}:{hashlib.sha256(text.encode()).hexdigest()[:24]}"


def _is_there(client: Any, name: str) -> bool:
    try:
        client.api.inspect_image(name)
    except ImageNotFound:
        return False
    return True


def _build(client: Any, name: str, base: str, needs: Needs) -> None:
    options: list[str] = client.info().get("SecurityOptions") or []
    mapped = any("name=userns" in option for option in options)
    with tempfile.TemporaryDirectory(prefix="pincite-image-") as context:
        folder = Path(context)
        shutil.copyfile(_DOCKERFILE, folder / "Dockerfile")
        files = {
            "requirements.txt": needs.requirements.encode(),
            "npm.txt": "".join(f"{package}\n" for package in needs.npm).encode(),
            "node.txt": agents_versions()["node"].encode(),
        }
        for file, content in {**files, **build_files()}.items():
            (folder / file).write_bytes(content)
        lines = client.api.build(
            path=context, tag=name, buildargs={"BASE": base, **proxies()}, rm=True, forcerm=True, decode=True,
            network_mode="default" if mapped else "host",
        )  # fmt: skip
        said = ""
        for line in lines:
            words = str(line.get("stream", ""))
            said = "" if _STEP.match(words) else (said + words)[-10_000:]
            if "error" in line:
                raise UnavailableError(
                    "What the agent needs could not be installed.",
                    seen=last_words(said) or str(line["error"]),
                    next="Check its requirements, and that this machine reaches its package index; or bring an image "
                    "that has them: --image NAME.",
                )


def _forget_stages(client: Any) -> None:
    """Remove the first stage's image, which holds this machine's settings; also after a failed build."""
    with suppress(*SDK_ERRORS):
        client.images.prune(filters={"dangling": True, "label": "pincite.stage=agents"})
