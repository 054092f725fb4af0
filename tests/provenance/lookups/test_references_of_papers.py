"""References as real papers print them agree with the records of the works they name, and with no others."""

import random
import re
import tarfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from lxml import etree

from pincite_core.settings import Settings
from pincite_literature.dates import PartialDate
from pincite_literature.model import Author, Identifiers, Work
from pincite_papers.opening.store import PaperStore
from pincite_provenance.citations.reference import compare, read_reference

PLOS = Path(__file__).resolve().parents[4] / "shared" / "data" / "plos-jats"
_PAPERS = 8


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Work]]:
    """Each reference as its paper prints it, with the work that the tagged parts of the XML describe."""
    if not PLOS.is_dir():
        pytest.skip("the PLOS articles are not beside the repository (../shared/data/plos-jats)")
    folder = tmp_path_factory.mktemp("references")
    found: list[tuple[str, Work]] = []
    with PaperStore(Settings(roots=(folder,), cache_dir=folder / "cache")) as store:
        for data in islice(_articles(), _PAPERS):
            paper = store.examine(data)
            works = [_work(reference) for reference in etree.fromstring(data).iterfind(".//ref")]
            assert len(works) == len(paper.references)
            printed = [paper.text[one.start : one.end] for one in paper.references]
            found += [(text, work) for text, work in zip(printed, works, strict=True) if work is not None]
    return found


def _articles() -> Iterator[bytes]:
    for path in sorted(PLOS.glob("*.tar.gz")):
        with tarfile.open(path) as archive:
            for member in archive:
                if member.name.endswith(".xml") and (file := archive.extractfile(member)) is not None:
                    yield file.read()


def _work(reference: "etree._Element") -> Work | None:
    title, year = reference.find(".//article-title"), re.search(r"\d{4}", reference.findtext(".//year") or "")
    names = [(name.findtext("surname") or "", name.findtext("given-names") or "") for name in reference.iter("name")]
    if title is None or year is None or not names:
        return None
    authors = tuple(Author(f"{given} {family}", family, given) for family, given in names)
    authors += tuple(Author("".join(group.itertext())) for group in reference.iter("collab"))
    return Work("".join(title.itertext()), Identifiers(), authors, PartialDate.of(year[0]))


def test_every_printed_reference_agrees_with_its_work(pairs: list[tuple[str, Work]]) -> None:
    assert len(pairs) > 100
    for text, work in pairs:
        made = compare(read_reference(text), work)
        assert (made.title, made.authors, made.year) == ("agrees",) * 3, text


def test_none_agrees_with_another_work(pairs: list[tuple[str, Work]]) -> None:
    works = [work for _, work in pairs]
    drawn = random.Random(5).choices(works, k=len(pairs))
    for (text, work), other in zip(pairs, drawn, strict=True):
        if other.title != work.title:
            assert compare(read_reference(text), other).title == "differs", text
