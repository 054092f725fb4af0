"""BibTeX: UTF-8, with LaTeX for what LaTeX reads otherwise: special characters, Greek letters, signs, subscripts.

Accented letters stay as they are (biber, or BibTeX with ``inputenc``); identifiers and addresses stand verbatim.
"""

import re
from collections.abc import Mapping, Sequence

from pincite_literature.export.citekeys import citation_keys
from pincite_literature.export.people import Person, person
from pincite_literature.export.text import address, clean, later_reference, page_range, venue_of
from pincite_literature.model import Author, Work
from pincite_literature.standing import status_of

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_TYPES = {
    "article": "article", "review": "article", "preprint": "misc", "conference": "inproceedings",
    "chapter": "incollection", "book": "book", "thesis": "phdthesis", "report": "techreport", "dataset": "misc",
}  # fmt: skip
_VENUE = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle", "misc": "howpublished"}
_PUBLISHER = {"phdthesis": "school", "techreport": "institution"}
_SPECIAL = {
    "\\": r"{\textbackslash}", "{": r"{\textbraceleft}", "}": r"{\textbraceright}", "$": r"\$", "&": r"\&",
    "%": r"\%", "#": r"\#", "_": r"\_", "~": r"{\textasciitilde}", "^": r"{\textasciicircum}",
}  # fmt: skip
_GREEK = dict(zip("αβγδεζηθικλμνξπρςστυφχψωΓΔΘΛΞΠΣΥΦΨΩϕϵϑµ", (
    "alpha", "beta", "gamma", "delta", "varepsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu",
    "xi", "pi", "rho", "varsigma", "sigma", "tau", "upsilon", "varphi", "chi", "psi", "omega", "Gamma", "Delta",
    "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega", "phi", "epsilon", "vartheta", "mu",
), strict=True))  # fmt: skip
_SIGNS = {
    "−": "-", "×": r"\times", "±": r"\pm", "∓": r"\mp", "·": r"\cdot", "→": r"\to", "←": r"\leftarrow", "≤": r"\leq",
    "≥": r"\geq", "≈": r"\approx", "∼": r"\sim", "≃": r"\simeq", "≠": r"\neq", "∞": r"\infty", "°": r"^{\circ}",
    "′": "'", "√": r"\surd", "∂": r"\partial", "∇": r"\nabla", "∝": r"\propto", "∈": r"\in", "ℓ": r"\ell",
    "↔": r"\leftrightarrow", "⊥": r"\perp", "∥": r"\parallel", "⟨": r"\langle", "⟩": r"\rangle", "⋅": r"\cdot",
}  # fmt: skip
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜ", "0123456789+-=()aeoxhklmnpst", strict=True))
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True))
_CLASS = re.compile(r"[a-z-]+(?:\.[A-Za-z-]{2,8})?")
_UNITS = re.compile(f"[{''.join(_LOWERED)}]+|[{re.escape(''.join(_RAISED))}]+|.", re.DOTALL)


def to_bibtex(works: Sequence[Work]) -> str:
    """One entry a work; abstracts are left out."""
    return "\n".join(_entry(key, work) for key, work in zip(citation_keys(works), works, strict=True))


def latex(text: str) -> str:
    """``text`` for a field: accented letters as they are, braces balanced, mathematics in braces that keep its case."""
    return "".join(_unit(unit[0]) for unit in _UNITS.finditer(clean(text)))


def _unit(unit: str) -> str:
    if unit[0] in _LOWERED:
        return f"{{$_{{{''.join(_LOWERED[letter] for letter in unit)}}}$}}"
    if unit[0] in _RAISED:
        return f"{{$^{{{''.join(_RAISED[letter] for letter in unit)}}}$}}"
    if unit in _GREEK:
        return f"{{$\\{_GREEK[unit]}$}}"
    if unit in _SIGNS:
        return f"{{${_SIGNS[unit]}$}}"
    return _SPECIAL.get(unit, unit)


