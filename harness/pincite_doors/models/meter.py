"""ModelMeter: counts a trial's model calls, tokens and cost against its limits."""

from pincite_core.errors import BadInputError
from pincite_models.dialects.model import Usage
from pincite_models.pricing import Price
from pincite_tasks.family import FamilyLimits
from pincite_tasks.spending import SpendingLog, Spent


class ModelMeter:
    """``calls`` went through to the provider, retries included; ``usage`` is the sum of what it counted.

    ``cost_usd`` is None as soon as one call's cost is unknown. What earlier attempts at the trial took (``before``)
    counts for the limits of tokens and cost, and for nothing else. BadInputError for a limit of cost without a price.
    """

    def __init__(
        self, limits: FamilyLimits, price: Price | None, before: Spent | None = None, log: SpendingLog | None = None
    ) -> None:
        if limits.cost_usd is not None and price is None:
            raise BadInputError(
                f"A limit of {limits.cost_usd:g} USD is set, but the model's price is not known.",
                next="Limit tokens instead, or choose a model with a published price.",
            )
        self.limits = limits
        self.calls = 0
        self.usage = Usage(0, 0)
        self.cost_usd: float | None = 0.0
        self.exceeded: str | None = None
        """The limit that was reached, such as ``model calls: 200``."""
        self._price = price
        self._known_cost = 0.0
        self._before = before or Spent()
        self._log = log
        self._check()

    @property
    def tokens(self) -> int:
        """Input and output tokens together."""
        return self.usage.input_tokens + self.usage.output_tokens

    def take(self, *, counted: bool = True) -> bool:
        """Whether one more call may pass; it is counted, unless it asks for numbers (vectors, scores): of such calls
        tokens and cost alone are limited."""
        if counted and self.exceeded is None and self.calls >= self.limits.model_calls:
            self.exceeded = f"model calls: {self.limits.model_calls}"
        if self.exceeded is not None:
            return False
        self.calls += int(counted)
        if self._log is not None:
            self._log.called(counted=counted)
        return True

    def add(self, model: str, usage: Usage | None, price: Price | None = None) -> float | None:
        """Add what one call used and return its cost; None for both where the provider did not say. ``price`` is that
        of another model than the main one."""
        price = price or self._price
        cost = price(model, usage) if price is not None and usage is not None else None
        if usage is not None:
            self.usage += usage
        if cost is not None:
            self._known_cost += cost
        self.cost_usd = self.cost_usd + cost if self.cost_usd is not None and cost is not None else None
        if self._log is not None:
            self._log.ended(usage, cost)
        self._check()
        return cost

    def drop(self) -> None:
        """Note that one call ended for which the provider counts nothing."""
        if self._log is not None:
            self._log.ended(None, None, billable=False)

    def _check(self) -> None:
        limits, before = self.limits, self._before
        if self.exceeded is not None:
            return
        if limits.tokens is not None and self.tokens + before.tokens >= limits.tokens:
            self.exceeded = f"tokens: {limits.tokens}" + _earlier(f"{before.tokens}", before.tokens)
        elif limits.cost_usd is not None and self._known_cost + before.cost_usd >= limits.cost_usd:
            self.exceeded = f"cost: {limits.cost_usd:g} USD" + _earlier(f"{before.cost_usd:.4g}", before.cost_usd)


def _earlier(amount: str, value: float) -> str:
    return f" ({amount} of it by earlier attempts)" if value else ""
