"""Prose: sentences of invented papers, with the formulas, units, Greek and citations that real ones have.

Scripts are written ``^{…}`` and ``_{…}``.
"""

import math
import random
import re

_SCRIPT = re.compile(r"[\^_]\{([^}]*)\}")
_SURNAMES = (
    "Aalto", "Bergström", "Chen", "Dvořák", "Escobar", "Fischer", "Grünwald", "Hakimi", "Ivanova", "Jensen", "Kowalski",
    "Lefèvre", "Müller", "Nakamura",
)  # fmt: skip
_GIVEN = ("A.", "B.", "C.", "D.", "E.", "F.", "G.", "H.", "J.", "K.", "L.", "M.")
_NOUNS = (
    "the superconducting transition", "the lattice constant", "the residual resistivity", "the specific heat",
    "the oxygen content", "the grain boundary", "the upper critical field", "the pair-breaking rate",
    "the Debye temperature", "the as-grown film", "the zero-field-cooled curve", "the charge-transfer gap",
)  # fmt: skip
_VERBS = (
    "decreases with", "follows", "is governed by", "does not depend on", "was compared with", "increases roughly as",
    "shows a kink at the onset of", "remains well below", "is consistent with",
)  # fmt: skip
_ENDS = (
    "over the whole range of doping", "within the uncertainty of ±0.02", "as reported for well-ordered crystals",
    "which we ascribe to phase-separated regions", "although the effect is small", "in agreement with earlier work",
    "for fields up to μ_{0}H = 9 T", "at a rate of 5 K min^{−1}", "when the samples are annealed at 450 °C",
)  # fmt: skip
_FORMULAS = (
    "La_{1.85}Sr_{0.15}CuO_{4}", "YBa_{2}Cu_{3}O_{6.93}", "MgB_{2}", "FeSe_{0.5}Te_{0.5}", "Nb_{3}Sn", "Sr_{2}RuO_{4}",
    "Bi_{2}Sr_{2}CaCu_{2}O_{8}", "CeCoIn_{5}", "UPt_{3}", "K_{3}C_{60}",
)  # fmt: skip
_SYMBOLS = ("T_{c}", "ρ_{0}", "Δ_{0}", "λ_{ab}", "ξ_{0}", "θ_{D}", "γ_{n}", "H_{c2}")
_UNITS = ("K", "meV", "nm", "μΩ cm", "T", "mJ mol^{−1} K^{−2}", "GPa", "cm^{−1}")
_JOURNALS = ("J. Low Temp. Results", "Ann. Cryst. Growth", "Lett. Condens. Matter", "Superconductivity Rep.")
_SUBJECTS = (
    "Anisotropic pairing",
    "Oxygen ordering",
    "Flux creep",
    "Strain tuning",
    "Phonon softening",
    "Vortex matter",
)
_OBJECTS = ("layered cuprates", "boride thin films", "heavy-fermion metals", "iron chalcogenides", "doped fullerides")


def bare(text: str) -> str:
    """The text as it is printed, its script marks removed."""
    return _SCRIPT.sub(r"\1", text)


class Prose:
    """Words drawn with one source of chance."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._entries = 0

    def sentence(self, *, cite: bool = True) -> str:
        """A sentence that a real paper could have."""
        pick = self._chance.choice
        kinds = (
            lambda: f"{pick(_NOUNS)} {pick(_VERBS)} {pick(_NOUNS)} {pick(_ENDS)}",
            lambda: f"for {self.formula()} we find {pick(_SYMBOLS)} = {self.number()} {pick(_UNITS)}, {pick(_ENDS)}",
            lambda: f"{pick(_NOUNS)} of {self.formula()} {pick(_VERBS)} {pick(_SYMBOLS)}, {pick(_ENDS)}",
        )
        text = pick(kinds)()
        mark = f" [{self._chance.randint(1, 18)}]" if cite and self._chance.random() < 0.25 else ""
        return text[0].upper() + text[1:] + mark + "."

    def paragraph(self, sentences: int, *, cite: bool = True) -> str:
        """Some sentences."""
        return " ".join(self.sentence(cite=cite) for _ in range(sentences))

    def formula(self) -> str:
        """A compound."""
        return self._chance.choice(_FORMULAS)

    def number(self) -> str:
        """A number as tables print them: plain, negative, with an uncertainty, or a power of ten."""
        value = self._chance.uniform(0.1, 120)
        forms = (
            f"{value:.2f}",
            f"{value:.1f}",
            f"−{value:.2f}",
            f"{value:.2f} ± 0.05",
            f"{value:.2f}(3)",
            f"{value:.1f} × 10^{{−3}}",
        )
        return self._chance.choice(forms)

    def quantities(self, count: int) -> list[str]:
        """Different column heads."""
        heads = [f"{symbol} ({unit})" for symbol, unit in zip(_SYMBOLS, _UNITS, strict=True)]
        return self._chance.sample(heads, count)

    def title(self) -> str:
        """A title."""
        return f"{self._chance.choice(_SUBJECTS)} in {self._chance.choice(_OBJECTS)} under uniaxial pressure"

    def authors(self) -> list[str]:
        """Three names."""
        return [f"{self._chance.choice(_GIVEN)} {name}" for name in self._chance.sample(_SURNAMES, 3)]

    def series(self) -> list[list[list[float]]]:
        """Two curves: resistivity against temperature, each with its own transition."""
        curves = []
        for _ in range(2):
            start, slope = self._chance.uniform(20, 90), self._chance.uniform(0.3, 0.9)
            points = [5 + 5 * k for k in range(59)]
            curves.append([[t, (8 + slope * t) / (1 + math.exp((start - t) / 2))] for t in points])
        return curves

    def reference(self) -> dict[str, str]:
        """An entry of the reference list."""
        self._entries += 1
        pick = self._chance.choice
        authors = [f"{pick(_GIVEN)} {name}" for name in self._chance.sample(_SURNAMES, self._chance.randint(1, 4))]
        title = f"{pick(_SUBJECTS)} and {pick(_SUBJECTS).lower()} in {pick(_OBJECTS)}: part {self._entries}"
        journal, year = pick(_JOURNALS), self._chance.randint(1987, 2024)
        doi = (
            f"10.{self._chance.randint(1000, 9999)}/{year}.{self._chance.randint(10000, 99999)}"
            if self._entries % 3
            else ""
        )
        where = f"{journal} {self._chance.randint(1, 99)}, {self._chance.randint(1, 9999)} ({year})"
        text = f"{', '.join(authors)}. {title}. {where}." + (f" https://doi.org/{doi}" if doi else "")
        return {"text": text, "title": title, "surname": authors[0].split()[-1], "doi": doi}
