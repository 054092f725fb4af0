"""Commands with many options take them in groups: a dataclass a group, each field an option."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, get_type_hints

from typer.models import OptionInfo


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option for each field of the groups that it takes.

    A parameter of ``command`` whose type is a dataclass is a group: its fields are annotated as Typer's options and
    arguments are, and the first line of its docstring is the title of its options in ``--help``. Other parameters stay.
    """
    hints = get_type_hints(command, include_extras=True)
    taken = inspect.signature(command).parameters
    groups = {name: hints[name] for name in taken if is_dataclass(hints[name])}

    def flat(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    parameters: list[inspect.Parameter] = []
    for name, parameter in taken.items():
        own = parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name])
        parameters += _parameters(groups[name]) if name in groups else [own]
    flat.__doc__ = command.__doc__
    flat.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(flat)["__signature__"] = inspect.Signature(parameters)
    return flat


def _parameters(group: type) -> Iterator[inspect.Parameter]:
    """A keyword parameter for each field of the group."""
    hints = get_type_hints(group, include_extras=True)
    title = (group.__doc__ or "").partition("\n")[0].rstrip(".")
    for field in fields(group):
        hint = hints[field.name]
        for mark in hint.__metadata__:
            if isinstance(mark, OptionInfo):
                mark.rich_help_panel = title
        yield inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=_default(field), annotation=hint)


def _default(field: Field[Any]) -> Any:
    return inspect.Parameter.empty if field.default is MISSING else field.default
