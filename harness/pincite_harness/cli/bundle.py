"""pincite bundle: a run as one file that a stranger can check."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.zip", help="The bundle's file; RUN.bundle.zip by default.")
    ] = None,
    withhold_gold: Annotated[
        bool,
        typer.Option("--withhold-gold", help="Only commit to the gold; the file that opens it is written beside."),
    ] = False,
    families: Annotated[
        bool, typer.Option("--families", help="Put the folders of your own task families in, papers and gold too.")
    ] = False,
    results: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Also write the results for leaderboards: Hugging Face, Every Eval Ever."),
    ] = None,
    dataset: Annotated[
        str, typer.Option(metavar="ORG/NAME", help="The benchmark's repository at Hugging Face, for --results.")
    ] = "",
    url: Annotated[str, typer.Option(metavar="URL", help="Where the bundle will be published, for --results.")] = "",
    web: Annotated[bool, typer.Option("--web", help="Put the recorded web in: tool calls can be made on it.")] = False,
) -> None:
    """Write what proves a run: wire, trajectories, answers, scores, digests, as one sealed RO-Crate.

    Publish the digest that is printed beside the file: who has both can check it with pincite verify.
    """
    from pincite_core.errors import BadInputError
    from pincite_harness.bundles.publishing import write_results
    from pincite_harness.bundles.writing import BundleOptions, write_bundle
    from pincite_harness.runs.run_folder import RunFolder
    from pincite_tasks.plural import plural

    if results is not None and not dataset:
        raise BadInputError("Results at Hugging Face belong to a data set.", next="Add --dataset ORG/NAME.")
    target = out or run.with_name(f"{run.resolve().name}.bundle.zip")
    done = write_bundle(RunFolder(run), target, BundleOptions(withhold_gold, families, web))
    size = done.path.stat().st_size
    typer.echo(f"{done.path}: {plural(done.trials, 'trial')}, {size:,} bytes")
    typer.echo(f"sha256 {done.seal}")
    if done.gold is not None:
        typer.echo(f"{done.gold} opens the commitments to the gold: keep it, and show it when you wish.")
    if results is not None:
        for path in write_results(run, results, done.seal, dataset, url):
            typer.echo(f"wrote {path}")
