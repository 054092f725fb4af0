"""pincite zotero: search a Zotero library, check quotes in it, and write highlights and tags back."""

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import anyio
import orjson
import typer

from pincite_core.settings import load_settings

if TYPE_CHECKING:
    from pincite_zotero.state import ZoteroState
    from pincite_zotero.tools.listing import ItemEntry

app = typer.Typer(
    help="Search a Zotero library, check quotes in it, write highlights and tags back.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
InCollection = Annotated[
    str, typer.Option("--collection", metavar="NAME", help="Only of this collection (name or key) and those in it.")
]
Query = Annotated[str, typer.Argument(metavar="[WORDS]", help="Words of title, creators, year, …", show_default=False)]
Item = Annotated[str, typer.Argument(metavar="ITEM", help="Its key (8 characters), as items shows it.")]

_EXIT_NO = 1
"""Exit code for "it does not stand there" or "nothing was written"."""
_EXIT_UNREAD = 2
"""Exit code for a file that could not be read."""
_Made = TypeVar("_Made")


@app.command()
def collections(as_json: AsJson = False) -> None:
    """The collections, and what is read: a running Zotero or a data folder."""
    from pincite_zotero.tools.listing import list_collections

    made = _run(list_collections)
    lines = [f"{each['key']}  {each['path']}" for each in made["collections"]]
    _put(made, [*lines, f"{len(lines)} collections of {made['source']}"], as_json=as_json)


@app.command()
def items(
    query: Query = "",
    collection: InCollection = "",
    tag: Annotated[str, typer.Option(metavar="TAG", help="Only with this tag.")] = "",
    as_json: AsJson = False,
) -> None:
    """The items that match; exit status 1 where there is none."""
    from pincite_zotero.choosing import choose
    from pincite_zotero.tools.listing import described

    async def chosen(state: "ZoteroState") -> "list[ItemEntry]":
        found = await choose(await state.source(), query=query, collection=collection, tag=tag)
        return [described(entry) for entry in found]

    made = _run(chosen)
    _put(made, [*map(_item_line, made), f"{len(made)} items"], as_json=as_json)
    raise typer.Exit(0 if made else _EXIT_NO)


@app.command()
def show(item: Item) -> None:
    """One item with its files, notes and highlights, as JSON."""
    from pincite_zotero.tools.listing import read_item

    _put(_run(lambda state: read_item(state, item)), (), as_json=True)


@app.command()
def files(query: Query = "", collection: InCollection = "") -> None:
    """The paths of the files of all items that match, one a line, as other commands take them."""
    from pincite_core.errors import PinciteError
    from pincite_zotero.choosing import choose, files_of

    async def paths(state: "ZoteroState") -> list[str | PinciteError]:
        source = await state.source()
        found: list[str | PinciteError] = []
        for entry in await choose(source, query=query, collection=collection):
            for file in await files_of(source, entry):
                try:
                    found.append(await source.file_path(file))
                except PinciteError as error:
                    found.append(error)
        return found

    made = _run(paths)
    for each in made:
        typer.echo(each if isinstance(each, str) else each.what, err=not isinstance(each, str))
    if any(not isinstance(each, str) for each in made):
        raise typer.Exit(_EXIT_UNREAD)
    raise typer.Exit(0 if made else _EXIT_NO)


@app.command()
def grep(
    pattern: Annotated[str, typer.Argument(metavar="PATTERN", help="A text, or an RE2 expression with --regex.")],
    collection: InCollection = "",
    item: Annotated[str, typer.Option(metavar="ITEM", help="Only in the files of this item.")] = "",
    regex: Annotated[bool, typer.Option("--regex", help="PATTERN is an RE2 expression.")] = False,
    as_json: AsJson = False,
) -> None:
    """Places in the papers, with locator and a link into Zotero's reader. It ends with 1 where there is none, with 2
    where a file could not be read."""
    from pincite_zotero.tools.passages import ItemHits, grep_items

    async def pages(state: "ZoteroState") -> list[ItemHits]:
        made = [await grep_items(state, pattern, collection, "", item, regex)]
        while cursor := made[-1]["next_cursor"]:
            made.append(await grep_items(state, pattern, collection, "", item, regex, cursor))
        return made

    made = _run(pages)
    hits = [hit for page in made for hit in page["hits"]]
    unread = [reason for page in made for reason in page["unread"]]
    lines = [f"{hit['item']}  {hit['locator']}  {hit['link']}\n    {_line(hit['context'])}" for hit in hits]
    _put({"hits": hits, "unread": unread}, [*lines, f"{len(hits)} places"], as_json=as_json)
    _say_unread(unread)
    raise typer.Exit(0 if hits else _EXIT_NO)


@app.command()
def check(
    item: Item,
    quotes: Annotated[list[str], typer.Argument(metavar="QUOTE…", help="Quotes, each in quotation marks.")],
    as_json: AsJson = False,
) -> None:
    """Whether quotes stand in an item's files; exit status 1 where one does not."""
    from pincite_zotero.tools.quotes import check_item_quotes

    made = _run(lambda state: check_item_quotes(state, item, quotes))
    lines: list[str] = []
    for each in made["checked"]:
        lines.append("  ".join(filter(None, (each["standing"], each.get("locator", ""), each.get("link", "")))))
        if "paper_says" in each:
            lines.append(f"    the paper says: {_line(each['paper_says'])}")
    _put(made, lines, as_json=as_json)
    _say_unread(made["unread"])
    raise typer.Exit(_EXIT_NO if made["faulty"] else 0)


@app.command()
def highlight(
    item: Item,
    quote: Annotated[str, typer.Argument(metavar="[QUOTE]", help="A quote of the item.", show_default=False)] = "",
    claim: Annotated[str, typer.Option(metavar="ID", help="A recorded claim: its quote and verdict.")] = "",
    comment: Annotated[str, typer.Option(metavar="TEXT", help="Added to locator and verdict.")] = "",
    as_json: AsJson = False,
) -> None:
    """Highlight a quote that stands, with its locator and verdict; Zotero asks you first."""
    from pincite_zotero.tools.quotes import highlight_quote

    typer.echo("Zotero may ask in its own window whether pincite may write.", err=True)
    made = _run(lambda state: highlight_quote(state, item, quote, claim, comment))
    done = "written" if made["written"] else "there before"
    _put(made, [f"{made['standing']}  {made['locator']}  {done}: {made['link']}"], as_json=as_json)


@app.command()
def notices(
    query: Query = "",
    collection: InCollection = "",
    tag: Annotated[bool, typer.Option("--tag", help="Add tags that say so; Zotero asks you first.")] = False,
    as_json: AsJson = False,
) -> None:
    """Which items were retracted, corrected or put in doubt. It ends with 1 where none was found, with 2 where some
    could not be asked about."""
    from pincite_zotero.tools.notices import ItemNotices, tag_notices

    async def pages(state: "ZoteroState") -> list[ItemNotices]:
        made = [await tag_notices(state, collection, query, tag)]
        while cursor := made[-1]["next_cursor"]:
            made.append(await tag_notices(state, collection, query, tag, cursor))
        return made

    made = _run(pages)
    noticed = [each for page in made for each in page["noticed"]]
    unknown = [each for page in made for each in page["unknown"]]
    lines = [f"{each['item']}  {', '.join(each['tags'])}  {each['title']}" for each in noticed]
    _put({"noticed": noticed, "unknown": unknown}, [*lines, f"{len(noticed)} items with a notice"], as_json=as_json)
    _say_unread(unknown)
    raise typer.Exit(0 if noticed else _EXIT_NO)


def _run(ask: "Callable[[ZoteroState], Awaitable[_Made]]") -> _Made:
    """What a question to the library gives."""
    from pincite_zotero.state import ZoteroState

    async def asked() -> _Made:
        state = ZoteroState(load_settings())
        async with state.lifespan(None):
            return await ask(state)

    return anyio.run(asked)


def _put(made: Any, lines: Iterable[str], *, as_json: bool) -> None:
    if as_json:
        typer.echo(orjson.dumps(made, option=orjson.OPT_INDENT_2).decode())
    else:
        for line in lines:
            typer.echo(line)


def _say_unread(reasons: list[str]) -> None:
    """Name what is not known, and end with 2 where there is any."""
    for reason in reasons:
        typer.echo(f"not known: {reason}", err=True)
    if reasons:
        raise typer.Exit(_EXIT_UNREAD)


def _item_line(item: "ItemEntry") -> str:
    first = item["creators"][0] if item["creators"] else "no creator"
    return f"{item['key']}  {first} {item.get('year', '')}: {_line(item['title'])}"


def _line(text: str) -> str:
    """A text on one line, without control characters."""
    return "".join(char if char.isprintable() else " " for char in " ".join(text.split()))
