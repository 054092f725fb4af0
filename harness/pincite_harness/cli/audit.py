"""pincite audit: every claim of a report against its sources."""

from pathlib import Path
from typing import Annotated

import typer

from pincite_core.errors import BadInputError, PinciteError

EXIT_FOUND, EXIT_FAILED = 1, 2
"""A kind of finding that --fail-on names is there; the audit could not be made."""
FAIL_KINDS = ("altered", "invented", "unsupported")
"""What --fail-on takes: quotations and values that differ, references that do not exist or are another work, and
claims that no source at hand bears out."""


def command(
    subject: Annotated[Path, typer.Argument(metavar="REPORT", help="A report in Markdown, text or HTML.")],
    papers: Annotated[
        list[Path] | None,
        typer.Option("--papers", "-p", metavar="PATH", help="A source, or a folder of them; may be given again."),
    ] = None,
    full: Annotated[bool, typer.Option("--all", help="List every claim, not only those that differ.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The whole audit as JSON in place of the table.")] = False,
    fail_on: Annotated[
        str,
        typer.Option(metavar="KINDS", help="End with 1 on any of these: altered, invented, unsupported (by commas)."),
    ] = "",
) -> None:
    """Check every quotation, value and reference of a report against its sources.

    "value stands" says that the number stands in the source with its unit, beside the same words; it is
    not yet the claim. It ends with 0, with 1 on what --fail-on names, with 2 where the audit failed.
    """
    wanted = _kinds(fail_on)
    try:
        found = _run(subject, papers or [], full=full, as_json=as_json)
    except PinciteError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(EXIT_FAILED) from error
    if wanted & found:
        raise typer.Exit(EXIT_FOUND)


def _run(path: Path, papers: list[Path], *, full: bool, as_json: bool) -> set[str]:
    """Audit, print, and tell which kinds of findings there are."""
    import orjson
    from rich.console import Console

    from pincite_harness.audit.console import print_audit
    from pincite_harness.audit.data import to_json
    from pincite_harness.audit.inputs import open_subject
    from pincite_harness.audit.sources import open_sources
    from pincite_provenance.audit.auditing import audit_report
    from pincite_provenance.audit.finding import kinds_of

    subject = open_subject(path)
    opened = open_sources(papers)
    audit = audit_report(subject.text, opened.sources)
    if as_json:
        typer.echo(orjson.dumps(to_json(subject, audit, opened), option=orjson.OPT_INDENT_2).decode())
    else:
        print_audit(subject, audit, opened, Console(), full=full)
    return kinds_of(audit.findings)


def _kinds(text: str) -> set[str]:
    wanted = {kind.strip() for kind in text.split(",") if kind.strip()}
    unknown = sorted(wanted - set(FAIL_KINDS))
    if unknown:
        raise BadInputError(f"--fail-on does not know {', '.join(unknown)}.", next=f"It takes {', '.join(FAIL_KINDS)}.")
    return wanted
