"""Where a work was published, as styles of citation print it: volume, issue, year, pages or article number."""

import re

_YEAR = r"(?:1[89]|20)\d\d"
_ISSUE = r"(?:\s?\(\d{1,3}\))?"
_PAGES = r"[A-Za-z]?\d{1,7}(?:\s?(?:[-–]|to)\s?[A-Za-z]?\d{1,7})?"
PLACE = re.compile(
    rf"\b\d{{1,4}}{_ISSUE},?\s\({_YEAR}\),?\s(?:pp?\.\s)?{_PAGES}"
    rf"|(?<=[A-Za-z.]\s)\d{{1,4}},?\s\({_YEAR}\)"
    rf"|\({_YEAR}\)[,;:.]?\s\d{{1,4}}{_ISSUE}\s?[:,]\s?{_PAGES}"
    rf"|\b{_YEAR}\s?;\s?\d{{1,4}}{_ISSUE}(?:\s?:\s?{_PAGES})?"
    rf"|\b\d{{1,4}}\s?\(\d{{1,3}}\)\s?[:,]\s?{_PAGES}"
    rf"|\b\d{{1,4}}\s?:\s?{_PAGES}\s\({_YEAR}\)"
    rf"|\b{_YEAR},\s\d{{1,4}}{_ISSUE}\s?:\s?{_PAGES}"
    rf"|(?<=[A-Za-z.]\s){_YEAR},\s\d{{1,4}}{_ISSUE},\s{_PAGES}"
    rf"|(?<=[A-Za-z.]\s)\d{{1,4}}\s?:\s?{_PAGES}(?=[.,;]?(?:\s(?:doi|https?)|$))"
    rf"|(?<=[A-Za-z.]\s)\({_YEAR}\)\s\d{{1,4}}(?=[,;.])"
    rf"|\({_YEAR}\),?\s[A-Z][^.;()\d]{{3,80}}\s\d{{1,4}},\s{_PAGES}"
    r"|\bArticle ID \d{3,8}\b|\bVolume \d{1,4}\b"
)
"""Volume, year and pages of a work, in the orders that styles of citation have."""
_BEHIND = re.compile(r"\bdoi\b|https?:|\n", re.IGNORECASE)
_LONGEST = 60
"""Characters of volume, issue and pages with the words before them."""
_IN_WORDS = re.compile(r"\bvol(?:ume|\.)\s?\d|\bpp?\.\s?\d", re.IGNORECASE)
_IN_YEAR = re.compile(rf"(?<![\d.:/-]){_YEAR}(?![\d.:/-]\d)")


def is_placed(text: str) -> bool:
    """Whether a reference gives a volume or pages, as one of an article of a journal does."""
    return PLACE.search(text) is not None or _IN_WORDS.search(text) is not None


def place_numbers(text: str) -> list[str]:
    """Volume, issue and pages of a reference in its order, without the year: 16, 1, 328, 337."""
    found = PLACE.search(text) or _IN_WORDS.search(text)
    if found is None:
        return []
    place = _BEHIND.split(text[found.start() : found.start() + _LONGEST])[0]
    numbers = re.findall(r"\d+", place)
    return [number for number in numbers if not re.fullmatch(_YEAR, number)]


def years_in(text: str) -> list[int]:
    """The years that a reference gives."""
    return [int(match[0]) for match in _IN_YEAR.finditer(text)]
