"""Characters: named classes of the dashes, quotation marks, spaces and raised digits that print varies.

A module that brings them to one form builds its own set of these classes and says what it adds: the sets differ on
purpose, for a search must find what a comparison of quotes must still tell apart (a raised minus, a prime). A pattern
that means the two or three signs it lists keeps them in the pattern.
"""

HYPHENS = "\u2010\u2011"
"""Hyphen and non-breaking hyphen; the ASCII one is not in any class."""

DASHES = "\u2012\u2013\u2014"
"""Figure dash, en dash and em dash."""

BAR = "\u2015"
"""Horizontal bar."""

MINUS = "\u2212"

FORM_HYPHENS = "\ufe63\uff0d"
"""Small and full-width hyphen-minus: compatibility forms."""

LINE_DASHES = HYPHENS + DASHES + BAR + MINUS + FORM_HYPHENS
"""Every dash that stands on the line."""

RAISED_MINUS = "\u207b"
LOWERED_MINUS = "\u208b"

SINGLE_QUOTES = "\u2018\u2019"
"""The second one is also the apostrophe."""

LOW_SINGLE_QUOTES = "\u201a\u201b"
DOUBLE_QUOTES = "\u201c\u201d"
LOW_DOUBLE_QUOTES = "\u201e\u201f"
ANGLED_QUOTES = "\u00ab\u00bb"
LETTER_APOSTROPHE = "\u02bc"
ACUTE = "\u00b4"
PRIME = "\u2032"
DOUBLE_PRIME = "\u2033"

THIN_SPACES = "\u00a0\u2009\u202f"
"""What parts a number's groups of digits: no-break space, thin space and narrow no-break space."""

NUMBER_SPACES = THIN_SPACES + "\u2007\u2008\u200a"
"""With them figure space, punctuation space and hair space."""

UNSEEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
"""Soft hyphen, zero-width space, non-joiner and joiner, word joiner, byte order mark."""

RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
LOWERED_DIGITS = "₀₁₂₃₄₅₆₇₈₉"
