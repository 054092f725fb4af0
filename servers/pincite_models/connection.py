"""Connection: where one model is called, by which API, with which key and headers. Every client is made from one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pydantic import SecretStr

from pincite_core.errors import BadInputError
from pincite_models.choice import ModelChoice
from pincite_models.dialects.dialect import Dialect
from pincite_models.dialects.model import DialectName
from pincite_models.role import Role


@dataclass(frozen=True, slots=True)
class Connection:
    """How calls of one model are sent. The key and the headers stand in no message, error or representation.

    ``url`` is the address of the call itself; ``dialect`` None is an API of plain JSON (embeddings, rerankers), which
    takes a bearer token. ``proxy`` and, where ``environment`` is set, the proxies of the environment are gone through.
    """

    url: str
    model: str
    dialect: DialectName | None = None
    key: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Lower-case names: what each call carries beside the API's own headers and the key."""
    proxy: str = field(default="", repr=False)
    environment: bool = True

    @classmethod
    def of_choice(cls, choice: ModelChoice, key: str, proxy: str = "") -> "Connection":
        """To the model of a run's options; a proxy only where pincite's settings name one, as at the model door."""
        url = choice.base_url + find_dialect(choice.dialect).call_path(choice.name)
        return cls(url, choice.name, choice.dialect, key, proxy=proxy, environment=False)

    @classmethod
    def of_server(
        cls, role: Role, url: str, model: str, api_key: SecretStr | None, dialect: DialectName | None = None
    ) -> "Connection":
        """To a model of the servers' own, whose call goes to ``url``; BadInputError for what is not an address."""
        check_address(url, f"the {role.title}", f"Give {role.prefix}_URL as http(s)://…")
        key = api_key.get_secret_value() if api_key is not None else ""
        return cls(url, model, dialect, key)

    @property
    def host(self) -> str:
        """The host that is called, as results and errors name it."""
        return urlsplit(self.url).hostname or ""

    def sent_headers(self) -> dict[str, str]:
        """All headers of a call, the key among them."""
        sent = {"content-type": "application/json", **self.headers}
        if self.dialect is None:
            return sent | ({"authorization": f"Bearer {self.key}"} if self.key else {})
        dialect = find_dialect(self.dialect)
        return {**sent, **dialect.version_headers, **(dialect.credentials(self.key) if self.key else {})}

    def clean(self, text: str) -> str:
        """A text without the key, should the other side repeat it."""
        return text.replace(self.key, "***") if self.key else text


def find_dialect(name: DialectName) -> Dialect:
    """The dialect of that name; all four are loaded by the first use."""
    from pincite_models.dialects.table import DIALECTS

    return DIALECTS[name]


def check_address(url: str, what: str, next_step: str) -> None:
    """BadInputError, which calls the model ``what``, for what is not an http(s) address."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise BadInputError(f"{url[:100]!r} is not an address of {what}.", next=next_step)


def call_address(url: str, ending: str, default: str) -> str:
    """The address of a call from that of the call itself (it ends in ``ending``), of its API, or of a bare host."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    if not path.endswith(ending):
        path = path + ending if path else default
    return parts._replace(path=path, fragment="").geturl()
