"""Sections, lists, statements (theorems), quotations, footnotes and what else makes up the running text."""

import re

from pincite_papers.latex.inline import Inline, Script, inline
from pincite_papers.latex.items import BlockItem, CodeItem, HeadingItem
from pincite_papers.latex.reader import Macro, spelled
from pincite_papers.latex.tex import EnvironmentHandler, Handler, Target, Tex
from pincite_papers.model import BlockKind

_LEVELS = {
    "part": -1,
    "chapter": 0,
    "section": 1,
    "subsection": 2,
    "subsubsection": 3,
    "paragraph": 4,
    "subparagraph": 5,
}
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
_CODE = ("verbatim", "Verbatim", "lstlisting", "minted", "alltt", "BVerbatim", "LVerbatim", "verbatimtab", "spverbatim")
_PASSED = ("comment", "filecontents", "CCSXML")
_MARKS = ("tikzpicture", "picture", "pspicture", "pgfpicture", "circuitikz", "tikzcd", "asy", "feynman")


def section(name: str) -> Handler:
    """``\\section*[short]{title}`` and its kin."""

    def handle(tex: Tex) -> None:
        starred = tex.reader.star()
        tex.reader.optional()
        tex.par()
        number = "" if starred or not _numbered(tex, name) else _step(tex, name)
        title = tex.group(math=False)
        if tex.nested:
            tex.out.extend(title)
            tex.out.add(" ")
            return
        first = 0 if tex.style.chapters else 1
        level = max(_LEVELS[name] - first + 1, 1)
        tex.items.append(HeadingItem(title, level, number))

    return handle


def _numbered(tex: Tex, name: str) -> bool:
    depth = tex.counters.values.get("secnumdepth", tex.style.depth)
    return _LEVELS[name] <= depth and ("\\the" + name in tex.reader.macros)


def _step(tex: Tex, name: str) -> str:
    number = tex.step(name)
    if tex.style.full and _LEVELS[name] > 1:
        above = tex.number("section")
        # A class of this kind prints "A." and refers to "II A".
        tex.here = Target(f"{above} {number}".strip(), name)
    return number


def _appendix(tex: Tex) -> None:
    top = "chapter" if tex.style.chapters else "section"
    tex.counters.set(top, 0)
    tex.counters.set("subsection", 0)
    tex.reader.macros["\\the" + top] = Macro(("\\Alph", "{", top, "}"))


def _label(tex: Tex) -> None:
    name = tex.reader.text_argument()
    if tex.row_labels is not None:
        tex.row_labels.append(name)
        return
    tex.labels.setdefault(name, tex.here)


def _footnote(tex: Tex) -> None:
    number = tex.reader.text_optional() or tex.step("footnote")
    _mark(tex, number)
    note = tex.group(math=False)
    add_footnote(tex, number, note)


def _footnote_mark(tex: Tex) -> None:
    _mark(tex, tex.reader.text_optional() or tex.step("footnote"))


def _footnote_text(tex: Tex) -> None:
    number = tex.reader.text_optional() or tex.number("footnote")
    add_footnote(tex, number, tex.group(math=False))


def _mark(tex: Tex, number: str) -> None:
    tex.out.parts.append(Script(1, inline(number)))


def add_footnote(tex: Tex, mark: str, note: Inline) -> None:
    """Append a note behind its mark, after the paragraph."""
    whole = Inline()
    if mark:
        whole.parts.append(Script(1, inline(mark)))
        whole.add(" ")
    whole.extend(note)
    tex.add_item(BlockItem(BlockKind.FOOTNOTE, whole))


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


def _code(tex: Tex, name: str) -> None:
    tex.par()
    lexer = tex.reader.lexer() or tex.reader.innermost_file()
    text = lexer.take_until(f"\\end{{{name}}}") if lexer is not None else None
    if text is None:
        tex.enter(name, tex.par)
        return
    head, _, rest = text.partition("\n")
    # The rest of the first line holds options, if anything; a verbatim that starts there is kept.
    lines = rest if re.match(r"^\s*(?:\[.*\]|\{.*\}|)+\s*$", head) else text
    if lines.strip():
        tex.add_item(CodeItem(lines))


