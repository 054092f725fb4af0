"""Words of scientific prose and what may stand for them: made by hand for the paraphrases, not from any corpus."""

_VERBS = """
show: demonstrate, reveal | demonstrate: show, prove | reveal: uncover, show | indicate: suggest, imply
suggest: imply, hint | observe: see, notice | find: discover, detect | detect: find, pick up
identify: recognise, pinpoint | increase: rise, grow, elevate | decrease: drop, decline | reduce: lower, diminish
enhance: boost, strengthen | inhibit: block, suppress | suppress: inhibit, dampen | promote: foster, favour
prevent: avoid, block | require: need, demand | need: require | use: employ, apply | employ: use
perform: carry out, do | conduct: carry out, run | measure: quantify, determine | determine: establish, measure
examine: study, inspect | investigate: study, explore | analyse: study, evaluate | analyze: study, evaluate
assess: evaluate, judge | evaluate: assess, test | compare: contrast | contain: hold, include
include: comprise, contain | consist: be made | comprise: include | produce: yield, generate
generate: create, produce | create: make, build | form: build, make up | obtain: get, acquire
provide: give, supply | develop: devise, build | propose: put forward, suggest | describe: report, outline
report: describe, document | explain: account for, clarify | cause: bring about, provoke | induce: trigger, provoke
trigger: set off, induce | affect: influence, alter | influence: affect, shape | alter: change, modify
change: alter, shift | modify: change, adapt | remain: stay, persist | occur: happen, arise | appear: emerge, seem
exhibit: display, show | display: exhibit, present | express: produce | lack: miss, be without | lose: miss, forfeit
maintain: keep, sustain | retain: keep, hold | depend: rely, hinge | rely: depend | allow: permit, let
enable: permit, let | lead: result, bring | result: lead, end | associate: link, connect | link: tie, connect
correlate: go together, associate | relate: connect, link | differ: vary, diverge | vary: differ, fluctuate
support: back, corroborate | confirm: corroborate, verify | predict: forecast, foresee | estimate: gauge, calculate
calculate: compute, work out | compute: calculate | consider: regard, think of | define: specify, set
select: choose, pick | choose: select, pick | collect: gather | treat: expose, handle | expose: subject, treat
administer: give | receive: get, be given | remove: take out, eliminate | survive: live, outlast | die: perish
grow: develop, expand | infect: contaminate | bind: attach, stick | interact: engage | encode: code for, specify
activate: switch on, stimulate | stimulate: activate, excite | regulate: control, govern | control: regulate, govern
mediate: convey, bring about | involve: implicate, engage | contribute: add, help | improve: better, enhance
fail: be unable, not manage | begin: start | start: begin | end: finish | continue: go on
"""

_NOUNS = """
study: investigation, work | experiment: trial, test | method: approach, technique | approach: method, strategy
technique: method, procedure | procedure: protocol, method | analysis: evaluation, examination
data: measurements, results | result: finding, outcome | finding: result, observation | effect: impact, influence
role: function, part | function: role, purpose | level: amount, quantity | amount: quantity, level | number: count
rate: speed, pace | size: extent, dimension | area: region, zone | region: area, zone | site: location, place
position: place, location | group: set, cohort | set: group, collection | difference: disparity, distinction
similarity: likeness, resemblance | relationship: relation, link | association: link, relation
change: alteration, shift | alteration: change | loss: absence, lack | absence: lack, loss
presence: existence, occurrence | development: formation, growth | growth: development, expansion
formation: development, creation | production: generation, making | mechanism: process, way
process: mechanism, procedure | model: framework, representation | system: arrangement, setup
structure: architecture, arrangement | pattern: arrangement, distribution | component: part, element
type: kind, sort | kind: type | factor: determinant, element | evidence: proof, support
hypothesis: conjecture, idea | problem: difficulty, issue | issue: problem | child: youngster, infant
patient: sick person, case | people: persons, individuals | individual: person, subject | subject: participant
participant: subject, volunteer | woman: female | man: male | disease: illness, disorder
disorder: condition, disease | illness: disease | treatment: therapy, care | therapy: treatment
drug: medication, compound | risk: danger, hazard | mortality: death rate | death: mortality, dying
infection: contamination | population: community, people | country: nation | tumour: neoplasm, cancer
tumor: neoplasm, cancer | mouse: murine animal | animal: creature | embryo: foetus | offspring: progeny
gene: locus, hereditary unit | mutation: variant, genetic change | mutant: variant, altered | protein: polypeptide
sequence: order | temperature: heat, thermal level | pressure: load | concentration: dose, content | dose: amount
material: substance | sample: specimen | surface: exterior, face | energy: power | light: illumination
water: fluid | food: diet, nutrition | species: organisms | goal: aim, objective | aim: goal, purpose
student: learner, pupil | teacher: instructor, educator | course: class, lesson | software: program, code
tool: instrument, utility | user: person, operator | researcher: scientist, investigator | research: study, work
"""

