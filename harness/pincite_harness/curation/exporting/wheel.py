"""A wheel of the pincite that runs here, without the bundled tasks: what goes into a container holds no answer."""

import base64
import hashlib
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path

import pincite_core
import pincite_harness
import pincite_sandbox
from pincite_core.errors import ForbiddenError
from pincite_sandbox.guest.gold import is_gold

_PREFIX = "pincite_"
_LEFT_OUT = "pincite_tasks/families/"
_TAG = "py3-none-any"
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest day that a zip knows: the same sources make the same wheel."""


def wheel_name() -> str:
    """The file name that the wheel must have."""
    return f"pincite-{distribution('pincite').version}-{_TAG}.whl"


@cache
def build_wheel() -> bytes:
    """The wheel's bytes (PEP 427), pure Python, built once a process; ForbiddenError where a package holds gold
    answers."""
    installed = distribution("pincite")
    info = f"pincite-{installed.version}.dist-info"
    files = dict(_package_files())
    files[f"{info}/METADATA"] = (installed.read_text("METADATA") or "").encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: pincite\nRoot-Is-Purelib: true\nTag: {_TAG}\n".encode()
    files[f"{info}/entry_points.txt"] = (installed.read_text("entry_points.txt") or "").encode()
    rows = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""]).encode()
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return buffer.getvalue()


def _package_files() -> Iterator[tuple[str, bytes]]:
    roots = {Path(package.__path__[0]).parent for package in (pincite_core, pincite_harness, pincite_sandbox)}
    packages = sorted(path for root in roots for path in root.glob(f"{_PREFIX}*") if (path / "__init__.py").is_file())
    for package in packages:
        for path in sorted(package.rglob("*")):
            name = f"{package.name}/{path.relative_to(package).as_posix()}"
            if path.is_dir() or "__pycache__" in path.parts or name.startswith(_LEFT_OUT):
                continue
            if is_gold(path.name, [each.name for each in path.parent.iterdir()]):
                raise ForbiddenError(f"{path} holds gold answers: it cannot go into a container.")
            yield name, path.read_bytes()


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
