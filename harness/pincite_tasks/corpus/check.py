"""check_corpus: whether a corpus can be served and read as it was meant."""

import importlib
import re
from pathlib import Path

from pincite_core.errors import PinciteError
from pincite_core.xml import hardened_parser
from pincite_tasks.corpus.corpus import WORKS_FILE, Corpus, read_corpus
from pincite_tasks.corpus.fulltext import as_jats, read_blocks
from pincite_tasks.corpus.search_words import split
from pincite_tasks.corpus.work import CorpusWork

LEAST_CHARS, LEAST_PAGE_CHARS = 1000, 3000
"""Characters of a full text, and of one that is a web page, below which the servers take it for none."""

_FICTIONAL = re.compile(r"10\.5555/")
_LAST_GIVEN = {"arxiv": 90_000, "pmid": 99_000_000, "pmcid": 99_000_000}
"""Numbers below these may belong to real works (arXiv's of five digits)."""
_TAG = re.compile(r"<[^<>]*>")
_FIRST_OLD = 9_900
"""Numbers of the old arXiv form from which none was given, so that made-up works may have them."""
_NO_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def check_corpus(folder: Path) -> list[str]:
    """The faults of a corpus, each with its file and line, [] for none: what cannot be read, identifiers that may be a
    real work's, retractions without sense, texts too short to be taken for one, files that nothing names."""
    try:
        corpus = read_corpus(folder)
    except PinciteError as error:
        return [str(error)]
    faults: list[str] = []
    lines = _lines(folder / WORKS_FILE)
    for work in corpus.works:
        place = f"{folder / WORKS_FILE}:{lines.get(work.id, 0)}: {work.id}"
        found = [
            *_identifiers(work),
            *_retraction(corpus, work),
            *_references(corpus, work),
            *_text(work, corpus.text(work)),
        ]
        found += _characters(corpus, work)
        faults += [f"{place}: {fault}" for fault in found]
    named = {folder / work.text for work in corpus.works if work.text}
    files = (path for path in (folder / "texts").rglob("*") if path.is_file() and path.suffix != ".jsonl")
    strays = sorted({*files, *(folder / name for name in corpus.texts.packed)} - named)
    return [*faults, *(f"{path}: no work names this text" for path in strays)]


def _lines(path: Path) -> dict[str, int]:
    import orjson

    lines = enumerate(path.read_bytes().splitlines(), start=1)
    return {orjson.loads(line)["id"]: number for number, line in lines if line.strip()}


def _identifiers(work: CorpusWork) -> list[str]:
    faults: list[str] = []
    if work.doi and not _FICTIONAL.match(work.doi):
        faults.append(f"the DOI {work.doi} may be a real work's: use the prefix 10.5555, which resolves nowhere")
    if work.arxiv:
        number = work.arxiv.partition(".")[2]
        if int(number) < (_LAST_GIVEN["arxiv"] if len(number) == len("90000") else _FIRST_OLD):
            faults.append(f"the arXiv number {work.arxiv} may be a real work's: use 9xxxx (until 2014: 99xx)")
        if (len(number) == len("90000")) != (work.arxiv[:4] >= "1501"):
            faults.append(f"arXiv's numbers have five digits from 2015 on, four before: {work.arxiv}")
    for kind, text in (("pmid", work.pmid), ("pmcid", work.pmcid.removeprefix("PMC"))):
        if text and int(text) < _LAST_GIVEN[kind]:
            faults.append(f"the {kind} {text} may be a real work's: use 99xxxxxx")
    return faults


def _retraction(corpus: Corpus, work: CorpusWork) -> list[str]:
    if work.retracted is None:
        return []
    faults: list[str] = []
    notice = corpus.works[corpus.numbers[work.retracted.notice]]
    if notice.kind != "notice":
        faults.append(f"{notice.id} retracts it, and is not a notice: give it the kind notice")
    if work.retracted.on < work.published:
        faults.append("it was retracted before it was published")
    if not notice.own_doi:
        faults.append(f"its notice {notice.id} has no DOI by which sources could name it")
    return faults


def _references(corpus: Corpus, work: CorpusWork) -> list[str]:
    cited = [other for other in corpus.cited(work) if other.published[:4] > work.published[:4]]
    return [f"it cites {other.id}, which is of a later year" for other in cited]


def _text(work: CorpusWork, text: str) -> list[str]:
    """What keeps the text from being fetched, by the rules of ``fetch_fulltext``."""
    if not work.text:
        return []
    if work.text.endswith(".txt"):
        return _plain_text(text)
    if work.text.endswith(".xml"):
        needs = "" if work.pmcid else "a JATS text is given by PMC alone: give a pmcid"
        body = _jats_fault(text)
    else:
        needs = "" if work.arxiv else "a web page is given by arXiv alone: give an arxiv number"
        body = "" if len(_TAG.sub("", text)) >= LEAST_PAGE_CHARS else "its page is too short"
    other = "" if _within(work.title, text) else "its text does not have its title, and passes for another paper's"
    return [fault for fault in (needs, body, other) if fault]


def _within(title: str, page: str) -> bool:
    """Whether the words of a title stand one after another in a page."""
    wanted, words = split(title), split(_TAG.sub(" ", page))
    return any(words[at : at + len(wanted)] == wanted for at in range(len(words)))


def _jats_fault(text: str) -> str:
    etree = importlib.import_module("lxml.etree")
    try:
        root = etree.fromstring(text.encode(), hardened_parser())
    except etree.XMLSyntaxError as error:
        return f"its text is not XML: {error}"
    return "" if root.find(".//{*}body") is not None else "its text has no <body>"


def _plain_text(text: str) -> list[str]:
    blocks = read_blocks(text)
    faults: list[str] = []
    if sum(len(block.plain) for block in blocks) < LEAST_CHARS:
        faults.append(f"its text has fewer than {LEAST_CHARS} characters, which no reader takes for a paper")
    if not any(block.kind == "heading" for block in blocks):
        faults.append("its text has no heading (# Words)")
    if any(block.kind == "table" and len({len(row) for row in block.rows}) > 1 for block in blocks):
        faults.append("a table of its text has rows of different lengths")
    return faults


def _characters(corpus: Corpus, work: CorpusWork) -> list[str]:
    text = as_jats(work, corpus.text(work), ())
    found = _NO_XML.search(text)
    return [f"it holds the character {found[0]!r}, which XML does not take"] if found else []
