"""The claims of a gold analysis, as ``records.jsonl`` has them."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pincite_scoring.figure_analysis.claims.lexicon import CONCEPTS

State = Literal["carried", "contradicted", "missing", "undecided"]


class Claim(BaseModel):
    """One statement of the analysis.

    ``subject`` names entities or attributes, any one of which the statement may be about; none: it is about the whole.
    ``beside`` are further ones that may stand in the same sentence without being mistaken for the subject.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str = Field(min_length=1)
    """The claim as a plain sentence, for reports and judges."""
    subject: list[str] = Field(default_factory=list[str])
    beside: list[str] = Field(default_factory=list[str])
    at: list[str] = Field(default_factory=list[str])
    """A second thing that it holds for, such as a model or a day, any one of these."""
    condition: str = ""
    """A quantity at which its value holds, such as ``300 K``; the same value at another one contradicts it."""
    of: str = ""
    """The attribute, where several share a unit or a direction."""
    value: float | None = None
    unit: str = ""
    tolerance: float = Field(default=0.0, ge=0)
    """How far a number read off a figure may be from ``value``, in its unit; 0: as printed."""
    relation: list[str] = Field(default_factory=list[str])
    """Concepts of the lexicon, any of which says it; ``no_up`` is "not up" (see ``lexicon``)."""
    object: list[str] = Field(default_factory=list[str])
    """What the subject is compared with, any one of these."""

    @model_validator(mode="after")
    def _are_known(self) -> "Claim":
        unknown = [name for name in self.relation if name.removeprefix("no_") not in CONCEPTS]
        if unknown:
            raise ValueError(f"there is no relation {unknown[0]!r}; there are {', '.join(CONCEPTS)}")
        return self


class Claims(BaseModel):
    """All claims of an analysis, and the names by which texts call what they are about."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    entities: dict[str, list[str]] = Field(default_factory=dict[str, list[str]])
    """Names of the things compared, by key: those that could be taken for each other."""
    groups: dict[str, list[str]] = Field(default_factory=dict[str, list[str]])
    """Entities that stand for several others, which they are not taken for wrongly."""
    kinds: dict[str, list[str]] = Field(default_factory=dict[str, list[str]])
    """Entities that are of another kind than the rest: only those of one kind can be taken for each other."""
    attributes: dict[str, list[str]] = Field(default_factory=dict[str, list[str]])
    numbers: list[float] = Field(default_factory=list[float])
    """Further numbers that the figures give, so that an answer may say them."""
    claims: list[Claim] = Field(min_length=1)
    derived: bool = False
    """Whether rules took the claims from the analysis; else a person wrote them."""

    @model_validator(mode="after")
    def _are_named(self) -> "Claims":
        known = {*self.entities, *self.attributes}
        used = {name for claim in self.claims for name in (*claim.subject, *claim.beside, *claim.object, *claim.at)}
        used |= {claim.of for claim in self.claims if claim.of} | set(self.groups)
        used |= {name for members in (*self.groups.values(), *self.kinds.values()) for name in members}
        if strange := sorted(used - known):
            raise ValueError(f"{', '.join(strange)}: neither an entity nor an attribute")
        return self

    def kind_of(self, names: Sequence[str]) -> set[str]:
        """The entities that ``names`` could be taken for: those of their kind."""
        for members in self.kinds.values():
            if set(names) & set(members):
                return set(members)
        apart = {name for members in self.kinds.values() for name in members}
        return set(self.entities) - apart

    def of_other_kinds(self, names: Sequence[str]) -> set[str]:
        """The entities of a kind of their own that ``names`` could not be taken for."""
        apart = {name for members in self.kinds.values() for name in members}
        return apart - self.kind_of(names) - set(names)

    def related(self, names: Sequence[str]) -> set[str]:
        """``names`` with the groups that they are in and the members of those that are groups."""
        found = set(names)
        for group, members in self.groups.items():
            if found & {group}:
                found |= set(members)
            if set(names) & set(members):
                found.add(group)
        return found


def to_json(claims: Claims) -> Mapping[str, Any]:
    """The claims as gold has them, without what is empty."""
    return claims.model_dump(exclude_defaults=True)
