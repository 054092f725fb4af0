"""Science: the sandbox in which the workbench runs Python, with a fixed list of scientific packages."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .choose import SandboxKind
from .environment import build_environment
from .images import DEFAULT_IMAGE
from .images.needs import LAYER_PYTHON, Needs

_REQUIREMENTS = Path(__file__).parent / "images" / "science.txt"


@dataclass(frozen=True, slots=True)
class Science:
    """What a sandbox with the packages is started with (fields of ``SandboxSpec``), and its interpreter."""

    python: str
    image: str = ""
    programs: tuple[Path, ...] = ()


def packages() -> tuple[str, ...]:
    """The packages with their versions (``numpy==2.4.6``), in the order of their list."""
    lines = _REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


def prepare_science(kind: SandboxKind, cache: Path, say: Callable[[str], None] = lambda _line: None) -> Science:
    """The packages for a sandbox of this kind, docker or bubblewrap, installed unless they were before; blocks.

    Docker gets a layer on the base image, bubblewrap a virtual environment below ``cache``. UnavailableError where they
    cannot be installed.
    """
    requirements = _REQUIREMENTS.read_text(encoding="utf-8")
    if kind == "docker":
        # The SDK takes a third of a second to import.
        from .images.layer import build_layer

        return Science(LAYER_PYTHON, image=build_layer(DEFAULT_IMAGE, Needs(requirements), say))
    folder = build_environment(requirements, cache)
    return Science(str(folder / "bin" / "python"), programs=(folder,))
