"""Chinese numerals in a text, as digits: 二百七十四 is 274, 六十万 is 600000."""

import re
from decimal import Decimal

_NUMERALS = ("零〇", "一壹", "二两贰", "三叁", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖")
_DIGITS = {character: value for value, characters in enumerate(_NUMERALS) for character in characters}
_SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_LARGE = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
LONGEST = 30
"""Characters of a numeral, or digits before a scale; what is longer is not a number that anyone wrote."""
_HUNDRED_MILLION = "亿億"
_SCALE = "(?:万亿|[万萬亿億])"
_RUN = re.compile(f"[{''.join([*_DIGITS, *_SMALL])}][{''.join([*_DIGITS, *_SMALL, *_LARGE])}]{{0,{LONGEST}}}")
_SCALED = re.compile(rf"(?<!\d)(\d{{1,{LONGEST}}}+(?:,\d{{3}})*+(?:\.\d++)?)\s?({_SCALE})")


def arabic(text: str) -> str:
    """``text`` with numerals and the scales 万 and 亿 after digits written as digits; a scale alone (万科) stays."""
    return _SCALED.sub(_scaled, _RUN.sub(lambda run: str(_value(run[0])), text))


def scale(word: str) -> int:
    """What 万, 亿 or 万亿 multiplies by."""
    product = 1
    for character in word:
        product *= _LARGE[character]
    return product


def _scaled(found: re.Match[str]) -> str:
    number = Decimal(found[1].replace(",", "")) * scale(found[2])
    return f"{number.normalize():f}"


def _value(run: str) -> str:
    """The number that a run of numerals stands for; a run of bare digits (二〇二三) is read digit by digit."""
    if len(run) > 1 and all(character in _DIGITS for character in run):
        return "".join(str(_DIGITS[character]) for character in run)
    total = section = digit = 0
    for character in run:
        if character in _DIGITS:
            digit = _DIGITS[character]
        elif character in _SMALL:
            section += (digit or 1) * _SMALL[character]
            digit = 0
        elif character in _HUNDRED_MILLION:
            total = (total + section + digit) * _LARGE[character]
            section = digit = 0
        else:
            total += (section + digit) * _LARGE[character]
            section = digit = 0
    return str(total + section + digit)
