"""Titles in a normal form, in which the spellings of different sources agree, and how near two titles are."""

import html
import re
import unicodedata
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from pincite_literature.notices import notice, without_label

LONGEST = 1_000
"""Characters of a title that are compared."""

_TAG = re.compile(
    r"</?(?:jats:|mml:|xml:|m:)?(?:sub|sup|inf|i|b|u|em|strong|italic|bold|sc|scp|tt|span|font|br|p|title|roman|"
    r"sans-serif|monospace|underline|inline-formula|tex-math|math|mrow|mi|mn|mo|ms|mtext|mspace|msub|msup|msubsup|"
    r"mover|munder|mfrac|msqrt|mfenced|mstyle|mpadded|mmultiscripts|mprescripts|none|semantics|annotation)"
    r"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_ACCENT = re.compile(r"\\(?:['\"`^~=.]|[uvHtcdbrk](?![A-Za-z]))\s*\{?\s*(\\?[A-Za-z])\s*\}?")
_SILENT = re.compile(
    r"\\(?:math(?:rm|bf|it|sf|cal|bb|frak|scr)|boldsymbol|bm|text\w*|rm|it|bf|em|emph|sl|sc|ensuremath|operatorname|"
    r"left|right|ce|mbox|hbox|protect|to|rightarrow|leftarrow|sim|pm|mp|cdot|circ|prime|approx|leq?|geq?|infty|quad|"
    r"qquad|langle|rangle|dagger|ast|star|displaystyle)(?![A-Za-z])"
)
_LETTERS = {"ss": "ss", "o": "o", "O": "o", "ae": "ae", "AE": "ae", "l": "l", "L": "l", "aa": "a", "AA": "a",
            "i": "i", "j": "j", "oe": "oe", "OE": "oe", "times": "x", "and": "and"}  # fmt: skip
_COMMAND = re.compile(r"\\(var)?([A-Za-z]+)")
_FOLDS = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "×": "x",
                        "&": " and ", "–": "-", "—": "-", "−": "-"})  # fmt: skip
_MARKS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+")
_WORD = re.compile(r"(?:[^\W_]|(?<=\d)[.·](?=\d))+")
_GENERIC = frozenset({
    "editorial", "editorials", "introduction", "preface", "foreword", "contents", "tableofcontents", "index",
    "abstracts", "abstract", "frontmatter", "backmatter", "lettertotheeditor", "letterstotheeditor", "letters",
    "letter", "bookreview", "bookreviews", "inthisissue", "news", "obituary", "announcement", "announcements",
    "erratum", "errata", "corrigendum", "correction", "corrections", "reply", "response", "comment", "discussion",
    "conclusion", "conclusions", "summary", "acknowledgements", "acknowledgments", "authorindex", "subjectindex",
    "masthead", "cover", "untitled", "notitle", "guesteditorial", "editorsnote", "editorsnotes", "annualreport",
    "reviewers", "listofreviewers", "calendar", "perspective", "perspectives", "overview", "appendix", "references",
    "authorsreply", "thankyoutoreviewers", "researchhighlights", "editorschoice", "inmemoriam", "corrigenda",
})  # fmt: skip
_SMALL_WORDS = frozenset(
    {"the", "a", "an", "of", "in", "on", "and", "for", "to", "by", "from", "at", "its", "with", "as"}
)
_DENIALS = frozenset({"not", "no", "non", "without", "absence", "lack", "against", "anti", "part", "erratum"})
_SUBTITLE = re.compile(r"[:?!]\s|\.\s+(?=[A-Z])|\s[-–—]+\s|—")
_ROMAN = re.compile(r"(?:x{0,2}(?:ix|iv|v?i{1,3}|v|x)|x{1,2})")
_PREFIXES = tuple(sorted((
    "a", "an", "un", "in", "im", "ir", "il", "non", "anti", "de", "dis", "sub", "super", "inter", "intra", "over",
    "under", "hypo", "hyper", "endo", "exo", "pre", "post", "mono", "di", "tri", "tetra", "bi", "iso", "para", "meta",
    "ortho", "homo", "hetero", "micro", "nano", "ferri", "ferro", "up", "down", "e", "im", "para", "dia", "poly", "cis",
    "trans", "multi", "uni", "semi", "pro", "re", "ultra", "infra", "ex", "macro", "peri", "epi", "eu",
), key=len, reverse=True))  # fmt: skip
_SUFFIXES = (
    "ates", "ites", "ides", "ate", "ite", "ide", "ane", "ene", "yne", "ic", "ous", "ases", "oses", "ase", "ose", "ine",
    "one", "ol", "al",
)  # fmt: skip
_PART = re.compile(r"\b(?:part|paper|volume|vol|chapter|section|phase|number|no|series|lecture|supplement) \w+")


@dataclass(frozen=True, slots=True)
class Title:
    """A title made comparable."""

    compact: str
    """Letters and digits only, folded: equal for spellings that differ in markup, dashes, blanks, case and accents."""
    words: tuple[str, ...]
    main: str
    """``compact`` of what stands before a subtitle, empty where there is none."""
    notice: str = ""
    """What kind of note on another work it is: "erratum", "comment", "reply", …; empty for a work of its own."""
    generic: bool = False
    """Whether many works bear it ("Editorial"), or it is too short to tell works apart."""
    text: str = ""
    """The title without markup."""

    @property
    def formulas(self) -> frozenset[str]:
        """Its words that look like formulas or acronyms: no slip of the pen makes one from another."""
        return _formulas(self.text)


def read_title(text: str) -> Title:
    """The title made comparable; labels that publishers put before a retracted work's title are left out."""
    return _read(text[:LONGEST])


@lru_cache(maxsize=4096)
def _read(text: str) -> Title:
    cleaned = without_label(_without_markup(text))
    words = _words(cleaned)
    compact = "".join(words)
    subtitle = _SUBTITLE.search(cleaned)
    main = "".join(_words(cleaned[: subtitle.start()])) if subtitle else ""
    return Title(
        compact,
        words,
        main if len(main) < len(compact) else "",
        notice(cleaned),
        compact in _GENERIC or len(compact) < 12,
        cleaned,
    )


def normal_title(text: str) -> str:
    """The title in words: lower case, without markup, accents and punctuation, Greek letters by name."""
    return " ".join(read_title(text).words)


def near(one: Title, other: Title) -> bool:
    """Whether two titles differ by no more than slips of the pen or spellings (behaviour, behavior).

    Differences in digits, numerals, formulas, signs of negation and prefixes (ferri-, ferro-) are never slips.
    """
    if one.compact == other.compact:
        return bool(one.compact)
    shorter = min(len(one.compact), len(other.compact))
    if shorter < 25 or abs(len(one.compact) - len(other.compact)) > 4 or one.notice != other.notice:
        return False
    if _distance(one.compact, other.compact) > 2 + min(shorter // 40, 2):
        return False
    formulas = one.formulas | other.formulas
    return all(_slip(gone, come, formulas) for gone, come in _changes(one.words, other.words))


def extends(one: Title, other: Title) -> bool:
    """Whether one title is the other with a subtitle, which some sources leave out."""
    longer, shorter = (one, other) if len(one.compact) > len(other.compact) else (other, one)
    if longer.notice != shorter.notice or longer.main != shorter.compact or len(shorter.compact) < 20:
        return False
    rest = longer.words[len(shorter.words) :]
    return not any(_numeral(word) for word in rest[:2]) and not _PART.search(" ".join(rest))


def revised(one: Title, other: Title) -> bool:
    """Whether one title is the other with up to three words more, a third at most, as a preprint and its article."""
    shorter, longer = sorted((set(one.words) - _SMALL_WORDS, set(other.words) - _SMALL_WORDS), key=len)
    added = longer - shorter
    if not shorter <= longer or len(shorter) < 4 or one.notice != other.notice:
        return False
    if len(added) > min(3, (len(shorter) + 1) // 3):
        return False
    telling = added & (one.formulas | other.formulas | _DENIALS)
    return not telling and not any(_numeral(word) or any(c.isdigit() for c in word) for word in added)


def alike(one: Title, other: Title) -> bool:
    """Whether the titles could be one work's once an identifier says so: half of their words in common, or alike."""
    if not one.compact or not other.compact or one.compact == other.compact:
        return True
    first, second = set(one.words) - _SMALL_WORDS, set(other.words) - _SMALL_WORDS
    if 2 * len(first & second) >= min(len(first), len(second)) > 0:
        return True
    return _distance(one.compact, other.compact) <= 0.3 * max(len(one.compact), len(other.compact))


def fold(text: str) -> str:
    """``text`` in lower case without accents, ligatures and compatibility characters."""
    if text.isascii():
        return text.lower().replace("&", " and ")
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_FOLDS)
    if folded.isascii():
        return folded
    return _MARKS.sub("", unicodedata.normalize("NFD", folded))


def _without_markup(text: str) -> str:
    text = html.unescape(html.unescape(text)) if "&" in text else text
    if "<" in text:
        text = _TAG.sub("", text)
    if "\\" in text:
        text = _ACCENT.sub(lambda match: match[1].lstrip("\\"), text)
        text = _SILENT.sub("", text)
        text = _COMMAND.sub(lambda match: _LETTERS.get(match[2], f"{match[2]} "), text)
    return re.sub(r"[${}^_\\]", "", text) if re.search(r"[${}^_\\]", text) else text


def _words(text: str) -> tuple[str, ...]:
    folded = fold(text)
    if not folded.isascii():
        folded = "".join(_greek(character) if "\u0370" <= character <= "\u03ff" else character for character in folded)
    return tuple(word.replace("·", ".") for word in _WORD.findall(folded))


def _greek(character: str) -> str:
    name = unicodedata.name(character, "").split()
    return name[3].lower() if name[:2] == ["GREEK", "SMALL"] and len(name) > 3 else character


@lru_cache(maxsize=2048)
def _formulas(text: str) -> frozenset[str]:
    if text.isupper():
        return frozenset()
    spelled = re.findall(r"\b[A-Za-z0-9.]*[A-Z][A-Za-z0-9.]*[A-Z0-9][A-Za-z0-9.]*\b|\b[A-Z][a-z]?\b", text)
    return frozenset(fold(word) for word in spelled)


def _distance(one: str, other: str) -> int:
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(one, other)


def _changes(one: tuple[str, ...], other: tuple[str, ...]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return [(one[a:b], other[c:d]) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]


def _slip(gone: tuple[str, ...], come: tuple[str, ...], formulas: frozenset[str]) -> bool:
    """Whether replacing the words ``gone`` by ``come`` is a slip of the pen."""
    if "".join(gone) == "".join(come):
        return True
    changed = {*gone, *come}
    if changed <= _SMALL_WORDS:
        return True
    if any(character.isdigit() for word in changed for character in word) or changed & formulas:
        return False
    if any(_numeral(word) for word in changed):
        return False
    first, second = "".join(gone), "".join(come)
    if min(len(first), len(second)) < 5 or _distance(first, second) > 2:
        return False
    return not _opposed(first, second)


def _numeral(word: str) -> bool:
    return word.isdigit() or bool(_ROMAN.fullmatch(word))


def _opposed(one: str, other: str) -> bool:
    """Whether two words differ by a prefix or an ending that changes the meaning."""
    stems = [{("", word), *((p, word[len(p) :]) for p in _PREFIXES if word.startswith(p))} for word in (one, other)]
    rests = [{rest for _, rest in found if len(rest) >= 4} for found in stems]
    if rests[0] & rests[1]:
        return True
    ends = [{(word[: -len(s)], s) for s in _SUFFIXES if word.endswith(s)} for word in (one, other)]
    return any(a[0] == b[0] and a[1] != b[1] for a in ends[0] for b in ends[1])
