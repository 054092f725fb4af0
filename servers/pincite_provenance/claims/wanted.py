"""A claim made ready for comparison: its terms, and the roles of numbers that it asks for."""

from collections.abc import Mapping
from dataclasses import dataclass

from pincite_provenance.claims.roles import Role
from pincite_provenance.claims.terms import Terms, plain_keys, terms_of
from pincite_provenance.claims.words import stem
from pincite_provenance.model import Claim

_ASKED: tuple[tuple[Role, str], ...] = (
    ("p", "p significance p-value pvalue"),
    ("n", "n number size count sample samples participants patients animals replicates many repeats total"),
    ("confidence", "ci confidence credible interval bound limit"),
    ("spread", "sd sem se deviation error iqr range uncertainty interquartile spread variation"),
    ("statistic", "t f z u h statistic chi-squared chi χ2 df degrees"),
    ("level", "level confidence"),
    ("year", "year date time start end period published"),
    ("modifier", "follow-up duration period time length interval window size term horizon age number dose course"),
)
"""Words of a property that ask for a number of a role."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a claim asks a text for: terms of its material and property; all its words."""

    material: Terms
    property: Terms
    words: str

    @classmethod
    def of(cls, claim: Claim, unit_words: str, abbreviations: Mapping[str, str]) -> "Asked":
        """``unit_words`` is the unit where it is no unit but what is counted (``patients``)."""
        named = f"{claim.property} {unit_words}" if unit_words and claim.property.strip() else claim.property
        words = f"{claim.value} {claim.unit} {claim.material} {claim.property}"
        return cls(terms_of(claim.material, abbreviations), terms_of(named, abbreviations), words)

    def asks_for(self, role: Role) -> bool:
        """Whether the property may be given by a number of this role."""
        if not role:
            return True
        keys = plain_keys(self.property.text)
        return any(stem(word) in keys for each, words in _ASKED if each == role for word in words.split())
