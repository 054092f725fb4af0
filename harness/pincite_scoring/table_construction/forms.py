"""Forms: texts of cells, keys and headers, brought to what is compared."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from pincite_scoring.table_construction.numerals import arabic

EMPTY = frozenset({
    "", "-", "--", "—", "–", "/", "\\", "n/a", "na", "#n/a", "<na>", "nan", "-nan", "null", "none", "nil",
    "not available", "not applicable", "not reported", "not disclosed", "not stated", "not given", "not provided",
    "无", "空", "没有", "未披露", "不适用", "未提及", "未提供", "未知", "未涉及",
})  # fmt: skip
"""What stands for an empty cell, in lower case; the published example takes 无 for empty, pandas most of the others."""

_MONTHS = {name: number for number, name in enumerate(
    ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
     "december"), 1)}  # fmt: skip
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS)
_DATES = (
    re.compile(r"(?P<y>\d{4})\s*[-/.年]\s*(?P<m>\d{1,2})\s*[-/.月]\s*(?P<d>\d{1,2})\s*日?"),
    re.compile(rf"(?P<n>{_MONTH})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})"),
    re.compile(rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<n>{_MONTH})\.?,?\s+(?P<y>\d{{4}})"),
)
_TOKEN = re.compile(
    r"\d{4}-\d{2}-\d{2}(?!\d)|(?:(?<![\w.])-)?\d+(?:,\d{3})+(?:\.\d+)?(?!\d)|(?:(?<![\w.])-)?\d+(?:\.\d+)*|%"
    r"|[^\W\d_\u3400-\u9fff]+|[\u3400-\u9fff]"
)
_IDEOGRAPH = re.compile(r"[\u3400-\u9fff]")
_SUFFIX = re.compile(r"\.(?:md|pdf|html?|docx?|txt|xml|csv|json)$")
_FOLDERS = re.compile(r"^(?:[\w.~: -]*[/\\])+(?=[^/\\]+\.(?:md|pdf|html?|docx?|txt|xml|csv|json)$)")
"""The folders before a file's name that has its ending."""
_REMARK = re.compile(
    r"\s{0,3}[(\[](?:ours?|our (?:\w+ )?(?:work|model|method|system|approach)|th(?:is|e present) (?:work|paper|study)"
    r"|(?:the )?proposed|authors?|本文|我们(?:的)?|本研究"
    r"|(?:c\.? ?|~ ?|about )?\d[\d.,]* ?(?:[kmbt]|thousand|million|billion)?(?: ?(?:params?|parameters|weights))?"
    r"|(?:\d+(?:[,-] ?\d+)*)|[^()\[\]]*\b(?:et al\.?|and others)|[^()\[\]]*(?<!\d)(?:19|20)\d\d[a-z]?)[)\]]\s*$"
)
"""What a table prints in brackets behind a name and is not part of it: whose it is, its size, its citation."""
_CASE_NUMBER = re.compile(
    r"[,，;；:：\s]*[(\[〔](?:19|20)\d\d[)\]〕][\u3400-\u9fff]{1,4}\d{0,6}[\u3400-\u9fff]{1,4}\d+(?:-\d+)?号[,，;；:：\s]*"
)
"""The number under which a court keeps a case: （2023）粤0102刑初88号."""
_MARK = re.compile(r"(?<=[^\W\d_])\s{0,2}\[\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,20}\]")
"""The mark of a reference behind a word."""
_JOINED = re.compile(r"(?<=\w)\s*\+\s*(?=\w)|(?<=\w)\s+plus\s+(?=\w)")
_LAST_PLUS = re.compile(r"(?<=\w)\s?(\++)$")
_GAPS = re.compile(r"(?<=\D)[\s_-]+|[\s_-]+(?=\D)")
_FILLERS = re.compile(
    r"人民币|被告人|判处|并处|处以|处(?=罚金)|宣告|依法|予以|(?:犯|构成)(?=[^\W\d]{1,20}罪)|中华人民共和国"
    r"|\b(?:the|an?|rmb|cny)\b"
)
"""Words that say nothing of what a cell holds: verbs of the court, the currency of all amounts, articles."""
_ZERO = re.compile(r"(?<=[年月日天元])零(?=[一二两三四五六七八九十\d])")
"""二年零三个月 is 二年三个月."""
_CLAUSES = re.compile(r"[，；。;]|,(?!\d)")

_MOST_CLAUSES = 50
"""Clauses of a cell that are compared in any order."""
_KEPT_CHARS = 500
"""Longer texts are not kept, for they seldom come twice."""


def is_empty(text: str) -> bool:
    """Whether a cell says that there is nothing."""
    return _folded(text) in EMPTY


def words(text: str) -> tuple[str, ...]:
    """Words, numbers and single ideographs of ``text`` in their order, without punctuation, case and width.

    Chinese numerals become digits, thousands separators go, dates become one word (2023-05-15).
    """
    return _kept_words(text) if len(text) <= _KEPT_CHARS else _words(text)


