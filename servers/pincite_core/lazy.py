"""Lazy imports: loads what a registry names as ``"module:attribute"`` when it is first needed."""

from importlib import import_module
from typing import Any


def load(place: str) -> Any:
    """The attribute that ``place`` ("module:attribute") names; ImportError or AttributeError where there is none."""
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)
