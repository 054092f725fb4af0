"""Conditionals and other commands that only change what is read: ``\\iffalse``, ``\\newif``, ``\\csname``."""

import re

from pincite_papers.latex.reader import Macro, spelled
from pincite_papers.latex.tex import Tex

_NOT_TEX = frozenset(
    (
        "\\iff",
        "\\ifthenelse",
        "\\ifstrequal",
        "\\ifstrempty",
        "\\ifblank",
        "\\ifnotblank",
        "\\ifboolexpr",
        "\\ifbool",
        "\\iftoggle",
        "\\ifdefstring",
        "\\ifdefempty",
        "\\ifnumcomp",
        "\\ifinlist",
        "\\ifpackageloaded",
    )
)
_MOST_NAMING = 20
"""``\\csname`` inside each other. Set by judgement."""
_COMPARED = re.compile(r"\s*(-?\d{1,9})\s*([<>=])\s*(-?\d{1,9})\s*")
_KNOWN_TRUE = frozenset(("\\iftrue", "\\ifpdf", "\\ifvmode", "\\ifpdftex", "\\ifPDFTeX"))
_KNOWN_FALSE = frozenset(
    "\\" + name
    for name in [
        "iffalse",
        "ifmmode",
        "ifhmode",
        "ifinner",
        "ifxetex",
        "ifluatex",
        "ifXeTeX",
        "ifLuaTeX",
        "ifeof",
        "if@twocolumn",
        "if@draft",
        "ifdraft",
    ]
)


