"""Roles of numbers: what the label beside a number says it is (``P = 0.03``, ``n = 24``, ``95% CI``, ``Table 2``)."""

import re
from typing import Literal

from pincite_provenance.claims.quantities import Quantity

Role = Literal["", "p", "confidence", "level", "spread", "n", "statistic", "name", "year", "modifier", "ratio"]

_BEFORE: tuple[tuple[Role, re.Pattern[str]], ...] = (
    ("p", re.compile(r"\b[pP](?:[-\s]?values?)?(?:\s?(?:adj|trend|interaction|heterogeneity))?\s*(?:[=<>≤≥]|of|was"
                     r"|is)\s*(?:[<>≤≥]\s*)?$")),
    ("p", re.compile(r"\bsignifican(?:t|ce)(?: level)?(?: at)?(?: of)?\s*(?:P\s*)?[=<≤]?\s*$", re.IGNORECASE)),
    ("n", re.compile(r"\b[nN]s?\s*=\s*$")),
    ("confidence", re.compile(r"\b(?:CIs?|CrI|IC|HPD|HDI|confidence intervals?|credible intervals?)\b[\s:=,(\[]*"
                              r"(?:of|from|was|is)?\s*[\[(]?\s*$")),
    ("confidence", re.compile(r"\b(?:CIs?|CrI|IC|HPD|HDI|confidence intervals?)\b[^;a-z]{0,30}(?:to|-|,|;)\s*$")),
    ("spread", re.compile(
        r"\b(?:SDs?|S\.D\.|SEMs?|SE|S\.E\.M?\.?|IQR|interquartile range|standard (?:deviation|error)s?"
        r"|(?<=[(,;]\s)range|(?<=[(,;])range|range(?=\s?[:=]))\b"
        r"[\s:=,(\[]*(?:of|from|was|is|:)?\s*[\[(]?\s*$")),
    ("spread", re.compile(r"\b(?:IQR|interquartile range|(?<=[(,;]\s)range|(?<=[(,;])range)\b[^;a-z]{0,25}(?:to|-"
                          r"|,)\s*$")),
    ("spread", re.compile(r"(?:±|\+/-)\s*$")),
    ("statistic", re.compile(r"(?:\b(?:t|F|z|Z|U|H|df|d\.f\.|Q)|χ\s?\^?2"
                             r"|\bchi-squared?)\s*(?:[(\[][^()\[\]]{0,15}[)\]])?\s*=\s*$")),
    ("statistic", re.compile(r"\b(?:t|F|z|χ\s?\^?2)\s*[(\[](?:\d+[,\s]*)?$")),
    ("statistic", re.compile(r"\b[FtHX]_?\d+(?:[.,]\s?\d+)?\s*=\s*$")),
    ("name", re.compile(
        r"\b(?:Tables?|Figs?\.?|Figures?|Refs?\.?|Eqs?\.?|Sections?|files?|File|Appendix|Box|Movie|Scheme|Chart"
        r"|Supplement\w*|[Tt]ypes?|[Gg]roups?|[Pp]hases?|[Gg]rades?|[Ss]tages?|[Ss]teps?|[Dd]ays?|[Ww]eeks?|[Mm]onths?"
        r"|[Yy]ears?|[Vv]isits?|[Mm]odels?|[Ee]xperiments?|[Ss]tudy|[Cc]lusters?|[Ee]xons?|[Ii]ntrons?"
        r"|[Cc]hromosomes?|[Ll]anes?|[Cc]lass|[Cc]ategory|[Aa]rms?|[Vv]ersion|[Pp]assage|[Rr]ound|[Pp]atient|No\.?"
        r"|[Ff]ormula|E|P|DIV|[Ll]ayers?|[Cc]ohorts?|[Qq]uartiles?|[Ss]erotypes?|[Ll]evels?|[Ss]ample|[Tt]rial)\s+$")),
)  # fmt: skip
_LEVEL = re.compile(r"\s*(?:CIs?|CrI|confidence|credible|C\.I\.)\b")
_COUNTS = re.compile(r"\b(?:trial|study|sample|experiment|model|patient|formula)\s+\s[a-z]{3,}s\b")
"""A number of things behind such a word: ``in the trial 24 patients``."""
_RATIO = re.compile(r"\s?:\s?\d")
_MODIFIER = re.compile(
    r"[\d.]+-(?:years?|months?|weeks?|days?|hours?|hr?|min(?:ute)?s?|seconds?|point|items?|item|way|step|dimensional"
    r"|mer|well|layer"
    r"|arm|center|centre|class|shot|gram)\b"
)
_YEAR = re.compile(
    r"\b(?:[Ii]n|[Ss]ince|[Ff]rom|[Uu]ntil|[Bb]etween|[Dd]uring|(?:\d{4}|[a-z]{3,}) (?:and|to)|(?:year|end|spring"
    r"|summer|autumn|winter|fall|season|month|half|quarter)s? of|by|January|February|March|April|May|June|July"
    r"|August|September|October|November|December|©|early|late)\s+$"
)
_FIRST_YEAR, _LAST_YEAR = 1800, 2100


def role_of(text: str, quantity: Quantity) -> Role:
    """The role that the words beside a quantity of ``text`` give it, "" for none."""
    before = text[max(quantity.start - 70, 0) : quantity.start]
    if _RATIO.match(text, quantity.end) or re.search(r"\d\s?:\s?$", before):
        return "ratio"
    if _MODIFIER.match(text, quantity.start):
        return "modifier"
    if quantity.unit == "%" or quantity.behind.lstrip().startswith("%"):
        behind = text[quantity.start : quantity.start + 40]
        if _LEVEL.search(behind.partition("%")[2][:14]) and re.match(r"[\d.\s]+%\s*(?:CI|Cr|conf|cred|C\.I)", behind):
            return "level"
    for role, pattern in _BEFORE:
        if pattern.search(before) and not (role == "name" and _COUNTS.search(before + text[quantity.end :][:20])):
            return role
    whole = not quantity.unit and quantity.value.is_integer() and quantity.uncertainty is None
    if whole and _FIRST_YEAR <= quantity.value <= _LAST_YEAR and not quantity.word and _YEAR.search(before):
        return "year"
    return ""
