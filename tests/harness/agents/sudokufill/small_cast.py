"""A cast for the small schema: every page agent says what a table of claims has for it, in all rounds alike; any role
can be given a function of its own."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pincite_doors.testing import Request, call

NAMES = ("SE-40", "SE-40/GLK")
FIRST = "SE-40 is an oil-in-water emulsion of squalene"
MICE = "Female BALB/c mice received 1 µg of rHA-H3"
ROW = "SE-40\t1.25 mg squalene"
MIXED = "SE-40/GLK\t5 µg GLK-12"
Play = Callable[[dict[str, str], Request], Any]


def claim(name: str, value: str, confidence: float = 0.9, quote: str = FIRST) -> dict[str, Any]:
    return {"object": name, "value": value, "confidence": confidence, "quote": quote}


def plain() -> dict[tuple[str, str], list[dict[str, Any]]]:
    """What each page says of each field."""
    return {
        ("p01", "adjuvant"): [claim("SE-40", "SE-40"), claim("SE-40/GLK", "SE-40/GLK", 0.8, "SE-40/GLK holds")],
        ("p02", "adjuvant"): [claim("SE-40", "SE-40", 0.9, ROW), claim("SE-40/GLK", "SE-40/GLK", 0.9, MIXED)],
        ("p01", "host"): [claim("*", "mice", 0.9, MICE)],
        ("p02", "dose"): [claim("SE-40", "1.25 mg", 0.9, ROW), claim("SE-40/GLK", "5 µg", 0.9, MIXED)],
    }


@dataclass
class SmallCast:
    """Answers requests by their labels; ``plays`` has functions by role."""

    says: dict[tuple[str, str], list[dict[str, Any]]] = field(default_factory=plain)
    plays: dict[str, Play] = field(default_factory=dict)

    def __call__(self, request: Request) -> Any:
        label = json.loads(request.headers["x-pincite-label"])
        role = "task" if label["step"].endswith("/task") else label["role"]
        said = self.plays[role](label, request) if role in self.plays else None
        if said is None:
            said = getattr(self, f"_{role}")(label)
        return call("answer", **said) if isinstance(said, dict) else said

    def position(self, label: dict[str, str], **more: Any) -> dict[str, Any]:
        """What a page agent says by default, with ``more`` in its place."""
        return {**self._page(label), **more}

    def _probe(self, label: dict[str, str]) -> dict[str, Any]:
        names = dict.fromkeys(name for _, name in self.says)
        _, _, only = label["step"].partition("/")
        if only:
            return {"claims": self.says.get((label["id"], only), [])}
        return {"fields": [{"field": name, "claims": self.says.get((label["id"], name), [])} for name in names]}

    def _rank(self, _label: dict[str, str]) -> dict[str, Any]:
        return {"order": ["dose", "adjuvant", "host"], "rationale": "Numbers first."}

    def _page(self, label: dict[str, str]) -> dict[str, Any]:
        claims = self.says.get((label["id"], label["step"].split("/")[1]), [])
        return {"stance": "support" if claims else "abstain", "claims": claims}

    def _row(self, _label: dict[str, str]) -> dict[str, Any]:
        return {"choices": []}

    _column = _row

    def _coordinator(self, _label: dict[str, str]) -> dict[str, Any]:
        return {"leading": [], "history": "nothing new", "mode_next": "regular", "converged": False}

    def _task(self, _label: dict[str, str]) -> dict[str, Any]:
        return {"task": "Look whether rats are named on your page."}

    def _sequential(self, label: dict[str, str]) -> dict[str, Any]:
        name = label["step"].split("/")[1]
        return {"claims": [each for page in ("p01", "p02") for each in self.says.get((page, name), [])]}
