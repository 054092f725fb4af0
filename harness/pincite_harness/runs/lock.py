"""Lock: digests and versions of everything that a run's results depend on."""

import platform
import subprocess
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pincite_core.errors import BadInputError
from pincite_harness.runs.server_survey import ServerNote
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.shared_library import SharedLibrary
from pincite_scoring.judging.choice import JudgeChoice
from pincite_tasks.family import RECORD_FILE
from pincite_tasks.web import WebChoice

JUDGE_PROMPT = "judge/prompt/"
_DISTRIBUTIONS = (
    *("pincite", "mcp", "pydantic", "pypdfium2", "pypdf", "lxml", "httpx", "biopython", "arxiv", "rapidfuzz"),
    *("pymatgen", "pint", "docker"),
)


class GitRevision(BaseModel):
    """The commit of the checkout that ran, and whether its files differed from it."""

    commit: str
    dirty: bool


class Lock(BaseModel):
    """What was run. ``digests`` must still be the same when the run is resumed; the rest is for the record."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    digests: dict[str, str]
    """``family/<name>/<file>``, ``task/<family>/<id>``, ``paper/<family>/<id>/<name>`` and so for ``file`` and
    ``corpus``, ``agent/<file>``, ``judge/prompt/<rubric>`` of a prompt of the user's own, ``server/<family>/<name>`` of
    third-party servers, ``web`` where a recorded one is replayed, and ``library`` where trials share one."""
    agent_version: str
    versions: dict[str, str | None]
    python: str
    platform: str
    git: GitRevision | None
    servers: dict[str, ServerNote] = Field(default_factory=dict)
    """Third-party servers by ``<family>/<name>``, as they were when the run began."""

    def check(self, now: "Lock") -> None:
        """BadInputError when something that the results depend on is no longer what it was."""
        names = sorted(set(self.digests) | set(now.digests))
        changed = [name for name in names if self.digests.get(name) != now.digests.get(name)]
        if changed:
            shown = ", ".join(changed[:8]) + (f" and {len(changed) - 8} more" if len(changed) > 8 else "")
            raise BadInputError(
                "The run cannot go on: what it was started with has changed.",
                seen=shown,
                next="Restore these, or start a new run.",
            )


def lock_run(
    plans: Sequence[TrialPlan],
    web: WebChoice | None = None,
    servers: Mapping[str, ServerNote] | None = None,
    judge: JudgeChoice | None = None,
    library: SharedLibrary | None = None,
) -> Lock:
    """The lock of the trials, on their web where it matters, with their third-party ``servers`` as a survey found them,
    the prompts that were given to their ``judge`` and the ``library`` that they share, as things are now."""
    agent = plans[0].agent
    digests = {f"agent/{name}": digest for name, digest in agent.digests().items()}
    if agent.image_id:
        digests["agent/image"] = agent.image_id
    digests |= web.digests() if web is not None else {}
    digests |= judge_digests(judge)
    digests |= library.digests() if library is not None else {}
    digests |= {f"server/{name}": note.digest for name, note in (servers or {}).items()}
    for plan in plans:
        family, task = plan.family, plan.task
        digests |= {f"family/{family.name}/{name}": value for name, value in _definition(plan).items()}
        digests[f"task/{family.name}/{task.task_id}"] = task.digest()
        if plan.attempt == 1:
            for name, value in task.file_digests().items():
                kind, _, rest = name.partition("/")
                digests[f"{kind}/{family.name}/{task.task_id}/{rest}"] = value
            # Excerpts of one paper are files of their own: reports tell by this that they belong together.
            if origin := task.metadata.get("paper_id"):
                digests[f"origin/{family.name}/{task.task_id}/paper"] = str(origin)
    return Lock(
        digests=digests,
        agent_version=agent.version,
        versions={name: _version(name) for name in _DISTRIBUTIONS},
        python=platform.python_version(),
        platform=platform.platform(),
        git=git_revision(),
        servers=dict(servers or {}),
    )


def judge_digests(judge: JudgeChoice | None) -> dict[str, str]:
    """The digests of a judge's prompts of the user's own, as they stand in a lock."""
    prompts = judge.prompts if judge is not None else ()
    return {f"{JUDGE_PROMPT}{prompt.rubric}": prompt.digest for prompt in prompts}


def git_revision() -> GitRevision | None:
    """The revision of the checkout that this package runs from; None where it is installed or git is not there."""
    here = Path(__file__).parent
    commit = _git(here, "rev-parse", "HEAD")
    inside = _git(here, "ls-files", "--error-unmatch", Path(__file__).name)
    if commit is None or inside is None:
        return None
    return GitRevision(commit=commit, dirty=bool(_git(here, "status", "--porcelain", "--untracked-files=no")))


def _definition(plan: TrialPlan) -> dict[str, Any]:
    """Digests of the family's files but for those of its tasks, which have their own."""
    return {name: digest for name, digest in plan.family.digests.items() if not RECORD_FILE.fullmatch(name)}


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        result = subprocess.run(
            ["git", *arguments], cwd=folder, capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return result.stdout.strip() if result.returncode == 0 else None


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
