"""ServerDefinition: an MCP server that pincite does not bring, as family.toml or ``--with`` defines it."""

import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from pincite_core.errors import BadInputError
from pincite_sandbox.keys import key_in, own_keys
from pincite_tasks.task import describe_validation

SERVER_NAME = r"^[a-z][a-z0-9_-]{0,31}$"
PAPERS = "PINCITE_PAPERS"
"""``${PINCITE_PAPERS}`` stands for the folder that holds copies of the task's papers."""
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_HEADER = re.compile(r"([A-Za-z0-9!#$%&'*+.^_`|~-]+):\s*(.*)")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_SECRET_HEADERS = frozenset({"authorization", "cookie", "proxy-authorization"})
_WRITE_VARIABLE = "Write ${NAME} (in single quotes on the command line), and set NAME in your environment."


class ServerDefinition(BaseModel):
    """A server over stdio (``command``) or streamable HTTP (``url``). ``${NAME}`` in a command, an address, a variable
    or a header is taken from the host's environment when the server is started, and is written into no file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=SERVER_NAME)
    command: list[str] = Field(default_factory=list)
    args: list[str] = Field(default_factory=list)
    """More words of the command."""
    url: str = ""
    env: dict[str, str] = Field(default_factory=dict)
    """Variables of the command beside HOME, PATH and a few more that are inherited."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Headers of every HTTP request."""
    tools: list[str] | None = None
    """The only tools that the agent sees; all, where None."""
    deny: list[str] = Field(default_factory=list)
    """Tools that it does not see."""
    cwd: str = ""
    """Folder that the command runs in; a fresh empty one for each trial, where empty."""
    start_timeout: float = Field(default=60, gt=0)
    """Seconds it may take to start, shake hands and list its tools."""
    timeout: float = Field(default=600, gt=0)
    """Seconds that one call may take."""
    offline: bool = False
    """Whether it reaches no web: the author's word, on which replayed and made-up literature rest."""

    @field_validator("command", mode="before")
    @classmethod
    def _words(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value

    @field_validator("url")
    @classmethod
    def _address(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and not value.startswith("${") and (parts.scheme not in ("http", "https") or not parts.netloc):
            raise ValueError("it is not an http:// or https:// address")
        return value

    @model_validator(mode="after")
    def _one_way(self) -> "ServerDefinition":
        if bool(self.command) == bool(self.url):
            raise ValueError(f"{self.name}: give either command or url")
        if self.command and not self.command[0]:
            raise ValueError(f"{self.name}: the command is empty")
        foreign = {"args": self.args, "env": self.env, "cwd": self.cwd} if self.url else {"headers": self.headers}
        if given := [key for key, value in foreign.items() if value]:
            raise ValueError(f"{self.name}: {', '.join(given)} does not belong to a {'url' if self.url else 'command'}")
        if literal := _literal_secret(self):
            raise ValueError(f"{self.name}: {literal} holds a secret. {_WRITE_VARIABLE}")
        return self

    @property
    def words(self) -> list[str]:
        """The whole command."""
        return [*self.command, *self.args]

    @property
    def place(self) -> str:
        """The command or the address as it was given, for people and records."""
        return self.url or shlex.join(self.words)

    def variables(self) -> dict[str, str]:
        """The variables of the host's environment that it names, with their values; BadInputError for one not set."""
        texts = [*self.words, self.url, self.cwd, *self.env.values(), *self.headers.values()]
        names = {name for text in texts for name in _VARIABLE.findall(text)} - {PAPERS}
        if missing := sorted(names - set(os.environ)):
            raise BadInputError(
                f"The server {self.name} needs the variable {', '.join(missing)}, which is not set.",
                next=f"export {missing[0]}=…",
            )
        return {name: os.environ[name] for name in sorted(names)}

    def secrets(self) -> list[str]:
        """The values that no file may hold: those of its variables, but for paths that exist on this machine."""
        values = self.variables().values()
        return [value for value in values if not (value.startswith("/") and Path(value).exists())]

    def filled(self, papers: Path) -> "ServerDefinition":
        """This definition with its variables filled in; it must not be written anywhere."""
        values = {**self.variables(), PAPERS: str(papers)}

        def fill(text: str) -> str:
            return _VARIABLE.sub(lambda match: values[match[1]], text)

        return self.model_copy(
            update={
                "command": [fill(word) for word in self.command],
                "args": [fill(word) for word in self.args],
                "url": fill(self.url),
                "cwd": fill(self.cwd),
                "env": {name: fill(value) for name, value in self.env.items()},
                "headers": {name: fill(value) for name, value in self.headers.items()},
            }
        )

    def placed(self, folder: Path, cwd: Path | None = None) -> "ServerDefinition":
        """This definition with its paths absolute: ``cwd``, and each word that names a file, taken from ``folder``;
        where it says no ``cwd``, the folder ``cwd``."""

        def word(text: str) -> str:
            path = folder / text
            return str(path.resolve()) if text and not text.startswith(("-", "/", "$")) and path.is_file() else text

        first = self.command[:1]
        if first and "/" in first[0]:
            first = [word(first[0])]
        own = str((folder / self.cwd).resolve()) if self.cwd and not self.cwd.startswith("$") else self.cwd
        return self.model_copy(
            update={
                "command": [*first, *map(word, self.command[1:])],
                "args": list(map(word, self.args)),
                "cwd": own or (str(cwd) if cwd is not None and self.command else ""),
            }
        )

    def check_program(self) -> None:
        """BadInputError where its command or its folder is not on this machine."""
        if not self.command:
            return
        filled = self.filled(Path())
        if filled.cwd and not Path(filled.cwd).is_dir():
            raise BadInputError(f"The server {self.name} would run in {self.cwd}, which is not a folder.")
        if shutil.which(filled.command[0], path=filled.env.get("PATH")) is None:
            hint = (
                "Write the command as a list of words." if " " in self.command[0] else "Install it, or give its path."
            )
            raise BadInputError(
                f"The command of the server {self.name} is not on this machine.", seen=self.command[0], next=hint
            )


def parse_server(text: str, folder: Path) -> ServerDefinition:
    """``NAME=COMMAND`` (words as a shell reads them, ``VARIABLE=VALUE`` ones first) or ``NAME=URL`` (words ``Header:
    value`` may follow), as ``--with`` takes it; the command runs in ``folder``. BadInputError for anything else."""
    name, _, rest = text.partition("=")
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise BadInputError(f"--with {name}=… cannot be read.", seen=str(error), next="Close the quotes.") from error
    if not words:
        raise BadInputError(f"--with {text} names no command and no address.", next="--with NAME='COMMAND WORD…'")
    fields: dict[str, Any] = {"name": name}
    if words[0].startswith(("http://", "https://")):
        fields |= {"url": words[0], "headers": _pairs(words[1:], _HEADER.fullmatch, name, "'Header: value'")}
    else:
        count = next((at for at, word in enumerate(words) if not _ASSIGNMENT.fullmatch(word)), len(words))
        fields |= {"env": _pairs(words[:count], _ASSIGNMENT.fullmatch, name, "VARIABLE=VALUE")}
        fields |= {"command": words[count:]}
    try:
        return ServerDefinition.model_validate(fields).placed(folder, folder)
    except ValidationError as error:
        raise BadInputError(
            f"--with {name} does not define a server.",
            seen=describe_validation(error),
            next="--with NAME='COMMAND WORD…' or --with NAME=https://…/mcp, with a name of a-z, 0-9, _ and -.",
        ) from error


def parse_servers(texts: Sequence[str], offline: Sequence[str], folder: Path) -> list[str | ServerDefinition]:
    """The values of ``--with``: names of pincite's servers, and others as ``parse_server`` reads them, of which those
    named in ``offline`` reach no web. BadInputError for a name given twice, or one that ``--with`` does not define."""
    servers = [parse_server(text, folder) if "=" in text else text for text in texts]
    names = [each if isinstance(each, str) else each.name for each in servers]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise BadInputError(f"--with names {', '.join(twice)} twice.", next="Give each server a name of its own.")
    defined = [each.name for each in servers if isinstance(each, ServerDefinition)]
    if unknown := sorted(set(offline) - set(defined)):
        raise BadInputError(
            f"--offline {unknown[0]}: no --with defines this server.",
            seen=", ".join(defined),
            next="In family.toml: offline = true in its [[servers]] table.",
        )
    return [
        each.model_copy(update={"offline": each.name in offline}) if isinstance(each, ServerDefinition) else each
        for each in servers
    ]


def split_servers(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The values of family.toml with ``servers`` as names, each table that has a command or an address among
    ``third_party``, and the filters of tables among ``tools``. What cannot be right stays as it is, for the model to
    refuse."""
    if "third_party" in settings:
        raise BadInputError("There is no key third_party.", next="A server of your own is a [[servers]] table.")
    listed = settings.get("servers")
    if not isinstance(listed, list):
        return dict(settings)
    names: list[Any] = []
    third_party: list[dict[str, Any]] = []
    tools: dict[str, Any] = dict(settings.get("tools") or {})
    for each in cast("list[Any]", listed):
        if not isinstance(each, dict):
            names.append(each)
            continue
        table = cast("dict[str, Any]", each)
        name = table.get("name")
        names.append(name)
        if set(table) - {"name", "tools", "deny"}:
            third_party.append(table)
        if isinstance(name, str) and {"tools", "deny"} & set(table):
            if name in tools:
                raise BadInputError(
                    f"The tools of the server {name} are filtered twice.",
                    next=f"Keep one of [tools.{name}] and its [[servers]] table.",
                )
            tools[name] = {"allow": table.get("tools"), "deny": table.get("deny", [])}
    changed = {"servers": names, **({"third_party": third_party} if third_party else {})}
    return {**settings, **changed, **({"tools": tools} if tools else {})}


def _pairs(words: Sequence[str], match: Callable[[str], re.Match[str] | None], name: str, form: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        found = match(word)
        if found is None:
            raise BadInputError(f"--with {name}: {word!r} is not {form}.", next="Quote the whole of it.")
        pairs[found[1]] = found[2]
    return pairs


def _literal_secret(server: ServerDefinition) -> str:
    """Where a secret stands that should be a variable, in words; empty where none does."""
    own = own_keys()
    for number, word in enumerate(server.words, start=1):
        if kind := key_in(word, own):
            return f"word {number} of the command ({kind})"
    query = dict(parse_qsl(urlsplit(server.url).query))
    if kind := key_in(server.url, own):
        return f"the url ({kind})"
    if urlsplit(server.url).password and "${" not in str(urlsplit(server.url).password):
        return "the url (a password)"
    named = {f"the url's {name}": (name, value) for name, value in query.items()}
    named |= {f"the variable {name}": (name, value) for name, value in server.env.items()}
    named |= {f"the header {name}": (name, value) for name, value in server.headers.items()}
    for place, (name, value) in named.items():
        if "${" in value:
            continue
        if name.lower() in _SECRET_HEADERS or own_keys({name.replace("-", "_"): value}) or key_in(value, own):
            return place
    return ""
