"""siunitx: numbers and units as it prints them, but digits never regrouped: ``1.2 × 10^3 W m^−1 K^−1``."""

import re
from dataclasses import dataclass

from pincite_papers.latex.inline import Inline, Script, Text, inline
from pincite_papers.latex.reader import Macro, spelled
from pincite_papers.latex.tex import Handler, Tex

_NUMBER = re.compile(
    r"(?P<relation>[<>≤≥~≈]|\\[a-z]+)?\s*(?P<sign>[-+±−]|\\pm|\\mp)?\s*(?P<value>\d*[.,]?\d*)\s*"
    r"(?P<uncertainty>\(\s*\d+[.,]?\d*\s*\))?"
    r"(?P<error>\s*(?:\+-|\\pm|±)\s*\d*[.,]?\d*)?\s*(?:[eEdD]\s*(?P<exponent>[-+−]?\d+))?"
)
_PARTS = re.compile(r"(?P<times>[x×])|(?P<over>/)")
_RELATIONS = {
    "\\le": "≤",
    "\\leq": "≤",
    "\\ge": "≥",
    "\\geq": "≥",
    "\\sim": "∼",
    "\\approx": "≈",
    "\\ll": "≪",
    "\\gg": "≫",
}
_PREFIXES = {
    "yocto": "y", "zepto": "z", "atto": "a", "femto": "f", "pico": "p", "nano": "n", "micro": "µ", "milli": "m",
    "centi": "c", "deci": "d", "deca": "da", "deka": "da", "hecto": "h", "kilo": "k", "mega": "M", "giga": "G",
    "tera": "T", "peta": "P", "exa": "E", "zetta": "Z", "yotta": "Y", "kibi": "Ki", "mebi": "Mi", "gibi": "Gi",
}  # fmt: skip
_UNITS = {
    "ampere": "A", "candela": "cd", "kelvin": "K", "kilogram": "kg", "gram": "g", "metre": "m", "meter": "m",
    "mole": "mol", "second": "s", "becquerel": "Bq", "degreeCelsius": "°C", "celsius": "°C", "coulomb": "C",
    "farad": "F", "gray": "Gy", "hertz": "Hz", "henry": "H", "joule": "J", "lumen": "lm", "katal": "kat", "lux": "lx",
    "newton": "N", "ohm": "Ω", "pascal": "Pa", "radian": "rad", "siemens": "S", "sievert": "Sv", "steradian": "sr",
    "tesla": "T", "volt": "V", "watt": "W", "weber": "Wb", "day": "d", "degree": "°", "hectare": "ha", "hour": "h",
    "litre": "L", "liter": "L", "arcminute": "′", "minute": "min", "arcsecond": "″", "tonne": "t", "percent": "%",
    "astronomicalunit": "au", "atomicmassunit": "u", "bohr": "a0", "bar": "bar", "barn": "b", "bel": "B",
    "decibel": "dB", "dalton": "Da", "electronvolt": "eV", "hartree": "Eh", "knot": "kn", "mmHg": "mmHg", "neper": "Np",
    "nauticalmile": "M", "angstrom": "Å", "clight": "c", "electronmass": "me", "planckbar": "ħ",
    "elementarycharge": "e",
    "bit": "bit", "byte": "B", "micron": "µm", "gauss": "G", "oersted": "Oe", "molar": "M", "atm": "atm",
    "parsec": "pc", "lightyear": "ly", "year": "yr", "erg": "erg", "dyne": "dyn", "torr": "Torr", "poise": "P",
    "fg": "fg", "pg": "pg", "ng": "ng", "ug": "µg", "mg": "mg", "g": "g", "kg": "kg", "pm": "pm", "nm": "nm",
    "um": "µm", "mm": "mm", "cm": "cm", "dm": "dm", "m": "m", "km": "km", "fs": "fs", "ps": "ps", "ns": "ns",
    "us": "µs", "ms": "ms", "s": "s", "fmol": "fmol", "pmol": "pmol", "nmol": "nmol", "umol": "µmol", "mmol": "mmol",
    "mol": "mol", "kmol": "kmol", "pA": "pA", "nA": "nA", "uA": "µA", "mA": "mA", "A": "A", "kA": "kA", "ul": "µl",
    "ml": "ml", "l": "l", "hl": "hl", "uL": "µL", "mL": "mL", "L": "L", "hL": "hL", "mHz": "mHz", "Hz": "Hz",
    "kHz": "kHz", "MHz": "MHz", "GHz": "GHz", "THz": "THz", "mN": "mN", "N": "N", "kN": "kN", "MN": "MN", "Pa": "Pa",
    "kPa": "kPa", "MPa": "MPa", "GPa": "GPa", "mohm": "mΩ", "kohm": "kΩ", "Mohm": "MΩ", "pV": "pV", "nV": "nV",
    "uV": "µV", "mV": "mV", "V": "V", "kV": "kV", "W": "W", "uW": "µW", "mW": "mW", "nW": "nW", "kW": "kW", "MW": "MW",
    "GW": "GW", "J": "J", "uJ": "µJ", "mJ": "mJ", "kJ": "kJ", "eV": "eV", "meV": "meV", "keV": "keV", "MeV": "MeV",
    "GeV": "GeV", "TeV": "TeV", "kWh": "kWh", "F": "F", "fF": "fF", "pF": "pF", "nF": "nF", "uF": "µF", "K": "K",
    "dB": "dB", "H": "H", "mH": "mH", "uH": "µH", "mT": "mT", "uT": "µT", "T": "T",
}  # fmt: skip
_POWERS = {"squared": "2", "cubed": "3"}
_POWERS_BEFORE = {"square": "2", "cubic": "3"}
_TIGHT = frozenset(("°", "′", "″"))
_LIST = ";"


