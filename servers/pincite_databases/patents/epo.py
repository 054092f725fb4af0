"""The European Patent Office's Open Patent Services 3.2: bibliographic data of patents worldwide, with a free key."""

import base64
import re
import time
from typing import Any

from pydantic import SecretStr

from pincite_core.errors import BadInputError, NotFoundError, SourceError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import DAY, Access, Rate, SourcePolicy
from pincite_core.http.xml import read_xml
from pincite_databases.fields import text, whole
from pincite_databases.patents.numbers import PatentNumber
from pincite_databases.patents.record import Patent, PatentPage

POLICY = SourcePolicy(
    "epo", "EPO Open Patent Services", "https://ops.epo.org/3.2", Rate(20, 60.0, at_once=2), fresh_seconds=7 * DAY
)
"""Fair use allows about 30 searches a minute when the service is idle, fewer when it is busy, and 4 GB a week."""

_DEEPEST = 2000
"""The service shows the first 2,000 results of a search."""
_EARLY_SECONDS = 60.0
"""Seconds before its end at which a token is renewed, so that no request under way loses it."""
_DATE = re.compile(r"(\d{4})(\d{2})(\d{2})")
_MOST_WORDS = 20
"""Words of a query; CQL of OPS takes 20 terms."""


class Epo:
    """Asks with an access token, which is renewed when it runs out and kept in memory alone."""

    policy = POLICY

    def __init__(self, web: Web, key: SecretStr) -> None:
        if ":" not in key.get_secret_value():
            raise BadInputError("PINCITE_EPO_KEY is not of the form key:secret.")
        self._web = web
        self._key = key
        self._token = ""
        self._until = 0.0

    async def search(
        self, query: str, *, applicant: str, inventor: str, years: tuple[int, int] | None, limit: int, page: str | None
    ) -> PatentPage:
        """Patents whose title or abstract has these words; ``page`` is the number of the first result."""
        terms = [
            f'{field} all "{_words(asked)}"'
            for field, asked in (("ta", query), ("pa", applicant), ("in", inventor))
            if asked.strip()
        ]
        if years is not None:
            terms.append(f'pd within "{years[0]:04d}0101 {years[1]:04d}1231"')
        first = int(page) if page and page.isdecimal() else 1
        params = {"q": " and ".join(terms), "Range": f"{first}-{min(first + limit - 1, _DEEPEST)}"}
        try:
            response = await self._get("rest-services/published-data/search/biblio", params)
        except NotFoundError:
            return PatentPage((), 0, None, None)
        root = _root(response)
        counts = root.xpath("//*[local-name()='biblio-search']/@total-result-count")
        total = int(str(counts[0])) if counts and str(counts[0]).isdecimal() else None
        patents = _patents(root)
        following = first + limit
        more = total is not None and following <= min(total, _DEEPEST) and bool(patents)
        return PatentPage(patents, total, str(following) if more else None, response)

    async def patent(self, number: PatentNumber) -> tuple[Patent, Response] | None:
        """The document with this number (any kind where none is given); None when there is none."""
        form = f"docdb/{number.country}.{number.digits}.{number.kind}" if number.kind else f"epodoc/{number}"
        try:
            response = await self._get(f"rest-services/published-data/publication/{form}/biblio", {})
        except NotFoundError:
            return None
        found = next(iter(_patents(_root(response))), None)
        return None if found is None else (found, response)

    async def _get(self, path: str, params: dict[str, str]) -> Response:
        access = Access(headers={"Authorization": f"Bearer {await self._bearer()}"})
        return await self._web.get(POLICY, path, params, headers={"Accept": "application/exchange+xml"}, access=access)

    async def _bearer(self) -> str:
        """A token that is still good; none is needed where the recorded web answers."""
        if time.monotonic() < self._until:
            return self._token
        basic = base64.b64encode(self._key.get_secret_value().encode()).decode()
        try:
            response = await self._web.post(
                POLICY,
                "auth/accesstoken",
                b"grant_type=client_credentials",
                headers={"Content-Type": "application/x-www-form-urlencoded"},
                access=Access(headers={"Authorization": f"Basic {basic}"}),
                secret=True,
            )
        except SourceError as error:
            if error.cause == "not_recorded":
                return ""
            raise
        body = response.json()
        token, seconds = text(body, "access_token"), whole(body, "expires_in")
        if not token or seconds is None:
            raise SourceError(
                "EPO Open Patent Services sent an answer that cannot be read.",
                source="epo",
                cause="malformed",
                seen="no access token",
            )
        self._token, self._until = token, time.monotonic() + max(seconds - _EARLY_SECONDS, 0.0)
        return token


