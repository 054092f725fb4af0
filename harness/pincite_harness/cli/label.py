"""pincite label: make a queue of what people label, serve it to one of them, and compare two people's labels."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite_core.errors import BadInputError
from pincite_tasks.plural import plural

if TYPE_CHECKING:
    from pincite_harness.labels.comparing import Two

app = typer.Typer(
    help="Let people label what agents left: queues, pages with the quoted words marked, agreement, arbitration.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
Queue = Annotated[Path, typer.Argument(metavar="QUEUE", help="The folder that pincite label make wrote.")]


@app.command("make")
def make_queue(
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="RUN…|FILE.jsonl", help="Folders of runs, or what pincite judge collect wrote."),
    ],
    rubric: Annotated[
        str, typer.Option(metavar="NAME|FILE.json", help="What is asked: pincite judge rubrics lists the names.")
    ],
    out: Annotated[
        Path, typer.Option(metavar="DIR|page.html", help="A new folder; page.html writes one page besides.")
    ],
    sample: Annotated[int, typer.Option(metavar="N", min=1, max=2000, help="How many items.")] = 100,
    seed: Annotated[int, typer.Option(metavar="S", help="Which sample.")] = 0,
    doubtful: Annotated[
        bool,
        typer.Option("--doubtful", help="The doubtful first: failed checks, attempts that differ, low confidence."),
    ] = False,
    blind: Annotated[
        bool, typer.Option("--blind", help="Show neither agent nor scores nor what makes an item doubtful.")
    ] = False,
    about: Annotated[
        str,
        typer.Option(
            metavar="quotes|records|analyses|answers", help="What of the runs is labelled, for a rubric of your own."
        ),
    ] = "",
) -> None:
    """Write a queue of what runs left: records with their quotes marked on the page, analyses, or answers.

    Equal records of several attempts are asked about once. Serve it with `pincite label serve`, or give somebody the
    one page, which needs no server and gives the labels as a download.
    """
    from pincite_core.settings import load_settings
    from pincite_harness.labels.making import Wanted, make
    from pincite_harness.labels.one_page import write_page
    from pincite_scoring.judging.rubrics import find_rubric

    page = out if out.suffix == ".html" else None
    folder = out.with_suffix("") if page is not None else out
    wanted = Wanted(rubric, sample, seed, doubtful=doubtful, blind=blind, about=about)
    queue = make(sources, find_rubric(rubric), wanted, folder, load_settings())
    typer.echo(f"{plural(len(queue.items), 'item')} in {folder} ({queue.order}{', blind' if blind else ''})")
    if page is not None:
        left = write_page(page, queue, folder)
        typer.echo(f"{page}" + (f": {plural(left, 'picture')} left out" if left else ""))
    typer.echo(f"next: pincite label serve {folder} --by NAME")


@app.command("serve")
def serve(
    queue: Queue,
    by: Annotated[str, typer.Option(metavar="NAME", help="Who labels; the file is labels/NAME.jsonl of the queue.")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of 127.0.0.1 (0: a free one).")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
) -> None:
    """Serve a queue to one person. Each label is on the disk before the page says that it is saved.

    Only this machine reaches the page, at an address with a secret in it.
    """
    import webbrowser

    from pincite_harness.labels.app import serve_queue

    def opened(address: str) -> None:
        typer.echo(address)
        if browser:
            webbrowser.open(address)

    serve_queue(queue, by, port, opened)


@app.command("compare")
def compare(
    first: Annotated[Path, typer.Argument(metavar="A.jsonl", help="The labels of one person.")],
    second: Annotated[Path, typer.Argument(metavar="B.jsonl", help="The labels of another one.")],
    queue: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Their queue (default: the folder above that of A).")
    ] = None,
    arbitrate: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a queue of what they differ on, for an arbiter.")
    ] = None,
    arbiter: Annotated[Path | None, typer.Option(metavar="C.jsonl", help="The arbiter's labels.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Write the labels that hold, for what uses them.")
    ] = None,
) -> None:
    """Raw agreement and Cohen's kappa of two people, each with its 95 % interval, and what they differ on.

    With --arbiter and --out the labels that hold are written: what both said, else what the arbiter said. `pincite
    judge calibrate`, `pincite tasks import --corrections` and `pincite label archive` read that file.
    """
    from pincite_harness.labels.arbitrating import write_arbitration
    from pincite_harness.labels.comparing import read_labels, read_two, settle, write_settled
    from pincite_harness.labels.queue import read_queue

    folder = queue or first.resolve().parent.parent
    made = read_queue(folder)
    two = read_two(first, second, made)
    _print_agreement(two)
    if arbitrate is not None:
        waiting = write_arbitration(folder, made, two, arbitrate)
        typer.echo(f"{plural(waiting, 'item')} to arbitrate: pincite label serve {arbitrate} --by NAME")
    if out is None:
        return
    if out.exists():
        raise BadInputError(f"{out} already exists.", next="Name another file, or remove it.")
    settled, open_ones = settle(two, read_labels(arbiter, made) if arbiter is not None else {})
    write_settled(out, settled, made, folder)
    left = f"; {plural(len(open_ones), 'item')} not arbitrated and left out" if open_ones else ""
    typer.echo(f"{plural(len(settled), 'item')} in {out}{left}")


@app.command("archive")
def archive(
    labels: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="Labels that hold, of records.")],
    out: Annotated[Path, typer.Option(metavar="FILE.jsonl", help="The archive; it must not be there yet.")],
) -> None:
    """Write the records that people accepted as an archive of earlier papers, for sudokufill's option archive."""
    from pincite_harness.labels.outcomes import write_archive

    papers, records = write_archive(labels, out)
    typer.echo(f"{plural(records, 'record')} of {plural(papers, 'task')} in {out}")
    typer.echo(f"next: pincite run FAMILY --agent sudokufill --agent-option archive={out}")


def _print_agreement(two: "Two") -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from pincite_harness.reports.statistics import show, show_range

    one, other = two.names
    only = [(len(two.first) - len(two.shared), one), (len(two.second) - len(two.shared), other)]
    apart = "".join(f"; {count} by {name} alone" for count, name in only if count)
    typer.echo(f"{plural(len(two.shared), 'item')} labelled by {one} and {other}{apart}")
    table = Table("item", "n", "agreement", "95 %", "kappa", "95 %", "weighted", box=SIMPLE_HEAD)
    for item, found in two.agreements():
        weighted = show(found.weighted) if len(found.labels) > 2 else ""
        ranges = (show_range(found.accuracy_interval), show_range(found.kappa_interval))
        table.add_row(item.name, str(found.n), show(found.accuracy), ranges[0], show(found.kappa), ranges[1], weighted)
    Console().print(table)
    typer.echo(f"{plural(len(two.differing), 'item')} to arbitrate (they differ, or somebody flagged it)")
