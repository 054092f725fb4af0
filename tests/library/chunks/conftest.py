"""Small papers made by the tests, and real ones from ../shared/data, read by the real parsers."""

import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite_papers.model import Paper
from pincite_papers.opening.source import parse_source

_DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data"
_ARCHIVES = ("plos-jats/plos_starter_corpus.tar.gz", "craft-jats/craft_articles_nxml.tar.gz")
_PDFS = ("papers-cc-by/mdpi_04-00932.pdf", "papers-cc-by/natcomm_zeolite.pdf", "jats-pdf-pairs/jose.00261.pdf")
_EVERY = 12

_FRONT = """<front><journal-meta><journal-title-group><journal-title>Journal of Made Matter</journal-title>
</journal-title-group></journal-meta><article-meta><article-id pub-id-type="doi">10.5555/made.1</article-id>
<title-group><article-title>Superconductivity of made compounds</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Lovelace</surname><given-names>Ada</given-names></name>
</contrib><contrib contrib-type="author"><name><surname>Noether</surname><given-names>Emmy</given-names></name>
</contrib></contrib-group><pub-date><year>2021</year></pub-date>
<abstract><p>We report the transition temperature of compounds that nobody has made. It rises with pressure.</p>
</abstract><kwd-group><kwd>cuprates</kwd><kwd>pressure</kwd></kwd-group></article-meta></front>"""


@pytest.fixture(scope="session")
def jats() -> Callable[..., Paper]:
    """``jats(body, back="")``: the paper of a JATS article with this body."""

    def read(body: str, back: str = "") -> Paper:
        source = (
            '<?xml version="1.0"?><article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article">'
            f"{_FRONT}<body>{body}</body><back>{back}</back></article>"
        )
        return parse_source(source.encode(), max_pages=10)

    return read


@pytest.fixture(scope="session")
def real_papers(missing: Callable[[str], None]) -> list[Paper]:
    """Every twelfth article of the archives and three PDFs."""
    found: list[Paper] = []
    for archive in _ARCHIVES:
        if (_DATA / archive).is_file():
            with tarfile.open(_DATA / archive) as members:
                names = sorted(name for name in members.getnames() if name.endswith(("xml", "nxml")))
                files = [members.extractfile(name) for name in names[::_EVERY]]
                found += [parse_source(file.read(), max_pages=100) for file in files if file is not None]
    found += [parse_source((_DATA / name).read_bytes(), max_pages=100) for name in _PDFS if (_DATA / name).is_file()]
    if not found:
        missing(f"no papers under {_DATA}")
    return found
