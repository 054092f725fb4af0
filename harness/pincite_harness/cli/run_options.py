"""The options of pincite run, in groups: which tasks, which agent, what it may use, how its trials are run."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pincite_core.errors import BadInputError

if TYPE_CHECKING:
    from pincite_harness.runs.run_folder import RunFolder
    from pincite_harness.trial.server_models import ServerModels
    from pincite_models.choice import ModelChoice
    from pincite_tasks.web import WebChoice


@dataclass(frozen=True, slots=True)
class TaskOptions:
    """Which tasks."""

    families: Annotated[list[str] | None, typer.Argument(metavar="FAMILY…", help="Task families to run.")] = None
    task: Annotated[list[str] | None, typer.Option(metavar="ID", help="Only this task; repeatable.")] = None
    task_set: Annotated[
        str,
        typer.Option("--set", metavar="NAME", help="The tasks of this set, such as hard, or all; standard by default."),
    ] = ""
    sample: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Only N tasks of each family, drawn by --seed.")
    ] = None
    seed: Annotated[int, typer.Option(help="Which sample: the same seed draws the same tasks.")] = 0
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Only tasks with this value in their metadata (pincite tasks stats shows keys and values); "
            "repeatable.",
        ),
    ] = None
    strata: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY",
            help="A sample keeps the shares of this key's values, such as dimensions.type (dimensions: of all its "
            "keys); repeatable.",
        ),
    ] = None
    balanced: Annotated[bool, typer.Option("--balanced", help="With --strata: equal shares of the values instead.")] = (
        False
    )
    targets: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE|NAME",
            help="property_extraction for the properties that this file names, one a line, or for those of a list that "
            "comes with pincite: supercon97.",
        ),
    ] = None
    paper: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Your own paper instead of the family's tasks; repeatable."),
    ] = None
    parameter: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=TEXT", help="What is asked instead of the family's tasks: question=…; repeatable."),
    ] = None
    tasks: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder of your own task families, or one family's folder.")
    ] = None
    harbor: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder of Harbor tasks, or one task's, instead of families.")
    ] = None
    harbor_network: Annotated[
        str,
        typer.Option(
            metavar="none|HOST,…",
            help="What Harbor tasks with a public network may reach: nothing, or these hosts; refused by default.",
        ),
    ] = ""

    def check(self) -> None:
        """BadInputError for options that contradict each other, or name nothing to run."""
        own = _given({"--paper": self.paper, "--parameter": self.parameter})
        choosing = _given({"--task": self.task, "--sample": self.sample, "--where": self.where})
        sampling = _given({"--seed": self.seed, "--strata": self.strata, "--balanced": self.balanced})
        others = [*own, "--harbor"] if self.harbor else own
        if self.harbor is None and not self.families:
            raise BadInputError("There is nothing to run.", next="Name task families, or a folder with --harbor DIR.")
        if own and choosing:
            raise BadInputError(
                f"{own[0]} makes a task of its own: {choosing[0]} cannot choose one.", next="Leave one of them out."
            )
        if self.task and len(choosing) > 1:
            raise BadInputError(
                f"--task names the tasks: {choosing[1]} cannot choose among them.", next="Leave one of them out."
            )
        if sampling and not self.sample:
            raise BadInputError(f"{sampling[0]} says how a sample is drawn, and none is.", next="Add --sample N.")
        if self.balanced and not self.strata:
            raise BadInputError("--balanced says nothing without the values to balance.", next="Add --strata KEY.")
        if self.task_set and others:
            raise BadInputError(
                f"--set chooses among a family's own tasks; {others[0]} brings others.", next="Leave one of them out."
            )

    def hosts(self) -> list[str] | None:
        """The hosts of ``--harbor-network``: empty for ``none``, None where nothing was said."""
        if not self.harbor_network:
            return None
        return [host for host in self.harbor_network.split(",") if host and host != "none"]


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """The agent and its models."""

    agent: Annotated[
        str,
        typer.Option(help="An agent (pincite agents lists them), or your own: a Python program, or a folder of one."),
    ] = "baseline"
    agent_option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the agent; repeatable.")
    ] = None
    model: Annotated[
        str, typer.Option(metavar="PROVIDER:NAME", help="anthropic:…, openai:…, google:…, or a name with --model-url.")
    ] = ""
    model_url: Annotated[
        str, typer.Option(metavar="URL", help="Where the model's API is, if not at its provider's own address.")
    ] = ""
    role_model: Annotated[
        list[str] | None,
        typer.Option(metavar="ROLE=PROVIDER:NAME", help="Another model for this role of the agent; repeatable."),
    ] = None
    role_model_url: Annotated[
        list[str] | None, typer.Option(metavar="ROLE=URL", help="Where that role's model has its API; repeatable.")
    ] = None

    def options(self) -> dict[str, str]:
        """The agent's options by name, files by their absolute paths."""
        from pincite_harness.agents.registry import absolute_options

        return absolute_options(self.agent, read_pairs(self.agent_option, "--agent-option"))

    def choice(self) -> "ModelChoice | None":
        """The model that is named, None for none."""
        from pincite_models.choice import ModelChoice

        return ModelChoice.parse(self.model, self.model_url) if self.model else None

    def roles(self) -> "dict[str, ModelChoice]":
        """The models of ``--role-model`` with the addresses of ``--role-model-url``."""
        from pincite_models.role_choice import parse_role_models

        named = read_pairs(self.role_model, "--role-model")
        return parse_role_models(named, read_pairs(self.role_model_url, "--role-model-url"))

    def from_anywhere(self) -> str:
        """The agent with the absolute path of its program or recording, so that a run can be resumed from any
        folder."""
        from pincite_harness.agents.registry import is_path

        if is_path(self.agent):
            return str(Path(self.agent).resolve())
        word, _, path = self.agent.partition(":")
        return f"{word}:{Path(path).resolve()}" if word == "replay" and path else self.agent


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """What the agent may use."""

    with_server: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="SERVER|NAME=COMMAND|NAME=URL",
            help="One more server: of pincite's, or any MCP server by its command (VARIABLE=VALUE words first) or its "
            "address ('Header: value' words after it); ${VARIABLE} is taken from your environment. Repeatable.",
        ),
    ] = None
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="SERVER[.TOOL]", help="Tasks go without this server, or this tool of it; repeatable."),
    ] = None
    offline: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="This server of --with reaches no web: a recorded one may be replayed."),
    ] = None
    library: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="An ingested library that all trials read: pincite library add --library DIR"),
    ] = None
    server_model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="USE=PROVIDER:NAME",
            help="The model that servers ask for vision, text, embedding or rerank, through the model door; "
            "repeatable.",
        ),
    ] = None
    server_model_url: Annotated[
        list[str] | None, typer.Option(metavar="USE=URL", help="Where that model has its API; repeatable.")
    ] = None
    server_setting: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SERVER.NAME=VALUE", help="A setting of a server of pincite's, such as figures.ocr=off; repeatable."
        ),
    ] = None
    server_models: Annotated[
        Literal["door", "off"],
        typer.Option(help="off: servers ask the models of your PINCITE_* variables, unrecorded and not counted."),
    ] = "door"
    web: Annotated[
        Literal["live", "record", "replay", "replay-or-live"] | None,
        typer.Option(help="The web that servers see; PINCITE_HTTP_MODE by default, else live, or a task's own."),
    ] = None
    open_web: Annotated[
        bool,
        typer.Option(
            "--open-web",
            help="What the family's [open_web] names is open: hosts, the provider's search. Recorded, unless --web "
            "says otherwise.",
        ),
    ] = False
    web_store: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the recorded web is kept, or replayed from.")
    ] = None

    def models(self) -> "ServerModels":
        """The models and settings of the servers; BadInputError where they cannot be."""
        from pincite_harness.trial.server_models import ServerModels
        from pincite_models.server_model import parse_server_models

        named = read_pairs(self.server_model, "--server-model")
        models = parse_server_models(named, read_pairs(self.server_model_url, "--server-model-url"))
        settings = read_pairs(self.server_setting, "--server-setting")
        given = ServerModels(door=self.server_models == "door", models=models, settings=settings)
        given.check()
        return given

    def web_choice(self, run: "RunFolder") -> "WebChoice":
        """The web that was asked for; an open one is recorded beside the folder of the run where nothing else was
        said. BadInputError where that is on object storage."""
        from pincite_core.object_storage import is_address
        from pincite_tasks.web import choose_web

        if self.open_web and self.web is None and self.web_store is None:
            if is_address(run.address):
                raise BadInputError("The recorded web needs a folder.", seen=run.address, next="Add --web-store DIR.")
            return choose_web("record", run.path.with_name(f"{run.path.name}-web"))
        return choose_web(self.web, self.web_store)


