"""PubMed's XML (efetch, db=pubmed) read by biopython, which gets nothing but our own DTD and clean bytes.

``Bio.Entrez.Parser`` fetches DTDs that it does not know and makes a folder for them in the user's home. So the answer
is read strictly first and written again without its document type; then it names the newest DTD that biopython ships,
kept in biopython's own folder; elements that this DTD does not know are skipped.
"""

import importlib
import re
from collections.abc import Mapping
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

from pincite_core.http.exchange import Response
from pincite_core.http.outcomes import failure
from pincite_core.http.xml import read_xml
from pincite_literature.sources.record import Record

_SET = "PubmedArticleSet"
_KINDS = ("PubmedArticle", "PubmedBookArticle")
_DTD = re.compile(r"pubmed_(\d{6})\.dtd")
_PLACE = "https://dtd.nlm.nih.gov/ncbi/pubmed/out/"
_UNREAD = (ValueError, LookupError, TypeError, AttributeError, AssertionError, RuntimeError)
"""What biopython raises at a record that is not as its DTD says."""
_NOTHING = ("empty", "not found", "cannot get document")


def read_records(response: Response) -> tuple[Record, ...]:
    """The records (PubmedArticle, PubmedBookArticle) of a body; one that cannot be read is left out.

    Markup inside of texts stays as it is, everything else in them is escaped. Raises SourceError ("malformed", or
    "server_error" for what NCBI says is one).
    """
    parser = entrez_parser()
    root = read_xml(response)
    if root.tag == "eFetchResult":
        return _refused(response, " ".join("".join(root.itertext()).split()))
    if root.tag != _SET:
        raise response.malformed(f"it is not a {_SET}")
    for child in list(root):
        if child.tag not in _KINDS:
            root.remove(child)
    if len(root) == 0:
        return ()
    try:
        return _read(parser, [root])
    except _UNREAD:
        return _read_each(response, parser, list(root))


def entrez_parser() -> Any:
    """The module ``Bio.Entrez.Parser``, its folder of DTDs biopython's own."""
    entrez: Any = importlib.import_module("Bio.Entrez")
    if entrez.local_cache is None:
        entrez.local_cache = str(Path(entrez.__file__).parents[2])
    return importlib.import_module("Bio.Entrez.Parser")


def _read_each(response: Response, parser: Any, articles: list[Any]) -> tuple[Record, ...]:
    """Record by record: those that biopython does not take are left out, unless it takes none."""
    etree = importlib.import_module("lxml.etree")
    found: list[Record] = []
    problem = ""
    for article in articles:
        alone = etree.Element(_SET)
        alone.append(article)
        try:
            found += _read(parser, [alone])
        except _UNREAD as error:
            problem = str(error)
    if not found:
        raise response.malformed(problem[:200])
    return tuple(found)


def _read(parser: Any, roots: list[Any]) -> tuple[Record, ...]:
    etree = importlib.import_module("lxml.etree")
    content = b"".join(etree.tostring(root, encoding="utf-8", with_tail=False) for root in roots)
    place = f"{_PLACE}{_newest_dtd(parser)}"
    handler = _handler(parser, place, _tables(place))
    read = Record.of(handler.read(BytesIO(_head(place) + content))) or Record()
    return tuple(record for kind in _KINDS for record in read.records(kind))


def _head(place: str) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE {_SET} SYSTEM "{place}">'.encode()


def _handler(parser: Any, place: str, tables: Mapping[str, Any] | None) -> Any:
    """A reader without ways to the network: schemas are a ValueError, and so are DTDs other than that at ``place``, of
    which ``tables`` hold what was read before, and those inside of it."""
    handler = parser.DataHandler(validate=False, escape=True, ignore_errors=True)
    read_dtd = handler.externalEntityRefHandler

    def read_ours(context: object, base: object, named: str, name: object) -> object:
        if tables is None and (opened := handler.open_dtd_file(named.rpartition("/")[2])) is not None:
            opened.close()
            return read_dtd(context, base, named, name)
        if tables is None or named != place:
            raise ValueError(f"the DTD {named[:100]!r} is not at hand")
        for table, read in tables.items():
            setattr(handler, table, read)
        handler.parser.StartElementHandler = handler.startElementHandler
        return 1

    def refuse(name: str, _attributes: object) -> None:
        raise ValueError(f"{name[:100]!r} names a schema")

    handler.externalEntityRefHandler = read_ours
    handler.schemaHandler = refuse
    return handler


@lru_cache(maxsize=1)
def _tables(place: str) -> Mapping[str, Any]:
    """What biopython makes of the DTD: which elements are lists, records, texts (it reads the DTD again every time)."""
    handler = _handler(entrez_parser(), place, None)
    handler.read(BytesIO(_head(place) + f"<{_SET}/>".encode()))
    return {name: getattr(handler, name) for name in ("constructors", "strings", "errors", "items")}


def _newest_dtd(parser: Any) -> str:
    """The name of biopython's newest DTD of PubMed, by the date in it (YYMMDD)."""
    names = (path.name for path in Path(parser.DataHandler.global_dtd_dir).iterdir())
    dated = [match for name in names if (match := _DTD.fullmatch(name)) and not match[1].startswith(("8", "9"))]
    return max(dated, key=lambda match: match[1])[0]


def _refused(response: Response, words: str) -> tuple[Record, ...]:
    if any(sign in words.lower() for sign in _NOTHING):
        return ()
    response.forget()
    title = response.request.policy.title
    raise failure(response.request, "server_error", f"{title} answered with an error.", words[:300])
