"""Acronyms: short names that commands spell out, in the manners of acronym, acro and glossaries.

The first use prints the long form with the short one in brackets, later ones the short form, as the packages do.
"""

import re
from collections.abc import Callable

from pincite_papers.latex.lexer import Lexer
from pincite_papers.latex.reader import Reader
from pincite_papers.latex.state import Acronym
from pincite_papers.latex.tex import EnvironmentHandler, Handler, Tex

_MOST_ACRONYMS = 2000
"""Definitions taken of one source: far more than any paper has, so that a hostile one costs little."""
_MOST_DEFINITION = 4000
"""Characters read for one definition."""
_DEFINED = re.compile(
    r"(?<!\\)\\(acro|acrodef|newacro|acroplural|acrodefplural|newacroplural|newacronym|newabbreviation|"
    r"newglossaryentry|DeclareAcronym)(?![A-Za-z])"
)
_COMMENTED = re.compile(r"(?<!\\)%[^\n]*$")


def collect(tex: Tex) -> None:
    """Take the definitions of all files: the list of acronyms may stand behind their uses."""
    for name in tex.files.texts:
        if name.endswith((".tex", ".ltx", ".latex", ".sty", ".cls", ".inc")):
            text = tex.files.read(name)
            tex.reader.spend(len(text) // 100)
            _collect_from(text, tex.acronyms.known)


def _collect_from(text: str, found: dict[str, Acronym]) -> None:
    for match in _DEFINED.finditer(text):
        if len(found) >= _MOST_ACRONYMS:
            return
        line = text.rfind("\n", 0, match.start()) + 1
        if _COMMENTED.search(text, line, match.start()):
            continue
        reader = Reader()
        reader.push_source(Lexer(text[match.end() : match.end() + _MOST_DEFINITION]))
        _READERS[match[1]](reader, found)


def _acro(reader: Reader, found: dict[str, Acronym]) -> None:
    """``\\acro{label}[short]{long}``."""
    label = reader.text_argument()
    short = reader.optional()
    _keep(found, label, short or [label], reader.argument())


def _plural(reader: Reader, found: dict[str, Acronym]) -> None:
    """``\\acroplural{label}[shorts]{longs}``."""
    label = reader.text_argument()
    shorts, longs = reader.optional(), reader.argument()
    if label in found:
        found[label].longs = longs or found[label].longs
        found[label].shorts = shorts or found[label].shorts


def _new_acronym(reader: Reader, found: dict[str, Acronym]) -> None:
    """``\\newacronym[options]{label}{short}{long}``."""
    options = _settings(reader.optional() or [])
    label = reader.text_argument()
    short, long = reader.argument(), reader.argument()
    _keep(found, label, short, long, options.get("shortplural"), options.get("longplural"))


def _entry(reader: Reader, found: dict[str, Acronym]) -> None:
    """``\\newglossaryentry{label}{name=…, text=…, plural=…}``: always printed by its name."""
    label = reader.text_argument()
    settings = _settings(reader.argument())
    name = settings.get("text") or settings.get("name") or [label]
    _keep(found, label, name, [], settings.get("plural"))


def _declared(reader: Reader, found: dict[str, Acronym]) -> None:
    """``\\DeclareAcronym{label}{short=…, long=…, long-plural=…}``; an ending or ``-form``, the whole form."""
    label = reader.text_argument()
    settings = _settings(reader.argument())
    short, long = settings.get("short") or [label], settings.get("long") or []
    shorts = settings.get("short-plural-form") or [*short, *settings.get("short-plural", ["s"])]
    longs = settings.get("long-plural-form") or [*long, *settings.get("long-plural", ["s"])]
    _keep(found, label, short, long, shorts, longs)


_READERS: dict[str, Callable[[Reader, dict[str, Acronym]], None]] = {
    **dict.fromkeys(("acro", "acrodef", "newacro"), _acro),
    **dict.fromkeys(("acroplural", "acrodefplural", "newacroplural"), _plural),
    **dict.fromkeys(("newacronym", "newabbreviation"), _new_acronym),
    "newglossaryentry": _entry,
    "DeclareAcronym": _declared,
}


_FORMS = {
    "next": "ac acp, gls glspl",
    "short": "acs acsp, acrshort acrshortpl, glsxtrshort glsxtrshortpl, glsentryshort glsentryshortpl, "
    "glstext glsplural, glsentrytext glsentryplural",
    "long": "acl aclp, acrlong acrlongpl, glsxtrlong glsxtrlongpl, glsentrylong glsentrylongpl",
    "full": "acf acfp, acrfull acrfullpl, glsfirst glsfirstplural, glsxtrfull glsxtrfullpl",
}
"""The commands that print each form, with those of its plural."""


def _keep(
    found: dict[str, Acronym],
    label: str,
    short: list[str],
    long: list[str],
    shorts: list[str] | None = None,
    longs: list[str] | None = None,
) -> None:
    if label:
        found.setdefault(label, Acronym(short, long, shorts or [*short, "s"], longs or [*long, "s"]))


def _settings(tokens: list[str]) -> dict[str, list[str]]:
    """``key = value, …`` by key; braces around a value go."""
    parts: list[list[str]] = [[]]
    depth = 0
    for lexeme in tokens:
        depth += (lexeme == "{") - (lexeme == "}")
        if depth or lexeme[0] == "\\" or "," not in lexeme:
            parts[-1].append(lexeme)
            continue
        first, *others = lexeme.split(",")
        parts[-1].append(first)
        parts += [[other] for other in others]
    settings: dict[str, list[str]] = {}
    for part in parts:
        key, equals, rest = "".join(part[:1]).partition("=")
        value = [lexeme for lexeme in (rest.lstrip(), *part[1:]) if lexeme]
        if value:
            value[-1] = value[-1].rstrip()
        if value and not value[-1]:
            value.pop()
        if equals and key.strip():
            settings[key.strip()] = value[1:-1] if value[:1] == ["{"] and value[-1] == "}" else value
    return settings


def _use(form: str, *, plural: bool = False, capital: bool = False) -> Handler:
    """Print a form: ``short``, ``long``, ``full``, or ``next`` for the full one at the first use only."""

    def handle(tex: Tex) -> None:
        tex.reader.star()
        tex.reader.optional()
        label = tex.reader.text_argument()
        known = tex.acronyms.known.get(label)
        if known is None:
            tex.acronyms.missing[label] = None
            tex.out.add(label)
            return
        short = known.shorts if plural else known.short
        long = known.longs if plural else known.long
        shown = form if form != "next" else "short" if label in tex.acronyms.used else "full"
        if form in ("next", "full"):
            tex.acronyms.used.add(label)
        if shown == "short" or not known.long:
            tokens = short
        elif shown == "long":
            tokens = long
        else:
            tokens = [*long, " ", "(", *short, ")"]
        tex.reader.push(["{", *(_capital(tokens) if capital else tokens), "}"])

    return handle


def _capital(tokens: list[str]) -> list[str]:
    first = tokens[0] if tokens else ""
    return [first[:1].upper() + first[1:], *tokens[1:]] if first[:1].isalpha() else tokens


def _defining(tex: Tex) -> None:
    """A definition outside of a list prints nothing; all were taken before."""
    tex.reader.optional()
    tex.reader.argument()
    while tex.reader.peek()[:1] in ("[", "{"):
        if tex.reader.optional() is None:
            tex.reader.argument()


def _listed(tex: Tex) -> None:
    """``\\acro{label}[short]{long}`` is an item in a list of acronyms; many papers name a macro of theirs so."""
    if not tex.acronyms.listing:
        tex.unknown_command("\\acro")
        return
    label = tex.reader.text_argument()
    short = tex.reader.optional() or [label]
    tex.reader.push(["\\par", "{", *short, "}", " ", "{", *tex.reader.argument(), "}", "\\par"])


def _linked(tex: Tex) -> None:
    """``\\glslink{label}{text}``: the text."""
    tex.reader.optional()
    tex.reader.argument()


def _environment(tex: Tex, name: str) -> None:
    tex.par()
    tex.reader.optional()
    tex.acronyms.listing = True

    def end() -> None:
        tex.par()
        tex.acronyms.listing = False

    tex.enter(name, end)


def commands() -> dict[str, Handler]:
    """What commands of acronyms mean."""
    found: dict[str, Handler] = {}
    for form, names in _FORMS.items():
        for name, plural in (pair.split() for pair in names.split(",")):
            for shown, several in ((name, False), (plural, True)):
                found["\\" + shown] = _use(form, plural=several)
                found["\\" + shown.capitalize()] = _use(form, plural=several, capital=True)
    found |= dict.fromkeys(("\\" + name for name in _READERS), _defining)
    return found | {"\\acro": _listed, "\\glslink": _linked, "\\glsdisp": _linked}


def environments() -> dict[str, EnvironmentHandler]:
    """The list of acronyms."""
    return {"acronym": _environment}
