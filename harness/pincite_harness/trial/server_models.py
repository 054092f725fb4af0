"""ServerModels: the models and settings that a run gives to pincite's servers; the shell does not decide them."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from pincite_core.errors import BadInputError
from pincite_core.servers import SERVERS
from pincite_core.settings import Settings
from pincite_models.server_model import CHOOSING, PREFIXES, ServerModel, ServerUse, is_of_model
from pincite_tasks.task import describe_validation

_PREFIX = "PINCITE_"
_OF_THE_TRIAL = frozenset(
    (
        *("roots", "papers_dir", "library_dir", "library_uri", "ledger", "cache_dir", "tools", "pass_labels"),
        *("allow_urls", "url_hosts", "allow_private_addresses", "http_mode", "http_store", "http_proxy"),
        *("source_urls", "stand_in", "before", "withheld"),
    )
)
"""Settings that the trial itself makes: what servers may read, and which web they see."""
_ADDRESSES = ("url", "model", "api_key", "dialect")
"""Ends of the settings by which servers reach a model."""
_LOCAL = "local:"


class ServerModels(BaseModel):
    """By default servers reach models through the model door alone: those of ``models``. ``settings`` are of servers,
    by ``SERVER.NAME``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    door: bool = True
    """False: servers take their models from the user's own variables and ask them past the door: unrecorded, not
    limited, not counted."""
    models: dict[ServerUse, ServerModel] = Field(default_factory=dict[ServerUse, ServerModel])
    settings: dict[str, str] = Field(default_factory=dict)

    def check(self) -> None:
        """BadInputError for a setting that there is not or that the trial makes, and for models that would pass by the
        door."""
        if not self.door and self.models:
            raise BadInputError(
                "--server-models off leaves servers the models of your shell.", next="Leave out --server-model."
            )
        for name, value in self.settings.items():
            _check_setting(name, value)

    def check_keys(self) -> None:
        """BadInputError where a provider is asked and there is no key for it."""
        for use, model in self.models.items():
            model.check_key(use)

    def keeps(self, variable: str) -> bool:
        """Whether a server may have this variable of the user's."""
        return not self.door or not is_of_model(variable.removeprefix(_PREFIX).lower())

    def settings_of(self, server: str) -> dict[str, str]:
        """The variables of one server's settings."""
        found: dict[str, str] = {}
        for name, value in self.settings.items():
            of, _, setting = name.partition(".")
            if of == server:
                found[_PREFIX + str(_field(of, setting)).upper()] = value
        return found

    def digests(self) -> dict[str, str]:
        """What a resumed run must find as it was, by name."""
        found = {f"server-model/{use}": str(model) for use, model in sorted(self.models.items())}
        found |= {f"server-setting/{name}": value for name, value in sorted(self.settings.items())}
        return found if self.door else {**found, "server-model": "of the shell"}

    def notices(self, environment: Mapping[str, str]) -> list[str]:
        """What a run should say of models in the user's variables that its servers do not get."""
        named = [f"{_PREFIX}{prefix.upper()}MODEL" for prefix in PREFIXES]
        named += [f"{_PREFIX}{name.upper()}" for name in CHOOSING]
        there = [name for name in named if environment.get(name)]
        if not there or not self.door:
            return []
        instead = "--server-model vision=…, text=…, embedding=… or rerank=…; --server-setting library.embedder=local:…"
        return [f"{', '.join(there)}: a trial's servers do not read it; give {instead}"]


def _check_setting(name: str, value: str) -> None:
    server, _, setting = name.partition(".")
    if server not in SERVERS:
        raise BadInputError(
            f"--server-setting {name}: there is no server {server!r}.",
            seen=", ".join(SERVERS),
            next="--server-setting SERVER.NAME=VALUE",
        )
    field = _field(server, setting)
    if field is None:
        raise BadInputError(
            f"--server-setting {name}: there is no such setting.",
            next=f"docs/settings.md lists them: PINCITE_LIBRARY_STORE is library.store, PINCITE_OCR is {server}.ocr.",
        )
    if field in _OF_THE_TRIAL or _is_secret(field):
        raise BadInputError(f"--server-setting {name}: a trial sets this itself.", next="Leave it out.")
    _check_model_setting(name, field, value)
    given: dict[str, Any] = {field: value}
    try:
        Settings(**given)
    except ValidationError as error:
        raise BadInputError(
            f"--server-setting {name}={value}: that cannot be used.",
            seen=describe_validation(error),
            next="docs/settings.md says which values it takes.",
        ) from error


def _check_model_setting(name: str, field: str, value: str) -> None:
    """BadInputError for a model behind an address, which ``--server-model`` names."""
    reached = field.startswith(PREFIXES) and field.endswith(_ADDRESSES)
    chosen = field in CHOOSING and value and not value.startswith(_LOCAL)
    if reached or chosen:
        raise BadInputError(
            f"--server-setting {name} would reach a model past its door.",
            next="Name the model: --server-model USE=NAME.",
        )


def _field(server: str, setting: str) -> str | None:
    """The name among all settings: that of the server itself (``library.store``), else a common one."""
    names: Sequence[str] = (f"{server}_{setting}", setting)
    return next((name for name in names if name in Settings.model_fields), None)


def _is_secret(field: str) -> bool:
    return SecretStr in getattr(Settings.model_fields[field].annotation, "__args__", ())
