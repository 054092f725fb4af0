"""pincite tasks corpus: check a made-up literature, and serve it to a server of one's own."""

from pathlib import Path
from typing import Annotated

import typer

_EXIT_FAILED = 1
"""Exit code when the corpus has faults."""


def check_and_serve(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder with works.jsonl and texts/.")],
    serve: Annotated[bool, typer.Option("--serve", help="Serve it on the loopback until interrupted.")] = False,
) -> None:
    """Check a made-up literature: every fault with its file and line. With --serve, print how servers see it."""
    from pincite_tasks.corpus.check import check_corpus

    faults = check_corpus(folder)
    for fault in faults:
        typer.echo(fault)
    if faults:
        raise typer.Exit(_EXIT_FAILED)
    _describe(folder)
    if serve:
        _serve(folder)


def _describe(folder: Path) -> None:
    from collections import Counter

    from pincite_tasks.corpus.corpus import read_corpus

    works = read_corpus(folder).works
    roles = ", ".join(f"{count} {role}" for role, count in Counter(work.role for work in works).most_common())
    typer.echo(f"{folder}: {len(works)} works ({roles}), {sum(work.open for work in works)} open texts")


def _serve(folder: Path) -> None:
    from threading import Event

    from pincite_tasks.corpus.corpus import read_corpus
    from pincite_tasks.corpus.server import CorpusServer

    with CorpusServer(read_corpus(folder)) as server:
        for name, value in server.environment.items():
            typer.echo(f"export {name}={value}")
        typer.echo("Serving until interrupted (Ctrl-C).", err=True)
        try:
            Event().wait()
        except KeyboardInterrupt:
            return
