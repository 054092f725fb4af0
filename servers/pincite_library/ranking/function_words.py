"""Function words, element symbols and names of Greek letters: what the terms of a text are told apart by."""

FUNCTION_WORDS = frozenset(
    """
    a about above after again against al all also although am among an and any are as at be because been before being
    below between both but by can could did do does doing done due during each either et etc for from further had has
    have having he hence her here hers him his how however i if in into is it its itself may me might more most must my
    nor not of off on once only onto or other our ours out over own per she should since so some such than that the
    their theirs them then there thereby therefore these they this those though through thus to too toward towards
    under until up upon us very was we were what when where whereas whether which while who whom whose why will with
    within without would you your yours no
    """.split()  # noqa: SIM905
)
"""English words that say nothing of what a text is about, in lower case."""

ELEMENTS = frozenset(
    """
    H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo
    Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl
    Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og D
    """.split()  # noqa: SIM905
)
"""Symbols of the chemical elements, deuterium among them."""

_GREEK_NAMES = """
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi
    psi omega
    """.split()  # noqa: SIM905
GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _GREEK_NAMES, strict=True)) | dict(
    zip("ςϕϵϑϱϰ", ("sigma", "phi", "epsilon", "theta", "rho", "kappa"), strict=True)
)
"""Names of the Greek letters in lower case, by which ``α-synuclein`` and ``alpha-synuclein`` are one."""
