"""CorpusWork: one line of works.jsonl, a work that nobody wrote."""

import hashlib
import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

Kind = Literal[
    "article", "review", "preprint", "conference", "chapter", "book", "thesis", "report", "dataset", "notice"
]
Role = Literal["true", "contradicting", "negative", "unrelated", "retracted", "hidden", "related", "notice"]

_ID = r"^[a-z0-9][a-z0-9-]{0,59}$"
_DOI = r"^10\.\d{4,9}/[^\s\"<>A-Z]+$"
_ARXIV = r"^\d{4}\.\d{4,5}$"
_PARTIAL = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


def _date(text: str) -> str:
    found = _PARTIAL.fullmatch(text)
    if found is None:
        raise ValueError("give YYYY, YYYY-MM or YYYY-MM-DD")
    date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    return text


def _byline(text: str) -> str:
    family, comma, given = (part.strip() for part in text.partition(","))
    if not family or (comma and not given):
        raise ValueError("give an author as 'Family, Given'")
    return text


Day = Annotated[str, AfterValidator(_date)]
Author = Annotated[str, AfterValidator(_byline)]


class Retraction(BaseModel):
    """That a work was retracted: ``notice`` is the id of the work of the corpus that says so."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    notice: str = Field(pattern=_ID)
    on: Day
    """When it was retracted."""
    labelled: bool = True
    """Whether publisher and indexes put "RETRACTED:" before its title; many records say it in their relations alone."""


class CorpusWork(BaseModel):
    """A work as its sources know it. ``role`` and ``note`` are for the authors of tasks: no source ever says them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=_ID)
    """Its name in the corpus: in ``references``, in ``retracted``, in the names of texts."""
    title: str = Field(min_length=5, max_length=500)
    authors: list[Author] = Field(min_length=1)
    """Each as ``Family, Given``."""
    published: Day
    """When it appeared, as precisely as the sources know."""
    kind: Kind = "article"
    venue: str = ""
    publisher: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    issn: str = Field(default="", pattern=r"^(\d{4}-\d{3}[\dX])?$")
    doi: str = Field(default="", pattern=rf"^$|{_DOI}")
    """In lower case; use a prefix that resolves nowhere, such as 10.5555. Crossref knows works by it."""
    arxiv: str = Field(default="", pattern=rf"^$|{_ARXIV}")
    """Without version; use a number that was never given (2105.90001). arXiv knows works by it."""
    posted: str = Field(default="", pattern=r"^(\d{4}-\d{2}-\d{2})?$")
    """When its preprint came to arXiv; ``published`` where that is the preprint's own day."""
    category: str = "cond-mat.supr-con"
    """Its primary category in arXiv."""
    pmid: str = Field(default="", pattern=r"^([1-9]\d{0,8})?$")
    pmcid: str = Field(default="", pattern=r"^(PMC[1-9]\d{0,9})?$")
    """Europe PMC knows works by PMID and PMCID, and gives the open texts of those with a PMCID."""
    abstract: str = ""
    """Plain text; formulas as they are said in one line: "La3Ni2O7"."""
    subjects: list[str] = Field(default_factory=list)
    references: list[str] = Field(default_factory=list)
    """Ids of works of the corpus that it cites."""
    corrects: list[str] = Field(default_factory=list)
    """Ids of works that it corrects, as publishers register it (an erratum, whatever its title says)."""
    text: str = Field(default="", pattern=r"^(texts/[\w.-]+\.(txt|xml|html))?$")
    """Its open full text: a file of the corpus, or a line of a pack of texts (``texts/*.jsonl``)."""
    licence: str = "cc-by"
    """Of the full text."""
    retracted: Retraction | None = None
    role: Role = "unrelated"
    """What it is to the tasks: the truth, a contradiction of it, a negative result, …; ``hidden``: true, but under
    other words than the question's."""
    note: str = ""

    @model_validator(mode="after")
    def _is_known(self) -> Self:
        if not (self.doi or self.arxiv or self.pmid or self.pmcid):
            raise ValueError("no source knows it: give a doi, arxiv, pmid or pmcid")
        if self.arxiv and not self.day_posted:
            raise ValueError("give the day on which it was posted to arXiv: posted, or published as YYYY-MM-DD")
        if self.arxiv and self.day_posted[2:4] + self.day_posted[5:7] != self.arxiv[:4]:
            raise ValueError(f"arXiv's number {self.arxiv} is not of the month in which it was posted")
        if self.text and not (self.arxiv or self.pmcid):
            raise ValueError("no source holds its text: give arxiv or pmcid")
        return self

    @property
    def day_posted(self) -> str:
        """The day of its preprint, "" where there is none."""
        return (
            (self.posted or (self.published if len(self.published) == len("2020-01-01") else "")) if self.arxiv else ""
        )

    @property
    def first_day(self) -> str:
        """Its date as sources write it that fill up what they do not know with ones."""
        return f"{self.published}{'-01-01'[len(self.published) - len('2020-01-01') :]}"[:10]

    @property
    def labelled(self) -> bool:
        """Whether its title is shown with the label of a retracted work."""
        return self.retracted is not None and self.retracted.labelled

    @property
    def open(self) -> bool:
        """Whether its text can be read for free."""
        return bool(self.text)

    @property
    def ppr(self) -> str:
        """Its number among the preprints of Europe PMC, which holds none of a corpus."""
        return ""

    @property
    def in_europe_pmc(self) -> bool:
        """Whether Europe PMC has its open text."""
        return bool(self.pmcid) and self.text.endswith((".txt", ".xml"))

    @property
    def has_pdf(self) -> bool:
        """Whether an index that looks for open copies would have found one."""
        return self.open or bool(self.arxiv)

    @property
    def publisher_pdf(self) -> str:
        """The address of its PDF at its publisher, of which a corpus holds none."""
        return ""

    @property
    def names(self) -> list[tuple[str, str]]:
        """Family and given name of each author."""
        parted = (author.partition(",") for author in self.authors)
        return [(family.strip(), given.strip()) for family, _, given in parted]

    @property
    def year(self) -> int | None:
        """The year in which it appeared."""
        return int(self.published[:4]) if self.published else None

    @property
    def updated(self) -> str:
        """The day of its second version in arXiv, "" where there is one version."""
        return ""

    @property
    def categories(self) -> tuple[str, ...]:
        """Its categories in arXiv, the primary one first."""
        return (self.category,)

    @property
    def comment(self) -> str:
        """What its authors say of it in arXiv."""
        return "This paper has been withdrawn by the authors" if self.retracted is not None and not self.doi else ""

    @property
    def publisher_licence(self) -> str:
        """The licence that its publisher registers, "" for none."""
        return self.licence if self.open and self.pmcid else ""

    @property
    def raw(self) -> Mapping[str, Any]:
        """Fields of one source's record to put in place of those made of the above, None for one to leave out."""
        return {}

    @property
    def openalex(self) -> str:
        """Its id in OpenAlex."""
        return f"W9{int(self._digest()[:12], 16) % 10**9:09d}"

    @property
    def s2(self) -> str:
        """Its paperId in Semantic Scholar."""
        return self._digest()[:40]

    @property
    def own_doi(self) -> str:
        """Its DOI, or that of its preprint."""
        return self.doi or (f"10.48550/arxiv.{self.arxiv}" if self.arxiv else "")

    def _digest(self) -> str:
        return hashlib.sha256(f"{self.id}\n{self.doi}{self.arxiv}{self.pmid}{self.pmcid}".encode()).hexdigest()
