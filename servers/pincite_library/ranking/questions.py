"""What a question asks for, told from its words."""

import re

_HOW = (
    "much many large big small high low long short wide broad thick thin deep tall far near fast quickly slow slowly "
    "strong weak hot warm cold heavy light old often frequently dense hard soft bright efficient stable sensitive rough"
)
_QUANTITIES = (
    "absorbance accuracy affinity age amount angle area barrier bandgap capacitance capacity charge "
    "coefficient coercivity composition concentration conductance conductivity constant content count coverage "
    "cost current density depth diameter diffusivity dimension distance dosage dose duration efficiency "
    "emissivity energy enthalpy entropy fraction frequency gap hardness height incidence index intensity "
    "length level lifetime magnetization mass mean median mobility modulus moment momentum number percentage "
    "percent period permeability permittivity polarization porosity potential power prevalence pressure price "
    "probability proportion radius range rate ratio refractive resistance resistivity score sensitivity size "
    "solubility specificity speed strain strength stress susceptibility temperature tension thickness "
    "threshold time toughness transmittance value velocity viscosity voltage volume wavelength weight width "
    "work yield"
)
_MOST_BETWEEN = 4
"""Words between "what is the" and the quantity: "what is the highest superconducting transition temperature"."""


def _any_of(words: str) -> str:
    return "|".join(sorted(words.split(), key=len, reverse=True))


_PLURAL = rf"(?:\w+-)?(?:{_any_of(_QUANTITIES)})(?:s|es)?"
_LETTER_WORD = r"[\w'’.-]+"
_ASKS = re.compile(
    rf"""
    \bhow\s+(?:{_any_of(_HOW)})\b
    | \b(?:what|which)\s+(?:(?:is|are|was|were|has|have|had)\s+)?(?:the\s+|an?\s+)?
      (?:{_LETTER_WORD}\s+){{0,{_MOST_BETWEEN}}}?{_PLURAL}\b
    | \bat\s+(?:what|which)\s+{_LETTER_WORD}
    | \bvalues?\s+(?:of|for)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SOFT = re.compile(
    r"\b(?:what|which)\s+(?:(?:is|are|was|were)\s+)?(?:the\s+)?(?:main\s+|possible\s+|likely\s+)?"
    r"(?:role|effect|influence|impact|function|purpose|reason|cause|origin|meaning|definition|mechanism|relation|"
    r"relationship|difference|importance|evidence|aim|goal|method|advantage|limitation)s?\b",
    re.IGNORECASE,
)


def asks_for_value(query: str) -> bool:
    """Whether a question asks for a number or a quantity's value: "how large is …", "what is the band gap of …".

    Keywords alone are not a question; one that asks what something does to a quantity ("what is the role of pressure")
    does not ask for its value.
    """
    return _SOFT.search(query) is None and _ASKS.search(query) is not None
