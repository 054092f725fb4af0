"""Term: a query of PubMed, whose fields follow their words in brackets: ``gap[ti] AND "Bethe H"[au]``."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pincite_tasks.corpus.index import ABSTRACT, AUTHORS, SUBJECTS, TITLE, VENUE
from pincite_tasks.corpus.query import QueryError, Subject
from pincite_tasks.corpus.search_words import STOP, split
from pincite_tasks.corpus.work import CorpusWork

_TOKEN = re.compile(
    r'\s*(?:(?P<paren>[()])|(?P<op>AND|OR|NOT)\b|"(?P<phrase>[^"]*)"(?:\[(?P<tag>[^\]]*)\])?|'
    r"(?P<word>[^\s()\"\[]+(?: (?!AND |OR |NOT )[^\s()\"\[]+)*?)(?:\[(?P<tag2>[^\]]*)\])|(?P<bare>[^\s()\"\[]+))"
)
_ANYWHERE = "all"
_WORDS: Mapping[str, Sequence[str]] = {
    "ti": (TITLE,),
    "tiab": (TITLE, ABSTRACT),
    "ta": (VENUE,),
    "mh": (SUBJECTS,),
    "pt": (),
    _ANYWHERE: (TITLE, ABSTRACT, AUTHORS, VENUE, SUBJECTS),
}
"""Tags whose words stand in these fields."""
_FACTS: Mapping[str, Callable[[CorpusWork, str], bool]] = {
    "lid": lambda work, words: work.doi.lower() == words,
    "doi": lambda work, words: work.doi.lower() == words,
    "pmid": lambda work, words: work.pmid == words,
    "uid": lambda work, words: work.pmid == words,
    "aid": lambda work, words: words in (work.doi.lower(), work.pmcid.lower()),
    "sb": lambda work, _: work.open,
    "dp": lambda work, words: work.published.replace("-", "/").startswith(words.replace("-", "/")),
    "au": lambda work, words: any(byline.startswith(words) for byline in _bylines(work)),
}
_PMCID = re.compile(r"pmc\d+")

Fits = Callable[[Subject], bool]


@dataclass(slots=True)
class Term:
    """A query that was read: what it wants, the words that it would rank by, and what PubMed does not know of it."""

    fits: Fits
    words: list[str] = field(default_factory=list[str])
    unknown: list[str] = field(default_factory=list[str])
    """Words that no work has: they are left out."""
    unknown_fields: list[str] = field(default_factory=list[str])

    @classmethod
    def read(cls, text: str, subjects: Sequence[Subject]) -> "Term":
        """The query that a text is for these works; QueryError where it is none."""
        term = cls(lambda _: False)
        reader = _TermReader(text, subjects, term)
        try:
            term.fits = reader.read()
        except RecursionError:
            raise QueryError("Invalid query: it is nested too deep") from None
        return term


class _TermReader:
    def __init__(self, text: str, subjects: Sequence[Subject], term: Term) -> None:
        self._tokens = list(_tokens(text))
        self._subjects = subjects
        self._term = term
        self._at = 0

    def read(self) -> Fits:
        fits = self._any()
        if self._at < len(self._tokens):
            raise QueryError("Invalid query: it cannot be parsed")
        return fits or (lambda _: False)

    def _any(self) -> Fits | None:
        fits = self._one()
        while self._at < len(self._tokens) and self._tokens[self._at]["paren"] != ")":
            operator = self._tokens[self._at]["op"]
            self._at += 1 if operator else 0
            fits = _joined(operator or "AND", fits, self._one())
        return fits

    def _one(self) -> Fits | None:
        if self._at >= len(self._tokens):
            raise QueryError("Invalid query: it ends early")
        token = self._tokens[self._at]
        self._at += 1
        if token["paren"] == "(":
            fits = self._any()
            if self._at >= len(self._tokens):
                raise QueryError("Invalid query: a parenthesis is not closed")
            self._at += 1
            return fits
        if token["paren"] or token["op"]:
            raise QueryError("Invalid query: an operator stands alone")
        words = (token["phrase"] or token["word"] or token["bare"] or "").lower()
        return self._test((token["tag"] or token["tag2"] or _ANYWHERE).lower(), words)

    def _test(self, tag: str, words: str) -> Fits | None:
        """What a word or phrase wants; None where it is left out."""
        if tag not in _WORDS and tag not in _FACTS:
            self._term.unknown_fields.append(tag)
            tag = _ANYWHERE
        if (fact := _FACTS.get(tag)) is not None:
            return lambda subject: fact(subject.work, words)
        if _PMCID.fullmatch(words):
            return lambda subject: subject.work.pmcid.lower() == words
        parted = split(words)
        if tag == _ANYWHERE and parted and set(parted) <= STOP:
            return None

        def fits(subject: Subject) -> bool:
            return bool(parted) and any(subject.words[name].has(parted) for name in _WORDS[tag])

        if tag == _ANYWHERE and not any(fits(subject) for subject in self._subjects):
            self._term.unknown.append(words)
            return None
        self._term.words += parted
        return fits


def _joined(operator: str, left: Fits | None, right: Fits | None) -> Fits | None:
    if left is None or right is None:
        return left or right
    if operator == "AND":
        return lambda subject: left(subject) and right(subject)
    if operator == "OR":
        return lambda subject: left(subject) or right(subject)
    return lambda subject: left(subject) and not right(subject)


def _tokens(text: str) -> Iterator[dict[str, str | None]]:
    at = 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if found is None:
            raise QueryError("Invalid query: it cannot be parsed")
        at = found.end()
        yield found.groupdict()


def _bylines(work: CorpusWork) -> list[str]:
    return [f"{family} {''.join(part[0] for part in given.split())}".lower() for family, given in work.names]
