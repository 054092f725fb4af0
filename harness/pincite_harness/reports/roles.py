"""What roles and models took: calls, tokens and cost by role and by model, over the trials of a run."""

from collections.abc import Iterable
from math import fsum

from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import RunReport
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.tables import Table, tables_section
from pincite_tasks.trial_record import RoleSpending, TokenCount

HEADER = ("Role", "Trials", "Model calls", "Other calls", "Tokens in", "of them cached", "Tokens out", "US dollars")
MODEL_HEADER = ("Model", *HEADER[1:])
NO_LABEL = "(no role)"
"""Stands for requests without a label in a trial whose others have one."""
_ABOUT = (
    "model calls by the role that their label names, summed over all trials; other calls are for vectors and rankings;"
    " a cost is there where all prices are known"
)
_ABOUT_MODELS = "calls by the model that was asked, summed over all trials that asked more than one"


def role_sums(run: RunReport) -> dict[str, tuple[int, RoleSpending]]:
    """By role, in the order of their first trials: in how many trials it was asked, and what it took in all."""
    found: dict[str, list[RoleSpending]] = {}
    for trial in run.trials:
        for role, spent in (trial.record.roles if trial.record is not None else {}).items():
            found.setdefault(role, []).append(spent)
    return {role: (len(spendings), _sum(spendings)) for role, spendings in found.items()}


def model_sums(run: RunReport) -> dict[str, tuple[int, RoleSpending]]:
    """By model, in the order of their first trials: in how many trials it was asked, and what it took in all."""
    found: dict[str, list[RoleSpending]] = {}
    for trial in run.trials:
        for model, spent in (trial.record.models if trial.record is not None else {}).items():
            found.setdefault(model, []).append(spent)
    return {model: (len(spendings), _sum(spendings)) for model, spendings in found.items()}


def model_rows(run: RunReport) -> list[tuple[str, ...]]:
    """The rows of the table by model; none where each trial asked one alone."""
    return [_row(model, trials, spent) for model, (trials, spent) in model_sums(run).items()]


def role_rows(run: RunReport) -> list[tuple[str, ...]]:
    """The rows of the table, by ``HEADER``; none where no request had a label."""
    return [_row(role or NO_LABEL, trials, spent) for role, (trials, spent) in role_sums(run).items()]


def roles_section(group: Group, heading: str) -> Markup:
    """A table for each run whose agent, or whose servers, name roles, and one by model where there are several."""
    by_role = [(measured.run.name, role_rows(measured.run)) for measured in group.measured]
    by_model = [(measured.run.name, model_rows(measured.run)) for measured in group.measured]
    roles = [Table(f"{name}: {_ABOUT}", HEADER, rows) for name, rows in by_role if rows]
    models = [Table(f"{name}: {_ABOUT_MODELS}", MODEL_HEADER, rows) for name, rows in by_model if rows]
    return Markup(tables_section("Roles", heading, roles) + tables_section("Models", heading, models))


def _sum(spendings: Iterable[RoleSpending]) -> RoleSpending:
    several = list(spendings)
    costs = [spent.cost_usd for spent in several if spent.cost_usd is not None]
    total = RoleSpending(cost_usd=fsum(costs) if len(costs) == len(several) else None)
    for spent in several:
        total.model_calls += spent.model_calls
        total.other_calls += spent.other_calls
        for name in TokenCount.model_fields:
            setattr(total.tokens, name, getattr(total.tokens, name) + getattr(spent.tokens, name))
    return total


def _row(role: str, trials: int, spent: RoleSpending) -> tuple[str, ...]:
    tokens = spent.tokens
    counts = (spent.model_calls, spent.other_calls, tokens.input, tokens.cached, tokens.output)
    cost = "–" if spent.cost_usd is None else f"{spent.cost_usd:,.4f}"
    return (role, str(trials), *[f"{count:,}" for count in counts], cost)
