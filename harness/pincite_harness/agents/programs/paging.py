"""Paging: one call of the model a page, with the whole papers in each, and the union of what it found."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from pydantic_ai.messages import UserContent

AT_ONCE = 8
"""Calls side by side: what a rate limit of a small account bears."""
ONLY = "Answer with only what stands on page {page} of {name}; what stands elsewhere is asked for apart."

Ask = Callable[[Sequence[UserContent]], Awaitable[Any]]


async def ask_each(ask: Ask, content: Sequence[UserContent], pages: Sequence[tuple[str, int]]) -> list[Any]:
    """The answers of all pages of the papers (name, number of pages) in their order. A page whose reply holds no
    answer adds nothing; ValueError where none does."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(name: str, page: int) -> Any:
        async with gate:
            try:
                return await ask([*content, ONLY.format(page=page, name=name)])
            except ValueError as error:
                print(f"page {page} of {name}: {error}", flush=True)
                return error

    numbered = [(name, page) for name, count in pages for page in range(1, count + 1)]
    if not numbered:
        raise ValueError("pages=each needs a paper that has pages")
    found = await asyncio.gather(*(one(name, page) for name, page in numbered))
    good = [answer for answer in found if not isinstance(answer, ValueError)]
    if not good:
        raise ValueError(f"no answer on any of {len(numbered)} pages")
    return good


def merged(answers: Sequence[Any]) -> Any:
    """The union of answers that are lists, or objects of lists; exact duplicates are dropped. Of other fields the first
    value is kept. ValueError for answers of another shape."""
    if all(isinstance(answer, list) for answer in answers):
        return _union(answers)
    if not all(isinstance(answer, dict) for answer in answers):
        raise ValueError("pages=each joins records: the answers are neither lists nor objects that hold some")
    result: dict[str, Any] = {}
    for answer in cast("Sequence[dict[str, Any]]", answers):
        for name, value in answer.items():
            known = result.get(name)
            if isinstance(known, list) and isinstance(value, list):
                result[name] = _union([cast("list[Any]", known), cast("list[Any]", value)])
            else:
                result.setdefault(name, value)
    return result


def _union(lists: Sequence[list[Any]]) -> list[Any]:
    found: list[Any] = []
    for each in lists:
        found += [item for item in each if item not in found]
    return found
