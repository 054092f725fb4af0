"""Tex: the state of reading a LaTeX source, and the loop that hands each token to what it means.

It is a reader of structure, not TeX: definitions are not undone at the end of a group, boxes and lengths are passed
over, and nothing is ever executed outside this process.
"""

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from pincite_papers.latex.counters import Counters
from pincite_papers.latex.files import SourceFiles
from pincite_papers.latex.inline import Cite, Inline, Ref, Text
from pincite_papers.latex.items import BlockItem, Item
from pincite_papers.latex.reader import Macro, Reader, spelled
from pincite_papers.latex.rows import Rows
from pincite_papers.latex.state import Acronyms, Float, Front, Mode, Target
from pincite_papers.latex.styles import ClassStyle
from pincite_papers.model import BlockKind

Handler = Callable[["Tex"], None]
EnvironmentHandler = Callable[["Tex", str], None]
MOST_DEPTH = 60
"""Environments and groups inside each other: Python's own stack is near its end beyond. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Language:
    """What commands and environments mean, and what is done with a token that is not a command or brace."""

    commands: dict[str, Handler]
    environments: dict[str, EnvironmentHandler]
    character: Callable[["Tex", str], None]


class Tex:
    """Reading of one source. Handlers of commands and environments are functions of this."""

    def __init__(self, files: SourceFiles, language: "Language") -> None:
        self.files = files
        self.reader = Reader(sum(map(len, files.texts.values())))
        self.handlers = language.commands
        self.environments = language.environments
        self.character = language.character
        self.own_environments: dict[str, tuple[Macro, Macro]] = {}
        self.columns: dict[str, tuple[int, list[str]]] = {}
        self.style = ClassStyle()
        self.options: set[str] = set()
        self.packages: dict[str, set[str]] = {}
        self.counters = Counters()
        self.acronyms = Acronyms()
        self.front = Front()
        self.labels: dict[str, Target] = {}
        self.here = Target()
        self.items: list[Item] = []
        self.out = Inline()
        self.kind = BlockKind.PARAGRAPH
        self.float: Float | None = None
        self.lists: list[str] = []
        self.unknown: Counter[str] = Counter()
        self.warnings: dict[str, None] = {}
        self.cited: dict[str, None] = {}
        self.bibliographies: list[str] = []
        self.links: list[str] = []
        self.numbered_row = True
        self.row_tag: Inline | None = None
        self.row_labels: list[str] | None = None
        self.spans = [1, 1]
        self.units: dict[str, list[str]] = {}
        self.unit_options: list[str] = []
        self.graphics_folders: list[str] = []
        self.outer_float: Float | None = None
        self.delux: Rows | None = None
        self.at_begin: list[str] = []
        self.printed_bibliography = False
        self.in_list = False
        self.made_list = False
        self.unknown_conditional: Callable[[str], bool] = lambda name: False
        self.by_name = True
        self.bibliography_style = ""
        self.files_read = 0
        self.own_packages: set[str] = set()
        self.theorems: dict[str, tuple[str, str]] = {}
        self.in_body = False
        self.nested: int = 0
        self._pending: list[Item] = []
        self._mode = Mode()
        self._groups: list[Mode] = []
        self._open: list[tuple[str, Callable[[], None] | None]] = []
        self._depth = 0

    # Modes

    @property
    def math(self) -> bool:
        """Whether a formula is being read."""
        return self._mode.math

    @property
    def upright(self) -> bool:
        """Whether letters of a formula are upright words, as in ``\\mathrm``."""
        return self._mode.upright

    @property
    def tight(self) -> bool:
        """Whether a script is being read, where operators stand without spaces."""
        return self._mode.tight

    @contextmanager
    def mode(self, *, math: bool | None = None, upright: bool = False, tight: bool | None = None) -> Generator[None]:
        """Read in another mode for a while."""
        before = self._mode
        self._mode = Mode(before.math if math is None else math, upright, before.tight if tight is None else tight)
        try:
            yield
        finally:
            self._mode = before

    @contextmanager
    def into(self, content: Inline) -> Generator[Inline]:
        """Read into other inline content, where no block may begin."""
        before, self.out = self.out, content
        self.nested += 1
        try:
            yield content
        finally:
            self.out = before
            self.nested -= 1

    def set_upright(self) -> None:
        """Upright letters until the group ends, as after ``\\rm``."""
        self._mode = Mode(self._mode.math, True, self._mode.tight)

    # The loop

    def run(self, *stops: str) -> str:
        """Read until a token of ``stops`` outside of inner groups, which is returned; "" at the end of the source.

        It also returns, with ``\\end``, where an environment ends that was opened before.
        """
        groups, opened = len(self._groups), len(self._open)
        self._depth += 1
        try:
            while (lexeme := self.reader.next()) is not None:
                if lexeme in stops and (len(self._groups) == groups or lexeme == "\\par"):
                    return lexeme
                if lexeme == "\\end":
                    if self._end(opened):
                        return lexeme
                elif lexeme[0] == "\\":
                    self._command(lexeme)
                elif lexeme == "{":
                    self._groups.append(self._mode)
                elif lexeme == "}":
                    if len(self._groups) > groups:
                        self._mode = self._groups.pop()
                else:
                    self.character(self, lexeme)
            return ""
        finally:
            self._depth -= 1
            if len(self._groups) > groups:
                self._mode = self._groups[groups]
                del self._groups[groups:]

    @property
    def too_deep(self) -> bool:
        """Whether nothing may be read by a further call; what comes is then read as if in plain groups."""
        return self._depth >= MOST_DEPTH

    def _command(self, lexeme: str) -> None:
        handler = self.handlers.get(lexeme)
        if handler is not None:
            handler(self)
        elif lexeme == "\\begin":
            self.begin(self.reader.text_argument())
        else:
            self.unknown_command(lexeme)

    def unknown_command(self, name: str) -> None:
        """Pass over a command that is not known; its arguments are read as text, but for options."""
        if name.startswith("\\if") and len(name) > 3 and self.unknown_conditional(name):
            return
        if len(name) > 1 and (name[1].isalpha() or name[1] == "@"):
            self.unknown[name] += 1
        self.drop_options()
        self._part_digits()

    def _part_digits(self) -> None:
        """A space where a command that is passed over stood between digits: they are not a number together."""
        part = self.out.parts[-1] if self.out.parts else None
        if isinstance(part, Text) and part.text[-1:].isdigit():
            follows = self.reader.raw()
            if follows is not None:
                self.reader.unread(follows)
                if follows[0].isdigit():
                    self.out.add(" ")

    def drop_options(self, others: frozenset[str] = frozenset()) -> None:
        """Pass over an optional argument that holds settings, or is one of ``others``."""
        taken = self.reader.optional()
        if taken is not None and not any("=" in lexeme for lexeme in taken) and spelled(taken) not in others:
            self.reader.push(["[", *taken, "]"])

    # Environments

    def begin(self, name: str) -> None:
        """Begin an environment."""
        own = self.own_environments.get(name)
        if own is not None:
            self.reader.macros["\\begin " + name] = own[0]
            self.reader.push(["\\begin " + name])
            return
        handler = self.environments.get(name)
        if handler is not None and not self.too_deep:
            handler(self, name)
        else:
            if handler is None and name not in ("document", ""):
                self.unknown["\\begin{" + name + "}"] += 1
            self.drop_options(_PLACES)
            self.enter(name)

    def enter(self, name: str, on_end: Callable[[], None] | None = None) -> None:
        """Go on in an environment; ``on_end`` is called where it ends."""
        self._open.append((name, on_end))

    def body(self, name: str, *stops: str) -> str:
        """Read the content of an environment up to its end, or to a token of ``stops``."""
        self._open.append((name, None))
        depth = len(self._open)
        stop = self.run(*stops)
        del self._open[depth - 1 :]
        return stop

    def _end(self, opened: int) -> bool:
        """The end of an environment: whether the loop that began with ``opened`` environments must return."""
        name = self.reader.text_argument()
        own = self.own_environments.get(name)
        if own is not None:
            self.reader.push([part for part in own[1].body if isinstance(part, str)])
            return False
        names = [one for one, _ in self._open[-4 * MOST_DEPTH :]]
        if name not in names:
            return False
        place = len(self._open) - 1 - names[::-1].index(name)
        while len(self._open) > max(place, opened):
            _, on_end = self._open.pop()
            if on_end is not None:
                on_end()
        if place >= opened:
            return False
        if place < opened - 1:
            self.reader.push(["\\end", "{", name, "}"])
        return True

    # Inline content

    def group(self, *, math: bool | None = None, upright: bool = False, tight: bool | None = None) -> Inline:
        """The next argument, read in a mode; empty where nesting is too deep (what comes is read in its place)."""
        content = Inline()
        if self.too_deep:
            return content
        self.reader.skip_spaces()
        lexeme = self.reader.next()
        if lexeme is None:
            return content
        if lexeme in ("}", "\\end", "\\par"):
            self.reader.unread(lexeme)
            return content
        self._depth += 1
        with self.into(content), self.mode(math=math, upright=upright, tight=tight):
            if lexeme == "{":
                self.run("}")
            elif lexeme[0] == "\\":
                self._command(lexeme)
            else:
                if len(lexeme) > 1:
                    self.reader.unread(lexeme[1:])
                self.character(self, lexeme[0])
        self._depth -= 1
        return content

    def render(self, tokens: Sequence[str], *, math: bool = False) -> Inline:
        """Tokens as inline content."""
        content = Inline()
        if self.too_deep:
            return content
        self.reader.push(["{", *tokens, "}"])
        with self.into(content), self.mode(math=math, tight=False):
            self.reader.raw()
            self.run("}")
        return content

    # Blocks

    def par(self) -> None:
        """End the paragraph."""
        if self.nested:
            self.out.add(" ")
            return
        if not self.out.empty():
            self.items.append(BlockItem(self.kind, self.out))
        self.out = Inline()
        if self._pending:
            self.items += self._pending
            self._pending = []

    def add_item(self, item: Item) -> None:
        """Append an item that is not part of the paragraph: at once between paragraphs, else behind this one."""
        if self.nested or not self.out.empty():
            self._pending.append(item)
        else:
            self.items.append(item)

    @contextmanager
    def aside(self) -> Generator[list[Item]]:
        """Read blocks of their own, as in a float; they are given in a list, and the paragraph goes on behind."""
        before = self.out, self.items, self._pending, self.kind, self.lists
        nested = self.nested
        found: list[Item] = []
        self.out, self.items, self._pending, self.lists = Inline(), found, [], []
        self.nested = 0
        self.kind = BlockKind.PARAGRAPH
        mode, self._mode = self._mode, Mode()
        try:
            yield found
            self.par()
        finally:
            self.out, self.items, self._pending, self.kind, self.lists = before
            self.nested = nested
            self._mode = mode

    def warn(self, text: str) -> None:
        """Note what could not be read, once."""
        if len(self.warnings) < 50:
            self.warnings[text] = None

    def cite(self, part: Cite) -> None:
        """Append a citation."""
        self.cited.update(dict.fromkeys(part.keys))
        self.out.parts.append(part)

    def refer(self, part: Ref) -> None:
        """Append a reference to a label."""
        self.out.parts.append(part)

    # Numbers

    def step(self, counter: str) -> str:
        """Step a counter: labels name it from here on; its number as printed."""
        self.counters.step(counter)
        number = self.number(counter)
        self.here = Target(number, counter)
        return number

    def number(self, counter: str) -> str:
        """The number of a counter as it is printed."""
        return self.render(["\\the" + counter]).plain()


_PLACES = frozenset(
    ("h", "t", "b", "p", "htb", "htbp", "!htb", "!t", "!h", "!ht", "ht", "tb", "H", "!htbp", "tbp", "!b")
)
