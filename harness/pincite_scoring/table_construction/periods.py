"""Periods: the year that a text such as ``year ended 31 December 2022`` or ``2022年1月1日至12月31日`` covers."""

import re
import unicodedata

MAX_CHARS = 80
"""A longer text is not a name of a period."""
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_WHOLE = re.compile(r"\b(?:fy|years?|annual|fiscal|twelve months|12 months)\b|年度|全年|会计年|财年|12个月|十二个月")
_TO_LAST = re.compile(r"31 dec|dec(?:ember)? 31|(?:^|\D)12[-/.月]31(?!\d)")
_REST = re.compile(
    rf"\b(?:{_MONTH}|fy|years?|annual|fiscal|financial|full|reports?|reporting|accounting|calendar|periods?|ended|ending"
    r"|end|for|the|from|to|of|as|at|on|through|until|and|twelve|12|months?|st|nd|rd|th)\b"
    r"|会计年度|财政年度|年度|全年|报告期|报告|截至|截止|期间|财年|个月|[年月日至到止自从十二一]|(?<!\d)\d{1,2}(?:st|nd|rd|th)?(?!\d)|[\W_]"
)
"""Words, days and months that a full year is written with; anything else (``Q1``, ``first half``) names part of it."""


def year_of(text: str) -> str | None:
    """The one year of a text that is nothing but a full year; None for parts of years, several years and prose."""
    plain = unicodedata.normalize("NFKC", text).casefold().strip()
    years = set(_YEAR.findall(plain))
    if len(plain) > MAX_CHARS or len(years) != 1:
        return None
    rest = _YEAR.sub(" ", plain)
    if _REST.sub("", rest):
        return None
    dated = re.search(rf"\d|\b(?:{_MONTH})\b|月", rest)
    whole = _WHOLE.search(plain) or _TO_LAST.search(plain)
    return years.pop() if not dated or whole else None
