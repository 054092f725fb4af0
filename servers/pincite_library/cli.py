"""pincite library: add papers to a library, list, search, show, remove and check them."""

import functools
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings, load_settings
from pincite_library.shelf import library_settings, open_library

if TYPE_CHECKING:
    from pincite_library.ingest.nodes import Nodes
    from pincite_library.ingest.outcome import Report
    from pincite_library.store.store import Store

app = typer.Typer(
    help="Keep a library of papers: add, search, list, remove, check.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

LibraryFolder = Annotated[
    Path | None, typer.Option("--library", metavar="DIR", help="The library's folder; PINCITE_LIBRARY_DIR by default.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
Papers = Annotated[
    list[str] | None, typer.Option("--paper", metavar="PAPER", help="Only this paper: id, DOI or path; repeatable.")
]
Years = Annotated[str, typer.Option("--year", metavar="YEARS", help="Only of these years: 2020, 2015-2020, 2018-.")]
_EXIT_FAILED = 1
"""Exit code of a command that could not do all of its work."""
_EXIT_INTERRUPTED = 130
"""Exit code of an interrupted command: 128 + SIGINT, as shells have it."""
_ALL_CHARS = 1 << 40
"""Characters of a page that holds everything: the command line is not paged."""


@app.command()
def add(
    sources: Annotated[
        list[str], typer.Argument(metavar="PATH|ID…", help="Files, folders, DOIs, arXiv ids, PMIDs, PMCIDs.")
    ],
    retry: Annotated[bool, typer.Option("--retry", help="Try again what failed before and has not changed.")] = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove papers whose files are gone from the folders named.")
    ] = False,
    describe: Annotated[
        bool, typer.Option("--describe", help="Have the model of PINCITE_TEXT_MODEL describe tables and figures.")
    ] = False,
    describe_figures: Annotated[
        bool,
        typer.Option("--describe-figures", help="Have the model of PINCITE_VISION_MODEL describe figures it is shown."),
    ] = False,
    engine: Annotated[
        Literal["local", "ray"], typer.Option(help="Where papers are parsed and embedded: here, or on a Ray cluster.")
    ] = "local",
    ray_address: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT|auto",
            help="The Ray cluster; auto is the one that this machine belongs to. Without it, one is started here.",
        ),
    ] = "",
    library: LibraryFolder = None,
    as_json: AsJson = False,
) -> None:
    """Add papers: what is unchanged is not read again, and what was interrupted goes on."""
    from rich.console import Console

    from pincite_library.ingest.outcome import Options, Watcher
    from pincite_library.ingest.pipeline import Ingest
    from pincite_library.ingest.progress import watching

    options = Options(retry=retry, prune=prune, describe=describe, describe_figures=describe_figures)
    settings = _settings(library)
    with _nodes(settings, engine, ray_address) as nodes, Ingest(settings, nodes=nodes) as ingest:
        if as_json:
            report = ingest.add(sources, options, Watcher())
        else:
            with watching(Console()) as watcher:
                report = ingest.add(sources, options, watcher)
    _end(report, as_json=as_json)


@app.command("list")
def list_papers(
    failed: Annotated[bool, typer.Option("--failed", help="The sources that failed, and why.")] = False,
    library: LibraryFolder = None,
    as_json: AsJson = False,
) -> None:
    """The papers of the library, or the sources that failed."""
    from pincite_library.ingest.journal import Journal, Standing
    from pincite_library.printing import failed_lines, paper_line, put_json

    settings = _settings(library)
    if failed:
        with _reading(settings, empty=True), Journal(settings.library_dir, writable=False) as journal:
            sources = journal.with_standing(Standing.FAILED)
        if as_json:
            put_json(sources)
        else:
            _put(line for known in sources for line in failed_lines(known))
            typer.echo(f"{len(sources)} sources failed")
        return
    with _reading(settings) as store:
        entries = store.papers()
    if as_json:
        put_json(entries)
        return
    _put(map(paper_line, entries))
    typer.echo(f"{len(entries):,} papers in {settings.library_uri or settings.library_dir}")


