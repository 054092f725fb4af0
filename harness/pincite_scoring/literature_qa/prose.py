"""What an answer in prose commits to: its conclusion, without markup, citations and apologies."""

import re
from dataclasses import dataclass

from pincite_materials.text import plain
from pincite_scoring.literature_qa.word_answers import normal

_CITATION = re.compile(r"\[[^\[\]]*\]\((?:https?:|www\.|doi)[^()\s]*(?:\([^()]*\)[^()\s]*)*\)")
_EMPTY_BRACKETS = re.compile(r"\(\s*(?:[,;]\s*)*\)")
_LATEX = (
    (re.compile(r"\\(?:text|mathrm|mathbf|textbf|mathit|boxed)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\mu\b\s*"), "μ"),
    (re.compile(r"\\[()\[\]]|\\[,;!: ]|(?<!\\)\$"), " "),
    (re.compile(r"\\%"), "%"),
)
_EMPHASIS = re.compile(r"\*\*(?!\s)(.+?)(?<!\s)\*\*|__(?!\s)(.+?)(?<!\s)__")
_MARKS = re.compile(r"\*\*|__|`|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])|^#+\s*", re.MULTILINE)
_ESCAPED = re.compile(r"\\([_#~%])")
_STAR = "\u2217"
"""Stands for an escaped star while the stars of emphasis are read."""
_TAG = re.compile(r"</?[a-z]{1,6}>", re.IGNORECASE)
_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\bal\.)(?<!\b[Ff]ig\.)(?<!\bvs\.)(?<!\bca\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bapprox\.)(?<!\bNo\.)"
    r"\s+(?=[A-Z(\[\"“'‘5])|\s*\n\s*"
)
_MARKED = re.compile(
    r"(?:^|[\n.!?:*]\s*)\W{0,4}(?:(?:the|my|so the|final|correct|short|right)\s+){0,3}answer"
    r"(?:\s*\([^()\n]{0,60}\))?\**\s*(?:is\b\s*:?|:)\s*",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:so|therefore|thus|hence|in short|in summary|conclusion),?\s+)?"
    r"(?:(?:the|its|their|my)\s+(?:[a-z-]+\s+){0,3}?(?:answer|value|result)\s+(?:is|was|are|were|:)\s*:?|"
    r"(?:it|this|that|these|they|which)\s+(?:is|was|are|were)\b|(?:it's|that's)|answer\s*:)\s*",
    re.IGNORECASE,
)
_BROKEN_OFF = re.compile(r"(?:\.\.\.|…)\s*$")
_LONG = 1000
"""Characters from which an answer that ends in dots was broken off; a shorter one trails off by itself."""

