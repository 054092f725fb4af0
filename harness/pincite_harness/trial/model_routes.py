"""Model routes: every way through the model door of one trial, for its agent, the agent's roles and its servers."""

from collections.abc import Sequence

from pincite_doors.models.playback import Playback
from pincite_doors.models.route import Route, unpriced
from pincite_doors.models.store import ModelStore
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.server_models import ServerModels
from pincite_models.choice import ModelChoice
from pincite_models.pricing import Price, price_of
from pincite_models.role_choice import role_dialect, role_key
from pincite_tasks.web import WebChoice


def model_routes(
    plan: TrialPlan, servers: ServerModels, web: WebChoice, playback: Playback | None = None
) -> list[Route]:
    """The agent's main model first, where it has one; keys are read from the environment. The agent's models answer as
    in ``playback`` where that has an answer."""
    policy, routes = plan.family.settings.model, list[Route]()
    played = playback.models if playback is not None else None
    if plan.model is not None:
        assert plan.agent.dialect is not None
        routes.append(Route(plan.model, plan.model.key(), plan.agent.dialect, policy, store=played))
    for role, choice in plan.role_models.items():
        dialect = role_dialect(choice, plan.agent.dialect)
        key = role_key(role, choice, plan.model)
        routes.append(Route(choice, key, dialect, policy, _price(choice), role=role, store=played))
    store = ModelStore.of(web)
    for server in plan.family.settings.own_servers:
        routes += _of_server(server, servers, store)
    return routes


def _of_server(server: str, servers: ServerModels, store: ModelStore | None) -> Sequence[Route]:
    return [
        Route(
            given.model,
            given.key(use),
            given.dialect(use),
            price=_price(given.model),
            server=server,
            use=use,
            store=store,
        )
        for use, given in servers.models.items()
    ]


def _price(choice: ModelChoice) -> Price:
    return price_of(choice) or unpriced
