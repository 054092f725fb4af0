"""Roles: what each model role is told, with its effort; ``--role-model`` can give each a model of its own."""

from typing import TypeVar

from crew import Role, prompt

from .outputs import Conclusion, Look, Precedent, Scores, Selection, Synthesis, Verdict
from .settings import Settings

T = TypeVar("T")
CAREFUL = "high"
"""Effort of the inspector's last round."""


def _role(name: str, output: type[T], settings: Settings, *, pictures: bool) -> Role[T]:
    return Role(name, prompt(name, __file__), output, effort=settings.efforts[name], pictures=pictures, model=name)


def gate(settings: Settings) -> Role[Verdict]:
    """Says whether the question asks for help with harm."""
    return _role("gate", Verdict, settings, pictures=False)


def orchestrator(settings: Settings, output: type[Conclusion]) -> Role[Conclusion]:
    """Searches, reads, and decides when to end."""
    return _role("orchestrator", output, settings, pictures=True)


def selector(settings: Settings) -> Role[Selection]:
    """Chooses among the works of one search."""
    return _role("selector", Selection, settings, pictures=False)


def reranker(settings: Settings) -> Role[Scores]:
    """Scores passages on two axes."""
    return _role("reranker", Scores, settings, pictures=False)


def inspector(settings: Settings, output: type[Look], *, careful: bool) -> Role[Look]:
    """Looks at views of one figure."""
    effort = CAREFUL if careful and settings.zoom else settings.efforts["inspector"]
    return Role("inspector", prompt("inspector", __file__), output, effort=effort, model="inspector")


def answer(settings: Settings) -> Role[Synthesis]:
    """Writes the answer to a question."""
    return _role("synthesis", Synthesis, settings, pictures=True)


def precedent(settings: Settings) -> Role[Precedent]:
    """Writes what was reported of a material."""
    return _role("synthesis", Precedent, settings, pictures=True)
