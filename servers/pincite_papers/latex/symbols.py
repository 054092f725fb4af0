"""Characters that commands stand for: pylatexenc's tables, and what they lack or give otherwise."""

from functools import cache
from typing import Any

_OWN = {
    "to": "→",
    "gets": "←",
    "ne": "≠",
    "neg": "¬",
    "lnot": "¬",
    "land": "∧",
    "lor": "∨",
    "iff": "⟺",
    "implies": "⟹",
    "Re": "Re",
    "Im": "Im",
    "prime": "′",
    "cdot": "·",
    "cdotp": "·",
    "vdots": "⋮",
    "ddots": "⋱",
    "dots": "…",
    "ldots": "…",
    "cdots": "⋯",
    "dotsc": "…",
    "dotsb": "⋯",
    "dotso": "…",
    "dotsm": "⋯",
    "mid": "|",
    "vert": "|",
    "lvert": "|",
    "rvert": "|",
    "Vert": "‖",
    "lVert": "‖",
    "rVert": "‖",
    "|": "‖",
    "lbrace": "{",
    "rbrace": "}",
    "lbrack": "[",
    "rbrack": "]",
    "lparen": "(",
    "rparen": ")",
    "colon": ":",
    "coloneqq": "≔",
    "degree": "°",
    "textdegree": "°",
    "celsius": "°C",
    "textcelsius": "°C",
    "perthousand": "‰",
    "textperthousand": "‰",
    "permil": "‰",
    "micro": "µ",
    "textmu": "µ",
    "upmu": "μ",
    "ohm": "Ω",
    "textohm": "Ω",
    "angstrom": "Å",
    "S": "§",
    "P": "¶",
    "dag": "†",
    "ddag": "‡",
    "textdagger": "†",
    "textdaggerdbl": "‡",
    "copyright": "©",
    "textcopyright": "©",
    "pounds": "£",
    "textsterling": "£",
    "textcent": "¢",
    "textyen": "¥",
    "texttimes": "×",
    "textdiv": "÷",
    "textminus": "−",
    "textonehalf": "½",
    "textonequarter": "¼",
    "textthreequarters": "¾",
    "textonesuperior": "¹",
    "texttwosuperior": "²",
    "textthreesuperior": "³",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textunderscore": "_",
    "textquotesingle": "'",
    "textasteriskcentered": "∗",
    "textbullet": "•",
    "textperiodcentered": "·",
    "textcelcius": "°C",
    "textrightarrow": "→",
    "textleftarrow": "←",
    "textordmasculine": "º",
    "textordfeminine": "ª",
    "guillemotleft": "«",
    "guillemotright": "»",
    "guilsinglleft": "‹",
    "guilsinglright": "›",
    "quotedblbase": "„",
    "quotesinglbase": "‚",
    "lq": "‘",
    "rq": "’",
    "og": "« ",
    "fg": " »",
    "DH": "Ð",
    "dh": "ð",
    "TH": "Þ",
    "th": "þ",
    "dj": "đ",
    "DJ": "Đ",
    "ng": "ŋ",
    "NG": "Ŋ",
    "SS": "ẞ",
    "i": "ı",
    "j": "ȷ",
    "imath": "ı",
    "jmath": "ȷ",
    "hslash": "ℏ",
    "triangle": "△",
    "Box": "□",
    "Diamond": "◇",
    "blacksquare": "■",
    "blacktriangle": "▲",
    "checkmark": "✓",
    "cmark": "✓",
    "xmark": "✗",
    "TeX": "TeX",
    "LaTeX": "LaTeX",
    "LaTeXe": "LaTeX2e",
    "BibTeX": "BibTeX",
    "lt": "<",
    "gt": ">",
    "sun": "☉",
    "earth": "⊕",
    "dbond": "=",
    "varOmega": "Ω",
    "varGamma": "Γ",
    "varDelta": "Δ",
    "varTheta": "Θ",
    "varLambda": "Λ",
    "varXi": "Ξ",
    "varPi": "Π",
    "varSigma": "Σ",
    "varUpsilon": "Υ",
    "varPhi": "Φ",
    "varPsi": "Ψ",
    "omicron": "ο",
    "bigcup": "⋃",
    "bigcap": "⋂",
    "bigoplus": "⨁",
    "bigotimes": "⨂",
    "ointop": "∮",
    "longrightarrow": "⟶",
    "longleftarrow": "⟵",
    "Longrightarrow": "⟹",
    "Longleftrightarrow": "⟺",
    "longmapsto": "⟼",
    "textvisiblespace": "␣",
    "lesssim": "≲",
    "la": "≲",
    "ga": "≳",
    "arcdeg": "°",
    "degr": "°",
    "fdg": "°.",
    "farcm": "′.",
    "farcs": "″.",
    "fd": "d.",
    "fh": "h.",
    "fm": "m.",
    "fs": "s.",
    "micron": "µm",
    "arcmin": "′",
    "arcsec": "″",
    "slash": "/",
    "nobreakdash": "",
    "textendash": "–",
    "textemdash": "—",
    "textasciigrave": "`",
    "backslash": "\\",
    "textbackslash": "\\",
}
_OPERATORS = frozenset(
    [
        "arccos",
        "arcsin",
        "arctan",
        "arg",
        "cos",
        "cosh",
        "cot",
        "coth",
        "csc",
        "deg",
        "det",
        "dim",
        "exp",
        "gcd",
        "hom",
        "inf",
        "ker",
        "lg",
        "lim",
        "liminf",
        "limsup",
        "ln",
        "log",
        "max",
        "min",
        "Pr",
        "sec",
        "sin",
        "sinh",
        "sup",
        "tan",
        "tanh",
        "injlim",
        "projlim",
        "arcsinh",
        "sgn",
        "Tr",
        "tr",
        "diag",
        "rank",
        "sech",
        "erf",
    ]
)
_GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "varepsilon", "zeta", "eta", "theta", "vartheta", "iota", "kappa"),
    *("lambda", "mu", "nu", "xi", "pi", "varpi", "rho", "varrho", "sigma", "varsigma", "tau", "upsilon", "phi"),
    *("varphi", "chi", "psi", "omega"),
)
_LARGE = frozenset("∑∏∐∫∬∭∮⋃⋂⨁⨂")
_RELATIONS = frozenset("=≠≡≈≃≅∼∝<>≤≥⩽⩾≪≫≲≳∈∉∋⊂⊆⊃⊇→←↔⇒⇐⇔⟶⟵⟷⟹⟺⟼↦⇌≔≐∥⊥⊢⊨≺≻⪅⪆≶≷≦≧⊏⊑↑↓↗↘")
_BINARY = frozenset("+−±∓×·÷∗⋅∘∪∩∧∨⊕⊗⊖⊙∖⋆•")
_OPENING = frozenset("([{⟨⌊⌈")
_CLOSING = frozenset(")]}⟩⌋⌉!?")


