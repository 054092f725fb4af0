"""Words: how a text is cut for ROUGE-L, Jaccard and METEOR."""

import re
import unicodedata

from pincite_scoring.result import Compat

_WORD = re.compile(r"(?<![\w.])-?\d+(?:[.,]\d+)*|\d+(?:[.,]\d+)*|[^\W\d_](?:[^\W_]|['’-](?=[^\W_]))*|%")
_MINUS = str.maketrans({"−": "-", "‐": "-", "‑": "-"})


def split_words(text: str, compat: Compat = "strict") -> list[str]:
    """The words of ``text`` in lower case: without punctuation, numbers whole (``-0.83``, ``1,200``), compatibility
    characters as plain ones; ``reference`` cuts at white space alone."""
    if compat == "reference":
        return text.lower().split()
    return _WORD.findall(unicodedata.normalize("NFKC", text).translate(_MINUS).lower())
