"""Outcomes as words and as colours."""

_OUTCOMES = {"unmatched": "not in the gold", "not_asked": "not asked for"}
_GOOD = frozenset({"correct", "right", "precedent", "aligned", "computed", "judged", "matched", "verified", "carried"})
_MIDDLE = frozenset(
    {"partial", "unsure", "not_attempted", "undecided", "other_material", "other_source", "similar", "repeated"}
)


def in_words(outcome: str) -> str:
    """An outcome as a reader meets it: ``not_attempted`` is ``not attempted``."""
    return _OUTCOMES.get(outcome, outcome.replace("_", " "))


def kind_of(outcome: str) -> str:
    """The class that colours an outcome: of what is good, so so, nothing, or bad."""
    word = outcome.lower().replace(" ", "_")
    if word in _GOOD:
        return "completed"
    if word in _MIDDLE:
        return "unscored"
    return "unfinished" if word == "unscored" or word.startswith("not_") else "failed"
