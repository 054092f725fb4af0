"""Resolver: what citations and references print, once all labels and entries are known."""

import re
from dataclasses import dataclass

from pincite_papers.latex.inline import Cite, Inline, Ref
from pincite_papers.latex.items import ReferenceItem
from pincite_papers.latex.state import Target
from pincite_papers.latex.tex import Tex
from pincite_papers.markup import Run

_TAG = re.compile(r"^(?P<names>.*?)\s*\(\s*(?P<year>(?:1[5-9]|20)\d\d\w?|[^()]{0,16})\s*\)", re.DOTALL)
_UNKNOWN = "??"
_BARE = ("onlinecite", "citealp", "citenum")
_NAMES = {
    "section": ("section", "sec."),
    "subsection": ("section", "sec."),
    "subsubsection": ("section", "sec."),
    "chapter": ("chapter", "ch."),
    "figure": ("figure", "fig."),
    "table": ("table", "table"),
    "equation": ("equation", "eq."),
    "enumi": ("item", "item"),
    "footnote": ("footnote", "footnote"),
    "algorithm": ("algorithm", "alg."),
    "part": ("part", "part"),
}
_PLURALS = {"eq.": "eqs.", "fig.": "figs.", "sec.": "sections", "alg.": "algs.", "ch.": "chs."}


@dataclass(frozen=True, slots=True)
class _Entry:
    number: int
    names: str
    year: str
    tag: str


class Resolver:
    """Called with a run and a reference or citation, it appends what is printed."""

    def __init__(self, tex: Tex) -> None:
        self._tex = tex
        self._entries: dict[str, _Entry] = {}
        self._missing_keys: dict[str, None] = {}
        self._missing_labels: dict[str, None] = {}
        for item in tex.items:
            if isinstance(item, ReferenceItem) and item.anchor not in self._entries:
                match = _TAG.match(item.tag)
                names, year = (match["names"].strip(), match["year"]) if match else ("", "")
                self._entries[item.anchor] = _Entry(len(self._entries) + 1, names, year, item.tag)
        self._style = _style(tex, list(self._entries.values()))

    @property
    def shows_keys(self) -> bool:
        """Whether the list prints a number or key before each entry."""
        return self._style != "author-year"

    def printed_key(self, anchor: str) -> str:
        """The number or key of an entry as it is printed."""
        entry = self._entries.get(anchor)
        if entry is None:
            return anchor
        if self._style == "author-year":
            return f"{entry.names} {entry.year}".strip() or anchor
        return entry.tag if self._style == "tags" and entry.tag else str(entry.number)

    def __call__(self, run: Run, part: Ref | Cite) -> None:
        """Append what the reference or citation prints."""
        if isinstance(part, Ref):
            run.add(self._reference(part))
        else:
            self._citation(run, part)

    def warnings(self) -> list[str]:
        """What could not be resolved."""
        found: list[str] = []
        if self._missing_labels:
            found.append(f"References to labels that do not exist: {_listed(list(self._missing_labels))}.")
        if self._missing_keys:
            found.append(f"Citations of entries that the reference list lacks: {_listed(list(self._missing_keys))}.")
        return found

    def _citation(self, run: Run, part: Cite) -> None:
        known = [key for key in part.keys if key in self._entries]
        self._missing_keys.update(dict.fromkeys(key for key in part.keys if key not in self._entries))
        before, after = _note(part.before, self), _note(part.after, self)
        if part.command in ("citeauthor", "citeyear", "citeyearpar"):
            self._names_only(run, part, known)
        elif self._style == "author-year":
            self._by_name(run, part, before, after)
        else:
            self._by_number(run, part, known, before, after)

    def _by_number(self, run: Run, part: Cite, known: list[str], before: Run, after: Run) -> None:
        shown = [self.printed_key(key) if key in self._entries else "?" for key in part.keys]
        if all(number.isdecimal() for number in shown) and "sort" in "".join(self._tex.packages.get("natbib", ())):
            shown.sort(key=int)
            known.sort(key=lambda key: self._entries[key].number)
        text = ", ".join(shown)
        bare = part.command in _BARE
        if part.command == "citet" and len(known) == 1 and self._entries[known[0]].names:
            run.add_citation(known, self._entries[known[0]].names).add(" ")
        if self._style == "super" and not bare and part.command != "citet":
            run.add_script(1, Run().add_citation(known, text))
            return
        run.add("" if bare else "[").add_run(before).add(" " if before else "")
        run.add_citation(known, text)
        run.add(", " if after else "").add_run(after).add("" if bare else "]")

    def _by_name(self, run: Run, part: Cite, before: Run, after: Run) -> None:
        textual = part.command in ("citet", "cite", "citetext") and not self._parenthesised(part)
        open_mark, close_mark = ("(", ")") if part.command in ("citep", "cite") and not textual else ("", "")
        run.add(open_mark).add_run(before).add(" " if before else "")
        for index, key in enumerate(part.keys):
            entry = self._entries.get(key)
            names, year = (entry.names or key, entry.year) if entry else (key, "?")
            run.add("; " if index else "")
            shown = f"{names} ({year})" if textual else f"{names} {year}".strip()
            run.add_citation([key], shown)
        run.add(", " if after else "").add_run(after).add(close_mark)

    def _parenthesised(self, part: Cite) -> bool:
        """natbib's bare ``\\cite`` is textual, biblatex's and others' is not in brackets at all."""
        return part.command == "cite" and "biblatex" in self._tex.packages

    def _names_only(self, run: Run, part: Cite, known: list[str]) -> None:
        texts: list[str] = []
        for key in known:
            entry = self._entries[key]
            texts.append((entry.names or f"[{entry.number}]") if part.command == "citeauthor" else entry.year)
        text = ", ".join(texts) or "?"
        run.add_citation(known, f"({text})" if part.command == "citeyearpar" else text)

    def _reference(self, part: Ref) -> str:
        targets = [self._tex.labels.get(label) for label in part.labels]
        self._missing_labels.update(
            (label, None) for label, target in zip(part.labels, targets, strict=True) if target is None
        )
        numbers = [target.number if target is not None and target.number else _UNKNOWN for target in targets]
        if part.command == "pageref":
            return _UNKNOWN
        if part.command == "eqref":
            return ", ".join(f"({number})" for number in numbers)
        first = next((target for target in targets if target is not None), Target())
        if part.command == "autoref":
            return f"{self._autoname(first)} {numbers[0]}".strip()
        if part.command in ("cref", "Cref"):
            return self._clever(part, targets, numbers)
        return ", ".join(numbers)

    def _autoname(self, target: Target) -> str:
        name = self._long_name(target)
        return name.capitalize() if target.counter in ("figure", "table", "equation") else name

    def _long_name(self, target: Target) -> str:
        theorem = self._tex.theorems.get(target.counter)
        return theorem[0] if theorem else _NAMES.get(target.counter, (target.counter, target.counter))[0]

    def _clever(self, part: Ref, targets: list[Target | None], numbers: list[str]) -> str:
        """What cleveref prints: labels of one kind together, each kind with its name."""
        kinds: dict[str, list[str]] = {}
        for target, number in zip(targets, numbers, strict=True):
            kinds.setdefault(target.counter if target is not None else "", []).append(number)
        options = self._tex.packages.get("cleveref", set())
        capital = part.command == "Cref" or bool(options & {"capitalise", "capitalize"})
        shown: list[str] = []
        for counter, some in kinds.items():
            short = _NAMES.get(counter, ("", ""))[1]
            brief = short and (part.command == "cref" or shown) and "noabbrev" not in options
            name = short if brief else self._long_name(Target("", counter))
            if len(some) > 1:
                name = _PLURALS.get(name, name + "s" if name else "")
            printed = [f"({number})" if counter == "equation" else number for number in some]
            name = name[:1].upper() + name[1:] if capital and not (shown and part.command == "Cref") else name
            shown.append(f"{name} {_sequence(printed, some)}".strip())
        return ", ".join(shown[:-1]) + (" and " if len(shown) > 1 else "") + shown[-1]


