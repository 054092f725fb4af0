"""A source that searches without a word that it does not know is told of."""

from collections.abc import Callable
from typing import Any


async def test_words_that_a_source_left_out_are_told(world: Callable[..., Any], one: Any) -> None:
    async with world([one]) as there:
        made = await there.call("search_papers", query="cuprate unobtainium", sources="pubmed")
        assert [entry["pmid"] for entry in made["works"]] == [one.pmid]
        assert "pubmed left out the words 'unobtainium', which it does not know." in made["note"]
        plain = await there.call("search_papers", query="cuprate", sources="pubmed")
        assert "left out" not in plain.get("note", "")
