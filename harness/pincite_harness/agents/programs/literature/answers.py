"""Answers: a synthesis in the form of the task's schema, each statement with the source that it stands in."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from .evidence import Evidence
from .outputs import Cited, Measured, Phase, Precedent, Related, Synthesis

MOST_SOURCES = 20
"""Sources that both schemas take at most."""
_MOST_NOTE = 4000
"""Characters of a note."""


class Answers:
    """Makes answers of one task. ``schema`` says which of the two forms it has, and where a note goes."""

    def __init__(self, schema: Mapping[str, Any], nothing: Any, evidence: Mapping[str, Evidence]) -> None:
        self._properties: Mapping[str, Any] = schema.get("properties", {})
        self._nothing = nothing
        self.evidence = evidence

    @property
    def of_precedents(self) -> bool:
        """Whether the task asks for reports of a property."""
        return "reported" in self._properties

    def nothing(self, note: str = "") -> Any:
        """The family's own way to answer nothing, with a note where the schema has room for one."""
        return self._noted(self._nothing, note)

    def answer(self, said: Synthesis, note: str) -> dict[str, Any]:
        """The answer to a question."""
        cited = [each for claim in said.claims for each in claim.cited]
        sources = _unique(self._source(each) for each in self._known(cited))
        return self._noted({"answer": said.answer, "sources": sources[:MOST_SOURCES]}, note)

    def precedent(self, said: Precedent, note: str) -> dict[str, Any]:
        """What was reported, each record with its sources."""
        measured = [*said.measurements] if said.reported == "Yes" else []
        negative = [*said.negative_measurements] if said.reported == "No" else []
        records = [*measured, *negative]
        cited = said.cited or [each for record in records for each in record.cited]
        value = {
            "reported": said.reported,
            "sources": self._spans(cited),
            "measurements": [self._record(each) for each in measured],
            "negative_measurements": [self._record(each) for each in negative],
            "related": [self._record(each) for each in said.related],
            "phases": [self._record(each) for each in said.phases],
        }
        return self._noted(value, note)

    def cited(self, said: Synthesis | Precedent) -> list[Evidence]:
        """The evidence that is cited anywhere."""
        if isinstance(said, Synthesis):
            cited = [each for claim in said.claims for each in claim.cited]
        else:
            records = [*said.measurements, *said.negative_measurements, *said.related, *said.phases]
            cited = [*said.cited, *(each for record in records for each in record.cited)]
        names = dict.fromkeys(each.evidence for each in cited)
        return [self.evidence[name] for name in names if name in self.evidence]

    def _source(self, cited: Cited) -> dict[str, Any]:
        """A source of ``literature_qa``."""
        held = self.evidence[cited.evidence]
        fields: dict[str, Any] = {"quote": cited.quote or held.text[:500] or None, "page": held.page}
        fields["paper"] = held.paper or None
        fields["doi"] = held.work.doi or None
        fields["title"] = held.work.title or None
        return {name: value for name, value in fields.items() if value is not None}

    def _spans(self, cited: Sequence[Cited]) -> list[dict[str, Any]]:
        """Sources of ``precedent_search``."""
        return _unique(self._span(each) for each in self._known(cited))[:MOST_SOURCES]

    def _known(self, cited: Sequence[Cited]) -> list[Cited]:
        """Those that name evidence there is: where the checks are off nobody else looks."""
        return [each for each in cited if each.evidence in self.evidence]

    def _span(self, cited: Cited) -> dict[str, Any]:
        held = self.evidence[cited.evidence]
        return {
            "doi": held.work.doi or None,
            "title": held.work.title or None,
            "authors": list(held.work.authors) or None,
            "year": held.work.year,
            "quoted_span": cited.quote or held.text[:500] or None,
        }

    def _record(self, record: Measured | Related | Phase) -> dict[str, Any]:
        fields = record.model_dump(mode="json", exclude={"cited"}, exclude_none=True)
        return {**fields, "sources": self._spans(record.cited)}

    def _noted(self, value: Any, note: str) -> Any:
        field = next((name for name in ("note", "reasoning") if name in self._properties), "")
        if not field or not note or not isinstance(value, dict):
            return value
        return {**cast("dict[str, Any]", value), field: note[:_MOST_NOTE]}


def _unique(sources: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = []
    for source in sources:
        if source not in kept:
            kept.append(source)
    return kept
