"""Route: one model behind the door, with its own address, key, API and price."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pincite_core.settings import Settings
from pincite_doors.models.playback import ModelPlayback
from pincite_doors.models.policy import refused_model, refused_request
from pincite_doors.models.prepared import Preparing
from pincite_doors.models.store import ModelStore
from pincite_doors.models.upstream import SILENCE_SECONDS, ModelUpstream
from pincite_models.choice import ModelChoice
from pincite_models.dialects.dialect import Dialect, Operation
from pincite_models.dialects.model import DialectName, Usage
from pincite_models.dialects.table import RECORDED
from pincite_models.pricing import Price
from pincite_tasks.family import FamilyLimits, ModelPolicy

ROLES = "/role/"
SERVERS = "/server/"


@dataclass(frozen=True, slots=True)
class Route:
    """The agent's main model, that of one of its ``role``s, or that which a ``server`` has for a ``use`` such as
    ``vision``; ``store`` has answers that were recorded."""

    choice: ModelChoice
    key: str
    dialect: DialectName
    policy: ModelPolicy = field(default_factory=ModelPolicy)
    price: Price | None = None
    """None: as the door's meter prices its main model."""
    role: str = ""
    server: str = ""
    use: str = ""
    store: ModelStore | ModelPlayback | None = None

    @property
    def place(self) -> str:
        """What the paths of its requests begin with, before the API's own."""
        if self.server:
            return f"{SERVERS}{self.server}/{self.use}"
        return f"{ROLES}{self.role}" if self.role else ""

    def fields(self) -> dict[str, str]:
        """What records say of it; nothing of the main one but its provider."""
        named = {"route": self.place.removeprefix("/")} if self.place else {}
        return {**named, "provider": self.choice.provider}


class OpenRoute:
    """A route with its connections."""

    def __init__(
        self,
        route: Route,
        limits: FamilyLimits,
        most_marks: int,
        settings: Settings,
        silence_seconds: float = SILENCE_SECONDS,
    ) -> None:
        self.route = route
        self.dialect = RECORDED[route.dialect]
        check = functools.partial(refused_request, route.policy, route.choice)
        if route.server:
            check = functools.partial(_of_server, route.choice)
        self.preparing = Preparing(self.dialect, check, limits, most_marks)
        self.upstream = ModelUpstream(route.choice.base_url, settings, silence_seconds)
        self.any_beta = bool(route.policy.hosted_tools or route.policy.open_fields)


def unpriced(_model: str, _usage: Usage) -> None:
    """The price of a model that has none that is known."""
    return


def _of_server(choice: ModelChoice, dialect: Dialect, operation: Operation, body: Mapping[str, Any]) -> str | None:
    """Pincite's own servers write their requests: only the model is looked at. TEI's name none."""
    if operation.kind == "rerank" and not body.get("model"):
        return None
    return refused_model({choice.name}, dialect, operation, body)
