"""PMC: JATS and PDF of its open-access subset and of author manuscripts.

After the PMC Cloud Service on AWS as it is since 2026 (the OA web service and the FTP service ended in August 2026):
a listing of ``PMC<id>.<version>/`` prefixes (S3 ListObjectsV2), ``metadata/PMC<id>.<version>.json`` (fields relied on:
pmcid, is_manuscript, license_code, xml_url, pdf_url), and the files under the keys of ``s3://`` URLs. Behind it the
E-utilities: efetch of the database pmc, which gives the same XML.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast
from urllib.parse import urlsplit

from pincite_core.errors import NotFoundError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import Rate, SourcePolicy
from pincite_core.http.xml import read_xml
from pincite_core.settings import Settings
from pincite_literature.fulltext.route import Route
from pincite_literature.model import Version

POLICY = SourcePolicy(
    name="pmc_cloud",
    title="PMC",
    base_url="https://pmc-oa-opendata.s3.amazonaws.com",
    rate=Rate(requests=10, seconds=1.0, at_once=4),
)
_S3 = "{http://s3.amazonaws.com/doc/2006-03-01/}"
_MOST_BYTES = 1 << 20
"""Bytes of an answer that is read; a longer one is an error. Set by judgement."""


async def pmc_routes(web: Web, pmcid: str, *, first_version: bool) -> list[Route]:
    """XML and PDF of the newest version of an article (or of its first, where that is what may be shown).

    No routes where PMC has the article but may not give it away.
    """
    asked = (("list-type", "2"), ("prefix", f"{pmcid}."), ("delimiter", "/"))
    response = await web.get(POLICY, "", asked, most_bytes=_MOST_BYTES)
    listing = read_xml(response)
    if listing.tag != f"{_S3}ListBucketResult":
        raise response.malformed("it is not a listing of files")
    numbers = sorted(_versions(listing, pmcid))
    if not numbers or (first_version and numbers[0] != 1):
        return []
    number = numbers[0] if first_version else numbers[-1]
    response = await _metadata(web, f"{pmcid}.{number}")
    if response is None:
        return []
    said: Any = response.json()
    if not isinstance(said, dict):
        raise response.malformed("it is not a JSON object")
    record = cast("dict[str, Any]", said)
    if record.get("pmcid") != pmcid:
        raise response.malformed(f"it is not about {pmcid}")
    return _routes(record, pmcid, number)


async def _metadata(web: Web, folder: str) -> Response | None:
    """The record of a version, from either of the two places where the service keeps it; None from neither."""
    for path in (f"metadata/{folder}.json", f"{folder}/{folder}.json"):
        try:
            return await web.get(POLICY, path, most_bytes=_MOST_BYTES)
        except NotFoundError:
            continue
    return None


def _versions(listing: Any, pmcid: str) -> Sequence[int]:
    form = re.compile(rf"{pmcid}\.(\d{{1,4}})/")
    prefixes = (prefix.text or "" for prefix in listing.iterfind(f"{_S3}CommonPrefixes/{_S3}Prefix"))
    return [int(found[1]) for prefix in prefixes if (found := form.fullmatch(prefix))]


def _routes(record: dict[str, Any], pmcid: str, number: int) -> list[Route]:
    version: Version = "accepted" if record.get("is_manuscript") is True else "published"
    licence = record.get("license_code")
    routes: list[Route] = []
    for kind, field in (("jats", "xml_url"), ("pdf", "pdf_url")):
        key = _key(record.get(field), f"{pmcid}.{number}")
        if key:
            routes.append(
                Route(
                    kind="jats" if kind == "jats" else "pdf",
                    source="PMC",
                    policy=POLICY,
                    url=key,
                    version=version,
                    licence=licence if isinstance(licence, str) else "",
                    number=number,
                )
            )
    return routes


def _key(url: object, folder: str) -> str:
    """The key of an ``s3://`` URL in the bucket, "" for one outside the article's own folder."""
    if not isinstance(url, str):
        return ""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    key = parts.path.lstrip("/")
    inside = key.startswith(f"{folder}/") and ".." not in key and "\\" not in key
    return key if parts.scheme == "s3" and parts.netloc == "pmc-oa-opendata" and inside else ""


def efetch_route(pmcid: str, settings: Settings) -> Route:
    """The XML of an article from NCBI's E-utilities, at the rate that the source pubmed shares."""
    from pincite_literature.sources.eutils import access_of, policy_of

    policy = replace(policy_of(settings), name="pmc", title=POLICY.title)
    params = (("db", "pmc"), ("id", pmcid.removeprefix("PMC")), ("retmode", "xml"))
    return Route("jats", "PMC", policy, "efetch.fcgi", params, access_of(settings))
