"""Normalised text: what may differ between print and XML without being a loss."""

import re
import unicodedata

_FOLDED = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−﹣－\u00ad", "-"),
        **dict.fromkeys("‘’‚‛′`´ʼ", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("•◦▪‣∙·⋅", " "),
        **dict.fromkeys("^_{}\u200b\u200c\u200d\u2060\ufeff", ""),
    }
)
_OPERATOR_SPACE = re.compile(r"\s*([=<>≤≥≈≠±×÷+→])\s*")
_TEX_QUOTES = re.compile(r"''")
_CITED = re.compile(r"\[\d+(?:\s?[,-]\s?\d+)+\]")


def normalise(text: str) -> str:
    """NFKC; script marks removed; hyphens, quotes and bullets folded; no space around operators; else single spaces."""
    folded = unicodedata.normalize("NFKC", text.translate(_FOLDED)).translate(_FOLDED)
    folded = _CITED.sub(_as_ranges, _TEX_QUOTES.sub('"', folded))
    return _OPERATOR_SPACE.sub(r"\1", " ".join(folded.split()))


def _as_ranges(match: re.Match[str]) -> str:
    """Cited numbers in brackets with three or more in a row as a range: print draws together what XML lists."""
    numbers: list[int] = []
    for part in re.sub(r"\s", "", match.group())[1:-1].split(","):
        ends = [int(number) for number in part.split("-")]
        if len(ends) > 2 or not 0 <= ends[-1] - ends[0] < 100:
            return match.group()
        numbers += range(ends[0], ends[-1] + 1)
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = (f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs)
    return f"[{','.join(parts)}]"


def letters(text: str) -> str:
    """Only the letters and digits of the normalised text, casefolded: for matching titles, never for scoring text."""
    return "".join(char for char in normalise(text).casefold() if char.isalnum())
