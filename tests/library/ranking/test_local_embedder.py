"""Embeddings by ONNX models in folders: tiny ones made here, and all-MiniLM-L6-v2 with its real weights."""

import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings
from pincite_library.ranking.embedder import open_embedder
from pincite_library.ranking.local_embedder import LocalEmbedder

TEXTS = [
    "Superconductivity was found at 93 K in YBa2Cu3O6.93.",
    "The gene BRCA1 repairs broken DNA.",
    "A laser of 1064 nm was used. " * 4,
    "",
    "µ",
]


def test_the_graph_gives_what_the_published_architecture_gives(
    minilm: Path, module_at: Callable[[Path], ModuleType]
) -> None:
    weights = module_at(Path(__file__).parents[1] / "minilm.py").read_weights(minilm / "model.safetensors")
    embedder = LocalEmbedder(minilm)
    matrix = embedder.embed_texts(TEXTS)
    assert matrix.shape == (5, 384)
    assert np.allclose(np.linalg.norm(matrix, axis=1), 1, atol=1e-5)
    model = embedder._model.get()
    for text, vector in zip(TEXTS, matrix, strict=True):
        ids, _ = model.encode(text)
        assert float(vector @ _forward(weights, ids)) > 0.99999


def test_long_texts_are_cut_at_what_the_model_was_made_for(minilm: Path) -> None:
    model = LocalEmbedder(minilm)._model.get()
    assert model.longest == 256
    assert len(model.encode("laser " * 5_000)[0]) == 256
    assert len(model.encode("laser " * 5_000, "gene " * 5_000)[0]) == 256


