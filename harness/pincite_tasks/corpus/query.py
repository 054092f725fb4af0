"""Boolean queries: one reader for the languages of the sources, which differ in their operators and fields.

Operators bind as usual (NOT before AND before OR), and words side by side are all wanted: stated here for arXiv, whose
manual does not say.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite_tasks.corpus.index import FieldWords
from pincite_tasks.corpus.search_words import STOP, split

Fact = Callable[[Any, str, str], bool]
"""Whether a work lies between two values, which are the same where one was given."""


class QueryError(Exception):
    """What a source says of a query that it cannot read."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a query is tested on: a work and its words by field."""

    work: Any
    words: Mapping[str, FieldWords]


Test = Callable[[Subject], bool]


@dataclass(frozen=True, slots=True)
class Query:
    """A query that was read: ``fits`` tells whether a work has what it wants, ``words`` are those it would rank by."""

    fits: Test
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Syntax:
    """A source's language: its fields of words, its fields of facts, its words for operators."""

    usual: Sequence[str]
    """The fields that a word without a field is looked for in."""
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    facts: Mapping[str, Fact] = field(default_factory=dict[str, Fact])
    any_of: Sequence[str] = ("OR",)
    none_of: Sequence[str] = ("NOT",)
    all_of: Sequence[str] = ("AND",)

    def read(self, text: str) -> Query:
        """The query that a text is; QueryError when it is none."""
        reader = _QueryReader(self, list(_tokens(text)))
        try:
            fits = reader.read()
        except RecursionError:
            raise QueryError("the parentheses are nested too deep") from None
        return Query(fits, tuple(reader.words))


_TOKEN = re.compile(
    r'\s*(?:(?P<sign>[()|+]|-(?=[\w("“]))|(?P<field>[A-Za-z_][\w.-]*):(?=\S)|"(?P<phrase>[^"]*)"(?:~(?P<slop>\d{1,2}))?'
    r'|(?P<range>[\[{]\s*(?P<first>[^\s\]}]+)\s+TO\s+(?P<last>[^\s\]}]+)\s*[\]}])|(?P<word>[^\s()"|]+))'
)


def _tokens(text: str) -> Iterator[dict[str, str | None]]:
    at = 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if found is None:
            raise QueryError(f"the query cannot be read from here: {text[at : at + 40].strip()}")
        at = found.end()
        yield found.groupdict()


class _QueryReader:
    def __init__(self, syntax: Syntax, tokens: list[dict[str, str | None]]) -> None:
        self.words: list[str] = []
        self._syntax = syntax
        self._tokens = tokens
        self._at = 0
        self._refused = 0

    def read(self) -> Test:
        if not self._tokens:
            raise QueryError("the query is empty")
        test = self._any("")
        if self._at < len(self._tokens):
            raise QueryError("a parenthesis is closed that was not opened")
        return test

    def _any(self, name: str) -> Test:
        tests = [self._all(name)]
        while self._take(self._syntax.any_of):
            tests.append(self._all(name))
        return tests[0] if len(tests) == 1 else lambda subject: any(test(subject) for test in tests)

    def _all(self, name: str) -> Test:
        if "+" in self._syntax.all_of:
            self._take(("+",))
        tests = [self._one(name)]
        while self._at < len(self._tokens) and not self._is_next((")", *self._syntax.any_of)):
            self._take(self._syntax.all_of)
            tests.append(self._one(name))
        return tests[0] if len(tests) == 1 else lambda subject: all(test(subject) for test in tests)

    def _one(self, name: str) -> Test:
        if self._take(self._syntax.none_of):
            self._refused += 1
            test = self._one(name)
            self._refused -= 1
            return lambda subject: not test(subject)
        if self._at >= len(self._tokens) or self._is_next((")", *self._syntax.any_of, *self._syntax.all_of)):
            raise QueryError("an operator stands where a word should")
        token = self._tokens[self._at]
        self._at += 1
        if token["sign"] == "(":
            test = self._any(name)
            if not self._take((")",)):
                raise QueryError("a parenthesis is not closed")
            return test
        if token["field"]:
            return self._one(self._known(token["field"]))
        return self._test(name, token)

    def _known(self, name: str) -> str:
        known = {each.lower(): each for each in (*self._syntax.fields, *self._syntax.facts)}
        if name.lower() not in known:
            raise QueryError(f"unknown field {name}; fields are: {', '.join(known.values())}")
        return known[name.lower()]

    def _test(self, name: str, token: dict[str, str | None]) -> Test:
        first = token["first"] or token["phrase"] or token["word"] or ""
        if (fact := self._syntax.facts.get(name)) is not None:
            last = token["last"] or first
            return lambda subject: fact(subject.work, first, last)
        if token["range"]:
            raise QueryError(f"a range is for dates and numbers: {token['range']}")
        fields = self._syntax.fields.get(name, self._syntax.usual)
        prefix = token["phrase"] is None and first.endswith("*")
        words = split(first.removesuffix("*") + ("0" if prefix else ""))
        words = [*words[:-1], words[-1].removesuffix("0")] if prefix else words
        telling = [word for word in words if word not in STOP]
        if not telling:
            return lambda _: True
        if not self._refused:
            self.words += telling
        slop = int(token["slop"] or 0)
        wanted = words if token["phrase"] is not None or len(words) > 1 else telling
        return lambda subject: any(subject.words[each].has(wanted, prefix=prefix, slop=slop) for each in fields)

    def _is_next(self, words: Sequence[str]) -> bool:
        if self._at >= len(self._tokens):
            return False
        token = self._tokens[self._at]
        return token["sign"] in words or token["word"] in words

    def _take(self, words: Sequence[str]) -> bool:
        if not self._is_next(words):
            return False
        self._at += 1
        return True