def number(tokens: list[str], tex: Tex | None = None) -> Inline:
    """A number as siunitx prints it; what it cannot read is given as it is written."""
    text = "".join(lexeme for lexeme in tokens if lexeme not in "{}").replace("~", "").strip()
    found = Inline(atoms=1)
    start = 0
    for joint in [*_PARTS.finditer(text), None]:
        part = text[start : joint.start() if joint else len(text)].strip()
        start = joint.end() if joint else start
        match = _NUMBER.fullmatch(part)
        if match is None or not (match["value"] or match["exponent"]):
            return tex.render(tokens, math=True) if tex is not None else inline(text)
        _print(found, match)
        if joint is not None:
            found.add(" × " if joint["times"] else "/")
    return found


def _print(found: Inline, match: re.Match[str]) -> None:
    relation = match["relation"] or ""
    found.add(_RELATIONS.get(relation, relation))
    sign = {"-": "−", "+": "+", "\\pm": "±", "\\mp": "∓"}.get(match["sign"] or "", match["sign"] or "")
    found.add(sign + _point(match["value"]) + (match["uncertainty"] or "").replace(" ", ""))
    if match["error"]:
        found.add(
            " ± " + _point(match["error"].strip().removeprefix("+-").removeprefix("\\pm").removeprefix("±").strip())
        )
    if match["exponent"]:
        found.add(" × 10" if match["value"] else "10")
        exponent = match["exponent"].replace("-", "−").removeprefix("+")
        found.parts.append(Script(1, inline(exponent)))


def _point(value: str) -> str:
    """A number with a decimal point, as siunitx prints it by default for a comma too."""
    return value.replace(",", ".")


def column_number(content: Inline) -> Inline:
    """A cell of an ``S`` column."""
    if not all(isinstance(part, Text) for part in content.parts):
        return content
    text = "".join(part.text for part in content.parts if isinstance(part, Text)).strip().replace("–", "-")
    match = _NUMBER.fullmatch(text)
    return number([text]) if match is not None and match["value"] and any(c.isdigit() for c in text) else content


