"""Words of claims and sentences: stems, words of one meaning, and words that exclude each other."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, cast

_RUN = re.compile(r"(?:[-+]/[-+])|[A-Za-zα-ωΑ-ΩéèüöäçñØøÅåÉ][\w'’]*(?:[-/.+&][\w'’]+)*\+?|\d[\w]*(?:[-/.][\w]+)*|[♀♂]")
_PART = re.compile(r"\d+\.\d+(?![\w])|\w+")
_CAMEL = re.compile(r"[A-Z][a-z]+")
_ENTITY = re.compile(r"(?=.*[A-Z].*[A-Z]|.*[A-Za-z].*\d|.*\d.*[A-Za-z])")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


STOP = _set("""
a an the of in on at by for from to with within without into onto over under between among through during per
as is are was were be been being has have had do does did and or but nor so than that this these those it its
their his her our we they he she i us them which who whom whose when where while whereas if then there here
also both each any some such no not only very more most less can could may might will would shall should must
s t vs versus via about after before since until upon up down respectively however therefore thus furthermore
moreover additionally finally using used use based i.e e.g ie eg et al
""")
"""Words that name nothing. Those of time (before, after) are looked at as contrasts."""

LIGHT = _set("""
value values level levels group groups sample samples study studies case cases data number result results
measured measurement total content contents observed obtained found mean average overall set method system
model test patient patients subject subjects participant participants individual individuals people person
people paper score scores analysis experiment experiments type condition conditions rate amount proportion
percentage percent share fraction ratio count size property coefficient constant parameter present work ours
our proposed estimated reported given typical approximate whole entire different various certain final body
all made prepared respective corresponding arm arms cohort
""")
"""Words that say little of what a value is: a claim may have them where the paper does not."""

_SAME = """
mean average averaged avg
died death deaths dead mortality fatal fatality fatalities deceased lethality lethal
survival survived survive survivors alive
patient patients participant participants subject subjects individual individuals volunteers people persons cases
women woman female females girls ♀
men man male males boys ♂
children child pediatric paediatric kids
infants infant newborn newborns neonates neonatal neonate p0
mice mouse murine pups littermates
rat rats
diameter size sizes
weight mass weighing weighed weigh
length long
height tall high
width wide
thickness thick
depth deep
age aged old
duration time period lasted
dose dosage doses
tumor tumors tumour tumours neoplasm
increase increased rise gain elevation elevated raised
decrease decreased reduction reduced decline declined drop dropped fell lowered diminished suppressed attenuated
yield yielded
score scored scores
respond response responded responders responder
maximum max maximal highest largest longest greatest tallest heaviest peak
minimum min minimal lowest smallest shortest
total overall altogether all whole
speed velocity
frequency rate proportion percentage percent fraction share prevalence ratio probability
control controls untreated
treatment treated therapy receiving received
surgery operation operative surgical
knockout ko null -/- knock-out deficient deficiency lacking
homozygous homozygote homozygotes -/-
wildtype wild wt +/+
heterozygous heterozygote heterozygotes +/-
sequences sequence
accessions accession
inhibition inhibited inhibitory
prevalence prevalent
volume vol
efficiency efficacy
sex gender
smokers smoker smoking
cost costs price expenditure
expression expressed
interval intervals
identified detected found
loss lost
adherence adherent compliance
recruited enrolled included randomised randomized
breathing respiratory respiration
area areas
variance variation variability
exons exon
contained contains comprised comprises consisted consists contain containing
germination germinated
contribution contributed accounted
temperature temperatures
nanoparticles nanoparticle nps np
accuracy accurate accuracies acc
recall r
correlation pearson r
precision p
f1 f-score f-measure f1-score f
required necessary needed
english en
german de
french fr
spanish es
italian it
finnish fi
chinese zh
japanese ja
russian ru
czech cs
romanian ro
turkish tr
planned will intended
sodium na
potassium kalium
magnesium mg
silicon si
iron fe
copper cu
manganese mn
chromium cr
zinc zn
titanium ti
aluminium aluminum al
calcium ca
nickel ni
cobalt co
lithium li
silver ag
gold au
lead pb
tin sn
carbon c
nitrogen n
oxygen o
hydrogen h
sulfur sulphur s
phosphorus p
baseline initial
initial first
membrane membranes
fixation fixed fixing postfixed postfixation
product fragment amplicon band
offspring progeny
explained explains account accounts accounted
outer outside
concentration concentrations content contents
capacity capacities
cooling cooled
heating heated
"""

_CONTRASTS = """
male female|men women|boys girls
before after|baseline after|preoperative postoperative|pre post|pretreatment posttreatment|initial final
control treatment|placebo drug|untreated treated
increase decrease
higher lower|high low|higher low|upper lower
maximum minimum mean median
positive negative
train test validation dev development
systolic diastolic
first second third fourth fifth
primary secondary
precision recall f1 accuracy
sensitivity specificity
left right
alive dead|survival death
mild moderate severe
wildtype knockout heterozygous|homozygous heterozygous wildtype
early late
responder nonresponder
smokers nonsmokers
adjusted unadjusted crude
exposed unexposed
odds hazard
winter summer spring autumn
inner outer
direct indirect
anterior posterior|ventral dorsal|proximal distal
children adults
urban rural
acute chronic
intervention control
cases controls
fasting postprandial
standard deviation mean
mean longest shortest
best worst
gold silver copper zinc iron nickel cobalt titanium platinum palladium aluminium
extract oil
aqueous ethanolic methanolic
monounsaturated polyunsaturated saturated
homozygous heterozygous
kept removed|retained removed|remaining removed|included excluded|retained excluded
detected missed|accepted rejected|passed failed|correct wrong
familiar stranger|known unknown|related unrelated
observed assumed|measured assumed|observed simulated|measured calculated
"""


@cache
def _stemmer() -> Any:
    import importlib

    package = cast("Any", importlib.import_module("Stemmer"))  # it has no types
    return package.Stemmer("english")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a word in lower case."""
    lowered = word.lower().replace("’", "'").removesuffix("'s")
    return cast("str", _stemmer().stemWord(lowered))


