"""BibTeX: a reader of .bib files, linear and tolerant, and an entry as a line of source."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pincite_papers.latex.inline import Inline
from pincite_papers.latex.lexer import Lexer

_START = re.compile(r"@\s*([A-Za-z]+)\s*([{(])")
_KEY = re.compile(r"\s*([^\s,{}]*)\s*,?")
_FIELD = re.compile(r"[\s,]*([A-Za-z][\w:.-]*)\s*=\s*")
_WORD = re.compile(r"[^\s,#{}\"]+")
_JOINT = re.compile(r"\s*#\s*")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_MOST_ENTRIES = 50_000
"""Entries of a file. Set by judgement."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(slots=True)
class BibEntry:
    """An entry: its type, key and fields as TeX source, names of fields in small letters."""

    kind: str
    key: str
    fields: dict[str, str] = field(default_factory=dict[str, str])
    names: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def links(self) -> list[str]:
        """Addresses and identifiers."""
        doi = self.fields.get("doi", "")
        found = [f"https://doi.org/{doi.split('doi.org/')[-1]}"] if doi else []
        eprint = self.fields.get("eprint", "")
        if eprint and self.fields.get("archiveprefix", self.fields.get("eprinttype", "arxiv")).lower() == "arxiv":
            found.append(f"arXiv:{eprint}")
        if self.fields.get("pmid"):
            found.append(f"PMID: {self.fields['pmid']}")
        return [*found, self.fields.get("url", "")]

    def tag(self, render: Callable[[Sequence[str]], Inline]) -> str:
        """What natbib cites it by: ``Smith et al.(2020)``; "" without names or a year."""
        families = [_plain(family, render) for family, _ in self.people()]
        year = self.year()
        if not families or not year:
            return ""
        many = len(families) > 2 or families[-1] == "others"
        who = f"{families[0]} et al." if many else " and ".join(families)
        return f"{who}({year})"

    def year(self) -> str:
        """The year, from ``date`` too."""
        return self.fields.get("year", "").strip("{} ") or self.fields.get("date", "")[:4]

    def people(self) -> list[tuple[str, str]]:
        """Authors, else editors, as (family, given)."""
        return self.names or people(self.fields.get("author") or self.fields.get("editor", ""))


def read_bibtex(text: str) -> dict[str, BibEntry]:
    """The entries of a .bib file by key; of two with one key the first."""
    strings = {month: month.capitalize() for month in _MONTHS}
    found: dict[str, BibEntry] = {}
    at = 0
    while len(found) < _MOST_ENTRIES and (start := _START.search(text, at)) is not None:
        kind, at = start[1].lower(), start.end()
        if kind in ("comment", "preamble"):
            continue
        key = ""
        if kind != "string":
            match = _KEY.match(text, at)
            key, at = (match[1], match.end()) if match else ("", at)
        fields, at = _fields(text, at, strings)
        if kind == "string":
            strings |= fields
        elif key:
            found.setdefault(key, BibEntry(kind, key, fields))
    return found


def _fields(text: str, at: int, strings: dict[str, str]) -> tuple[dict[str, str], int]:
    found: dict[str, str] = {}
    while (match := _FIELD.match(text, at)) is not None:
        value, at = _value(text, match.end(), strings)
        found.setdefault(match[1].lower(), value)
    return found, at


def _value(text: str, at: int, strings: dict[str, str]) -> tuple[str, int]:
    """A value: groups, quoted strings, numbers and names of strings, joined by ``#``."""
    parts: list[str] = []
    while at < len(text):
        mark = text[at]
        if mark == "{":
            end = _closing(text, at + 1, "}")
            parts.append(text[at + 1 : end])
            at = end + 1
        elif mark == '"':
            end = _closing(text, at + 1, '"')
            parts.append(text[at + 1 : end])
            at = end + 1
        elif match := _WORD.match(text, at):
            parts.append(strings.get(match.group().lower(), match.group()))
            at = match.end()
        else:
            break
        after = _JOINT.match(text, at)
        if after is None:
            break
        at = after.end()
    return " ".join("".join(parts).split()), at


_BRACES = re.compile(r"\\.|[{}\"]|\n\s*@[A-Za-z]+\s*\{", re.DOTALL)


def _closing(text: str, at: int, mark: str) -> int:
    """Where the value that begins at ``at`` closes; an entry that begins in it ends it too."""
    depth = 0
    for match in _BRACES.finditer(text, at):
        found = match.group()
        if found[0] == "\n" or (depth == 0 and found == mark):
            return match.start()
        depth += (found == "{") - (found == "}")
    return len(text)


def people(value: str) -> list[tuple[str, str]]:
    """The names in a field as (family, given)."""
    found: list[tuple[str, str]] = []
    for name in _AND.split(value.strip()):
        if not name:
            continue
        if "," in name:
            family, _, given = name.partition(",")
            given = given.rpartition(",")[2]
        elif name.startswith("{") and name.endswith("}"):
            family, given = name, ""
        else:
            words = name.split()
            small = next((k for k, word in enumerate(words[:-1]) if k and word[:1].islower()), len(words) - 1)
            given, family = " ".join(words[:small]), " ".join(words[small:])
        found.append((family.strip(), given.strip()))
    return found


def entry_source(entry: BibEntry) -> str:
    """An entry as TeX source: names, title, where it appeared, year, identifiers."""
    get = entry.fields.get
    people_shown = [f"{given} {family}".strip() for family, given in entry.people()]
    if people_shown and people_shown[-1] == "others":
        people_shown[-1] = "et al."
    names = ", ".join(people_shown[:-1]) + (" and " if len(people_shown) > 1 else "") + "".join(people_shown[-1:])
    names = names.replace(" and et al.", ", et al.")
    where = get("journal") or get("journaltitle") or get("booktitle") or get("howpublished") or ""
    where = " ".join(part for part in (where, get("volume", ""), f"({get('number')})" if get("number") else "") if part)
    pages = get("pages") or get("eid") or ""
    if pages:
        where = f"{where}, {pages}" if where else pages
    publisher = get("publisher") or get("school") or get("institution") or get("organization") or ""
    place = ", ".join(part for part in (where, publisher) if part)
    year = entry.year()
    parts = [names, get("title", ""), f"{place} ({year})" if place and year else place or year]
    if get("doi"):
        parts.append("doi:" + get("doi", "").split("doi.org/")[-1].replace("_", "\\_").replace("\\\\_", "\\_"))
    elif get("eprint"):
        parts.append("arXiv:" + get("eprint", ""))
    elif get("url"):
        parts.append("\\url{" + get("url", "") + "}")
    if get("note"):
        parts.append(get("note", ""))
    return ". ".join(part.strip().rstrip(".") for part in parts if part.strip()) + "."


def _plain(source: str, render: Callable[[Sequence[str]], Inline]) -> str:
    tokens, lexer = list[str](), Lexer(source)
    while (lexeme := lexer.next()) is not None:
        tokens.append(lexeme)
    return render(tokens).plain()
