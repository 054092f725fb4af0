"""Patents in Europe PMC (RESTful web service 6, source PAT): titles and abstracts that EPO provides, without a key.

Mostly of the life sciences and chemistry, some four million documents; no claims, and applicants are often missing.
"""

import re

from pincite_core.errors import BadInputError, PinciteError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import DAY, Rate, SourcePolicy
from pincite_core.json_fields import at
from pincite_databases.fields import Record, records, text, whole
from pincite_databases.patents.numbers import PatentNumber
from pincite_databases.patents.record import Patent, PatentPage

POLICY = SourcePolicy(
    "europe_pmc_patents",
    "Europe PMC (patents)",
    "https://www.ebi.ac.uk/europepmc/webservices/rest",
    Rate(5, 1.0),
    fresh_seconds=DAY,
    group="europe_pmc",
)

_WORD = re.compile(r"[^\s\"()\[\]{}:*?~^\\/&|!+]+")
_OPERATORS = frozenset(("AND", "OR", "NOT"))
_MOST_WORDS = 40
"""Words of a query; the rest is left out. Set by judgement."""


class EuropePmcPatents:
    """Searches the patents of Europe PMC."""

    policy = POLICY

    def __init__(self, web: Web) -> None:
        self._web = web

    async def search(
        self, query: str, *, applicant: str, inventor: str, years: tuple[int, int] | None, limit: int, page: str | None
    ) -> PatentPage:
        """Patents whose title or abstract has these words; the applicant is looked for among the words as well."""
        terms = [_words(f"{query} {applicant}")]
        if inventor.strip():
            terms.append(f"AUTH:({_words(inventor)})")
        if years is not None:
            terms.append(f"FIRST_PDATE:[{years[0]:04d}-01-01 TO {years[1]:04d}-12-31]")
        return await self._ask(" AND ".join([*terms, "SRC:PAT"]), limit, page or "*")

    async def patent(self, number: PatentNumber) -> tuple[Patent, Response] | None:
        """The document with this number, its kind left aside; None when there is none."""
        bare = f"{number.country}{number.digits}"
        found = await self._ask(f"EXT_ID:{bare} AND SRC:PAT", 1, "*")
        patent = next((patent for patent in found.patents if patent.number.startswith(bare)), None)
        return (patent, found.response) if patent is not None and found.response is not None else None

    async def _ask(self, query: str, limit: int, mark: str) -> PatentPage:
        params = {"query": query, "format": "json", "resultType": "core", "pageSize": str(limit), "cursorMark": mark}
        response = await self._web.get(POLICY, "search", params)
        body = response.json()
        if not isinstance(at(body, "resultList", "result"), list):
            raise _refused(response, body)
        entries = records(body, "resultList", "result")
        patents = tuple(patent for patent in map(_patent, entries) if patent is not None)
        following = text(body, "nextCursorMark")
        more = following and following != mark and len(entries) == limit
        return PatentPage(patents, whole(body, "hitCount"), following if more else None, response)


def _refused(response: Response, body: object) -> PinciteError:
    message = text(body, "errMsg")
    if message:
        return BadInputError("Europe PMC rejected this query.", seen=message[:300])
    return response.malformed("an answer of Europe PMC without results")


def _words(asked: str) -> str:
    """The words of ``asked``, each quoted so that none is an operator or a field."""
    words = [word for word in _WORD.findall(asked) if any(character.isalnum() for character in word)]
    if not words:
        raise BadInputError("No words to search patents for.", next='Give words as "solid electrolyte garnet".')
    return " AND ".join(f'"{word}"' if word.upper() in _OPERATORS else word for word in words[:_MOST_WORDS])


def _patent(known: Record) -> Patent | None:
    number, title = text(known, "id"), text(known, "title")
    if text(known, "source") != "PAT" or not number or not title:
        return None
    authors = (name.strip(" .") for name in text(known, "authorString").split(","))
    return Patent(
        number=number,
        title=" ".join(title.split()).rstrip("."),
        inventors=tuple(name for name in authors if name),
        published=text(known, "firstPublicationDate") or text(known, "pubYear"),
        filed=text(known, "patentDetails", "application", "applicationDate"),
        abstract=" ".join(text(known, "abstractText").split()),
        url=f"https://europepmc.org/article/PAT/{number}",
    )