_OTHERS = """
large: big, sizeable | small: little, minor | high: elevated, great | low: reduced, small
higher: greater, elevated | lower: smaller, reduced | significant: marked, notable | important: crucial, key
major: main, principal | main: chief, principal | similar: comparable, alike | different: distinct, unlike
various: several, diverse | several: many, a number of | many: numerous, lots of | most: the majority of
few: not many | specific: particular, certain | particular: specific, given | common: frequent, widespread
rare: uncommon, infrequent | rapid: fast, quick | slow: gradual | early: initial | late: advanced | first: initial
final: last | whole: entire, complete | complete: full, entire | normal: healthy, usual
abnormal: aberrant, unusual | possible: feasible, conceivable | likely: probable | able: capable | unable: incapable
strong: powerful, robust | weak: feeble, slight | severe: serious, grave | mild: slight, light | young: juvenile
old: aged, elderly | new: novel, fresh | novel: new | present: existing | absent: missing
essential: vital, necessary | necessary: needed, essential | sufficient: enough, adequate | robust: sturdy, strong
distinct: separate, different | consistent: in line, compatible | evident: clear, apparent | because: since, as
since: because | although: though, even if | while: whereas | whereas: while | thus: so | through: via, by way of
during: in the course of, throughout | between: among | after: following | before: prior to | following: after
within: inside | without: lacking | about: around, roughly | approximately: about, roughly | only: just, merely
mainly: mostly, chiefly | mostly: mainly, largely | often: frequently | frequently: often | rapidly: quickly, fast
strongly: powerfully | highly: very, strongly | previously: earlier, before | recently: lately | together: jointly
completely: fully, entirely | partially: in part | directly: immediately
"""


def _read(table: str) -> dict[str, list[str]]:
    entries = (entry.partition(":") for entry in table.replace("\n", "|").split("|") if entry.strip())
    return {word.strip(): [other.strip() for other in others.split(",")] for word, _, others in entries}


VERBS, NOUNS, OTHERS = _read(_VERBS), _read(_NOUNS), _read(_OTHERS)
"""Lemma to what may replace it, as verb, as noun and as a word without forms; of several senses those that fit most
often in prose of experiments."""

_FILLERS = """
however therefore furthermore moreover additionally also respectively indeed thus hence here herein finally
interestingly importantly notably surprisingly significantly very quite rather clearly further then well still
even likewise similarly consequently overall nevertheless nonetheless generally typically usually already both
"""
FILLERS = frozenset(_FILLERS.split())
"""Words that a paraphrase leaves out."""

CONNECTIVES = (
    ", whereas ", ", while ", ", although ", ", but ", ", and ", "; ", " because ", " since ", " when ", " if ", ": ",
    " that ", ", which ", ", with ", " by ", " in ", " after ", " for ",
)  # fmt: skip
"""Where a sentence may be parted so that its halves change places, best first."""
