"""Building the base image: from a public image where the registry answers, else from this machine's Debian packages."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

from docker.errors import APIError, BuildError, DockerException

from pincite_core.errors import PinciteError, UnavailableError

from ..daemon import connect, docker_error
from . import DEFAULT_IMAGE, RECIPE
from .registries import BUNDLE, apt_options, apt_sources

Source = Literal["auto", "registry", "packages"]
Say = Callable[[str], None]

_PUBLIC_BASE = "python:3.13-slim"
_PACKAGES = ("ca-certificates", "procps", "python3")
_ACCOUNT = "useradd --create-home --uid 1000 --shell /bin/sh agent && mkdir -p /work && chown 1000:1000 /work"
BUILD_SECONDS = 900
"""For each of the daemon's answers, and for the base's packages."""


@dataclass(frozen=True, slots=True)
class BuiltImage:
    """What was built: its name, where from, in how many seconds, of how many bytes."""

    name: str
    source: str
    seconds: float
    size: int


def build_image(name: str = DEFAULT_IMAGE, source: Source = "auto", say: Say = lambda _line: None) -> BuiltImage:
    """Build the image and return what came out; UnavailableError says what each way met when none works."""
    began = time.monotonic()
    client = connect(timeout=BUILD_SECONDS)
    ways: dict[str, Callable[[Any, str, Say], None]] = {}
    if source in ("auto", "registry"):
        ways["registry"] = _from_registry
    if source in ("auto", "packages"):
        ways["packages"] = _from_packages
    met: list[str] = []
    try:
        for way, build in ways.items():
            try:
                build(client, name, say)
            except PinciteError as error:
                met.append(f"{way}: {error.what} {error.seen}".strip())
                say(met[-1])
                continue
            size = int(client.images.get(name).attrs["Size"])
            return BuiltImage(name, way, time.monotonic() - began, size)
    finally:
        client.close()
    raise UnavailableError(f"The image {name} could not be built.", seen="; ".join(met), next="pincite doctor")


def _from_registry(client: Any, name: str, say: Say) -> None:
    say(f"building on the public image {_PUBLIC_BASE}")
    recipe = (
        f"FROM {_PUBLIC_BASE}\n"
        f"RUN apt-get update && apt-get install -y --no-install-recommends {' '.join(_PACKAGES[:2])}"
        f" && rm -rf /var/lib/apt/lists/* && {_ACCOUNT}\n"
        f"ENV LANG=C.UTF-8\nLABEL pincite.recipe={RECIPE}\n"
    )
    try:
        client.images.build(fileobj=BytesIO(recipe.encode()), tag=name, rm=True, forcerm=True)
    except BuildError as error:
        raise UnavailableError("The public image cannot be reached.", seen=last_words(str(error.msg))) from error
    except DockerException as error:
        raise docker_error(error, "build the image") from error


def _from_packages(client: Any, name: str, say: Say) -> None:
    if shutil.which("mmdebstrap") is None:
        raise UnavailableError("mmdebstrap is not installed.", next="apt-get install mmdebstrap")
    codename, lines = apt_sources()
    say(f"building from the {codename} packages that apt on this machine is set up for")
    with tempfile.TemporaryDirectory(prefix="pincite-image-") as folder:
        root = Path(folder, "root.tar")
        command = [
            "mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(_PACKAGES)}",
            '--aptopt=Apt::Install-Recommends "false"', *(f"--aptopt={option}" for option in apt_options()),
            "--dpkgopt=force-unsafe-io", "--dpkgopt=path-exclude=/usr/share/doc/*",
            "--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/locale/*",
            f'--customize-hook=chroot "$1" sh -c "{_ACCOUNT}"',
            # What the image is made of is not part of it.
            '--customize-hook=rm -rf "$1"/etc/apt/sources.list* "$1"/etc/apt/apt.conf.d/99mmdebstrap "$1"/var/log/*',
            *([f'--customize-hook=cp {BUNDLE} "$1{BUNDLE}"'] if BUNDLE.exists() else []),
            codename, str(root), "-",
        ]  # fmt: skip
        done = subprocess.run(
            command, input="\n".join(lines), capture_output=True, text=True, timeout=BUILD_SECONDS, check=False
        )
        if done.returncode != 0:
            raise UnavailableError("mmdebstrap failed.", seen=last_words(done.stderr))
        _import(client, root, name)


def _import(client: Any, root: Path, name: str) -> None:
    repository, _, tag = name.partition(":")
    changes = ["ENV LANG=C.UTF-8", f"LABEL pincite.recipe={RECIPE}"]
    try:
        client.api.import_image_from_file(str(root), repository=repository, tag=tag or "latest", changes=changes)
        client.images.get(name)
    except APIError as error:
        raise docker_error(error, "import the image") from error


def last_words(text: str) -> str:
    """The last lines of what a build said."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " / ".join(lines[-6:])[-900:]
