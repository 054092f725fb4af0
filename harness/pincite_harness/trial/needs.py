"""Whether the limits of trials give what their agent says that it needs."""

from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pincite_core.errors import BadInputError, PinciteError
from pincite_core.settings import load_settings
from pincite_harness.agents.needs import Needs
from pincite_harness.trial.plan import TrialPlan
from pincite_tasks.family import FamilyLimits

if TYPE_CHECKING:
    from pincite_papers.opening.store import PaperStore

_SHOWN = 3
"""Tasks that a refusal names; it tells the numbers for all."""
_LIMITS = {"calls": "model_calls", "seconds": "wall_clock_seconds", "tokens": "tokens"}
"""The limit that a need has to stay within, by its name in family.toml."""


def check_needs(plans: Sequence[TrialPlan]) -> None:
    """BadInputError, with the limits to give, where an agent says that a task needs more than its limits; papers are
    opened only for an agent that asks how long they are. A paper that cannot be opened is the trial's to tell."""
    wanted: dict[str, float] = {}
    short: list[str] = []
    tasks = {(plan.family.name, plan.task.task_id): plan for plan in plans}
    with PageCounts() as pages:
        for plan in tasks.values():
            lacking = _lacking(_needs(plan, pages), plan.family.settings.limits)
            for name, (needed, _) in lacking.items():
                wanted[name] = max(needed, wanted.get(name, 0))
            if lacking:
                told = [f"{needed:g} {name} (limit {limit:g})" for name, (needed, limit) in lacking.items()]
                short.append(f"{plan.task.task_id} {' and '.join(told)}")
    if not short:
        return
    more = f" and {len(short) - _SHOWN} more tasks" if len(short) > _SHOWN else ""
    raise BadInputError(
        f"The agent {plans[0].agent.name} needs more than the limits of {len(short)} of {len(tasks)} tasks.",
        seen=f"{'; '.join(short[:_SHOWN])}{more}",
        next=" ".join(f"--limit {name}={amount:.15g}" for name, amount in wanted.items()),
    )


class UnknownPagesError(Exception):
    """A paper's pages cannot be counted: it cannot be opened."""


class PageCounts:
    """How many pages papers have: they are opened as servers open them, when first asked for."""

    def __init__(self) -> None:
        self._store: PaperStore | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        if self._store is not None:
            self._store.close()

    def counting(self, folders: Sequence[Path]) -> Callable[[Path], int]:
        """Counts the pages of papers in these folders; UnknownPagesError for one that cannot be opened."""

        def count(path: Path) -> int:
            try:
                return len(self._opened(tuple(folders)).open(path.resolve()).pages)
            except PinciteError as error:
                raise UnknownPagesError(path.name) from error

        return count

    def _opened(self, folders: tuple[Path, ...]) -> "PaperStore":
        if self._store is None:
            from pincite_papers.opening.store import PaperStore

            self._store = PaperStore(load_settings())
        return self._store.rooted(folders)


def _needs(plan: TrialPlan, pages: PageCounts) -> Needs:
    folders = sorted({path.resolve().parent for path in plan.task.papers})
    try:
        return plan.agent.needs(plan.family, plan.task, pages.counting(folders)) or Needs()
    except UnknownPagesError:
        return Needs()


def _lacking(needs: Needs, limits: FamilyLimits) -> dict[str, tuple[float, float]]:
    """By the limit's name what is needed and what there is, where that is less."""
    found: dict[str, tuple[float, float]] = {}
    for need, name in _LIMITS.items():
        limit = getattr(limits, name)
        if limit is not None and getattr(needs, need) > limit:
            found[name] = (getattr(needs, need), limit)
    return found
