"""Corpus: a folder of works read and checked, with their words and who cites whom."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import unescape
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from pincite_core.errors import BadInputError, NotFoundError
from pincite_tasks.corpus.fulltext import read_blocks
from pincite_tasks.corpus.index import ABSTRACT, AUTHORS, SUBJECTS, TEXT, TITLE, VENUE, Index
from pincite_tasks.corpus.query import Subject
from pincite_tasks.corpus.search_words import split
from pincite_tasks.corpus.texts import Texts
from pincite_tasks.corpus.work import CorpusWork
from pincite_tasks.task import describe_validation

WORKS_FILE = "works.jsonl"
_TAG = re.compile(r"<[^<>]{0,2000}>")


@dataclass(frozen=True, eq=False)
class Corpus:
    """The works of a folder in the order of their file."""

    folder: Path
    works: tuple[CorpusWork, ...]
    index: Index
    texts: Texts

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each work by its id."""
        return {work.id: number for number, work in enumerate(self.works)}

    @cached_property
    def _citing(self) -> dict[str, list[CorpusWork]]:
        citing: dict[str, list[CorpusWork]] = {work.id: [] for work in self.works}
        for work in self.works:
            for cited in dict.fromkeys(work.references):
                citing.setdefault(cited, []).append(work)
        return citing

    def subject(self, number: int) -> Subject:
        """A work and its words, for a query to be tested on."""
        return Subject(self.works[number], self.index.works[number])

    def find(self, test: Callable[[CorpusWork], bool]) -> CorpusWork | None:
        """The first work that passes."""
        return next((work for work in self.works if test(work)), None)

    def cited(self, work: CorpusWork) -> list[CorpusWork]:
        """What a work cites."""
        return [other for other in self.references(work) if not isinstance(other, str)]

    def references(self, work: CorpusWork) -> list[CorpusWork | str]:
        """What a work cites, in its order; the name alone of a work that the corpus does not hold."""
        names = dict.fromkeys(work.references)
        return [self.works[self.numbers[name]] if name in self.numbers else name for name in names]

    def citing(self, work: CorpusWork) -> list[CorpusWork]:
        """What cites a work, in the order of the file."""
        return self._citing[work.id]

    def corrected(self, work: CorpusWork) -> list[CorpusWork]:
        """The works that a work corrects."""
        return [self.works[self.numbers[name]] for name in work.corrects]

    def correcting(self, work: CorpusWork) -> list[CorpusWork]:
        """The works that correct a work."""
        return [other for other in self.works if work.id in other.corrects]

    def notice(self, work: CorpusWork) -> CorpusWork | None:
        """The work that retracts a work."""
        return self.works[self.numbers[work.retracted.notice]] if work.retracted is not None else None

    def context(self, citing: CorpusWork) -> dict[str, Any]:
        """How a work cites another, as Semantic Scholar tells it: here nothing is said."""
        return {"contexts": [], "intents": [], "isInfluential": False}

    def noticed(self, work: CorpusWork) -> list[CorpusWork]:
        """The works that a notice retracts."""
        return [other for other in self.works if other.retracted is not None and other.retracted.notice == work.id]

    def alike(self, work: CorpusWork, among: Iterable[CorpusWork]) -> list[CorpusWork]:
        """Other works by the words that they share with the title and subjects of this one, the nearest first."""
        words = split(" ".join((work.title, *work.subjects)))
        scores = self.index.scores(words, (TITLE, ABSTRACT, SUBJECTS))
        others = [other for other in among if other.id != work.id and scores[self.numbers[other.id]] > 0]
        return sorted(others, key=lambda other: (-scores[self.numbers[other.id]], self.numbers[other.id]))

    def text(self, work: CorpusWork) -> str:
        """The file of its open full text, "" where it has none."""
        return self.texts.of(work)

    def plain_text(self, work: CorpusWork) -> str:
        """The words of its open full text without markup, "" where it has none."""
        return _plain(work, self.text(work))


def read_corpus(folder: Path) -> Corpus:
    """The corpus in a folder; every fault is a BadInputError that names file and line, NotFoundError a missing file."""
    path = folder / WORKS_FILE
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        raise NotFoundError(f"There is no {path}.", next="A corpus needs works.jsonl, one work a line.") from None
    texts = Texts.read(folder)
    works: dict[str, CorpusWork] = {}
    places: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        work = _parse(path, number, line)
        for name in identifiers(work):
            if name in places:
                raise BadInputError(
                    f"{path}:{number}: {name} appears twice.",
                    seen=f"first on line {places[name]}",
                    next="Give every work names of its own.",
                )
            places[name] = number
        works[work.id] = work
    if not works:
        raise BadInputError(f"{path} does not contain a work.", next="Write one work a line.")
    for work in works.values():
        _check_links(path, places[f"the id {work.id}"], work, works, texts)
    index = Index([_words_of(texts, work) for work in works.values()])
    return Corpus(folder, tuple(works.values()), index, texts)


def open_corpus(folder: Path) -> Corpus:
    """``read_corpus``, read once as long as no file of it changes: trials and scores share it."""
    places = [place for place in (folder, folder / "texts") if place.is_dir()]
    entries = (entry for place in places for entry in os.scandir(place))
    return _opened(folder, frozenset((entry.path, entry.stat().st_mtime_ns) for entry in entries))


@lru_cache(maxsize=16)
def _opened(folder: Path, _stamp: frozenset[tuple[str, int]]) -> Corpus:
    return read_corpus(folder)


def identifiers(work: CorpusWork) -> list[str]:
    """What no two works share, named as in a message."""
    named = (("id", work.id), ("doi", work.doi), ("arxiv", work.arxiv), ("pmid", work.pmid), ("pmcid", work.pmcid))
    return [f"the {kind} {value}" for kind, value in named if value]


def _parse(path: Path, number: int, line: bytes) -> CorpusWork:
    try:
        return CorpusWork.model_validate(orjson.loads(line))
    except orjson.JSONDecodeError as error:
        raise BadInputError(f"{path}:{number} is not JSON.", seen=str(error), next="One JSON object a line.") from error
    except ValidationError as error:
        raise BadInputError(
            f"{path}:{number} is not a work.", seen=describe_validation(error), next="Correct these keys."
        ) from error


def _check_links(path: Path, number: int, work: CorpusWork, works: dict[str, CorpusWork], texts: Texts) -> None:
    named: Sequence[str] = [
        *work.references,
        *work.corrects,
        *([work.retracted.notice] if work.retracted else []),
    ]
    if unknown := sorted({name for name in named if name not in works or name == work.id}):
        raise BadInputError(
            f"{path}:{number}: {work.id} names works that do not exist.",
            seen=", ".join(unknown),
            next="Name other works of this file by their id.",
        )
    if work.text and not texts.has(work):
        raise NotFoundError(f"{path}:{number}: there is no {path.parent / work.text}.", next="Add the file.")


def _words_of(texts: Texts, work: CorpusWork) -> dict[str, str]:
    return {
        TITLE: work.title,
        ABSTRACT: work.abstract,
        AUTHORS: " ".join(f"{given} {family}" for family, given in work.names),
        VENUE: work.venue,
        SUBJECTS: " ".join(work.subjects),
        TEXT: _plain(work, texts.of(work)),
    }


def _plain(work: CorpusWork, text: str) -> str:
    """The words of a full text without its markup."""
    if work.text.endswith(".txt"):
        return "\n".join(block.plain for block in read_blocks(text))
    return unescape(_TAG.sub(" ", text))
