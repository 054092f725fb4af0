"""Opening a library as the settings say."""

from pincite_core.settings import Settings
from pincite_library.store.store import Store


def open_store(settings: Settings) -> Store:
    """The library of the settings, made where it is missing; a folder that this user may not write to, or shall only
    read (``library_read_only``), can be read."""
    if settings.library_uri or settings.library_store == "lance":
        from pincite_library.store.lance.store import LanceStore

        return LanceStore(settings.library_uri or str(settings.library_dir / "lance"))
    from pincite_library.store.sqlite.store import SqliteStore

    return SqliteStore(settings.library_dir, read_only=settings.library_read_only)
