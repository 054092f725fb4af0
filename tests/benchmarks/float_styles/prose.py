"""Prose: running text, captions and names made of a small vocabulary, the same for a seed."""

import random

_NOUNS = (
    *("sample", "phase", "oxygen", "crystal", "onset", "field", "density", "pressure", "lattice", "film", "powder"),
    *("spectrum", "peak", "domain", "vortex", "gap", "interface", "sensor", "model", "cell", "protein", "membrane"),
)
_VERBS = ("shows", "follows", "limits", "exceeds", "reflects", "depends on", "agrees with", "is set by", "scales with")
_ADJECTIVES = ("low", "high", "measured", "doped", "clean", "local", "bulk", "thin", "second", "narrow", "broad")


def sentence(dice: random.Random) -> str:
    """One sentence of ten to twenty words; now and then one that speaks of a figure or a table."""
    subject = f"The {dice.choice(_ADJECTIVES)} {dice.choice(_NOUNS)} of the {dice.choice(_NOUNS)}"
    parts = [f"{subject} {dice.choice(_VERBS)} the {dice.choice(_ADJECTIVES)} {dice.choice(_NOUNS)}"]
    if dice.random() < 0.5:
        parts.append(f" near the {dice.choice(_NOUNS)} at {dice.randint(2, 300)} K")
    if dice.random() < 0.12:
        return f"Figure {dice.randint(1, 6)} {dice.choice(_VERBS)} this for each {dice.choice(_NOUNS)}."
    if dice.random() < 0.12:
        parts.append(f", as seen in Fig. {dice.randint(1, 6)}")
    return "".join(parts) + "."


def paragraph(dice: random.Random, sentences: int) -> str:
    """So many sentences."""
    return " ".join(sentence(dice) for _ in range(sentences))


def title(dice: random.Random, words: int) -> str:
    """So many words, the first with a capital."""
    found = [dice.choice((*_NOUNS, *_ADJECTIVES)) for _ in range(words)]
    return " ".join(found).capitalize()


def caption(dice: random.Random, letters: str = "") -> str:
    """A caption of one to four sentences; with ``letters`` one sentence for each of these panels, called (a), (b)."""
    if not letters:
        return f"{title(dice, dice.randint(3, 7))}. {paragraph(dice, dice.randint(0, 3))}".strip()
    parts = [f"({letter}) {title(dice, dice.randint(3, 6))}" for letter in letters]
    return f"{title(dice, 4)}. {'; '.join(parts)}."
