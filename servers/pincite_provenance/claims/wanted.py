"""A claim made ready for comparison: its terms, and the roles of numbers that it asks for."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from pincite_materials.units import parse_unit
from pincite_provenance.claims.roles import Role
from pincite_provenance.claims.terms import Terms, plain_keys, terms_of
from pincite_provenance.claims.words import stem, stems
from pincite_provenance.model import Claim

_ASKED: tuple[tuple[Role, str], ...] = (
    ("p", "p significance p-value pvalue"),
    ("n", "n number size count sample samples participants patients animals replicates many repeats total"),
    ("confidence", "ci confidence credible interval bound limit"),
    ("spread", "sd sem se deviation error iqr range uncertainty interquartile spread variation"),
    ("statistic", "t f z u h statistic chi-squared chi χ2 df degrees"),
    ("level", "level confidence"),
    ("ratio", "ratio proportion odds randomisation allocation dilution"),
    ("year", "year date time start end period published"),
    ("modifier", "follow-up duration period time length interval window size term horizon age number dose course"),
)
"""Words of a property that ask for a number of a role."""


_MOST = stems("maximum maximal max highest largest longest most limit upper")
_LEAST = stems("minimum minimal min lowest smallest shortest least lower")

_IMPLIED: tuple[tuple[str, str], ...] = (
    ("s", "time duration period"), ("K", "temperature"), ("mg/kg", "dose dosage amount"), ("mg/m^2", "dose dosage"),
    ("g", "mass amount weight"), ("g/L", "concentration level"), ("mol/L", "concentration level"), ("m^3", "volume"),
    ("m", "size"), ("1/s", "rate frequency"), ("Pa", "pressure"),
    ("W/m^2", "power density"), ("A/m^2", "current density"), ("S/m", "conductivity"), ("ohm*m^2", "resistance"),
    ("J/mol", "energy"), ("eV", "energy"), ("m^2/g", "surface area"), ("K/s", "rate"), ("A", "current"),
    ("V", "voltage potential"), ("W", "power"), ("m/s", "speed velocity rate"), ("C/g", "capacity"),
    ("S", "conductance"),
)  # fmt: skip
"""What a unit says of its own of what is measured."""


_SAID_BY_UNIT: tuple[tuple[str, str], ...] = (
    ("bp kb kbp Mb nt base nucleotide nucleotides base-pairs", "length long size"),
    ("aa residues amino residue", "length long size"), ("Da kDa MDa", "molecular mass weight apparent size"),
    ("GB MB TB", "memory size"), ("Gy cGy", "dose dosage radiation radiotherapy"),
    ("mL/min ml/min μL/min", "flow rate"),
    ("copies/mL copies/ml", "load viral"), ("° degree degrees", "angle"), ("V mV", "voltage potential"),
    ("Hz kHz MHz", "frequency"), ("years y yr months", "time duration"), ("g kg mg", "mass weight amount"),
    ("nm μm mm cm m Å", "length size distance dimension"), ("mm/year cm/year", "growth rate"),
    ("patients participants subjects people individuals women men children animals mice rats samples cases",
     "number size sample count total"),
    ("dpc dpp DAB", "age stage day time"), ("cells/well cells/mL cells/ml cells/cm2 cells/cm^2", "density number"),
)  # fmt: skip
"""The same for units by their names, such as no table of units has among them."""


@lru_cache(maxsize=1024)
def implied_by(unit: str) -> frozenset[str]:
    """Stems of the words that a unit makes superfluous: ``dose`` of mg/kg, ``rate`` of %."""
    if unit.strip() == "%":
        return stems("rate percentage proportion share fraction percent frequency incidence prevalence")
    if not unit:
        return frozenset()
    dimensions = {reading.dimensions for reading in parse_unit(unit)}
    words = [w for each, w in _IMPLIED if any(r.dimensions in dimensions for r in parse_unit(each))]
    words += [w for names, w in _SAID_BY_UNIT if unit.strip() in names.split()]
    return frozenset(stem(word) for text in words for word in text.split())


@dataclass(frozen=True, slots=True)
class Asked:
    """What a claim asks a text for: terms of its material and property; all its words."""

    material: Terms
    property: Terms
    words: str
    unit: str = ""
    numbers: tuple[float, ...] = ()
    """The numbers of its value."""
    is_bound: bool = False
    """Whether its value is a bound (``< 0.04``)."""

    @classmethod
    def of(
        cls, claim: Claim, unit_words: str, numbers: tuple[float, ...], bound: str, abbreviations: Mapping[str, str]
    ) -> "Asked":
        """``unit_words`` is the unit where it is not a unit but what is counted (``patients``)."""
        named = f"{claim.property} {unit_words}" if unit_words and claim.property.strip() else claim.property
        words = f"{claim.value} {claim.unit} {claim.material} {claim.property}"
        return cls(
            terms_of(claim.material, abbreviations),
            terms_of(named, abbreviations),
            words,
            claim.unit,
            numbers,
            bool(bound),
        )

    def names(self) -> str:
        """Its material and property in words, which no pattern of a phrase bridges."""
        return f"{self.material.text} ; {self.property.text}"

    def asks_for_end(self, bound: str) -> bool:
        """Whether the property is a maximum, which "up to" gives, or a minimum ("at least")."""
        keys = plain_keys(self.property.text)
        return bool(keys & (_MOST if bound in "<≤" else _LEAST))

    def asks_for(self, role: Role) -> bool:
        """Whether the property may be given by a number of this role."""
        if not role:
            return True
        keys = plain_keys(self.property.text)
        return any(stem(word) in keys for each, words in _ASKED if each == role for word in words.split())
