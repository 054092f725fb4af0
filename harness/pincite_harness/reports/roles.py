"""What the roles of a program took: calls, tokens and cost by role, over the trials of a run."""

from collections.abc import Iterable
from math import fsum

from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import RunReport
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.tables import Table, tables_section
from pincite_tasks.trial_record import RoleSpending, TokenCount

HEADER = ("Role", "Trials", "Model calls", "Tokens in", "of them cached", "Tokens out", "US dollars")
NO_LABEL = "(no role)"
"""Stands for requests without a label in a trial whose others have one."""
_ABOUT = (
    "model calls by the role that their label names, summed over all trials; a cost is there where all prices are known"
)


def role_sums(run: RunReport) -> dict[str, tuple[int, RoleSpending]]:
    """By role, in the order of their first trials: in how many trials it was asked, and what it took in all."""
    found: dict[str, list[RoleSpending]] = {}
    for trial in run.trials:
        for role, spent in (trial.record.roles if trial.record is not None else {}).items():
            found.setdefault(role, []).append(spent)
    return {role: (len(spendings), _sum(spendings)) for role, spendings in found.items()}


def role_rows(run: RunReport) -> list[tuple[str, ...]]:
    """The rows of the table, by ``HEADER``; none where no request had a label."""
    return [_row(role or NO_LABEL, trials, spent) for role, (trials, spent) in role_sums(run).items()]


def roles_section(group: Group, heading: str) -> Markup:
    """A table for each run whose agent names roles."""
    rows = {measured.run.name: role_rows(measured.run) for measured in group.measured}
    tables = [Table(f"{name}: {_ABOUT}", HEADER, found) for name, found in rows.items() if found]
    return tables_section("Roles", heading, tables)


def _sum(spendings: Iterable[RoleSpending]) -> RoleSpending:
    several = list(spendings)
    costs = [spent.cost_usd for spent in several if spent.cost_usd is not None]
    total = RoleSpending(cost_usd=fsum(costs) if len(costs) == len(several) else None)
    for spent in several:
        total.model_calls += spent.model_calls
        for name in TokenCount.model_fields:
            setattr(total.tokens, name, getattr(total.tokens, name) + getattr(spent.tokens, name))
    return total


def _row(role: str, trials: int, spent: RoleSpending) -> tuple[str, ...]:
    tokens = spent.tokens
    counts = (spent.model_calls, tokens.input, tokens.cached, tokens.output)
    cost = "–" if spent.cost_usd is None else f"{spent.cost_usd:,.4f}"
    return (role, str(trials), *[f"{count:,}" for count in counts], cost)
