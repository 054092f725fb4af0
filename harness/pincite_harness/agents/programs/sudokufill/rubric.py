"""Rubric: what each tenth of a confidence means; confidences are multiples of a tenth."""

import math

STEPS = {
    0.0: "nothing on the page",
    0.1: "related words only, no value",
    0.2: "related words with a little more around them, still no value",
    0.3: "a place suggests a value, but only by inference",
    0.4: "a value that is still ambiguous",
    0.5: "grounded, but incomplete, not unique, or still to be normalised",
    0.6: "plausible and partly checked",
    0.7: "explicit, but there are several candidates, or other pages or fields are needed",
    0.8: "explicit and nearly unique",
    0.9: "explicit and unique, with several cues",
    1.0: "decisive: an exact cell with its headers, or a sentence that cannot be read otherwise",
}
CANDIDATE = 0.3
"""Least confidence (0 to 1) of a value that counts as one: below it the rubric knows no value."""
TEXT = "\n".join(f"- {step:.1f}: {meaning}" for step, meaning in STEPS.items())


def tenth(confidence: float) -> float:
    """A confidence rounded to a tenth, halves up: 0.25 is 0.3."""
    return math.floor(min(1.0, max(0.0, confidence)) * 10 + 0.5) / 10
