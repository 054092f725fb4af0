"""pincite library embed --get: a static model is fetched, once, after the user agreed to it."""

import sys

import anyio
import typer

from pincite_core.errors import BadInputError
from pincite_core.http.opening import open_web
from pincite_core.settings import Settings
from pincite_library.ranking.static_embedder import check_installed
from pincite_library.ranking.static_models import POLICY, fetch_model, folder_of, is_fetched, named_model


def get_model(settings: Settings, name: str, *, agreed: bool) -> Settings:
    """Fetch a named model unless it is there; the settings that embed with it.

    Says what is fetched, from where and under which licence, and asks unless ``agreed``. BadInputError for an unknown
    name or where nobody can be asked, MissingExtraError before anything is fetched, TamperedError for other files.
    """
    source = named_model(name)
    check_installed()
    if not is_fetched(name):
        address = settings.source_urls.get(POLICY.name, POLICY.base_url)
        megabytes = source.size / 1e6
        typer.echo(f"{name}: {megabytes:.1f} MB from {address}/{source.repository}, licence {source.licence}", err=True)
        typer.echo(f"It is put into {folder_of(name)}", err=True)
        if not agreed:
            _ask()
        anyio.run(_fetch, settings, name)
    typer.echo(f"To search with it, set PINCITE_EMBEDDER=static:{name}", err=True)
    return settings.model_copy(update={"embedder": f"static:{name}"})


def _ask() -> None:
    if not sys.stdin.isatty():
        raise BadInputError("Nothing was fetched: nobody can be asked here.", next="Add --yes to fetch it.")
    typer.confirm("Fetch it?", abort=True, err=True)


async def _fetch(settings: Settings, name: str) -> None:
    web = open_web(settings)
    async with web.lifespan():
        await fetch_model(web, name, lambda line: typer.echo(line, err=True))
