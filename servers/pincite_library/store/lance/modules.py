"""The packages of the extra ``scale``: imported when they are first needed (it takes seconds), untyped here alone."""

import os
from importlib import import_module
from typing import Any

from pincite_core.errors import MissingExtraError


def arrow() -> Any:
    """The module ``pyarrow``."""
    return _module("pyarrow")


def lancedb() -> Any:
    """The module ``lancedb``."""
    return _module("lancedb")


def index() -> Any:
    """The module ``lancedb.index``: settings of indexes."""
    return _module("lancedb.index")


def query() -> Any:
    """The module ``lancedb.query``: full-text queries."""
    return _module("lancedb.query")


def _module(name: str) -> Any:
    # Its core warns on stderr, hundreds of lines an index, of what is not trouble; set, the variable is the user's
    # word.
    os.environ.setdefault("LANCEDB_LOG", "error")
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtraError.of("scale", needed_for="A library in LanceDB") from error