def _comment(tex: Tex, name: str) -> None:
    lexer = tex.reader.lexer() or tex.reader.innermost_file()
    if lexer is None or lexer.take_until(f"\\end{{{name}}}") is None:
        tex.enter(name)


def _drawing(tex: Tex, name: str) -> None:
    """A picture drawn by commands: passed over, and said so."""
    lexer = tex.reader.lexer()
    if lexer is not None and lexer.take_until(f"\\end{{{name}}}") is not None:
        tex.warn("Pictures drawn by commands (TikZ, pgfplots, picture) are not read: their text is lost.")
        if tex.float is not None:
            tex.float.drawn = True
        return
    content = Inline()
    with tex.into(content):
        tex.body(name)
    tex.warn("Pictures drawn by commands (TikZ, pgfplots, picture) are not read: their text is lost.")


def _plain(tex: Tex, name: str) -> None:
    """An environment of which only the content counts."""
    tex.drop_options()
    tex.enter(name)


def _paragraphs(tex: Tex, name: str) -> None:
    tex.par()
    tex.drop_options()
    tex.enter(name, tex.par)


def _with_arguments(count: int) -> EnvironmentHandler:
    def handle(tex: Tex, name: str) -> None:
        for _ in range(3):
            if tex.reader.optional() is None:
                break
        for _ in range(count):
            tex.reader.argument()
        tex.enter(name)

    return handle


def _acknowledgments(tex: Tex, name: str) -> None:
    tex.par()
    tex.items.append(HeadingItem(inline("Acknowledgments"), 1, ""))
    tex.enter(name, tex.par)


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
    """What commands of the running text mean."""
    return {
        **{"\\" + name: section(name) for name in _LEVELS},
        "\\appendix": _appendix,
        "\\label": _label,
        "\\footnote": _footnote,
        "\\footnotemark": _footnote_mark,
        "\\footnotetext": _footnote_text,
        "\\endnote": _footnote,
        "\\item": _item,
        "\\newtheorem": new_theorem,
        "\\setcounter": _set_counter,
        "\\addtocounter": _add_counter,
        "\\newcounter": _new_counter,
        "\\numberwithin": _within,
        "\\counterwithin": _within,
        "\\stepcounter": _step_counter,
        "\\refstepcounter": _step_counter,
    }


def environments() -> dict[str, EnvironmentHandler]:
    """What environments of the running text mean."""
    found: dict[str, EnvironmentHandler] = {}
    found |= dict.fromkeys(
        [
            "itemize",
            "enumerate",
            "description",
            "list",
            "trivlist",
            "compactitem",
            "compactenum",
            "inparaenum",
            "enumerate*",
            "itemize*",
            "asparaenum",
            "inparaitem",
            "compactdesc",
            "Itemize",
        ],
        _list,
    )
    found |= dict.fromkeys(("quote", "quotation", "verse", "displayquote", "abstract*"), _paragraphs)
    found |= dict.fromkeys(_CODE, _code)
    found |= dict.fromkeys(_PASSED, _comment)
    found |= dict.fromkeys(("filecontents*",), _comment)
    found |= dict.fromkeys(_MARKS, _drawing)
    found |= dict.fromkeys(("center", "flushleft", "flushright", "widetext", "appendices", "spacing"), _paragraphs)
    found |= dict.fromkeys(
        (
            "small",
            "footnotesize",
            "scriptsize",
            "tiny",
            "large",
            "group",
            "document",
            "ruledtabular",
            "threeparttable",
            "threeparttablex",
            "measuredfigure",
        ),
        _plain,
    )
    found |= dict.fromkeys(("sloppypar", "landscape", "singlespace", "doublespace", "adjustwidth*"), _plain)
    found |= dict.fromkeys(("minipage", "adjustbox", "multicols", "CJK", "CJK*", "scope", "turn"), _with_arguments(1))
    found |= dict.fromkeys(("adjustwidth", "changemargin"), _with_arguments(2))
    found |= dict.fromkeys(("acknowledgments", "acknowledgements", "acknowledgement", "acks", "ack"), _acknowledgments)
    return found | {"proof": _proof}
