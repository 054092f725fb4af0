"""CorpusServer: a corpus in place of the whole web, on the loopback, for as long as it is open."""

import logging
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, unquote, urlsplit

from pincite_core.errors import UnavailableError
from pincite_tasks.corpus.corpus import Corpus
from pincite_tasks.corpus.exchange import Asked, CorpusReply, missing
from pincite_tasks.corpus.sources import arxiv, crossref, europe_pmc, openalex, others, semantic_scholar, unpaywall
from pincite_tasks.corpus.sources.databases import DATABASES

log = logging.getLogger(__name__)

SEARCH_HOST = "search.invalid"
"""Where the web around a corpus has its search engine."""

_CONTACT = "reader@example.org"
"""What Unpaywall wants to know, which does not leave the machine."""

_MOST_BODY = 1 << 20
"""Bytes of a request that is read."""
_POLL_SECONDS = 0.02
"""Seconds between looks whether the server is to stop."""

HOSTS: Mapping[str, Callable[[Corpus, Asked], CorpusReply]] = {
    "export.arxiv.org": arxiv.answer,
    "arxiv.org": arxiv.files,
    "api.crossref.org": crossref.answer,
    "api.openalex.org": openalex.answer,
    "api.semanticscholar.org": semantic_scholar.answer,
    "www.ebi.ac.uk": europe_pmc.answer,
    "eutils.ncbi.nlm.nih.gov": others.ncbi,
    "pmc-oa-opendata.s3.amazonaws.com": others.pmc_files,
    "api.unpaywall.org": unpaywall.answer,
    "doi.org": others.doi_handles,
    SEARCH_HOST: others.web_search,
    **DATABASES,
}
"""Who answers for each host; every other host has nothing (404), Wikipedias no page."""


class CorpusServer:
    """Serves a corpus at ``address``, to be given to servers as PINCITE_STAND_IN; a context manager."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        try:
            self._server = _Server(("127.0.0.1", 0), _handler(corpus))
        except OSError as error:
            raise UnavailableError("The made-up literature cannot be served.", seen=str(error)) from error
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(_POLL_SECONDS,), daemon=True)
        self._thread.start()

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which servers see the corpus and nothing else; an empty one counts as not set."""
        return {
            "PINCITE_STAND_IN": self.address,
            "PINCITE_SOURCE_URLS": "",
            "PINCITE_CONTACT": _CONTACT,
            "PINCITE_SEARXNG_URL": f"http://{SEARCH_HOST}",
        }

    def close(self) -> None:
        """Stop listening; safe to call twice."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def answer(corpus: Corpus, asked: Asked) -> CorpusReply:
    """What the web around a corpus says."""
    if asked.host.endswith(".wikipedia.org"):
        return others.wikipedia(corpus, asked)
    source = HOSTS.get(asked.host)
    return missing() if source is None else source(corpus, asked)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is not news."""
        log.debug("A client of the corpus went away", exc_info=True)


def _handler(corpus: Corpus) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            try:
                reply = answer(corpus, self._asked())
            except Exception:
                log.exception("Answering %s failed", self.path[:200])
                reply = CorpusReply.json({"error": "a fault in the corpus's server"}, 500)
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.kind)
            self.send_header("Content-Length", str(len(reply.content)))
            self.end_headers()
            self.wfile.write(reply.content)

        do_POST = do_GET  # noqa: N815

        def _asked(self) -> Asked:
            parts = urlsplit(self.path)
            body = self.rfile.read(min(int(self.headers.get("Content-Length") or 0), _MOST_BODY))
            pairs = parse_qsl(parts.query, keep_blank_values=True)
            if "form-urlencoded" in (self.headers.get("Content-Type") or ""):
                pairs += parse_qsl(body.decode(errors="replace"), keep_blank_values=True)
            host, _, path = parts.path.lstrip("/").partition("/")
            return Asked(host.lower(), f"/{unquote(path)}", dict(pairs))

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """What was asked stands in the servers' own records."""

    return Handler