@app.command()
def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A question, words, a formula, a number.")],
    count: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many passages.")] = 10,
    paper: Papers = None,
    year: Years = "",
    journal: Annotated[str, typer.Option(metavar="NAME", help="Only of journals with this in their name.")] = "",
    section: Annotated[str, typer.Option(metavar="NAME", help="Only of sections with this in their heading.")] = "",
    kind: Annotated[
        list[str] | None, typer.Option(metavar="KIND", help="text, table, figure or reference; repeatable.")
    ] = None,
    chars: Annotated[int, typer.Option(min=1, metavar="N", help="Characters shown of a passage.")] = 600,
    library: LibraryFolder = None,
    as_json: AsJson = False,
) -> None:
    """The passages that answer best, each with its locator and its place in every ranking."""
    import anyio

    from pincite_library.model import Filters
    from pincite_library.printing import found_json, found_lines, put_json, ranking_notes
    from pincite_library.ranking.search import search as ranked_search
    from pincite_library.state import LibraryState
    from pincite_library.tools.arguments import parse_kinds, parse_years

    settings = _settings(library)
    years, kinds, rankers = parse_years(year), parse_kinds(" ".join(kind or ())), LibraryState(settings).rankers()
    run = functools.partial(
        ranked_search,
        embedder=rankers.embedder,
        reranker=rankers.reranker,
        judge=rankers.judge,
        by_ranks=settings.library_fusion == "rrf",
    )
    with _reading(settings) as store:
        filters = Filters(_named(settings, store, paper), years, journal, section, kinds)
        ranked = anyio.run(run, store, query, count, filters)
        entries = {found.stored.paper_id: store.paper(found.stored.paper_id) for found in ranked.found}
    notes = [f"{name} failed: {error.what}" for name, error in (rankers.failed or {}).items()] + ranking_notes(ranked)
    _put(notes, err=True)
    if as_json:
        put_json({"found": [found_json(one, entries[one.stored.paper_id]) for one in ranked.found], "notes": notes})
        return
    for number, found in enumerate(ranked.found, 1):
        _put(found_lines(number, found, entries[found.stored.paper_id], chars))
    if not ranked.found:
        typer.echo("no passage was found")


@app.command()
def grep(
    pattern: Annotated[str, typer.Argument(metavar="PATTERN", help="A text, or with --regex an RE2 expression.")],
    regex: Annotated[bool, typer.Option("--regex", help="PATTERN is a regular expression (RE2).")] = False,
    case_sensitive: Annotated[bool, typer.Option("--case-sensitive", "-s", help="Mind upper and lower case.")] = False,
    word: Annotated[bool, typer.Option("--word", "-w", help="Whole words only.")] = False,
    paper: Papers = None,
    year: Years = "",
    most: Annotated[int, typer.Option("-n", min=1, max=10_000, help="Most places shown.")] = 100,
    context: Annotated[int, typer.Option(min=0, max=1000, help="Characters shown around a place.")] = 80,
    library: LibraryFolder = None,
    as_json: AsJson = False,
) -> None:
    """Every place where a text stands, or a pattern matches, in all papers."""
    import anyio

    from pincite_library.printing import put_json
    from pincite_library.state import LibraryState
    from pincite_library.tools.grepping import ChunkHits, grep_chunks

    settings = _settings(library)
    with _reading(settings) as store:
        papers = " ".join(_named(settings, store, paper))

    async def found() -> ChunkHits:
        state = LibraryState(settings)
        async with state.lifespan(None):
            return await grep_chunks(
                state, pattern, regex, case_sensitive, word, papers, year, context, most, max_chars=_ALL_CHARS
            )

    hits = anyio.run(found)
    if as_json:
        put_json(hits)
        return
    for hit in hits["hits"]:
        typer.echo(f"{hit['locator']}  {hit['paper']}")
        typer.echo(f"   {' '.join(hit['context'].split())}")
    typer.echo(f"{len(hits['hits']):,} of {hits['total']:,}{'' if hits['complete'] else ' or more'} places")
    if note := hits.get("note"):
        typer.echo(note, err=True)


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="LOCATOR|PAPER", help="A locator, or a paper: id, DOI or path.")],
    text: Annotated[bool, typer.Option("--text", help="The whole text of the paper.")] = False,
    context: Annotated[int, typer.Option(min=0, metavar="N", help="Characters around a locator's passage.")] = 0,
    library: LibraryFolder = None,
    as_json: AsJson = False,
) -> None:
    """The passage that a locator names, or what is known of a paper."""
    from pincite_library.showing import show_paper, show_passage

    settings = _settings(library)
    with _reading(settings) as store:
        if name.startswith("pc:") and "#" in name:
            show_passage(store, name, context, as_json=as_json)
            return
        for paper_id in sorted(_named(settings, store, [name])):
            show_paper(settings, store, paper_id, whole=text, as_json=as_json)


@app.command()
def remove(
    names: Annotated[
        list[str], typer.Argument(metavar="PAPER…", help="Ids, DOIs, paths; a folder for all that came from it.")
    ],
    library: LibraryFolder = None,
    as_json: AsJson = False,
) -> None:
    """Remove papers from the library; their files stay, and come back only when they are added by their own paths."""
    from pincite_library.ingest.pipeline import Ingest
    from pincite_library.printing import outcome_json, put_json

    settings = _settings(library)
    with _reading(settings) as store, Ingest(settings, store=store) as ingest:
        report = ingest.remove(names)
    if as_json:
        put_json([outcome_json(outcome) for outcome in report.outcomes])
        return
    _put(f"removed: {outcome.paper_id[7:19]}  {outcome.title}" for outcome in report.outcomes)


