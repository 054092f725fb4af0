"""conclude_search: an answer with the chunks that carry it, checked as far as that needs no understanding."""

from typing import TYPE_CHECKING, Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.locator import digits_of
from pincite_library.model import PaperEntry, StoredChunk
from pincite_library.standing import status_of
from pincite_library.state import LibraryState, check_filled
from pincite_library.tools.answers import Missing, missing_numbers, missing_quotes, numbers_in
from pincite_library.tools.passage import source_spans
from pincite_library.tools.pruning import ChunkNames
from pincite_library.tools.reading import find_chunk

if TYPE_CHECKING:
    from pincite_library.store.store import Store

MOST_CHUNKS = 100
"""Chunks of one answer. Set by judgement."""
MOST_ANSWER_CHARS = 20_000
"""Characters of an answer. Set by judgement."""
_SHOWN = 30
"""Faults, or authors, that are named."""


class Evidence(TypedDict):
    """A chunk that carries the answer."""

    locator: str
    section: str
    kind: str
    label: NotRequired[str]
    composed: NotRequired[bool]


class CitedPaper(TypedDict):
    """A paper with its chunks."""

    paper: str
    title: str
    authors: list[str]
    year: NotRequired[int]
    journal: NotRequired[str]
    doi: NotRequired[str]
    status: NotRequired[str]
    evidence: list[Evidence]


class Unfound(TypedDict):
    """Something of the answer that stands in none of the chunks, and the answer's words around it."""

    written: str
    around: str


class Conclusion(TypedDict):
    """The answer with its papers; ``supported`` when nothing that was checked is missing from the chunks."""

    answer: str
    papers: list[CitedPaper]
    supported: bool
    numbers_checked: int
    numbers_not_found: list[Unfound]
    quotes_not_found: list[Unfound]
    note: str


async def conclude_search(
    state: LibraryState,
    answer: Annotated[str, Field(description="Your answer, or that there is none")],
    chunks: ChunkNames,
) -> Conclusion:
    """Conclude with an answer and the chunks that carry it: gives the papers to cite, and lists the numbers and quotes
    of the answer that stand in none of the chunks. Correct those and call again.
    """
    if not answer.strip() or len(answer) > MOST_ANSWER_CHARS:
        raise BadInputError(
            "The answer is empty." if not answer.strip() else f"The answer is over {MOST_ANSWER_CHARS} characters.",
            next="Give the answer, or say in it that the library has none.",
        )
    if len(chunks) > MOST_CHUNKS:
        raise BadInputError(f"More than {MOST_CHUNKS} chunks are named.", next="Name those that carry the answer.")
    return await state.work(lambda store: _conclude(store, answer.strip(), chunks))


def _conclude(store: "Store", answer: str, names: list[str]) -> Conclusion:
    check_filled(store)
    found = _found(store, names)
    texts = [text for entry, chunk in found for text in _texts(store, entry, chunk)]
    years = [str(entry.year) for entry, _ in found if entry.year is not None]
    numbers, quotes = missing_numbers(answer, [*texts, *years]), missing_quotes(answer, texts)
    return Conclusion(
        answer=answer,
        papers=_papers(found),
        supported=bool(found) and not numbers and not quotes,
        numbers_checked=len(numbers_in(answer)),
        numbers_not_found=_unfound(numbers),
        quotes_not_found=_unfound(quotes),
        note=_note(bool(found), bool(numbers or quotes)),
    )


def _found(store: "Store", names: list[str]) -> list[tuple[PaperEntry, StoredChunk]]:
    """The chunks of these names, each once; NotFoundError that tells of every one that is not there."""
    found: list[tuple[PaperEntry, StoredChunk]] = []
    errors: list[NotFoundError] = []
    for name in dict.fromkeys(name.strip() for name in names):
        try:
            entry, chunks, at = find_chunk(store, name)
        except NotFoundError as error:
            errors.append(error)
        else:
            found.append((entry, chunks[at]))
    if errors:
        raise NotFoundError(
            f"{len(errors)} of the chunks named are not in the library.",
            seen="; ".join(error.short() for error in errors[:_SHOWN]),
            next="Name chunks as search_passages gives them now, or leave these out.",
        )
    return found


def _texts(store: "Store", entry: PaperEntry, chunk: StoredChunk) -> list[str]:
    """What a chunk says: its text and, where that was composed, its source's own words."""
    if chunk.chunk.exact:
        return [chunk.chunk.text]
    text = store.text(entry.paper_id)
    return [chunk.chunk.text, *(text[start:end] for start, end in source_spans(chunk))]


def _papers(found: list[tuple[PaperEntry, StoredChunk]]) -> list[CitedPaper]:
    papers: dict[str, CitedPaper] = {}
    for entry, stored in found:
        if entry.paper_id not in papers:
            paper = CitedPaper(
                paper=digits_of(entry.paper_id), title=entry.title, authors=list(entry.authors[:_SHOWN]), evidence=[]
            )
            if entry.year is not None:
                paper["year"] = entry.year
            if entry.journal:
                paper["journal"] = entry.journal
            if entry.doi:
                paper["doi"] = entry.doi
            if status := status_of(entry):
                paper["status"] = status
            papers[entry.paper_id] = paper
        chunk = stored.chunk
        evidence = Evidence(locator=stored.locator, section=chunk.section, kind=chunk.kind.value)
        if chunk.label:
            evidence["label"] = chunk.label
        if not chunk.exact:
            evidence["composed"] = True
        papers[entry.paper_id]["evidence"].append(evidence)
    return list(papers.values())


def _unfound(missing: list[Missing]) -> list[Unfound]:
    return [Unfound(written=one.written, around=one.around) for one in missing[:_SHOWN]]


def _note(named: bool, missing: bool) -> str:
    if not named:
        return "No chunk is named: nothing carries this answer but that the library may not have it."
    if missing:
        return "Correct what is listed, name the chunk that has it, or say in the answer that you derived it."
    return (
        "Numbers and double-quoted words of the answer were found in the chunks; whether they mean it was not checked."
    )
