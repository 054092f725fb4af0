"""What several attempts at the same tasks tell: pass@k, how much runs move, how often attempts agree."""

from collections.abc import Sequence

from pincite_harness.reports.groups import Group
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.measured import Attempts, Measured
from pincite_harness.reports.outcome_words import in_words
from pincite_harness.reports.statistics import show, show_mean
from pincite_harness.reports.tables import Table, tables_section

_ABOUT = (
    "each attempt at all tasks as a run of its own, with the population standard deviation of their means; for what is"
    " 0 or 1 how often two attempts at a task agree, and pass@k ± standard error over tasks, unbiased, of the attempts"
    " with a score"
)


def attempt_estimates(measured: Measured, most: int | None = None) -> list[tuple[str, Attempts]]:
    """What the attempts of the outcome, where a trial has one, and of the first ``most`` metrics of the headline tell;
    nothing where every task was tried once."""
    found: list[tuple[str, Attempts]] = []
    if measured.attempts is not None:
        outcomes = measured.shown.outcomes[0]
        found.append((f"{outcomes.title}: {in_words(outcomes.order[0])}", measured.attempts))
    for metric in measured.shown.headline[:most]:
        estimate = measured.estimates.get(metric.name)
        if estimate is not None and estimate.attempts is not None:
            found.append((metric.title, estimate.attempts))
    return found


def brief_attempts(measured: Measured, most: int) -> tuple[list[str], list[list[str]]]:
    """Header and rows of what fits on a terminal: of pass@k the first and the last."""
    found = attempt_estimates(measured, most)
    ks = _ks(found)
    ends = sorted({*ks[:1], *ks[-1:]})
    header = ["Metric", f"Mean ± dev. of {_number(found)}", "Agree (pairs)", *[f"pass@{k} (n)" for k in ends]]
    rows: list[list[str]] = []
    for title, attempts in found:
        agreed = f"{attempts.agreement[0]:.3f} ({attempts.agreement[1]})" if attempts.agreement is not None else "–"
        right = [attempts.passes.get(k) for k in ends]
        rows.append(
            [title, _moves(attempts), agreed, *[f"{show(m.mean)} ({m.n})" if m and m.n else "–" for m in right]]
        )
    return header, rows


def attempts_section(group: Group, heading: str) -> Markup:
    """A table for each run with several attempts; nothing where there is none."""
    tables = [_table(measured) for measured in group.measured if attempt_estimates(measured)]
    return tables_section("Attempts", heading, tables)


def _table(measured: Measured) -> Table:
    found = attempt_estimates(measured)
    ks = _ks(found)
    header = ["Metric", f"Mean ± deviation of {_number(found)} attempts", "Attempts agree", *[f"pass@{k}" for k in ks]]
    rows: list[list[str]] = []
    for title, attempts in found:
        agreed = (
            f"{attempts.agreement[0]:.3f} ({attempts.agreement[1]} pairs)" if attempts.agreement is not None else "–"
        )
        right = [attempts.passes.get(k) for k in ks]
        shown = [f"{show_mean(mean)} (n = {mean.n})" if mean is not None and mean.n else "–" for mean in right]
        rows.append([title, _moves(attempts), agreed, *shown])
    return Table(f"{measured.run.name}: {_ABOUT}", header, rows)


def _ks(found: Sequence[tuple[str, Attempts]]) -> list[int]:
    return sorted({k for _, attempts in found for k in attempts.passes})


def _number(found: Sequence[tuple[str, Attempts]]) -> int:
    return max((len(attempts.rounds.means) for _, attempts in found if attempts.rounds is not None), default=0)


def _moves(attempts: Attempts) -> str:
    rounds = attempts.rounds
    return f"{rounds.mean:.3f} ± {rounds.deviation:.3f}" if rounds is not None else "–"
