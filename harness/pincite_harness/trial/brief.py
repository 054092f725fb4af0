"""Brief: the files that an agent finds in its working folder."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import orjson

from pincite_doors.models.route import ROLES
from pincite_harness.agents.agent import PAPERS, Briefing, Launch
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.scaling import scaled
from pincite_models.role_choice import role_dialect
from pincite_scoring.scorer import get_scorer


def write_brief(plan: TrialPlan, briefing: Briefing, launch: Launch) -> dict[str, bytes]:
    """task.json, prompt.md, schema.json, mcp.json, the task's and the agent's own files, and gold.json where it needs
    the gold."""
    family, task = plan.family, plan.task
    headers = {"Authorization": f"Bearer {briefing.token}"}
    tools = {name: {"url": url, "headers": headers} for name, url in briefing.tools.items()}
    settings = family.settings
    description: dict[str, Any] = {
        "task_id": task.task_id,
        "family": family.name,
        "papers": list(task.paper_names),
        "tools": tools,
        "files": [path.name for path in task.files],
        "parameters": task.parameters,
        "answer": settings.answer,
        "nothing": settings.nothing,
        "limits": settings.limits.model_dump(),
    }
    if stated := _stated(task.metadata, plan.agent.metadata_keys):
        description["metadata"] = stated
    if briefing.model is not None:
        description["model"] = {
            "url": briefing.model_url,
            "provider": briefing.model.provider,
            "name": briefing.model.name,
            "dialect": plan.agent.dialect,
            "api_key": briefing.token,
        }
    if briefing.role_models:
        description["models"] = {role: _of_role(plan, briefing, role) for role in briefing.role_models}
    clients = {"mcpServers": {name: {"type": "http", **tool} for name, tool in tools.items()}}
    files: dict[str, bytes] = {path.name: scaled(path, plan.agent.picture_squares) for path in task.files}
    if plan.agent.given_papers:
        files |= {f"{PAPERS}/{path.name}": path.read_bytes() for path in task.papers}
    files |= launch.files
    files |= {
        "task.json": _json(description),
        "prompt.md": briefing.prompt.encode(),
        "schema.json": _json(family.answer_schema(task)),
        "mcp.json": _json(clients),
    }
    if plan.agent.needs_gold:
        files["gold.json"] = _json(get_scorer(settings.scorer).ideal(task.gold))
    return files


def _of_role(plan: TrialPlan, briefing: Briefing, role: str) -> dict[str, Any]:
    """How a role's own model is asked."""
    choice = briefing.role_models[role]
    return {
        "url": f"{briefing.model_url}{ROLES}{role}",
        "provider": choice.provider,
        "name": choice.name,
        "dialect": role_dialect(choice, plan.agent.dialect),
        "api_key": briefing.token,
    }


def _stated(metadata: Mapping[str, Any], keys: Sequence[str]) -> dict[str, str]:
    """What the metadata have of these dotted keys, by key."""
    found: dict[str, str] = {}
    for key in keys:
        value: Any = metadata
        for name in key.split("."):
            value = cast("Mapping[str, Any]", value).get(name) if isinstance(value, Mapping) else None
        if value is not None:
            found[key] = str(value)
    return found


def _json(value: Mapping[str, Any] | Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2)
