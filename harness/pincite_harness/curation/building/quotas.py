"""Quotas: how many papers of one year, domain or field a build takes, counted in the order of the papers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from pincite_core.errors import BadInputError

KEYS = ("year", "domain", "field")


@dataclass(frozen=True, slots=True)
class Quota:
    """At most ``most`` papers whose ``key`` has this value; ``*`` is every value by itself."""

    key: str
    value: str
    most: int

    @classmethod
    def parse(cls, text: str) -> "Quota":
        """``year=2025:20``, ``domain=*:50``; BadInputError for what is none."""
        condition, colon, number = text.rpartition(":")
        key, equals, value = condition.partition("=")
        if not (colon and equals and value and key in KEYS and number.isdigit()):
            raise BadInputError(
                f"{text!r} is not a quota.",
                seen=f"keys: {', '.join(KEYS)}",
                next="--quota year=2025:20 or --quota domain=*:50: KEY=VALUE:PAPERS.",
            )
        return cls(key, value, int(number))


@dataclass(slots=True)
class Quotas:
    """Counts the papers that were taken."""

    quotas: Sequence[Quota]
    _taken: Counter[tuple[Quota, str]] = field(default_factory=Counter[tuple[Quota, str]])

    def takes(self, records: Sequence[Mapping[str, Any]]) -> bool:
        """Whether there is room for a paper of these records; it then counts. Every quota that speaks of it must have
        room; a paper of which a key is unknown has the value ``unknown``."""
        about = _about(records[0])
        named = [(quota, about[quota.key]) for quota in self.quotas if quota.value in ("*", about[quota.key])]
        if any(self._taken[one] >= one[0].most for one in named):
            return False
        self._taken.update(named)
        return True


def _about(record: Mapping[str, Any]) -> dict[str, str]:
    metadata = cast("Mapping[str, Any]", record["metadata"])
    dimensions = cast("Mapping[str, Any]", metadata["dimensions"])
    known = {"year": metadata.get("year"), "domain": dimensions.get("domain"), "field": dimensions.get("field")}
    return {key: str(value or "unknown") for key, value in known.items()}
