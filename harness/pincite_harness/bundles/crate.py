"""Crate: the bundle described as an RO-Crate 1.1 of the Process Run profile, for tools that know neither pincite."""

from pathlib import Path
from typing import Any

from pincite_harness.bundles.contents import BUNDLE_FILE, RUN, BundleDocument, FileEntry, entry_of
from pincite_harness.runs.run_folder import RunDocument
from pincite_tasks.files import read_json
from pincite_tasks.trial_record import TRIAL_FILE

CRATE_FILE = "ro-crate-metadata.json"
_CONTEXT = "https://w3id.org/ro/crate/1.1/context"
_PROFILE = "https://w3id.org/ro/wfrun/process/0.1"
_KINDS = {
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
    ".log": "text/plain",
    ".md": "text/markdown",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".toml": "application/toml",
}


def crate_metadata(stage: Path, bundle: BundleDocument, document: RunDocument) -> dict[str, Any]:
    """The JSON-LD of the crate whose members lie in ``stage``, bundle.json among them: its digest stands here alone."""
    members = {**bundle.files, BUNDLE_FILE: entry_of(stage / BUNDLE_FILE)}
    actions = [_action(stage, name) for name in bundle.chain.trials]
    agent = {
        "@id": "#agent",
        "@type": "SoftwareApplication",
        "name": document.specification.agent,
        "softwareVersion": document.lock.agent_version,
    }
    harness = {"@id": "#pincite", "@type": "SoftwareApplication", "name": "pincite", "softwareVersion": bundle.pincite}
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": f"The run {bundle.name}, to be checked with pincite verify",
        "description": "Trials of an agent on evidence tasks: every model and tool call, the answers and their scores.",
        "datePublished": bundle.created_at,
        "license": "Stated by who publishes it; papers and texts in tool results keep theirs.",
        "conformsTo": {"@id": _PROFILE},
        "hasPart": [{"@id": name} for name in sorted(members)],
        "mentions": [{"@id": action["@id"]} for action in actions],
    }
    descriptor = {
        "@id": CRATE_FILE,
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
    }
    profile = {"@id": _PROFILE, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.1"}
    files = [_file(name, members[name]) for name in sorted(members)]
    return {"@context": _CONTEXT, "@graph": [descriptor, root, profile, harness, agent, *actions, *files]}


def _file(name: str, entry: FileEntry) -> dict[str, Any]:
    kind = _KINDS.get(Path(name).suffix, "application/octet-stream")
    return {
        "@id": name,
        "@type": "File",
        "name": Path(name).name,
        "encodingFormat": kind,
        "contentSize": str(entry.bytes),
        "sha256": entry.sha256,
    }


def _action(stage: Path, name: str) -> dict[str, Any]:
    """A trial: the agent that made an answer from a task."""
    folder = f"{RUN}/trials/{name}"
    record = read_json(stage / folder / TRIAL_FILE)
    times = list(record["stages"].values())
    results = sorted(path.relative_to(stage).as_posix() for path in (stage / folder).glob("*.json"))
    status = "CompletedActionStatus" if record["cause"] is None else "FailedActionStatus"
    action = {
        "@id": f"#trial-{name}",
        "@type": "CreateAction",
        "name": name,
        "instrument": {"@id": "#agent"},
        "agent": {"@id": "#pincite"},
        "actionStatus": f"http://schema.org/{status}",
        "result": [{"@id": result} for result in results],
    }
    if times:
        action |= {"startTime": times[0]["started_at"], "endTime": times[-1]["finished_at"]}
    return action
