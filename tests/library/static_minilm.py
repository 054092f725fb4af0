"""Static vectors distilled from all-MiniLM-L6-v2, in model2vec's format, with numpy alone (no torch).

The published method (model2vec, "distillation" of Minish 2024): each token of the vocabulary is embedded alone by the
sentence transformer, the vectors are reduced by PCA to 256 dimensions, and each is weighted by the smooth inverse
frequency (Arora, Liang and Ma 2017) of its rank under Zipf's law, with a = 0.0001.
"""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

DIMENSIONS, SIF = 256, 1e-4
_BATCH = 512
_NAME = "static-1"


def static_folder(minilm: Path) -> Path:
    """The folder of the static model beside that of MiniLM, made on first use (about two minutes)."""
    folder = minilm.with_name(f"{minilm.name}-{_NAME}")
    if not (folder / "model.safetensors").is_file():
        with tempfile.TemporaryDirectory(dir=minilm.parent) as made:
            write_static(minilm, Path(made) / "model")
            shutil.rmtree(folder, ignore_errors=True)
            (Path(made) / "model").rename(folder)
    return folder


def write_static(minilm: Path, folder: Path) -> None:
    """Distil the model in ``minilm`` into ``folder``: embeddings float32 of shape (tokens, 256), its tokenizer."""
    import safetensors.numpy
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(minilm / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    vectors = _of_tokens(minilm, tokenizer.get_vocab_size())
    centred = vectors - vectors.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    reduced = centred @ axes[:, ::-1][:, :DIMENSIONS]
    # The vocabulary of BERT is ordered by frequency, which is what Zipf's law is applied to.
    shares = 1 / (np.arange(len(reduced)) + 2)
    shares /= shares.sum()
    weighted = reduced * (SIF / (SIF + shares))[:, None]
    folder.mkdir(parents=True)
    written: Any = safetensors.numpy
    vectors_of_tokens = {"embeddings": np.ascontiguousarray(weighted, dtype=np.float32)}
    written.save_file(vectors_of_tokens, folder / "model.safetensors")
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"normalize": True, "hidden_dim": DIMENSIONS}))


def _of_tokens(minilm: Path, count: int) -> np.ndarray:
    """The mean of the states of [CLS], the token and [SEP], for each token."""
    from pincite_models.local_model import LocalModel, ModelFolder

    model = LocalModel(ModelFolder(minilm))
    first, last = model.encode("")[0]
    parts: list[np.ndarray] = []
    for start in range(0, count, _BATCH):
        tokens = range(start, min(start + _BATCH, count))
        states, _ = model.run([([first, token, last], [0, 0, 0]) for token in tokens], "last_hidden_state")
        parts.append(states.mean(axis=1))
    return np.concatenate(parts)
