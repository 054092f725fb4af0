"""A prompt of the user's own (``prompt=FILE``) in place of the task's, filled before the agent starts."""

import re
from collections.abc import Mapping
from typing import Any

from pincite_core.errors import BadInputError
from pincite_harness.agents.options import GIVEN, Given, Option

OPTION = "prompt"
OWN_PROMPT: Mapping[str, Option] = {
    OPTION: Option(
        "what is asked: the task's own prompt, or a file of yours with {{task}} and the task's parameters in it",
        ("task",),
        file=True,
    )
}
_SLOT = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def filled(given: Given, prompt: str, parameters: Mapping[str, Any]) -> str:
    """The file that the option names with ``{{task}}`` (``prompt``) and ``{{NAME}}`` (a parameter) filled in; without
    it the task's own prompt. BadInputError where the task has no such parameter, or the file is not text."""
    template = given.files.get(f"{GIVEN}/{OPTION}")
    if template is None:
        return prompt
    known = {"task": prompt.strip(), **{name: str(value) for name, value in parameters.items()}}
    try:
        text = template.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInputError("The file of the option prompt is not text in UTF-8.", seen=str(error)) from error
    missing = sorted({name for name in _SLOT.findall(text) if name not in known})
    if missing:
        raise BadInputError(
            f"The file of the option prompt asks for {{{{{missing[0]}}}}}, which a task does not have.",
            seen=", ".join(sorted(known)),
            next="Name one of these, or choose other tasks.",
        )
    return _SLOT.sub(lambda found: known[found[1]], text)
