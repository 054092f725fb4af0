"""How two answers in words are held against each other."""

import re

from pincite_materials.text import plain

_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_ARTICLE = re.compile(r"^(?:a|an|the) ")
_ENDS = " .,;:!?\"'“”‘’`"


def normal(text: str) -> str:
    """Lower case, one form of every character and blank, no leading article, no quotes or marks at the ends; a hyphen
    between letters is a blank. Signs, brackets and everything else stay: ``-5`` is not ``5``."""
    folded = _HYPHEN.sub(" ", plain(text).casefold())
    return _ARTICLE.sub("", " ".join(folded.split()).strip(_ENDS))
