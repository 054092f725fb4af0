"""Formats: examples as JSON lines of ours, as trl's prompt and completion, or as verl's Parquet."""

import importlib
import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from pincite_core.errors import BadInputError, UnavailableError
from pincite_harness.training.example import Example, Message
from pincite_tasks.files import digest_file, write_json

Format = Literal["jsonl", "trl", "verl"]
MANIFEST = "dataset.json"
MEDIA = "media"


def write_examples(
    examples: Sequence[tuple[Example, Path]], folder: Path, role: str, form: Format, told: Mapping[str, Any]
) -> Path:
    """Write examples, each with its trial's folder, and a manifest; pictures are copied once, by their digests.

    BadInputError where the folder has something in it, UnavailableError where Parquet cannot be written.
    """
    if folder.exists() and any(folder.iterdir()):
        raise BadInputError(f"{folder} is not empty.", next="Name a new folder with --out.")
    rows = [_row(_with_media(example, trial, folder), form, number) for number, (example, trial) in enumerate(examples)]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{role or 'agent'}.{'parquet' if form == 'verl' else 'jsonl'}"
    if form == "verl":
        _write_parquet(rows, path)
    else:
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    manifest = {"pincite": version("pincite"), "format": form, "for": role, "examples": len(rows), **told}
    write_json(folder / MANIFEST, manifest)
    return path


def _row(example: Example, form: Format, number: int) -> dict[str, Any]:
    origin = example.origin
    extra: dict[str, Any] = {
        "run": origin.run,
        "trial": origin.trial,
        "family": origin.family,
        "task": origin.task,
        "made": example.made,
        "canary": origin.canary,
    }
    if form == "trl":
        row = {"prompt": list(example.prompt), "completion": list(example.completion), "truth": dict(example.truth)}
        row |= {"images": list(example.media)} if example.media else {}
        return {**row, **({"tools": list(example.tools)} if example.tools else {}), **extra, "role": example.role}
    if form == "verl":
        truth = json.dumps({"role": example.role, **example.truth}, ensure_ascii=False)
        return {
            "data_source": f"pincite/{origin.family}",
            "prompt": [_flat(message) for message in example.prompt],
            "ability": example.role,
            "reward_model": {"style": "rule", "ground_truth": truth},
            "extra_info": {"index": number, **extra, "tools": json.dumps(list(example.tools), ensure_ascii=False)},
            "images": list(example.media),
        }
    return {
        "role": example.role,
        "prompt": list(example.prompt),
        "completion": list(example.completion),
        "tools": list(example.tools),
        "truth": dict(example.truth),
        "media": list(example.media),
        "origin": {**extra, "metadata": dict(origin.metadata), "scores": dict(origin.scores)},
    }


def _flat(message: Message) -> dict[str, str]:
    """A message of one text, as Parquet's fixed columns take it; pictures stand as ``<image>``, calls as JSON."""
    content = message["content"]
    if not isinstance(content, str):
        content = "\n\n".join(part["text"] if part["type"] == "text" else "<image>" for part in content)
    calls = message.get("tool_calls")
    return {"role": message["role"], "content": content + (json.dumps(calls) if calls else "")}


def _with_media(example: Example, trial: Path, folder: Path) -> Example:
    """The example with its pictures copied, and named by their place in the new folder."""
    if not example.media:
        return example
    names: dict[str, str] = {}
    for path in example.media:
        source = trial / path
        if source.is_file():
            target = folder / MEDIA / f"{digest_file(source).removeprefix('sha256:')[:32]}{source.suffix}"
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                shutil.copyfile(source, target)
            names[path] = target.relative_to(folder).as_posix()
    prompt = [_renamed(message, names) for message in example.prompt]
    media = [names.get(path, path) for path in example.media]
    return Example(
        example.role, example.origin, prompt, example.completion, example.tools, example.truth, media, example.made
    )


def _renamed(message: Message, names: Mapping[str, str]) -> Message:
    content = message["content"]
    if isinstance(content, str):
        return message
    parts = [part | ({"image": names.get(part["image"], part["image"])} if "image" in part else {}) for part in content]
    return {**message, "content": parts}


def _write_parquet(rows: Iterable[Mapping[str, Any]], path: Path) -> None:
    try:
        arrow: Any = importlib.import_module("pyarrow")
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise UnavailableError(
            "Parquet cannot be written here.", seen=str(error), next="pip install 'pincite[scale]', or --format trl."
        ) from error
    parquet.write_table(arrow.Table.from_pylist(list(rows)), path)
