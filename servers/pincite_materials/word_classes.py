"""Words in property names that do not tell quantities apart, and words that mean the same."""

SAME_WORDS: dict[str, str] = {
    "superconductivity": "superconducting", "superconductive": "superconducting", "constant": "coefficient",
    "parameter": "coefficient", "diffusivity": "diffusion coefficient", "expansivity": "expansion coefficient",
    "bandgap": "band gap", "rel": "relative", "temp": "temperature", "coeff": "coefficient", "overall": "total",
    "electric": "electrical", "microhardness": "hardness", "capacity": "specific", "maximal": "maximum",
    "max": "maximum", "highest": "maximum", "largest": "maximum", "fade": "degradation", "decay": "degradation",
    "aging": "degradation", "dimensionless": "", "thermopower": "seebeck coefficient", "transmittance": "transmission",
    "antiferromagnetism": "antiferromagnetic", "ferromagnetism": "ferromagnetic",
    "crystallographic": "crystal", "conduction": "conductivity", "fet": "field effect", "pl": "photoluminescence",
}  # fmt: skip
"""A word, and the words it stands for."""

SYMBOLS: dict[str, str] = {"sigma": "conductivity", "rho": "resistivity"}
"""Symbols that stand with a word as index, and their quantity."""

NEUTRAL_WORDS = frozenset({
    "value", "measured", "experimental", "observed", "reported", "average", "mean", "characteristic", "typical",
    "absolute", "apparent", "refined", "extrapolated", "estimated", "magnitude", "type", "symbol", "label", "computed",
    "calculated", "determined", "obtained", "quantity", "property", "it", "thi", "resistive", "calorimetric",
    "magnetometric", "rietveld", "arrheniu", "nmr", "pfg", "squid", "indentation", "dsc", "xrd", "md", "dft",
    "hermann", "mauguin", "number", "international", "under", "vs", "versu", "i", "e",
})  # fmt: skip
"""Words that say how a value was had, not what it is of."""

HEADS = frozenset({
    "temperature", "field", "density", "coefficient", "conductivity", "resistivity", "velocity", "hardness",
    "toughness", "strength", "modulu", "modulus", "strain", "elongation", "mobility", "concentration", "moment",
    "magnetisation", "polarisation", "susceptibility", "pressure", "frequency", "length", "depth", "voltage",
    "current", "resistance", "capacitance", "viscosity", "stress",
})  # fmt: skip
"""Kinds of quantities: names with two of these as heads are of two quantities."""

FORM_WORDS = frozenset({
    "sample", "specimen", "film", "ceramic", "pellet", "powder", "polycrystal", "monolayer", "bilayer", "device",
    "electrode", "cathode", "anode", "electrolyte", "garnet", "perovskite", "alloy", "compound", "material",
    "dense", "cell", "bar", "poled", "aged", "annealed", "solid", "single", "thin", "hot", "pressed", "sintered",
    "wire", "tape",
    "layer", "layered", "phase", "whole", "aligned", "recrystallised", "oxide", "magnet", "glass",
    "room", "ambient", "low", "high", "pressure",
    "ion", "ionic", "metal", "atom",
})  # fmt: skip
"""Words of a sample's form and state; looked at again where a synonym needs them."""

ELEMENT_NAMES: dict[str, str] = {
    name: symbol for symbol, names in {
        "h": "hydrogen proton", "li": "lithium", "na": "sodium", "k": "potassium", "mg": "magnesium", "ca": "calcium",
        "o": "oxygen", "ag": "silver", "cu": "copper", "mn": "manganese", "fe": "iron", "co": "cobalt", "ni": "nickel",
        "zn": "zinc", "ce": "cerium", "gd": "gadolinium", "la": "lanthanum", "f": "fluorine fluoride",
        "cl": "chlorine chloride", "s": "sulfur sulphur", "al": "aluminium aluminum", "ti": "titanium",
        "zr": "zirconium", "eu": "europium", "bi": "bismuth", "w": "tungsten", "c": "carbon", "n": "nitrogen",
        "si": "silicon", "sn": "tin", "nd": "neodymium", "sr": "strontium", "ba": "barium", "y": "yttrium",
        "ga": "gallium", "ta": "tantalum", "nb": "niobium", "v": "vanadium", "cr": "chromium", "ge": "germanium",
        "sb": "antimony", "se": "selenium", "te": "tellurium", "pb": "lead", "au": "gold", "pt": "platinum",
    }.items() for name in names.split()
}  # fmt: skip
"""Symbols in lower case, by the elements' names."""

NOT_ELEMENTS = frozenset({
    "in", "as", "at", "no", "he", "be", "am", "tc", "tm", "ts", "pr", "ac", "po", "pu", "pa", "hf", "es", "os", "re",
})  # fmt: skip
"""Symbols that are also words, units or symbols of quantities."""
