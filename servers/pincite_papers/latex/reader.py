"""Reader: tokens with macros expanded, within a budget; arguments of commands."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite_core.errors import LimitReachedError
from pincite_papers.latex.lexer import Lexer

_MOST_COST = 1_500_000
"""Steps that a source may take, whatever its length. Set by judgement."""
_MOST_MORE = 6_000_000
"""Steps that its length may add, one a character."""
_MOST_STACK = 20_000
"""Token lists that wait to be read: a macro that calls itself. Set by judgement."""
_MOST_OPTIONAL = 5000
"""Tokens of an optional argument. Set by judgement."""
_CHARACTERS_A_COST = 16
"""Characters of arguments that cost as much as a token."""
_DIMENSION = re.compile(r"\s*[-+]?\s*(?:\d*\.?\d*\s*(?:pt|mm|cm|in|ex|em|bp|pc|dd|cc|sp|mu)\b|\\|\d*\.\d*$)")

Part = str | int
"""A token of a macro's body, or the number of a parameter."""


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro: what must follow each parameter (``after``; () for a plain one), a default of the first, the body.

    ``lead`` is what must stand before the first parameter. ``kinds`` has a letter a parameter: ``m`` a plain or
    delimited one, ``o`` an optional one, ``s`` a star.
    """

    body: tuple[Part, ...]
    kinds: str = ""
    default: tuple[str, ...] | None = None
    lead: tuple[str, ...] = ()
    after: tuple[tuple[str, ...], ...] = ()


class Reader:
    """A stack of sources and pushed-back tokens. ``macros`` and ``expandable`` are applied by ``next``."""

    def __init__(self, characters: int = 0) -> None:
        """``characters``, the size of the source, is added to the budget."""
        self._most_cost = _MOST_COST + min(characters, _MOST_MORE)
        self.macros: dict[str, Macro] = {}
        self.expandable: dict[str, Callable[[], None]] = {}
        self._stack: list[Lexer | list[str]] = []
        self.endless: dict[str, None] = {}
        self._cost = 0

    def push_source(self, lexer: Lexer) -> None:
        """Read a file next."""
        self._stack.append(lexer)

    def push(self, tokens: Sequence[str]) -> None:
        """Read these tokens next."""
        if tokens:
            self._stack.append(list(reversed(tokens)))

    def unread(self, lexeme: str) -> None:
        """Give a token back."""
        top = self._stack[-1] if self._stack else None
        if isinstance(top, list):
            top.append(lexeme)
        else:
            self._stack.append([lexeme])

    def depth(self) -> int:
        """How many sources and expansions are open."""
        return len(self._stack)

    def open_files(self) -> list[str]:
        """The names of the files that are open, the outermost first."""
        return [source.name for source in self._stack if isinstance(source, Lexer)]

    def lexer(self) -> Lexer | None:
        """The file that tokens come from, when none are pushed back before it."""
        while self._stack and self._stack[-1] == []:
            self._stack.pop()
        top = self._stack[-1] if self._stack else None
        return top if isinstance(top, Lexer) else None

    def innermost_file(self) -> Lexer | None:
        """The innermost open file, whatever is pushed back before it."""
        return next((source for source in reversed(self._stack) if isinstance(source, Lexer)), None)

    def spend(self, cost: int) -> None:
        """Take from the budget of expansion; LimitReachedError when it is gone."""
        self._cost += cost
        if self._cost > self._most_cost:
            raise LimitReachedError(
                "Expanding the macros of the LaTeX source takes more steps than are allowed.",
                seen=f"more than {self._most_cost} tokens",
                next="Open the paper's PDF instead.",
            )

    def raw(self) -> str | None:
        """The next token as it stands; None at the end of everything."""
        stack = self._stack
        while stack:
            top = stack[-1]
            if isinstance(top, list):
                if top:
                    return top.pop()
            elif (lexeme := top.next()) is not None:
                return lexeme
            stack.pop()
        return None

    def next(self) -> str | None:
        """The next token that is not a macro and nothing else that only changes what is read."""
        while (lexeme := self.raw()) is not None:
            if lexeme[0] != "\\":
                return lexeme
            macro = self.macros.get(lexeme)
            if macro is not None:
                self._expand(lexeme, macro)
                continue
            action = self.expandable.get(lexeme)
            if action is None:
                return lexeme
            self.spend(1)
            action()
        return None

    def skip_spaces(self) -> None:
        """Pass over white space."""
        while (lexeme := self.raw()) is not None:
            if lexeme[0] == "\\" or not lexeme[0].isspace():
                self.unread(lexeme)
                return
            rest = lexeme.lstrip()
            if rest:
                self.unread(rest)
                return

    def peek(self) -> str:
        """The next token after white space, not passed over; "" at the end."""
        self.skip_spaces()
        lexeme = self.raw()
        if lexeme is None:
            return ""
        self.unread(lexeme)
        return lexeme

    def star(self) -> bool:
        """Pass over a star, if one is next."""
        lexeme = self.peek()
        if not lexeme.startswith("*"):
            return False
        self.raw()
        if lexeme[1:]:
            self.unread(lexeme[1:])
        return True

    def argument(self) -> list[str]:
        """The tokens of the next argument: a group's content, a control sequence or a single character."""
        self.skip_spaces()
        lexeme = self.raw()
        if lexeme is None:
            return []
        if lexeme == "{":
            return self._group()
        if lexeme == "}":
            self.unread(lexeme)
            return []
        if lexeme[0] != "\\" and len(lexeme) > 1:
            self.unread(lexeme[1:])
            return [lexeme[0]]
        return [lexeme]

    def optional(self, opening: str = "[", closing: str = "]") -> list[str] | None:
        """The tokens of an optional argument; None, and nothing passed, when there is none that ends."""
        lexeme = self.raw()
        if lexeme is None:
            return None
        if lexeme[0] != "\\" and not lexeme.strip():
            follows = self.raw()
            if follows is None or not follows.startswith(opening):
                if follows is not None:
                    self.unread(follows)
                self.unread(lexeme)
                return None
            lexeme = follows
        elif not lexeme.lstrip(" \t\n").startswith(opening):
            self.unread(lexeme)
            return None
        taken: list[str] = []
        if rest := lexeme.lstrip()[1:]:
            self.unread(rest)
        depth = 0
        for _ in range(_MOST_OPTIONAL):
            part = self.raw()
            if part is None or (depth == 0 and part in ("\\par", "}", "\\end")):
                if part is not None:
                    taken.append(part)
                break
            depth += (part == "{") - (part == "}")
            if depth == 0 and part[0] != "\\" and closing in part:
                before, _, rest = part.partition(closing)
                if rest:
                    self.unread(rest)
                self.spend(len(taken) // 4)
                return [*taken, before] if before else taken
            taken.append(part)
        self.spend(len(taken))
        self.push([opening, *taken])
        return None

    def dimension(self) -> None:
        """Pass over the optional length after a line break, if it is one."""
        taken = self.optional()
        if taken is not None and not _DIMENSION.match("".join(taken)):
            self.push(["[", *taken, "]"])

    def text_argument(self) -> str:
        """The next argument as it is written: names of files, labels, environments."""
        return spelled(self.argument())

    def text_optional(self) -> str | None:
        """An optional argument as it is written."""
        taken = self.optional()
        return None if taken is None else spelled(taken)

    def _group(self) -> list[str]:
        """The tokens up to the brace that closes the group which was just opened."""
        taken: list[str] = []
        depth, characters = 1, 0
        while (lexeme := self.raw()) is not None:
            if lexeme == "{":
                depth += 1
            elif lexeme == "}":
                depth -= 1
                if depth == 0:
                    break
            taken.append(lexeme)
            characters += len(lexeme)
        self.spend((len(taken) + characters // _CHARACTERS_A_COST) // 4)
        return taken

    def _expand(self, name: str, macro: Macro) -> None:
        if len(self._stack) > _MOST_STACK:
            # Without it the rest of the source can still be read.
            del self.macros[name]
            self.endless[name] = None
            return
        arguments = self._arguments(macro)
        out: list[str] = []
        characters = 0
        for part in macro.body:
            if isinstance(part, str):
                out.append(part)
                characters += len(part)
            elif part <= len(arguments):
                out += arguments[part - 1]
                characters += sum(map(len, arguments[part - 1]))
                self.spend(len(arguments[part - 1]))
        self.spend(1 + len(macro.body) + characters // _CHARACTERS_A_COST)
        self.push(out)

    def _arguments(self, macro: Macro) -> list[list[str]]:
        self._delimited(macro.lead)
        found: list[list[str]] = []
        for index, kind in enumerate(macro.kinds):
            after = macro.after[index] if index < len(macro.after) else ()
            if kind == "s":
                found.append(["\\BooleanTrue"] if self.star() else ["\\BooleanFalse"])
            elif kind == "o":
                taken = self.optional()
                found.append(list(macro.default or ("\\NoValue",)) if taken is None else taken)
            elif after:
                found.append(self._delimited(after))
            else:
                found.append(self.argument())
        return found

    def _delimited(self, mark: tuple[str, ...]) -> list[str]:
        """The tokens before ``mark``, which is passed over; without it, those up to the end of the paragraph."""
        if not mark:
            return []
        taken: list[str] = []
        depth = 0
        for _ in range(_MOST_OPTIONAL):
            lexeme = self.raw()
            if lexeme is None or lexeme == "\\par":
                break
            if depth == 0 and mark[0][0] != "\\" and lexeme[0] != "\\" and mark[0] in lexeme:
                before, _, rest = lexeme.partition(mark[0])
                if rest:
                    self.unread(rest)
                return [*taken, before] if before else taken
            if depth == 0 and lexeme == mark[0]:
                return taken
            depth += (lexeme == "{") - (lexeme == "}")
            taken.append(lexeme)
        self.spend(len(taken))
        return taken


def spelled(tokens: Sequence[str]) -> str:
    """Tokens as written, without braces and surplus white space."""
    return " ".join("".join(lexeme for lexeme in tokens if lexeme not in "{}").split())
