"""Whether inspect_figure is offered: asked of every list of tools, so nothing heavy is imported."""

from mcp_types import ClientCapabilities

from pincite_core.settings import Settings


def has_model(settings: Settings, client: ClientCapabilities | None) -> bool:
    """Whether there is a model that can look: the client's own by sampling, or one that is set up."""
    sampling = client is not None and client.sampling is not None
    return sampling or bool(settings.vision_url or settings.vision_model)
