"""Volumes: the programs of the agents' image, copied once into volumes that every task's container can be shown."""

import threading
from collections.abc import Mapping
from typing import Any

from docker.errors import NotFound
from docker.types import Mount

from pincite_core.errors import UnavailableError
from pincite_sandbox.daemon import SDK_ERRORS, connect, docker_error
from pincite_sandbox.images import AGENTS_IMAGE

FOLDERS = ("/opt/agents", "/opt/clis")
_COPY = "cp -a {folder}/. /copy/"
_SECONDS = 900
"""Seconds of one request to the daemon: copying the programs takes minutes on a slow disk. Set by judgement."""
_LOCK = threading.Lock()


def agent_volumes() -> Mapping[str, str]:
    """The volume of each folder by its path inside, filled when it is first wanted; blocks. UnavailableError where the
    agents' image is not there or the daemon cannot fill them."""
    client = connect(timeout=_SECONDS)
    try:
        number = str(client.api.inspect_image(AGENTS_IMAGE)["Id"]).removeprefix("sha256:")[:12]
        with _LOCK:
            return {folder: _filled(client, folder, number) for folder in FOLDERS}
    except SDK_ERRORS as error:
        raise docker_error(error, "fill the volumes of the agents") from error
    finally:
        client.close()


def _filled(client: Any, folder: str, number: str) -> str:
    """A second volume, without content, says that the first is whole: a copy may have been broken off."""
    name = f"pincite-agents-{number}-{folder.rpartition('/')[2]}"
    whole = f"{name}-whole"
    try:
        client.api.inspect_volume(whole)
    except NotFound:
        _fill(client, folder, name)
        client.api.create_volume(whole)
    return name


def _fill(client: Any, folder: str, name: str) -> None:
    host = client.api.create_host_config(mounts=[Mount("/copy", name, type="volume")], network_mode="none")
    command = ["/bin/sh", "-c", _COPY.format(folder=folder)]
    made = client.api.create_container(AGENTS_IMAGE, command, user="0", entrypoint=[], host_config=host)["Id"]
    try:
        client.api.start(made)
        code = client.api.wait(made)["StatusCode"]
        if code != 0:
            said = client.api.logs(made, tail=5).decode("utf-8", "replace").strip()
            raise UnavailableError("The programs of the agents could not be copied.", seen=f"exit code {code}: {said}")
    finally:
        client.api.remove_container(made, force=True)
