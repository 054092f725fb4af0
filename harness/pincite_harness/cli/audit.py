"""pincite audit: every claim of a report against its sources."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pincite_core.errors import BadInputError, PinciteError

if TYPE_CHECKING:
    from pincite_harness.audit.audited import Audited
    from pincite_harness.audit.sources import OpenedSources

EXIT_FOUND, EXIT_FAILED = 1, 2
"""A kind of finding that --fail-on names is there; the audit could not be made."""
FAIL_KINDS = ("altered", "invented", "unsupported")
"""What --fail-on takes: quotations and values that differ, references that do not exist or are another work, and
claims that no source at hand bears out."""


_WHAT = (
    "A report, an answer.json, a trajectory, a session of a CLI agent, or the folder of a trial or run, here or at an "
    "s3:// address."
)


def command(
    subject: Annotated[str, typer.Argument(metavar="ANYTHING", help=_WHAT)],
    papers: Annotated[
        list[Path] | None,
        typer.Option("--papers", "-p", metavar="PATH", help="A source, or a folder of them; may be given again."),
    ] = None,
    library: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The papers of this library are sources, too.")
    ] = None,
    full: Annotated[bool, typer.Option("--all", help="List every claim, not only those that differ.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The whole audit as JSON in place of the table.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write one self-contained page.")] = None,
    sarif: Annotated[Path | None, typer.Option(metavar="FILE", help="Write SARIF 2.1.0, for code hosts.")] = None,
    atif: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write each trajectory as ATIF with its claims in extra.")
    ] = None,
    labels: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the trajectories' labels for Inspect Scout (CSV).")
    ] = None,
    fetch: Annotated[
        bool, typer.Option("--fetch", help="Fetch the open texts of works that are cited by DOI.")
    ] = False,
    registry: Annotated[
        bool,
        typer.Option("--registry", help="Ask the registries whether each reference exists, and what became of it."),
    ] = False,
    model: Annotated[
        bool,
        typer.Option("--model", help="The text model of PINCITE_TEXT_URL finds and judges statements, too."),
    ] = False,
    fail_on: Annotated[
        str,
        typer.Option(metavar="KINDS", help="End with 1 on any of these: altered, invented, unsupported (by commas)."),
    ] = "",
) -> None:
    """Check every quotation, value and reference of a report against its sources.

    "value stands" says that the number stands in the source with its unit, beside the same words; it is
    not yet the claim. Of a trajectory or session it also tells at which step each passage was shown. It
    ends with 0, with 1 on what --fail-on names, with 2 where the audit failed.
    """
    from pincite_harness.runs.remote.folder import local_path

    wanted = _kinds(fail_on)
    try:
        outputs = Outputs(full, as_json, html, sarif, atif, labels)
        found = _run(local_path(subject), Sources(papers or [], library), outputs, Asked(fetch, registry, model))
    except PinciteError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(EXIT_FAILED) from error
    if wanted & found:
        raise typer.Exit(EXIT_FOUND)


class Outputs(NamedTuple):
    """What is printed and written."""

    full: bool
    as_json: bool
    html: Path | None
    sarif: Path | None
    atif: Path | None = None
    labels: Path | None = None


class Sources(NamedTuple):
    """What claims are checked against."""

    papers: list[Path]
    library: Path | None


class Asked(NamedTuple):
    """What is asked of the web."""

    fetch: bool
    registry: bool
    model: bool


def _run(path: Path, sources: Sources, outputs: Outputs, asked: Asked) -> set[str]:
    """Audit, print and write, and tell which kinds of findings there are."""
    import orjson
    from rich.console import Console

    from pincite_harness.audit.audited import findings_of
    from pincite_harness.audit.console import print_audits
    from pincite_harness.audit.data import to_json
    from pincite_harness.audit.marked import to_labels, write_atif
    from pincite_harness.audit.page import to_html
    from pincite_harness.audit.sarif import to_sarif
    from pincite_provenance.audit.finding import kinds_of
    from pincite_tasks.files import write_atomic, write_json

    audits, opened = _audit(path, sources, asked)
    if outputs.as_json:
        typer.echo(orjson.dumps(to_json(audits, opened), option=orjson.OPT_INDENT_2).decode())
    else:
        print_audits(audits, opened, Console(), full=outputs.full)
    if outputs.html is not None:
        write_atomic(outputs.html, to_html(audits, opened).encode())
    if outputs.sarif is not None:
        write_json(outputs.sarif, to_sarif(audits, Path.cwd()))
    if outputs.atif is not None:
        write_atif(audits, outputs.atif)
    if outputs.labels is not None:
        write_atomic(outputs.labels, to_labels(audits).encode())
    return kinds_of(findings_of(audits))


def _audit(path: Path, sources: Sources, asked: Asked) -> "tuple[list[Audited], OpenedSources]":
    import anyio

    from pincite_core.settings import load_settings
    from pincite_harness.audit.audited import audit_online, audit_path
    from pincite_harness.audit.sources import open_all

    if not any(asked):
        opened = open_all(sources.papers, sources.library)
        return audit_path(path, opened), opened
    online = partial(
        audit_online, fetch=asked.fetch, registry=asked.registry, library=sources.library, model=asked.model
    )
    audit = partial(online, path, sources.papers, load_settings())
    return anyio.run(audit)


def _kinds(text: str) -> set[str]:
    wanted = {kind.strip() for kind in text.split(",") if kind.strip()}
    unknown = sorted(wanted - set(FAIL_KINDS))
    if unknown:
        raise BadInputError(f"--fail-on does not know {', '.join(unknown)}.", next=f"It takes {', '.join(FAIL_KINDS)}.")
    return wanted
