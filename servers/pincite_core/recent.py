"""Recent: the values used last, a bounded number of them."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class Recent(Generic[_Key, _Value]):
    """At most ``most`` values by key; the one used longest ago goes first, and ``drop`` is called with it.

    Not safe in several threads: who shares one holds a lock.
    """

    def __init__(self, most: int, *, drop: Callable[[_Value], object] | None = None) -> None:
        self._most = most
        self._drop = drop
        self._values: OrderedDict[_Key, _Value] = OrderedDict()

    def __iter__(self) -> Iterator[_Key]:
        """The keys, the one used longest ago first."""
        return iter(self._values)

    def get(self, key: _Key) -> _Value | None:
        """The value, which becomes the one used last; None where there is none."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key]

    def put(self, key: _Key, value: _Value) -> None:
        """Keep the value as the one used last."""
        self._values[key] = value
        self._values.move_to_end(key)
        while len(self._values) > self._most:
            _, oldest = self._values.popitem(last=False)
            if self._drop is not None:
                self._drop(oldest)

    def remove(self, key: _Key) -> None:
        """Forget the value, if there is one; it is not dropped."""
        self._values.pop(key, None)

    def clear(self) -> None:
        """Drop all values."""
        while self._values:
            _, oldest = self._values.popitem(last=False)
            if self._drop is not None:
                self._drop(oldest)