class Conditionals:
    """The switches of a source, and the reading of what stands between ``\\if...`` and ``\\fi``."""

    def __init__(self, tex: Tex) -> None:
        self._tex = tex
        self._reader = tex.reader
        self._open = 0
        self._naming = 0
        tex.unknown_conditional = self.unknown
        actions = tex.reader.expandable
        for name in _KNOWN_TRUE:
            actions[name] = lambda: self._take(holds=True)
        for name in _KNOWN_FALSE:
            actions[name] = lambda: self._take(holds=False)
        actions["\\ifx"] = self._if_same
        actions["\\if"] = self._if_same
        actions["\\ifcat"] = self._if_same
        actions["\\ifnum"] = self._if_number
        actions["\\ifdim"] = lambda: self._undecided(2)
        actions["\\ifodd"] = lambda: self._undecided(1)
        actions["\\ifcase"] = self._if_case
        actions["\\ifdefined"] = self._if_defined
        actions["\\ifcsname"] = self._if_named
        actions["\\else"] = self._otherwise
        actions["\\or"] = self._otherwise
        actions["\\fi"] = self._end
        actions["\\newif"] = self._new
        actions["\\csname"] = self._named
        actions["\\ifthenelse"] = self._then_else
        actions["\\IfFileExists"] = self._if_file
        actions["\\@ifundefined"] = lambda: self._choose(holds=not self._is_known("\\" + self._reader.text_argument()))
        actions["\\@ifpackageloaded"] = lambda: self._choose(holds=self._reader.text_argument() in tex.packages)
        actions["\\@ifstar"] = lambda: self._choose(holds=self._reader.star())
        actions["\\@ifnextchar"] = self._if_next
        actions["\\IfBooleanTF"] = lambda: self._choose(holds=self._reader.argument() == ["\\BooleanTrue"])
        actions["\\IfNoValueTF"] = lambda: self._choose(holds=self._reader.argument() == ["\\NoValue"])
        actions["\\IfValueTF"] = lambda: self._choose(holds=self._reader.argument() != ["\\NoValue"])
        actions["\\ifblank"] = lambda: self._choose(holds=not spelled(self._reader.argument()))
        actions["\\ifstrempty"] = actions["\\ifblank"]
        # Of switches that packages set, none is on.
        actions["\\ifboolexpr"] = lambda: self._choose(holds=not self._reader.argument())
        actions["\\ifstrequal"] = lambda: self._choose(holds=self._reader.argument() == self._reader.argument())
        actions["\\ifbool"] = lambda: self._choose(holds=self._switch(self._reader.text_argument()))
        actions["\\iftoggle"] = actions["\\ifbool"]
        actions["\\newtoggle"] = lambda: self._set(self._reader.text_argument(), holds=False)
        actions["\\newbool"] = actions["\\newtoggle"]
        actions["\\toggletrue"] = lambda: self._set(self._reader.text_argument(), holds=True)
        actions["\\togglefalse"] = actions["\\newtoggle"]
        actions["\\settoggle"] = self._assign
        actions["\\setbool"] = self._assign
        actions["\\setboolean"] = self._assign
        actions["\\newboolean"] = actions["\\newtoggle"]

    def _is_known(self, name: str) -> bool:
        return name in self._reader.macros or name in self._tex.handlers or name in self._reader.expandable

    def _set(self, name: str, *, holds: bool) -> None:
        self._reader.expandable["\\if" + name] = lambda: self._take(holds=holds)
        self._reader.macros[f"\\pincite switch {name}"] = Macro(("1",) if holds else ())

    def _switch(self, name: str) -> bool:
        macro = self._reader.macros.get(f"\\pincite switch {name}")
        return macro is not None and bool(macro.body)

    def _assign(self) -> None:
        name = self._reader.text_argument()
        self._set(name, holds=self._reader.text_argument() == "true")

    def _new(self) -> None:
        name = self._reader.raw() or ""
        if not name.startswith("\\if") or len(name) < 4:
            return
        word = name[3:]
        self._set(word, holds=False)
        self._reader.expandable[f"\\{word}true"] = lambda: self._set(word, holds=True)
        self._reader.expandable[f"\\{word}false"] = lambda: self._set(word, holds=False)

    def _take(self, *, holds: bool) -> None:
        """Read on in the branch that holds."""
        if holds or self._skip(to_else=True):
            self._open += 1

    def _otherwise(self) -> None:
        """An ``\\else`` behind a branch that was read: pass over the other one."""
        if self._open:
            self._open -= 1
            self._skip(to_else=False)

    def _end(self) -> None:
        self._open = max(self._open - 1, 0)

    def _skip(self, *, to_else: bool) -> bool:
        """Pass over tokens up to this conditional's ``\\fi``, or ``\\else``: then True."""
        depth, count = 0, 0
        while (lexeme := self._reader.raw()) is not None:
            count += 1
            if lexeme == "\\fi":
                if depth == 0:
                    break
                depth -= 1
            elif lexeme == "\\else" and depth == 0 and to_else:
                return True
            elif lexeme == "\\newif":
                self._reader.raw()
            elif lexeme.startswith("\\if") and self._opens(lexeme):
                depth += 1
        # A file that is skipped whole is read only once: this costs nothing that was not there.
        self._reader.spend(count // 50)
        return False

    def _opens(self, name: str) -> bool:
        """Whether a command is a conditional: a known one, else one that no argument follows."""
        if name in _NOT_TEX:
            return False
        return name in self._reader.expandable or self._reader.peek() != "{"

    def unknown(self, name: str) -> bool:
        """Read the first branch of a conditional that is not known; False when the command is none."""
        if name in _NOT_TEX or self._reader.peek() == "{":
            return False
        self._undecided(0)
        return True

    def _undecided(self, arguments: int) -> None:
        """A condition that is not worked out: its first branch is read."""
        for _ in range(arguments):
            self._reader.peek()
        self._tex.warn("A conditional could not be worked out: its first branch was read.")
        self._open += 1

    def _if_same(self) -> None:
        self._reader.skip_spaces()
        one, other = self._one(), self._one()
        same = one == other or (self._is_macro(one) and self._reader.macros.get(one) == self._reader.macros.get(other))
        self._take(holds=same)

    def _is_macro(self, name: str) -> bool:
        """Whether a name is a macro, or nothing at all: two of these compare by their meaning."""
        return name in self._reader.macros or (name.startswith("\\") and not self._is_known(name))

    def _one(self) -> str:
        lexeme = self._reader.raw() or ""
        if lexeme and lexeme[0] != "\\" and len(lexeme) > 1:
            self._reader.unread(lexeme[1:])
            return lexeme[0]
        return lexeme

    def _if_number(self) -> None:
        """``\\ifnum``: numbers as they stand, and counters' values."""
        text = ""
        for _ in range(12):
            lexeme = self._reader.next()
            if lexeme is None:
                break
            if lexeme in ("\\value", "\\arabic"):
                text += str(self._tex.counters.get(self._reader.text_argument()))
            elif lexeme[0] == "\\":
                self._reader.unread(lexeme)
                break
            else:
                text += lexeme
            match = _COMPARED.match(text)
            if match and (match.end() < len(text) or lexeme == " "):
                break
        match = _COMPARED.match(text)
        if match is None:
            self._reader.push([text] if text else [])
            self._undecided(0)
            return
        if text[match.end() :]:
            self._reader.unread(text[match.end() :])
        one, other = int(match[1]), int(match[3])
        self._take(holds={"<": one < other, ">": one > other, "=": one == other}[match[2]])

    def _if_case(self) -> None:
        self._reader.argument()
        self._open += 1

    def _if_defined(self) -> None:
        self._take(holds=self._is_known(self._reader.raw() or ""))

    def _if_named(self) -> None:
        self._take(holds=self._is_known(self._name()))

    def _named(self) -> None:
        self._reader.push([self._name()])

    def _name(self) -> str:
        parts: list[str] = []
        self._naming += 1
        for _ in range(50):
            lexeme = self._reader.next() if self._naming < _MOST_NAMING else self._reader.raw()
            if lexeme is None or lexeme == "\\endcsname":
                break
            parts.append(lexeme)
        self._naming -= 1
        return "\\" + ("".join(parts).replace("\\", "") or "relax")

    def _then_else(self) -> None:
        """``\\ifthenelse{condition}{one}{other}`` with ``\\boolean`` or ``\\equal``; else the first is read."""
        condition = self._reader.argument()
        holds = True
        if condition[:1] == ["\\boolean"] or condition[:2] == ["\\NOT", "\\boolean"]:
            holds = self._switch(spelled(condition).rpartition("\\boolean")[2]) == (condition[0] == "\\boolean")
        elif condition[:1] == ["\\equal"]:
            self._reader.push([*condition[1:]])
            holds = spelled(self._reader.argument()) == spelled(self._reader.argument())
        self._choose(holds=holds)

    def _choose(self, *, holds: bool) -> None:
        one, other = self._reader.argument(), self._reader.argument()
        self._reader.push(one if holds else other)

    def _if_file(self) -> None:
        self._choose(holds=self._tex.files.find(self._reader.text_argument()) is not None)

    def _if_next(self) -> None:
        wanted = self._reader.argument()
        one, other = self._reader.argument(), self._reader.argument()
        follows = self._reader.peek()
        self._reader.push(one if wanted and follows.startswith(wanted[0]) else other)