@app.command()
def vacuum(library: LibraryFolder = None) -> None:
    """Give back the room of what was removed."""
    from pincite_library.ingest.pipeline import Ingest
    from pincite_library.printing import size

    settings = _settings(library)
    with _reading(settings, empty=True) as store, Ingest(settings, store=store) as ingest:
        typer.echo(f"{size(max(ingest.vacuum(), 0))} given back")


@app.command()
def check(library: LibraryFolder = None, as_json: AsJson = False) -> None:
    """Look through the whole library for damage; exit with 1 when there is any."""
    from pincite_library.ingest.journal import Journal
    from pincite_library.printing import put_json

    settings = _settings(library)
    with _reading(settings, empty=True) as store, Journal(settings.library_dir, writable=False) as journal:
        papers = {entry.paper_id for entry in store.papers()}
        problems = [*store.check(), *journal.check(papers)]
    if as_json:
        put_json({"papers": len(papers), "problems": problems})
    else:
        _put(problems)
        typer.echo(f"{len(papers):,} papers, {len(problems) or 'no'} problem{'' if len(problems) == 1 else 's'}")
    if problems:
        raise typer.Exit(_EXIT_FAILED)


@app.command()
def embed(
    again: Annotated[bool, typer.Option("--again", help="Forget all vectors and make them again.")] = False,
    get: Annotated[
        str, typer.Option("--get", metavar="NAME", help="Fetch this static model first (potion-base-8M), and use it.")
    ] = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before fetching.")] = False,
    library: LibraryFolder = None,
    as_json: AsJson = False,
) -> None:
    """Make vectors for the chunks that have none, with the embedder of PINCITE_EMBEDDER or the model of --get."""
    from rich.console import Console

    from pincite_library.ingest.pipeline import Ingest
    from pincite_library.ingest.progress import watching

    settings = _settings(library)
    if get:
        from pincite_library.getting import get_model

        settings = get_model(settings, get, agreed=yes)
    with (
        _reading(settings) as store,
        Ingest(settings, store=store) as ingest,
        watching(Console(stderr=as_json)) as watcher,
    ):
        report = ingest.embed(again=again, watcher=watcher)
    _end(report, as_json=as_json)


@app.command()
def stats(library: LibraryFolder = None, as_json: AsJson = False) -> None:
    """How much is in the library, and what it was made with."""
    from pincite_library.ingest.journal import Journal
    from pincite_library.printing import library_stats, put_json, table

    settings = _settings(library)
    with _reading(settings, empty=True) as store, Journal(settings.library_dir, writable=False) as journal:
        found = library_stats(settings, store, journal.counts())
    if as_json:
        put_json(found)
    else:
        _put(table(found))


def _settings(library: Path | None) -> Settings:
    return library_settings(load_settings(), library)


@contextmanager
def _nodes(settings: Settings, engine: str, address: str) -> "Generator[Nodes | None]":
    """The cluster that papers are read on; None for this machine."""
    if engine == "local":
        if address:
            raise BadInputError("An address of a cluster needs its engine.", seen=address, next="Add --engine ray.")
        yield None
        return
    from pincite_library.ingest.nodes import ClusterNodes

    nodes = ClusterNodes(settings, address)
    try:
        yield nodes
    finally:
        nodes.close()


@contextmanager
def _reading(settings: Settings, *, empty: bool = False) -> "Generator[Store]":
    """The store of a library that is there."""
    store = open_library(settings, empty=empty)
    try:
        yield store
    finally:
        store.close()


def _named(settings: Settings, store: "Store", names: list[str] | None) -> frozenset[str]:
    """The papers that are meant by ``--paper``, none for all."""
    from pincite_library.ingest.journal import Journal
    from pincite_library.ingest.naming import named_papers

    if not names:
        return frozenset()
    with Journal(settings.library_dir, writable=False) as journal:
        return frozenset(paper_id for name in names for paper_id in named_papers(store, journal, name))


def _end(report: "Report", *, as_json: bool) -> None:
    """Print what came of an ingest, and leave with the exit code that it earns."""
    from pincite_library.printing import put_json, report_json, report_lines

    if as_json:
        put_json(report_json(report))
    else:
        _put(report_lines(report))
    if report.stopped:
        raise typer.Exit(_EXIT_INTERRUPTED)
    if report.failed or report.embedding_error is not None:
        raise typer.Exit(_EXIT_FAILED)


def _put(lines: Iterable[str], *, err: bool = False) -> None:
    for line in lines:
        typer.echo(line, err=err)
