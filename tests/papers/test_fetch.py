import contextlib
import datetime
import gzip
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from pincite_core import errors
from pincite_core.settings import Settings
from pincite_papers.opening.fetch import fetch_source
from pincite_papers.opening.store import PaperStore

PDF = b"%PDF-1.7\n" + b"x" * 1000
ENTRIES = Path(__file__).parent / "entries"


class Server(ThreadingHTTPServer):
    """A real server on loopback; ``seen`` lists the path and Host header of each request."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[tuple[str, str]] = []

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that hang up early are expected here."""

    @property
    def port(self) -> int:
        return self.server_address[1]


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.seen.append((self.path, self.headers["Host"]))
        word, _, rest = self.path.lstrip("/").partition("/")
        answer: Callable[[str], None] = getattr(self, f"answer_{word.partition('?')[0]}")
        with contextlib.suppress(ConnectionError):
            answer(rest)

    def reply(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer_pdf(self, rest: str) -> None:
        self.reply(PDF, Content_Type="application/pdf")

    def answer_text(self, rest: str) -> None:
        self.reply(b"hello")

    def answer_status(self, rest: str) -> None:
        self.reply(b"no", int(rest))

    def answer_to(self, rest: str) -> None:
        self.reply(b"", 302, Location=rest)

    def answer_around(self, rest: str) -> None:
        self.reply(b"", 302, Location=f"/around/{int(rest) + 1}")

    def answer_hops(self, rest: str) -> None:
        left = int(rest)
        self.reply(b"", 307, Location=f"/hops/{left - 1}" if left else "/pdf")

    def answer_page(self, rest: str) -> None:
        self.reply(b"<!doctype html><title>Log in</title>", Content_Type="text/html; charset=utf-8")

    def answer_landing(self, rest: str) -> None:
        page = (
            "<!doctype html><head><title>Tin</title><meta name=citation_title content='A study of tin'>"
            "<meta name=citation_pdf_url content='https://example.org/tin.pdf'></head>"
            "<body><main><h1>A study of tin</h1><h2>Abstract</h2><p>We melt tin.</p><p>Buy this article.</p></main>"
        )
        self.reply(page.encode(), Content_Type="text/html")

    def answer_kind(self, rest: str) -> None:
        self.reply(b"some bytes", Content_Type=rest.replace("%20", " "))

    def answer_eprint(self, rest: str) -> None:
        body = gzip.compress(b"\\documentclass{article}", mtime=0)
        self.reply(body, Content_Type="application/x-eprint", Content_Encoding="x-gzip")

    def answer_mislabelled(self, rest: str) -> None:
        self.reply(PDF, Content_Type="text/html")

    def answer_empty(self, rest: str) -> None:
        self.reply(b"")

    def answer_declared(self, rest: str) -> None:
        self.reply(b"%PDF-", Content_Length="100000000")

    def answer_short(self, rest: str) -> None:
        self.reply(PDF, Content_Length=str(len(PDF) + 5))

    def answer_endless(self, rest: str) -> None:
        self.send_response(200)
        self.end_headers()
        while True:
            self.wfile.write(b"%PDF-" + b"x" * 10_000)

    def answer_drip(self, rest: str) -> None:
        self.send_response(200)
        self.end_headers()
        for _ in range(600):
            self.wfile.write(b"%")
            time.sleep(0.05)

    def answer_silent(self, rest: str) -> None:
        time.sleep(5)

    def answer_zipped(self, rest: str) -> None:
        self.reply(gzip.compress(PDF), Content_Encoding="gzip")

    def answer_accepted(self, rest: str) -> None:
        self.reply(b"%PDF-" + self.headers["Accept-Encoding"].encode())

    def log_message(self, *args: object) -> None:
        """Keep the test's output clean."""


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        roots=(tmp_path,),
        cache_dir=tmp_path / "cache",
        allow_urls=True,
        allow_private_addresses=True,
        max_source_bytes=100_000,
    )


def _get(server: Server, path: str, settings: Settings) -> bytes:
    return fetch_source(f"http://127.0.0.1:{server.port}/{path}", settings)


def test_a_pdf_arrives_whole(server: Server, settings: Settings) -> None:
    assert _get(server, "pdf", settings) == PDF


