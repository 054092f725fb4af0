"""Building the agents' image: the Dockerfile beside this file, on a base image that is there."""

import json
import re
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from docker.errors import DockerException

from pincite_core.errors import UnavailableError

from ..daemon import SDK_ERRORS, connect, docker_error
from . import AGENTS_IMAGE, DEFAULT_IMAGE, RECIPE
from .build import BUILD_SECONDS, BuiltImage, Say, last_words
from .registries import build_files, proxies
from .versions import agents_versions

_HERE = Path(__file__).parent
_FILES = ("Dockerfile", "package.json", "package-lock.json", "requirements.txt")
_CONSTRAINTS = _HERE.parents[2] / "constraints.txt"
"""In a checkout or a source distribution; a wheel has none, and only ``requirements.txt`` pins."""
_SHOWN = 110
"""Characters of a line of progress."""
_ASIDE = ("Removing intermediate", " ---> ")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_STAGE = "pincite.stage=agents"


def build_agents_image(
    name: str = AGENTS_IMAGE, base: str = DEFAULT_IMAGE, say: Say = lambda _line: None
) -> BuiltImage:
    """Build the agents' image on ``base``; UnavailableError says which step failed and its last words."""
    began = time.monotonic()
    client = connect(timeout=BUILD_SECONDS)
    try:
        with tempfile.TemporaryDirectory(prefix="pincite-image-") as context:
            _fill(Path(context))
            say(f"building the agents' image on {base}")
            _build(client, context, name, base, say)
        size = int(client.images.get(name).attrs["Size"])
    except SDK_ERRORS as error:
        raise docker_error(error, "build the image") from error
    finally:
        _forget_stages(client)
        client.close()
    return BuiltImage(name, base, time.monotonic() - began, size)


def _fill(context: Path) -> None:
    for name in _FILES:
        shutil.copyfile(_HERE / name, context / name)
    if _CONSTRAINTS.is_file():
        shutil.copyfile(_CONSTRAINTS, context / _CONSTRAINTS.name)
    for name, content in build_files().items():
        (context / name).write_bytes(content)


def _build(client: Any, context: str, name: str, base: str, say: Say) -> None:
    # Containers of a daemon that maps user ids cannot have the machine's network.
    options: list[str] = client.info().get("SecurityOptions") or []
    mapped = any("name=userns" in option for option in options)
    lines = client.api.build(
        path=context, tag=name, buildargs={"BASE": base, **proxies()}, rm=True, forcerm=True, decode=True,
        network_mode="default" if mapped else "host",
        labels={"pincite.recipe": RECIPE, "pincite.versions": json.dumps(agents_versions())},
    )  # fmt: skip
    step, said = "", ""
    for line in lines:
        words = _COLOUR.sub("", str(line.get("stream", "")))
        if words.startswith("Step "):
            step, said = " ".join(words.split())[:_SHOWN], ""
            say(step)
        elif not words.startswith(_ASIDE):
            said = (said + words)[-10_000:]
        if "error" in line:
            seen = f"{step} … : {last_words(said) or line['error']}"
            raise UnavailableError(f"The image {name} could not be built.", seen=seen, next="pincite doctor")


def _forget_stages(client: Any) -> None:
    """Remove the images of the stages, which hold this machine's settings."""
    try:
        client.images.prune(filters={"dangling": True, "label": _STAGE})
    except DockerException:
        return
