"""check_item_quotes and highlight_quote: quotes against the files of an item, and marked in them."""

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NotRequired

import anyio.to_thread
import orjson
from mcp.server.mcpserver import Context
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError, NotFoundError, PinciteError
from pincite_papers import doubts
from pincite_papers.model import Paper, SourceFormat
from pincite_papers.passages import locate
from pincite_zotero.choosing import need_files
from pincite_zotero.model import Entry, ZoteroSource, item_key, pdf_link
from pincite_zotero.state import ZoteroState
from pincite_zotero.tools.listing import ItemKey

if TYPE_CHECKING:
    from pincite_papers.quoting.quotes import QuoteMatch
    from pincite_provenance.ledger.entry import LedgerEntry

Quote = Annotated[str, Field(min_length=1, max_length=4000)]

_STANDINGS = {"exact": "exact", "normalised": "exact but for print", "near": "near: not a quote", "absent": "not found"}
_BEST_FIRST = tuple(_STANDINGS)
_COLORS = {"": "#2ea8e5", "holds": "#5fb236", "unsure": "#ffd400", "fails": "#ff6666"}
"""Blue for a quote, green, yellow and red for a claim: colours of Zotero's own palette, which it filters by."""
_ALPHABET = "23456789ABCDEFGHIJKLMNPQRSTUVWXYZ"
"""What the keys of Zotero are made of."""
_SHOWN_CHARS = 300
"""Characters of the paper's own words in a result."""
_MOST_TEXT = 7500
"""Characters of an annotation's text that Zotero keeps."""


class ItemQuote(TypedDict):
    """How a quote stands in the file of the item where it stands best; ``paper_says`` is what stands there instead of
    one that does not."""

    number: int
    stands: bool
    standing: str
    file: NotRequired[str]
    locator: NotRequired[str]
    link: NotRequired[str]
    paper_says: NotRequired[str]
    unreliable: NotRequired[str]


class ItemQuotes(TypedDict):
    """``unread``: files that could not be read; a quote that is not found may stand there."""

    checked: list[ItemQuote]
    faulty: list[int]
    unread: list[str]


class Highlight(TypedDict):
    """``link`` opens Zotero's reader at the highlight; ``written`` is false where it was there before."""

    annotation: str
    written: bool
    standing: str
    locator: str
    link: str
    verdict: NotRequired[str]


@dataclass(frozen=True, slots=True)
class _Found:
    """A quote in a file."""

    file: Entry
    paper: Paper
    match: "QuoteMatch"


async def check_item_quotes(
    state: ZoteroState,
    item: ItemKey,
    quotes: Annotated[list[Quote], Field(min_length=1, max_length=50)],
    calling: Context[Any, Any] | None = None,
) -> ItemQuotes:
    """Check whether quotes stand in a Zotero item's files: the article and its supplements."""
    source = await state.source()
    papers, unread = await _papers(state, source, item, calling)

    def check() -> list[ItemQuote]:
        return [_checked(source, papers, number, quote) for number, quote in enumerate(quotes, start=1)]

    checked = await anyio.to_thread.run_sync(check)
    return ItemQuotes(checked=checked, faulty=[each["number"] for each in checked if not each["stands"]], unread=unread)


async def highlight_quote(
    state: ZoteroState,
    item: ItemKey,
    quote: Annotated[str, Field(max_length=4000, description="Must stand in a PDF of the item")] = "",
    claim: Annotated[str, Field(description="Id of a recorded claim, whose quote and verdict are taken")] = "",
    comment: Annotated[str, Field(max_length=2000)] = "",
    *,
    calling: Context[Any, Any] | None = None,
) -> Highlight:
    """Highlight a quote in Zotero, with its locator and verdict as comment. Zotero asks the user for consent first."""
    api = await state.writable()
    recorded = await anyio.to_thread.run_sync(_recorded, state, claim) if claim else None
    quote = recorded.claim["quote"] if recorded is not None else quote
    if not quote.strip():
        raise BadInputError("There is no quote.", next="Give a quote, or the id of a recorded claim.")
    papers, unread = await _papers(state, api, item, calling)
    pdfs = [(file, paper) for file, paper in papers if paper.format is SourceFormat.PDF]
    if recorded is not None:
        pdfs = _about(recorded, pdfs)
    found = await anyio.to_thread.run_sync(_best, pdfs, quote)
    if found is None or not found.match.stands:
        raise _not_there(found, unread)
    start, end = found.match.start, found.match.end
    key = _annotation_key(found.file.key, found.paper, start, end, claim)
    locator = locate(found.paper, start, end)
    standing = _STANDINGS[found.match.standing]
    verdict = recorded.verdict if recorded is not None else ""
    said = f"claim {verdict}: {_words(recorded)}" if recorded is not None else f"quote {standing}"
    parts = (said, locator, comment)
    made = Highlight(
        annotation=key,
        written=not await _is_there(api, key),
        standing=standing,
        locator=locator,
        link=pdf_link(api.library, found.file.key, page=found.match.page, annotation=key),
    )
    if verdict:
        made["verdict"] = verdict
    if made["written"]:
        rects = await state.rects(found.paper, found.file, start, end)
        await api.write([_annotation(found, key, rects, " | ".join(filter(None, parts)), _COLORS[verdict])])
    return made


async def _papers(
    state: ZoteroState, source: ZoteroSource, item: str, calling: Context[Any, Any] | None
) -> tuple[list[tuple[Entry, Paper]], list[str]]:
    """The files of an item as papers, and those that cannot be read, with the reason; the error where none can."""
    papers: list[tuple[Entry, Paper]] = []
    errors: list[PinciteError] = []
    unread: list[str] = []
    for file in await need_files(source, await source.entry(item_key(item))):
        try:
            papers.append((file, await state.open(file, calling)))
        except PinciteError as error:
            errors.append(error)
            unread.append(f"{file.text('filename') or file.key}: {error.what}")
    if not papers:
        raise errors[0]
    return papers, unread


