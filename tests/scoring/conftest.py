"""Records and hand-built papers for scoring."""

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pincite_papers.geometry import Geometry
from pincite_papers.model import Page, Paper
from pincite_scoring.property_extraction.records import Conditions, Record


def make_raw(
    property_name: str = "superconducting transition temperature",
    value: str = "93",
    unit: str = "K",
    material: str = "YBa2Cu3O7",
    page: int = 1,
    evidence: str = "",
    **fields: Any,
) -> dict[str, Any]:
    conditions = {key: fields.pop(key) for key in Conditions.model_fields if key in fields}
    return {
        "material_or_system": material,
        "property_name": property_name,
        "value_string": value,
        "value_unit": unit,
        "conditions": conditions,
        "location": {"page": page, "source_type": "text", "evidence": evidence or f"the value is {value} {unit}"},
        **fields,
    }


def make_paper(*pages: str) -> Paper:
    text = "".join(pages)
    parts: list[Page] = []
    start = 0
    for number, page in enumerate(pages, 1):
        parts.append(Page(number, str(number), 595.0, 842.0, start, start + len(page)))
        start += len(page)
    rows = np.full((len(text), 4), np.nan, dtype=np.float32)
    digest = hashlib.sha256("\f".join(pages).encode()).hexdigest()
    return Paper(f"sha256:{digest}", "by-hand/1", "", text, tuple(parts), (), Geometry(rows))


@pytest.fixture
def raw() -> Callable[..., dict[str, Any]]:
    return make_raw


@pytest.fixture
def record() -> Callable[..., Record]:
    return lambda *args, **fields: Record.model_validate(make_raw(*args, **fields))


@pytest.fixture
def paper() -> Callable[..., Paper]:
    return make_paper