def _forward(weights: dict[str, np.ndarray], ids: list[int]) -> np.ndarray:
    """BERT by numpy in float64 for one text: mean of the last states, of length 1 (Devlin et al. 2018, section 3)."""

    def dense(states: np.ndarray, name: str) -> np.ndarray:
        return states @ weights[f"{name}.weight"].astype(np.float64).T + weights[f"{name}.bias"]

    def normal(states: np.ndarray, name: str) -> np.ndarray:
        centred = states - states.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    states = weights["embeddings.word_embeddings.weight"][ids].astype(np.float64)
    states = states + weights["embeddings.position_embeddings.weight"][: len(ids)]
    states = normal(states + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for number in range(6):
        name = f"encoder.layer.{number}"
        query, key, value = (dense(states, f"{name}.attention.self.{one}") for one in ("query", "key", "value"))
        mixed = np.empty_like(states)
        for head in range(12):
            part = slice(32 * head, 32 * head + 32)
            scores = query[:, part] @ key[:, part].T / math.sqrt(32)
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            mixed[:, part] = shares / shares.sum(axis=1, keepdims=True) @ value[:, part]
        inside = dense(mixed, f"{name}.attention.output.dense")
        states = normal(states + inside, f"{name}.attention.output.LayerNorm")
        inner = dense(states, f"{name}.intermediate.dense")
        active = inner * 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
        states = normal(states + dense(active, f"{name}.output.dense"), f"{name}.output.LayerNorm")
    mean = states.mean(axis=0)
    return mean / np.linalg.norm(mean)


def test_meaning_is_near_meaning(minilm: Path) -> None:
    embedder = LocalEmbedder(minilm)
    cat, kitten, metal = embedder.embed_texts(
        ["A cat sits on the mat.", "The kitten rests on a rug.", "A metal melts."]
    )
    assert cat @ kitten > 0.5 > cat @ metal
    assert embedder.embed_query("A cat sits on the mat.") @ cat > 0.9999
    assert embedder.space.model.startswith("onnx:MiniLM-L6-H384-uncased@")
    assert embedder.space.dimension == 384


def test_the_space_is_named_by_what_the_vectors_come_from(small_model: Callable[..., Path], tmp_path: Path) -> None:
    one = small_model(tmp_path / "a")
    space = LocalEmbedder(one).space
    assert space.dimension == 4
    moved = tmp_path / "elsewhere"
    shutil.copytree(one, moved)
    assert LocalEmbedder(moved).space == space
    assert LocalEmbedder(small_model(tmp_path / "b", seed=2)).space != space
    assert LocalEmbedder(small_model(tmp_path / "c", most=8)).space != space
    assert LocalEmbedder(one, text_prefix="passage: ").space != space
    assert LocalEmbedder(one, query_prefix="query: ").space == space


def test_vectors_do_not_depend_on_what_stands_beside(small_model: Callable[..., Path], tmp_path: Path) -> None:
    embedder = LocalEmbedder(small_model(tmp_path), workers=3)
    texts = ["gene " * (n % 7) + "laser" for n in range(70)]
    together = embedder.embed_texts(texts)
    for text, vector in zip(texts[:9], together[:9], strict=True):
        assert np.allclose(embedder.embed_texts([text])[0], vector, atol=1e-6)
    assert embedder.embed_texts([]).shape == (0, 4)


@pytest.mark.parametrize("mode", ["cls_token", "mean_tokens", "max_tokens", "lasttoken"])
def test_pooling_is_that_of_the_model(small_model: Callable[..., Path], tmp_path: Path, mode: str) -> None:
    import onnx

    pooling = {"1_Pooling__config": {f"pooling_mode_{mode}": True, "include_prompt": True}}
    embedder = LocalEmbedder(small_model(tmp_path, **pooling))
    weights = onnx.numpy_helper.to_array(onnx.load(tmp_path / "model.onnx").graph.initializer[0])
    states = weights[[2, 5, 6, 3]]  # [CLS] gene laser [SEP]
    wanted = {
        "cls_token": states[0],
        "mean_tokens": states.mean(axis=0),
        "max_tokens": states.max(axis=0),
        "lasttoken": states[-1],
    }[mode]
    vectors = embedder.embed_texts(["gene laser", "gene laser gene gene of"])
    assert np.allclose(vectors[0], wanted / np.linalg.norm(wanted), atol=1e-5)


def test_prompts_of_the_model_are_used_unless_others_are_set(small_model: Callable[..., Path], tmp_path: Path) -> None:
    prompts = {"config_sentence_transformers": {"prompts": {"query": "gene ", "document": "laser "}}}
    prompted, plain = LocalEmbedder(small_model(tmp_path / "a", **prompts)), LocalEmbedder(small_model(tmp_path / "b"))
    assert np.allclose(prompted.embed_query("tc"), plain.embed_query("gene tc"), atol=1e-6)
    assert np.allclose(prompted.embed_texts(["tc"]), plain.embed_texts(["laser tc"]), atol=1e-6)
    other = LocalEmbedder(tmp_path / "a", query_prefix="the ")
    assert np.allclose(other.embed_query("tc"), plain.embed_query("the tc"), atol=1e-6)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"modules": [{"type": "sentence_transformers.models.Dense"}]}, "Dense"),
        ({"1_Pooling__config": {"pooling_mode_weightedmean_tokens": True}}, "weightedmean"),
        ({"1_Pooling__config": {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}}, "cls"),
    ],
)
def test_steps_that_cannot_be_done_are_refused(
    small_model: Callable[..., Path], tmp_path: Path, files: dict[str, Any], words: str
) -> None:
    with pytest.raises(BadInputError) as refused:
        open_embedder(Settings(embedder=f"local:{small_model(tmp_path, **files)}"))
    assert words in refused.value.seen


def test_damaged_models_are_refused(small_model: Callable[..., Path], tmp_path: Path) -> None:
    folder = small_model(tmp_path)
    content = (folder / "model.onnx").read_bytes()
    (folder / "model.onnx").write_bytes(content[: len(content) // 2])
    with pytest.raises(BadInputError, match="cannot be loaded"):
        LocalEmbedder(folder).embed_query("gene")
    (folder / "model.onnx").write_bytes(content)
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(BadInputError, match="cannot be loaded"):
        LocalEmbedder(folder).embed_query("gene")
    (folder / "config.json").write_text("{")
    with pytest.raises(BadInputError, match="cannot be read as JSON"):
        _ = LocalEmbedder(folder).space


def test_a_tokenizer_that_knows_more_words_than_the_model_is_an_error_that_says_so(
    small_model: Callable[..., Path], tmp_path: Path
) -> None:
    folder = small_model(tmp_path)
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["model"]["vocab"]["graphene"] = 5_000
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(BadInputError, match="cannot be run"):
        LocalEmbedder(folder).embed_query("graphene")
