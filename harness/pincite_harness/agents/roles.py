"""Roles of agents: which of them a program names, so that a model can be given to each (``--role-model``)."""

import ast
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pincite_core.errors import BadInputError
from pincite_harness.agents.agent import Agent
from pincite_models.choice import ModelChoice

NAME = "MODELS"
"""A program's own list of further models that it asks, such as one for embeddings."""


def check_roles(agent: Agent, role_models: Mapping[str, ModelChoice], model: ModelChoice | None) -> None:
    """BadInputError for a model of a role that the agent does not have, where it names its roles."""
    if not role_models:
        return
    if model is None:
        raise BadInputError(
            "--role-model names the model of a role, and there is no main model.", next="Add --model PROVIDER:NAME."
        )
    if agent.roles is None:
        return
    unknown = sorted(set(role_models) - set(agent.roles))
    if unknown:
        raise BadInputError(
            f"The agent {agent.name} has no role {', '.join(unknown)}.",
            seen=f"its roles are {', '.join(agent.roles)}" if agent.roles else "it asks its main model alone",
            next="Name one of these." if agent.roles else "Leave out --role-model.",
        )


def roles_in(files: Iterable[Path]) -> Sequence[str] | None:
    """The roles of a program on the kernel ``crew``, read and not run: the names that ``Role(…)`` is given, their
    ``model=``, and ``MODELS``. None where one of them is not written out."""
    found: dict[str, None] = {}
    for path in files:
        if path.suffix != ".py":
            continue
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            return None  # the trial tells what is wrong with the program
        for node in ast.walk(tree):
            names = _names(node)
            if names is None:
                return None
            found |= dict.fromkeys(names)
    return list(found)


def _names(node: ast.AST) -> Sequence[str] | None:
    """The roles that one node names; None where it cannot be told."""
    if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == NAME for to in node.targets):
        items = node.value.elts if isinstance(node.value, ast.Tuple | ast.List) else [node.value]
        return _texts(items)
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Role"):
        return ()
    named = [keyword.value for keyword in node.keywords if keyword.arg in ("name", "model")]
    given = _texts([*node.args[:1], *named])
    return [name for name in given if name] if given is not None else None


def _texts(nodes: Iterable[ast.expr]) -> list[str] | None:
    texts: list[str] = []
    for node in nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            return None
        texts.append(node.value)
    return texts
