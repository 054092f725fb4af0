"""Embeddings by a sentence transformer in ONNX in a local folder (extra ``library``)."""

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings
from pincite_library.model import VectorSpace
from pincite_library.ranking.http_embedder import text_version
from pincite_models.local_model import LocalModel, ModelFolder, Once

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_POOLINGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_lasttoken": "last",
}
_POOLED = "sentence_embedding"
_TOKENS = "last_hidden_state"
_KNOWN_MODULES = frozenset(("Transformer", "Pooling", "Normalize"))
_MOST_WORKERS = 4
"""Processes that embed, each with a copy of the model. Set by judgement."""


class LocalEmbedder:
    """One model in a folder; see ``Embedder``. Its vectors are made unit whether its own modules say so or not."""

    def __init__(
        self, folder: Path, *, text_prefix: str = "", query_prefix: str = "", workers: int | None = None
    ) -> None:
        self._folder = ModelFolder(folder)
        prompts: dict[str, Any] = self._folder.configuration("config_sentence_transformers.json").get("prompts") or {}
        self._text_prefix = text_prefix or str(prompts.get("document") or prompts.get("passage") or "")
        self._query_prefix = query_prefix or str(prompts.get("query") or "")
        self._pooling = _pooling(self._folder)
        lower = bool(self._folder.configuration("sentence_bert_config.json").get("do_lower_case"))
        self._model = Once(self._folder, lower=lower)
        self._workers = workers or min(os.cpu_count() or 1, _MOST_WORKERS)
        self._space: VectorSpace | None = None
        self._lock = threading.Lock()

    @classmethod
    def of(cls, settings: Settings, place: str) -> "LocalEmbedder":
        """The model in the folder ``place``; BadInputError where there is none that can be used."""
        made = cls(
            Path(place).expanduser(),
            text_prefix=settings.embedding_text_prefix,
            query_prefix=settings.embedding_query_prefix,
        )
        made._folder.file()
        return made

    @property
    def space(self) -> VectorSpace:
        """Reads the model's file, once, for its digest: another model of the same name is another space."""
        with self._lock:
            if self._space is None:
                dimension = int(self._embed(self._model.get(), ["length"]).shape[1])
                self._space = VectorSpace(self._folder.name(), dimension, text_version(self._text_prefix))
            return self._space

    def embed_texts(self, texts: Sequence[str]) -> "npt.NDArray[np.float32]":
        """See ``Embedder``; batches run side by side, each in one thread."""
        import numpy as np

        if not texts:
            return np.empty((0, self.space.dimension), dtype=np.float32)
        return self._embed(self._model.get(), [self._text_prefix + text for text in texts])

    def embed_query(self, query: str) -> "npt.NDArray[np.float32]":
        """See ``Embedder``."""
        return self._embed(self._model.get(), [self._query_prefix + query])[0]

    def _embed(self, model: LocalModel, texts: list[str]) -> "npt.NDArray[np.float32]":
        import numpy as np

        encoded = [model.encode(text) for text in texts]
        batches = model.batches(encoded)

        def made(places: list[int]) -> "npt.NDArray[np.float32]":
            return self._vectors(model, [encoded[place] for place in places])

        if len(batches) == 1:
            parts = [made(batches[0])]
        else:
            with ThreadPoolExecutor(min(self._workers, len(batches))) as pool:
                # The longest first, so that no thread starts on one when the others are done.
                parts = list(pool.map(made, reversed(batches)))[::-1]
        matrix = np.empty((len(texts), parts[0].shape[1]), dtype=np.float32)
        for places, part in zip(batches, parts, strict=True):
            matrix[places] = part
        return matrix

    def _vectors(self, model: LocalModel, encoded: list[tuple[list[int], list[int]]]) -> "npt.NDArray[np.float32]":
        import numpy as np

        if _POOLED in model.outputs:
            pooled, _ = model.run(encoded, _POOLED)
        else:
            output = _TOKENS if _TOKENS in model.outputs else model.outputs[0]
            states, mask = model.run(encoded, output)
            pooled = states if states.ndim == 2 else _pool(states, mask, self._pooling)
        lengths = np.linalg.norm(pooled, axis=1, keepdims=True)
        return (pooled / np.maximum(lengths, 1e-12)).astype(np.float32)


def _pool(states: "npt.NDArray[np.float32]", mask: "npt.NDArray[np.int64]", pooling: str) -> "npt.NDArray[np.float32]":
    """One vector a text out of those of its tokens, shape (n, tokens, dimension)."""
    import numpy as np

    if pooling == "cls":
        return states[:, 0]
    if pooling == "last":
        return states[np.arange(len(states)), mask.sum(axis=1) - 1]
    kept = mask[:, :, None].astype(np.float32)
    if pooling == "max":
        return np.where(kept > 0, states, np.float32(-1e9)).max(axis=1)
    return (states * kept).sum(axis=1) / np.maximum(kept.sum(axis=1), 1e-9)


def _pooling(folder: ModelFolder) -> str:
    """How the model pools; "mean" where it does not say. BadInputError for what would not give the model's vectors."""
    modules: list[dict[str, Any]] = folder.configuration("modules.json").get("modules") or []
    unknown = [str(one.get("type")) for one in modules if str(one.get("type")).rpartition(".")[2] not in _KNOWN_MODULES]
    wanted = [key for key, on in folder.configuration("1_Pooling/config.json").items() if on is True]
    modes = [key for key in wanted if key.startswith("pooling_mode")]
    unknown += [mode for mode in modes if mode not in _POOLINGS]
    if unknown or len(modes) > 1:
        raise BadInputError(
            f"The model in {folder.path} has steps that cannot be done here.",
            seen=", ".join(unknown or modes),
            next="Give a model of a transformer with one pooling (cls, mean, max, last token), or an API.",
        )
    return _POOLINGS[modes[0]] if modes else "mean"
