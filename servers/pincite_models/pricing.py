"""What calls of a model cost, by the published prices in genai-prices."""

from collections.abc import Callable

from pincite_models.choice import ModelChoice
from pincite_models.dialects.model import Usage

Price = Callable[[str, Usage], float | None]
"""What a call of a model (by the name that answered) costs in USD; None where that is not known."""


def price_of(choice: ModelChoice) -> Price | None:
    """How calls of the chosen model are priced; None where its provider or the model has no published price, or
    where genai-prices (the extra ``harness``) is not installed.

    A provider is known by its name, or for a compatible API by its address. Cached and cache-written tokens have their
    own prices; cache that is written for an hour counts as the five-minute one.
    """
    try:
        import genai_prices
    except ImportError:
        return None

    def price(model: str, usage: Usage) -> float | None:
        counted = genai_prices.Usage(
            input_tokens=usage.input_tokens,
            cache_read_tokens=usage.cached_tokens,
            cache_write_tokens=usage.cache_write_tokens,
            output_tokens=usage.output_tokens,
        )
        for name in dict.fromkeys((model, choice.name)):
            try:
                if choice.provider == "compatible":
                    found = genai_prices.calc_price(counted, name, provider_api_url=choice.base_url)
                else:
                    found = genai_prices.calc_price(counted, name, provider_id=choice.provider)
                return float(found.total_price)
            except (LookupError, ValueError):
                continue
        return None

    return price if price(choice.name, Usage(1, 1)) is not None else None
