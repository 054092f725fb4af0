"""What the repository may hold: no lock with addresses, no registry host, no machine path, nothing large."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LARGEST = 400_000
TEXT = {".py", ".md", ".toml", ".txt", ".json", ".jsonl", ".yaml", ".yml", ".typ", ".html", ".css", ".js", ".cfg", ""}
REGISTRY_HOSTS = re.compile(
    "|".join(("pypi" + r"\.org", "pythonhosted" + r"\.org", "npmjs" + r"\.(org|com)", "deb" + r"\.debian\.org"))
)
MACHINE_PATHS = re.compile(
    "|".join(re.escape(str(path)) for path in (ROOT, sys.prefix, sys.base_prefix) if len(Path(path).parts) > 2)
)


def tracked() -> list[Path]:
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listing.split("\0") if name and (ROOT / name).is_file()]


def offending(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}"
        for path in tracked()
        if path.suffix in TEXT
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1)
        if pattern.search(line)
    ]


@pytest.mark.parametrize("name", ["uv.lock", "poetry.lock", "package-lock.json", "npm-shrinkwrap.json", "Pipfile.lock"])
def test_no_lock_file_holds_an_address(name: str) -> None:
    """npm's may be kept without them: versions and digests."""
    locks = [path for path in tracked() if path.name == name]
    assert not [
        path for path in locks if name in ("uv.lock", "poetry.lock", "Pipfile.lock") or "://" in path.read_text()
    ]


def test_no_registry_host_is_named() -> None:
    assert offending(REGISTRY_HOSTS) == []


def test_no_path_of_the_developers_machine_is_named() -> None:
    assert offending(MACHINE_PATHS) == []


def test_no_file_is_large() -> None:
    large = {str(path.relative_to(ROOT)): path.stat().st_size for path in tracked() if path.stat().st_size > LARGEST}
    assert large == {}


def test_constraints_hold_versions_of_every_direct_dependency() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line) for line in lines)
    pinned = {canonical(line.partition("==")[0]) for line in lines}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *(r for extra in project["optional-dependencies"].values() for r in extra)]
    names = {canonical(re.match(r"[A-Za-z0-9._-]+", requirement)[0]) for requirement in wanted}  # type: ignore[index]
    assert names - {"pincite"} <= pinned


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
