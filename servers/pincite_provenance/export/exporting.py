"""Export: chosen claims of an intact ledger, written to files that appear whole or not at all."""

import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from pincite_core import durable
from pincite_core.errors import BadInputError, NotFoundError, PinciteError, UnavailableError
from pincite_core.locator import digits_of
from pincite_core.settings import Settings, load_settings
from pincite_provenance.export.markdown import markdown_note
from pincite_provenance.export.prov import prov_document
from pincite_provenance.export.ro_crate import write_crate
from pincite_provenance.export.web_annotation import web_annotations
from pincite_provenance.ledger.audit import Audit
from pincite_provenance.ledger.entry import Entries, LedgerEntry
from pincite_provenance.ledger.errors import tampered
from pincite_provenance.ledger.wording import tally
from pincite_provenance.listing import matching

if TYPE_CHECKING:
    from pincite_provenance.export.sources import Sources

REWRITTEN = "the source is encrypted or damaged and could not be appended to: it was rewritten, without encryption"
"""Said of a marked PDF that does not hold its source's own bytes."""


@dataclass(slots=True)
class Written:
    """What became of one export, or of one paper of it: ``said`` in a line, ``file`` where one was written."""

    said: str
    file: Path | None = None
    notes: list[str] = field(default_factory=list[str])

    def lines(self) -> list[str]:
        """What was written and what was left out."""
        return [self.said, *(f"  {note}" for note in self.notes)]


class Export:
    """The claims of one export: of a ``paper`` (a file, or part of its id, DOI or title) or of all."""

    def __init__(
        self,
        audited: Audit,
        entries: Entries,
        *,
        paper: str = "",
        everything: bool = False,
        settings: Settings | None = None,
        files: bool = True,
    ) -> None:
        """Choose the claims; ``files`` says whether ``paper`` may name a file. TamperedError, NotFoundError."""
        if not audited.intact:
            raise tampered(audited.path, audited.findings[0].what)
        self._settings = settings
        self._audited = audited
        self._file = Path(paper) if files and paper and Path(paper).is_file() else None
        self._entries = self._chosen(entries, paper)
        self._standing = [entry for entry in self._entries.claims if everything or entry.stands]

    def tally(self, kind: str) -> tuple[int, str]:
        """How many claims an export of this format holds, and in how many quote, value and claim stand."""
        shown = self._entries.claims if kind in ("prov", "ro-crate") else self._standing
        return len(shown), tally(shown)

    def write(self, kind: str, out: Path) -> list[Written]:
        """Write in this format; what was written and what was left out."""
        ledger, entries = self._audited.ledger, self._entries
        if kind == "ro-crate":
            return [Written(f"{file}", file) for file in write_crate(out, self._audited, entries)]
        if kind == "pdf":
            return self._write_pdfs(out)
        if kind == "markdown":
            write_whole(out, markdown_note(self._standing, ledger, self._audited.head).encode())
            return [Written(f"{out}: {self.tally(kind)[0]} claims", out)]
        if kind == "prov":
            content = prov_document(entries.claims, entries.retractions, ledger)
        else:
            content = web_annotations(self._standing, ledger)
        write_whole(out, orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n")
        return [Written(f"{out}: {self.tally(kind)[0]} claims", out)]

    def _chosen(self, entries: Entries, paper: str) -> Entries:
        from pincite_provenance.export.sources import changed, digest_of

        found = digest_of(self._file) if self._file is not None else ""
        wanted = matching(paper=found or paper)
        claims = [entry for entry in entries.claims if wanted(entry)]
        if not claims and self._file is not None and entries.claims:
            raise changed(self._file, found, entries.claims[-1])
        if not claims:
            what = f"No claim about {paper!r} is recorded." if paper else "No claim is recorded."
            raise NotFoundError(what, next="See list_claims, or run: pincite provenance list")
        ids = {entry.id for entry in claims}
        return Entries(claims, [each for each in entries.retractions if each.retracts in ids])

    def _write_pdfs(self, out: Path) -> list[Written]:
        from pincite_provenance.export.sources import Sources

        papers: dict[str, list[LedgerEntry]] = {}
        for entry in self._standing:
            papers.setdefault(entry.paper["paper_id"], []).append(entry)
        if not papers:
            raise NotFoundError(
                "All these claims are superseded or retracted.", next="Ask for everything (--all) to mark them too."
            )
        several = out.is_dir() or out.suffix.lower() != ".pdf"
        if len(papers) > 1 and not several:
            raise BadInputError(
                f"The claims are about {len(papers)} papers.", next="Name one with --paper, or a folder."
            )
        done: list[Written] = []
        errors: list[PinciteError] = []
        with Sources(self._settings or load_settings(), self._file) as sources:
            for paper_id, entries in papers.items():
                file = out / f"{digits_of(paper_id)}.pdf" if several else out
                try:
                    done.append(self._write_pdf(sources, entries, file))
                except PinciteError as error:
                    errors.append(error)
                    done.append(Written(f"{entries[0].paper['title'] or paper_id}: {error.what}"))
        if len(errors) == len(papers):
            raise errors[0]
        return done

    def _write_pdf(self, sources: "Sources", entries: list[LedgerEntry], file: Path) -> Written:
        """The marked PDF of the paper that all these claims are about."""
        marked = sources.marked(entries)
        if not marked.placed:
            named = entries[0].paper["title"] or entries[0].paper["paper_id"]
            return Written(f"{named}: no claim could be marked", None, marked.left_out)
        write_whole(file, marked.data)
        written = Written(f"{file}: {marked.placed} claim{'' if marked.placed == 1 else 's'} marked", file)
        if not marked.kept:
            written.notes.append(REWRITTEN)
        written.notes += [f"not marked: {reason}" for reason in marked.left_out]
        return written


def write_whole(path: Path, data: bytes) -> None:
    """Write a file as a whole: beside it, flushed to disk, renamed. UnavailableError where that fails."""
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        durable.write_whole(path, beside, data)
    except OSError as error:
        raise UnavailableError(f"{path} could not be written.", seen=str(error), next="Give another path.") from error
