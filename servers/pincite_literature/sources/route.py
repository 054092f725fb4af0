"""Route: who offers a full text, told from its address."""

from urllib.parse import urlsplit

from pincite_literature.model import FulltextKind, Version

_HOSTS = (
    ("arxiv.org", "arXiv"),
    ("europepmc.org", "Europe PMC"),
    ("pmc.ncbi.nlm.nih.gov", "PMC"),
    ("ncbi.nlm.nih.gov", "PMC"),
)

VERSIONS: dict[str, Version] = {
    "submittedVersion": "submitted",
    "acceptedVersion": "accepted",
    "publishedVersion": "published",
}
"""By the DRIVER names that OpenAlex and Unpaywall use."""


def route_of(url: str, *, otherwise: str) -> str:
    """The repository whose host the address has ("arXiv", "PMC", "Europe PMC"), ``otherwise`` when it is none."""
    host = host_of(url)
    return next((name for known, name in _HOSTS if host == known or host.endswith(f".{known}")), otherwise)


def kind_of(url: str) -> FulltextKind:
    """What an address that is called a PDF will give: a page where it goes through a resolver or to an abstract."""
    parts = urlsplit(url)
    resolved = host_of(url) in ("doi.org", "dx.doi.org", "hdl.handle.net")
    return "html" if resolved or parts.path.startswith("/abs/") else "pdf"


def host_of(url: str) -> str:
    """The host of an address (``Record.address`` gives only such that have one), in lower case, without ``www``."""
    return (urlsplit(url).hostname or "").removeprefix("www.")
