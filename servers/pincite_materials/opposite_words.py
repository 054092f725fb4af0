"""Words of conditions that exclude each other, and the words that stand around them."""

from pincite_materials.word_classes import ELEMENT_NAMES

_LINES = """
amorphous|glassy|glass/crystalline|single crystal|polycrystalline|polycrystal/semi crystalline
hot rolled|hot worked|hot extruded|hot drawn/cold rolled|cold worked|cold drawn/warm rolled
dry|dried|dehydrated|anhydrous/wet|hydrated|humid|humidified|moist|water saturated
oxidized|oxidised/reduced/!reduced temperature|reduced pressure
n type|electron doped|electron/p type|hole doped|hole/!electron microscopy|electron beam|electron diffraction
light hole/heavy hole
conduction band/valence band
easy axis|easy direction|easy plane/hard axis|hard direction
rolling direction|rd/transverse direction|td/normal direction
longitudinal|axial/transverse|radial|lateral/equatorial/circumferential|tangential|hoop
horizontal/vertical
weld zone|weld metal|fusion zone/base metal|parent metal/heat affected zone|haz
top/bottom/middle
surface water/bottom water/deep water
grain boundary/grain interior|grain core|intragranular
increasing|ascending|rising/decreasing|descending|falling
forward|forward scan/reverse|reverse scan|backward
advancing/receding
heating|warming|warmed/cooling|cooled/!zero field cooled|field cooled|water cooled|air cooled|furnace cooled
zero field cooled|zfc/field cooled|fc
adsorption/desorption
absorption/emission
charge|charging/discharge|discharging/!charge state|charge carrier|charge transfer|charge density
alkaline|basic|koh|naoh/acidic|acid|h2so4|hcl|hclo4/neutral ph|neutral electrolyte
oer|oxygen evolution/her|hydrogen evolution/orr|oxygen reduction
anodic|anode/cathodic|cathode
dark|darkness|without illumination|without light|no illumination/illumination|illuminated|light|sunlight|solar
rhe/she|nhe/sce|saturated calomel/ag agcl|silver chloride/li li
high spin/low spin/intermediate spin
spin up|majority spin|majority/spin down|minority spin|minority
singlet/doublet/triplet/quartet/quintet
ferromagnetic|fm/antiferromagnetic|afm/paramagnetic|pm/ferrimagnetic/diamagnetic/nonmagnetic|non magnetic
neutral|uncharged/singly charged|doubly charged|triply charged/positively charged/negatively charged
s polarized|s polarised|te mode|te polarized/p polarized|p polarised|tm mode|tm polarized
left|left handed/right|right handed
cis/trans
endo/exo
ortho/meta/para
positive/negative
real/imaginary
tension|tensile/compression|compressive/bending|flexural/torsion|torsional/shear
male|man|men|boy/female|woman|women|girl
adult/child|children|juvenile|pediatric|paediatric/infant|neonate|newborn/elderly
fasting|fasted/fed|postprandial|non fasting
wild type|wt/mutant|knockout|mutated
control|untreated|placebo/treated|treatment/!heat treated|heat treatment|quality control
aerobic|oxic/anaerobic|anoxic
spring/summer/autumn/winter
oral|orally/intravenous|intravenously/intraperitoneal|intraperitoneally/subcutaneous|subcutaneously/topical
systolic/diastolic
rest|resting/exercise|exercising
influent|inlet/effluent|outlet
dissolved/particulate
ground state/excited state
optical phonon|optical mode|optical branch/acoustic phonon|acoustic mode|acoustic branch
vacancy/interstitial/antisite/substitutional
fresh|pristine/aged|degraded|spent
minimum|minimal/maximum|maximal
edge/centre|center|middle
deuterated|deuteriated/protonated|protiated
strained/relaxed|strain free/!relaxed structure
indoor/outdoor
on state/off state
freshwater|fresh water/seawater|sea water|saltwater/brackish
morning/evening
saturation regime/linear regime
urban/rural
daytime/nighttime|night
liquid|molten|melt/gas|gaseous|vapor|vapour/!liquid nitrogen|liquid helium|melt spun|melt grown|gas pressure
solution|dispersion/film|powder|solid state/!solid solution|solution processed|solution treated|from solution
water|aqueous/ethanol|etoh/methanol|meoh/toluene/acetone/chloroform/dmso/dmf/hexane/acetonitrile|mecn/!water quenched
with spin orbit coupling|with soc|soc included/without spin orbit coupling|without soc|no soc
"""

