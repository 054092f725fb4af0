"""An answer to a question: its words, and what it cites."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from pincite_scoring.literature_qa.choices import UNSURE
from pincite_scoring.literature_qa.prose import declines
from pincite_scoring.literature_qa.word_answers import normal

_NO_WORDS = frozenset(map(normal, (UNSURE, "no answer", "none given", "null", "not applicable"))) | {""}
"""Answers that decline beside those that do so in a sentence (``prose.declines``)."""


@dataclass(frozen=True, slots=True)
class Cited:
    """One source that the answer names."""

    paper: str = ""
    doi: str = ""
    title: str = ""
    page: int | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class QuestionReply:
    """``value`` is a text or a list of texts; None where there is no answer."""

    value: str | list[str] | None
    cited: tuple[Cited, ...] = ()

    @property
    def words(self) -> str:
        """The answer as one text."""
        return "; ".join(self.value) if isinstance(self.value, list) else self.value or ""

    @property
    def declined(self) -> bool:
        """Whether it answers nothing, or says that it cannot."""
        if not self.value:
            return True
        return isinstance(self.value, str) and (normal(self.value) in _NO_WORDS or declines(self.value))


def read_reply(answer: Any) -> QuestionReply | str:
    """The reply that a parsed answer is; a text says why it is none. No answer (None) is a reply without value."""
    if answer is None:
        return QuestionReply(None)
    if not isinstance(answer, Mapping) or "answer" not in answer:
        return "the answer is not an object with an answer in it"
    given = cast("Mapping[str, Any]", answer)
    sources: Any = given.get("sources") or []
    if not isinstance(sources, list) or not all(isinstance(each, Mapping) for each in cast("list[Any]", sources)):
        return "sources is not a list of objects"
    cited = tuple(map(_cited, cast("list[Mapping[str, Any]]", sources)))
    value = given["answer"]
    if isinstance(value, list):
        return QuestionReply([_text(item) for item in cast("list[Any]", value)], cited)
    return QuestionReply(None if value is None else _text(value), cited)


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else str(value)


def _cited(source: Mapping[str, Any]) -> Cited:
    page = source.get("page")
    paper, doi, title, quote = (str(source.get(name) or "") for name in ("paper", "doi", "title", "quote"))
    number = page if isinstance(page, int) and not isinstance(page, bool) else None
    return Cited(paper, doi, title, number, quote)
