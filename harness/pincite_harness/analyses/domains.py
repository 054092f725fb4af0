"""Registered domains of the addresses in a text, by the public suffix list that comes with a package, offline."""

import re
from collections.abc import Iterator
from functools import cache
from urllib.parse import urlsplit

from publicsuffixlist import PublicSuffixList

_ADDRESS = re.compile(r"\bhttps?://[^\s\"'<>`|\\)\]}]+", re.IGNORECASE)
_SCHEMA_HOSTS = ("w3.org", "schema.org", "json-schema.org", "xmlsoap.org", "openxmlformats.org", "purl.org")
"""Domains whose addresses name formats, not places that anyone reads."""


def domains_in(text: str) -> Iterator[str]:
    """The registered domain of each address in ``text``, in order; an IP address stands for itself, and names of
    formats and hosts without a registered domain are left out."""
    for match in _ADDRESS.finditer(text):
        domain = registered_domain(_host(match[0]))
        if domain and domain not in _SCHEMA_HOSTS:
            yield domain


def registered_domain(host: str) -> str:
    """``arxiv.org`` of ``export.arxiv.org``, ``ox.ac.uk`` of ``www.chem.ox.ac.uk``; empty where there is none."""
    host = host.rstrip(".").lower()
    if re.fullmatch(r"[\d.]+|[0-9a-f:]+:[0-9a-f:]*", host):
        return host
    return _list().privatesuffix(host) or ""


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


@cache
def _list() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False)
