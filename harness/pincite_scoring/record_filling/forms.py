"""Forms: one spelling for the texts that are compared."""

import re
from functools import lru_cache

from pincite_materials.text import plain

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau",
    "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
}  # fmt: skip
"""Lower-case Greek letters by name; μ stays, for it is mostly micro, and so does ο, which looks like o."""

_NAMED = str.maketrans(_GREEK)
_JOINTS = re.compile(r"(?<=\d)[\s-]+(?=\d)")
_MINUS = re.compile(r"(?<![\w)\]%])-(?=[\d.])")
_LOOSE = re.compile(r"[\s\-_^{}$\"“”'’′]")
_JOINT, _SIGN = "\N{MIDDLE DOT}", "\N{MINUS SIGN}"
"""What stands in a form for space or hyphen between two digits, and for the sign of a number."""


@lru_cache(maxsize=65536)
def text_form(text: str, case_matters: bool = False) -> str:
    """A text in comparable spelling: compatibility characters resolved, Greek letters by name, lower case unless case
    matters, without spaces, hyphens, quotes and closing marks; those between two digits and a number's sign stay."""
    folded = plain(text).strip()
    folded = (folded if case_matters else folded.casefold()).translate(_NAMED)
    kept = _MINUS.sub(_SIGN, _JOINTS.sub(_JOINT, folded))
    return _LOOSE.sub("", kept).strip(".,;:")
