"""BuildOptions: the filters and sizes of a build."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from pincite_tasks.files import digest_json

BUILDER = "5"
"""Version of the builder: what another one has made is made again."""


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What the paper does not fix is stated here: the numbers, and that one task has few tables and figures."""

    depth: int = 2
    """Steps of references that the context reaches."""
    least_words: int = 60
    most_words: int = 400
    """Words of a reference analysis."""
    most_floats: int = 3
    """Tables and figures of one task."""
    per_paper: int | None = None
    """Tasks of one paper, the first ones."""
    licences: tuple[str, ...] = ()
    """Papers whose stated licence contains one of these; any licence where empty."""
    across: bool = False
    """Whether the context reaches into other papers of the folder."""

    def digest(self, judge: str, folder: Sequence[str] = ()) -> str:
        """Digest of all that a paper's tasks depend on beside the paper, the judge's name among it; ``folder`` has
        the digests of the files that contexts may reach into."""
        return digest_json([BUILDER, asdict(self), judge, *sorted(folder)])
