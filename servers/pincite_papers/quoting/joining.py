"""Joining: units and words that mean another thing when they are written together."""

PREFIXES_THAT_ARE_UNITS = frozenset("mTGMdPh")
"""Units that before another one would be read as its prefix: ``m s`` is not ``ms``."""

UNITS = frozenset({
    "m", "g", "s", "K", "V", "W", "J", "A", "T", "N", "L", "l", "F", "H", "S", "C", "Hz", "Pa", "eV", "Oe", "G", "mol",
    "bar", "rad", "Wb", "kat", "Bq", "Gy", "Sv", "lm", "lx", "cd", "Torr", "emu", "Ω", "Å", "h", "min",
})  # fmt: skip

NEGATED: dict[str, frozenset[str]] = {
    "a": frozenset({
        "biotic", "cellular", "chiral", "chromatic", "cyclic", "morphous", "moral", "periodic", "political", "polar",
        "septic", "sexual", "social", "symmetric", "symmetrical", "symmetrically", "symmetry", "synchronous", "typical",
        "typically", "virulent",
    }),
    "an": frozenset({"aerobic", "harmonic", "hydrous", "isotropic", "isotropically", "isotropy", "ionic"}),
    "in": frozenset({
        "accessible", "accurate", "active", "adequate", "appropriate", "coherent", "commensurate", "compatible",
        "complete", "conclusive", "consistent", "correct", "definite", "dependent", "dependently", "determinate",
        "direct", "directly", "discriminate", "distinct", "effective", "efficient", "elastic", "equivalent", "exact",
        "finite", "frequent", "homogeneous", "homogeneity", "organic", "sensitive", "separable", "significant",
        "significantly", "soluble", "stable", "stability", "sufficient", "tolerant", "valid", "variable", "variant",
        "visible",
    }),
    "no": frozenset({"table", "where", "thing", "body"}),
    "not": frozenset({"able", "ably", "ice", "iced"}),
    "now": frozenset({"here"}),
}  # fmt: skip
"""Words that say another thing joined to the word before them than apart from it."""
