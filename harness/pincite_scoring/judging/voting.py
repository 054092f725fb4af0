"""The majority of several votes on each item."""

from collections import Counter
from collections.abc import Sequence

from pincite_scoring.judging.judge import Item, Labels, Rubric


def majority(rubric: Rubric, votes: Sequence[Labels]) -> tuple[Labels, str]:
    """The label with most votes for each item, and what is to be said of ties and of votes that could not be read.

    Of labels that tie, the worst counts (stated here: a doubt is not decided in the answer's favour). A vote without a
    label abstains; an item for which all abstain is None.
    """
    labels: dict[str, str | None] = {}
    said: list[str] = []
    for item in rubric.items:
        cast = [label for vote in votes if (label := vote.get(item.name)) is not None]
        labels[item.name], tie = _most(item, cast)
        if tie:
            said.append(tie)
    silent = sum(all(vote.get(item.name) is None for item in rubric.items) for vote in votes)
    if silent:
        said.append(f"{silent} of {len(votes)} votes could not be read")
    return labels, "; ".join(said)


def _most(item: Item, cast: Sequence[str]) -> tuple[str | None, str]:
    if not cast:
        return None, ""
    counts = Counter(cast)
    most = max(counts.values())
    leading = [label for label in item.labels if counts[label] == most]
    tie = f"{item.name}: {' and '.join(leading)} tie with {most} each, the worst counts" if len(leading) > 1 else ""
    return leading[0], tie
