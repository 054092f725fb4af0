"""Choosing: which candidates are labelled and in which order: a sample, or the doubtful ones first."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_harness.labels.candidates import Candidate
from pincite_harness.labels.queue import id_of
from pincite_tasks.files import digest_json
from pincite_tasks.plural import plural


@dataclass(frozen=True, slots=True)
class Chosen:
    """A candidate of the queue, with its id. ``doubt`` is the sum of what speaks against it, each part from 0 to 1,
    and ``why`` says it in words."""

    id: str
    candidate: Candidate
    doubt: float
    why: tuple[str, ...]


def choose(candidates: Sequence[Candidate], count: int, seed: int, *, doubtful: bool) -> list[Chosen]:
    """``count`` different subjects: by chance, which ``seed`` fixes whatever else is among them, or with ``doubtful``
    those first that most speaks against; what says the same of the same task is labelled once."""
    attempts: dict[tuple[str, str], set[tuple[str, str]]] = {}
    holders: dict[tuple[str, str, str], set[tuple[str, str]]] = {}
    for each in candidates:
        task = (each.origin["family"], each.origin["task"])
        by = (each.run, each.trial)
        if each.origin.get("side") != "gold":
            attempts.setdefault(task, set()).add(by)
            holders.setdefault((*task, each.same), set()).add(by)
    found: dict[str, Chosen] = {}
    for each in candidates:
        task = (each.origin["family"], each.origin["task"])
        doubt, why = _doubt(each, len(holders.get((*task, each.same), ())), len(attempts.get(task, ())))
        name = id_of(each.subject, *task, str(each.origin.get("side", "")))
        if name not in found or found[name].doubt < doubt:
            found[name] = Chosen(name, each, doubt, tuple(why))
    drawn = sorted(found.values(), key=lambda one: digest_json([seed, one.id]))
    if doubtful:
        drawn.sort(key=lambda one: -one.doubt)
    return drawn[:count]


def _doubt(candidate: Candidate, holding: int, attempts: int) -> tuple[float, list[str]]:
    """Failed checks, attempts that found otherwise, and the confidence that is missing."""
    doubt, why = 0.0, list(candidate.failed)
    if candidate.failed:
        doubt += 1.0
    if candidate.same and attempts > 1 and holding < attempts and candidate.origin.get("side") != "gold":
        doubt += 1 - holding / attempts
        why.append(f"{holding} of {plural(attempts, 'attempt')} found it")
    if candidate.confidence is not None:
        doubt += 1 - candidate.confidence
        why.append(f"confidence {candidate.confidence:.2f}")
    return doubt, why
