"""Numbers: counters set by commands, and the macros that print them."""

import re

from pincite_papers.latex.reader import Macro
from pincite_papers.latex.tex import Handler, Tex


def _set_counter(tex: Tex) -> None:
    name = tex.reader.text_argument()
    tex.counters.set(name, _integer(tex))


def _add_counter(tex: Tex) -> None:
    name = tex.reader.text_argument()
    tex.counters.set(name, tex.counters.get(name) + _integer(tex))


def _integer(tex: Tex) -> int:
    text = tex.render(tex.reader.argument()).plain().strip()
    sign = -1 if text.startswith(("-", "–", "−")) else 1
    digits = text.lstrip("-–−+ ")
    return sign * int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 9 else 0


def _new_counter(tex: Tex) -> None:
    name = tex.reader.text_argument()
    within = tex.reader.text_optional()
    if within:
        tex.counters.within[name] = within
    tex.counters.set(name, 0)
    tex.reader.macros["\\the" + name] = Macro(("\\arabic", "{", name, "}"))


def _within(tex: Tex) -> None:
    """``\\numberwithin{equation}{section}``."""
    tex.reader.star()
    tex.reader.optional()
    name, within = tex.reader.text_argument(), tex.reader.text_argument()
    tex.counters.within[name] = within
    tex.reader.macros["\\the" + name] = Macro(("\\the" + within, ".", "\\arabic", "{", name, "}"))


def _step_counter(tex: Tex) -> None:
    tex.step(tex.reader.text_argument())


def define_numbers(tex: Tex) -> None:
    """The macros by which numbers are printed, as the class has them."""
    for name, source in tex.style.numbers.items():
        _define_number(tex, name, source)
    for name in ("equation", "figure", "footnote", "page", "mpfootnote", "algorithm", "part"):
        chaptered = tex.style.chapters and name in ("equation", "figure")
        style = "Roman" if name == "part" else "arabic"
        _define_number(tex, name, ("\\thechapter." if chaptered else "") + f"\\{style}{{{name}}}")
        if chaptered:
            tex.counters.within[name] = "chapter"
    chaptered = tex.style.chapters
    _define_number(tex, "table", ("\\thechapter." if chaptered else "") + tex.style.table_number)
    if chaptered:
        tex.counters.within["table"] = "chapter"


def _define_number(tex: Tex, name: str, source: str) -> None:
    tokens = re.findall(r"\\[A-Za-z]+|[{}]|[^\\{}]+", source)
    tex.reader.macros["\\the" + name] = Macro(tuple(tokens))


def commands() -> dict[str, Handler]:
    """What commands of counters mean."""
    return {
        "\\setcounter": _set_counter,
        "\\addtocounter": _add_counter,
        "\\newcounter": _new_counter,
        **dict.fromkeys(("\\numberwithin", "\\counterwithin"), _within),
        **dict.fromkeys(("\\stepcounter", "\\refstepcounter"), _step_counter),
    }
