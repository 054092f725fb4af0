"""The cyclic garbage collector, held back while a paper is read."""

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def uncollected(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """``function`` with the collector paused, which would walk its many small objects again and again in vain."""

    @wraps(function)
    def call(*arguments: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
        if not gc.isenabled():
            return function(*arguments, **named)
        gc.disable()
        try:
            return function(*arguments, **named)
        finally:
            gc.enable()

    return call
