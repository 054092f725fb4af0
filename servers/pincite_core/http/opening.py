"""Builds the web that the settings ask for: live, recorded or replayed, behind the cache."""

from pincite_core.cache import DiskCache
from pincite_core.errors import BadInputError
from pincite_core.http.client import Web
from pincite_core.http.echoes import Echoes
from pincite_core.http.exchange import Layer
from pincite_core.http.http_cache import HttpCache
from pincite_core.http.recording import Recording
from pincite_core.http.standing_in import StandIn
from pincite_core.http.store import ExchangeStore
from pincite_core.settings import Settings


def open_web(settings: Settings) -> Web:
    """The one way out of a server; nothing is asked before the first lookup.

    The record comes first, so that it is complete and a replay depends on nothing else; then the cache; and next to
    the live web what hides our secrets, so that neither of them sees one. A stand-in is asked past the cache, which
    holds answers of the real web. BadInputError where PINCITE_HTTP_MODE needs a PINCITE_HTTP_STORE that is not there.
    """
    if settings.stand_in:
        return Web(_for_stand_in(settings), layers=[*_recording(settings), StandIn(settings.stand_in)])
    cache = HttpCache(
        DiskCache(settings.cache_dir, max_bytes=settings.cache_max_bytes), keep=settings.cache_max_bytes > 0
    )
    return Web(settings, layers=[*_recording(settings), cache, Echoes(settings)])


def _for_stand_in(settings: Settings) -> Settings:
    """The settings without other addresses of sources, their rates, and a proxy, which might not see the stand-in."""
    return settings.model_copy(update={"source_urls": {}, "source_rates": "off", "http_proxy": ""})


def _recording(settings: Settings) -> list[Layer]:
    mode, folder = settings.http_mode, settings.http_store
    if mode == "live":
        return []
    if folder is None:
        raise BadInputError(
            f"PINCITE_HTTP_MODE={mode} needs a store.",
            seen="PINCITE_HTTP_STORE is not set",
            next="Set PINCITE_HTTP_STORE to the folder of the recorded web.",
        )
    store = ExchangeStore(folder, writable=mode == "record")
    return [Recording(store, mode, settings.source_urls)]
