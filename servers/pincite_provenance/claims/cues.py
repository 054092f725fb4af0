"""Cues in a sentence that its number is not simply a result: expected, a limit, a difference, another study's, denied.

A cue that the claim itself has (``expected mortality``, ``fold change``) is what is wanted, and no cue.
"""

import re
from dataclasses import dataclass

from pincite_materials.units import parse_unit
from pincite_provenance.claims.quantities import Quantity
from pincite_provenance.claims.sentences import Sentence, Slot
from pincite_provenance.claims.words import read_words, stem, stems


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that make a number something else, and the words of a claim that ask for just that."""

    name: str
    pattern: re.Pattern[str]
    excuses: frozenset[str]
    where: str = "before"
    """Where the words stand: "before" the number or "behind" it in its part of the sentence, on either side ("around"),
    close before it ("near"), or anywhere between it and the last semicolon or full stop ("segment")."""


def _cue(name: str, pattern: str, excuses: str, where: str = "before") -> Cue:
    return Cue(name, re.compile(pattern, re.IGNORECASE), stems(excuses), where)


_DIFFERENCE = """
difference change increase decrease reduction rise drop fall decline gain loss improvement improved reduced fold
ratio relative higher lower greater shift lead advantage saving speedup gap excess margin delta increment
"""
_EXPECTED = """
expected assumed predicted hypothesised hypothesized planned target anticipated simulated modelled modeled
theoretical estimate projected intended assumption required power effect calculated computed simulation model
goal
"""
_LIMIT = """
threshold cutoff cut-off criterion criteria limit definition defined cut set setting significance level
eligibility inclusion required minimum maximum recommended guideline
"""

CUES = (
    _cue("an expectation or assumption",
         r"\b(?:(?<!\bas )(?<!\bthan )expect(?!edly)\w*|assum\w*|anticipat\w*|hypothe\w*|predict\w*|presum\w*"
         r"|suppos\w*|postulat\w*|speculat\w*|project(?:ed|ion)"
         r"|simulat\w*|theoretical\w*|in silico|would|should|conservative\w*|plausibl\w*|intend\w*|aim(?:s|ed)?"
         r"|target(?:ed|s)? (?:(?:[a-z]+ )?(?:of|at|was|is)|sample)"
         r"|goals? (?:of|was|is|to)|planned|will|powered? (?:to|of)|to detect|sample size calculation|ideal(?:ly)?)\b",
         _EXPECTED, "around"),
    _cue("an expectation or assumption",
         r"\b(?:assum\w*|hypothe\w*|suppos\w*|postulat\w*|speculat\w*|predict\w*|expect\w*|propos(?:al|ed?|es|ing))\b[^;]*\bthat\b",
         _EXPECTED, "segment"),
    _cue("a possibility", r"\b(?:might|may|could|possibly|perhaps)\b(?:\s[\w~]+){0,8}\s*$",
        "possible potential may might could"),
    _cue("a limit or criterion",
         r"\b(?:threshold\w*|cut-?\s?offs?|criteri\w*"
         r"|defined (?:as|by)(?![^;.]*,\s(?:was|were|is|are|had|has)\b)|was defined|were defined|definition"
         r"|considered (?:significant|positive|negative|as|to be)|eligible|eligibility"
         r"|inclusion|exclu(?:ded|sion)|(?:set|fixed|kept|held|adjusted) (?:to|at|as)|if|unless|whenever|requir\w+"
         r"|recommend\w*"
         r"|significance level|level of significance|statistically significant (?:at|if|when)|detection limit"
         r"|limits? of detection|tolerance)\b",
         _LIMIT),
    _cue("a limit or criterion",
         r"\b(?:set|fixed|kept|held|adjusted|chosen?|limited)\s(?:[\w-]+\s){1,8}?(?:to|at|as)(?: be)?\s*$"
         r"|\b(?:in order to|so as to|(?:performed|designed|carried out|dimensioned|optimi[sz]ed|chosen|used) to)\b"
         r"[^.;,()]{0,60}$",
         _LIMIT, "near"),
    _cue("a limit or criterion",
         r"\b(?:(?:was|were|are|is|be) (?:excluded|eligible|ineligible|not included)"
         r"|(?:exclusion|inclusion) criteri\w*)\b",
         _LIMIT + " excluded exclusion ineligible", "around"),
    _cue("what another study gives",
         r"\bet al\b|\b(?:previous|earlier|prior|other|another|published|recent|former|past|several"
         r"|these(?! (?:data|results|findings|experiments))|similar(?! (?:results?|findings|data) (?:were|was) )) "
         r"(?:\w+ )?(?:stud(?:y|ies)|reports?|work|works|publications?|"
         r"investigations?|authors?|trials?|groups?|researchers?|findings|results|literature|data|research"
         r"|experiments)\b|\bpreviously (?:reported|published|described|found|shown|observed|measured)"
         r"|\b(?:reported|described|found|observed|shown|proposed) (?:previously|earlier|elsewhere|by [A-Z])|\b(?:in"
         r"|from) the literature\b|\bliterature values?\b"
         r"|(?:^|[.;]\s+)(?:[Tt]hey|[Tt]he authors?|[Hh]e|[Ss]he|[Tt]hese authors)\s+(?:\w+\s+)?(?:obtain|report"
         r"|f[oi]u?nd|observ|measur|achiev|show|describ|estimat|demonstrat|us|reach|record|conclud|claim|attain"
         r"|determin)(?:ed|s|d)?\b"
         r"|\baccording to [A-Z]|\b(?:[A-Z][a-z]+ and colleagues|co-?workers)\b|\bhas been reported\b|\bhave been "
         r"reported\b|\breportedly\b",
         "literature previous reported cited earlier published al", "around"),
    _cue("what a citation gives", r"(?<![A-Za-z])\[\d+(?:(?:\s?[,;-]\s?|\s+to\s+)\d+)*\]|\([A-Z][a-z]+(?: et al\.?|,"
                                  r"| and [A-Z][a-z]+)[^()]{0,20}(?:19|20)\d\d[a-z]?\)"
                                  r"|\(\d{1,3}(?:\s?[,;-]\s?\d{1,3})*\)(?=\s*[.;]|\s*$)",
         "literature previous reported cited earlier published al", "around"),
    _cue("a total of which only a part is meant", r"\d\s?/\s?$|\b(?:[Oo]ne|two|three|\d+) in (?:every )?$"
        r"|\bout of (?:the |a total of |all )?$|\b(?:\d+"
        r"|[a-z]+teen|one(?! of\b)|two|three|four|five|six|seven|eight|nine|ten|twelve|none|most|all"
        r"|half)\s+(?:\([^()]*\)\s*)?(?:out )?of\s+(?:the |all |these |our )?$",
         "total examined all sample size analysed analyzed studied tested investigated overall", "near"),
    _cue("a spread or interval", r"\b(?:confidence intervals?|credible intervals?|standard deviations?|standard "
                                 r"errors?|variances?|coefficients? of variation|margin of error|width of"
                                 r"|interquartile)\b[^,]*$",
         "confidence interval ci deviation sd error sem se variance variation cv width margin interquartile iqr "
         "range spread"),
    _cue("a setting", r"\b(?:prior|priors|initial guess|default|nominal|calibrat\w+)\b",
        "prior default nominal calibration setting set"),
    _cue("a limit that was set", r"\b(?:stopped|terminated|limited|capped|truncated|restricted|censored) (?:at|to"
                                 r"|after)\s*$", _LIMIT, "near"),
    _cue("a negation",
         r"\b(?:no|nor|neither|never|without|false|fail(?:s|ed)? to|absence of|lack(?:ed|ing|s)? of|cannot|could not"
         r"|did not|does not|was not|were not|is not|are not|not)\b"
         r"(?! (?:significant|only|statistical|differ|different|difference|signifi|surprising))"
         r"(?! (?:\w+ly )?(?:correlated|associated|related|linked)\b)(?![^;.]*\bexcept\b)",
         "no not without non absence lack free negative never missing failure failed unsuccessful not", "before"),
    _cue("a negation", r"^[^.;,]{0,80}\b(?:did|does|do|was|were) not (?:show|cause|produce|induce|exhibit|result|lead"
                       r"|reveal|display)",
         "no not without non absence lack free negative never missing failure", "behind"),
    _cue("a difference or ratio",
         r"\b(?:increase|decrease|reduction|drop|decline|rise|improvement|change)s?\s+(?:\([^()]*\)\s+)?(?:in"
         r"|of)\b[^;()]{0,90}\(\s*$", _DIFFERENCE),
    _cue("the value before a change",
         r"\b(?:increas|decreas|reduc|lower|rais|chang|fell|fall|drop|declin|rose|ris|improv|shift|clos|grow"
         r"|grew)\w*\b[^.;]{0,80}\bfrom\s+(?:about |approximately |~)?$",
         "before baseline initial control pre untreated starting original first from start", "near"),
    _cue("what is possible at most", r"\b(?:maximum|highest|minimum|lowest) possible\b|\bpossible (?:score|maximum"
                                     r"|range|total)\b", "possible"),
    _cue("a difference or ratio",
         r"(?:\b(?:increas\w*|decreas\w*|reduc\w*|dropp?\w*|fell|rose|ris\w*|declin\w*|improv\w*|gain\w*|lower\w*"
         r"|rais\w*|grew|shorten\w*|prolong\w*|differ\w*|outperform\w*|exceed\w*|surpass\w*|chang\w*|enhanc\w*"
         r"|elevat\w*|shift\w*|delay\w*|advanc\w*|extend\w*)"
         r"\s(?:\w+\s){0,4}?by(?: (?:about|approximately|around|up to|almost|nearly|a factor of|~))?\s*~?\s*$)"
         r"|\b(?:difference|reduction|increase|decrease|improvement|gain|change|drop|decline|rise|shift|margin"
         r"|loss)s?\b[^,;.()]{0,60}\b(?:of|was|were|is|by|at|=|about)\s*(?:about|approximately|~|only|just|merely|nearly"
         r"|almost|even|as much as|up to)?\s*$"
         r"|\b(?:factor|ratio) of\s*$|[Δδ]\s*=?\s*$",
         _DIFFERENCE),
    _cue("a difference or ratio",
         r"^[\s\-]*(?:%|percent|percentage points?|points?|(?!and\b|but\b)[A-Za-zμ°/^]{1,8})?[\s\-]*"
         r"(?:(?:absolute|relative|point"
         r"|F1)\s)?(?:higher|lower|greater|smaller|larger|longer|shorter|faster|slower|more|less|fewer|better|worse"
         r"|older|younger|above|below"
         r"|increase|decrease|reduction|improvement|gain|rise|drop|decline|fold|times|×|difference|increased"
         r"|decreased|reduced)\b(?! (?:than or equal|of the))",
         _DIFFERENCE, "behind"),
    _cue("a difference or ratio", r"^[\s\-]*(?:fold|times|-fold)\b", _DIFFERENCE, "behind"),
)  # fmt: skip
_PLACED = re.compile(r"\s*(?:in|for|of|at)\s")
_CLAUSE = re.compile(r";\s|[.?!]\s+(?=[A-Z])|,\s+(?:and|but|while|whereas|although|so)\s")
_METHOD = re.compile(
    r"\b(?:method|formula|equation|procedure|protocol|technique|software|algorithm|test|program|scale|questionnaire"
    r"|criteria|using"
    r"|model|kit|package|database|index|according)\w*\s*(?:\w+\s){0,3}$",
    re.IGNORECASE,
)
_WINDOW = 160
_ASIDE = re.compile(r"\((?![A-Z][a-z]+(?: et al|,| and ))[^()]*[a-z]{3}[^()]*\d[^()]*\)")
"""A bracket with words and a number, which is not a citation by name and year."""


_TIME = stems("""
time duration period age interval follow-up follow up half-life latency survival delay point onset lifetime
day hour week month year minute second long length old timing lag term stay incubation storage date after
within at by until durability exposure
""")
_HEAT = stems("temperature temp heat cold melting point transition tc annealing boiling curie critical")
_DOSE = stems("""
dose dosage concentration amount level content ic50 ec50 mic mbc ld50 lod limit loading quantity cytotoxicity
toxicity mass weight bactericidal inhibitory lethal effective solubility affinity kd ki km threshold intake
titer titre yield
""")
_AT = re.compile(
    r"\b(?:at|after|for|within|during|over|until|every|in|by|with|under)\s+(?:about |approximately |the (?:first"
    r"|last) |~|a further )?\s*$",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b([a-z]{3,}(?:ed|ing))\s+(?:\w+\s){0,1}(?:at|for|to|with|in|by|after|until|over|within|under)\s+(?:about "
    r"|approximately |~)?\s*$"
)
_NEUTRAL = stems("""
compared found measured estimated calculated observed determined reported recorded achieved reached obtained
increased decreased reduced ranged amounted corresponded equaled accounted occurred detected seen identified
attenuated shown centered centred located improved declined elevated raised lowered dropped changed according
including following using being resulting leading averaged peaked inhibited localized survived lasted
performed died completed contacted evaluated limited attributed assigned assessed stabilized saturated
extended shifted migrated migrating eluted eluting absorbed absorbing emitted emitting appeared appearing
predicted positioned extended shifted superconducting melting boiling freezing ordering transforming decomposing
""")
_TIMES, _HEATS, _DOSES = ("s",), ("K", "°C"), ("mg/kg", "g/L", "mol/L", "g")


def same_dimensions(a: str, b: str) -> bool:
    """Whether two units measure the same, by their dimensions."""
    dimensions = {reading.dimensions for reading in parse_unit(a)}
    return any(reading.dimensions in dimensions for reading in parse_unit(b))


def _condition(before: str, number: Quantity, wanted: set[str]) -> str:
    """The words before a measured number that make it a condition (``annealed at 900 K``, ``after 6 weeks``), "" for
    none or where the claim asks for just that.
    """
    if number.unit in ("", "%"):
        return ""
    done = _DONE.search(before)
    if done and stem(done[1]) not in _NEUTRAL and stem(done[1]) not in wanted:
        return done[0].strip()
    at = _AT.search(before)
    if at is None:
        return ""
    for units, words in ((_TIMES, _TIME), (_HEATS, _HEAT), (_DOSES, _DOSE)):
        if any(same_dimensions(number.unit, unit) for unit in units) and not words & wanted:
            return at[0].strip()
    return ""


_CHANGE = stems("difference change increase decrease reduction rise drop decline gain loss improvement")
_CHANGED_TO = re.compile(
    r"\b(?:increas|decreas|reduc|drop|fell|rose|ris|declin|improv|lower|chang|rais"
    r"|diminish)\w*\b[^;]*\bto\s*(?:about |approximately |~)?\s*$",
    re.IGNORECASE,
)
_PLAN = stems("""
planned expected assumed anticipated intended projected hypothesised
""")


_STUDY = r"(?:this|the present|our|the current) (?:study|work|paper|trial|report)"
_OF_OWN = re.compile(
    rf"\b(?:of|in|from|by) {_STUDY}\b"
    r"|\b(?:measured|examined|found|determined|observed|studied|obtained|reported) here\b",
    re.IGNORECASE,
)
_SAYS_OWN = re.compile(rf"\b(?:we|our|ours|here|herein|{_STUDY})\b", re.IGNORECASE)


def asks_for_own(words: str) -> bool:
    """Whether a claim is about what the paper itself found (``measured in this study``)."""
    return _OF_OWN.search(words) is not None


def says_own(text: str) -> bool:
    """Whether a text says that it tells what its authors found (``we``, ``in this study``)."""
    return _SAYS_OWN.search(text) is not None


def asks_for_plan(words: str) -> bool:
    """Whether a claim is about what was planned or expected (``planned sample size``, ``to be enrolled``)."""
    keys = {stem(word.text) for word in read_words(words)}
    return bool(keys & _PLAN) or re.search(r"\bto be \w+(?:ed|n)\b", words) is not None


def plans(sentence: Sentence, slot: Slot) -> bool:
    """Whether the sentence says so of the number."""
    low, high = sentence.element(slot)
    text = sentence.text[low:high] + (sentence.shared(slot) if sentence.shares(slot) else "")
    return CUES[0].pattern.search(text) is not None or re.search(r"\b(?:aim|plan|necessary|need)", text) is not None


def _asides_blank(text: str) -> str:
    """The text with brackets that have a number of their own blanked (``(expected: 25%)``): their cues are for that."""
    return _ASIDE.sub(lambda match: " " * len(match[0]), text)


def cues_of(sentence: Sentence, slot: Slot, claimed: str) -> list[tuple[str, str]]:
    """The names of the cues at the slot's number, each with the words, that the claim's words do not ask for."""
    low, high = sentence.element(slot)
    low = min(low, slot.quantity.start)
    number = slot.quantity
    before = sentence.text[max(low, number.start - _WINDOW) : number.start]
    cut = max((match.end() for match in _CLAUSE.finditer(before)), default=0)
    before = _asides_blank(before[cut:])
    if sentence.shares(slot) and not cut:
        before = sentence.shared(slot)[-_WINDOW:] + " " + before
    behind = _asides_blank(sentence.text[number.end : min(high, number.end + _WINDOW)])
    wanted = {key for word in read_words(claimed) for key in (*word.keys, stem(word.text))}
    found: list[tuple[str, str]] = []
    if wanted & _CHANGE and _CHANGED_TO.search(before):
        found.append(("the level after a change", _CHANGED_TO.findall(before)[-1]))
    near = sentence.text[max(number.start - 60, 0) : number.start]
    condition = _condition(near, number, wanted)
    if condition:
        found.append(("a condition", condition))
    for cue in CUES:
        if cue.excuses & wanted:
            continue
        if cue.name == "what a citation gives":
            behind = sentence.rest(number.end)
        texts = {
            "near": (near,),
            "before": (before,),
            "behind": (behind,),
            "around": (before, behind),
            "segment": (sentence.text[sentence.segment_start(slot) : number.start],),
        }[cue.where]
        for text in texts:
            match = cue.pattern.search(text)
            if cue.name == "the value before a change" and _PLACED.match(sentence.text, number.end):
                continue
            if match is not None and cue.name == "what a citation gives" and _METHOD.search(text, 0, match.start()):
                match = cue.pattern.search(text, match.end())
            if match is not None:
                found.append((cue.name, match[0].strip()))
                break
    return found
