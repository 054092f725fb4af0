"""The references of an audited report, asked of the registries: whether they exist, and what became of the works."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import anyio

from pincite_core.errors import PinciteError
from pincite_core.http.opening import open_web
from pincite_core.settings import Settings
from pincite_provenance.audit.finding import INVENTED, AuditVerdict, Finding
from pincite_provenance.audit.references import find_dois
from pincite_provenance.audit.titles import gives_title
from pincite_provenance.citations.tool import CitationCheck, resolve_citation
from pincite_provenance.state import ProvenanceState
from pincite_provenance.status.tool import publication_status

_AT_ONCE = 4
"""References asked about side by side; each source has its own limit of rate besides."""
_LONGEST = 2000
"""Characters of a reference that the registries are asked about."""
_LONGEST_STATUS = 300


@asynccontextmanager
async def registries(settings: Settings) -> AsyncGenerator[ProvenanceState]:
    """The sources of the literature, while they are asked."""
    state = ProvenanceState(settings, open_web(settings))
    async with state.lifespan(None):
        yield state


async def check_references(state: ProvenanceState, findings: Sequence[Finding]) -> list[Finding]:
    """The findings, those of references with what the registries say; where no registry answers, as they were."""
    made = list(findings)
    limit = anyio.Semaphore(_AT_ONCE)

    async def check(at: int) -> None:
        async with limit:
            made[at] = await _checked(state, made[at])

    async with anyio.create_task_group() as tasks:
        for at, finding in enumerate(findings):
            if finding.claim.kind == "reference":
                tasks.start_soon(check, at)
    return made


@dataclass(frozen=True, slots=True)
class _Said:
    verdict: AuditVerdict
    reason: str


async def _checked(state: ProvenanceState, finding: Finding) -> Finding:
    """One reference: whether it exists, if a paper at hand did not say so, and what became of it."""
    doi = next((doi for _, doi in find_dois(finding.claim.words)), "")
    if finding.verdict != "exists":
        try:
            check = await resolve_citation(state, finding.claim.words[:_LONGEST])
        except PinciteError as error:
            return replace(finding, reason=f"{finding.reason}; {error}")
        said = _said(check, finding.claim.words)
        finding = replace(finding, verdict=said.verdict, reason=said.reason)
        doi = check["found"].get("doi", doi) if "found" in check else doi
    if finding.verdict in INVENTED or not doi:
        return finding
    return replace(finding, status=await _status(state, doi))


def _said(check: CitationCheck, words: str) -> _Said:
    """What the check of a citation says of a reference. A search by words that finds nothing proves nothing."""
    if check["verdict"] == "agrees":
        return _Said("exists", check["reason"])
    if check["verdict"] == "differs":
        found = check.get("found")
        if check.get("title") == "differs" and gives_title(words, found["authors"] if found is not None else ()):
            title = found["title"] if found is not None else "another"
            return _Said("is another work", f"{check['reason']} Its title there: {title!r}")
        return _Said("exists", check["reason"])
    if check["verdict"] == "not_found":
        return _Said("does not exist" if find_dois(words) else "unsure", check["reason"])
    return _Said("not checked", check["reason"])


async def _status(state: ProvenanceState, doi: str) -> str:
    """What became of a work, in words; "" where nothing is known against it."""
    try:
        status = await publication_status(state, doi)
    except PinciteError:
        return ""
    told = (status["retracted"] not in ("no", "unknown"), status["corrected"] == "yes", status["concern"] == "yes")
    return status["summary"][:_LONGEST_STATUS] if any(told) else ""
