"""A small literature that nobody wrote, and the servers that see it in place of the web."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_core.settings import Settings
from pincite_tasks.corpus.corpus import read_corpus
from pincite_tasks.corpus.server import CorpusServer

SENTENCE = (
    "The crystals were checked by diffraction before their resistance was measured with four contacts in a cryostat. "
)
TEXT = (
    f"# Introduction\n\n{SENTENCE * 5}\n\n# Results\n\n"
    "The 14.2 K transition of Sr3Ta2Bi4 & its 5% shielding are bulk.\n\n"
    "Table 1. Transition temperatures.\n\n| Sample | Tc (K) |\n|---|---|\n| A | 14.2 |\n| B | 13.9 |\n\n"
    f"{SENTENCE * 5}\n"
)
PAGE = f"<html><body><h1>Kagome bismuthides without inversion symmetry</h1><p>{SENTENCE * 40}</p></body></html>"

WORKS: list[dict[str, Any]] = [
    {
        "id": "okonjo2014",
        "title": "Superconductivity at 14.2 K in the layered pnictide Sr3Ta2Bi4",
        "authors": ["Okonjo, Ada M.", "Vesely, Jan"],
        "published": "2014-05-12",
        "venue": "Journal of Invented Matter",
        "publisher": "Invented Press",
        "volume": "12",
        "pages": "101-108",
        "doi": "10.5555/jim.2014.101",
        "arxiv": "1402.9911",
        "posted": "2014-02-11",
        "abstract": "We report bulk superconductivity of Sr3Ta2Bi4 with a transition temperature of 14.2 K.",
        "references": ["lindqvist2009"],
        "text": "texts/okonjo2014.txt",
        "role": "true",
    },
    {
        "id": "lindqvist2009",
        "title": "Resistivity of Sr3Ta2Bi4 down to 1.8 K",
        "authors": ["Lindqvist, Per"],
        "published": "2009",
        "venue": "Letters on Fictional Solids",
        "doi": "10.5555/lfs.2009.5",
        "pmcid": "PMC99100001",
        "abstract": "The resistivity of Sr3Ta2Bi4 stays finite above 1.8 K.",
        "text": "texts/lindqvist2009.txt",
        "role": "negative",
    },
    {
        "id": "harker2016",
        "title": "Superconductivity near 40 K in Sr3Ta2Bi4 films",
        "authors": ["Harker, Noor"],
        "published": "2016-01-08",
        "venue": "Letters on Fictional Solids",
        "doi": "10.5555/lfs.2016.1",
        "abstract": "Films of Sr3Ta2Bi4 superconduct near 40 K.",
        "references": ["okonjo2014", "lindqvist2009"],
        "retracted": {"notice": "harker2017", "on": "2017-03-01"},
        "role": "retracted",
    },
    {
        "id": "harker2017",
        "title": "Retraction: Superconductivity near 40 K in Sr3Ta2Bi4 films",
        "authors": ["Harker, Noor"],
        "published": "2017-03-01",
        "kind": "notice",
        "venue": "Letters on Fictional Solids",
        "doi": "10.5555/lfs.2017.22",
        "role": "notice",
    },
    {
        "id": "dube2019",
        "title": "Kagome bismuthides without inversion symmetry",
        "authors": ["Dube, Thandi"],
        "published": "2019-06-03",
        "kind": "preprint",
        "arxiv": "1906.99001",
        "category": "cond-mat.mtrl-sci",
        "abstract": "A kagome lattice of bismuth is found by diffraction.",
        "text": "texts/dube2019.html",
    },
    {
        "id": "silva2021",
        "title": "Solar cells with a bismuth contact",
        "authors": ["Silva, Rui"],
        "published": "2021-09",
        "venue": "Journal of Invented Matter",
        "doi": "10.5555/jim.2021.7",
        "pmid": "99000001",
        "abstract": "A contact of bismuth raises the yield of solar cells.",
        "references": ["okonjo2014"],
    },
]
TEXTS = {
    "okonjo2014.txt": TEXT,
    "lindqvist2009.txt": TEXT.replace("transition of", "anomaly of"),
    "dube2019.html": PAGE,
}

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a corpus: ``write(works, **texts)``, by default the small literature."""

    def written(works: list[dict[str, Any]] | None = None, texts: dict[str, str] | None = None) -> Path:
        folder = tmp_path / "corpora" / "invented"
        (folder / "texts").mkdir(parents=True, exist_ok=True)
        for name, text in (TEXTS if texts is None else texts).items():
            (folder / "texts" / name).write_text(text)
        (folder / "works.jsonl").write_bytes(b"\n".join(map(orjson.dumps, WORKS if works is None else works)))
        return folder

    return written


@pytest.fixture
def works() -> list[dict[str, Any]]:
    """The lines of the small literature, to be changed."""
    return [dict(work) for work in WORKS]


@pytest.fixture
def reading(checked_calls: Callable[..., Any], write: Write, tmp_path: Path) -> Callable[..., Any]:
    """``async with reading(settings…) as call:`` the literature server in memory that sees the small literature, or the
    one in ``folder``; None for no corpus."""

    @asynccontextmanager
    async def opened(folder: Path | str | None = "", **settings: Any) -> AsyncGenerator[Callable[..., Any]]:
        from pincite_literature.server import create_server

        own: dict[str, Any] = {
            "cache_dir": tmp_path / "cache",
            "papers_dir": tmp_path / "fetched",
            "roots": (tmp_path,),
        }
        if folder is None:
            async with checked_calls(create_server(Settings(**{**own, **settings}))) as call:
                yield call
            return
        with CorpusServer(read_corpus(folder if isinstance(folder, Path) else write())) as server:
            variables = server.environment.items()
            seen: dict[str, Any] = {name.removeprefix("PINCITE_").lower(): value for name, value in variables if value}
            async with checked_calls(create_server(Settings(**{**own, **seen, **settings}))) as call:
                yield call

    return opened
