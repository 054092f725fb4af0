"""StandIn: sends all requests to one server that stands in for the web, so that the real web is never asked."""

from dataclasses import replace
from urllib.parse import urlsplit

from pincite_core.errors import BadInputError, PinciteError
from pincite_core.http.exchange import Next, Request, Response
from pincite_core.http.policy import NO_ACCESS


class StandIn:
    """A layer that sends what is asked of ``https://HOST/PATH`` to ``ADDRESS/HOST/PATH``, without keys.

    Answers bear the address that was asked for, so that records, results and keys are those of the web that is stood
    in for. BadInputError where ``address`` is none.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInputError(
                "PINCITE_STAND_IN is not the address of a server.", seen=address[:200], next="Give http://host:port."
            )
        self._address = address.rstrip("/")

    async def answer(self, request: Request, call_next: Next) -> Response:
        """The stand-in's answer; raises what ``Web.get`` raises."""
        policy = replace(
            request.policy, base_url=self._address, group="stand-in", trusted=True, foreign=False, asked_rest=None
        )
        parts = urlsplit(request.url)
        path = parts.path if parts.path.startswith("/") else f"/{parts.path}"
        url = f"{self._address}/{parts.netloc.lower()}{path}{f'?{parts.query}' if parts.query else ''}"
        try:
            said = await call_next(replace(request, policy=policy, url=url, access=NO_ACCESS))
        except PinciteError as error:
            error.seen = error.seen.replace(url, request.url)
            raise
        return replace(said, request=request, url=request.address)
