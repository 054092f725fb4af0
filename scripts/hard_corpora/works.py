"""Draft and Register: works in the making, with names that no two of them share; and the files of a corpus."""

import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import orjson

LARGEST = 380_000
"""Bytes of a pack of texts: the repository takes no file above 400,000."""

NAMES: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))


@dataclass
class Draft:
    """A work in the making; ``blocks`` are its text, "" for none."""

    id: str
    title: str
    authors: list[str]
    published: str
    kind: str = "article"
    fields: dict[str, Any] = field(default_factory=dict[str, Any])
    abstract: str = ""
    references: list[str] = field(default_factory=list[str])
    text: str = ""

    @property
    def year(self) -> int:
        return int(self.published[:4])

    @property
    def doi(self) -> str:
        """Its DOI, or that of its preprint."""
        return self.fields.get("doi") or f"10.48550/arxiv.{self.fields['arxiv']}"

    @property
    def names(self) -> list[str]:
        """Its authors as they are printed."""
        return [" ".join(reversed(author.split(", "))) for author in self.authors]

    @property
    def cited(self) -> str:
        """Its authors and year, as a sentence names them."""
        first, *others = (author.partition(",")[0] for author in self.authors)
        return (
            f"{first} {f'and {others[0]}' if len(others) == 1 else 'et al.' if others else ''} ({self.year})".replace(
                "  ", " "
            )
        )

    @property
    def where(self) -> str:
        """Journal, volume, page and year."""
        if "volume" not in self.fields:
            return f"arXiv:{self.fields['arxiv']}"
        return f"{self.fields['venue']} {self.fields['volume']}, {self.fields['pages']} ({self.year})"

    def line(self) -> dict[str, Any]:
        """Its line of works.jsonl."""
        told = {"id": self.id, "title": self.title, "authors": self.authors, "published": self.published}
        told |= {"kind": self.kind} if self.kind != "article" else {}
        told |= {**self.fields, "abstract": self.abstract, "references": self.references}
        told |= {"text": f"texts/{self.id}.txt"} if self.text else {}
        return {name: value for name, value in told.items() if value not in ("", [])}


class Register:
    """Gives people, journals, days and identifiers, all from one seed; ``digit`` keeps those of two corpora apart."""

    def __init__(self, seed: str, digit: int, journals: Sequence[Sequence[str]]) -> None:
        self.random = Random(f"{seed}/register")
        self._digit, self._journals = digit, journals
        self._ids: set[str] = set()
        self._titles: set[str] = set()
        self._numbers = self.random.sample(range(100, 1000), 900)
        families = list(NAMES["families"])
        self.random.shuffle(families)
        self._families = families

    def group(self, size: int) -> list[str]:
        """The people of a laboratory."""
        self._families = self._families[size:] + self._families[:size]
        return [f"{family}, {self.random.choice(NAMES['givens'])}" for family in self._families[:size]]

    def byline(self, group: Sequence[str]) -> list[str]:
        """Some of a laboratory, in some order."""
        return self.random.sample(list(group), self.random.randint(2, min(5, len(group))))

    def title(self, candidates: Iterable[str]) -> str:
        """The first title that no work has yet."""
        for title in candidates:
            if title.casefold() not in self._titles:
                self._titles.add(title.casefold())
                return title
        raise ValueError("no title is left")

    def draft(self, title: str, authors: list[str], year: int, *, preprint: bool = False, held: bool = True) -> Draft:
        """A work with its identifiers; ``held``: somebody has room for its full text."""
        day = f"{year}-{self.random.randint(1, 12):02d}-{self.random.randint(1, 28):02d}"
        family = "".join(
            letter for letter in unicodedata.normalize("NFKD", authors[0].partition(",")[0]).lower() if letter.isalnum()
        )
        name = next(each for each in (f"{family}{year}{suffix}" for suffix in _suffixes()) if each not in self._ids)
        self._ids.add(name)
        number = self._numbers.pop()
        if preprint:
            return Draft(name, title, authors, day, "preprint", {"arxiv": self._arxiv(day, number)})
        venue, short, issn = self.random.choice(list(self._journals))
        volume, page = str(year - 1989 + len(short)), f"{self._digit}{number:03d}"
        fields: dict[str, Any] = {"venue": venue, "issn": issn, "volume": volume, "pages": page}
        fields["doi"] = f"10.5555/{short}.{year}.{volume}.{page}"
        if held and (self.random.random() < 0.55 or year <= 2015):
            fields["pmcid"] = f"PMC99{self._digit}{number:05d}"
        elif held:
            posted = f"{year - 1}-{self.random.randint(7, 12):02d}-{self.random.randint(1, 28):02d}"
            fields |= {"arxiv": self._arxiv(posted, number), "posted": posted}
        return Draft(name, title, authors, day, "article", fields)

    def _arxiv(self, day: str, number: int) -> str:
        return f"{day[2:4]}{day[5:7]}.9{self._digit}{number:03d}"


def _suffixes() -> Iterable[str]:
    yield ""
    yield from "bcdefghijklmnopqrstuvwxyz"


def write_corpus(folder: Path, drafts: Sequence[Draft]) -> None:
    """works.jsonl and the packs of texts, in place of those that are there."""
    texts = folder / "texts"
    texts.mkdir(parents=True, exist_ok=True)
    for old in texts.glob("*.jsonl"):
        old.unlink()
    (folder / "works.jsonl").write_bytes(b"".join(_line(draft.line()) for draft in drafts))
    pack, size, number = b"", 0, 1
    for draft in drafts:
        line = _line({"name": f"{draft.id}.txt", "text": draft.text}) if draft.text else b""
        if size + len(line) > LARGEST:
            (texts / f"part-{number}.jsonl").write_bytes(pack)
            pack, size, number = b"", 0, number + 1
        pack, size = pack + line, size + len(line)
    (texts / f"part-{number}.jsonl").write_bytes(pack)


def write_records(path: Path, records: Sequence[Any]) -> None:
    """One record a line."""
    path.write_bytes(b"".join(_line(record) for record in records))


def _line(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
