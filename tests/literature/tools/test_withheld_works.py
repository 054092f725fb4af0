"""No tool of the literature shows a withheld work: not in lists, lookups, citations, exports or as a full text."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

DOI = "10.5555/secret"


@pytest.fixture
def works(invented: ModuleType) -> list[Any]:
    """A work that is withheld, under several identifiers, and one that cites it and is cited by it."""
    secret = invented.Invented(
        "Lattices of the secret kind",
        (("Bethe", "Hans"),),
        "An abstract about secrets.",
        "2019-02-03",
        doi=DOI,
        pmid="33001",
        pmcid="PMC77001",
        arxiv="1901.00001",
        s2="1a" * 20,
        openalex="W3300001",
        open_access=True,
        cites=("10.5555/root", "33009"),
    )
    root = invented.Invented(
        "Lattices at the root",
        published="2019-05-06",
        doi="10.5555/root",
        pmid="33009",
        s2="9b" * 20,
        openalex="W3300009",
        cites=(DOI, "33001"),
        like=(DOI,),
    )
    return [secret, root]


async def test_a_withheld_work_is_nowhere(world: Callable[..., Any], works: list[Any]) -> None:
    async with world(works) as there:
        assert "secret kind" in str(await there.call("search_papers", query="lattices"))
    async with world(works, withheld=("doi:" + DOI.upper(), "1901.00001", "33001", "PMC77001")) as there:
        found = await there.call("search_papers", query="lattices")
        assert [entry["title"] for entry in found["works"]] == ["Lattices at the root"]
        assert "withheld here" in found["note"]
        for tool in ("list_cited_works", "list_citations", "find_similar_papers"):
            if tool in there.schemas:
                assert "secret kind" not in str(await there.call(tool, id="10.5555/root"))
        for name in (DOI, "https://arxiv.org/abs/1901.00001", "Lattices of the secret kind", "PMID:33001"):
            said = await there.fails("get_paper", id=name)
            assert "abstract about" not in said
        for name in (DOI, "1901.00001", "PMC77001"):
            assert "withheld here" in await there.fails("fetch_fulltext", id=name)
        exported = await there.call("export_citations", ids=f"10.5555/root; {DOI}")
        assert exported["count"] == 1 and "secret kind" not in exported["text"]
    async with world(works, withheld=("Lattices of the Secret Kind",)) as there:
        assert "secret kind" not in str(await there.call("search_papers", query="lattices"))
        assert "withheld here" in await there.fails("get_paper", id=DOI)
