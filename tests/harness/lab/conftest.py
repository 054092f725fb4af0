"""What tests of the lab share."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def planted() -> ModuleType:
    """planted.py, which benchmarks use too."""
    spec = importlib.util.spec_from_file_location("planted", Path(__file__).with_name("planted.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
