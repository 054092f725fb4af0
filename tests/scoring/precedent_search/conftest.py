"""Answers, gold and scores of precedent_search, made in few words."""

from collections.abc import Callable
from typing import Any

import pytest

from pincite_scoring import Case, Score, ScoringOptions, score

Json = dict[str, Any]
MATERIAL = "La1.85Sr0.15CuO4"


def make_source(
    doi: str | None = "10.5555/a.1", title: str | None = "A first title", quote: str | None = "said"
) -> Json:
    return {"doi": doi, "title": title, "authors": ["A. Author"], "year": 2001, "quoted_span": quote}


def make_measurement(value: str | float, unit: str | None = "K", material: str = MATERIAL, **fields: Any) -> Json:
    return {"material": material, "value": value, "unit": unit, "sources": [], **fields}


def make_answer(reported: str, *values: Any, sources: Any = (), **fields: Any) -> Json:
    """``values`` are numbers or measurements, under the heading that the class asks for."""
    made: list[Json] = [value if isinstance(value, dict) else make_measurement(value) for value in values]
    heading = "negative_measurements" if reported == "No" else "measurements"
    return {"reported": reported, "sources": list(sources), heading: made, **fields}


def run(answer: Any, gold: Json, compat: Any = "strict", **case: Any) -> Score:
    parameters = {"material": MATERIAL, "unit": "K", **case.pop("parameters", {})}
    return score("precedent_search", Case(answer, gold, parameters=parameters, **case), ScoringOptions(compat=compat))


@pytest.fixture
def source() -> Callable[..., Json]:
    return make_source


@pytest.fixture
def measurement() -> Callable[..., Json]:
    return make_measurement


@pytest.fixture
def answer() -> Callable[..., Json]:
    return make_answer


@pytest.fixture
def scored() -> Callable[..., Score]:
    return run
