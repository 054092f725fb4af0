"""Filters of a search for studies, from how people write them to the registry's words."""

import calendar
import re

from pincite_core.errors import BadInputError

STATUSES = (
    "ACTIVE_NOT_RECRUITING", "COMPLETED", "ENROLLING_BY_INVITATION", "NOT_YET_RECRUITING", "RECRUITING", "SUSPENDED",
    "TERMINATED", "WITHDRAWN", "AVAILABLE", "NO_LONGER_AVAILABLE", "TEMPORARILY_NOT_AVAILABLE",
    "APPROVED_FOR_MARKETING", "WITHHELD", "UNKNOWN",
)  # fmt: skip
PHASES = ("NA", "EARLY_PHASE1", "PHASE1", "PHASE2", "PHASE3", "PHASE4")

_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{1,2}))?(?:-([0-9]{1,2}))?")
_ROMAN = {"I": "1", "II": "2", "III": "3", "IV": "4"}


def statuses(text: str) -> str:
    """Overall statuses as the registry names them, parted by commas: "recruiting, not yet recruiting"."""
    found = [_word(part) for part in _parts(text)]
    wrong = [word for word in found if word not in STATUSES]
    if wrong:
        raise BadInputError(
            f"{wrong[0][:40]!r} is not a status of a study.", next=f"Choose from: {', '.join(STATUSES)}."
        )
    return ",".join(dict.fromkeys(found))


def phases(text: str) -> str:
    """A filter for any of these phases ("2, 3", "phase III", "early 1", "NA"); "2/3" is both in one study."""
    listed = _parts(text.upper().replace("N/A", "NA"))
    return " OR ".join(" AND ".join(_phase(one) for one in part.split("/")) for part in listed)


def start_range(text: str) -> str:
    """A filter for the start of a study: "2020", "2020-03..2021", "2020.." or "..2019-12-31"."""
    first, dots, last = (part.strip() for part in text.strip().partition(".."))
    if not first and not last:
        raise _no_range(text)
    if not dots:
        last = first
    low = _day(first, text, latest=False) if first else "MIN"
    high = _day(last, text, latest=True) if last else "MAX"
    if first and last and low > high:
        raise _no_range(text)
    return f"AREA[StartDate]RANGE[{low},{high}]"


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _word(text: str) -> str:
    return re.sub(r"[\s_-]+", "_", text.strip().replace(",", "")).upper()


def _phase(text: str) -> str:
    word = _word(text)
    early = word.startswith("EARLY")
    number = word.removeprefix("EARLY").strip("_").removeprefix("PHASE").strip("_")
    number = _ROMAN.get(number, number)
    made = f"{'EARLY_' if early else ''}PHASE{number}" if number in {"1", "2", "3", "4"} else word
    if made not in PHASES:
        raise BadInputError(f"{text.strip()[:40]!r} is not a phase.", next=f"Choose from: {', '.join(PHASES)}.")
    return f"AREA[Phase]{made}"


def _day(part: str, whole: str, *, latest: bool) -> str:
    match = _DATE.fullmatch(part)
    if match is None:
        raise _no_range(whole)
    year, month = int(match[1]), int(match[2] or (12 if latest else 1))
    if not 1 <= month <= 12 or year < 1900:
        raise _no_range(whole)
    days = calendar.monthrange(year, month)[1]
    day = int(match[3] or (days if latest else 1))
    if not 1 <= day <= days:
        raise _no_range(whole)
    return f"{year:04d}-{month:02d}-{day:02d}"


def _no_range(text: str) -> BadInputError:
    return BadInputError(
        f"{text[:40]!r} is not a range of dates.", next='Give one as "2020", "2020-03..2021" or "2020..".'
    )
