"""Agents for long documents: rag and deepresearch, each a program of ``programs/``."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pincite_harness.agents.crew import STATE
from pincite_harness.agents.options import Number, Option
from pincite_harness.agents.thinker import CONTEXT, EFFORT, PROMPTS, SHOWN, Thinker

_NO_PARTS = {
    "context": Option("what is done where the passages do not fit the model's context", ("whole", "cut:tokens"))
}
_NONE = Number(least=0)


class Rag(Thinker):
    """The chunks nearest to the query, and one call with them."""

    roles = ("embedding",)
    sessions: Sequence[str] = (SHOWN,)
    known_options: ClassVar[Mapping[str, Option]] = {
        "retriever": Option(
            "how chunks are ranked: by vectors of an embedding model (--role-model embedding=…; the default, as "
            "published), by words, or by both",
            ("dense", "bm25", "hybrid"),
        ),
        "queries": Option(
            "one retrieval for the query, or one for each column that the model names", ("query", "columns")
        ),
        "chunk": Option("characters of a chunk, 512 by default"),
        "overlap": Option("characters that chunks share, 100 by default", number=_NONE),
        "k": Option("chunks that are retrieved, 250 by default"),
        "per_document": Option("chunks of one document at most, 50 by default"),
        **CONTEXT,
        **_NO_PARTS,
        **PROMPTS,
        "pictures": Option("whether it is shown the pictures among the task's files, yes by default", ("yes", "no")),
        "effort": EFFORT,
    }


class DeepResearch(Thinker):
    """A loop of search and visit, which says why it ended."""

    sessions: Sequence[str] = (STATE,)
    known_options: ClassVar[Mapping[str, Option]] = {
        "calls": Option("model calls after which it answers with what it has, 60 by default"),
        "tokens": Option("tokens after which it answers with what it has"),
        "repeats": Option("calls of the same words after which it is stopped, 3 by default"),
        "max_output": CONTEXT["max_output"],
        **PROMPTS,
        "effort": EFFORT,
    }
