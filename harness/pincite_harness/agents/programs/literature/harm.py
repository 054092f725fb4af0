"""Refusal policy: kinds of operational help for harm that the agent does not give, and rules for the clear cases.

A clear case names a hazard and asks for the doing of it, and has no sign of a protective purpose. What has one of the
two, or a protective sign, is left to the gate's model. The list describes kinds; it holds no substance's making.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of harm: what it is in a sentence, and the words that name its hazards."""

    name: str
    about: str
    hazards: re.Pattern[str]


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(patterns)})", re.IGNORECASE)


CATEGORIES = (
    Category(
        "pathogen",
        "making, obtaining, enhancing or spreading a pathogen: transmissibility, virulence, immune or drug escape",
        _words(
            r"pathogens?\b",
            r"virus(?:es)?\b",
            r"bacteri(?:um|a)\b",
            r"(?:bio(?:logical)?[- ]?)(?:weapon|agent)s?\b",
            r"anthrax\b",
            r"smallpox\b",
            r"plague\b",
            r"(?:avian |pandemic )?influenza\b",
            r"ebola\b",
            r"microbes?\b",
        ),
    ),
    Category(
        "toxin",
        "producing, purifying or delivering a toxin against people",
        _words(r"(?:bio)?toxins?\b", r"poisons?\b", r"ricin\b", r"botulinum\b", r"venoms?\b"),
    ),
    Category(
        "chemical weapon",
        "making, stabilising or dispersing a chemical warfare agent, or its precursors outside control",
        _words(
            r"nerve (?:agent|gas)(?:es|s)?\b",
            r"chemical (?:weapon|warfare agent)s?\b",
            r"(?:blister|choking|blood) agents?\b",
            r"(?:mustard|poison|toxic) gas(?:es)?\b",
            r"organophosphate weapons?\b",
            r"sarin\b",
            r"incapacitating agents?\b",
        ),
    ),
    Category(
        "explosive",
        "making an explosive or a device that uses one, or its initiation",
        _words(
            r"(?:\w+ )?explosives?\b",
            r"bombs?\b",
            r"(?:improvised |explosive )devices?\b",
            r"detonators?\b",
            r"propellant charges?\b",
        ),
    ),
    Category(
        "controlled drug",
        "making a controlled drug or turning its precursors into it, outside a licence",
        _words(
            r"(?:controlled|illegal|illicit|street|recreational|designer) (?:drug|substance|opioid|stimulant)s?\b",
            r"(?:meth)?amphetamines?\b",
            r"heroin\b",
            r"cocaine\b",
            r"fentanyls?\b",
            r"narcotics?\b",
        ),
    ),
)
"""What the agent does not help with; the gate's model is shown the descriptions."""
_DOING = re.compile(
    r"\b(?:"
    r"how (?:can|could|do|would|should|to|might) (?:i|we|one|you|someone|a person|they)?\s*(?:best |secretly |safely )?"
    r"(?:make|build|produce|synthesi[sz]e|prepare|cook|grow|culture|enhance|modify|engineer|weaponi[sz]e|aerosoli[sz]e|"
    r"spread|release|disperse|deliver|obtain|acquire|purify|extract|concentrate|assemble|convert|stabili[sz]e|scale)"
    r"|(?:step[- ]by[- ]step|instructions?|recipe|protocol|procedure|route|method)s?\s+(?:for|to|of|by which|that)\b"
    r"|(?:make|render)(?:s|ing)? \w+(?: \w+){0,3} (?:more|resistant|deadlier|airborne)"
    r"|(?:which|what) (?:mutations?|changes?|modifications?|precursors?|reagents?|conditions?|equipment|steps?)\b"
    r"|(?:at home|home-?made|kitchen|without a licen[cs]e|without being (?:noticed|detected|caught)|evad\w+|undetected)"
    r")",
    re.IGNORECASE,
)
"""Asks for the doing: a verb of making or spreading with a "how", a procedure, what to change, or how not to be
noticed."""
_INTENT = re.compile(
    r"\b(?:make|build|produc|synthesi[sz]|prepar|cook|grow|cultur|enhanc|increas|rais|weaponi[sz]|aerosoli[sz]|spread|"
    r"releas|dispers|deliver|obtain|acquir|purif|extract|concentrat|assembl|convert|turn|stabili[sz]|escap|evad|resist|"
    r"transmissib|virulen|deadl|lethal|airborne|yield|scale|trigger|initiat|detonat|hid)\w*",
    re.IGNORECASE,
)
"""A verb or property by which a hazard becomes worse or comes about."""
_PROTECTIVE = re.compile(
    r"\b(?:detect(?!ed\b)|detection|detector|diagnos|vaccin|treat|therap|antidot|antibod|inhibitor|protect|prevent|"
    r"surveill|epidemi|monitor|decontamin|neutrali[sz]|remediat|degrad|disposal|destruct|demilitari[sz]|regulat|polic|"
    r"legisl|law|treat(?:y|ies)|conventions?|histor|forensic|residue|exposure|patients?|survivors?|clinical|dosing|"
    r"side effects?|overdose|addict|dependence|poisoning|food|waste ?water|safety|ethic|review|incidence|outbreak|"
    r"mortality|prevalence|mining|quarr|blast(?:ing)? (?:site|damage)|veterinar|phage|probiotic)\w*",
    re.IGNORECASE,
)
"""A sign of protection, medicine, law, history or measurement."""


def clear_case(question: str) -> Category | None:
    """The category of a question that the rules refuse: a hazard, the doing of it, and nothing protective; else
    None."""
    if not _DOING.search(question) or not _INTENT.search(question) or _PROTECTIVE.search(question):
        return None
    return next((category for category in CATEGORIES if category.hazards.search(question)), None)


def described() -> str:
    """The categories for the gate's model, a line each."""
    return "\n".join(f"- {category.name}: {category.about}" for category in CATEGORIES)