Phrases = tuple[tuple[str, int | None], ...]


def singular(word: str) -> str:
    """A word without the ending of a plural."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _group(line: str) -> Phrases:
    """The phrases of a line, each with its side, the longest first; None for those behind ``!``, which are not a
    side."""
    phrases: list[tuple[str, int | None]] = []
    for side, names in enumerate(line.split("/")):
        hidden = names.startswith("!")
        for name in names.removeprefix("!").split("|"):
            words = " ".join(map(singular, name.split()))
            phrases.append((words, None if hidden else side))
    return tuple(sorted(phrases, key=lambda phrase: -len(phrase[0])))


GROUPS: tuple[Phrases, ...] = tuple(_group(line) for line in _LINES.strip().splitlines())
"""Groups of sides of which one thing has one; ``!`` begins phrases that only look like a side."""

NEGATIONS = frozenset({"without", "no", "not", "non", "un", "anti", "excluding", "free"})

POLAR: dict[str, str] = {
    word: opposite
    for pair in (
        "low high",
        "lower upper",
        "inner outer",
        "early late",
        "short long",
        "small large",
        "thin thick",
        "weak strong",
        "slow fast",
        "old young",
        "front back",
        "internal external",
        "primary secondary",
        "major minor",
        "near far",
        "shallow deep",
        "narrow wide",
        "rich poor",
        "open closed",
    )
    for word, opposite in (pair.split(), pair.split()[::-1])
}
"""Adjectives of two ends: they exclude each other before one and the same word (low temperature, high temperature)."""

OTHER_SIDE = {"parallel": "perpendicular", "perpendicular": "parallel", "before": "after", "after": "before",
              "above": "below", "below": "above", "inside": "outside", "outside": "inside"}  # fmt: skip

RELATIONS: dict[str, str] = {
    "parallel": "parallel", "along": "parallel", "∥": "parallel", "perpendicular": "perpendicular",
    "normal": "perpendicular", "⊥": "perpendicular", "across": "perpendicular", "before": "before", "prior": "before",
    "after": "after", "following": "after", "above": "above", "below": "below", "inside": "inside",
    "outside": "outside",
}  # fmt: skip
"""Words that relate what is told to what follows them: only ``after`` excludes ``before`` one and the same thing."""

SKIPPED = frozenset({
    "a", "an", "the", "of", "in", "on", "at", "with", "to", "for", "from", "by", "under", "and", "or", "is", "was",
    "as", "were", "are", "than", "per", "via", "into", "after", "before", "about", "near", "no", "not", "be", "it",
    "both", "its", "only",
})  # fmt: skip
"""Words that a label does not label, and that are none."""

NUMBERS: dict[str, float] = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "tenth": 10, "hundredth": 100,
    "single": 1,
}  # fmt: skip

_EVERYDAY = ("lead", "tin", "proton")
ELEMENTS_BY_NAME: dict[str, str] = {
    **{name: symbol.capitalize() for name, symbol in ELEMENT_NAMES.items() if name not in _EVERYDAY},
    "helium": "He",
    "argon": "Ar",
}
"""Symbols by the names of elements; those that are also everyday words are left out."""

ROMAN: dict[str, float] = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8}

NUMBERED = frozenset({"type", "phase", "stage", "class", "grade", "form", "group", "region", "site", "mode", "sample"})
"""Words before a Roman numeral; elsewhere ``I`` and ``V`` are symbols."""

DIATOMIC = frozenset({"H", "N", "O", "F", "Cl", "Br", "I"})
"""Elements whose gas is a molecule of two, so that both mean it; of others a number counts sites (Fe1, Fe2)."""
