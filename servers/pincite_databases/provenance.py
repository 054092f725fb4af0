"""Where a value comes from: every result says it for every answer that it was made from."""

from typing import NotRequired

from typing_extensions import TypedDict

from pincite_core.http.exchange import Response


class Provenance(TypedDict):
    """One answer of a database: which part of the result it gave, from where, when (UTC), and of which release."""

    gives: str
    database: str
    url: str
    retrieved: str
    release: NotRequired[str]


def provenance(response: Response, gives: str, release: str = "") -> Provenance:
    """The provenance of what ``response`` gave; ``release`` as the database names it, left out where it says none."""
    made = Provenance(
        gives=gives,
        database=response.request.policy.title,
        url=response.request.address if response.request.body else response.url,
        retrieved=response.retrieved.strftime("%Y-%m-%dT%H:%M:%SZ"),
    )
    if release:
        made["release"] = release
    return made
