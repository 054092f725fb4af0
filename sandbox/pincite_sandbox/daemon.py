"""Finding the Docker daemon, and turning its errors into ours."""

import os
import socket
from pathlib import Path
from typing import Any

import docker
import requests
from docker.errors import APIError, DockerException, ImageNotFound, NotFound

from pincite_core.errors import LimitReachedError, NotFoundError, PinciteError, UnavailableError

from .images import BUILD_LINE

_VERSIONS: dict[str, str] = {}
"""Versions of the API that daemons speak, by socket."""

START_LINE = "start Docker (scripts/start-docker on Debian as root), or take --sandbox local"


def socket_path() -> str:
    """The Unix socket of this machine's daemon; UnavailableError when there is none.

    A daemon elsewhere is of no use: the doors are Unix sockets of this machine.
    """
    host = os.environ.get("DOCKER_HOST", "")
    if host and not host.startswith("unix://"):
        raise UnavailableError("Docker must run on this machine.", seen=f"DOCKER_HOST={host}", next="unset DOCKER_HOST")
    candidates = [host.removeprefix("unix://")] if host else ["/var/run/docker.sock"]
    if not host and "XDG_RUNTIME_DIR" in os.environ:
        candidates.append(f"{os.environ['XDG_RUNTIME_DIR']}/docker.sock")
    for candidate in candidates:
        if Path(candidate).is_socket():
            return candidate
    raise UnavailableError("No Docker daemon was found.", seen=f"no socket at {', '.join(candidates)}", next=START_LINE)


def connect(timeout: int = 60) -> Any:
    """A ``docker.DockerClient`` of the daemon, which has answered this process once; the caller closes it.

    Its type is Any because the SDK's own annotations are partial. ``timeout`` is in seconds, for every answer.
    """
    path = socket_path()
    _check_listener(path)
    try:
        client = docker.DockerClient(base_url=f"unix://{path}", version=_VERSIONS.get(path, "auto"), timeout=timeout)
    except DockerException as error:
        raise UnavailableError("The Docker daemon does not answer.", seen=str(error), next=START_LINE) from error
    _VERSIONS[path] = client.api.api_version
    return client


def _check_listener(path: str) -> None:
    """UnavailableError where nothing listens at the socket: the SDK would leave its own unclosed."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
            link.connect(path)
    except OSError as error:
        raise UnavailableError("The Docker daemon does not answer.", seen=str(error), next=START_LINE) from error


def docker_error(error: Exception, doing: str) -> PinciteError:
    """The error of pincite's tree for what the SDK raised while ``doing``."""
    if isinstance(error, ImageNotFound):
        return NotFoundError(f"Docker has no such image, so it cannot {doing}.", seen=_words(error), next=BUILD_LINE)
    if isinstance(error, NotFound):
        return UnavailableError("The sandbox is not running.", seen=_words(error), next="Start a new sandbox.")
    # The SDK's own errors, by which a daemon does answer, are requests' errors too.
    if isinstance(error, requests.exceptions.RequestException) and not isinstance(error, APIError):
        seen = f"{error} (while it was to {doing})"
        return UnavailableError("The Docker daemon does not answer.", seen=seen, next=START_LINE)
    words = _words(error)
    if "no space left" in words:
        return LimitReachedError(f"Docker cannot {doing}: its disk is full.", seen=words, next="docker system prune")
    return UnavailableError(f"Docker cannot {doing}.", seen=words)


def _words(error: Exception) -> str:
    return str(error.explanation or error) if isinstance(error, APIError) else str(error)


SDK_ERRORS = (DockerException, requests.exceptions.RequestException)
"""What a call of the SDK may raise."""
