"""Whatever words a search is made of, none of them becomes syntax, a filter or a fault of ours."""

import random
from collections.abc import Callable
from datetime import date
from types import ModuleType
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_literature.sources.crossref import Crossref
from pincite_literature.sources.openalex import OpenAlex
from pincite_literature.sources.semantic_scholar import SemanticScholar
from pincite_literature.sources.source import Query

PIECES = [
    *("gaps", "La2-xSrxCuO4", "AND", "OR", "NOT", "not", "title.search:", "to_publication_date:2030-01-01", "&", "%26"),
    *(
        '"',
        '"',
        "“",
        "(",
        ")",
        "[",
        "]",
        "*",
        "?",
        "~2",
        "|",
        "!",
        "+",
        "-",
        "\\",
        ",",
        ":",
        ";",
        "<",
        ">",
        "=",
        "^",
        "/",
    ),
    *(
        "\n",
        "\t",
        "\x00",
        "\u200b",
        "\u202e",
        "é",
        "中文",
        "🧪",
        "a" * 300,
        "{",
        "}",
        "#",
        "filter=type:book",
        "until-pub-date:2030",
    ),
]
MADE = {"crossref": Crossref, "semantic_scholar": SemanticScholar, "openalex": OpenAlex}
CUTOFF = {
    "crossref": "until-pub-date:2019-12-31",
    "semantic_scholar": ":2019-12-31",
    "openalex": "to_publication_date:2019-12-31",
}


def words(chance: random.Random, most: int) -> str:
    return chance.choice((" ", "")).join(chance.choices(PIECES, k=chance.randint(0, most)))


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("sort", ["relevance", "newest"])
async def test_any_words(
    asking: Callable[..., Any], invented: ModuleType, request: pytest.FixtureRequest, name: str, sort: Any
) -> None:
    module = request.getfixturevalue(f"{name}_server")
    work = invented.Invented("Gaps", doi="10.1000/a", s2="a" * 40, openalex="W1001", published="2018")
    chance = random.Random(f"{name} {sort}")
    async with asking(MADE[name], getattr(module, f"make_{name}")([work])) as (source, server):
        for _ in range(60):
            query = Query(
                words(chance, 8), author=words(chance, 3), venue=words(chance, 3), sort=sort, before=date(2020, 1, 1)
            )
            try:
                await source.search(query, limit=5)
            except BadInputError as error:
                assert any(said in error.what for said in ("no words", "is empty", "too long")), query
    assert len(server.asked) > 20
    for asked in server.asked:
        assert all(value.isprintable() for value in asked.params.values()), asked.params
        if asked.path == "/sources":
            continue
        stated = asked.params.get("filter", asked.params.get("publicationDateOrYear", ""))
        assert CUTOFF[name] in stated
        assert stated.count("pub-date:") + stated.count("publication_date:") <= 1
        assert asked.params.get("search", "").count('"') % 2 == 0
        assert asked.params.get("query", "").count('"') % 2 == 0
