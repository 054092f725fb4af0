"""Static vectors: a model of the model2vec format embeds, is fetched once and by consent, and only as pinned."""

import hashlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from typer.testing import CliRunner

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings
from pincite_harness.cli.main import app
from pincite_library.ranking import static_models
from pincite_library.ranking.embedder import open_embedder
from pincite_library.ranking.static_models import ModelFile, StaticModelSource

written: Any = safetensors.numpy
WORDS = ["[UNK]", "superconductor", "superconducting", "gene", "expression", "of", "the"]
VECTORS = [[0, 0, 0.01], [1, 0, 0], [0.9, 0.1, 0], [0, 1, 0], [0, 0.8, 0.2], [0, 0, 0.05], [0, 0, 0.05]]
PAPERS = Path(__file__).parents[3] / "tasks/property_extraction/papers"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model of seven words and three dimensions, as model2vec writes one."""
    folder = tmp_path / "published"
    folder.mkdir()
    tokenizer = Tokenizer(models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    written.save_file({"embeddings": np.array(VECTORS, dtype=np.float32)}, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps({"normalize": False}))
    return folder


def test_vectors_are_unit_and_those_of_like_texts_are_close(model: Path) -> None:
    embedder = open_embedder(Settings(embedder=f"static:{model}"))
    assert embedder is not None
    texts = embedder.embed_texts(["the superconducting", "expression of the gene", ""])
    query = embedder.embed_query("Superconductor")
    assert texts.dtype == query.dtype == np.float32
    assert texts.shape == (3, embedder.space.dimension) == (3, 3)
    assert np.allclose(np.linalg.norm(texts[:2], axis=1), 1)
    assert texts[0] @ query > 0.9 > texts[1] @ query
    assert np.isfinite(texts).all()
    assert embedder.embed_texts([]).shape == (0, 3)
    before = embedder.space.model
    written.save_file({"embeddings": np.array(VECTORS, dtype=np.float32)[::-1].copy()}, model / "model.safetensors")
    other = open_embedder(Settings(embedder=f"static:{model}"))
    assert other is not None
    assert other.space.model != before, "vectors of other weights are refused by the library"


def test_what_is_no_model_is_refused_with_what_to_do(model: Path, tmp_path: Path) -> None:
    (model / "model.safetensors").write_bytes(b"cut off")
    embedder = open_embedder(Settings(embedder=f"static:{model}"))
    assert embedder is not None
    with pytest.raises(BadInputError, match="cannot be loaded"):
        embedder.embed_query("gene")
    for place, says in ((str(tmp_path / "absent"), "give a folder"), ("potion-base-8M", "--get potion-base-8M")):
        with pytest.MonkeyPatch.context() as patch, pytest.raises(BadInputError) as refused:
            patch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
            open_embedder(Settings(embedder=f"static:{place}"))
        assert says.lower() in str(refused.value).lower()


def test_a_named_model_is_fetched_by_consent_once_and_only_as_pinned(
    model: Path, tmp_path: Path, source_servers: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    contents = {name: (model / name).read_bytes() for name in static_models.FILES}
    pins = {name: ModelFile(len(body), hashlib.sha256(body).hexdigest()) for name, body in contents.items()}
    source = StaticModelSource("somebody/tiny", "f" * 40, "MIT", pins)
    monkeypatch.setitem(static_models.STATIC_MODELS, "tiny", source)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PINCITE_LIBRARY_DIR", str(tmp_path / "library"))
    assert _run("library", "add", str(PAPERS / "ybco_oxygen.pdf")).exit_code == 0
    served = dict(contents)

    def answer(asked: Any) -> Any:
        if not asked.path.startswith("/storage/"):  # as the real source sends every large file on
            return source_servers.Given(status=302, headers={"location": f"/storage{asked.path}"})
        return source_servers.Given(served[asked.path.rpartition("/")[2]])

    folder = tmp_path / "data/pincite/models/tiny"
    with source_servers.SourceServer(answer) as server:
        monkeypatch.setenv("PINCITE_SOURCE_URLS", f"huggingface={server.url}")
        refused = _run("library", "embed", "--get", "tiny")
        assert refused.exit_code != 0
        assert "licence MIT" in refused.output
        assert not server.asked
        served["model.safetensors"] = contents["model.safetensors"][:-1] + b"!"
        changed = _run("library", "embed", "--get", "tiny", "--yes")
        assert changed.exit_code != 0
        assert "is not the file that pincite knows" in str(changed.exception)
        assert sorted(path.name for path in folder.iterdir()) == ["config.json", "tokenizer.json"]
        served["model.safetensors"] = contents["model.safetensors"]
        done = _run("library", "embed", "--get", "tiny", "--yes")
        assert done.exit_code == 0, done.output
        assert server.asked[-2].path == f"/{source.path('model.safetensors')}"
        before = len(server.asked)
        assert before == 8, "a file that is there and right is not fetched again"
        assert _run("library", "embed", "--get", "tiny").exit_code == 0
        assert len(server.asked) == before
    monkeypatch.setenv("PINCITE_EMBEDDER", "static:tiny")
    found = json.loads(_run("library", "search", "superconductor", "--json").stdout)
    assert found["notes"] == []
    assert found["found"][0]["dense"]["rank"] >= 1


def test_the_published_models_are_pinned_whole() -> None:
    for name, source in static_models.STATIC_MODELS.items():
        assert set(source.files) == set(static_models.FILES), name
        assert len(source.revision) == 40, name
        assert all(len(file.sha256) == 64 and file.size > 0 for file in source.files.values()), name


def _run(*words: str) -> Any:
    return CliRunner().invoke(app, list(words))
