"""Hall: what arXiv's files, the PMC Cloud Service, E-utilities, Europe PMC, Unpaywall and a publisher answer, by path.

Paths after their published descriptions: arXiv's /src, /html and /pdf; S3 ListObjectsV2 and the keys of the bucket
pmc-oa-opendata; efetch.fcgi?db=pmc; /<PMCID>/fullTextXML; /v2/<DOI>.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import escape

from source_server import Asked, Given, SourceServer

NOT_THERE = Given("<html><title>404</title><body>Not found</body></html>", status=404)
PLACES = {"arxiv_files": "arxiv", "pmc_cloud": "s3", "pmc": "eutils", "europe_pmc": "epmc", "unpaywall": "unpaywall"}
"""The folder of the server at which each source is, by the name of its policy."""

Answer = bytes | Given | Callable[[Asked], Given]


class Hall:
    """A server of ``answers`` by path; what it does not know is not there (404). A context manager."""

    def __init__(self, answers: Mapping[str, Answer] | None = None) -> None:
        self.answers: dict[str, Answer] = dict(answers or {})
        self.server = SourceServer(self._answer)
        self.url = self.server.url
        self.urls = {name: f"{self.url}/{place}" for name, place in PLACES.items()}

    def __enter__(self) -> "Hall":
        return self

    def __exit__(self, *_: object) -> None:
        self.server.close()

    @property
    def asked(self) -> list[str]:
        """The paths that were asked for, in order."""
        return [asked.path for asked in self.server.asked]

    def _answer(self, asked: Asked) -> Given:
        if asked.path.rstrip("/") == "/s3":
            return self._listing(asked)
        known = self.answers.get(asked.path)
        if known is None:
            return NOT_THERE
        if callable(known):
            return known(asked)
        return known if isinstance(known, Given) else Given(known)

    def answer(self, asked: Asked, place: str) -> Given:
        """The answer to a request that another server got, as if it had come to this one at ``place``."""
        return self._answer(replace(asked, path=f"{place}{asked.path}"))

    def before(self, europe: Callable[[Asked], Given]) -> Callable[[Asked], Given]:
        """What answers for Europe PMC: full texts from here, all else by ``europe``."""
        return lambda asked: self.answer(asked, "/epmc") if asked.path.endswith("/fullTextXML") else europe(asked)

    def _listing(self, asked: Asked) -> Given:
        """ListObjectsV2 of the bucket: the folders of versions that begin with the prefix."""
        assert asked.params["list-type"] == "2"
        assert asked.params["delimiter"] == "/"
        prefix = asked.params["prefix"]
        listing = self.answers.get("/s3")
        if isinstance(listing, Given):
            return listing
        keys = (path.removeprefix("/s3/") for path in self.answers if path.startswith(f"/s3/{prefix}"))
        folders = sorted({f"{key.partition('/')[0]}/" for key in keys})
        rows = "".join(f"<CommonPrefixes><Prefix>{escape(folder)}</Prefix></CommonPrefixes>" for folder in folders)
        body = (
            '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
            f"<Name>pmc-oa-opendata</Name><Prefix>{escape(prefix)}</Prefix><KeyCount>{len(folders)}</KeyCount>"
            f"<MaxKeys>1000</MaxKeys><Delimiter>/</Delimiter><IsTruncated>false</IsTruncated>{rows}</ListBucketResult>"
        )
        return Given(body, headers={"Content-Type": "application/xml"})


def cloud(
    pmcid: str, /, *, version: int = 1, jats: bytes = b"", pdf: bytes = b"", manuscript: bool = False, **more: Any
) -> dict[str, Answer]:
    """What the PMC Cloud Service has of one version of an article."""
    folder = f"{pmcid}.{version}"
    record = {
        "pmcid": pmcid,
        "version": version,
        "pmid": 12345678,
        "doi": "10.5555/cuprate.1",
        "mid": None,
        "title": "Superconductivity of a cuprate that nobody has made",
        "citation": "J Invented Res. 2019 Mar 5;12(3):101-110.",
        "is_pmc_openaccess": not manuscript,
        "is_manuscript": manuscript,
        "is_historical_ocr": False,
        "is_retracted": False,
        "license_code": None if manuscript else "CC BY",
        "xml_url": f"s3://pmc-oa-opendata/{folder}/{folder}.xml?md5=0123" if jats else None,
        "text_url": f"s3://pmc-oa-opendata/{folder}/{folder}.txt?md5=0123",
        "pdf_url": f"s3://pmc-oa-opendata/{folder}/{folder}.pdf?md5=0123" if pdf else None,
        "media_urls": [],
        **more,
    }
    kept: dict[str, Answer] = {
        f"/s3/metadata/{folder}.json": Given(record),
        f"/s3/{folder}/{folder}.txt": b"plain text",
    }
    if jats:
        kept[f"/s3/{folder}/{folder}.xml"] = jats
    if pdf:
        kept[f"/s3/{folder}/{folder}.pdf"] = pdf
    return kept


def unpaywall(doi: str, *places: Mapping[str, Any]) -> dict[str, Answer]:
    """Unpaywall's record of a DOI with these open places."""
    usual = {
        "evidence": "open (via page says license)",
        "host_type": "publisher",
        "is_best": True,
        "license": "cc-by",
        "oa_date": "2019-03-05",
        "pmh_id": None,
        "repository_institution": None,
        "updated": "2024-01-01T00:00:00.000000",
        "url": None,
        "url_for_landing_page": None,
        "url_for_pdf": None,
        "version": "publishedVersion",
    }
    locations = [{**usual, **place} for place in places]
    record = {
        "doi": doi,
        "doi_url": f"https://doi.org/{doi}",
        "is_oa": bool(locations),
        "oa_status": "gold" if locations else "closed",
        "best_oa_location": locations[0] if locations else None,
        "oa_locations": locations,
        "title": "Superconductivity of a cuprate that nobody has made",
        "year": 2019,
    }
    return {f"/unpaywall/v2/{quote(doi, safe='/')}": Given(record)}