def _sequence(shown: list[str], numbers: list[str]) -> str:
    """ "2 and 3", "2 to 5", "2, 3 and 7"."""
    if len(shown) > 2 and all(number.isdecimal() for number in numbers):
        values = [int(number) for number in numbers]
        if values == list(range(values[0], values[0] + len(values))):
            return f"{shown[0]} to {shown[-1]}"
    return ", ".join(shown[:-1]) + (" and " if len(shown) > 1 else "") + shown[-1]


def _note(content: Inline | None, resolver: Resolver) -> Run:
    return content.run(resolver) if content is not None else Run()


def _style(tex: Tex, entries: list[_Entry]) -> str:
    """How citations are printed: "numbers", "super", "author-year" or "tags"."""
    options = tex.packages.get("natbib", set())
    if "super" in options or tex.style.citations == "super" or "overcite" in tex.packages:
        return "super"
    if options & {"numbers", "square,numbers"} or "cite" in tex.packages:
        return "numbers"
    biblatex = tex.packages.get("biblatex")
    if biblatex is not None:
        style = " ".join(biblatex)
        if "super" in style:
            return "super"
        return (
            "author-year"
            if any(name in style for name in ("authoryear", "apa", "authortitle", "chicago"))
            else "numbers"
        )
    named = sum(bool(entry.names and entry.year) for entry in entries)
    if tex.style.citations == "numbers" and not ("authoryear" in tex.options or "authoryear" in options):
        return "numbers"
    known_style = "natbib" in tex.packages or tex.style.citations == "author-year"
    if entries and named == len(entries) and (known_style or not tex.made_list):
        return "author-year"
    tags = any(entry.tag and not entry.year for entry in entries) and not tex.made_list
    return "tags" if tags else "numbers"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return ", ".join(names[:8]) + more
