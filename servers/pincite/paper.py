"""Paper: a parsed paper whose every part knows where it stands."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pincite.blocks import Block, blocks_of, rendered
from pincite.checks import QuoteCheck, StatedValue
from pincite.export import as_dict, as_html
from pincite.figures import Figure, Page
from pincite.tables import Table
from pincite_core.errors import BadInputError
from pincite_core.locator import Locator, parse_locator
from pincite_core.patterns import FoldedText, find_literal, find_regex
from pincite_figures.jobs import FigureJobs
from pincite_figures.naming import find_figure
from pincite_papers import doubts
from pincite_papers.labels import find_table
from pincite_papers.model import Paper as ParsedPaper
from pincite_papers.passages import PerPaper, section_at, short_id
from pincite_papers.quoting.quotes import find_quote
from pincite_provenance.model import Claim, ClaimChecks

_folded = PerPaper(lambda paper: FoldedText.of(paper.text))


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of the text: ``text`` is exactly what ``locator`` names. ``section`` is the heading that it stands under.

    ``unreliable`` says which of its characters the source maps to doubtful signs, "" where none is; ``marked`` is the
    text with ⁅⁆ around them.
    """

    text: str
    locator: Locator
    section: str
    unreliable: str
    marked: str

    @property
    def page(self) -> int | None:
        """The page on which it begins, from 1; None in a source without pages."""
        return self.locator.page


