"""Chain: what a trial left, as links of one hash chain, so that nothing can be changed, left out or moved alone."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

_SCHEMA = b"pincite-chain/1"
_FOLDED = ".jsonl"


class FileHead(BaseModel):
    """The chain's head after a file; ``links`` are the lines of a file of lines, one for another file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: str
    links: int
    head: str


class TrialChain(BaseModel):
    """A trial's chain: it starts from the digest of run.json and the trial's name."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    files: list[FileHead]
    head: str


class RunChain(BaseModel):
    """The chains of a run's trials in the order of run.json, and the head over theirs."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: str
    """SHA-256 of run.json."""
    trials: dict[str, TrialChain]
    head: str


def chain_run(run_file: Path, trials: Sequence[tuple[str, Path, Sequence[str]]]) -> RunChain:
    """The chain of a run: ``trials`` are (name, folder, names of its files in the order of the links)."""
    run = hashlib.sha256(run_file.read_bytes()).hexdigest()
    chains: dict[str, TrialChain] = {}
    head = _link(run.encode(), _SCHEMA)
    for name, folder, files in trials:
        chains[name] = _chain_trial(run, name, folder, files)
        head = _link(head, chains[name].head.encode())
    return RunChain(run=run, trials=chains, head=head.hex())


def _chain_trial(run: str, name: str, folder: Path, files: Sequence[str]) -> TrialChain:
    head = _link(run.encode(), name.encode())
    heads: list[FileHead] = []
    for file in files:
        head = _link(head, file.encode())
        links = 0
        with (folder / file).open("rb") as opened:
            lines = opened if file.endswith(_FOLDED) else [opened.read()]
            for line in lines:
                head = _link(head, line)
                links += 1
        heads.append(FileHead(file=file, links=links, head=head.hex()))
    return TrialChain(files=heads, head=head.hex())


def _link(head: bytes, content: bytes) -> bytes:
    """SHA-256 over the head so far and the SHA-256 of the next link."""
    return hashlib.sha256(head + hashlib.sha256(content).digest()).digest()