def title_field(title: str) -> str:
    """The title with capitals protected that a style must not lower: formulas, acronyms, names in a sentence's case."""
    words = clean(title).split(" ")
    long = [word for word in words[1:] if len(word) > 3 and word[0].isalpha()]
    headline = bool(long) and 2 * sum(word[0].isupper() for word in long) > len(long)
    protected: list[str] = []
    begins = True
    for word in words:
        written = latex(word)
        inner = any(letter.isupper() for letter in word[1:]) or (word[:1].isupper() and any(map(str.isdigit, word)))
        name = word[:1].isupper() and not begins and not headline
        protected.append(f"{{{written}}}" if inner or name else written)
        begins = word.endswith((":", ".", "?", "!"))
    return " ".join(protected)


def _entry(key: str, work: Work) -> str:
    kind = _TYPES.get(work.kind, "article" if work.venue and work.volume else "misc")
    fields = {name: value for name, value in _fields(kind, work).items() if value}
    lines = [f"  {name} = {value}" for name, value in fields.items()]
    return f"@{kind}{{{key},\n" + ",\n".join(lines) + "\n}\n"


def _fields(kind: str, work: Work) -> Mapping[str, str]:
    """The fields with their delimiters, empty where nothing is known."""
    date, ids = work.published, work.ids
    first, last = page_range(work.pages)
    people = [_person(author) for author in work.authors]
    archive = ids.arxiv is not None
    subject = next((subject for subject in work.subjects if archive and _CLASS.fullmatch(subject)), "")
    venue = _VENUE.get(kind, "")
    notes = [latex(status_of(work).capitalize())] * bool(status_of(work)) + ["Preprint"] * (work.kind == "preprint")
    notes += [f"published in {latex(reference)}" for reference in (later_reference(work),) if reference]
    return {
        "author": _braced(" and ".join(filter(None, people))),
        "title": _braced(title_field(work.title)),
        venue or "series": _braced(latex(venue_of(work))),
        "year": _braced(str(date.year) if date else ""),
        "month": _MONTHS[date.month - 1] if date and date.month else "",
        "volume": _braced(latex(work.volume)),
        "number": _braced(latex(work.issue)),
        "pages": _braced(f"{latex(first)}--{latex(last)}" if last else latex(first)),
        _PUBLISHER.get(kind, "publisher"): _braced(latex(work.publisher)),
        "issn": _braced(latex(work.issn)),
        "isbn": _braced(latex(work.isbn)),
        "doi": _braced(_verbatim(ids.doi or "")),
        "eprint": _braced(_verbatim(ids.arxiv or "")),
        "archiveprefix": _braced("arXiv" if archive else ""),
        "primaryclass": _braced(subject),
        "pmid": _braced(_verbatim(ids.pmid or "")),
        "pmcid": _braced(_verbatim(ids.pmcid or "")),
        "url": _braced(address(work.url)),
        "note": _braced(", ".join(notes)),
    }


def _braced(value: str) -> str:
    return f"{{{value}}}" if value else ""


def _verbatim(value: str) -> str:
    """An identifier, which styles typeset as it is."""
    return re.sub(r"[{}\\\s]", lambda bad: f"%{ord(bad[0]):02X}", clean(value))


def _person(author: Author) -> str:
    """``van der Waals, Jr., Johannes``; a name of one part in braces."""
    found = person(author)
    if found is None:
        return ""
    if found.literal:
        return f"{{{latex(found.literal)}}}"
    parts = [_family(found), *([_apart(found.suffix)] if found.suffix else []), _apart(found.given)]
    return ", ".join(part for part in parts if part)


def _family(found: Person) -> str:
    family = _apart(found.family)
    return f"{latex(found.particle)} {family}" if found.particle else family


def _apart(part: str) -> str:
    """A part of a name, in braces where BibTeX would part it further."""
    written = latex(part)
    return f"{{{written}}}" if "," in part or " and " in f" {part.lower()} " else written
