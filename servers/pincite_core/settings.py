"""Settings of every pincite server, read from ``PINCITE_*`` environment variables."""

import json
import os
from datetime import date
from pathlib import Path
from typing import Annotated, Literal

import platformdirs
from pydantic import BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from pincite_core.errors import BadInputError

MIB = 1024 * 1024
"""Bytes of a mebibyte."""


def _folders(value: object) -> object:
    if isinstance(value, str):
        folders = tuple(Path(part).expanduser() for part in value.split(os.pathsep) if part.strip())
        if not folders:
            raise ValueError("it names no folder")
        return folders
    return value


def _names(value: object) -> object:
    if isinstance(value, str):
        return tuple(part.strip().lower() for part in value.split(",") if part.strip())
    return value


def _listed(value: object) -> object:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.replace("+", ",").split(",") if part.strip())
    return value


def _pairs(value: object) -> object:
    if not isinstance(value, str) or value.lstrip().startswith("{"):
        return json.loads(value) if isinstance(value, str) else value
    return dict(_pair(part) for part in value.split(",") if part.strip())


def _pair(part: str) -> tuple[str, str]:
    name, equals, address = part.partition("=")
    if not equals:
        raise ValueError(f"{part!r} is not of the form name=address")
    return name.strip(), address.strip()


def is_too_wide(folder: Path) -> bool:
    """Whether a folder is the home folder or holds it, as ``/`` does: more than papers lies there."""
    real = Path(os.path.realpath(folder))
    try:
        home = Path(os.path.realpath(Path.home()))
    except RuntimeError:  # there is no home folder
        home = Path("/")
    return home.is_relative_to(real) or real == Path(real.anchor)


def _current_folder() -> tuple[Path, ...]:
    folder = Path.cwd()
    return () if is_too_wide(folder) else (folder,)


def _user_cache() -> Path:
    return platformdirs.user_cache_path("pincite")


def _user_papers() -> Path:
    return platformdirs.user_data_path("pincite") / "papers"


def _user_library() -> Path:
    return platformdirs.user_data_path("pincite") / "library"


def _user_ledger() -> Path:
    return platformdirs.user_data_path("pincite") / "claims.db"


def _user_consent() -> Path:
    return platformdirs.user_data_path("pincite") / "zotero.json"


def _cpus() -> int:
    return min(os.cpu_count() or 1, 4)


