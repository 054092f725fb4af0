"""ClinicalTrials.gov's API: how it is asked, the day of its data, its numbers and its faults.

Faults are plain text with 400 or 404; a 403 is its firewall, of which users report that it turns HTTP libraries away by
their TLS handshake, whatever they ask. A number that became obsolete is redirected (301) to the study that holds it in
``nctIdAliases``. ``/version`` gives ``{"apiVersion": "2.0.5", "dataTimestamp": "2025-07-01T09:00:05"}``.
"""

import re
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from pincite_core.errors import BadInputError, NotFoundError, PinciteError, SourceError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import Rate, SourcePolicy
from pincite_databases.fields import Record, record, text, texts
from pincite_databases.provenance import Provenance, provenance

TRIALS = SourcePolicy(
    name="clinicaltrials",
    title="ClinicalTrials.gov",
    base_url="https://clinicaltrials.gov/api/v2",
    rate=Rate(50, 60.0),
)
"""It publishes no number; about 50 requests a minute and address are let through, as users report."""

NctId = Annotated[str, Field(description="NCT and 8 digits")]

_NUMBER = re.compile(r"NCT([0-9]{8})", re.IGNORECASE)
_RELEASE_SECONDS = 2.0
"""Seconds to wait for the day of the data, which is worth no more. Set by judgement."""
_WHEN_REFUSED = """\
It turns some programs away by their kind of connection. Read it at https://clinicaltrials.gov, or name a gateway of \
yours that it lets in: PINCITE_SOURCE_URLS=clinicaltrials=https://…"""
_UNKNOWN_RELEASE = "unknown: it did not say"


@dataclass(frozen=True, slots=True)
class Study:
    """A registered study as posted; ``asked_as`` is the number asked for, which may be an obsolete one of it."""

    nct_id: str
    asked_as: str
    content: Record
    response: Response
    release: str

    @property
    def protocol(self) -> Record:
        """What was registered."""
        return record(self.content, "protocolSection")

    @property
    def results(self) -> Record:
        """What was posted of its results; empty when nothing was."""
        return record(self.content, "resultsSection")

    @property
    def remark(self) -> str:
        """That the number asked for is obsolete, if it is."""
        if self.asked_as == self.nct_id:
            return ""
        return f"{self.asked_as} is an obsolete number of {self.nct_id}: cite {self.nct_id}."

    def provenance(self, gives: str) -> Provenance:
        """Where the study is from; the release is the day of the registry's data and of the record's last update."""
        updated = text(self.protocol, "statusModule", "lastUpdatePostDateStruct", "date")
        of_record = f"; record last updated {updated}" if updated else ""
        return provenance(self.response, gives, f"{self.release}{of_record}")


def read_number(text: str) -> str:
    """A study's number in its normal form; BadInputError when it is none."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None or int(match[1]) == 0:
        raise BadInputError(
            f"{text.strip()[:40]!r} is not a number of ClinicalTrials.gov.",
            seen="a number is NCT with 8 digits, such as NCT04280705",
            next="Search the study with search_trials.",
        )
    return f"NCT{match[1]}"


async def fetch_study(web: Web, name: str) -> Study:
    """The study with a number; NotFoundError when there is none."""
    number = read_number(name)
    response, release = await with_release(web, f"studies/{number}", {"format": "json"}, expect=(404,))
    if response.status == 404:
        raise NotFoundError(f"ClinicalTrials.gov has no study {number}.", next="Search it with search_trials.")
    content = record(response.json())
    nct_id = text(content, "protocolSection", "identificationModule", "nctId")
    aliases = texts(content, "protocolSection", "identificationModule", "nctIdAliases")
    if not nct_id or number not in (nct_id, *aliases):
        raise response.malformed(f"no study {number}")
    return Study(nct_id, number, content, response, release)


async def with_release(
    web: Web, path: str, params: dict[str, str], *, expect: tuple[int, ...] = ()
) -> tuple[Response, str]:
    """The answer to ``path``, and the day of the registry's data; that it does not say the day fails nothing."""
    try:
        response = await web.get(TRIALS, path, params, expect=expect)
    except SourceError as error:
        if error.cause != "refused":
            raise
        raise SourceError(
            error.what, source=error.source, cause="refused", seen=error.seen, next=_WHEN_REFUSED
        ) from error
    try:
        said = (await web.get(TRIALS, "version", seconds=_RELEASE_SECONDS)).json()
    except PinciteError:
        return response, _UNKNOWN_RELEASE
    day, version = text(said, "dataTimestamp"), text(said, "apiVersion")
    return response, f"data of {day} (API {version})" if day else _UNKNOWN_RELEASE


def study_page(nct_id: str) -> str:
    """The registry's page for people."""
    return f"https://clinicaltrials.gov/study/{nct_id}"
