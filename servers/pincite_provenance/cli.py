"""pincite provenance: list, show, check and export the claims that were recorded."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite_core.errors import BadInputError, NotFoundError

if TYPE_CHECKING:
    from pincite_provenance.ledger.audit import Audit
    from pincite_provenance.ledger.entry import Entries, LedgerEntry
    from pincite_provenance.ledger.ledger import Ledger

app = typer.Typer(
    help="List, check and export the claims that were recorded.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

LedgerFile = Annotated[
    Path | None, typer.Option("--ledger", metavar="FILE", help="The ledger (default: PINCITE_LEDGER).")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
OfPaper = Annotated[str, typer.Option("--paper", metavar="PAPER", help="Id, DOI or part of the title.")]

_EXIT_FAILED = 1
_SHOWN_QUOTE = 60
_WIDE = 120
"""Columns of a terminal that has room for days and quotes."""


class ExportFormat(StrEnum):
    """What claims are exported as."""

    WEB_ANNOTATION = "web-annotation"
    PROV = "prov"
    RO_CRATE = "ro-crate"
    PDF = "pdf"
    MARKDOWN = "markdown"


@app.command("list")
def list_claims(
    paper: OfPaper = "",
    material: Annotated[str, typer.Option(help="Part of the material's name.")] = "",
    quantity: Annotated[str, typer.Option("--property", help="Part of the property's name.")] = "",
    text: Annotated[str, typer.Option(help="Part of the claim, its quote or its note.")] = "",
    verdict: Annotated[str, typer.Option(help="holds, fails or unsure.")] = "",
    standing: Annotated[bool, typer.Option("--standing", help="Leave out superseded and retracted ones.")] = False,
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """The recorded claims, the oldest first."""
    from pincite_provenance.listing import matching

    if verdict not in ("", "holds", "fails", "unsure"):
        raise BadInputError(f"There is no verdict {verdict!r}.", next="Give holds, fails or unsure.")
    audited, entries = _read(ledger)
    wanted = matching(paper=paper, material=material, property=quantity, text=text, verdict=verdict)
    found = [entry for entry in entries.claims if wanted(entry) and (entry.stands or not standing)]
    if as_json:
        _print_json([_described(entry) for entry in found])
    else:
        _print_table(found)
    if not audited.intact:
        typer.echo(f"The ledger {audited.path} was tampered with: pincite provenance check says where.", err=True)
        raise typer.Exit(_EXIT_FAILED)


@app.command()
def show(
    claim: Annotated[str, typer.Argument(metavar="ID", help="As record_claim and list say it.")],
    ledger: LedgerFile = None,
) -> None:
    """All that was recorded of one claim, as JSON."""
    audited, entries = _read(ledger)
    for entry in entries.claims:
        if claim.strip() in (entry.id, entry.row.hash):
            _print_json(_described(entry) | {"hash": entry.row.hash, "previous": entry.row.previous})
            if not audited.intact:
                raise typer.Exit(_EXIT_FAILED)
            return
    raise NotFoundError(f"There is no claim {claim!r}.", next="Copy an id from: pincite provenance list")


@app.command()
def check(
    head: Annotated[
        list[str] | None,
        typer.Option(metavar="HASH", help="A hash, or the id of a claim, that was noted earlier: is it still there?"),
    ] = None,
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Verify every row of the ledger; exit status 1 where one was changed, dropped or moved."""
    from dataclasses import asdict

    from pincite_provenance.ledger.audit import audit

    book = _ledger(ledger)
    done = audit(book.path, key=book.key, noted=head or ())
    if done.intact and not book.path.exists():
        raise NotFoundError(
            f"There is no ledger at {book.path}: no claim was recorded yet, or the whole of it is gone.",
            next="Give its file with --ledger or PINCITE_LEDGER.",
        )
    if as_json:
        _print_json(
            {
                "ledger": str(done.path),
                "rows": done.rows,
                "head": done.head,
                "intact": done.intact,
                "findings": [asdict(finding) for finding in done.findings],
                "notes": done.notes,
            }
        )
    else:
        _print_audit(done)
    if not done.intact:
        raise typer.Exit(_EXIT_FAILED)


