"""Pins: the versions of what pincite needs, as they are installed here, so that a container gets the same."""

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[([^\]]*)\])?[^;]*(?:;(.*))?")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")


def pins(extras: Iterable[str]) -> list[str]:
    """``name==version`` lines, sorted, of everything that ``pincite[extras]`` pulls in and that is installed here.

    They are constraints for pip: a line too many does no harm, and what is not installed here is left to pip.
    """
    found: dict[str, str] = {}
    waiting = [("pincite", frozenset(extras))]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        name, wanted = waiting.pop()
        if (name, wanted) in seen:
            continue
        seen.add((name, wanted))
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            continue
        if name != "pincite":
            found[name] = installed.version
        waiting += _needs(installed, wanted)
    return [f"{name}=={version}" for name, version in sorted(found.items()) if "+" not in version]


def _needs(installed: Distribution, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """What a distribution requires with these extras, whatever the system: its name in pip's spelling, its extras."""
    for line in installed.requires or []:
        match = _REQUIREMENT.match(line)
        if match is None:
            continue
        asked = _EXTRA.search(match[3] or "")
        if asked is None or asked[1] in extras:
            inner = frozenset(word.strip() for word in (match[2] or "").split(",") if word.strip())
            yield re.sub(r"[-_.]+", "-", match[1]).lower(), inner
