"""Works chosen from a list in the question by their DOIs: which ones an answer takes, and which it leaves out."""

import re
from collections.abc import Sequence
from typing import Literal

from pincite_scoring.literature_qa.prose import tidy

Standing = Literal["taken", "left out", "unsure", ""]

_DOI = re.compile(r"\b10\.\d{4,9}/[^\s,;|\[\]\"<>]+")
_LEAVING_OUT = re.compile(
    r"❌|✗|✘|\bno\b|\bnot\b|\bin(?:appropriate|eligible)\b|\birrelevant\b|\bunsuitable\b|\bexclu(?:de|ded|sion)\b|"
    r"\breject(?:ed)?\b|\brather than\b|\bdoes(?:n't|n’t)\b|\bisn['’]t\b",
    re.IGNORECASE,
)
_WAVERING = re.compile(
    r"⚠|\?|\b(?:less|partial(?:ly)?|possibl[ey]|potential(?:ly)?|borderline|limited|likely|unlikely|may|might|could|"
    r"maybe|perhaps|uncertain|unclear|however|although|though|while|but|only|indirect(?:ly)?|conditional(?:ly)?|"
    r"supplementary|secondary|background|if|would|cannot|can['’]t|could|moderate(?:ly)?|verif\w+|retract\w*|other|"
    r"remaining|least|lack\w*|protocol|animal|wrong|different|without)\b",
    re.IGNORECASE,
)
_TAKING = re.compile(
    r"✅|✓|✔|\byes\b|\b(?:appropriate|suitable|relevant|include[ds]?|eligible|selected|recommended|best|meets?)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^\s*(?:#|\*\*[^*]+\*\*\W*$)|:\W*$")
_ALL = re.compile(
    r"\ball (?:(?:of )?(?:the|these|those) )?(?:\w+ ){0,2}(?:sources|studies|DOIs|works|papers|articles)(?: \w+){0,3}? "
    r"(?:are|appear|seem|is) (?:\w+ )?(?:appropriate|suitable|relevant)",
    re.IGNORECASE,
)


def dois_of(text: str) -> list[str]:
    """The DOIs of a text in their order, each in one print and without marks behind it."""
    found: dict[str, None] = {}
    for printed in _DOI.findall(text):
        doi = printed.casefold().rstrip(".*:_'’”`")
        found[doi.rstrip(")") if doi.count(")") > doi.count("(") else doi] = None
    return list(found)


def chooses_works(answer: str, golds: Sequence[Sequence[str]], question: str) -> str | None:
    """The outcome where the question lists works to choose from: incorrect where the answer takes one that is not the
    gold's, or leaves one of the gold's out in so many words; correct where it takes the gold's and leaves out every
    other; None for the rest."""
    offered = set(dois_of(question))
    wanted = [{doi.casefold() for doi in gold} for gold in golds]
    if not offered or not all(gold <= offered for gold in wanted):
        return None
    standings = standings_of(answer, offered)
    taken = {doi for doi, found in standings.items() if found == {"taken"}}
    left = {doi for doi, found in standings.items() if found == {"left out"}}
    if all(taken - gold or left & gold for gold in wanted):
        return "incorrect"
    if _ALL.search(tidy(answer)) and not left and offered not in wanted:
        return "incorrect"
    return "correct" if any(taken == gold and left == offered - gold for gold in wanted) else None


def standings_of(answer: str, offered: set[str]) -> dict[str, set[Standing]]:
    """How each offered work that the answer names stands in it, in every place where it is named: by the words of its
    own lines, and by the heading above where these do not say."""
    found: dict[str, set[Standing]] = {}
    heading: Standing = ""
    named: list[str] = []
    own: list[str] = []
    for line in [*tidy_lines(answer), "#"]:
        here = [doi for doi in dois_of(line) if doi in offered]
        is_heading = not here and _HEADING.search(line) is not None
        if named and (here or is_heading):
            _note(found, named, _standing(own), heading)
            named, own = [], []
        if here:
            named, own = here, [_DOI.sub(" ", line)]
        elif named:
            own.append(line)
        if is_heading and (of_heading := _of_heading(line)):
            heading = of_heading
    return found


def tidy_lines(answer: str) -> list[str]:
    """The lines of an answer that say something; the rule of a table says nothing."""
    return [line for line in answer.splitlines() if re.search(r"\w", line)]


def _note(found: dict[str, set[Standing]], named: Sequence[str], own: Standing, heading: Standing) -> None:
    standing = heading if own == "unsure" and heading in ("taken", "left out") else own or heading or "unsure"
    for doi in named:
        found.setdefault(doi, set()).add(standing)


def _of_heading(line: str) -> Standing:
    bare = re.sub(r"[*#]", "", line)
    if _LEAVING_OUT.search(bare):
        return "left out"
    if _WAVERING.search(bare):
        return "unsure"
    return "taken" if _TAKING.search(bare) else ""


def _standing(own: Sequence[str]) -> Standing:
    """By the lines of one work: what they say in one way only; "" where they do not say."""
    text = "\n".join(own)
    verdicts: set[Standing] = {_standing_of(verdict[0]) for verdict in _VERDICT.finditer(text)}
    if len(verdicts) == 1:
        return verdicts.pop()
    takes, leaves = _TAKING.search(text), _LEAVING_OUT.search(text)
    if leaves and takes:
        return "unsure"
    if leaves:
        return "left out" if _VERDICT_OUT.search(text) else "unsure"
    if _WAVERING.search(text):
        return "unsure"
    return "taken" if takes else ""


def _standing_of(verdict: str) -> Standing:
    if _VERDICT_OUT.search(verdict):
        return "left out"
    return "unsure" if _WAVERING.search(verdict) else "taken"


_VERDICT = re.compile(
    r"[✅✓✔❌✗✘⚠]|\*\*\W*(?:(?:not|in|highly|most|directly|potentially|partially|less|likely|possibly|borderline|"
    r"marginally|conditionally|limited) ?)?(?:appropriate|suitable|relevant|include[ds]?|exclude[ds]?|yes|no)\W*\*\*",
    re.IGNORECASE,
)
"""A sign or a word in bold by which a work is taken or left out."""
_VERDICT_OUT = re.compile(
    r"❌|✗|✘|\bnot (?:\w+ )?(?:appropriate|suitable|relevant|eligible|applicable)\b|\binappropriate\b|\birrelevant\b|"
    r"\bexclude[ds]?\b|(?:^|[|—–:-])\s*\W*no\W*(?:[|.\n]|$)",
    re.IGNORECASE,
)