def unit(tex: Tex, tokens: list[str]) -> Inline:
    """A unit: macros (``\\per\\metre``) or letters (``m.s^{-1}``)."""
    if not any(lexeme[0] == "\\" and _meaning(tex, lexeme) is not None for lexeme in tokens):
        return _literal(tex, tokens)
    terms: list[_Term] = []
    ahead = _Term()
    queue = list(reversed(tokens))
    while queue:
        name = queue.pop()
        word = name[1:] if name[0] == "\\" else ""
        if word == "per":
            ahead.below = True
        elif word in _PREFIXES:
            ahead.name += _PREFIXES[word]
        elif word in _POWERS_BEFORE:
            ahead.power = _POWERS_BEFORE[word]
        elif word == "raiseto":
            ahead.power = "".join(_argument(queue))
        elif word in ("tothe", "of", "squared", "cubed") or name == "^":
            _apply(terms, word, _POWERS.get(word) or "".join(_argument(queue)))
        elif isinstance(meaning := _meaning(tex, name), Macro):
            queue.extend(reversed([part for part in meaning.body if isinstance(part, str)]))
            tex.reader.spend(len(meaning.body) + 1)
        elif shown := (meaning if meaning is not None and word else _as_written(tex, name)):
            ahead.name += shown
            terms.append(ahead)
            ahead = _Term()
    return _printed(terms, symbol=_per_symbol(tex))


@dataclass(slots=True)
class _Term:
    """A unit with its prefix, its power, and whether it stands below the line."""

    name: str = ""
    power: str = ""
    below: bool = False


def _apply(terms: list[_Term], word: str, value: str) -> None:
    """Give the last unit a power, or what it is of."""
    if terms and word == "of":
        terms[-1].name += f"({value})"
    elif terms:
        terms[-1].power = value


def _as_written(tex: Tex, name: str) -> str:
    """What a unit that is not a macro of siunitx prints; "" for what parts units."""
    if name in ("{", "}", "~", ".", "\\,") or not name.strip():
        return ""
    return tex.render([name], math=True).plain() if name[0] == "\\" else name


def _meaning(tex: Tex, lexeme: str) -> "str | Macro | None":
    """What a unit macro stands for: characters, or further macros."""
    own = tex.units.get(lexeme)
    if own is not None:
        return Macro(tuple(own))
    word = lexeme[1:]
    if word in _UNITS:
        return _UNITS[word]
    return "" if word in _PREFIXES or word in _POWERS_BEFORE or word in ("per", "squared", "cubed", "tothe") else None


def _argument(queue: list[str]) -> list[str]:
    if not queue or queue[-1] != "{":
        return [queue.pop()] if queue else []
    queue.pop()
    taken: list[str] = []
    while queue and (lexeme := queue.pop()) != "}":
        taken.append(lexeme)
    return taken


def _per_symbol(tex: Tex) -> bool:
    return any("per-mode" in option and ("symbol" in option or "fraction" in option) for option in tex.unit_options)


def _printed(terms: list[_Term], *, symbol: bool) -> Inline:
    found = Inline(atoms=1)
    above = [term for term in terms if not (symbol and term.below)]
    below = [term for term in terms if symbol and term.below]
    for index, term in enumerate(above):
        found.add(" " if index else "")
        _term(found, term.name, ("-" if term.below else "") + (term.power or ("1" if term.below else "")))
    if below:
        found.add("/(" if len(below) > 1 else "/" if above else "1/")
        for index, term in enumerate(below):
            found.add(" " if index else "")
            _term(found, term.name, term.power)
        found.add(")" if len(below) > 1 else "")
    return found


def _term(found: Inline, name: str, power: str) -> None:
    found.add(name)
    if power:
        found.parts.append(Script(1, inline(power.replace("--", "").replace("-", "−"))))


def _literal(tex: Tex, tokens: list[str]) -> Inline:
    spaced: list[str] = []
    for lexeme in tokens:
        if lexeme == "~":
            spaced.append("\\ ")
        elif lexeme[0] != "\\":
            # A point parts units; ``\ `` is a space that a formula keeps.
            for index, piece in enumerate(lexeme.split(".")):
                spaced += ["\\ "] * bool(index) + [piece] * bool(piece)
        else:
            spaced.append(lexeme)
    return tex.render(["\\mathrm", "{", *spaced, "}"], math=True)


