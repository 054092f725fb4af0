"""Settling: who is asked where the rules leave a claim unsure."""

from typing import Any

from mcp.server.mcpserver import Context

from pincite_core.settings import Settings
from pincite_papers.model import Paper
from pincite_provenance.model import Claim, ClaimChecks, Judgement


async def settle(
    settings: Settings,
    calling: Context[Any, Any],
    paper: Paper,
    claim: Claim,
    checks: ClaimChecks,
    *,
    by_person: bool,
) -> Judgement | None:
    """What a judge says of an unsure claim: a person where the caller wants one and the client can ask, else the model.

    None where there is nothing to settle or nobody to ask. What fails, or holds, is put to nobody. PersonNeededError
    where the client is to ask and call again.
    """
    if checks.verdict != "unsure":
        return None
    from pincite_provenance.judging.model_judge import ask_model
    from pincite_provenance.judging.person import ask_person, can_ask_person, client_name
    from pincite_provenance.judging.question import question_of

    question = question_of(paper, claim, checks)
    if question is None:
        return None
    if by_person and can_ask_person(calling):
        return await ask_person(calling, question)
    judged = await ask_model(settings, question)
    if judged is None and by_person:
        return Judgement("person", client_name(calling), "unsure", reason="this client cannot ask (no elicitation)")
    return judged
