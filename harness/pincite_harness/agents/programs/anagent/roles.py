"""Roles: what each of the four is told and has to return."""

from crew import Role, prompt
from pydantic import BaseModel, Field

GRADES = ("accuracy", "completeness", "format", "clarity", "faithfulness")
HIGHEST = 2
"""Of one grade."""


class Plan(BaseModel):
    thought: str = Field(default="", description="width, depth and objective, and what context is needed")
    plan: str = Field(min_length=1, description="the steps as bullets that begin with '* '")


class Summary(BaseModel):
    thought: str = Field(default="", description="what was looked for and what is still missing")
    summary: str = Field(min_length=1, description="facts from the results, as bullets that begin with '* '")


class Analysis(BaseModel):
    thought: str = Field(default="", description="width, depth and objective, and what matters most")
    answer: str = Field(min_length=1, description="the analysis, as it is printed")


class Critique(BaseModel):
    thought: str = Field(default="", description="each number and comparison, held against the data")
    accuracy: int = Field(ge=0, le=HIGHEST)
    completeness: int = Field(ge=0, le=HIGHEST)
    format: int = Field(ge=0, le=HIGHEST)
    clarity: int = Field(ge=0, le=HIGHEST)
    faithfulness: int = Field(ge=0, le=HIGHEST)
    feedback: str = Field(min_length=1, description="what is wrong or missing, sentence by sentence")

    def grades(self) -> dict[str, int]:
        """The five grades by name."""
        return {name: int(getattr(self, name)) for name in GRADES}

    @property
    def total(self) -> int:
        """Their sum, 0 to 10."""
        return sum(self.grades().values())


def _analysis(name: str) -> str:
    return f"{prompt(name, __file__)}\n\n{prompt('analysis', __file__)}"


PLANNER = Role("planner", prompt("planner", __file__), Plan)
EXPERT = Role("expert", prompt("expert", __file__), Summary)
SOLVER = Role("solver", _analysis("solver"), Analysis)
SOLVER_WITH_TOOLS = Role("solver", _analysis("solver_with_tools"), Analysis)
CRITIC = Role("critic", prompt("critic", __file__), Critique)
