"""Fetch the files of a published data set from where it is published."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.http.opening import open_web
from pincite_core.http.policy import Rate, SourcePolicy
from pincite_core.settings import Settings
from pincite_harness.curation.importing.dataset import Dataset
from pincite_tasks.files import write_atomic

_MOST_BYTES = 1 << 30
"""Bytes of one file of a data set. Set by judgement."""
_SECONDS = 600.0
"""Seconds to fetch one file. Set by judgement."""
_RATE = Rate(5, 1.0, at_once=1)


async def fetch_dataset(dataset: Dataset, folder: Path, settings: Settings) -> list[Path]:
    """The data set's files in ``folder``, each whole or not there; NotFoundError where no address is known.

    ``PINCITE_SOURCE_URLS=datasets=ADDRESS`` names a mirror that has the files under the same paths.
    """
    if not dataset.urls:
        raise NotFoundError(
            f"No address is known for {dataset.title}.",
            next=f"{dataset.where} Then: pincite tasks import {dataset.family} --from PATH".strip(),
        )
    named = dict(_names(dataset, folder))
    # A data set is kept where the user wants it, and would push all else out of the cache.
    web = open_web(settings.model_copy(update={"cache_max_bytes": 0}))
    async with web.lifespan():
        for path, url in named.items():
            parts = urlsplit(url)
            policy = SourcePolicy("datasets", dataset.title, f"{parts.scheme}://{parts.netloc}", _RATE)
            asked = tuple(parse_qsl(parts.query))
            answer = await web.get(policy, parts.path, asked, most_bytes=_MOST_BYTES, seconds=_SECONDS)
            write_atomic(path, answer.content)
    return list(named)


def _names(dataset: Dataset, folder: Path) -> Iterator[tuple[Path, str]]:
    for url in dataset.urls:
        path = folder / (unquote(urlsplit(url).path).rpartition("/")[2] or dataset.name)
        if path.exists():
            raise BadInputError(f"{path} already exists.", next="Give another --to, or remove it.")
        yield path, url
