"""Classes of words in conditions and methods: how a sample, a gas, a technique or a calculation is called."""

import re
from functools import lru_cache

from pincite_materials.text import plain

Classes = tuple[tuple[str, re.Pattern[str]], ...]


def _of(*lines: tuple[str, str]) -> Classes:
    return tuple((name, re.compile(rf"(?<![A-Za-z])(?:{words})", re.IGNORECASE)) for name, words in lines)


FORMS = _of(
    ("crystal", r"single[\s-]*crystal|crystal(?!l)|whisker"),
    ("polycrystal", r"poly[\s-]*crystal|ceramic|sintered|pellet|hot[\s-]*pressed"),
    ("film", r"(?:thin|thick|epitaxial|sputtered)?[\s-]*film|epitaxial|epilayer"),
    ("powder", r"powder"),
    ("glass", r"glass|amorphous"),
    ("monolayer", r"mono[\s-]*layer|single[\s-]*layer"),
    ("bilayer", r"bi[\s-]*layer|double[\s-]*layer"),
    ("trilayer", r"tri[\s-]*layer"),
    ("wire", r"(?:nano)?wire|tape|fib(?:re|er)|nanotube"),
)
"""Forms of a sample; bulk fits several and is none."""

TREATMENTS = _of(
    ("as cast", r"as[\s-]*cast"),
    ("worked", r"cold[\s-]*(?:roll|work|draw)|hot[\s-]*roll|deformed|swaged"),
    ("annealed", r"anneal|recrystalli[sz]ed|homogeni[sz]ed|solution[\s-]*treated"),
    ("as grown", r"as[\s-]*(?:grown|deposited|synthesi[sz]ed)"),
    ("quenched", r"quench"),
)
"""What was done to a sample last."""

TEXTURES = _of(("aligned", r"aligned|textured"), ("random", r"un-?aligned|isotropic|random|untextured"))
"""Whether the grains of a sample point one way."""

SYSTEMS = _of(
    ("cubic", r"cubic"),
    ("tetragonal", r"tetragonal"),
    ("orthorhombic", r"orthorhombic"),
    ("hexagonal", r"hexagonal"),
    ("trigonal", r"trigonal|rhombohedral"),
    ("monoclinic", r"monoclinic"),
    ("triclinic", r"triclinic"),
)
"""Crystal systems, which tell the polymorphs of a substance apart; rhombohedral is a kind of trigonal."""

STRUCTURES = _of(
    ("wurtzite", r"wurtzite"),
    ("zinc blende", r"zinc[\s-]*blende|sphalerite"),
    ("rock salt", r"rock[\s-]*salt"),
    ("anatase", r"anatase"),
    ("rutile", r"rutile"),
    ("brookite", r"brookite"),
    *((name, rf"{name}(?![A-Za-z])") for name in ("1T", "2H", "3R", "3C", "4H", "6H")),
)
"""Structure types and polytypes that one substance may have."""

GASES = _of(
    ("air", r"(?:dry |wet |humid |ambient )?air"),
    ("vacuum", r"vacuum|uhv"),
    ("argon", r"argon|ar(?![a-z])"),
    ("nitrogen", r"nitrogen|n2(?!\w)"),
    ("oxygen", r"oxygen|o2(?!\w)"),
    ("hydrogen", r"hydrogen|h2(?!\w)"),
    ("helium", r"helium|he(?![a-z])"),
)

THEORY = _of(
    (
        "theory",
        (
            r"dft|density[\s-]*functional|first[\s-]*principles?|ab[\s-]*initio|calculat|comput|simulat|"
            r"molecular[\s-]*dynamics|monte[\s-]*carlo|theor|gw|g0w0|tight[\s-]*binding|predict|bse(?![a-z])|pbe|hse|lda(?![a-z])|gga|mbj"
        ),
    ),
)

FUNCTIONALS = _of(
    ("pbe0", r"pbe0"),
    ("pbe", r"pbe(?!0)"),
    ("hse", r"hse"),
    ("lda", r"lda"),
    ("scan", r"r2scan|scan(?![a-z])"),
    ("gw", r"g0?w0?(?![a-z])"),
    ("mbj", r"mbj|tb-mbj"),
    ("md", r"molecular[\s-]*dynamics|aimd"),
)

TECHNIQUES = _of(
    ("transport", r"resisti|four[\s-]*(?:contact|probe|point)|two[\s-]*(?:contact|probe)|transport|conductivity meas"),
    ("magnetometry", r"magneti[sz]ation|(?:magnetic )?susceptib|squid|meissner|vsm|magnetomet"),
    ("calorimetry", r"specific[\s-]*heat|heat[\s-]*capacity|calorim|dsc"),
    ("dielectric", r"permittivit|dielectric|capacitance"),
    ("second harmonic", r"second[\s-]*harmonic|shg(?![a-z])"),
    ("x-ray diffraction", r"x[\s-]*ray|xrd|synchrotron"),
    ("neutron", r"neutron"),
    ("muon", r"muon|[μu]sr"),
    ("nmr", r"nmr|(?:\d+\w{1,2} )?nuclear magnetic|nqr"),
    ("photoemission", r"arpes|photoemission|xps|ups(?![a-z])"),
    ("tunnelling", r"stm|sts|tunnel"),
    ("raman", r"raman"),
    ("luminescence", r"photolumin|cathodolumin"),
    ("optics", r"reflect|absor(?:b|p)|transmi(?:ss|tt)|ellips|infrared|ftir|optical"),
    ("hall", r"hall"),
    ("impedance", r"impedance|eis(?![a-z])"),
    ("chronoamperometry", r"chronoamper"),
    ("tensile", r"tensile|tension test"),
    ("indentation", r"indentation|hardness test"),
    ("ultrasound", r"ultraso|resonant"),
    ("dilatometry", r"dilatomet"),
)
"""Techniques; a method that names several matches any of them."""


@lru_cache(maxsize=8192)
def classes(text: str, words: Classes) -> frozenset[str]:
    """The classes that ``text`` names."""
    text = plain(text)
    return frozenset(name for name, pattern in words if pattern.search(text))
