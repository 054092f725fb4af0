"""Notes on other works (errata, comments, replies, …), told by their titles."""

import re

_NOTICES = {
    "erratum": (
        r"(?:(?:author|publisher)'?s? )?(?:errat|corrigend|correct)(?:um|a|ions?)\b(?=\W*(?:$|to\b|for\b|[:.\[(]))",
        r".*[\[(](?:(?:author |publisher )?correction|erratum|corrigendum)[\])]\W*$",
    ),
    "addendum": (r"addend(?:um|a)\b(?=\W*(?:$|to\b|[:.]))",),
    "retraction": (r"(?:retraction|withdrawal)(?: note| notice)?\b(?=\W*(?:$|to\b|of\b|for\b|[:.–—-]))",),
    "concern": (r"(?:editorial )?expression of concern\b",),
    "comment": (
        r"(?:a )?(?:comments?|commentary) (?:on|to|regarding|about)\b|comment\s*[:–—-]",
        r".*\W(?:comment|commentary)\W*$",
    ),
    "reply": (
        r"(?:authors?'? |author's )?(?:reply|response|rejoinder|rebuttal)(?: (?:to|by|from|for)\b|\s*[:.–—-]|\W*$)",
        r"re\s*:\s",
        r".*[.:\[(–—-]\s*(?:(?:the )?authors?'? )?(?:reply|response)\W*$",
    ),
    "review": (r"(?:book )?review (?:of|for)\b|book reviews?\b|peer review report\b|reviewer #?\d|decision letter\b",),
    "recommendation": (r"faculty opinions recommendation of\b|elife assessment\b|public review\b",),
    "data": (
        r"data from\s*:|data for\s*:|(?:supplementary |supplemental )?(?:figure|table|movie|data) s?\d+\b.* from\b",
    ),
    "supplement": (
        r"(?:supplement(?:ary|al)?|supporting) (?:information|materials?|data|notes?|files?|figures?|tables?)\b",
    ),
    "discussion": (r"discussion (?:of|on)\b",),
}
_KINDS = tuple((kind, re.compile("|".join(patterns), re.IGNORECASE | re.DOTALL)) for kind, patterns in _NOTICES.items())
_RETRACTED = re.compile(
    r"^\W*(?P<first>retracted|withdrawn)(?: (?:article|paper|chapter))?\s*[:\].–—-]+\s*"
    r"|[(\[](?P<last>retracted|withdrawn)(?: article)?[)\]]\W*$",
    re.IGNORECASE,
)


def notice(title: str) -> str:
    """What kind of note on another work the title announces ("erratum", "reply", …); empty for a work of its own."""
    title = title.strip().lstrip("[(\"'“‘")
    return next((kind for kind, pattern in _KINDS if pattern.match(title)), "")


def without_label(title: str) -> str:
    """The title without the label that publishers put on a retracted work ("RETRACTED: …")."""
    return _RETRACTED.sub("", title)


def retracted_label(title: str) -> str:
    """``retracted`` or ``withdrawn`` where such a label stands before or behind the title, else ""."""
    found = _RETRACTED.search(title)
    return (found["first"] or found["last"]).lower() if found is not None else ""
