"""export_citations: formats, lists of names, what is missing."""

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_literature.exporting import split_names


@pytest.mark.parametrize(("kind", "begins"), [("bibtex", "@article{"), ("ris", "TY  - JOUR"), ("csl-json", "[")])
async def test_formats(kind: str, begins: str, world: Callable[..., Any], one: Any) -> None:
    async with world([one]) as there:
        made = await there.call("export_citations", ids=one.doi, format=kind)
        assert made["text"].startswith(begins)
        assert made["count"] == 1
        assert made["missing"] == []
        assert one.doi in (json.loads(made["text"])[0]["DOI"] if kind == "csl-json" else made["text"])


async def test_several_works_and_what_is_missing(world: Callable[..., Any], one: Any, invented: ModuleType) -> None:
    other = invented.Invented("Lattices of invented order", doi="10.5555/other", published="2020")
    async with world([one, other]) as there:
        made = await there.call("export_citations", ids=f"{one.doi}; {one.arxiv}\n10.5555/other\n10.5555/nothing")
        assert made["count"] == 2
        assert made["text"].count("@") == 2
        (missing,) = made["missing"]
        assert missing.startswith("10.5555/nothing: No source that answered has")


async def test_what_does_not_fit_is_named(world: Callable[..., Any], invented: ModuleType) -> None:
    works = [
        invented.Invented(f"Lattice {at}: " + "very long and of its own kind " * 20 + str(at), doi=f"10.5555/{at}.x")
        for at in range(18)
    ]
    async with world([], own={"crossref": works}) as there:
        made = await there.call("export_citations", ids=";".join(one.doi for one in works))
        assert 0 < made["count"] < 18
        assert len(made["text"]) <= 9000
        assert made["count"] + len(made["missing"]) == 18
        assert "no room was left" in made["missing"][-1]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("10.1/a, b", ["10.1/a, b"]),
        ("10.1000/a,10.1000/b 2001.00001", ["10.1000/a", "10.1000/b", "2001.00001"]),
        ("A title, with a comma\n 10.1000/a ; ;\n", ["A title, with a comma", "10.1000/a"]),
        ("10.1000/a;10.1000/a", ["10.1000/a"]),
        (
            "10.1002/(SICI)1(199806)49:8<6::AID-A4>3.0.CO;2-O; 7",
            ["10.1002/(SICI)1(199806)49:8<6::AID-A4>3.0.CO;2-O", "7"],
        ),
        (
            "10.1175/1520-0469(1998)055<3137:TDOTHC>2.0.CO;2;10.1/a",
            ["10.1175/1520-0469(1998)055<3137:TDOTHC>2.0.CO;2", "10.1/a"],
        ),
    ],
)
def test_names_are_parted(text: str, names: list[str]) -> None:
    assert split_names(text) == names


@pytest.mark.parametrize("text", ["", " ; \n", ";".join(f"10.1000/{at}" for at in range(21))])
def test_no_names_or_too_many(text: str) -> None:
    with pytest.raises(BadInputError):
        split_names(text)


async def test_arxiv_is_asked_for_its_own_works_alone(world: Callable[..., Any], one: Any) -> None:
    async with world([one]) as there:
        made = await there.call("export_citations", ids=one.doi)
        assert one.arxiv in made["text"]
        assert not there.asked("arxiv")
        await there.call("export_citations", ids=one.arxiv)
        assert there.asked("arxiv")
        whole = await there.call("get_paper", id=one.doi)
        assert "arxiv" in {entry["source"] for entry in whole["sources"]}
