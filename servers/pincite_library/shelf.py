"""Opening a library that is there already: what reads one never makes an empty one by mistake."""

from pathlib import Path
from typing import TYPE_CHECKING

from pincite_core.errors import NotFoundError
from pincite_core.settings import Settings

if TYPE_CHECKING:
    from pincite_library.store.store import Store

_PARTS = {"sqlite": "library.db", "lance": "lance"}
"""What lies in the folder of a library of each kind."""


def library_settings(settings: Settings, folder: Path | None) -> Settings:
    """The settings, with the library in ``folder`` where one is given."""
    if folder is None:
        return settings
    return settings.model_copy(update={"library_dir": folder.expanduser().resolve(), "library_uri": ""})


def open_library(settings: Settings, *, empty: bool = False) -> "Store":
    """The store of the library of the settings; NotFoundError where there is none, or none with papers in it unless
    ``empty`` allows it."""
    from pincite_library.store.opening import open_store

    place = settings.library_uri or str(settings.library_dir)
    if not settings.library_uri and not (settings.library_dir / _PARTS[settings.library_store]).exists():
        raise NotFoundError(
            f"There is no library in {place}.",
            seen=_other(settings),
            next="Make it with `pincite library add FOLDER`, or name another with --library or PINCITE_LIBRARY_DIR.",
        )
    store = open_store(settings)
    if not empty and not store.counts()["papers"]:
        store.close()
        raise NotFoundError(
            f"The library in {place} is empty.",
            next="Add papers: `pincite library add FOLDER` (or files, DOIs, arXiv ids).",
        )
    return store


def _other(settings: Settings) -> str:
    """What is said where a library of another kind lies there."""
    for kind, part in _PARTS.items():
        if kind != settings.library_store and (settings.library_dir / part).exists():
            return f"one of the kind {kind!r} is there: set PINCITE_LIBRARY_STORE={kind}"
    return ""