def _join(tex: Tex, value: Inline, measure: Inline) -> None:
    tex.out.extend(value)
    if not measure.empty():
        tex.out.add("" if measure.plain()[:1] in _TIGHT and not measure.plain().startswith("°C") else " ")
        tex.out.extend(measure)
    tex.out.last = "ord"
    tex.out.atoms += 2


def _quantity(tex: Tex) -> None:
    options = tex.reader.text_optional()
    value = number(tex.reader.argument(), tex)
    tex.reader.optional()
    with _options(tex, options):
        _join(tex, value, unit(tex, tex.reader.argument()))


class _options:  # noqa: N801
    """Options of one command, for as long as it is read."""

    def __init__(self, tex: Tex, options: str | None) -> None:
        self._tex, self._options = tex, options

    def __enter__(self) -> None:
        if self._options:
            self._tex.unit_options.append(self._options)

    def __exit__(self, *error: object) -> None:
        if self._options:
            self._tex.unit_options.pop()


def only_number(tex: Tex) -> None:
    """``\\num{1.2e3}``."""
    tex.reader.optional()
    _join(tex, number(tex.reader.argument(), tex), Inline())


def _only_unit(tex: Tex) -> None:
    """``\\unit[options]{unit}``, and ``\\unit[value]{unit}`` of the package units."""
    stated = tex.reader.optional()
    written = spelled(stated or [])
    value = stated if stated and "=" not in written and any(mark.isdigit() for mark in written) else None
    with _options(tex, None if value else written):
        _join(tex, number(value, tex) if value else Inline(), unit(tex, tex.reader.argument()))


def _range(*, measured: bool) -> Handler:
    def handle(tex: Tex) -> None:
        tex.reader.optional()
        values = [number(tex.reader.argument(), tex), number(tex.reader.argument(), tex)]
        _sequence(tex, values, tex.reader.argument() if measured else [], (" to ", " to "))

    return handle


def _listing(*, measured: bool) -> Handler:
    def handle(tex: Tex) -> None:
        tex.reader.optional()
        values = [number([part]) for part in "".join(tex.reader.argument()).split(_LIST)]
        _sequence(tex, values, tex.reader.argument() if measured else [], (", ", " and "))

    return handle


def _sequence(tex: Tex, values: list[Inline], measure: list[str], marks: tuple[str, str]) -> None:
    for index, value in enumerate(values):
        if index:
            tex.out.add(marks[1] if index == len(values) - 1 else marks[0])
        _join(tex, value, unit(tex, measure) if measure else Inline())


def _angle(tex: Tex) -> None:
    tex.reader.optional()
    parts = spelled(tex.reader.argument()).split(_LIST)
    for part, sign in zip(parts, "°′″", strict=False):
        if part.strip():
            tex.out.extend(number([part]))
            tex.out.add(sign)
    tex.out.last = "ord"


def _declare(tex: Tex) -> None:
    tex.reader.optional()
    name = tex.reader.argument()
    meaning = tex.reader.argument()
    if name:
        tex.units[name[0]] = meaning


def _setup(tex: Tex) -> None:
    tex.unit_options.append(tex.reader.text_argument())


def commands() -> dict[str, Handler]:
    """What the commands of siunitx mean."""
    return {
        **dict.fromkeys(("\\SI", "\\qty"), _quantity),
        "\\num": only_number,
        **dict.fromkeys(("\\si", "\\unit"), _only_unit),
        **dict.fromkeys(("\\SIrange", "\\qtyrange"), _range(measured=True)),
        "\\numrange": _range(measured=False),
        **dict.fromkeys(("\\SIlist", "\\qtylist"), _listing(measured=True)),
        "\\numlist": _listing(measured=False),
        "\\ang": _angle,
        **dict.fromkeys(("\\DeclareSIUnit", "\\DeclareSIPrefix"), _declare),
        "\\sisetup": _setup,
    }
