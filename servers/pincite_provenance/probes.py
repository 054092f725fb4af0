"""Probes: what doi.org is asked to see whether it works; the other sources are those of the literature server."""

from pincite_core.http.client import Web
from pincite_core.http.probe import Probe
from pincite_core.settings import Settings


async def _handle(web: Web, settings: Settings) -> object:
    from pincite_provenance.citations.handles import is_registered

    del settings
    return await is_registered(web, "10.1038/171737a0")


PROBES = (Probe("doi", "doi.org", _handle),)
"""One probe a source, named like its policy."""
