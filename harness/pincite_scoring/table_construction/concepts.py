"""Concepts: what a column's name stands for, by a lexicon of names and by how names are put together.

Stated here. ``YoY growth of total assets (%)`` is ``total_assets growth``, ``Net profit as % of revenue`` is
``net_profit/revenue``, ``equity per share`` is ``equity/share_capital``, and ``资产总额较上年增长`` as the first.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

from pincite_scoring.table_construction.amounts import without_unit
from pincite_scoring.table_construction.forms import key_form

LONGEST = 200
"""Characters of a header; a longer one is only ever found by its own words."""
_YEAR = r"(?:fiscal |financial |reporting )?(?:year|period)"
_BEFORE = rf"(?:(?:the )?(?:prior|previous|preceding|last) {_YEAR}|(?:the )?{_YEAR} before|a year (?:earlier|ago))"
_REWRITTEN = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (rf"\b(?:yoy|y o y|year (?:over|on) year|(?:over|on|versus|vs|against|from) {_BEFORE})\b", "growth"),
        (r"\b(profit|income|earnings|gain|surplus) (?:loss(?:es)?|deficit)\b", r"\1"),
        (r"\b(provided by|inflow|increase|generated from) (?:used in|outflow|decrease)\b", r"\1"),
        (r"\b(?:rate of growth|growth rate|percentage growth|percent change|change|increase)\b", "growth"),
        (r"增长率|增长幅度|增长比例|增长速度|增幅|增速|增减变动|增减|变动幅度|变动比例|变动率", "增长"),
        (r"(?:较|比)(?:上年|去年|上期)(?:同期)?|同比", "增长"),
        (rf"\b(?:(?:at|as of|as at|of|on|for) )?(?:the )?(?:{_YEAR} (?:s )?end|end of (?:the )?{_YEAR})\b", " "),
        (rf"\b(?:of|for|in|over|during) (?:the )?{_YEAR}\b|\b(?:closing|annual|full year)\b", " "),
        (
            r"\bper share (?:on|based on|over|using|by) (?:(?:ordinary|total|issued) )?shares(?: outstanding)?$",
            "per share",
        ),
        (r"年末|期末|全年|本年度?|当年|本期|的|之", ""),
        (r"\bavg\b", "average"),
        (r"\b(?:weighted|wtd) average\b|\bwtd\b", "weighted average"),
        (r"\b(?:the|a|an)\b", " "),
    )
)
"""Words that say nothing of the quantity go; those that say the same become one."""
_GROWTH = re.compile(r"(?:growth )+(?:of |in )?(.+?)(?: growth)*|(.+?)(?: growth)+")
_PER_SHARE = (re.compile(r"(.+) per share"), re.compile(r"每股(.+)"))
_RATIO = tuple(
    re.compile(pattern)
    for pattern in (
        r"(.+?)\s*[/÷]\s*(.+)",
        r"(.+?),? (?:as )?(?:a |an )?(?:%|per ?cent|pct|percentage|share|proportion|fraction|ratio) (?:of|to) (.+)",
        r"(?:ratio|share|percentage|proportion) of (.+) (?:to|in) (.+)",
        r"(.+?)[ -]to[ -](.+?)(?: ratio)?",
        r"(.+)(?:占|相当于)(.+?)(?:的?(?:比例|比重|比率|百分比|比))?",
        r"(.+)[与和](.+?)(?:之比|的?比(?:率|例|值))",
    )
)


@lru_cache(maxsize=4096)
def concepts_of(header: str) -> frozenset[str]:
    """What a header stands for, by the names of lexicon.toml; empty where it is not known."""
    own = _known(header)
    if own or len(header) > LONGEST:
        return own
    found = _growth(concept_form(header)) | _per_share(concept_form(header))
    raw = without_unit(header).replace("_", " ")
    for pattern in _RATIO:
        parts = pattern.fullmatch(raw)
        if parts is not None and not found:
            found = frozenset(f"{a}/{b}" for a in _known(parts[1]) for b in _known(parts[2]))
    return found


@lru_cache(maxsize=4096)
def column_form(header: str) -> str:
    """A header without unit, case, punctuation and underscores."""
    return key_form(without_unit(header).replace("_", " ")) or key_form(header)


@lru_cache(maxsize=4096)
def concept_form(header: str) -> str:
    """The column form without what says nothing of the quantity: "at year end", 全年; the form itself if all goes."""
    form = column_form(header)
    plain = form
    for pattern, said in _REWRITTEN if len(header) <= LONGEST else ():
        plain = pattern.sub(said, plain)
    return " ".join(plain.split()) or form


def _known(name: str) -> frozenset[str]:
    return _lexicon().get(concept_form(name), frozenset())


def _growth(form: str) -> frozenset[str]:
    if "增长" in form:
        return frozenset(f"{base} growth" for base in _known(form.replace("增长", "")))
    found = _GROWTH.fullmatch(form)
    base = (found[1] or found[2]) if found is not None else ""
    return frozenset(f"{each} growth" for each in _known(base)) if base else frozenset()


def _per_share(form: str) -> frozenset[str]:
    for pattern in _PER_SHARE:
        found = pattern.fullmatch(form)
        if found is not None:
            return frozenset(f"{base}/share_capital" for base in _known(found[1]))
    return frozenset()


@cache
def _lexicon() -> Mapping[str, frozenset[str]]:
    """The concepts of every normalised name."""
    text = (files("pincite_scoring.table_construction") / "lexicon.toml").read_text(encoding="utf-8")
    found: dict[str, frozenset[str]] = {}
    for concept, names in tomllib.loads(text).items():
        for name in names:
            form = concept_form(name)
            found[form] = found.get(form, frozenset()) | {concept}
    return found
