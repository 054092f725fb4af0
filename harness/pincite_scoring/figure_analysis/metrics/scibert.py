"""SciBERT score: BERTScore's F1 (Zhang et al. 2020) over the token vectors of a SciBERT model in a local folder."""

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from pincite_core.errors import BadInputError
from pincite_scoring.figure_analysis.metrics.measure import Measure

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from pincite_models.local_model import LocalModel

ABSENT = "no SciBERT model is set: set PINCITE_SCIBERT to its folder (ONNX with tokenizer.json)"
_STATES = "last_hidden_state"
_MARKS = 2
"""Tokens that BERT puts around a text: one before, one after."""


@functools.lru_cache(maxsize=4)
def scibert_score(answer: str, gold: str, setting: Path | None) -> Measure:
    """The F1 of token vectors of the model's last layer, each matched with the nearest of the other text.

    Marks of the text's beginning and end may be matched with but do not count, as in BERTScore without weights. Not
    computed without a model's folder; a text with no token of its own has 0.
    """
    if setting is None:
        return Measure(None, reason=ABSENT)
    model, name = _load(setting)
    mine, theirs = _vectors(model, answer), _vectors(model, gold)
    if len(mine) <= _MARKS or len(theirs) <= _MARKS:
        return Measure(0.0, name)
    return Measure(greedy_f1(mine, theirs), name)


def greedy_f1(answer: "npt.NDArray[np.float32]", gold: "npt.NDArray[np.float32]") -> float:
    """The harmonic mean of precision and recall of unit vectors, shape (tokens, dimension), the first and last of
    each text being marks; 0 where neither is positive."""
    likeness = answer @ gold.T
    precision = float(likeness[1:-1].max(axis=1).mean())
    recall = float(likeness[:, 1:-1].max(axis=0).mean())
    if precision + recall <= 0:
        return 0.0
    return round(2 * precision * recall / (precision + recall), 6)


@functools.cache
def _load(folder: Path) -> "tuple[LocalModel, str]":
    from pincite_models.local_model import LocalModel, ModelFolder

    place = ModelFolder(folder)
    lower = bool(place.configuration("tokenizer_config.json").get("do_lower_case"))
    model = LocalModel(place, lower=lower)
    if _STATES not in model.outputs:
        raise BadInputError(
            f"The model in {folder} gives no token vectors.",
            seen=", ".join(model.outputs),
            next=f"Give a model with the output {_STATES}.",
        )
    return model, place.name()


def _vectors(model: "LocalModel", text: str) -> "npt.NDArray[np.float32]":
    """Unit vectors of a text's tokens, float32 of shape (tokens, dimension)."""
    import numpy as np

    states, mask = model.run([model.encode(text)], _STATES)
    own = states[0][mask[0] > 0]
    return own / np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1e-12)
