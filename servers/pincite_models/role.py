"""Role: what a model of the servers is for, with the settings that set it up and the words of its errors."""

from dataclasses import dataclass

from pincite_core.errors import UnavailableError
from pincite_models.trouble import CallError


@dataclass(frozen=True, slots=True)
class Role:
    """What errors call a model, the prefix of its settings (``PINCITE_VISION_URL``), what may be done without it, and
    which settings to check where it turns a question down."""

    title: str
    prefix: str
    without: str
    checked: tuple[str, ...] = ("URL", "MODEL")

    def explain(self, name: str, failure: CallError) -> UnavailableError:
        """The error of a tool for a failed call of the model ``name`` ("(seer at 127.0.0.1)", "at 127.0.0.1")."""
        return UnavailableError(
            f"The {self.title} {name} {failure.how}.",
            seen=failure.seen,
            next=self._advice(failure.status) or self.without,
        )

    def _advice(self, status: int) -> str:
        if status in (401, 403):
            return f"Check {self.prefix}_API_KEY."
        if status in (400, 404, 405, 413, 422):
            names = [f"{self.prefix}_{setting}" for setting in self.checked]
            return f"Check {', '.join(names[:-1])} and {names[-1]}."
        if 300 <= status < 400:
            return f"Set {self.prefix}_URL to where it points: redirects are not followed with a key."
        return ""


VISION = Role(
    "vision model",
    "PINCITE_VISION",
    "Try again later, or look with view_figure, zoom_figure and read_figure_text.",
    ("URL", "MODEL", "DIALECT"),
)
TEXT = Role(
    "text model",
    "PINCITE_TEXT",
    "Try again later, or unset PINCITE_TEXT_MODEL to go on without it.",
    ("URL", "MODEL", "DIALECT"),
)
EMBEDDING = Role("embedding model", "PINCITE_EMBEDDING", "Try again later, or check PINCITE_EMBEDDING_URL.")
RERANK = Role("reranker", "PINCITE_RERANK", "Try again later, or check PINCITE_RERANK_URL.")
