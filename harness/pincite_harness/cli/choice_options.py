"""Options of pincite run that choose tasks by what they are about."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from pincite_core.errors import BadInputError

Where = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE",
        help="Only tasks with this value in their metadata (pincite tasks stats shows keys and values); repeatable.",
    ),
]
Strata = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY",
        help="A sample keeps the shares of this key's values, such as dimensions.type (dimensions: of all its keys); "
        "repeatable.",
    ),
]
Balanced = Annotated[bool, typer.Option("--balanced", help="With --strata: equal shares of the values instead.")]

Targets = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="property_extraction for the properties that this file names, one a line."),
]
OpenWeb = Annotated[
    bool,
    typer.Option(
        "--open-web",
        help="What the family's [open_web] names is open: hosts, the provider's search. Recorded, unless --web says "
        "otherwise.",
    ),
]


def check_choice(own: Mapping[str, object], chosen: Mapping[str, object], sampling: Mapping[str, object]) -> None:
    """BadInputError where options contradict each other: ``own`` make tasks, ``chosen`` choose among a family's,
    ``sampling`` say how ``--sample`` draws."""
    made = [name for name, value in own.items() if value]
    choosing = [name for name, value in chosen.items() if value]
    if made and choosing:
        raise BadInputError(
            f"{made[0]} makes a task of its own: {choosing[0]} cannot choose one.", next="Leave one of them out."
        )
    if chosen.get("--task") and len(choosing) > 1:
        raise BadInputError(
            f"--task names the tasks: {choosing[1]} cannot choose among them.", next="Leave one of them out."
        )
    said = [name for name, value in sampling.items() if value]
    if said and not chosen.get("--sample"):
        raise BadInputError(f"{said[0]} says how a sample is drawn, and none is.", next="Add --sample N.")
    if sampling.get("--balanced") and not sampling.get("--strata"):
        raise BadInputError("--balanced says nothing without the values to balance.", next="Add --strata KEY.")
