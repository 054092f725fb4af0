"""The choice of the backend, by the settings."""

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings
from pincite_papers.backends.backend import Backend


def choose_backend(settings: Settings) -> Backend | None:
    """The backend of the settings, None for our own parser alone; BadInputError where it is half set."""
    if settings.backend == "grobid":
        from pincite_papers.backends.grobid import Grobid

        if not settings.grobid_url:
            raise BadInputError("The backend grobid needs a server.", next="Set PINCITE_GROBID_URL.")
        return Grobid(settings.grobid_url, settings.backend_seconds)
    if settings.backend == "vision":
        from pincite_models.endpoint import ModelEndpoint
        from pincite_papers.backends.vision import Vision

        endpoint = ModelEndpoint.of(settings)
        if endpoint is None:
            raise BadInputError(
                "The backend vision needs a model.", next="Set PINCITE_VISION_URL and PINCITE_VISION_MODEL."
            )
        return Vision(endpoint, settings.backend_seconds)
    if settings.backend == "docling":
        from pincite_papers.backends.docling import Docling

        return Docling()
    return None
