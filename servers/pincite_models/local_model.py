"""A transformer in ONNX with its tokenizer, run by onnxruntime in this process (extra ``library``)."""

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import orjson

from pincite_core.errors import BadInputError, MissingExtraError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_MODELS = ("model.onnx", "onnx/model.onnx")
_INPUTS = frozenset(("input_ids", "attention_mask", "token_type_ids"))
_ABSENT_LIMIT = 512
"""Tokens that a model takes where its files do not say: BERT's and its descendants'."""
_NO_LIMIT = 1_000_000
"""Limits above are placeholders (tokenizers write 10^30 for "none")."""
_CHARS_A_TOKEN = 16
"""Characters a token at most, so that a long text is cut before it is split. Set by judgement."""
_BATCH, _BATCH_TOKENS = 16, 4096
"""Texts, and tokens with padding, that go through the model at once. Set by judgement."""
_READ = 1 << 20
"""Bytes of a file that are hashed at once."""

Encoded = tuple[list[int], list[int]]
"""Token ids and their types (0 for the first text of a pair, 1 for the second)."""


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder with ``model.onnx`` (or ``onnx/model.onnx``), ``tokenizer.json`` and the usual configurations."""

    path: Path

    def file(self) -> Path:
        """The model's file; BadInputError where there is none, or no tokenizer."""
        for name in _MODELS:
            if (self.path / name).is_file() and (self.path / "tokenizer.json").is_file():
                return self.path / name
        raise BadInputError(
            f"{self.path} holds no model.",
            next="Give a folder with model.onnx (or onnx/model.onnx) and tokenizer.json.",
        )

    def configuration(self, name: str) -> dict[str, Any]:
        """A JSON file of the folder; empty where it is absent."""
        path = self.path / name
        try:
            content = orjson.loads(path.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError):
            raise BadInputError(f"{path} cannot be read as JSON.", next="Download the model again.") from None
        return cast("dict[str, Any]", content) if isinstance(content, dict) else {"modules": content}

    def longest(self) -> int:
        """The most tokens that the model was made for."""
        named = (
            self.configuration("sentence_bert_config.json").get("max_seq_length"),
            self.configuration("tokenizer_config.json").get("model_max_length"),
            self.configuration("config.json").get("max_position_embeddings"),
        )
        return min((int(most) for most in named if most and 0 < most < _NO_LIMIT), default=_ABSENT_LIMIT)

    def name(self) -> str:
        """The name that the model's own configuration gives, with a digest of all that its vectors depend on."""
        digest = hashlib.sha256()
        file = self.file()
        settings = ("sentence_bert_config.json", "tokenizer_config.json", "1_Pooling/config.json")
        parts = [file, *sorted(file.parent.glob("model.onnx[_.]*data*")), self.path / "tokenizer.json"]
        for part in parts + [self.path / name for name in settings if (self.path / name).is_file()]:
            with part.open("rb") as stream:
                while piece := stream.read(_READ):
                    digest.update(piece)
        called = str(self.configuration("config.json").get("_name_or_path") or "model").rstrip("/").rpartition("/")[2]
        return f"onnx:{called}@{digest.hexdigest()[:16]}"


class LocalModel:
    """The model of a folder, loaded once; one thread a run, safe in several threads."""

    def __init__(self, folder: ModelFolder, *, lower: bool = False) -> None:
        file = folder.file()
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError:
            raise MissingExtraError.of("library", needed_for="A local model") from None
        self.longest = folder.longest()
        self._lower = lower
        runtime = cast("Any", onnxruntime)
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session: Any = runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
            self._tokenizer: Any = Tokenizer.from_file(str(folder.path / "tokenizer.json"))
        except Exception as error:  # noqa: BLE001 - both raise bare Exceptions of their own
            raise BadInputError(
                f"The model in {folder.path} cannot be loaded.",
                seen=str(error)[:300],
                next="Download the model again.",
            ) from None
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(self.longest)
        self._inputs = [str(one.name) for one in self._session.get_inputs()]
        self.outputs = [str(one.name) for one in self._session.get_outputs()]
        if not {"input_ids"} <= set(self._inputs) <= _INPUTS:
            raise BadInputError(
                f"The model in {folder.path} takes other inputs than a text encoder.",
                seen=", ".join(self._inputs),
                next=f"Give a model that takes {', '.join(sorted(_INPUTS))}.",
            )

    def encode(self, text: str, second: str | None = None) -> Encoded:
        """A text, or a pair, as tokens, cut at the model's longest."""
        most = _CHARS_A_TOKEN * self.longest
        first = text[:most].lower() if self._lower else text[:most]
        made = self._tokenizer.encode(first) if second is None else self._tokenizer.encode(first, second[:most])
        return made.ids, made.type_ids

    def batches(self, encoded: Sequence[Encoded]) -> list[list[int]]:
        """Places of texts of like length, so that little of a batch is padding."""
        order = sorted(range(len(encoded)), key=lambda place: len(encoded[place][0]))
        made: list[list[int]] = []
        for place in order:
            length = len(encoded[place][0])
            if not made or len(made[-1]) >= _BATCH or (len(made[-1]) + 1) * length > _BATCH_TOKENS:
                made.append([])
            made[-1].append(place)
        return made

    def run(self, encoded: Sequence[Encoded], output: str) -> "tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]":
        """One output of the model for a batch, and the mask of its tokens, int64 of shape (n, longest of the batch)."""
        import numpy as np

        longest = max(len(ids) for ids, _ in encoded)
        ids, types, mask = (np.zeros((len(encoded), longest), dtype=np.int64) for _ in range(3))
        for row, (tokens, kinds) in enumerate(encoded):
            ids[row, : len(tokens)], types[row, : len(tokens)], mask[row, : len(tokens)] = tokens, kinds, 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        try:
            (result,) = self._session.run([output], {name: given[name] for name in self._inputs})
        except Exception as error:  # noqa: BLE001 - as above
            raise BadInputError(
                "The local model cannot be run.", seen=str(error)[:300], next="Download the model again."
            ) from None
        return cast("npt.NDArray[np.float32]", result), mask


class Once:
    """A model that is loaded by the first use."""

    def __init__(self, folder: ModelFolder, *, lower: bool = False) -> None:
        self._folder, self._lower = folder, lower
        self._model: LocalModel | None = None
        self._lock = threading.Lock()

    def get(self) -> LocalModel:
        """The model, loaded if need be."""
        with self._lock:
            if self._model is None:
                self._model = LocalModel(self._folder, lower=self._lower)
            return self._model
