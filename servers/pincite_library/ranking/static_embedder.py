"""Embeddings by a static model: a vector for each token, averaged (extra ``static``; numpy, no network, no ONNX)."""

import hashlib
import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite_core.errors import BadInputError, MissingExtraError
from pincite_core.settings import Settings
from pincite_library.model import VectorSpace
from pincite_library.ranking.http_embedder import text_version
from pincite_library.ranking.static_models import FILES, STATIC_MODELS, folder_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class StaticEmbedder:
    """A model2vec model in a folder; see ``Embedder``. The folder is read at the first use."""

    def __init__(self, folder: Path, *, text_prefix: str = "", query_prefix: str = "") -> None:
        self._folder = folder
        self._text_prefix = text_prefix
        self._query_prefix = query_prefix
        self._loaded: Any = None
        self._space: VectorSpace | None = None
        self._lock = threading.Lock()

    @classmethod
    def of(cls, settings: Settings, place: str) -> "StaticEmbedder":
        """The model of a name in ``STATIC_MODELS`` or in the folder ``place``; BadInputError where it is missing."""
        named = place in STATIC_MODELS
        folder = folder_of(place) if named else Path(place).expanduser()
        absent = [name for name in FILES if not (folder / name).is_file()]
        if absent:
            fetch = f"Fetch it with `pincite library embed --get {place}`."
            known = ", ".join(STATIC_MODELS)
            give = f"Give a folder with {', '.join(FILES)}, or a name: {known}."
            raise BadInputError(
                f"The static model {place} is incomplete." if folder.is_dir() else f"There is no static model {place}.",
                seen=f"{folder} lacks {', '.join(absent)}",
                next=fetch if named else give,
            )
        return cls(folder, text_prefix=settings.embedding_text_prefix, query_prefix=settings.embedding_query_prefix)

    @property
    def space(self) -> VectorSpace:
        """Reads the model's files, once, for their digest: another model of the same name is another space."""
        model = self._model()
        with self._lock:
            if self._space is None:
                name = f"static:{self._folder.name}@{_digest(self._folder)}"
                self._space = VectorSpace(name, int(model.dim), text_version(self._text_prefix))
            return self._space

    def embed_texts(self, texts: Sequence[str]) -> "npt.NDArray[np.float32]":
        """See ``Embedder``."""
        return self._embed([self._text_prefix + text for text in texts])

    def embed_query(self, query: str) -> "npt.NDArray[np.float32]":
        """See ``Embedder``."""
        return self._embed([self._query_prefix + query])[0]

    def _embed(self, texts: list[str]) -> "npt.NDArray[np.float32]":
        import numpy as np

        model = self._model()
        if not texts:
            return np.empty((0, int(model.dim)), dtype=np.float32)
        made = model.encode(texts, normalize=True, use_multiprocessing=False)
        return np.asarray(made, dtype=np.float32)

    def _model(self) -> Any:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self._folder)
            return self._loaded


def check_installed() -> None:
    """MissingExtraError where model2vec is not installed; nothing is loaded."""
    if importlib.util.find_spec("model2vec") is None:
        raise MissingExtraError.of("static", needed_for="A static embedding model")


def _load(folder: Path) -> Any:
    check_installed()
    from model2vec import StaticModel

    try:
        return StaticModel.from_pretrained(str(folder.resolve(strict=True)))
    except Exception as error:  # noqa: BLE001 - safetensors and tokenizers raise bare Exceptions of their own
        raise BadInputError(
            f"The static model in {folder} cannot be loaded.",
            seen=str(error)[:300],
            next="Fetch it again with `pincite library embed --get NAME`, or give another folder.",
        ) from None


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for name in FILES:
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()[:16]