def test_loopback_is_refused_by_default_before_any_connection(server: Server, settings: Settings) -> None:
    closed = settings.model_copy(update={"allow_private_addresses": False})
    for host in (
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0x7f000001",
        "127.1",
        "[::1]",
        "[::ffff:7f00:1]",
    ):
        with pytest.raises(errors.ForbiddenError):
            fetch_source(f"http://{host}:{server.port}/pdf", closed)
    with pytest.raises(errors.BadInputError):
        fetch_source(f"http://①②⑦.⓪.⓪.①:{server.port}/pdf", closed)
    assert server.seen == []


def test_the_connection_is_pinned_while_the_host_name_stays(server: Server, settings: Settings) -> None:
    assert fetch_source(f"http://localhost:{server.port}/pdf", settings) == PDF
    assert server.seen == [("/pdf", f"localhost:{server.port}")]


def test_where_the_web_is_replayed_nothing_is_fetched(server: Server, settings: Settings) -> None:
    with pytest.raises(errors.SourceError, match="recorded web does not have this request") as caught:
        _get(server, "pdf", settings.model_copy(update={"http_mode": "replay"}))
    assert caught.value.cause == "not_recorded"
    assert server.seen == []


def test_redirects_are_followed_up_to_five(server: Server, settings: Settings) -> None:
    assert _get(server, "hops/4", settings) == PDF
    with pytest.raises(errors.UnavailableError) as caught:
        _get(server, "around/0", settings)
    assert "5 redirects" in caught.value.seen
    assert len([path for path, _ in server.seen if path.startswith("/around")]) == 6


def test_each_redirect_is_checked_anew(server: Server, settings: Settings) -> None:
    only = settings.model_copy(update={"url_hosts": ("localhost",)})
    assert fetch_source(f"http://localhost:{server.port}/to//pdf", only) == PDF
    with pytest.raises(errors.ForbiddenError):
        fetch_source(f"http://localhost:{server.port}/to/http://127.0.0.1:{server.port}/pdf", only)
    assert server.seen.count(("/pdf", f"127.0.0.1:{server.port}")) == 0


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x"])
def test_a_redirect_to_another_scheme_is_refused(server: Server, settings: Settings, target: str) -> None:
    with pytest.raises(errors.ForbiddenError) as caught:
        _get(server, f"to/{target}", settings)
    assert "scheme" in caught.value.seen


def test_a_redirect_to_nowhere_is_an_outage(server: Server, settings: Settings) -> None:
    for target in ("javascript:1", "http://[::1/"):
        with pytest.raises(errors.UnavailableError):
            _get(server, f"to/{target}", settings)


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://example.org/x", "http:///x", "//example.org/x", "x"])
def test_other_schemes_are_refused(settings: Settings, address: str) -> None:
    with pytest.raises(errors.ForbiddenError):
        fetch_source(address, settings)


@pytest.mark.parametrize("address", ["http://[::1/x", "http://a:99999999/", "http://user:pass@example.org/x"])
def test_an_address_that_makes_no_sense_is_bad_input(settings: Settings, address: str) -> None:
    with pytest.raises(errors.BadInputError) as caught:
        fetch_source(address, settings)
    assert "pass@" not in str(caught.value)


@pytest.mark.parametrize("host", ["evilarxiv.org", "arxiv.org.evil.example", "arxiv.orgx"])
def test_allowed_hosts_are_not_matched_by_suffix_alone(settings: Settings, host: str) -> None:
    only = settings.model_copy(update={"url_hosts": ("arxiv.org",)})
    with pytest.raises(errors.ForbiddenError) as caught:
        fetch_source(f"https://{host}/pdf/1", only)
    assert "PINCITE_URL_HOSTS" in caught.value.next


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, errors.ForbiddenError),
        (403, errors.ForbiddenError),
        (404, errors.NotFoundError),
        (410, errors.NotFoundError),
        (429, errors.UnavailableError),
        (500, errors.UnavailableError),
        (503, errors.UnavailableError),
        (204, errors.UnavailableError),
        (206, errors.UnavailableError),
    ],
)
def test_a_status_becomes_its_error(server: Server, settings: Settings, status: int, kind: type[Exception]) -> None:
    with pytest.raises(kind) as caught:
        _get(server, f"status/{status}", settings)
    assert str(status) in str(caught.value)