@cache
def characters() -> dict[str, str]:
    """What each command without arguments stands for, by its name without the backslash."""
    from pylatexenc.latex2text import get_default_latex_context_db

    known: dict[str, str] = {}
    # The package has no type annotations.
    database: Any = get_default_latex_context_db()
    for category in database.category_list:
        if category not in ("latex-base", "advanced-symbols", "latex-approximations"):
            continue
        for name, command in database.d[category]["macros"].items():
            text = command.simplify_repl
            if isinstance(text, str) and 0 < len(text.strip()) <= 2 and "%" not in text:
                known.setdefault(name, text)
    return known | _upright_greek(known) | _OWN


def _upright_greek(known: dict[str, str]) -> dict[str, str]:
    """Upright Greek letters in the names of upgreek, mathdesign, newtx, unicode-math, kpfonts and textgreek."""
    found: dict[str, str] = {}
    for name in _GREEK:
        for letter in (name, name.capitalize()):
            character = known.get(letter) or _OWN.get(letter)
            if character is not None:
                up = "Up" if letter[0].isupper() else "up"
                for other in (up + name, "up" + letter, letter + "up", "mup" + letter, "text" + letter):
                    found[other] = character
    return found


def operators() -> frozenset[str]:
    """The names of functions, which print as upright words."""
    return _OPERATORS


def kind_of(character: str) -> str:
    """What a character is in a formula: ``rel``, ``bin``, ``open``, ``close``, ``punct``, ``op`` or ``ord``."""
    if character in _RELATIONS:
        return "rel"
    if character in _BINARY:
        return "bin"
    if character in _OPENING:
        return "open"
    if character in _CLOSING:
        return "close"
    if character in _LARGE:
        return "op"
    return "punct" if character in ",;" else "ord"