def _words(text: str) -> tuple[str, ...]:
    plain = arabic(_ZERO.sub("", _folded(text)))
    for pattern in _DATES:
        plain = pattern.sub(_date, plain)
    return tuple(_word(token) for token in _TOKEN.findall(plain))


_kept_words = lru_cache(maxsize=4096)(_words)


def key_form(text: str) -> str:
    """A key as it is compared: its words, without the folders and the ending of a file name; 一案 says no more than 案,
    and a plus at the end makes another name."""
    plain = _SUFFIX.sub("", _FOLDERS.sub("", _folded(text))).replace("一案", "案")
    return _joined(words(_LAST_PLUS.sub(_named_plus, _JOINED.sub(" ", plain))))


def bare_key(text: str) -> str:
    """A key without a remark in brackets (``SlowGate (ours)``), blanks and hyphens (``Slow-Gate``); those between two
    digits stay."""
    return _GAPS.sub("", key_form(_without_remark(text)))


def remark_of(text: str) -> str:
    """What ``bare_key`` leaves out: a remark in brackets, a case's number."""
    plain = _folded(text)
    found = (pattern.search(plain) for pattern in (_CASE_NUMBER, _REMARK))
    return "".join(each[0] for each in found if each is not None)


def unmarked(gold: str, answer: str) -> tuple[str, str]:
    """Two texts without marks of references where only one has any."""
    if bool(_MARK.search(gold)) == bool(_MARK.search(answer)):
        return gold, answer
    return _MARK.sub("", gold), _MARK.sub("", answer)


def content_form(text: str, column: str) -> str:
    """A cell as it is compared: its words without fillers and without the column's name, if anything is left."""
    return _joined(content_words(text, column))


def content_words(text: str, column: str) -> tuple[str, ...]:
    """The words behind ``content_form``."""
    plain = _FILLERS.sub(" ", _folded(text))
    name = _FILLERS.sub(" ", _folded(column)).strip()
    without = plain.replace(name, " ") if name else plain
    return words(without) or words(plain) or words(text)


def same_clauses(column: str, mine: str, theirs: str, known: Sequence[str]) -> bool:
    """Whether two Chinese texts have the same clauses in any order, each with the same words: a verb may stand before
    or behind its object (追缴违法所得, 违法所得予以追缴), and what the row is about (``known``) may be named or not."""
    wanted, given = (_clauses(column, text, known) for text in (mine, theirs))
    if not wanted or len(wanted) != len(given) or not _IDEOGRAPH.search(mine):
        return False
    left = list(given)
    for clause in wanted:
        found = next((other for other in left if _turned(clause, other)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _clauses(column: str, text: str, known: Sequence[str]) -> list[tuple[str, ...]]:
    plain = _folded(text)
    for name in sorted(map(_folded, known), key=len, reverse=True):
        plain = re.sub(f"{re.escape(name)}的?", "", plain) if len(name) > 1 else plain
    parts = [part for part in _CLAUSES.split(plain) if part.strip()]
    return [content_words(part, column) for part in parts[:_MOST_CLAUSES]]


def _turned(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether ``b`` is ``a``, or its end put before its beginning."""
    return len(a) == len(b) and any(a[at:] + a[:at] == b for at in range(len(a)))


def numbers(found: tuple[str, ...]) -> list[str]:
    """The numbers and dates among words, sorted."""
    return sorted(word for word in found if any(character.isdigit() for character in word))


def marks(found: tuple[str, ...]) -> list[str]:
    """What tells likely names apart, sorted: numbers, dates and single letters (PageFormer-S, PageFormer-L)."""
    return sorted([*numbers(found), *(word for word in found if len(word) == 1 and word.isascii() and word.isalpha())])


def _without_remark(text: str) -> str:
    return _REMARK.sub("", _CASE_NUMBER.sub("", _folded(text)))


def _named_plus(found: re.Match[str]) -> str:
    return " plus" * len(found[1])


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("−", "-").casefold().strip()


def _word(token: str) -> str:
    return token.replace(",", "") if token[-1].isdigit() else token


def _date(found: re.Match[str]) -> str:
    parts = found.groupdict()
    month = int(parts["m"]) if "m" in parts else next(n for name, n in _MONTHS.items() if name[:3] == parts["n"][:3])
    return f" {int(parts['y']):04d}-{month:02d}-{int(parts['d']):02d} "


def _joined(found: tuple[str, ...]) -> str:
    """One text of the words: blanks between words, none between ideographs."""
    text = ""
    for word in found:
        bare = not text or bool(_IDEOGRAPH.match(word)) or bool(_IDEOGRAPH.match(text[-1]))
        text += word if bare else f" {word}"
    return text