@app.command()
def export(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="PATH", help="File; folder for ro-crate, many PDFs.")],
    kind: Annotated[ExportFormat, typer.Option("--format", help="What to write.")] = ExportFormat.WEB_ANNOTATION,
    paper: Annotated[
        str, typer.Option("--paper", metavar="PAPER", help="Only of this paper: file, id, DOI or part of the title.")
    ] = "",
    everything: Annotated[
        bool, typer.Option("--all", help="Superseded and retracted claims too (prov and ro-crate always have them).")
    ] = False,
    ledger: LedgerFile = None,
) -> None:
    """Write claims as Web Annotations, PROV-JSON, an RO-Crate, PDFs with their quotes marked, or a Markdown note."""
    from pincite_provenance.export.exporting import Export

    audited, entries = _read(ledger)
    done = Export(audited, entries, paper=paper, everything=everything).write(str(kind), out)
    for written in done:
        for line in written.lines():
            typer.echo(line)


def _ledger(file: Path | None) -> "Ledger":
    from pincite_core.settings import load_settings
    from pincite_provenance.ledger.ledger import Ledger

    settings = load_settings()
    if file is not None:
        if not file.exists():
            raise NotFoundError(f"There is no ledger {file}.", next="Give the path of a ledger, usually claims.db.")
        settings = settings.model_copy(update={"ledger": file})
    return Ledger.of(settings)


def _read(file: Path | None) -> "tuple[Audit, Entries]":
    """The claims whose rows are sound, and what is wrong with the others."""
    from pincite_provenance.ledger.entry import read_ledger

    return read_ledger(_ledger(file))


def _described(entry: "LedgerEntry") -> dict[str, object]:
    from dataclasses import asdict

    facts = asdict(entry.facts)
    made: dict[str, object] = {"id": entry.id, "facts": facts, **entry.content, "locator": entry.short_locator}
    if entry.superseded_by:
        made["superseded_by"] = entry.superseded_by
    if entry.retracted_by:
        made["retracted_by"] = entry.retracted_by
    return made


def _print_json(content: object) -> None:
    import orjson

    typer.echo(orjson.dumps(content, option=orjson.OPT_INDENT_2).decode())


def _print_table(entries: "list[LedgerEntry]") -> None:
    from rich.console import Console
    from rich.table import Table

    from pincite_provenance.ledger.wording import claim_words, tally

    console = Console()
    table = Table(box=None, pad_edge=False)
    names = ("id", "quote", "value", "claim", "says", "locator", "day", "words")
    names = names if console.width >= _WIDE else names[:-2]
    for name in names:
        table.add_column(name, no_wrap=name in ("id", "locator", "day"))
    for entry in entries:
        quote = " ".join(entry.claim["quote"].split())
        cut = f"{quote[:_SHOWN_QUOTE]}…" if len(quote) > _SHOWN_QUOTE else quote
        state = "retracted" if entry.retracted_by else f"superseded by {entry.superseded_by}"
        facts, judged = entry.facts, _settled(entry)
        verdict = ", ".join(part for part in (facts.claim, judged, "" if entry.stands else state) if part)
        told, day = claim_words(entry), entry.content["time"][:10]
        cells = (entry.id, facts.quote, facts.value, verdict, told, entry.short_locator, day, cut)
        table.add_row(*(_plain(cell) for cell in cells[: len(names)]))
    if entries:
        console.print(table)
    counted = f"{len(entries)} claim{'' if len(entries) == 1 else 's'}"
    console.print(f"{counted}: {tally(entries)}" if entries else counted, highlight=False)


def _settled(entry: "LedgerEntry") -> str:
    """Who settled what the rules left unsure, and how the caller reads it, in short."""
    said = entry.judgement
    parts = [f"{entry.reading} by the caller"] if entry.reading else []
    if said is not None and said.answer != "unsure":
        parts.insert(0, f"{said.answer} by {'a model' if said.kind == 'model' else 'a person'}")
    return ", ".join(parts)


def _plain(text: str) -> str:
    """A text that rich prints as it is, without control characters: quotes are what a paper says."""
    from rich.markup import escape

    return escape("".join(char if char.isprintable() else " " for char in text))


def _print_audit(done: "Audit") -> None:
    typer.echo(f"{done.path}: {done.rows} row{'' if done.rows == 1 else 's'}")
    for finding in done.findings:
        typer.echo(f"  {finding.kind}: {finding.what}")
    for note in done.notes:
        typer.echo(f"  note: {note}")
    if done.head:
        typer.echo(f"head: {done.head}")
    typer.echo("intact" if done.intact else "tampered with")
