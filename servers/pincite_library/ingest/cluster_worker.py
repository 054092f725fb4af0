"""What an ingest asks of a node of a Ray cluster: to parse and cut, and to embed. The settings come sealed."""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pincite_core.cluster.sealing import Receiver
from pincite_core.cluster.untyped import own_address, ray
from pincite_core.errors import BadInputError, UnavailableError
from pincite_core.settings import Settings, load_settings
from pincite_library.ingest.cutting import CuttingPool
from pincite_library.ingest.versions import Versions
from pincite_library.ranking.embedder import Embedder, open_embedder
from pincite_papers.opening.pool import Request
from pincite_papers.opening.store import PaperStore

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from pincite_library.model import VectorSpace


@dataclass(frozen=True, slots=True)
class IngestOrder:
    """What the workers of an ingest are sent once. None of it is secret."""

    ingest: str
    made: str
    """``Versions.made`` of the driver: what a node makes must be the same."""
    control: Any
    """Handle of the RunControl that has the settings."""


class Bench:
    """This process as a worker of one ingest: its parsing process and its embedder, started by the first use."""

    def __init__(self, order: IngestOrder) -> None:
        self.order = order
        sealed = ray.get(order.control.variables.remote(_receiver.public))
        sent: Settings = pickle.loads(_receiver.open(sealed))  # noqa: S301 - sealed by the driver for this process
        # Where things are cached is the node's own affair.
        update = {"cache_dir": load_settings().cache_dir, "parse_workers": 1}
        self.settings = sent.model_copy(update=update)
        self.pool = CuttingPool(self.settings)
        made = made_with(self.settings, self.pool)
        if made != order.made:
            raise UnavailableError(
                "A node would read papers otherwise than this machine: its version of pincite or of a library differs.",
                seen=f"{own_address()} has {made}, wanted is {order.made}",
                next="Install the same versions on each node.",
            )

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder of the settings."""
        found = open_embedder(self.settings)
        if found is None:
            raise BadInputError("No embedder is set.", seen=repr(self.settings.embedder))
        return found


_receiver = Receiver()
_bench: Bench | None = None


def _bench_for(order: IngestOrder) -> Bench:
    global _bench  # noqa: PLW0603 - a worker process of Ray serves one ingest, and has no other place for it
    if _bench is None or _bench.order.ingest != order.ingest:
        _bench = Bench(order)
    return _bench


def made_with(settings: Settings, pool: CuttingPool) -> str:
    """What makes chunks in this process (``Versions.made``)."""
    return Versions.of(PaperStore(settings, pool=pool).version, "", settings.library_context).made


def check_node(order: IngestOrder) -> None:
    """UnavailableError where this node would read papers otherwise than the driver."""
    _bench_for(order)


def ask_pool(order: IngestOrder, request: Request) -> Request:
    """The reply of this node's parsing process."""
    return _bench_for(order).pool.ask(lambda _: request)


def embed_texts(order: IngestOrder, texts: Sequence[str]) -> "npt.NDArray[np.float32]":
    """See Embedder."""
    return _bench_for(order).embedder.embed_texts(texts)


def embed_query(order: IngestOrder, query: str) -> "npt.NDArray[np.float32]":
    """See Embedder."""
    return _bench_for(order).embedder.embed_query(query)


def space_of(order: IngestOrder) -> "VectorSpace":
    """The space of the node's embedder."""
    return _bench_for(order).embedder.space