def stems(words: str) -> frozenset[str]:
    """The stems of words."""
    return frozenset(stem(word) for word in words.split())


@cache
def _senses() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for number, line in enumerate(_SAME.split("\n")):
        for word in line.split():
            key = stem(word)
            found[key] = found.get(key, frozenset()) | {f"={number}"}
    return found


@lru_cache(maxsize=65536)
def meaning(word: str) -> frozenset[str]:
    """The stem of a word and the marks of the groups of synonyms it belongs to."""
    key = stem(word)
    return frozenset({key}) | _senses().get(key, frozenset())


@cache
def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _CONTRASTS.split("\n"):
        for group in line.split("|"):
            words = [stem(word) for word in group.split()]
            for word in words:
                found.setdefault(word, set()).update(other for other in words if other != word)
    return {key: frozenset(value) for key, value in found.items()}


@lru_cache(maxsize=16384)
def opposites(word: str) -> frozenset[str]:
    """Stems of the words that exclude ``word``, and the marks of their synonyms."""
    mine = meaning(word)
    found: set[str] = set()
    for key, others in _opposites().items():
        if meaning(key) & mine:
            found |= others
    return frozenset[str]().union(*(meaning(other) for other in found if not meaning(other) & mine))


def negates(a: str, b: str) -> bool:
    """Whether one word denies the other by its first syllable (``saturated``, ``unsaturated``)."""
    short, long = sorted((a.lower(), b.lower()), key=len)
    return len(short) > 4 and any(
        long == prefix + short for prefix in ("un", "non", "non-", "in", "im", "anti", "dis", "de")
    )


_BEFORE = re.compile(
    r"\b(?:before|baseline|initial(?:ly)?|prior to|pre-?(?:treatment|operative(?:ly)?|intervention)?|at entry)\b",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\b(?:after|following|post-?(?:treatment|operative(?:ly)?|intervention)?|final(?:ly)?|end of|subsequent(?:ly)?"
    r"|follow-up)\b",
    re.IGNORECASE,
)


def contrary_time(claimed: str, text: str) -> str:
    """The word of ``text`` that says before where the claim says after, or the reverse, "" for none."""
    for mine, other in ((_BEFORE, _AFTER), (_AFTER, _BEFORE)):
        if mine.search(claimed) and not other.search(claimed) and not mine.search(text):
            found = other.search(text)
            if found:
                return found[0]
    return ""


@dataclass(frozen=True, slots=True)
class Word:
    """A word at ``[start:end]`` of a text; ``keys`` are all the stems and marks under which it is found."""

    start: int
    end: int
    text: str
    keys: frozenset[str]
    entity: bool = False
    """Whether it looks like a name: digits or several capitals in it."""

    @property
    def stop(self) -> bool:
        if len(self.text) == 1 and self.text.isupper() and self.start:
            return False
        return self.text.lower() in STOP

    @property
    def light(self) -> bool:
        return self.text.lower() in LIGHT


def read_words(text: str) -> list[Word]:
    """The words of a text in order. A compound (``S-1``, ``wild-type``) is found as a whole and by its parts."""
    found: list[Word] = []
    for run in _RUN.finditer(text):
        piece = run[0].rstrip(".")
        bare = re.sub(r"[-/.'’&_]", "", piece).lower() or piece
        entity = _ENTITY.match(piece) is not None and not piece.isdigit()
        parts = [(run.start() + m.start(), m[0]) for m in _PART.finditer(piece)]
        whole = frozenset({bare}) | meaning(bare) | meaning(piece)
        if re.fullmatch(r"[A-Za-z]*[A-Z][A-Z0-9]s", piece):
            whole |= {bare.removesuffix("s")}
        camel = [part for part in _CAMEL.findall(piece) if len(part) > 2]
        if len(camel) > 1:
            whole = whole.union(*(meaning(part) for part in camel))
        slashed = "/" in piece and min((len(part) for _, part in parts), default=0) > 2
        named = all(any(c.isupper() or c.isdigit() for c in part) for _, part in parts)
        solid = (
            len(parts) < 2
            or (entity and named and "/" not in piece)
            or (not slashed and entity and max(len(part) for _, part in parts) < 4 and len(piece) < 12)
        )
        if solid or not any(c in "-/&+" for c in piece):
            keys = whole
            if len(parts) > 1 and not entity:
                keys = keys.union(*(meaning(part) for _, part in parts))
            found.append(Word(run.start(), run.start() + len(piece), piece, keys, entity))
            continue
        for at, part in parts:
            name = _ENTITY.match(part) is not None and not part.isdigit()
            found.append(Word(at, at + len(part), part, meaning(part) | whole, name))
    return found


def alike(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether two words may be one: a shared stem or synonym, or stems that begin alike (``expression``,
    ``expressed``): five letters at least, with at most four behind."""
    if a & b:
        return True
    return any(_one_root(x, y) for x in a for y in b)


@lru_cache(maxsize=65536)
def _one_root(x: str, y: str) -> bool:
    if len(x) < 5 or len(y) < 5 or not x.isalpha() or not y.isalpha() or x[:5] != y[:5] or x[0] == "=":
        return False
    common = 0
    for first, second in zip(x, y, strict=False):
        if first != second:
            break
        common += 1
    return len(x) - common <= 3 and len(y) - common <= 3 and common >= 0.6 * max(len(x), len(y))
