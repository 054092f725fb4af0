"""pincite judge: list the rubrics, and measure how well a judge agrees with labelled answers."""

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite_harness.cli.judge_options import JudgeOptions
from pincite_harness.cli.option_groups import grouped
from pincite_tasks.plural import plural

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from pincite_scoring.judging.calibration import ItemCalibration
    from pincite_scoring.judging.judge import Judge as JudgeLike
    from pincite_scoring.judging.judge import Question, Verdict
    from pincite_scoring.judging.labelled import Labelled

app = typer.Typer(
    help="List rubrics, collect what a judge was asked, and calibrate a judge.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
_EXIT_FAILED, _EXIT_INTERRUPTED = 1, 130
"""Exit codes: a judge that failed; and an interrupted command, 128 + SIGINT as shells have it."""


@app.command("rubrics")
def list_rubrics() -> None:
    """Every rubric that can be named: the texts that it judges (? marks what may be left out), and its items with
    their labels."""
    from pincite_scoring.judging.rubrics import find_rubric, rubric_names

    for name in rubric_names():
        known = find_rubric(name)
        typer.echo(f"{name}\n  texts: {', '.join(known.texts)}")
        for item in known.rubric.items:
            typer.echo(f"  {item.name}: {', '.join(item.labels)}")


@app.command("collect")
def collect_questions(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs that a model judged.")],
    rubric: Annotated[str, typer.Option(metavar="NAME|FILE.json", help="Which questions: those by this rubric.")],
    out: Annotated[Path, typer.Option(metavar="FILE.jsonl", help="File that gets them; it must not be there yet.")],
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only N, drawn by their digests.")] = None,
) -> None:
    """Write what a judge was asked, with its labels: correct them by hand, or calibrate another judge by them."""
    from pincite_scoring.judging.collecting import collect
    from pincite_scoring.judging.rubrics import find_rubric

    done = collect(runs, find_rubric(rubric), out, limit)
    apart = f", {done.undecided} undecided left out" if done.undecided else ""
    typer.echo(f"{done.written} of {done.questions} questions written to {out}{apart}")


@app.command("calibrate")
@grouped
def calibrate_judge(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE.jsonl",
            help='Labelled answers: {"subject": {name: text}, "labels": {item: label}} a line, "pictures": [path], '
            '"by" and "id" if you like.',
        ),
    ],
    rubric: Annotated[
        str, typer.Option(metavar="NAME|FILE.json", help="By what was labelled: pincite judge rubrics lists the names.")
    ],
    judging: JudgeOptions,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Write each verdict beside the labels.")
    ] = None,
) -> None:
    """Accuracy, Cohen's kappa with its interval, and the confusion table of each item; 1 where nothing was decided.

    Labels may come from people or from another model. Without --judge the rules are measured.
    """
    from pincite_harness.runs.judge_opening import open_judge
    from pincite_scoring.judging.calibration import calibrate
    from pincite_scoring.judging.labelled import read_labelled
    from pincite_scoring.judging.model_judge import ModelJudge
    from pincite_scoring.judging.notebook import Notebook
    from pincite_scoring.judging.rubrics import find_rubric

    known = find_rubric(rubric)
    answers = read_labelled(file, known)
    choice = judging.choice()
    if choice is not None:
        choice.check_key()
    opened = open_judge(choice)
    noted = Notebook(opened) if isinstance(opened, ModelJudge) else None
    try:
        if isinstance(opened, ModelJudge) and any(answer.pictures for answer in answers):
            opened.check_sight()
        with _watched(noted or opened, len(answers)) as watched:
            done = calibrate(known, answers, watched)
    except KeyboardInterrupt:
        typer.echo("interrupted; the verdicts that a model made are kept: the same command goes on", err=True)
        raise typer.Exit(_EXIT_INTERRUPTED) from None
    finally:
        if isinstance(opened, ModelJudge):
            opened.close()
    by = sorted({answer.by for answer in answers if answer.by})
    typer.echo(f"Rubric {known.rubric.name}; judge {opened.name}")
    typer.echo(plural(len(answers), "labelled answer") + (f", labelled by {'; '.join(by)}" if by else ""))
    for item in done.items:
        _print_item(item)
    if noted is not None:
        spent = noted.summary()
        cost = "cost not known" if spent["cost_usd"] is None else f"{spent['cost_usd']:.4f} US dollars"
        tokens = f"{spent['input_tokens']:,} tokens in, {spent['output_tokens']:,} out"
        typer.echo(f"{spent['questions']} questions, {spent['kept']} known already; {tokens}, {cost}")
    if out is not None:
        _write(out, answers, done.verdicts)
    if not any(item.agreement.n for item in done.items):
        raise typer.Exit(_EXIT_FAILED)


@contextmanager
def _watched(judge: "JudgeLike", questions: int) -> "Generator[JudgeLike]":
    """The judge behind a bar on stderr that counts its verdicts, where that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    from pincite_scoring.judging.judge import Wide

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("judging", total=questions)

        class Watched:
            name = judge.name
            width = judge.width if isinstance(judge, Wide) else 1

            def decide(self, question: "Question") -> "Verdict":
                verdict = judge.decide(question)
                progress.advance(bar)
                return verdict

        yield Watched()


def _print_item(item: "ItemCalibration") -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from pincite_harness.reports.statistics import show, show_range

    found = item.agreement
    left = [(item.undecided, "undecided by the judge"), (item.unlabelled, "without a label")]
    apart = "".join(f", {count} {what}" for count, what in left if count)
    typer.echo(f"\n{item.item}: n = {found.n}{apart}")
    if not found.n:
        return
    accuracy, kappa = show_range(found.accuracy_interval), show_range(found.kappa_interval)
    typer.echo(f"  accuracy {show(found.accuracy)} (95 %: {accuracy})")
    weighted = f"; with quadratic weights {show(found.weighted)}" if len(found.labels) > 2 else ""
    if found.kappa is None:
        typer.echo("  Cohen's kappa – (it needs two labels that were used)")
    else:
        typer.echo(f"  Cohen's kappa {show(found.kappa)} (95 %: {kappa}){weighted}")
    table = Table("labelled \\ judged", *found.labels, box=SIMPLE_HEAD)
    for label, counts in zip(found.labels, found.table, strict=True):
        table.add_row(label, *(str(count or "·") for count in counts))
    Console().print(table)


def _write(path: Path, answers: "Sequence[Labelled]", verdicts: "Sequence[Verdict]") -> None:
    import orjson

    from pincite_tasks.files import write_atomic

    rows = [
        {"id": answer.name, "by": answer.by, "labels": answer.labels, "verdict": verdict.to_json()}
        for answer, verdict in zip(answers, verdicts, strict=True)
    ]
    write_atomic(path, b"".join(orjson.dumps(row) + b"\n" for row in rows))