@dataclass(frozen=True, slots=True)
class TrialOptions:
    """How trials are run."""

    limit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=NUMBER",
            help="wall_clock_seconds, tool_calls, model_calls, tokens or cost_usd of a trial; repeatable. For fewer "
            "tasks: --sample.",
        ),
    ] = None
    sandbox: Annotated[Literal["auto", "docker", "local"], typer.Option(help="Where the agent runs.")] = "auto"
    image: Annotated[
        str, typer.Option(metavar="IMAGE", help="A Docker image of your own for the agent: sh and python3 are in it.")
    ] = ""
    runtime: Annotated[str, typer.Option(help="Another runtime of the Docker daemon, such as runsc (gVisor).")] = ""
    unsafe: Annotated[
        bool,
        typer.Option("--unsafe", help="Without Docker and bubblewrap, run it as a plain process: nothing isolates it."),
    ] = False
    concurrency: Annotated[
        int | None,
        typer.Option("-n", min=1, help="Trials at once: 1 by default, with --engine ray as many as there are slots."),
    ] = None
    engine: Annotated[
        Literal["local", "ray"], typer.Option(help="Where trials run: on this machine, or on a Ray cluster.")
    ] = "local"
    ray_address: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT|auto",
            help="The Ray cluster; auto is the one that this machine belongs to. Without it, one is started here.",
        ),
    ] = ""
    attempts: Annotated[int, typer.Option(min=1, help="Trials of each task.")] = 1
    retries: Annotated[int, typer.Option(min=0, help="More tries of a trial that failed of an outage.")] = 1
    chain: Annotated[
        str,
        typer.Option(
            metavar="off|run|K",
            help="Each family's tasks run one after another in one chain, or in K: what the agent leaves in carry/ "
            "goes to the next trial.",
        ),
    ] = "off"
    chain_seed: Annotated[int, typer.Option(help="Another order of a chain's tasks than that of their ids.")] = 0

    def check(self) -> None:
        """BadInputError for an image without a container, and an address without a cluster."""
        if self.ray_address and self.engine == "local":
            raise BadInputError(
                "The local engine has no cluster.", seen=f"--ray-address {self.ray_address}", next="Add --engine ray."
            )
        if self.image and self.sandbox == "local":
            raise BadInputError("A local sandbox has no image.", seen=f"--image {self.image}", next="--sandbox docker")

    def limits(self) -> dict[str, float]:
        """Limits by name; a number alone is most likely meant as one of tasks."""
        from pincite_tasks.family import FamilyLimits

        for text in self.limit or []:
            if "=" not in text:
                raise BadInputError(
                    f"--limit {text} does not say of what.",
                    seen=f"the limits of a trial are {', '.join(FamilyLimits.model_fields)}",
                    next=f"--limit tool_calls={text}, say; for so many tasks: --sample {text}.",
                )
        return {name: _number(name, value) for name, value in read_pairs(self.limit, "--limit").items()}

    def chains(self) -> int:
        """In how many chains trials run: 0 for ``off``, 1 for ``run``."""
        words = {"off": 0, "run": 1}
        if self.chain in words:
            return words[self.chain]
        if not self.chain.isdecimal() or not int(self.chain):
            raise BadInputError(
                f"--chain {self.chain} is not a valid value.", next="--chain off, run or a number from 1 on"
            )
        return int(self.chain)


def read_pairs(values: list[str] | None, option: str) -> dict[str, str]:
    """``NAME=VALUE`` words as a mapping; BadInputError for another word."""
    pairs: dict[str, str] = {}
    for text in values or []:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise BadInputError(f"{option} {text!r} is not NAME=VALUE.", next=f"{option} NAME=VALUE")
        pairs[name] = value
    return pairs


def _given(options: dict[str, object]) -> list[str]:
    """The names of the options that were given."""
    return [name for name, value in options.items() if value]


def _number(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise BadInputError(f"The limit {name} is not a number.", seen=value, next="--limit NAME=NUMBER") from None