def test_sources_of_every_format_arrive(server: Server, settings: Settings) -> None:
    assert _get(server, "page", settings).startswith(b"<!doctype html>")
    assert _get(server, "mislabelled", settings) == PDF
    assert _get(server, "eprint", settings) == gzip.compress(b"\\documentclass{article}", mtime=0)
    with pytest.raises(errors.EmptySourceError):
        _get(server, "empty", settings)


@pytest.mark.parametrize("kind", ["image/png", "application/json; charset=utf-8", "text/css"])
def test_what_can_be_no_paper_is_unknown_format(server: Server, settings: Settings, kind: str) -> None:
    with pytest.raises(errors.UnknownFormatError) as caught:
        _get(server, f"kind/{kind}", settings)
    assert kind.partition(";")[0] in caught.value.seen


def test_a_landing_page_is_opened_and_names_its_pdf(server: Server, settings: Settings) -> None:
    with PaperStore(settings) as store:
        paper = store.open(f"http://127.0.0.1:{server.port}/landing")
        assert paper.title == "A study of tin"
        assert "We melt tin." in paper.text
        assert any("https://example.org/tin.pdf" in warning for warning in paper.warnings)
        with pytest.raises(errors.EmptySourceError):
            store.open(f"http://127.0.0.1:{server.port}/page")


@pytest.mark.parametrize("path", ["declared", "endless"])
def test_a_large_download_stops_at_the_limit(server: Server, settings: Settings, path: str) -> None:
    with pytest.raises(errors.LimitReachedError) as caught:
        _get(server, path, settings)
    assert "100000 bytes" in caught.value.what


def test_compression_is_neither_asked_for_nor_taken(server: Server, settings: Settings) -> None:
    assert _get(server, "accepted", settings) == b"%PDF-identity"
    with pytest.raises(errors.UnavailableError):
        _get(server, "zipped", settings)


def test_a_download_that_breaks_off_is_an_outage(server: Server, settings: Settings) -> None:
    with pytest.raises(errors.UnavailableError):
        _get(server, "short", settings)


def test_a_server_that_drips_or_is_silent_is_an_outage(server: Server, settings: Settings) -> None:
    hasty = settings.model_copy(update={"http_total_seconds": 0.3, "http_read_seconds": 0.3})
    for path in ("drip", "silent"):
        with pytest.raises(errors.UnavailableError):
            _get(server, path, hasty)


def test_a_port_that_refuses_is_an_outage(settings: Settings) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    with pytest.raises(errors.UnavailableError) as caught:
        fetch_source(f"http://127.0.0.1:{port}/", settings)
    assert "Connect" in caught.value.seen


def test_a_proxy_of_the_environment_does_not_undo_the_pinning(
    server: Server, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert _get(server, "pdf", settings) == PDF


@pytest.mark.parametrize(("name", "fits"), [("localhost", True), ("example.org", False)])
def test_certificates_are_checked_against_the_name(
    server: Server, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, fits: bool
) -> None:
    certificate = _certificate(tmp_path, name)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    address = f"https://localhost:{server.port}/pdf"
    if fits:
        assert fetch_source(address, settings) == PDF
    else:
        with pytest.raises(errors.UnavailableError) as caught:
            fetch_source(address, settings)
        assert "certificate" in caught.value.seen.lower()


def _certificate(folder: Path, name: str) -> Path:
    """A key and a self-signed certificate for ``name`` in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    path = folder / "server.pem"
    path.write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(pem)
    )
    return path


def test_the_store_downloads_an_address_once(
    server: Server, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ENTRIES))
    address = f"http://127.0.0.1:{server.port}/text"
    with PaperStore(settings, entry="misbehaving_parsers:behave") as store:
        paper = store.open(address)
        assert paper.text == "hello"
        assert store.open(address) is paper
        assert store.open(paper.paper_id) is paper
        assert len(server.seen) == 1
        with pytest.raises(errors.NotFoundError):
            store.open(f"http://127.0.0.1:{server.port}/status/404")
