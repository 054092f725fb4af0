"""Whether search_web is offered: asked of every list of tools, so nothing heavy is imported."""

from mcp_types import ClientCapabilities

from pincite_core.settings import Settings

ENGINES = {
    "searxng": ("Searxng", "searxng_url"),
    "brave": ("Brave", "brave_api_key"),
    "serper": ("Serper", "serper_api_key"),
    "tavily": ("Tavily", "tavily_api_key"),
}
"""The class of each engine, in the module with its name, and the setting that switches it on; the first set one is
used."""


def has_engine(settings: Settings, _client: ClientCapabilities | None) -> bool:
    """Whether the web can be searched: an engine is set up, and no cutoff forbids pages without a sure date."""
    return settings.before is None and any(is_set(settings, name) for _, name in ENGINES.values())


def is_set(settings: Settings, name: str) -> bool:
    """Whether the setting ``name`` has a value."""
    value = getattr(settings, name)
    return bool(value.get_secret_value() if hasattr(value, "get_secret_value") else value)
