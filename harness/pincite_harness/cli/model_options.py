"""Options that name models: of an agent's roles, and of the servers."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pincite_core.errors import BadInputError

if TYPE_CHECKING:
    from pincite_harness.trial.server_models import ServerModels
    from pincite_models.choice import ModelChoice

RoleModel = Annotated[
    list[str] | None,
    typer.Option(metavar="ROLE=PROVIDER:NAME", help="Another model for this role of the agent; repeatable."),
]
RoleModelUrl = Annotated[
    list[str] | None, typer.Option(metavar="ROLE=URL", help="Where that role's model has its API; repeatable.")
]
ServerModelOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="USE=PROVIDER:NAME",
        help="The model that servers ask for vision, text, embedding or rerank, through the model door; repeatable.",
    ),
]
ServerModelUrl = Annotated[
    list[str] | None, typer.Option(metavar="USE=URL", help="Where that model has its API; repeatable.")
]
ServerSetting = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SERVER.NAME=VALUE", help="A setting of a server of pincite's, such as figures.ocr=off; repeatable."
    ),
]
ServerModelsOption = Annotated[
    Literal["door", "off"],
    typer.Option(help="off: servers ask the models of your PINCITE_* variables, unrecorded and not counted."),
]


def read_pairs(values: list[str] | None, option: str) -> dict[str, str]:
    """``NAME=VALUE`` words as a mapping; BadInputError for another word."""
    pairs: dict[str, str] = {}
    for text in values or []:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise BadInputError(f"{option} {text!r} is not NAME=VALUE.", next=f"{option} NAME=VALUE")
        pairs[name] = value
    return pairs


def read_role_models(named: list[str] | None, urls: list[str] | None) -> "dict[str, ModelChoice]":
    """The models of ``--role-model`` with the addresses of ``--role-model-url``."""
    from pincite_models.role_choice import parse_role_models

    return parse_role_models(read_pairs(named, "--role-model"), read_pairs(urls, "--role-model-url"))


def read_server_models(
    mode: Literal["door", "off"], named: list[str] | None, urls: list[str] | None, settings: list[str] | None
) -> "ServerModels":
    """What the options say of servers' models and settings; BadInputError where that cannot be."""
    from pincite_harness.trial.server_models import ServerModels
    from pincite_models.server_model import parse_server_models

    models = parse_server_models(read_pairs(named, "--server-model"), read_pairs(urls, "--server-model-url"))
    given = ServerModels(door=mode == "door", models=models, settings=read_pairs(settings, "--server-setting"))
    given.check()
    return given
