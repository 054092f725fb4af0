"""Static models that can be fetched by name: their files, pinned by revision and digest, and where they are put."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from pincite_core.durable import write_whole
from pincite_core.errors import BadInputError, TamperedError
from pincite_core.http.policy import Rate, SourcePolicy

if TYPE_CHECKING:
    from pincite_core.http.client import Web

FILES = ("config.json", "tokenizer.json", "model.safetensors")
"""What a model2vec folder needs."""

_SECONDS = 1800.0
"""Seconds that one file may take; set by judgement: 30 MB over a line of 150 kbit/s."""

POLICY = SourcePolicy(
    name="huggingface",
    title="Hugging Face",
    base_url="https://huggingface.co",
    rate=Rate(requests=5, seconds=1.0, at_once=1),
    fresh_seconds=0.0,
)


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file of a model: its size in bytes and the SHA-256 that it must have."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class StaticModelSource:
    """A published model: its repository at one revision, its licence and its files by name."""

    repository: str
    revision: str
    licence: str
    files: dict[str, ModelFile]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files.values())

    def path(self, name: str) -> str:
        """Where a file is, below the source's address."""
        return f"{self.repository}/resolve/{self.revision}/{name}"


STATIC_MODELS = {
    "potion-base-8M": StaticModelSource(
        repository="minishlab/potion-base-8M",
        revision="bf8b056651a2c21b8d2565580b8569da283cab23",
        licence="MIT",
        files={
            "config.json": ModelFile(202, "2a6ac0e9aaa356a68a5688070db78fc3a464fefe85d2f06a1905ce3718687553"),
            "tokenizer.json": ModelFile(683_666, "e67e803f624fb4d67dea1c730d06e1067e1b14d830e2c2202569e3ef0f70bb50"),
            "model.safetensors": ModelFile(
                30_236_760, "f65d0f325faadc1e121c319e2faa41170d3fa07d8c89abd48ca5358d9a223de2"
            ),
        },
    ),
}
"""The models that ``pincite library embed --get`` knows, by name."""


def named_model(name: str) -> StaticModelSource:
    """The model of a name; BadInputError for an unknown one."""
    if name not in STATIC_MODELS:
        known = ", ".join(STATIC_MODELS)
        raise BadInputError(f"There is no model {name!r} to fetch.", next=f"Name one of: {known}.")
    return STATIC_MODELS[name]


def folder_of(name: str) -> Path:
    """Where a fetched model is kept: the user's data folder."""
    return platformdirs.user_data_path("pincite") / "models" / name


def is_fetched(name: str) -> bool:
    """Whether all files of a named model are there with the digests that they must have."""
    source, folder = named_model(name), folder_of(name)
    return all(_is_right(folder / file, wanted) for file, wanted in source.files.items())


async def fetch_model(web: "Web", name: str, say: Callable[[str], None]) -> Path:
    """Fetch what is missing of a named model through ``web`` and give its folder.

    Files that are there and right are kept, so an interrupted fetch goes on with the next file. TamperedError for a
    file with another digest, which is thrown away; errors of ``Web.get`` as they are.
    """
    source, folder = named_model(name), folder_of(name)
    folder.mkdir(parents=True, exist_ok=True)
    for file, wanted in source.files.items():
        if _is_right(folder / file, wanted):
            say(f"{file} is there")
            continue
        say(f"fetching {file} ({wanted.size / 1e6:.1f} MB)")
        answer = await web.get(POLICY, source.path(file), most_bytes=wanted.size, seconds=_SECONDS)
        seen = hashlib.sha256(answer.content).hexdigest()
        if seen != wanted.sha256:
            raise TamperedError(
                f"{file} of {name} is not the file that pincite knows: nothing of it was kept.",
                seen=f"SHA-256 {seen}, wanted {wanted.sha256}",
                next="Try again later, or download the model yourself and set PINCITE_EMBEDDER=static:FOLDER.",
            )
        write_whole(folder / file, folder / f".{file}.{os.getpid()}.part", answer.content)
    return folder


def _is_right(path: Path, wanted: ModelFile) -> bool:
    if not path.is_file() or path.stat().st_size != wanted.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == wanted.sha256
