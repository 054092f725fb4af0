"""Gate: whether the question asks for operational help with harm; rules first, then one call of a model."""

from crew import Crew

from . import roles
from .asking import Asking
from .events import Gated
from .harm import clear_case, described
from .settings import Settings


async def decide(crew: Crew, asking: Asking, settings: Settings, question: str) -> Gated:
    """The decision, noted in the state. A gate that gives nothing leaves the question unsure: it is worked on, and the
    tools that fetch procedures stay closed."""
    found = clear_case(question)
    if found is not None:
        decided = Gated(decision="refuse", by="rules", category=found.name, why=found.about)
    else:
        decided = await _asked(crew, asking, settings, question)
    crew.state.emit(decided)
    return decided


async def _asked(crew: Crew, asking: Asking, settings: Settings, question: str) -> Gated:
    role = roles.gate(settings)
    parts = [f"# The question\n\n{question}"]
    call = crew.ask(role, parts, who="gate", step="gate", slots={"categories": described()})
    said, cause = await asking.attempt("gate", call)
    if said is None or said.value is None:
        return Gated(decision="unsure", by="nobody", why=f"the gate gave nothing: {cause}")
    verdict = said.value
    return Gated(decision=verdict.decision, by="model", category=verdict.category, why=verdict.why)