class Settings(BaseSettings):
    """Limits and places; sizes in bytes and times in seconds unless the name says otherwise."""

    model_config = SettingsConfigDict(
        env_prefix="PINCITE_",
        env_ignore_empty=True,
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
    )

    roots: Annotated[tuple[Path, ...], NoDecode, BeforeValidator(_folders)] = Field(default_factory=_current_folder)
    """Folders that papers may be read from, separated like PATH (default: the folders that the client offers, else the
    current folder, but never the home folder or one above it)."""

    cache_dir: Path = Field(default_factory=_user_cache)
    """Folder of the disk cache (default: the user's cache folder)."""

    cache_max_bytes: int = Field(default=2048 * MIB, ge=0)
    """Bound of the disk cache; the least recently used entries go first, 0 switches it off."""

    memory_max_bytes: int = Field(default=256 * MIB, ge=0)
    """Bound of the parsed papers that a process keeps in memory."""

    max_source_bytes: int = Field(default=128 * MIB, ge=1)
    """Largest source file or download that is read."""

    max_pages: int = Field(default=1000, ge=1)
    """Most pages of one paper."""

    parse_memory_mb: int = Field(default=1024, ge=256)
    """Address space of a parsing process, in MiB."""

    parse_seconds: float = Field(default=60.0, gt=0)
    """Wall clock and CPU time for parsing one paper."""

    parse_workers: int = Field(default_factory=_cpus, ge=1)
    """Most parsing processes at once (default: one a CPU, at most 4)."""

    figure_seconds: float = Field(default=30.0, gt=0)
    """Wall clock and CPU time for drawing or measuring one figure."""

    record_dir: Path | None = None
    """Folder of the record of looked-at figures, with the pictures shown (default: kept in memory for the session)."""

    ocr: Literal["auto", "off"] = "auto"
    """Whether pages without a text layer are read by tesseract."""

    ocr_languages: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_listed)] = Field(
        default=("eng",), min_length=1
    )
    """Languages of tesseract, by its names, separated by commas or plus signs ("eng,deu")."""

    ocr_seconds: float = Field(default=300.0, gt=0)
    """Time for the OCR of one paper, beyond that for parsing it; pages read by then are kept."""

    vision_url: str = ""
    """Address of a model that sees: an OpenAI-compatible API (chat completions) or an Anthropic one (messages)."""

    vision_model: str = ""
    """Name of that model."""

    vision_api_key: SecretStr | None = None
    """Key of that API, where it wants one."""

    vision_dialect: Literal["auto", "openai", "anthropic"] = "auto"
    """Which of the two the API speaks (default: told from its address)."""

    vision_effort: Literal["", "low", "medium", "high"] = ""
    """Reasoning effort asked of the model where most depends on it; empty for a model that takes none."""

    vision_seconds: float = Field(default=180.0, gt=0)
    """Longest wait for one answer of a model that sees, tries included."""

    backend: Literal["", "docling", "grobid", "vision"] = ""
    """An optional reader of PDFs beside our own parser: docling's tables, GROBID's header and references, a model."""

    grobid_url: str = ""
    """Address of the GROBID server, such as ``http://127.0.0.1:8070``."""

    backend_seconds: float = Field(default=600.0, gt=0)
    """Time that the backend may take for one paper."""

    backend_memory_mb: int = Field(default=8192, ge=256)
    """Address space of the process that runs docling, in MiB."""

    allow_urls: bool = False
    """Whether papers may be fetched from http and https addresses."""

    url_hosts: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_names)] = ()
    """Hosts that may be fetched from, subdomains included, separated by commas (default: any public host)."""

    allow_private_addresses: bool = False
    """Let URLs reach private and loopback addresses: only for tests and for intranets that you trust."""

    http_connect_seconds: float = Field(default=10.0, gt=0)
    """Time to open one connection."""

    http_read_seconds: float = Field(default=30.0, gt=0)
    """Longest silence of a server that is sending."""

    http_total_seconds: float = Field(default=120.0, gt=0)
    """Time for one download, redirects included."""

    http_mode: Literal["live", "record", "replay", "replay-or-live"] = "live"
    """Whether lookups ask the web, keep what it says in PINCITE_HTTP_STORE (what is kept already is not asked again),
    answer from there alone, or from there first."""

    http_store: Path | None = None
    """Folder of the recorded web."""

    http_proxy: str = ""
    """Proxy for every lookup, such as ``http://proxy.example:3128``."""

    source_seconds: float = Field(default=10.0, gt=0)
    """Time that one source has for one lookup, waiting for its rate limit and tries included."""

    source_urls: Annotated[dict[str, str], NoDecode, BeforeValidator(_pairs)] = Field(default_factory=dict)
    """Other addresses of sources (mirrors, gateways; private ones are allowed), as ``crossref=http://host:8080,…``."""

    stand_in: str = ""
    """Address of a server that stands in for the whole web: what is asked of ``https://HOST/PATH`` goes to
    ADDRESS/HOST/PATH, and PINCITE_SOURCE_URLS and PINCITE_HTTP_PROXY do not count."""

    source_rates: Literal["published", "off"] = "published"
    """Whether the sources' published rate limits hold; ``off`` only for mirrors in PINCITE_SOURCE_URLS."""

    contact: str = ""
    """Your e-mail address, for the polite pools of Crossref, OpenAlex, NCBI and Unpaywall (which needs it)."""

    ncbi_api_key: SecretStr | None = None
    """Key of NCBI: 10 requests a second instead of 3."""

    semantic_scholar_api_key: SecretStr | None = None
    """Key of Semantic Scholar."""

    openalex_api_key: SecretStr | None = None
    """Key of OpenAlex."""

    materials_project_api_key: SecretStr | None = None
    """Key of the Materials Project."""

    epo_key: SecretStr | None = None
    """Consumer key and secret of the EPO's Open Patent Services, as ``key:secret``."""

    searxng_url: str = ""
    """Address of a SearXNG server for ``search_web``; private ones are allowed."""

    brave_api_key: SecretStr | None = None
    """Key of Brave Search for ``search_web``."""

    serper_api_key: SecretStr | None = None
    """Key of Serper for ``search_web``."""

    tavily_api_key: SecretStr | None = None
    """Key of Tavily for ``search_web``."""

    before: date | None = None
    """Works published on or after this day (YYYY-MM-DD) do not exist for the literature and databases servers."""

    withheld: tuple[str, ...] = ()
    """Works that do not exist for the literature server: a JSON list of DOIs, arXiv ids, titles and paper ids."""

    papers_dir: Path = Field(default_factory=_user_papers)
    """Folder where fetched full texts are kept; every server may read it beside the roots (default: the user data)."""

    library_dir: Path = Field(default_factory=_user_library)
    """Folder of the library (default: the user's data folder)."""

    library_store: Literal["sqlite", "lance"] = "sqlite"
    """How the library is kept: SQLite, or LanceDB for millions of chunks (extra ``scale``)."""

    library_uri: str = ""
    """Address of a LanceDB on object storage (``s3://bucket/path``), instead of PINCITE_LIBRARY_DIR."""

    library_read_only: bool = False
    """Whether the library is only read: nothing is added to it, and nothing beside it is written."""

    library_fusion: Literal["convex", "rrf"] = "convex"
    """How the library joins BM25 and vectors: by their scores, and by ranks where no text holds half of the query's
    terms (``convex``, measured better), or always by reciprocal ranks (``rrf``: 1 / (60 + rank), summed)."""

    library_context: Literal["short", "full_abstract", "none"] = "short"
    """What stands before passages when they are indexed: title, headings and the beginning of the abstract (``short``,
    measured best), all of the abstract (``full_abstract``), or nothing; a paper is cut again where it differs."""

    library_describe: Literal["headers", "text", "figures", "both"] = "headers"
    """Who describes tables and figures when papers are added: their headers and captions, the text model (``text``),
    for figures the vision model that is shown their picture (``figures``), or that and the text model for tables
    (``both``)."""

    embedder: str = ""
    """What makes vectors: ``static:NAME`` (fetched by ``pincite library embed --get NAME``) or ``static:FOLDER`` (a
    model2vec model; extra ``static``), ``local:FOLDER`` (an ONNX model with tokenizer.json; extra ``library``),
    ``openai`` for the API in PINCITE_EMBEDDING_URL, empty for none."""

    embedding_url: str = ""
    """Address of an OpenAI-compatible API of embeddings."""

    embedding_model: str = ""
    """Name of the embedding model."""

    embedding_api_key: SecretStr | None = None
    """Key of that API, where it wants one."""

    embedding_dimensions: int = Field(default=0, ge=0)
    """Length of the vectors to ask for (default: the model's own)."""

    embedding_query_prefix: str = ""
    """What the model wants before a query, such as ``query: ``."""

    embedding_text_prefix: str = ""
    """What the model wants before a passage, such as ``passage: ``."""

    embedding_seconds: float = Field(default=60.0, gt=0)
    """Longest wait for one batch of embeddings, tries included."""

    scibert: Path | None = None
    """Folder of SciBERT (ONNX with tokenizer.json; extra ``library``), for one metric of figure_analysis."""

    wordnet: Path | None = None
    """Folder of WordNet's database files for METEOR (default: NLTK's data, else /usr/share/wordnet)."""

    reranker: str = ""
    """What reorders the best passages: ``cohere``, ``jina``, ``voyage`` or ``tei`` (the shape of the API in
    PINCITE_RERANK_URL), ``local:FOLDER`` (a cross-encoder in ONNX; extra ``library``), empty for none."""

    rerank_url: str = ""
    """Address of the reranker's API."""

    rerank_model: str = ""
    """Name of the reranker's model."""

    rerank_api_key: SecretStr | None = None
    """Key of that API, where it wants one."""

    rerank_seconds: float = Field(default=15.0, gt=0)
    """Longest wait for a reranker; then the fused order stands."""

    text_url: str = ""
    """Address of a model that judges passages and unsure claims, and describes tables and figures (OpenAI-compatible or
    Anthropic)."""

    text_model: str = ""
    """Name of that model."""

    text_api_key: SecretStr | None = None
    """Key of that API, where it wants one."""

    text_dialect: Literal["auto", "openai", "anthropic"] = "auto"
    """Which of the two the API speaks (default: told from its address)."""

    text_seconds: float = Field(default=60.0, gt=0)
    """Longest wait for one answer of that model, tries included."""

    judge_seconds: float = Field(default=300.0, gt=0)
    """Longest wait for one answer of a model that judges scores (``--judge``), tries included."""

    ledger: Path = Field(default_factory=_user_ledger)
    """File of the claims that were recorded (default: in the user's data folder)."""

    ledger_key: SecretStr | None = None
    """Key that seals a new ledger: without it nobody can add to it or forge it."""

    zotero: str = ""
    """Zotero library of the server ``zotero``: the address of a running Zotero's local API, or a data folder, which is
    only read (default: a Zotero that runs here, else ``~/Zotero``)."""

    zotero_group: int = Field(default=0, ge=0)
    """Number of a Zotero group whose library is used (default: the user's own library)."""

    zotero_consent: Path = Field(default_factory=_user_consent)
    """File of the keys by which Zotero lets pincite write (default: in the user's data folder)."""

    workbench_sandbox: Literal["auto", "docker", "bubblewrap"] = "auto"
    """What the workbench server runs code in; without either it runs none (default: Docker where it answers)."""

    workbench_runtime: str = ""
    """Another OCI runtime of Docker for the workbench, such as ``runsc`` (gVisor)."""

    workbench_memory_mb: int = Field(default=1024, ge=256)
    """Memory of the workbench's sandbox, in MiB."""

    pass_labels: bool = False
    """Let the model door pass the labels of requests (x-pincite-label) on: only to a scripted model with a cast or a
    proxy of your own that routes by role."""

    tools: str = ""
    """Tools that `pincite serve` serves, parted by commas: names with * for any letters, -NAME to leave one out
    (default: all)."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "WARNING"
    """What is logged to stderr."""

    @property
    def roots_are_set(self) -> bool:
        """Whether ``roots`` were given rather than taken from where the process runs."""
        return "roots" in self.model_fields_set


def load_settings() -> Settings:
    """The settings of this process; a wrong ``PINCITE_*`` value is a BadInputError that names the variable."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        name = "PINCITE_" + str(first["loc"][0]).upper()
        raise BadInputError(
            f"The environment variable {name} cannot be used.",
            seen=f"{first['input']!r}: {first['msg']}",
            next=f"Correct or unset {name}.",
        ) from error