_CANNOT = (
    r"(?:can ?not|can['’]t|could not|couldn['’]t|(?:am|was|were|is|are)(?: not|n['’]t) able to|unable to|"
    r"failed to|did(?: not|n['’]t) manage to|have trouble|having trouble)"
)
_TELL = (
    r"(?:answer|determine|find|identify|tell|provide|say|locate|access|give|verify|extract|see|calculate|compute|"
    r"confirm|know|retrieve|open|view|read|establish|infer|search|accessing|finding|opening|be (?:sure|certain))"
)
_SOURCE = (
    r"(?:the |this |that |given |provided |available |any |these |those )*(?:papers?|study|studies|texts?|articles?|"
    r"manuscripts?|authors?|sources?|documents?|abstract|excerpt|passage|work|it|they|publication)"
)
_SAY = r"(?:say|report|state|mention|specify|tell|answer|indicate|reveal|disclose)"
_INFORMATION = r"(?:information|data|answer|evidence|details?|value|values|figure|number)"
_REPORTED = (
    r"(?:reported|stated|given|mentioned|specified|provided|available|disclosed|known|found|determinable|indicated|"
    r"listed)"
)
_BUT = r"(?:\W|but |however,? |unfortunately,? )*"
_DOES_NOT = r"(?:do(?:es)?|did)(?: not|n['’]t)"
_ANYTHING = r"(?:$|[.,;!]|\b(?:it|this|that|any|which|what|how|whether|an?|the|when|where|who|so)\b)"
_DECLINING = re.compile(
    rf"\b(?:I|we|I['’]m)(?: \w+){{0,2}}? {_CANNOT}(?: \w+){{0,3}}? {_TELL}\b"
    rf"|^(?:sorry,? |unfortunately,? )*{_CANNOT} {_TELL}\b"
    r"|\b(?:can ?not|can['’]t|could not|couldn['’]t) (?:\w+ )?be (?:\w+ )?(?:determined|answered|found|inferred|"
    r"established|calculated|identified|verified|read|told)\b"
    r"|\b(?:I|we) (?:\w+ )?(?:do not|don['’]t|did not|didn['’]t) (?:\w+ )?(?:have|know|find|see)\b"
    r"|^(?:do not|don['’]t) know\b"
    rf"|^{_BUT}{_SOURCE}(?: \w+)? {_DOES_NOT} (?:\w+ )?{_SAY} ?{_ANYTHING}"
    rf"|^{_BUT}{_SOURCE}(?: \w+)? {_DOES_NOT} (?:\w+ )?(?:give|provide|contain|include|have) (?:\w+ ){{0,3}}?"
    rf"{_INFORMATION}\b"
    rf"|\b(?:no|not enough|insufficient) (?:\w+ )?{_INFORMATION}\b(?! set)"
    rf"|^(?:\W|it is |this is |that is |was |is |the {_INFORMATION} (?:is|was|are) |\w+ (?:is|was) )*"
    rf"not (?:\w+ )?{_REPORTED}\b"
    rf"|(?<!\d )\b{_INFORMATION} (?:is|are|was|were) (?:not (?:\w+ )?{_REPORTED}|unavailable|missing|lacking|absent)\b"
    r"|^\W*(?:it is |this is |that is |the answer is |i am |i'm )?(?:unknown|unsure|undetermined|unanswerable|unclear|"
    r"not sure|no idea|n/a|not applicable|none (?:given|reported|stated))\b"
    r"|\b(?:I am|I'm|we are) (?:not sure|unsure|not certain)\b"
    rf"|^(?:\W|the |this |that |such )*{_INFORMATION} (?:(?:is|are|was|were) )?(?:unavailable|missing|lacking|absent)\b"
    rf"|\b{_INFORMATION} (?:is|are|was|were)n['’]t (?:\w+ )?{_REPORTED}\b"
    rf"|\bthere (?:is|are)(?: not|n['’]t) (?:enough|sufficient|any) (?:\w+ )?{_INFORMATION}\b"
    rf"|^{_BUT}{_SOURCE} (?:is|are|remains?) silent\b|^{_BUT}{_SOURCE} omits?\b"
    rf"|^{_BUT}{_SOURCE} (?:makes?|made|has|have|contains?) no (?:mention|statement|claim|reference)\b"
    rf"|^{_BUT}(?:nothing|no\w*) (?:\w+ )?in {_SOURCE} (?:addresses|says|states|mentions|reports|answers|tells)\b"
    rf"|\bbeyond (?:the scope of|what) {_SOURCE}\b"
    r"|\bthere is no mention of\b|\b(?:we are|I am|the reader is|readers are) not told\b"
    r"|^(?:it|this|that) remains? (?:unclear|unknown|unspecified|undetermined|open)\b"
    r"|\bwithout (?:\w+ )?access to\b|\bI (?:would|['’]d) need (?:\w+ )?access\b",
    re.IGNORECASE,
)
_INVITING = re.compile(
    r"\b(?:could|would|can) you\b|\bwould help me\b|\bto (?:help|assist) you\b"
    r"|\bif you (?:\w+ )?(?:share|provide|upload|paste|have|can|could|want|send|tell|give)\b"
    r"|\bplease (?:\w+ )?(?:share|provide|upload|paste|send|tell|check|consult|let|clarify|specify)\b"
    r"|\b(?:send|paste|share|upload) "
    r"|\bI(?:['’]d| would| can| could|['’]ll| will) (?:\w+ )?(?:be happy|recommend|suggest|help|need)\b"
    r"|\bI need (?:the|to (?:see|know)|more|access)\b|\bsorry\b|\bapologi[sz]e\b|\bfeel free\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Conclusion:
    """``words`` are what an answer commits to; ``emphasised`` the parts of them that are set in bold, ``marked``
    whether the answer itself says that this is its answer, and ``whole`` whether nothing else was said."""

    words: str
    emphasised: tuple[str, ...]
    marked: bool
    whole: bool


def tidy(text: str) -> str:
    """``text`` without the markup of Markdown, HTML and LaTeX, without citations and invisible characters."""
    text = _ESCAPED.sub(r"\1", _EMPTY_BRACKETS.sub(" ", _CITATION.sub("", text.replace("\\*", _STAR))))
    for pattern, replacement in _LATEX:
        text = pattern.sub(replacement, text)
    return plain_lines(_MARKS.sub("", _TAG.sub("", text))).replace(_STAR, "*")


def plain_lines(text: str) -> str:
    """One blank between words, lines kept; characters that nobody sees are gone."""
    lines = (" ".join(line.split()) for line in text.replace("\u200b", "").replace("\ufeff", "").splitlines())
    return "\n".join(lines).strip()


def conclusion(text: str) -> Conclusion:
    """What ``text`` commits to: what stands behind its last "Answer:", else all of it where it is one sentence, else
    the last paragraph."""
    bare = _EMPTY_BRACKETS.sub(" ", _CITATION.sub("", text)).strip()
    marks = list(_MARKED.finditer(bare))
    if marks and not marks[-1].group().strip().startswith(":") and len(bare) > marks[-1].end():
        rest = re.split(r"\n\s*\n", bare[marks[-1].end() :].strip())[0]
        rest = "**" * (bare[: marks[-1].end()].count("**") % 2) + rest
        return Conclusion(without_lead(tidy(rest)), _bold(rest), True, marks[-1].start() == 0)
    parts = [part for part in _SENTENCE_END.split(bare) if part.strip(" *#-|")]
    if len(parts) <= 1:
        return Conclusion(without_lead(tidy(bare)), _bold(bare), False, True)
    concluding = [part for part in parts if _CONCLUDING.match(part.strip(" *#-"))]
    last = concluding[-1] if concluding else re.split(r"\n\s*\n", bare)[-1]
    return Conclusion(without_lead(tidy(last)), _bold(last), False, False)


_CONCLUDING = re.compile(r"(?:therefore|thus|hence|so|consequently|in (?:summary|conclusion|short))\b,?", re.IGNORECASE)


def opening(text: str) -> Conclusion | None:
    """The first sentence with something in bold, of an answer that goes on to explain itself; None where there is no
    such sentence, or the answer says itself what its answer is."""
    bare = _EMPTY_BRACKETS.sub(" ", _CITATION.sub("", text)).strip()
    if _MARKED.search(bare):
        return None
    for part in _SENTENCE_END.split(bare):
        bold = tuple(each for each in _bold(part) if not is_aside(each))
        if bold and not _INVITING.search(part) and not _DECLINING.search(part):
            return Conclusion(without_lead(tidy(part)), bold, False, False)
    return None


def is_aside(bold: str) -> bool:
    """Whether what is set in bold is a label or a file and not an answer."""
    return (len(bold) < 2 and not bold.isdigit()) or _LABEL.match(bold) is not None or _FILE.search(bold) is not None


def bold_of(text: str) -> tuple[str, ...]:
    """All that a text sets in bold, but for labels and files."""
    return tuple(each for each in _bold(_CITATION.sub("", text)) if not is_aside(each))


_LABEL = re.compile(r"(?:table|fig|figure|panel|page|supplementary|note|answer)\b", re.IGNORECASE)
_FILE = re.compile(r"\.(?:png|pdf|jpe?g|csv|xlsx?)\b", re.IGNORECASE)


def without_lead(text: str) -> str:
    """Without "The answer is", "It was" and their like."""
    return _LEAD.sub("", text.strip(), count=1).strip() or text


def broken_off(text: str) -> bool:
    """Whether an answer ends before its end."""
    return len(text) >= _LONG and _BROKEN_OFF.search(text) is not None


def declines(text: str) -> bool:
    """Whether all that is said declines to answer, apologises, or asks for more."""
    sentences = sentences_of(text)
    if not sentences:
        return True
    if not any(_DECLINING.search(sentence) for sentence in sentences):
        return False
    return all(_DECLINING.search(each) or _INVITING.search(each) for each in sentences)


def refuses(text: str) -> bool:
    """Whether an answer of several sentences begins or ends by declining, whatever it tells beside."""
    sentences = sentences_of(text)
    if not sentences or _MARKED.search(text):
        return False
    ends = [*sentences[:3], *sentences[-3:]]
    return any(_DECLINING.search(each) for each in ends) and any(_INVITING.search(each) for each in sentences)


def announces(text: str) -> bool:
    """Whether an answer ends with what is to be done next, and has said nothing by then that it calls its answer."""
    sentences = sentences_of(text)
    return bool(sentences) and not _MARKED.search(text) and _NEXT.match(sentences[-1]) is not None


_NEXT = re.compile(
    r"(?:now,? |next,? )?(?:let me|let us|let's|I(?:['’]ll| will| need to| should| must| am going to)) (?:\w+ ){0,2}?"
    r"(?:search|try|look|fetch|access|check|find|download|open|get|examine|retrieve|read|see)\b",
    re.IGNORECASE,
)


def sentences_of(text: str) -> list[str]:
    """The sentences and lines of a text."""
    return [part for part in _SENTENCE_END.split(tidy(text)) if normal(part)]


def _bold(text: str) -> tuple[str, ...]:
    return tuple(tidy(one or other) for one, other in _EMPHASIS.findall(text.replace("\\*", _STAR)))


def seen(text: str) -> str:
    """``text`` in one spelling of every character, for searching in it."""
    return plain(tidy(text))
