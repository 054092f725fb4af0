"""Papers read and embedded on two nodes of a Ray cluster, into SQLite and into Lance on object storage."""

import hashlib
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.errors import UnavailableError
from pincite_core.settings import Settings
from pincite_library.ingest.outcome import Outcome, Report, State, Watcher
from pincite_library.ingest.pipeline import Ingest
from pincite_library.store.opening import open_store

pytest.importorskip("ray", reason="Ray is not installed: pip install 'pincite[cluster]'")
KEY = f"sk-{secrets.token_hex(24)}"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head that does nothing and two nodes of one CPU, on this machine."""
    from ray.cluster_utils import Cluster

    options: dict[str, Any] = {"include_dashboard": False, "object_store_memory": 128 << 20}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_raylet_start_wait_time_s", "120")
        patch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        made = _started(lambda: Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **options}))
        for _ in range(2):
            _started(lambda: made.add_node(num_cpus=1, **options))
        made.wait_for_nodes()
        yield made
        made.shutdown()


def _started(start: Callable[[], Any]) -> Any:
    """What ``start`` starts: Ray gives it 30 s, which a busy machine may need more of."""
    for _ in range(2):
        try:
            return start()
        except Exception as error:  # noqa: BLE001 - Ray raises nothing more specific
            print(f"not started: {error}")
    return start()


@pytest.fixture
def embedding(settings: Settings, source_servers: ModuleType) -> Iterator[Settings]:
    """The settings with an embedding service on the loopback that wants a key."""

    def answer(asked: Any) -> Any:
        if asked.headers.get("authorization") != f"Bearer {KEY}":
            return source_servers.Given({"error": "who are you"}, status=401)
        digests = [hashlib.sha256(text.encode()).digest()[:8] for text in asked.json()["input"]]
        data = [{"index": place, "embedding": [byte - 127.5 for byte in each]} for place, each in enumerate(digests)]
        return source_servers.Given({"data": data})

    server = source_servers.SourceServer(answer)
    with server:
        chosen = {"embedder": "openai", "embedding_url": server.url, "embedding_model": "digests"}
        yield Settings(**{**settings.model_dump(), **chosen, "embedding_api_key": KEY})


def _add(settings: Settings, folder: Path, address: str = "", watcher: Watcher | None = None) -> Report:
    if not address:
        with Ingest(settings) as ingest:
            return ingest.add([str(folder)], watcher=watcher)
    from pincite_library.ingest.nodes import ClusterNodes

    nodes = ClusterNodes(settings, address)
    try:
        with Ingest(settings, nodes=nodes) as ingest:
            return ingest.add([str(folder)], watcher=watcher)
    finally:
        nodes.close()


def _held(settings: Settings) -> dict[str, Any]:
    """What a library holds: entries, texts, chunks and what is nearest to each."""
    store = open_store(settings)
    try:
        assert store.check() == []
        assert store.counts()["unembedded"] == 0
        found: dict[str, Any] = {"space": store.space(), "vectors": store.counts()["vectors"]}
        for entry in store.papers():
            chunks = [stored.chunk for stored in store.chunks_of(entry.paper_id)]
            found[entry.paper_id] = (entry.title, entry.source, entry.chunker, store.text(entry.paper_id), chunks)
        return found
    finally:
        store.close()


def test_the_cluster_makes_the_library_that_this_machine_makes(
    cluster: Any, embedding: Settings, papers: Path, bucket: str, typeset: Callable[[str], bytes], tmp_path: Path
) -> None:
    (papers / "set.pdf").write_bytes(typeset("= On tin\n#lorem(400)"))
    (papers / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing more")
    here = embedding.model_copy(update={"library_dir": tmp_path / "here", "cache_dir": tmp_path / "cache here"})
    other = {"library_dir": tmp_path / "there", "library_uri": f"{bucket}/ray", "cache_dir": tmp_path / "cache there"}
    there = embedding.model_copy(update=other)
    reports = [_add(here, papers), _add(there, papers, cluster.address)]
    outcomes = [sorted((each.name, each.state, each.code, each.paper_id) for each in one.outcomes) for one in reports]
    assert outcomes[0] == outcomes[1]
    assert [code for _, state, code, _ in outcomes[1] if state is State.FAILED] == ["damaged"]
    assert reports[1].embedding_error is None
    held = _held(here)
    assert len(held) == 2 + 4
    assert _held(there) == held
    again = _add(there, papers, cluster.address)
    assert again.counts[State.UNCHANGED] == 4
    session = Path(cluster.head_node.get_session_dir_path())
    read = [path for path in session.rglob("*") if path.is_file() and not path.is_symlink()]
    assert read
    assert [path for path in read if KEY.encode() in path.read_bytes()] == []


def test_an_interrupted_ingest_goes_on(cluster: Any, settings: Settings, papers: Path) -> None:
    class Impatient(Watcher):
        def ended(self, outcome: Outcome) -> None:
            if outcome.state is State.ADDED:
                raise KeyboardInterrupt

    stopped = _add(settings, papers, cluster.address, Impatient())
    assert stopped.stopped
    done = _add(settings, papers, cluster.address)
    assert not done.stopped
    assert done.counts[State.UNCHANGED] + done.counts[State.ADDED] == 3
    assert done.counts[State.UNCHANGED] >= 1


def test_a_node_that_would_read_otherwise_is_refused(
    cluster: Any, settings: Settings, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite_library.chunks.cut.CHUNKER", "another")
    with pytest.raises(UnavailableError, match="would read papers otherwise"):
        _add(settings, papers, cluster.address)
