"""Shared by the tests of ranking: an API on the loopback that answers by a function, small models, real weights."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest


@dataclass
class Api:
    """A server on the loopback: ``answer`` gets the path and the body and gives what is sent as JSON (or bytes)."""

    answer: Callable[[str, dict[str, Any]], Any]
    statuses: list[int] = field(default_factory=list)
    """Statuses of the next answers; 200 after that."""
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    """Seconds between the bytes of an answer."""
    url: str = ""
    requests: list[tuple[str, dict[str, str], dict[str, Any]]] = field(default_factory=list)


@contextmanager
def serving(api: Api, endpoints: ModuleType) -> Iterator[Api]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            api.requests.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            status = api.statuses.pop(0) if api.statuses else 200
            made = api.answer(self.path, body) if status == 200 else f"failed with {self.headers}".encode()
            content = made if isinstance(made, bytes) else json.dumps(made).encode()
            time.sleep(api.delay)
            try:
                self.send_response(status)
                for name, value in api.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                for at in range(0, len(content), 1 if api.drip else len(content) or 1):
                    time.sleep(api.drip)
                    self.wfile.write(content[at : at + 1] if api.drip else content)
            except ConnectionError:
                pass

        def log_message(self, *_: Any) -> None:
            pass

    with endpoints.listening(Handler) as api.url:
        yield api


@pytest.fixture
def serve(endpoints: ModuleType) -> Iterator[Callable[..., Api]]:
    """A function that starts an ``Api`` and gives it, running until the test ends."""
    running: list[Any] = []

    def start(answer: Callable[[str, dict[str, Any]], Any], **options: Any) -> Api:
        running.append(serving(Api(answer, **options), endpoints))
        return running[-1].__enter__()

    yield start
    for one in running:
        one.__exit__(None, None, None)


@pytest.fixture(scope="session")
def minilm(module_at: Callable[[Path], ModuleType], missing: Callable[[str], None]) -> Path:
    """The folder of all-MiniLM-L6-v2 with its real weights; skipped, and never in CI, where it cannot be fetched."""
    module = module_at(Path(__file__).parents[1] / "minilm.py")
    try:
        return module.model_folder()
    except module.UnavailableModelError as error:
        missing(str(error))
        raise


_WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "superconductor", "gene", "laser", "tc", "brca1", "of", "the"]


@pytest.fixture(scope="session")
def small_model() -> Callable[..., Path]:
    """A function that writes a tiny model into a folder: the vector of a token is that of its number, and no more."""

    def write(folder: Path, *, outputs: int = 0, seed: int = 1, most: int = 16, **files: Any) -> Path:
        _write_tokenizer(folder)
        _write_model(folder / "model.onnx", outputs, seed)
        for name, content in ({"sentence_bert_config": {"max_seq_length": most}} | files).items():
            path = folder / f"{name.replace('__', '/')}.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(content))
        return folder

    return write


def _write_tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer(models.WordLevel({word: n for n, word in enumerate(_WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.enable_padding(length=12)
    tokenizer.save(str(folder / "tokenizer.json"))


def _write_model(path: Path, outputs: int, seed: int) -> None:
    """Token vectors as ``last_hidden_state``, or with ``outputs`` their sum (masked) through a matrix as ``logits``."""
    import onnx
    from onnx import helper, numpy_helper

    rng = np.random.default_rng(seed)
    tensors = [numpy_helper.from_array(rng.normal(size=(len(_WORDS), 4)).astype(np.float32), "words")]
    nodes = [helper.make_node("Gather", ["words", "input_ids"], ["last_hidden_state"])]
    names, made = ["input_ids"], ("last_hidden_state", ["n", "t", 4])
    if outputs:
        tensors.append(numpy_helper.from_array(rng.normal(size=(4, outputs)).astype(np.float32), "head"))
        tensors.append(numpy_helper.from_array(np.array([1], dtype=np.int64), "axis"))
        tensors.append(numpy_helper.from_array(np.array([2], dtype=np.int64), "last"))
        nodes += [
            helper.make_node("Cast", ["attention_mask"], ["real"], to=onnx.TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["real", "last"], ["kept"]),
            helper.make_node("Mul", ["last_hidden_state", "kept"], ["masked"]),
            helper.make_node("ReduceSum", ["masked", "axis"], ["summed"], keepdims=0),
            helper.make_node("MatMul", ["summed", "head"], ["logits"]),
        ]
        names, made = ["input_ids", "attention_mask"], ("logits", ["n", outputs])
    inputs = [helper.make_tensor_value_info(name, onnx.TensorProto.INT64, ["n", "t"]) for name in names]
    output = helper.make_tensor_value_info(made[0], onnx.TensorProto.FLOAT, made[1])
    graph = helper.make_graph(nodes, "small", inputs, [output], tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(path))
