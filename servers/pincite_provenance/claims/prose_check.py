"""Is a number of a sentence the claimed value of the claimed property of the claimed material, and nothing else?"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pincite_materials.units import known
from pincite_papers.model import Paper
from pincite_provenance.claims.clauses import clauses_of
from pincite_provenance.claims.cues import asks_for_own, asks_for_plan, cues_of, plans, says_own
from pincite_provenance.claims.denials import turned_round
from pincite_provenance.claims.evidence import Evidence
from pincite_provenance.claims.fitting import Fit, Matcher
from pincite_provenance.claims.labels import is_labelled_alone
from pincite_provenance.claims.materials import comparable, find_materials, names_of, same_material, with_parameters
from pincite_provenance.claims.ordered import picked
from pincite_provenance.claims.other_readings import (
    amount_of,
    contrary_word,
    control_word,
    in_the_clause_before,
    is_placed,
    label_of,
    may_be_compared,
    names_with_numbers,
    of_another_sentence,
    other_clause,
    other_place,
    said_instead,
    with_own_number,
)
from pincite_provenance.claims.paper_words import paper_words_of
from pincite_provenance.claims.properties import concepts_of, find_properties, is_given_in, name_parts, with_related
from pincite_provenance.claims.quantities import Quantity, find_quantities
from pincite_provenance.claims.roles import Role, role_of
from pincite_provenance.claims.sentences import CLAUSE, Slot, read_sentence
from pincite_provenance.claims.terms import Term, Terms, Vocabulary
from pincite_provenance.claims.unambiguous import of_other_condition, other_reading
from pincite_provenance.claims.values import begins_with
from pincite_provenance.claims.wanted import Asked, implied_by
from pincite_provenance.claims.weighing import LEAST_WEIGHT, Seen, weight_of
from pincite_provenance.claims.words import contrary_time, meaning, opposites, read_words
from pincite_provenance.model import Check, CheckName

_TREATED = re.compile(r"(?:treat|therap|receiv|drug|interven)", re.IGNORECASE)
_PROPER = re.compile(r"[A-Z][a-z]{3,}$")
_REPORTED = re.compile(r"\b(?:reported|published|described|according to)\b")
_MEASURED = re.compile(r"\b(?:measure[ds]?|measurements?|experiment(?:al|ally)?|observed)\b", re.IGNORECASE)
_CALCULATED = re.compile(
    r"\b(?:estimate[ds]?|calculate[ds]?|simulate[ds]?|simulations?|comput(?:ed|ational)|modell?ed"
    r"|predict(?:ed|s|ion)|theoretical|extrapolated)\b",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(r"\b(?:if|would|unless|scenarios?|projected)\b")
_EXAMINED = " number size sample count animals patients participants subjects examined tested studied analysed analyzed"
"""What ``n = 24`` says of its own."""
_ENOUGH = 0.6
"""Share of a claim's terms that must be found with the value or around it, for it to be about that."""
_MARGIN = 0.1
"""By how much another number of the sentence must fit worse, in terms."""
_NAMES: Mapping[Role, str] = {
    "p": "a P value", "confidence": "an end of a confidence interval", "level": "the level of an interval",
    "spread": "a spread", "n": "a number of cases", "statistic": "a test's statistic", "name": "part of a name",
    "year": "a year", "modifier": "part of a compound",
}  # fmt: skip