def _best(papers: list[tuple[Entry, Paper]], quote: str) -> _Found | None:
    """The file where the quote stands best, the first of equals; None where nothing like it stands."""
    from pincite_papers.quoting.quotes import find_quote

    found = [_Found(file, paper, find_quote(paper, quote)) for file, paper in papers]
    found = [each for each in found if each.match.standing != "absent"]
    return min(found, key=lambda each: (_BEST_FIRST.index(each.match.standing), each.match.distance), default=None)


def _checked(source: ZoteroSource, papers: list[tuple[Entry, Paper]], number: int, quote: str) -> ItemQuote:
    found = _best(papers, quote)
    if found is None:
        return ItemQuote(number=number, stands=False, standing=_STANDINGS["absent"])
    match, paper = found.match, found.paper
    made = ItemQuote(
        number=number,
        stands=match.stands,
        standing=_STANDINGS[match.standing],
        file=found.file.key,
        locator=locate(paper, match.start, match.end),
        link=pdf_link(source.library, found.file.key, page=match.page),
    )
    if not match.stands:
        made["paper_says"] = doubts.show(paper, match.start, min(match.end, match.start + _SHOWN_CHARS))
    unreliable = doubts.note(paper, match.start, match.end)
    if unreliable:
        made["unreliable"] = unreliable
    return made


def _recorded(state: ZoteroState, claim: str) -> "LedgerEntry":
    """A claim of the ledger that still stands; NotFoundError, TamperedError."""
    from pincite_provenance.ledger.entry import read_ledger
    from pincite_provenance.ledger.errors import tampered

    audited, entries = read_ledger(state.provenance.ledger)
    if not audited.intact:
        raise tampered(audited.path, audited.findings[0].what)
    for entry in entries.claims:
        if entry.id == claim.strip() and entry.stands:
            return entry
    raise NotFoundError(f"No claim {claim!r} that still stands is recorded.", next="See list_claims.")


def _words(entry: "LedgerEntry") -> str:
    from pincite_provenance.ledger.wording import claim_words

    return claim_words(entry)


def _about(recorded: "LedgerEntry", pdfs: list[tuple[Entry, Paper]]) -> list[tuple[Entry, Paper]]:
    """The file that a claim was recorded from: its verdict says nothing of another. NotFoundError."""
    same = [(file, paper) for file, paper in pdfs if paper.paper_id == recorded.paper["paper_id"]]
    if not same:
        raise NotFoundError(
            f"The claim {recorded.id} was recorded from another file than this item's.",
            seen=f"it is about {recorded.paper['title'] or recorded.paper['paper_id']}",
            next="Give the item that has that file, or record the claim again from the path that read_item gives.",
        )
    return same


def _not_there(found: _Found | None, unread: list[str]) -> PinciteError:
    """The error for a quote that does not stand in a PDF of the item."""
    seen = "nothing like it stands in its PDFs"
    if found is not None:
        match = found.match
        seen = f"the paper says: {doubts.show(found.paper, match.start, min(match.end, match.start + _SHOWN_CHARS))}"
    if unread:
        seen += f"; not read: {', '.join(unread)}"
    return NotFoundError("The quote does not stand there: nothing was highlighted.", seen=seen, next="Copy it exactly.")


def _annotation_key(file: str, paper: Paper, start: int, end: int, claim: str) -> str:
    """The key of the annotation of this passage: always the same, so that nothing is highlighted twice."""
    passage = " ".join(paper.text[start:end].split())
    named = f"{file} {paper.paper_id} {paper.page_at(start)} {passage} {claim}"
    number = int.from_bytes(hashlib.sha256(named.encode()).digest()[:8], "big")
    digits: list[str] = []
    for _ in range(8):
        number, digit = divmod(number, len(_ALPHABET))
        digits.append(_ALPHABET[digit])
    return "".join(digits)


async def _is_there(source: ZoteroSource, key: str) -> bool:
    try:
        await source.entry(key)
    except NotFoundError:
        return False
    return True


def _annotation(
    found: _Found, key: str, rects: dict[int, list[list[float]]], comment: str, color: str
) -> dict[str, Any]:
    """A highlight as the API takes it; BadInputError for a quote on more than two pages, or without a place."""
    pages = sorted(rects)
    if not pages or len(pages) > 2 or pages[-1] - pages[0] > 1:
        raise BadInputError(
            "This quote cannot be highlighted.",
            seen=f"it is printed on the pages {pages}" if pages else "it has no place on a page",
            next="Give a shorter quote from one page.",
        )
    start, end = found.match.start, found.match.end
    page = found.paper.pages[pages[0] - 1]
    position: dict[str, Any] = {"pageIndex": pages[0] - 1, "rects": rects[pages[0]]}
    if len(pages) == 2:
        position["nextPageRects"] = rects[pages[1]]
    down = max(min(box.y0 for number, box in found.paper.boxes(start, end) if number == pages[0]), 0.0)
    index = f"{pages[0] - 1:05d}|{min(max(start - page.start, 0), 999_999):06d}|{min(int(down), 99_999):05d}"
    return {
        "key": key,
        "version": 0,
        "itemType": "annotation",
        "parentItem": found.file.key,
        "annotationType": "highlight",
        "annotationText": " ".join(found.paper.text[start:end].split())[:_MOST_TEXT],
        "annotationComment": comment,
        "annotationColor": color,
        "annotationPageLabel": page.label or str(page.number),
        "annotationSortIndex": index,
        "annotationPosition": orjson.dumps(position).decode(),
        "tags": [{"tag": "pincite", "type": 1}],
    }
