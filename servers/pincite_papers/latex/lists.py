"""Lists and statements (theorems, proofs) with the numbers they print."""

import re

from pincite_papers.latex.inline import Script
from pincite_papers.latex.reader import Macro, spelled
from pincite_papers.latex.state import Target
from pincite_papers.latex.tex import EnvironmentHandler, Handler, Tex
from pincite_papers.model import BlockKind

_ENUMERATED = (
    ("enumi", "arabic", "{}."),
    ("enumii", "alph", "({})"),
    ("enumiii", "roman", "{}."),
    ("enumiv", "Alph", "{}."),
)


_USUAL = {counter: form for counter, _, form in _ENUMERATED}


_BULLETS = ("•", "–", "∗", "·")


_LABEL_OPTION = re.compile(r"label\s*=\s*(.{1,60}?)\s*(?:,\s*[a-z]+\s*=|,\s*[a-z]+\s*$|$)", re.DOTALL)


_COUNTED = re.compile(r"\\(arabic|alph|Alph|roman|Roman)\s*\*")


_SHORT = re.compile(r"^([^1aAiI]{0,12}?)([1aAiI])([^\w]{0,3})$")


_SHORT_STYLES = {"1": "arabic", "a": "alph", "A": "Alph", "i": "roman", "I": "Roman"}

_LISTS = (
    *("itemize", "enumerate", "description", "list", "trivlist", "enumerate*", "itemize*", "Itemize", "keypoints"),
    *("compactitem", "compactenum", "compactdesc", "inparaenum", "inparaitem", "asparaenum"),
)


def _list(tex: Tex, name: str) -> None:
    options = spelled(tex.reader.optional() or [])
    if name == "list":
        tex.reader.argument()
        tex.reader.argument()
    tex.par()
    depth = sum(one.startswith("enumerate") for one in tex.lists)
    kind = "enumerate" if name in ("enumerate", "compactenum", "inparaenum", "asparaenum", "enumerate*") else name
    if kind == "enumerate":
        counter, style, form = _ENUMERATED[min(depth, 3)]
        form, style = _form(options, form, style)
        if "resume" not in options:
            tex.counters.set(counter, 0)
        tex.reader.macros["\\the" + counter] = Macro(("\\" + style, "{", counter, "}"))
        kind = f"enumerate {counter} {form}"
    before, tex.kind = tex.kind, BlockKind.LIST
    tex.lists.append(kind)

    def end() -> None:
        tex.par()
        tex.kind = before
        tex.lists.pop()

    tex.enter(name, end)


def _form(options: str, form: str, style: str) -> tuple[str, str]:
    """How the items of a list are numbered, by the options of enumitem or enumerate."""
    match = _LABEL_OPTION.search(options)
    if match:
        counted = _COUNTED.search(match[1])
        if counted:
            around = _COUNTED.sub("{}", match[1].replace("{", "").replace("}", ""), count=1)
            plain = re.sub(r"\\[a-zA-Z]+\s*", "", around)
            return plain, counted[1]
        return form, style
    short = _SHORT.match(options)
    if short:
        return f"{short[1]}{{}}{short[3]}", _SHORT_STYLES[short[2]]
    return form, style


def _item(tex: Tex) -> None:
    tex.par()
    stated = tex.reader.optional()
    if stated is not None:
        label = tex.render(stated)
        if tex.kind is BlockKind.FOOTNOTE:
            tex.out.parts.append(Script(1, label))
        else:
            tex.out.extend(label)
        tex.out.add(" ")
        return
    kind = tex.lists[-1] if tex.lists else "itemize"
    if kind.startswith("enumerate "):
        _, counter, form = kind.split(" ", 2)
        number = tex.step(counter)
        tex.out.add(form.replace("{}", number) + " ")
        if form != _USUAL[counter]:
            tex.here = Target(form.replace("{}", number).rstrip("."), counter)
    elif kind not in ("description", "list", "trivlist"):
        depth = sum(one in ("itemize", "compactitem") for one in tex.lists)
        tex.out.add(_BULLETS[min(max(depth, 1), 4) - 1] + " ")


def new_theorem(tex: Tex) -> None:
    """``\\newtheorem*{name}[shared]{Title}[within]``."""
    starred = tex.reader.star()
    name = tex.reader.text_argument()
    shared = tex.reader.text_optional()
    title = tex.render(tex.reader.argument()).plain()
    within = tex.reader.text_optional()
    counter = "" if starred else shared or name
    if counter and not shared:
        number: list[str] = ["\\arabic", "{", counter, "}"]
        if within:
            tex.counters.within[counter] = within
            number = ["\\the" + within, ".", *number]
        tex.reader.macros["\\the" + counter] = Macro(tuple(number))
    tex.theorems[name] = (title, counter)
    tex.environments[name] = _theorem


def _theorem(tex: Tex, name: str) -> None:
    title, counter = tex.theorems[name]
    tex.par()
    if counter:
        title = f"{title} {tex.step(counter)}"
        tex.here = Target(tex.here.number, name)
    note = tex.reader.optional()
    tex.out.add(title)
    if note is not None:
        tex.out.add(" (")
        tex.out.extend(tex.render(note))
        tex.out.add(")")
    tex.out.add(". ")
    tex.enter(name, tex.par)


def _proof(tex: Tex, name: str) -> None:
    tex.par()
    stated = tex.reader.optional()
    tex.out.extend(tex.render(stated)) if stated is not None else tex.out.add("Proof")
    tex.out.add(". ")
    tex.enter(name, tex.par)


def commands() -> dict[str, Handler]:
    """What commands of lists and statements mean."""
    return {"\\item": _item, "\\newtheorem": new_theorem}


def environments() -> dict[str, EnvironmentHandler]:
    """What environments of lists and statements mean."""
    return {**dict.fromkeys(_LISTS, _list), "proof": _proof}