@dataclass
class ProseCheck:
    """A claim against one sentence, or the few that were quoted."""

    paper: Paper
    asked: Asked
    evidence: Evidence
    abbreviations: Mapping[str, str]
    _near: Vocabulary | None = field(default=None, init=False)
    _named_near: Vocabulary = field(default_factory=lambda: Vocabulary("", {}), init=False)
    seen: Seen | None = field(default=None, init=False)
    _matchers: dict[Role, Matcher] = field(default_factory=dict[Role, Matcher], init=False)

    def matcher(self, role: Role) -> Matcher:
        """The sentence seen as numbers of one role."""
        if role not in self._matchers:
            sentence = read_sentence(self.evidence.text, role, names_with_numbers(self.asked, self.evidence.text))
            implied = implied_by(self.asked.unit) | self._ends() | self._counted(role)
            parts = {terms.text: name_parts(terms, is_material=name == "material") for name, terms in self._sides()}
            self._matchers[role] = Matcher(sentence, self.abbreviations, self._named(sentence.text), parts, implied)
        return self._matchers[role]

    def _counted(self, role: Role) -> frozenset[str]:
        """What a unit that is a word says (``137-bp``), and ``n = 24``: the number of those examined."""
        unit = self.asked.unit
        printed = rf"\d[\s-]*{re.escape(unit)}(?![A-Za-z])"
        stands = bool(unit) and not known(unit) and re.search(printed, self.evidence.text) is not None
        words = (unit if stands else "") + (_EXAMINED if role == "n" else "")
        return frozenset(key for word in read_words(words) for key in word.keys)

    def _ends(self) -> frozenset[str]:
        """ "maximum" where the sentence says "up to", "minimum" where it says "at least"."""
        bounds = {q.bound for q in find_quantities(self.evidence.text) if q.value in self.asked.numbers and q.bound}
        words = "maximum maximal max" if bounds & {"≤", "<"} else "minimum minimal min" if bounds & {"≥", ">"} else ""
        return frozenset(key for word in words.split() for key in meaning(word))

    def _named(self, text: str) -> dict[str, list[tuple[int, int]]]:
        """Where formulas and names of the lexicon name the claim's material and property."""
        found: dict[str, list[tuple[int, int]]] = {}
        material = self.asked.material.text
        if material and (comparable(material) or any(c.isupper() or c.isdigit() for c in material)):
            names = names_of.of(self.paper)
            mentions = find_materials(text, names, material)
            found[material] = [(m.start, m.end) for m in mentions if same_material(m.name, material, names)]
        concepts = concepts_of(self.asked.property.text) if self.asked.property.text else frozenset[str]()
        if concepts:
            mine = [(m.start, m.end) for m in find_properties(text) if m.concepts & concepts]
            found[self.asked.property.text] = mine
        return found

    def names(self, quantity: Quantity) -> list[Check]:
        """Further checks of the value, and those of material and property, for a number that is the claimed one."""
        role = role_of(self.evidence.text, quantity)
        matcher = self.matcher(role)
        slot = next((s for s in matcher.sentence.slots if s.quantity.start == quantity.start), None)
        if slot is None:
            return self._unread("the sentence has too many numbers")
        checks: list[Check] = []
        if not self.asked.asks_for(role):
            checks.append(Check("value", "unsure", f"{quantity.printed} is {_NAMES[role]}"))
        material = matcher.fit(self.asked.material, slot, name=True)
        property_ = matcher.fit(self.asked.property, slot, matcher.acting_verb(slot))
        checks += self._doubts(matcher, slot, material)
        rivals = [o for o in matcher.sentence.slots if o is not slot and self.could_be(slot.quantity, o.quantity)]
        is_picked = picked(matcher, slot, rivals, (self.asked.material, self.asked.property)) is True
        loose = slot.quantity.start in matcher.sentence.unpaired
        if not is_picked and (loose or self._given_respectively(matcher, slot, material)):
            why = "several values are given respectively, and the names could not be paired"
            return [*checks, *self._unread(why)]
        if is_picked:
            material = self._with_shared(matcher, slot, material)
            property_ = self._with_shared(matcher, slot, property_)
        self.seen = self._seen(matcher, slot, material, property_, rivals)
        denied = [self._other_formula(matcher, slot, material), self._other_concept(matcher, slot, property_)]
        if any(denied):
            return [*checks, *(check for check in denied if check is not None)]
        labelled = is_picked or is_labelled_alone(matcher, slot, rivals, (self.asked.material, self.asked.property))
        rival = None if labelled else self._rival(matcher, slot, rivals, material, property_)
        if self.asked.material.terms:
            checks.append(rival if rival and rival.name == "material" else self._material(matcher, slot, material))
        if self.asked.property.terms:
            checks.append(
                rival
                if rival and rival.name == "property"
                else self._property(matcher, slot, property_, material, labelled=labelled)
            )
        if all(check.verdict == "holds" for check in checks):
            checks = [self._found_otherwise(check, property_) for check in checks]
            other = other_reading(self.asked, matcher, slot, material, property_, is_picked=is_picked)
            checks = [other if other is not None and check.name == other.name else check for check in checks]
        if checks and all(check.verdict == "holds" for check in checks):
            checks = [*checks[:-1], self._weighed(checks[-1])]
        return checks

    def _seen(self, matcher: Matcher, slot: Slot, material: Fit, property_: Fit, rivals: Sequence[Slot]) -> Seen:
        """What the weighing needs of a number."""
        sides = (self.asked.material, self.asked.property)
        others = [(matcher.fit(sides[0], o, name=True), matcher.fit(sides[1], o)) for o in rivals]
        terms = (*property_.absent, *property_.foreign, *in_the_clause_before(matcher, slot, property_))
        words = paper_words_of.of(self.paper)
        return Seen(
            matcher,
            slot,
            material,
            property_,
            self.asked.asks_for(slot.role),
            tuple(others),
            tuple(matcher.unexplained(slot, sides)),
            self.is_near,
            lambda term: words.share(term.keys) > 0,
            tuple(name for name, _ in cues_of(matcher.sentence, slot, self.asked.words)),
            contrary_word(self.asked, matcher, slot, terms) is not None,
            picked(matcher, slot, rivals, sides),
        )

    def _given_respectively(self, matcher: Matcher, slot: Slot, material: Fit) -> bool:
        """Whether the number is one of several that go with a list of names behind them, each with words between
        (``A (74%) and B (21%) are the main parts of C, D and E, respectively``).
        """
        sentence = matcher.sentence
        mine = slot.quantity
        tail = re.match(r"[^;]*?\brespectively\b", sentence.text[mine.end :])
        if tail is None or any(low <= mine.start < high for items in sentence.items for low, high in items.elements):
            return False
        end = mine.end + tail.end()
        rivals = [s.quantity.end for s in sentence.slots if self.could_be(mine, s.quantity) and s.quantity.start < end]
        places = [at for t in material.bound if not t.light for at in matcher.places(t, material.terms)]
        last = max((*rivals, mine.end))
        return bool(rivals and places) and all(last < at < end for at in places)

    def _doubts(self, matcher: Matcher, slot: Slot, material: Fit) -> list[Check]:
        """What in the sentence speaks against the number being simply a result: cues, plans, denials."""
        sentence = matcher.sentence
        said: list[str] = []
        claimed = self.asked.names()
        cues = cues_of(sentence, slot, self.asked.words)
        own = asks_for_own(claimed)
        if own and _REPORTED.search(sentence.segment(slot)):
            cues.append(("what another study gives", "reported"))
        if own and not says_own(sentence.text):
            said.append("the claim is about what this study found, the sentence does not say whose result it is")
        unnamed = any(not term.light for term in (*material.absent, *material.foreign))
        if self.asked.material.terms and not unnamed and not own:
            cues = [cue for cue in cues if cue[0] != "what a citation gives"]
        is_bound = bool(slot.quantity.bound) and self.asked.is_bound
        if is_bound:
            cues = [cue for cue in cues if cue[0] != "a negation"]
        said += [f"the sentence gives it as {name}: {words!r}" for name, words in cues[:1]]
        if asks_for_plan(self.asked.property.text) and not plans(sentence, slot):
            said.append("the claim is about a plan or expectation, the sentence tells of none")
        if _MEASURED.search(claimed) and not _CALCULATED.search(claimed):
            found = _CALCULATED.search(sentence.segment(slot)) or _CONDITIONAL.search(sentence.segment(slot))
            if found is not None:
                said.append(f"the sentence says {found[0]!r}, the claim that it was measured")
        turned = None if is_bound else turned_round(claimed, sentence.segment(slot))
        if turned is not None:
            said.append(f"the sentence says {turned[0]!r}, the claim {turned[1]!r}")
        return [Check("value", "unsure", why) for why in said]

    def without_number(self) -> list[Check]:
        """Whether the sentence, or what stands around it, names material and property, where no number is claimed."""
        checks: list[Check] = []
        matcher = self.matcher("")
        for name, terms in self._sides():
            if not terms.terms:
                continue
            here = [t for t in terms.terms if matcher.places(t, terms)]
            near = [t for t in terms.terms if t not in here and self._is_around(t)]
            if any(self._telling(t) for t in terms.terms if t not in here and t not in near):
                here = near = []
            share = sum(t.weight for t in (*here, *near)) / terms.total
            missing = ", ".join(t.text for t in terms.terms if t not in here and t not in near)
            if share >= _ENOUGH and (here or name == "material"):
                checks.append(Check(name, "holds", f"the sentence or what stands around it names {terms.text}"))
            else:
                checks.append(Check(name, "unsure", f"neither the quote nor what stands around it names {missing}"))
        return checks

    def _unread(self, why: str) -> list[Check]:
        return [Check(name, "unsure", why) for name, terms in self._sides() if terms.terms]

    def _sides(self) -> tuple[tuple[CheckName, Terms], ...]:
        return ("material", self.asked.material), ("property", self.asked.property)

    def _other_formula(self, matcher: Matcher, slot: Slot, fit: Fit) -> Check | None:
        """The failing check of a compound where the number is another compound's."""
        wanted = self.asked.material.text
        if not comparable(wanted) or fit.bound:
            return None
        names = names_of.of(self.paper)
        text = matcher.sentence.text
        mentions = find_materials(text, names, wanted)
        mine = [m for m in mentions if same_material(m.name, wanted, names)]
        rest = [m for m in mentions if m not in mine and not m.role and comparable(names.meaning(m.name))]
        own = [m.name for m in rest if matcher.sentence.weight(slot, m.start, name=True) > CLAUSE]
        if not own or with_parameters(names.meaning(own[0]), text) != names.meaning(own[0]):
            return None
        shown = ", ".join(dict.fromkeys(own[:3]))
        if mine:
            return Check("material", "fails", f"{slot.quantity.printed} is given for {shown}, not for {wanted}")
        return Check("material", "fails", f"the sentence names {shown} only")

    def _other_concept(self, matcher: Matcher, slot: Slot, fit: Fit) -> Check | None:
        """The failing check of a property of the lexicon where the sentence gives the number for one other property."""
        wanted = self.asked.property.text
        concepts = concepts_of(wanted)
        if not wanted or not concepts or not any(not term.light for term in (*fit.absent, *fit.foreign)):
            return None
        text, unit = matcher.sentence.text, slot.quantity.unit
        mentions = [m for m in find_properties(text) if not (slot.quantity.start <= m.start < slot.quantity.end)]
        mentions = [m for m in mentions if len(m.name) > 3 and unit and is_given_in(m.concepts, unit)]
        own = [m for m in mentions if matcher.sentence.weight(slot, m.start) > CLAUSE]
        if any(m.concepts & concepts for m in mentions):
            return None
        if not own or len({m.concepts for m in own}) > 1 or own[0].concepts & with_related(concepts):
            return None
        return Check("property", "fails", f"{slot.quantity.printed} is given for {own[0].name!r}, not for {wanted}")

    def _rival(
        self, matcher: Matcher, slot: Slot, rivals: Sequence[Slot], material: Fit, property_: Fit
    ) -> Check | None:
        """Another number of the sentence that may be the claimed value as well."""
        mine = material.score + property_.score
        has_condition = not of_other_condition(matcher, slot, material, property_)
        for other in rivals:
            theirs_m, theirs_p = (
                matcher.fit(self.asked.material, other, name=True),
                matcher.fit(self.asked.property, other),
            )
            theirs = theirs_m.score + theirs_p.score
            if theirs_p.score < property_.score - 0.5 and self.asked.property.terms:
                continue
            if has_condition and of_other_condition(matcher, other, material, property_):
                continue
            if theirs > mine - _MARGIN:
                less = theirs_m.score - material.score >= theirs_p.score - property_.score
                name = "material" if less and self.asked.material.terms else "property"
                wanted = self.asked.material if name == "material" else self.asked.property
                if name == "property" and not self.asked.property.terms:
                    return None
                shown = other.quantity.printed
                return Check(name, "unsure", f"{shown} of the same sentence goes as well with {wanted.text!r}")
        return None

    def _material(self, matcher: Matcher, slot: Slot, fit: Fit) -> Check:
        contrary = contrary_word(
            self.asked, matcher, slot, (*fit.absent, *fit.foreign, *in_the_clause_before(matcher, slot, fit))
        )
        if contrary:
            return Check("material", "unsure", f"the sentence says {contrary[0]!r}, the claim {contrary[1]!r}")
        foreign, loose = self._foreign(matcher, slot, fit)
        place = other_place(self.asked, matcher, slot, fit)
        if place:
            return Check("material", "unsure", f"{slot.quantity.printed} is given {place}")
        owner = with_own_number(matcher, slot, fit)
        if owner:
            return Check("material", "unsure", f"{owner} has a number of its own in brackets")
        missing = [t for t in fit.absent if not t.light]
        control = control_word(self.asked, matcher, slot) if missing else ""
        if control:
            return Check("material", "unsure", f"the sentence says {control!r}, the claim {missing[0].text!r}")
        if foreign:
            return Check("material", "unsure", f"{', '.join(foreign)} stands with another number of the sentence")
        near = tuple(term for term in fit.absent if self.is_near(term))
        telling = [term.text for term in fit.absent if term not in near and self._telling(term)]
        if telling:
            return Check("material", "unsure", f"the sentence does not name {', '.join(telling)}")
        found = fit.share((*fit.bound, *loose)) if fit.bound else 0.0
        if found + fit.share(near) < _ENOUGH:
            missing = ", ".join(term.text for term in fit.absent if term not in near)
            return Check("material", "unsure", f"neither the sentence nor what stands around it names {missing}")
        if found >= 0.5:
            return Check(
                "material", "holds", f"{', '.join(t.text for t in fit.bound)} stands with {slot.quantity.printed}"
            )
        stranger = self._stranger(matcher, slot)
        if stranger:
            return Check(
                "material", "unsure", f"the sentence names {stranger}, and only what stands around it the claim's"
            )
        return Check("material", "holds", f"what stands around the sentence names {', '.join(t.text for t in near)}")

    def _stranger(self, matcher: Matcher, slot: Slot) -> str:
        """A proper name in the clause of the number (two words with capitals or more) that no term explains and nothing
        around names, "" for none.
        """
        sentence = matcher.sentence
        clause = clauses_of(sentence.text).of(slot.quantity.start)
        words = [
            w for w in matcher.unexplained(slot, [self.asked.material, self.asked.property]) if clause.has(w.start)
        ]
        names = [w.text for w in words if w.start > sentence.segment_start(slot) and _PROPER.match(w.text)]
        around = f"{self.evidence.title} {self.evidence.earlier}"
        names = [name for name in names if name not in around]
        return " ".join(names[:3]) if len(names) > 1 else ""

    def _property(self, matcher: Matcher, slot: Slot, fit: Fit, material: Fit, *, labelled: bool) -> Check:
        contrary = contrary_word(
            self.asked, matcher, slot, (*fit.absent, *fit.foreign, *in_the_clause_before(matcher, slot, fit))
        )
        if contrary:
            return Check("property", "unsure", f"the sentence says {contrary[0]!r}, the claim {contrary[1]!r}")
        called = label_of(self.asked, matcher, slot)
        if called:
            return Check("property", "unsure", f"{slot.quantity.printed} is called {called!r} there")
        if labelled:
            fit = self._with_shared(matcher, slot, fit)
        foreign, loose = self._foreign(matcher, slot, fit)
        if foreign or fit.share(loose) > fit.share(fit.bound):
            foreign = foreign or [term.text for term in loose]
            return Check("property", "unsure", f"{', '.join(foreign)} stands with another number of the sentence")
        other = of_another_sentence(matcher, slot, fit)
        if other:
            return Check("property", "unsure", f"{other} stands with a number of the part before")
        near = tuple(term for term in fit.absent if self.is_near(term))
        telling = [term.text for term in fit.absent if term not in near and self._telling(term)]
        if telling:
            return Check("property", "unsure", f"the sentence does not name {', '.join(telling)}")
        start, end = slot.quantity.start, slot.quantity.end
        around = self.evidence.text[max(start - 80, 0) : start] + " ; " + self.evidence.text[end : end + 40]
        contrary = contrary_time(f"{self.asked.material.text} {self.asked.property.text}", around)
        if contrary:
            return Check("property", "unsure", f"the sentence says {contrary!r}, the claim {fit.terms.text!r}")
        found = fit.share(fit.bound)
        instead = said_instead(self.asked, matcher, slot, fit)
        if instead:
            return Check("property", "unsure", f"the sentence says {instead!r}, not {fit.terms.text!r}")
        other = "" if labelled else other_clause(self.asked, matcher, slot, fit)
        if other:
            return Check("property", "unsure", f"the clause with {slot.quantity.printed} is about {other}")
        amount = amount_of(self.asked, matcher, slot, fit)
        if amount:
            return Check("property", "holds", f"{slot.quantity.printed} says how much of {amount}")
        unnamed = not is_placed(matcher, fit) and not is_placed(matcher, material)
        if unnamed or found < 0.34 or found + fit.share(near) < _ENOUGH:
            missing = ", ".join(term.text for term in fit.absent) or fit.terms.text
            return Check("property", "unsure", f"the sentence names no {missing} for {slot.quantity.printed}")
        return Check("property", "holds", f"{', '.join(t.text for t in fit.bound)} stands with {slot.quantity.printed}")

    def _with_shared(self, matcher: Matcher, slot: Slot, fit: Fit) -> Fit:
        """The fit of a number that its own label picks out: terms in its clause, or in what this takes over from the
        clauses before, go for all of the numbers there.
        """
        clause = clauses_of(matcher.sentence.text).of(slot.quantity.start)
        mine = [t for t in fit.foreign if any(map(clause.spans, matcher.places(t, fit.terms)))]
        rest = tuple(t for t in fit.foreign if t not in mine)
        return replace(fit, bound=(*fit.bound, *mine), foreign=rest)

    def _found_otherwise(self, check: Check, property_: Fit) -> Check:
        """The check, unsure where the claim says how the value was found (measured, calculated) and only other parts
        of the paper do.
        """
        if check.name != "property":
            return check
        words = paper_words_of.of(self.paper)
        absent = [t for t in property_.absent if not t.light and not self.is_near(t) and words.share(t.keys)]
        absent = [t for t in absent if _MEASURED.match(t.text) or _CALCULATED.match(t.text)]
        why = f"{', '.join(t.text for t in absent)} stands elsewhere in the paper, not with {property_.terms.text!r}"
        return Check(check.name, "unsure", why) if absent else check

    def _weighed(self, check: Check) -> Check:
        """The check, unsure where all that is seen of the number together speaks too weakly for the claim."""
        is_whole = all(terms.terms for _, terms in self._sides())
        if not is_whole or self.seen is None or weight_of(self.seen) >= LEAST_WEIGHT:
            return check
        why = f"the sentence has little of what the claim says for {self.seen.slot.quantity.printed}, or says more"
        return replace(check, verdict="unsure", reason=why)

    def _foreign(self, matcher: Matcher, slot: Slot, fit: Fit) -> tuple[list[str], list[Term]]:
        """Terms that stand with another number only: with one that could be the value, and with one that could not."""
        foreign: list[str] = []
        loose: list[Term] = []
        for term in fit.foreign:
            everyone = [o for o in matcher.owners(term, fit.terms) if o is not slot]
            owners = [o for o in everyone if self.could_be(slot.quantity, o.quantity)]
            left_out = matcher.left_out(term, fit.terms) or not everyone or self._beyond(matcher, slot, term, fit)
            if (owners or left_out) and not term.light:
                foreign.append(term.text)
            elif not owners and not left_out:
                loose.append(term)
        return foreign, loose

    def _beyond(self, matcher: Matcher, slot: Slot, term: Term, fit: Fit) -> bool:
        """Whether another number that could be the value stands between the number and every place of a term."""
        mine = slot.quantity
        rivals = [s.quantity.start for s in matcher.sentence.slots if self.could_be(mine, s.quantity)]
        places = matcher.places(term, fit.terms)
        return bool(places) and all(
            any(min(at, mine.start) < rival < max(at, mine.start) for rival in rivals) for at in places
        )

    def could_be(self, mine: Quantity, other: Quantity) -> bool:
        """Whether another number could be the claimed value: one in the claimed unit, where that is a word."""
        unit = self.asked.unit
        if unit and not known(unit) and begins_with(mine.behind, unit) and not begins_with(other.behind, unit):
            return False
        if mine.end < other.start and self.evidence.text[mine.end : other.start].strip() == "/":
            return False
        if other.word and not mine.word and not mine.value.is_integer():
            return False
        return may_be_compared(mine, other)

    def _telling(self, term: Term) -> bool:
        """Whether a term says which of several is meant: a number, a word that excludes others (``female``), a name
        that differs from others in its number only.
        """
        if term.number is not None or (opposites(term.text) and not term.light and not _TREATED.match(term.text)):
            return True
        return self._near is not None and self._near.has_siblings(term)

    def is_near(self, term: Term) -> bool:
        """Whether what stands around the sentence names a term, or the paper is about it."""
        if self._is_around(term):
            return True
        return not self._telling(term) and paper_words_of.of(self.paper).is_subject(term)

    def _is_around(self, term: Term) -> bool:
        if self._near is None:
            e = self.evidence
            self._near = Vocabulary("\n".join((e.earlier, e.caption, *e.headings, e.title)), self.abbreviations)
            self._named_near = Vocabulary("\n".join((e.caption, *e.headings)), self.abbreviations)
        if self._telling(term):
            return self._named_near.has(term)
        return self._near.has(term)