def _words(asked: str) -> str:
    words = [word for word in re.findall(r"[^\s\"/=<>()\[\]{}%*?#]+", asked) if any(c.isalnum() for c in word)]
    if not words:
        raise BadInputError("No words to search patents for.", next='Give words as "solid electrolyte garnet".')
    return " ".join(words[:_MOST_WORDS])


def _root(response: Response) -> Any:
    root = read_xml(response)
    if not str(root.tag).endswith("}world-patent-data"):
        raise response.malformed("an answer of the EPO that is not a world-patent-data")
    return root


def _patents(root: Any) -> tuple[Patent, ...]:
    made = (_patent(document) for document in root.xpath("//*[local-name()='exchange-document']"))
    return tuple(patent for patent in made if patent is not None)


def _patent(document: Any) -> Patent | None:
    number = "".join(document.get(name) or "" for name in ("country", "doc-number", "kind"))
    titles = {node.get("lang") or "": _text(node) for node in _all(document, "invention-title")}
    if not document.get("doc-number") or not titles:
        return None
    abstracts = {node.get("lang") or "": _text(node) for node in _all(document, "abstract")}
    return Patent(
        number=number,
        title=titles.get("en") or next(iter(titles.values())),
        applicants=_names(document, "applicant"),
        inventors=_names(document, "inventor"),
        published=_date(document, "publication-reference"),
        filed=_date(document, "application-reference"),
        priority=min((date for node in _all(document, "priority-claim") if (date := _first_date(node))), default=""),
        abstract=abstracts.get("en") or next(iter(abstracts.values()), ""),
        classes=tuple(dict.fromkeys(_class(node) for node in _all(document, "patent-classification") if _class(node))),
        family=document.get("family-id") or "",
        url=f"https://worldwide.espacenet.com/patent/search?q=pn%3D{number}",
    )


def _all(node: Any, name: str) -> list[Any]:
    return node.xpath(f".//*[local-name()='{name}']")


def _text(node: Any) -> str:
    return " ".join("".join(node.itertext()).split())


def _names(document: Any, role: str) -> tuple[str, ...]:
    """Names in the original form where it is given: the normalised one repeats each in capitals."""
    forms: dict[str, list[str]] = {}
    for party in _all(document, role):
        for name in _all(party, "name"):
            forms.setdefault(party.get("data-format") or "", []).append(_text(name).strip(" ,"))
    names = forms.get("original") or forms.get("epodoc") or next(iter(forms.values()), list[str]())
    return tuple(dict.fromkeys(name for name in names if name))


def _date(document: Any, reference: str) -> str:
    return next((date for node in _all(document, reference) if (date := _first_date(node))), "")


def _first_date(node: Any) -> str:
    for date in _all(node, "date"):
        if match := _DATE.fullmatch(_text(date)):
            return "-".join(match.groups())
    return ""


def _class(node: Any) -> str:
    parts = {
        name: _text(found[0])
        for name in ("section", "class", "subclass", "main-group", "subgroup")
        if (found := _all(node, name))
    }
    if len(parts) < 5:
        return ""
    return f"{parts['section']}{parts['class']}{parts['subclass']}{parts['main-group']}/{parts['subgroup']}"
