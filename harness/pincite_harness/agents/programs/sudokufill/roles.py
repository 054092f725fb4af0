"""Roles: the kinds of model calls, each with its prompt from ``prompts/``."""

from crew import Role, prompt

from . import rubric
from .said import CellProbe, Consolidation, Filling, PageProbe, Position, Preference, Ranking, Task

_RUBRIC = rubric.TEXT


def _text(name: str) -> str:
    return prompt(name, __file__).replace("{rubric}", _RUBRIC)


PROBE_PAGE = Role("probe", _text("probe"), PageProbe)
PROBE_CELL = Role("probe", _text("probe"), CellProbe)
RANK = Role("rank", _text("rank"), Ranking, pictures=False)
PAGE = Role("page", _text("page"), Position)
ROW = Role("row", _text("row"), Preference, pictures=False)
COLUMN = Role("column", _text("column"), Preference, pictures=False)
COORDINATOR = Role("coordinator", _text("coordinator"), Consolidation, pictures=False)
TASK = Role("coordinator", _text("task"), Task, pictures=False)
SEQUENTIAL = Role("sequential", _text("sequential"), Filling)
TURNS = {
    "position": _text("turn_position"),
    "rebuttal": _text("turn_rebuttal"),
    "objection": _text("turn_objection"),
    "defence": _text("turn_defence"),
    "verdict": _text("turn_verdict"),
    "hypothesis": _text("turn_hypothesis"),
}
"""What a page agent is asked to do in each phase of a round."""
