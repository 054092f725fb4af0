"""The weights of the signals of ``weighing.py``.

Fitted and printed by ``python tests/benchmarks/claims_weights.py --data ../shared/data`` to the prose claims of
``tests/benchmarks/written_claims.jsonl.gz``; the constant has the name "".
"""

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "": -0.94,
    "another of the list": -0.80,
    "another role": -2.94,
    "behind": -0.45,
    "bound": -0.86,
    "contrary word": -1.67,
    "cue: a difference or ratio": -1.97,
    "cue: a limit or criterion": -1.54,
    "cue: a negation": -0.38,
    "cue: an expectation or assumption": -1.87,
    "cue: what a citation gives": -0.59,
    "cue: what another study gives": -1.05,
    "lead": 1.08,
    "material bound": 0.43,
    "material elsewhere": -1.14,
    "material foreign": -0.75,
    "material in clause": 0.20,
    "material in sentence": 0.08,
    "material near": 0.12,
    "picked from a list": 1.38,
    "property bound": 0.89,
    "property elsewhere": 0.02,
    "property foreign": -0.57,
    "property in clause": 0.15,
    "property in sentence": 0.47,
    "property near": 0.38,
    "tied": -0.44,
    "words beside": -0.94,
}
