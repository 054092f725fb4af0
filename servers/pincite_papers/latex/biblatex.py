"""biblatex's .bbl: ``\\entry{key}{type}{}`` with ``\\name``, ``\\field`` and ``\\verb``."""

import re

from pincite_papers.latex.bibtex import BibEntry

_ENTRY = re.compile(r"\\entry\{([^{}]*)\}\{([^{}]*)\}")
_FIELD = re.compile(r"\\(?:field|strng)\{(\w+)\}\{")
_LIST = re.compile(r"\\list\{(\w+)\}\{\d+\}\{")
_VERB = re.compile(r"\\verb\{(\w+)\}\s*\\verb ([^\n]*)")
_NAME = re.compile(r"\\name\{(author|editor)\}\{\d+\}\{[^{}]*\}\{")
_PART = re.compile(r"\b(family|given|prefix|suffix)=\{")
_LINE_END = re.compile(r"%[ \t]*\n")
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_MARKS = (
    ("\\bibnamedelima", " "), ("\\bibnamedelimb", " "), ("\\bibnamedelimi", " "), ("\\bibinitperiod", "."),
    ("\\bibinitdelim", " "), ("\\bibrangedash", "--"), ("\\bibrangessep", ", "), ("\\bibnamedelimc", " "),
    ("\\bibinithyphendelim", "-"), ("\\bibnamedelimd", " "),
)  # fmt: skip


def is_biblatex(text: str) -> bool:
    """Whether a .bbl is biblatex's."""
    return "\\endentry" in text and "\\entry{" in text


def read_biblatex(text: str) -> list[BibEntry]:
    """The entries in order, each once."""
    text = _LINE_END.sub("\n", text)
    for mark, meant in _MARKS:
        text = text.replace(mark + " ", meant).replace(mark, meant)
    found: dict[str, BibEntry] = {}
    for block in text.split("\\endentry")[:50_000]:
        match = _ENTRY.search(block)
        if match is None:
            continue
        entry = BibEntry(match[2], match[1])
        for one in (_FIELD, _LIST):
            for part in one.finditer(block):
                entry.fields.setdefault(part[1], _group(block, part.end()).strip("{} \n"))
        for part in _VERB.finditer(block):
            entry.fields.setdefault(part[1], part[2].strip())
        name = _NAME.search(block)
        if name:
            entry.names = _people(_group(block, name.end()))
        found.setdefault(entry.key, entry)
    return list(found.values())


def _group(text: str, at: int) -> str:
    """The content of the group that opens before ``at``."""
    depth = 1
    for match in _BRACES.finditer(text, at):
        depth += (match.group() == "{") - (match.group() == "}")
        if depth == 0:
            return text[at : match.start()]
    return text[at:]


def _people(text: str) -> list[tuple[str, str]]:
    found: list[dict[str, str]] = []
    for match in _PART.finditer(text):
        if match[1] == "family" or not found:
            found.append({})
        found[-1].setdefault(match[1], _group(text, match.end()))
    return [(f"{one.get('prefix', '')} {one.get('family', '')}".strip(), one.get("given", "")) for one in found]
