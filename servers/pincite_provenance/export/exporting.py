"""Export: chosen claims of an intact ledger, written to files that appear whole or not at all."""

import secrets
from pathlib import Path

import orjson

from pincite_core import durable
from pincite_core.errors import BadInputError, NotFoundError, PinciteError, UnavailableError
from pincite_core.settings import load_settings
from pincite_provenance.export.prov import prov_document
from pincite_provenance.export.ro_crate import write_crate
from pincite_provenance.export.web_annotation import web_annotations
from pincite_provenance.ledger.audit import Audit
from pincite_provenance.ledger.entry import Entries, Entry
from pincite_provenance.ledger.errors import tampered
from pincite_provenance.listing import matching


class Export:
    """The claims of one export: of a ``paper`` (a file, or part of its id, DOI or title) or of all."""

    def __init__(self, audited: Audit, entries: Entries, *, paper: str = "", everything: bool = False) -> None:
        if not audited.intact:
            raise tampered(audited.path, audited.findings[0].what)
        self._audited = audited
        self._file = Path(paper) if paper and Path(paper).is_file() else None
        self._entries = self._chosen(entries, paper)
        self._standing = [entry for entry in self._entries.claims if everything or entry.stands]

    def write(self, kind: str, out: Path) -> list[str]:
        """Write in this format; lines that say what was written and what was left out."""
        ledger, entries = self._audited.ledger, self._entries
        if kind == "ro-crate":
            files = write_crate(out, self._audited, entries)
            return [f"{file}" for file in files]
        if kind == "pdf":
            return self._write_pdfs(out)
        if kind == "prov":
            shown, content = len(entries.claims), prov_document(entries.claims, entries.retractions, ledger)
        else:
            shown, content = len(self._standing), web_annotations(self._standing, ledger)
        write_whole(out, orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n")
        return [f"{out}: {shown} claims"]

    def _chosen(self, entries: Entries, paper: str) -> Entries:
        from pincite_provenance.export.sources import changed, digest_of

        found = digest_of(self._file) if self._file is not None else ""
        wanted = matching(paper=found or paper)
        claims = [entry for entry in entries.claims if wanted(entry)]
        if not claims and self._file is not None and entries.claims:
            raise changed(self._file, found, entries.claims[-1])
        if not claims:
            what = f"No claim about {paper!r} is recorded." if paper else "No claim is recorded."
            raise NotFoundError(what, next="Look at: pincite provenance list")
        ids = {entry.id for entry in claims}
        return Entries(claims, [each for each in entries.retractions if each.retracts in ids])

    def _write_pdfs(self, out: Path) -> list[str]:
        from pincite_provenance.export.sources import Sources

        papers: dict[str, list[Entry]] = {}
        for entry in self._standing:
            papers.setdefault(entry.paper["paper_id"], []).append(entry)
        if not papers:
            raise NotFoundError("All these claims are superseded or retracted.", next="Give --all to mark them too.")
        several = out.is_dir() or out.suffix.lower() != ".pdf"
        if len(papers) > 1 and not several:
            raise BadInputError(
                f"The claims are about {len(papers)} papers.", next="Name one with --paper, or a folder."
            )
        lines: list[str] = []
        errors: list[PinciteError] = []
        with Sources(load_settings(), self._file) as sources:
            for paper_id, entries in papers.items():
                try:
                    marked = sources.marked(entries)
                except PinciteError as error:
                    errors.append(error)
                    lines.append(f"{entries[0].paper['title'] or paper_id}: {error.what}")
                    continue
                if not marked.placed:
                    lines += [f"{entries[0].paper['title'] or paper_id}: no claim could be marked", *marked.left_out]
                    continue
                file = out / f"{paper_id[7:15]}.pdf" if several else out
                write_whole(file, marked.data)
                lines.append(f"{file}: {marked.placed} claim{'' if marked.placed == 1 else 's'} marked")
                if not marked.kept:
                    lines.append("  the source could not be appended to: it was written anew, without encryption")
                lines += [f"  not marked: {reason}" for reason in marked.left_out]
        if len(errors) == len(papers):
            raise errors[0]
        return lines


def write_whole(path: Path, data: bytes) -> None:
    """Write a file as a whole: beside it, flushed to disk, renamed. UnavailableError where that fails."""
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        durable.write_whole(path, beside, data)
    except OSError as error:
        raise UnavailableError(f"{path} could not be written.", seen=str(error), next="Give another path.") from error
