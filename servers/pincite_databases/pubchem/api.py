"""PubChem's PUG REST and PUG View: how it is asked, its faults and its answers that are still to come.

Faults come as ``{"Fault": {"Code": "PUGREST.NotFound", "Message": …, "Details": […]}}`` with 400 or 404; the outages
503 (PUGREST.ServerBusy) and 504 (PUGREST.Timeout) are left to the web. A search that takes long is answered with 202
and ``{"Waiting": {"ListKey": …}}``, and asked for again by that key.
``X-Throttling-Control: Request Count status: Green (0%), Request Time status: Green (0%), Service status: Green (20%)``
says how near the limits are.
"""

import re
from collections.abc import Mapping
from urllib.parse import quote, urlencode

import anyio

from pincite_core.errors import BadInputError, SourceError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import Rate, SourcePolicy
from pincite_databases.fields import record, text, texts, whole

_RED_SECONDS = 1.0
"""Seconds to wait when PubChem's throttling header says red: near its limits. Set by judgement."""
_BLACK_SECONDS = 4.0
"""Seconds to wait when it says black: above its limits, where it blocks. Set by judgement."""
_STATE = re.compile(r"\b(Red|Black)\b")


def _rest(headers: Mapping[str, str]) -> float:
    """Seconds to leave PubChem alone: its states tell when a limit is nearly reached (Red) or exceeded (Black)."""
    states = _STATE.findall(headers.get("x-throttling-control", ""))
    return _BLACK_SECONDS if "Black" in states else _RED_SECONDS if states else 0.0


PUBCHEM = SourcePolicy(
    name="pubchem",
    title="PubChem",
    base_url="https://pubchem.ncbi.nlm.nih.gov/rest",
    rate=Rate(5, 1.0),
    asked_rest=_rest,
)
"""At most 5 requests a second, which keeps the other published limit too: 400 a minute."""

_FORM = {"Content-Type": "application/x-www-form-urlencoded"}
_POLL_SECONDS = 1.0
"""Seconds between looks at an answer that PubChem is still working on."""
_POLLS = 5
"""Looks at such an answer; then it is an outage. Set by judgement."""
_LONGEST_URL = 1500
"""Characters of a structure in an address; longer ones are posted. Servers take addresses of 2,000 at least."""


async def ask(
    web: Web,
    path: str,
    params: dict[str, str] | None = None,
    *,
    most_bytes: int = 32 << 20,
    seconds: float | None = None,
) -> Response | None:
    """The answer to GET ``path``; None when PubChem has nothing there, BadInputError when it does not take it."""
    return _judged(
        await web.get(PUBCHEM, path, params or {}, expect=(400, 404), most_bytes=most_bytes, seconds=seconds)
    )


async def ask_by_value(
    web: Web, path: str, name: str, value: str, params: dict[str, str] | None = None
) -> Response | None:
    """The answer to ``path`` for a value that fits no path: a short SMILES as a parameter, all else by POST."""
    if name == "smiles" and len(value) <= _LONGEST_URL:
        return await ask(web, path, {name: value, **(params or {})})
    body = urlencode({name: value}).encode()
    return _judged(await web.post(PUBCHEM, path, body, params=params or {}, headers=_FORM, expect=(400, 404)))


async def settled(web: Web, response: Response | None, then: str) -> Response | None:
    """``response``, or what its list key gives in the end at ``then``; SourceError when it takes too long.

    Each time it is asked with another number, so that no cache or record takes one answer for the next.
    """
    for poll in range(1, _POLLS + 1):
        key = text(response.json(), "Waiting", "ListKey") if response is not None else ""
        if response is None or not key:
            return response
        await anyio.sleep(_POLL_SECONDS)
        response = await ask(web, f"pug/compound/listkey/{quote(key, safe='')}/{then}", {"poll": str(poll)})
    raise SourceError(
        "PubChem is still searching.",
        source=PUBCHEM.name,
        cause="slow",
        seen=f"asked {_POLLS} times",
        next="Ask again in a minute, or ask for less.",
    )


def numbers(response: Response, kind: str) -> list[int]:
    """The identifiers of an ``IdentifierList``; 0, PubChem's word for none, is left out."""
    listed = record(response.json(), "IdentifierList")
    if not isinstance(listed.get(kind), list):
        raise response.malformed(f"no IdentifierList of {kind}")
    found = [whole(number) for number in listed[kind]]
    return list(dict.fromkeys(number for number in found if number))


def _judged(response: Response) -> Response | None:
    if response.status not in (400, 404):
        return response
    fault = record(response.json(), "Fault")
    code, message = text(fault, "Code"), text(fault, "Message")
    if not code:
        raise response.malformed(f"HTTP {response.status} without a fault")
    if response.status == 404:
        return None
    raise BadInputError(
        "PubChem rejected this query.",
        seen="; ".join([message, *texts(fault, "Details")])[:400],
        next="Correct it, or say with kind what it is.",
    )
