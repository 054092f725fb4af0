"""The analyses in the order in which they are shown."""

from pincite_harness.analyses.analysis import Analyse
from pincite_harness.analyses.component import component_effect
from pincite_harness.analyses.document import recall_by_page, score_against_document
from pincite_harness.analyses.effort import effort_by_outcome
from pincite_harness.analyses.ends import ends
from pincite_harness.analyses.reliability import reliability
from pincite_harness.analyses.retrieval import retrieval_and_extraction
from pincite_harness.analyses.risk import risk_and_coverage
from pincite_harness.analyses.role_tokens import premium, tokens_by_role
from pincite_harness.analyses.source_use import sources_by_outcome
from pincite_harness.analyses.spending import accuracy_against_spending, efficiency
from pincite_harness.analyses.timelines import rounds, time_spent
from pincite_harness.analyses.tool_use import tool_use, toolkits_by_group
from pincite_harness.analyses.value_errors import value_errors

ANALYSES: tuple[Analyse, ...] = (
    accuracy_against_spending,
    efficiency,
    effort_by_outcome,
    sources_by_outcome,
    component_effect,
    tool_use,
    toolkits_by_group,
    score_against_document,
    recall_by_page,
    value_errors,
    retrieval_and_extraction,
    reliability,
    risk_and_coverage,
    ends,
    tokens_by_role,
    premium,
    time_spent,
    rounds,
)
