"""Nodes: where an ingest parses, cuts and embeds: processes of this machine, or the nodes of a Ray cluster."""

import pickle
import secrets
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from pincite_core.errors import PinciteError, UnavailableError
from pincite_library.ingest.cutting import CuttingPool
from pincite_library.ranking.embedder import Embedder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from pincite_core.settings import Settings
    from pincite_library.model import VectorSpace
    from pincite_papers.opening.pool import Request

EMBEDDING_THREADS = 2
"""Batches on their way to an embedder of this machine at once."""
_LOOK_SECONDS = 0.2
"""Seconds between looks whether the work was interrupted; set by judgement."""
_LOST_TRIES = 3
"""Times that a paper, or a batch of chunks, is sent again because its node or worker was lost; set by judgement."""


class Nodes(Protocol):
    """What an ingest works with."""

    @property
    def slots(self) -> int:
        """How many papers are read at once."""
        ...

    @property
    def batches(self) -> int:
        """How many batches of chunks are embedded at once."""
        ...

    def pool(self) -> CuttingPool:
        """What parses and cuts, new for each call."""
        ...

    def embedder(self, own: Embedder) -> Embedder:
        """What embeds as ``own``, which is of this machine, would."""
        ...


class LocalNodes:
    """The processes of this machine."""

    batches = EMBEDDING_THREADS

    def __init__(self, settings: "Settings") -> None:
        self._settings = settings
        self.slots = settings.parse_workers

    def pool(self) -> CuttingPool:
        """See Nodes."""
        return CuttingPool(self._settings)

    def embedder(self, own: Embedder) -> Embedder:
        """See Nodes."""
        return own


class ClusterNodes:
    """The nodes of a Ray cluster, one paper, or batch of chunks, for each CPU that they offer. This process finds,
    writes and notes, as always. Close it by ``close``."""

    def __init__(self, settings: "Settings", address: str = "") -> None:
        """Connect to the cluster at ``address``, "" for one of this machine's own. MissingExtraError without Ray,
        UnavailableError where there is no cluster, or a node would read papers otherwise than this machine."""
        from pincite_core.cluster.connection import CPU, connect, disconnect, slot_count

        self._settings = settings
        connect(address, settings.parse_workers, CPU)
        try:
            self.slots = slot_count(CPU)
            self._start()
        except BaseException:
            disconnect()
            raise

    @property
    def batches(self) -> int:
        """See Nodes."""
        return self.slots

    def pool(self) -> CuttingPool:
        """See Nodes."""
        return _ClusterPool(self._settings, self)

    def embedder(self, own: Embedder) -> Embedder:
        """See Nodes."""
        return _ClusterEmbedder(self)

    def close(self) -> None:
        """Leave the cluster; one of this machine's own ends."""
        from pincite_core.cluster.connection import disconnect

        disconnect()

    def call(self, function: Callable[..., Any], *arguments: Any, ended: threading.Event | None = None) -> Any:
        """What a function of ``cluster_worker`` gives on some node. The PinciteError that it raised; UnavailableError
        where its node is lost again and again, or ``ended`` is set meanwhile."""
        from pincite_core.cluster.untyped import RayError, ray

        reference = self._remote(function).remote(self._order, *(ray.put(each) for each in arguments))
        try:
            while not ray.wait([reference], timeout=_LOOK_SECONDS)[0]:
                if ended is not None and ended.is_set():
                    ray.cancel(reference)
                    raise UnavailableError("The work was stopped.", next="Add the same again to go on.")
            return ray.get(reference)
        except RayError as error:
            raise _in_words(error) from error

    def _start(self) -> None:
        from pincite_core.cluster.connection import CPU, nodes, start_control
        from pincite_core.cluster.untyped import RayError, on_node, ray
        from pincite_library.ingest.cluster_worker import IngestOrder, check_node, made_with

        self._control = start_control(pickle.dumps(self._settings))
        made = made_with(self._settings, CuttingPool(self._settings))
        self._order = ray.put(IngestOrder(secrets.token_hex(8), made, self._control))
        task = self._remote(check_node)
        pending = [task.options(scheduling_strategy=on_node(node)).remote(self._order) for node in nodes(CPU)]
        try:
            ray.get(pending)
        except RayError as error:
            raise _in_words(error) from error

    def _remote(self, function: Callable[..., Any]) -> Any:
        from pincite_core.cluster.untyped import ray

        return ray.remote(num_cpus=1, max_retries=_LOST_TRIES, scheduling_strategy="SPREAD")(function)


class _ClusterPool(CuttingPool):
    """A pool whose processes are those of the nodes."""

    def __init__(self, settings: "Settings", nodes: ClusterNodes) -> None:
        super().__init__(settings)
        self._nodes = nodes
        self._ended = threading.Event()

    def ask(self, make: "Callable[[frozenset[str]], Request]", *, held: str = "") -> "Request":
        from pincite_library.ingest.cluster_worker import ask_pool

        return self._nodes.call(ask_pool, make(frozenset()), ended=self._ended)

    def close(self) -> None:
        self._ended.set()
        super().close()


class _ClusterEmbedder:
    """An embedder whose model is on the nodes."""

    def __init__(self, nodes: ClusterNodes) -> None:
        self._nodes = nodes
        self._space: VectorSpace | None = None

    @property
    def space(self) -> "VectorSpace":
        """See Embedder."""
        from pincite_library.ingest.cluster_worker import space_of

        space = self._space or self._nodes.call(space_of)
        self._space = space
        return space

    def embed_texts(self, texts: Sequence[str]) -> "npt.NDArray[np.float32]":
        """See Embedder."""
        from pincite_library.ingest.cluster_worker import embed_texts

        return self._nodes.call(embed_texts, list(texts))

    def embed_query(self, query: str) -> "npt.NDArray[np.float32]":
        """See Embedder."""
        from pincite_library.ingest.cluster_worker import embed_query

        return self._nodes.call(embed_query, query)


def _in_words(error: Exception) -> PinciteError:
    """The error that a node raised, or that none could be used."""
    cause: Any = getattr(error, "cause", None)
    if isinstance(cause, PinciteError):
        return cause
    line = (str(error).strip().splitlines() or [""])[0]
    return UnavailableError(
        "The nodes of the cluster could not do this.",
        seen=f"{type(error).__name__}: {line[:300]}",
        next="ray status says how the cluster is; add the same again to go on.",
    )