@dataclass(frozen=True, slots=True)
class Section:
    """A section with its subsections: ``level`` from 1, printed ``number`` ("2.1", "" if none), ``title``, ``text``."""

    number: str
    title: str
    level: int
    text: str
    locator: Locator


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry of the reference list: printed number or ``key``, its text, the identifiers that it names."""

    key: str
    text: str
    doi: str | None
    arxiv: str | None
    pmid: str | None
    locator: Locator


class Paper:
    """A parsed paper. ``text`` is its canonical text in reading order, in which all locators count characters."""

    def __init__(self, parsed: ParsedPaper, jobs: FigureJobs) -> None:
        self._parsed, self._jobs = parsed, jobs
        self.id = parsed.paper_id
        self.title, self.authors = parsed.title, parsed.authors
        self.doi, self.journal, self.year = parsed.doi, parsed.journal, parsed.year
        self.keywords = parsed.keywords
        self.format = parsed.format.value
        self.text = parsed.text
        self.warnings = parsed.warnings

    def __repr__(self) -> str:
        return f"<Paper {short_id(self._parsed)} {self.title[:60]!r}>"

    @property
    def pages(self) -> list[Page]:
        """The pages; none for JATS, LaTeX and HTML."""
        return [Page(self._parsed, page, self._jobs) for page in self._parsed.pages]

    @property
    def sections(self) -> list[Section]:
        """The sections in order, subsections behind the section that holds them."""
        return [
            Section(
                one.number,
                one.title,
                one.level,
                self.text[one.start : one.end],
                self._parsed.locator(one.start, one.heading_end),
            )
            for one in self._parsed.sections
        ]

    @property
    def tables(self) -> list[Table]:
        """The tables in order."""
        return [Table(self._parsed, index) for index in range(len(self._parsed.tables))]

    @property
    def figures(self) -> list[Figure]:
        """The figures in order."""
        return [Figure(self._parsed, index, self._jobs) for index in range(len(self._parsed.figures))]

    @property
    def references(self) -> list[Reference]:
        """The reference list."""
        return [
            Reference(
                one.key,
                self.text[one.start : one.end],
                one.doi,
                one.arxiv,
                one.pmid,
                self._parsed.locator(one.start, one.end),
            )
            for one in self._parsed.references
        ]

    def read(self, pages: str = "", section: str = "") -> str:
        """The text with each block behind its [locator], as the tools read_pages and read_section give it, whole.

        ``pages`` as in "3" or "1,4-6"; ``section`` is a number, title or locator. ⁅⁆ stand around unreliable
        characters. BadInputError for both at once or pages that there are none of, NotFoundError for a section.
        """
        return rendered(self._parsed, pages, section)

    def blocks(self, pages: str = "", section: str = "") -> list[Block]:
        """The blocks of all of it, of pages or of a section, in reading order; errors as those of ``read``."""
        return blocks_of(self._parsed, pages, section)

    def to_dict(self, pages: str = "", section: str = "") -> dict[str, Any]:
        """What is known of the paper, and its blocks, tables, figures and references with locators, for JSON."""
        return as_dict(self._parsed, pages, section)

    def to_html(self, pages: str = "", section: str = "") -> str:
        """A plain page of HTML whose elements have their locators as ids."""
        return as_html(self._parsed, pages, section)

    def table(self, name: str) -> Table:
        """The table that is called so: "Table 2", "2", "#1" for the first, or a locator inside it."""
        return Table(self._parsed, find_table(self._parsed, name))

    def figure(self, name: str) -> Figure:
        """The figure that is called so: "Fig. 3", "3", "#1" for the first."""
        return Figure(self._parsed, find_figure(self._parsed, name), self._jobs)

    def find(self, text: str, *, case_sensitive: bool = False, whole_word: bool = False) -> list[Passage]:
        """Where a text stands. Differences of print are forgiven: dashes, quotation marks, spaces, script marks, ⁅⁆."""
        folded = _folded.of(self._parsed)
        return self._passages(
            find_literal(folded, doubts.bare(text), case_sensitive=case_sensitive, whole_word=whole_word)
        )

    def grep(self, pattern: str, *, case_sensitive: bool = False, whole_word: bool = False) -> list[Passage]:
        """Where an RE2 expression matches (no look-around, no back-references; every dash of the text is ``-``)."""
        return self._passages(
            find_regex(self.text, doubts.bare(pattern), case_sensitive=case_sensitive, whole_word=whole_word)
        )

    def locate(self, start: int, end: int) -> Locator:
        """The locator of ``text[start:end]``, with its page and its box there."""
        return self._parsed.locator(start, end)

    def passage(self, locator: str | Locator) -> Passage:
        """What a locator of this paper names ("pc:3f9a0c1d#p4:1021-1088"); BadInputError for another paper's."""
        short = parse_locator(str(locator))
        if short.paper_prefix != short_id(self._parsed):
            raise BadInputError(
                f"{locator} is a locator of another paper.",
                seen=f"this paper's begin with pc:{short_id(self._parsed)}",
                next="Open the paper that it names.",
            )
        return self._passage(short.start, short.end)

    def verify_quote(self, quote: str, page: int | None = None) -> QuoteCheck:
        """Whether a quote stands in the paper, and on ``page`` where one is given; case and numbers must agree."""
        match = find_quote(self._parsed, quote, page)
        there = match.standing != "absent"
        return QuoteCheck(
            standing=match.standing,
            locator=self._parsed.locator(match.start, match.end) if there else None,
            wrong_page=match.wrong_page,
            overlooked=match.normalisations,
            paper_says=doubts.show(self._parsed, match.start, match.end) if match.standing == "near" else "",
            unreliable=doubts.note(self._parsed, match.start, match.end) if there else "",
        )

    def check_claim(
        self, quote: str, *, value: str = "", unit: str = "", material: str = "", quantity: str = "", place: str = ""
    ) -> ClaimChecks:
        """Whether the paper says what a claim says it does, by the rules of verify_claim: no model is asked.

        ``quote`` are the words that bear it out; ``quantity`` is the property; ``place`` a locator, where one is
        given. ``verdict`` is holds, fails or unsure, and ``checks`` say why. BadInputError for an empty quote.
        """
        from pincite_provenance.claims.check import check_claim

        named = place or f"pc:{short_id(self._parsed)}"
        return check_claim(self._parsed, Claim(quote, named, value, unit, material, quantity))

    def find_values(self, statement: str) -> list[StatedValue]:
        """Each number of a statement in one's own words, and whether the paper has it beside the same words.

        None of it proves the statement: a number may stand there of something else. Words in quotation marks and
        references are left out; see ``pincite audit`` for whole reports.
        """
        from pincite_provenance.audit.auditing import audit_report
        from pincite_provenance.audit.citing import AuditSource
        from pincite_provenance.audit.reading import read_report

        audit = audit_report(read_report(statement, "text"), [AuditSource("the paper", self._parsed)])
        found: list[StatedValue] = []
        for finding in audit.findings:
            if finding.claim.kind != "value":
                continue
            passage = finding.passage
            locator, text = (passage.locator, passage.text) if passage is not None else ("", "")
            found.append(StatedValue(finding.claim.words, finding.verdict, finding.reason, locator, text))
        return found

    def _passages(self, spans: Iterator[tuple[int, int]]) -> list[Passage]:
        return [self._passage(start, end) for start, end in spans]

    def _passage(self, start: int, end: int) -> Passage:
        locator = self._parsed.locator(start, end)
        section = section_at(self._parsed, start)
        unreliable = doubts.note(self._parsed, start, end)
        return Passage(self.text[start:end], locator, section, unreliable, doubts.show(self._parsed, start, end))
