"""A cross-encoder in ONNX in a local folder (extra ``library``)."""

from collections.abc import Sequence
from pathlib import Path

import anyio.to_thread

from pincite_core.errors import BadInputError, UnavailableError
from pincite_core.settings import Settings
from pincite_models.local_model import LocalModel, ModelFolder, Once

_LOGITS = "logits"


class LocalReranker:
    """Reads query and passage together and scores the pair; see ``Reranker``."""

    def __init__(self, folder: Path, *, seconds: float) -> None:
        self._folder = ModelFolder(folder)
        self._folder.file()
        self._model = Once(self._folder)
        self._seconds = seconds

    @classmethod
    def of(cls, settings: Settings, place: str) -> "LocalReranker":
        """The model in the folder ``place``; BadInputError where there is none."""
        return cls(Path(place).expanduser(), seconds=settings.rerank_seconds)

    @property
    def name(self) -> str:
        """The folder's name."""
        return f"local:{self._folder.path.name}"

    async def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        """See ``Reranker``: the logit of one output, the difference of two."""
        try:
            with anyio.fail_after(self._seconds):
                return await anyio.to_thread.run_sync(self._scores, query, list(passages), abandon_on_cancel=True)
        except TimeoutError:
            raise UnavailableError(
                f"The reranker {self.name} did not end in time.",
                seen=f"the limit is {self._seconds:g} s",
                next="Raise PINCITE_RERANK_SECONDS, or give a smaller model.",
            ) from None

    def _scores(self, query: str, passages: list[str]) -> list[float]:
        model: LocalModel = self._model.get()
        encoded = [model.encode(query, passage) for passage in passages]
        output = _LOGITS if _LOGITS in model.outputs else model.outputs[0]
        scores = [0.0] * len(passages)
        for places in model.batches(encoded):
            logits, _ = model.run([encoded[place] for place in places], output)
            if logits.ndim != 2 or logits.shape[1] not in (1, 2):
                raise BadInputError(
                    f"The model in {self._folder.path} is not a cross-encoder of one score.",
                    seen=f"its output has the shape {logits.shape}",
                    next="Give a model with one logit (or two, the second for relevance).",
                )
            values = logits[:, -1] - logits[:, 0] if logits.shape[1] == 2 else logits[:, 0]
            for place, value in zip(places, values.tolist(), strict=True):
                scores[place] = float(value)
        return scores
