"""The references of an audited report, asked of the registries: whether they exist, and what became of the works."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import anyio

from pincite_core.errors import PinciteError
from pincite_core.http.opening import open_web
from pincite_core.settings import Settings
from pincite_literature.catalog import TITLES
from pincite_provenance.audit.finding import INVENTED, AuditVerdict, Finding
from pincite_provenance.audit.references import find_dois
from pincite_provenance.audit.titles import gives_title, names_article
from pincite_provenance.citations.resolve_citation import CitationCheck, resolve_citation
from pincite_provenance.state import ProvenanceState
from pincite_provenance.status.publication_status import publication_status

_AT_ONCE = 4
"""References asked about side by side; each source has its own limit of rate besides."""
_LONGEST = 2000
"""Characters of a reference that the registries are asked about."""
_LONGEST_STATUS = 300
_FEWEST_REGISTRIES = 2
"""Registries of published works that must have been asked, without an outage, for a work that none of them has
anything close to to be called invented; one alone leaves it unsure. Set by judgement."""
_PREPRINTS = frozenset({"arxiv"})
"""Sources that hold preprints alone: that one has no article of a journal says nothing."""
_FIRST_YEAR = 1950
"""Year of an article from which on journals can be expected to be in the registries as a rule. Set by judgement."""


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
        said = _said(check, finding.claim.words, under_cutoff=state.settings.before is not None)
        finding = replace(finding, verdict=said.verdict, reason=said.reason)
        doi = check["found"].get("doi", doi) if "found" in check else doi
    if finding.verdict in INVENTED or not doi:
        return finding
    return replace(finding, status=await _status(state, doi))


def _said(check: CitationCheck, words: str, *, under_cutoff: bool) -> _Said:
    """What the check of a citation says of a reference."""
    if check["verdict"] == "agrees":
        return _Said("exists", check["reason"])
    if check["verdict"] == "differs":
        found = check.get("found")
        if check.get("title") == "differs" and gives_title(words, found["authors"] if found is not None else ()):
            title = found["title"] if found is not None else "another"
            return _Said("is another work", f"{check['reason']} Its title there: {title!r}")
        return _Said("exists", check["reason"])
    if check["verdict"] == "not_found" and find_dois(words):
        return _Said("does not exist", check["reason"])
    if check["verdict"] == "not_found":
        return _unsure(check) if under_cutoff else _not_found(check, words)
    return _Said("not checked", check["reason"])


def _not_found(check: CitationCheck, words: str) -> _Said:
    """A reference without a DOI that no registry has. It does not exist as it is cited where it is an article with
    authors, title, journal and year, several registries of such were asked, and none has anything close to it. Books,
    reports and pages of the web are in no registry as a rule, and stay unsure."""
    asked = [entry["source"] for entry in check["sources"] if entry["state"] == "answered"]
    asked = [name for name in asked if name not in _PREPRINTS]
    if len(asked) < _FEWEST_REGISTRIES or "closest" in check or not names_article(words, _FIRST_YEAR):
        return _unsure(check)
    named = ", ".join(TITLES[name] for name in asked)
    return _Said("does not exist", f"not as it is cited: {named} have nothing close to its title, authors and year")


def _unsure(check: CitationCheck) -> _Said:
    closest = check.get("closest")
    shown = f" The closest is {closest['title']!r}." if closest is not None else ""
    return _Said("unsure", f"{check['reason']}{shown}")


async def _status(state: ProvenanceState, doi: str) -> str:
    """What became of a work, in words; "" where nothing is known against it."""
    try:
        status = await publication_status(state, doi)
    except PinciteError:
        return ""
    told = (status["retracted"] not in ("no", "unknown"), status["corrected"] == "yes", status["concern"] == "yes")
    return status["summary"][:_LONGEST_STATUS] if any(told) else ""
