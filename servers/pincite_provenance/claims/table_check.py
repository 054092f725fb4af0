"""Is a cell of a table the claimed one: do its row and column fit the claim, and those of no other cell as well?"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from pincite_materials.property_names import contrasts, normal_form
from pincite_papers.model import Cell, Paper
from pincite_provenance.claims.cues import asks_for_own, says_own
from pincite_provenance.claims.denials import turned_round
from pincite_provenance.claims.evidence import Evidence
from pincite_provenance.claims.materials import Names, find_formulas, names_of, same_material, with_parameters
from pincite_provenance.claims.properties import concepts_of, find_properties, name_parts
from pincite_provenance.claims.quantities import Quantity
from pincite_provenance.claims.reading import clean
from pincite_provenance.claims.roles import role_of
from pincite_provenance.claims.tablecells import Place, units_of, without_units
from pincite_provenance.claims.terms import Term, Terms, Vocabulary, with_long_forms
from pincite_provenance.claims.wanted import Asked, implied_by
from pincite_provenance.claims.words import Word, alike, opposites, read_words
from pincite_provenance.model import Check, CheckName

_FORMS = frozenset({"mean", "sd", "value", "values", "n", "number", "%", "total", "result", "results", "score"})
_NEGATIONS = frozenset({"not", "no", "without", "non"})
_SLASHED = re.compile(r"\s*[\d.,]+%?(?:\s*[/×]\s*[\d.,]+%?)+\s*")
_COUNTED = re.compile(r"\s*\d+\s*(?P<share>\(\s*\d+(?:[.,]\d+)?\s*%?\s*\))\s*")
"""A count with its share in brackets."""
_HALF = 0.3
"""The same for a property of which the labels have a telling word, and no word is missing that excludes others."""
_CITED = re.compile(
    r"\s*\(?\b[A-Z][\w'-]+(?:\s+et al\.?|\s+(?:and|&)\s+[A-Z][\w'-]+)?,?\s*\(?\s*(?:19|20)\d\d[a-z]?\s*\)?$"
)
"""A citation behind a name: ``LexRank Erkan and Radev (2004)``."""
_MARKED = re.compile(r"(?:\[\d\]|\^\{?\d\}?|(?<=\))\d)\s*$")
"""The number of a note behind a label."""
_WORD = re.compile(r"[A-Za-z]{3,}")
_SIGNED = re.compile(r"^[+\-−](?=[A-Za-z]{2})")
_RUN_TOGETHER = 8
"""Letters from which a word of a label may be two that lost their space; set by judgement."""
_SHORT = 3
"""Letters of a label up to which its case must be the claim's (``IT`` is not "it")."""
_ENOUGH = 0.6
"""Share of a claim's terms that labels, caption and notes must name."""


@dataclass(frozen=True, slots=True)
class _Cover:
    """Terms that a row or column names, and how many words of its labels no term explains."""

    terms: frozenset[tuple[str, str]]
    unexplained: frozenset[str]
    exact: frozenset[tuple[str, str]] = frozenset()
    """Those of the terms of which a label has the word or a synonym, not only one of its root."""


def _spelled(label: str) -> str:
    """A label without unit and the number of a note; a sign before a name is a word (``-Cd`` is without Cd)."""
    bare = without_units(_MARKED.sub("", label))
    return _SIGNED.sub(lambda sign: "without " if sign[0] in "-−" else "with ", bare)


def _squeezed(text: str) -> str:
    return re.sub(r"[\s_()\[\]^{}]", "", text).casefold()


def _begins(term: Term, word: Word) -> bool:
    """Whether a label has the begin of a term only (``Giga`` for Gigaword, ``Acc``)."""
    short = word.text.lower()
    numbered = re.fullmatch(r"([a-z]+)-?(\d+)", short)
    full = re.fullmatch(r"([a-z]+)-?(\d+)", term.text.lower())
    if numbered and full:
        return len(full[1]) > len(numbered[1]) + 2 and full[1].startswith(numbered[1]) and full[2] == numbered[2]
    return (
        not term.entity
        and len(short) > 2
        and short.isalpha()
        and any(len(key) > len(short) and key.startswith(short) for key in term.keys)
    )


@dataclass
class TableCheck:
    """A claim against the cells of one table."""

    paper: Paper
    asked: Asked
    evidence: Evidence
    abbreviations: Mapping[str, str]
    _covers: dict[tuple[str, int], _Cover] = field(default_factory=dict[tuple[str, int], _Cover], init=False)
    _own: dict[tuple[int, int], frozenset[tuple[str, str]]] = field(
        default_factory=dict[tuple[int, int], frozenset[tuple[str, str]]], init=False
    )
    _near: Vocabulary | None = field(default=None, init=False)
    _captioned: Vocabulary | None = field(default=None, init=False)
    _elsewhere: Vocabulary | None = field(default=None, init=False)

    def names(self, place: Place, quantity: Quantity) -> list[Check]:
        """The checks of material and property for a number of a cell, and further ones of the value."""
        checks: list[Check] = []
        role = role_of(place.text, quantity)
        if role and not self.asked.asks_for(role):
            checks.append(Check("value", "unsure", f"{quantity.printed} is not the cell's value: {place.text!r}"))
        header = normal_form(self.asked.property.text)
        names_rows = any(normal_form(without_units(text)) == header for text in place.grid.row_headers)
        if header and names_rows and not any(normal_form(without_units(text)) == header for text in place.column):
            why = f"{self.asked.property.text} is what the names of rows are called"
            return [*checks, Check("property", "fails", why)]
        part = self._other_part(place, quantity)
        if part:
            why = f"{quantity.printed} is one of the numbers of {place.text!r}: {part}"
            checks.append(Check("value", "unsure", why))
        labels = " ; ".join(label for label in (*place.row, *place.column) if "/" not in label)
        turned = turned_round(self.asked.names(), labels)
        if turned is not None:
            checks.append(Check("value", "unsure", f"the labels say {turned[0]!r}, the claim {turned[1]!r}"))
        printed = f"{labels} ; {place.grid.caption} ; {place.grid.notes}"
        if asks_for_own(self.asked.names()) and not says_own(printed):
            why = "the claim is about what this study found, the table does not say whose result it is"
            checks.append(Check("value", "unsure", why))
        rival = self._rival(place)
        sides: tuple[tuple[CheckName, Terms], ...] = (
            ("material", self.asked.material),
            ("property", self.asked.property),
        )
        for name, terms in sides:
            if not terms.terms:
                continue
            if rival is not None and rival.name == name:
                checks.append(rival)
            else:
                checks.append(self._named(name, terms, place))
        return checks

    def _other_part(self, place: Place, quantity: Quantity) -> str:
        """Why a number of a cell with several (``92/113``) may not be the claimed one; "" where a label with as many
        parts (``Urgent / Non-urgent``) gives it to the claim, or the cell has one number.
        """
        counted = _COUNTED.fullmatch(place.text)
        if counted is not None and self.asked.unit == "%" and quantity.start < counted.start("share"):
            return "the share stands in brackets behind it"
        if not _SLASHED.fullmatch(place.text):
            return ""
        numbers = [match.start() for match in re.finditer(r"[^/×]+", place.text)]
        mine = max(index for index, start in enumerate(numbers) if start <= quantity.start)
        for label in place.column:
            parts = label.split("/")
            if len(parts) != len(numbers):
                continue
            fits = [self._share(part) for part in parts]
            if fits[mine] < max(fits):
                return f"the head {label!r} gives the claim's words to another"
            return "" if fits.count(max(fits)) == 1 else f"the head {label!r} does not tell them apart"
        return "no head says which is which"

    def _share(self, label: str) -> float:
        cover = self._of_labels((label,))
        return self._weight(cover.terms) - 0.1 * len(cover.unexplained) - len(cover.unexplained & _NEGATIONS)

    def _all(self) -> list[tuple[str, Term]]:
        material, property_ = self.asked.material, self.asked.property
        return [("m", t) for t in material.terms] + [("p", t) for t in property_.terms]

    def _cover(self, side: str, index: int, place: Place) -> _Cover:
        key = (side, index)
        if key not in self._covers:
            labels = (place.grid.rows if side == "row" else place.grid.columns).get(index, ())
            cover = self._of_labels(labels)
            if side == "row" and self._is_family_member(index, place):
                cover = _Cover(
                    cover.terms | {("m", t.text) for t in self.asked.material.terms}, frozenset(), cover.exact
                )
            self._covers[key] = cover
        return self._covers[key]

    def _is_family_member(self, row: int, place: Place) -> bool:
        """Whether a row's labels give the unknown of a formula: ``0.05`` under ``δ`` of ``YBa2Cu3O7-δ``."""
        grid = place.grid
        names = names_of.of(self.paper)
        if not names.families or not self.asked.material.terms:
            return False
        heads = {column: " ".join(grid.columns.get(column, ())) for column in grid.names.get(row, {})}
        given = " ".join(f"{heads[column]} = {label}" for column, label in grid.names.get(row, {}).items())
        full = (with_parameters(family, given) for family in names.families)
        wanted = self.asked.material.text
        return any("=" in name and same_material(name, wanted, names) for name in full)

    def _of_labels(self, labels: Sequence[str]) -> _Cover:
        covered: set[tuple[str, str]] = set()
        unexplained: set[str] = set()
        rooted: set[tuple[str, str]] = set()
        exact: set[tuple[str, str]] = set()
        for label in labels:
            for side, terms, named in (
                ("m", self.asked.material, self._is_material),
                ("p", self.asked.property, self._is_property),
            ):
                if terms.terms and named(label):
                    special = contrasts(terms.text) and not contrasts(terms.text) & contrasts(label)
                    parts = name_parts(terms, is_material=side == "m")
                    covered |= {
                        (side, t.text) for t in terms.terms if t.text in parts and not (special and contrasts(t.text))
                    }
            if len(label) == 1 and label.isupper():
                heads = [t for t in self.asked.property.terms if t.text[0].upper() == label and len(t.text) > 3]
                covered |= {("p", term.text) for term in heads[:1]}
                names = [t for t in self.asked.material.terms if t.text[0].upper() == label and len(t.text) > 3]
                covered |= {("m", term.text) for term in names if len(names) == 1 and not heads}
            for word, keys in with_long_forms(read_words(_spelled(label)), self.abbreviations):
                mine = {
                    (side, t.text)
                    for side, t in self._all()
                    if alike(t.keys, keys) or _begins(t, word) or {word.text, word.text.upper()} & t.initials
                } | self._run_together(word)
                for side, terms in (("m", self.asked.material), ("p", self.asked.property)):
                    if any(alias & word.keys for alias in terms.aliases):
                        mine |= {(side, term.text) for term in terms.terms}
                covered |= mine
                exact |= {(side, t.text) for side, t in self._all() if t.keys & keys}
                rooted |= {(side, t.text) for side, t in self._all() if alike(t.keys, keys) and not t.keys & keys}
                if not mine and (not word.stop or word.text.lower() in _NEGATIONS - self._denials()):
                    unexplained.add(word.text.lower())
        return _Cover(frozenset(covered), frozenset(unexplained), frozenset(covered - (rooted - exact)))

    def _run_together(self, word: Word) -> set[tuple[str, str]]:
        """The two terms of which a label's word is made: ``Totalrecovery``, where a table's head lost a space."""
        text = word.text.lower()
        pairs = permutations(self._all(), 2) if len(text) >= _RUN_TOGETHER else ()
        found = (pair for pair in pairs if "".join(term.text for _, term in pair).lower() == text)
        return {(side, term.text) for side, term in next(found, ())}

    def _denials(self) -> frozenset[str]:
        """The negations that the claim has itself."""
        words = f"{self.asked.material.text} {self.asked.property.text}".lower().split()
        return _NEGATIONS.intersection(words)

    def _is_material(self, label: str) -> bool:
        names: Names = names_of.of(self.paper)
        wanted = self.asked.material.text
        bare = label.split("(", maxsplit=1)[0].strip()
        if any(text and same_material(text, wanted, names) for text in (label, bare)):
            return True
        return any(same_material(m.name, wanted, names) for m in find_formulas(label))

    def _is_property(self, label: str) -> bool:
        concepts = concepts_of(self.asked.property.text)
        if not concepts or not any(m.concepts & concepts for m in find_properties(label)):
            return False
        mine, theirs = dict(contrasts(self.asked.property.text)), contrasts(label)
        groups = {group for group, _ in theirs}
        return not any(group in groups and (group, side) not in theirs for group, side in mine.items())

    def _weight(self, terms: frozenset[tuple[str, str]]) -> float:
        return sum(term.weight for side, term in self._all() if (side, term.text) in terms)

    def fit(self, cell: Cell, place: Place) -> tuple[float, int, frozenset[tuple[str, str]]]:
        row, column = self._cover("row", cell.row, place), self._cover("column", cell.column, place)
        terms = row.terms | column.terms | self._own_words(cell)
        loose = terms - row.exact - column.exact
        return self._weight(terms), -len(row.unexplained | column.unexplained) - len(loose), terms

    def _own_words(self, cell: Cell) -> frozenset[tuple[str, str]]:
        """The terms that a cell has itself, beside its number: ``Settled in 2004 (US$430 million)``."""
        key = (cell.row, cell.column)
        if key not in self._own:
            has_words = len(_WORD.findall(cell.text)) > 1 and any(map(str.isdigit, cell.text))
            said = [word.keys for word in read_words(clean(cell.text))] if has_words else []
            found: set[tuple[str, str]] = set()
            for side, term in self._all():
                if any(alike(term.keys, keys) for keys in said):
                    found.add((side, term.text))
            self._own[key] = frozenset(found)
        return self._own[key]

    def _rival(self, place: Place) -> Check | None:
        """Another cell whose row and column name more of the claim, or as much with fewer other words."""
        mine = self.fit(place.cell, place)
        best: tuple[float, int, bool] | None = None
        found: Check | None = None
        for other in place.grid.values():
            if other.row == place.cell.row and other.column == place.cell.column:
                continue
            theirs = self.fit(other, place)
            if theirs[0] < mine[0] - 1e-9 or (theirs[0] < mine[0] + 1e-9 and theirs[1] < mine[1]):
                continue
            if " ".join(other.text.split()) == " ".join(place.cell.text.split()) or self._other_unit(other, place):
                continue
            if theirs[0] < mine[0] + 1e-9 and self._is_called(place.cell, place) and not self._is_called(other, place):
                continue
            if theirs[0] < mine[0] + 1e-9 and self._is_named_instead(place, other):
                continue
            rank = (theirs[0], theirs[1], other.row == place.cell.row)
            if best is not None and rank <= best:
                continue
            best = rank
            side, labels = ("row", place.grid.rows.get(other.row, ()))
            if other.row == place.cell.row:
                side, labels = "column", place.grid.columns.get(other.column, ())
            better = theirs[0] > mine[0] + 0.5 and theirs[2] > mine[2]
            name = self._blamed(theirs[2] - mine[2], side)
            claimed = normal_form((self.asked.material if name == "material" else self.asked.property).text)
            own = place.row if side == "row" else place.column
            whole = any(normal_form(without_units(text)) == claimed for text in labels)
            whole = whole or (name == "property" and any(map(self._is_property, labels)))
            whole = whole and not any(normal_form(without_units(text)) == claimed for text in own)
            here = " / ".join(place.row if side == "row" else place.column) or "without a label"
            there = " / ".join(labels) or "without a label"
            why = f"the {side} is {here!r}; the {side} {there!r} fits the claim " + ("better" if better else "as well")
            found = Check(name, "fails", why) if better and whole else Check(name, "unsure", why)
        return found

    def _is_named_instead(self, place: Place, other: Cell) -> bool:
        """Whether the claim has a label of the cell's row, word for word, and none of the other's; or so of columns.

        The other side must fit at least as well, and the number must not be a second one of its cell.
        """
        grid, cell = place.grid, place.cell
        if re.fullmatch(r".*\d.*\([^()]*\)", place.text):
            return False
        for side, labels, mine, theirs in (
            ("column", grid.rows, cell.row, other.row),
            ("row", grid.columns, cell.column, other.column),
        ):
            here, there = labels.get(mine, ()), labels.get(theirs, ())
            own = [label for label in here if label not in there]
            if not any(map(self._has_phrase, own)) or any(self._has_phrase(text) for text in there if text not in here):
                continue
            at = (cell.column, other.column) if side == "column" else (cell.row, other.row)
            cross, crossed = (self._cover(side, index, place) for index in at)
            if self._weight(cross.terms) >= self._weight(crossed.terms) and crossed.unexplained >= cross.unexplained:
                return True
        return False

    def _has_phrase(self, label: str) -> bool:
        """Whether the claim has a label word for word, but for its unit and a citation behind it."""
        bare = _CITED.sub("", _MARKED.sub("", without_units(label))).strip()
        if sum(c.isalpha() for c in bare) < 2:
            return False
        pattern = rf"(?<![\w-]){re.escape(bare)}(?![\w+*-])"
        case = re.IGNORECASE if len(bare) > _SHORT else re.NOFLAG
        return any(re.search(pattern, terms.text, case) for terms in (self.asked.material, self.asked.property))

    def _is_called(self, cell: Cell, place: Place) -> bool:
        """Whether a label of a cell is the claim's very name of material or property (``TCSum-`` beside ``TCSum``)."""
        labels = (*place.grid.rows.get(cell.row, ()), *place.grid.columns.get(cell.column, ()))
        wanted = {_squeezed(self.asked.material.text), _squeezed(self.asked.property.text)} - {""}
        return any(_squeezed(without_units(label)) in wanted for label in labels)

    def _other_unit(self, other: Cell, place: Place) -> bool:
        """Whether the claim's unit is that of the cell, by its labels, and not that of the other one."""
        unit = self.asked.unit
        if not unit:
            return False
        theirs = [u for label in place.grid.columns.get(other.column, ()) for u in units_of(label)]
        mine = [u for label in place.column for u in units_of(label)]
        return unit in mine and unit not in theirs

    def _blamed(self, terms: frozenset[tuple[str, str]], side: str) -> CheckName:
        sides = {each for each, _ in terms} or {"m" if side == "row" else "p"}
        if "m" in sides and self.asked.material.terms:
            return "material"
        return "property" if self.asked.property.terms else "material"

    def _named(self, name: CheckName, terms: Terms, place: Place) -> Check:
        covered = self.fit(place.cell, place)[2]
        side = "m" if name == "material" else "p"
        implied = implied_by(self.asked.unit) if side == "p" else frozenset[str]()
        labelled = [t for t in terms.terms if (side, t.text) in covered or t.keys & implied]
        elsewhere = [
            t.text for t in terms.terms if t not in labelled and not t.light and self._is_labelled(t, side, place)
        ]
        if elsewhere:
            here = " / ".join((*place.row, *place.column))
            return Check(name, "unsure", f"other rows or columns name {', '.join(elsewhere)}, not the cell's: {here!r}")
        named = self._other_name(terms, labelled, place) if side == "p" else ""
        if named:
            return Check(name, "unsure", f"the column is {named!r}; the claim says {terms.text!r}")
        near = [t for t in terms.terms if t not in labelled and self._is_near(t, place)]
        unnamed = [
            t.text
            for t in terms.terms
            if side == "p" and t in near and not t.light and not self._is_captioned(t, place)
        ]
        if unnamed:
            return Check(name, "unsure", f"the table does not name {', '.join(unnamed)}")
        others = [t.text for t in terms.terms if t not in labelled and t not in near and self._names_another(t, place)]
        if others:
            return Check(name, "unsure", f"another table of the paper names {', '.join(others)}, this one does not")
        share = sum(t.weight for t in (*labelled, *near)) / (terms.total or 1.0)
        here = " / ".join((*place.row, *place.column))
        absent = [t for t in terms.terms if t not in labelled and t not in near]
        named = side == "p" and share >= _HALF and any(not t.light for t in labelled)
        if share < _ENOUGH and not (named and not any(opposites(t.text) for t in absent)):
            missing = ", ".join(t.text for t in absent)
            return Check(name, "unsure", f"neither the cell's labels ({here}) nor the caption names {missing}")
        if labelled:
            return Check(name, "holds", f"the cell's labels are {here!r}")
        if side == "p" and self._cover("column", place.cell.column, place).unexplained - _FORMS:
            return Check(name, "unsure", f"only the caption names {terms.text!r}, the cell's labels are {here!r}")
        return Check(name, "holds", "the caption or the text around the table names it")

    def _other_name(self, terms: Terms, labelled: Sequence[Term], place: Place) -> str:
        """A short name in the column's head that the claim does not have, where the claim has another (MBC, MIC)."""
        if not any(term.entity and term not in labelled for term in terms.terms):
            return ""
        for label in place.column:
            for word in read_words(without_units(label)):
                if word.entity and word.text.isupper() and word.text.lower() in self._of_labels((label,)).unexplained:
                    return word.text
        return ""

    def _is_labelled(self, term: Term, side: str, place: Place) -> bool:
        """Whether another row has the term for what this row has something else for (gold for silver)."""
        grid = place.grid
        key = (side, term.text)
        for column, label in grid.names.get(place.cell.row, {}).items():
            if self._of_labels((label,)).terms:
                continue
            for row, names in grid.names.items():
                cover = self._of_labels((names[column],)) if row != place.cell.row and column in names else None
                if cover is not None and key in cover.terms and not cover.unexplained:
                    return True
        return False

    def _is_captioned(self, term: Term, place: Place) -> bool:
        """Whether the table's own caption, notes or heads have the term."""
        if self._captioned is None:
            grid = place.grid
            heads = " ".join(text for texts in grid.columns.values() for text in texts)
            self._captioned = Vocabulary("\n".join((grid.caption, grid.notes, heads)), self.abbreviations)
        return self._captioned.has(term)

    def _names_another(self, term: Term, place: Place) -> bool:
        """Whether the caption of another table of the paper has the term."""
        if self._elsewhere is None:
            captions = (t.caption for t in self.paper.tables if t.caption is not None)
            texts = (clean(self.paper.text[c.start : c.end]) for c in captions)
            self._elsewhere = Vocabulary("\n".join(t for t in texts if t != place.grid.caption), self.abbreviations)
        return not term.light and self._elsewhere.has(term)

    def _is_near(self, term: Term, place: Place) -> bool:
        if self._near is None:
            e, grid = self.evidence, place.grid
            near = "\n".join((grid.caption, grid.notes, " ".join(grid.row_headers), *e.headings, e.title))
            self._near = Vocabulary(near, self.abbreviations)
        return self._near.has(term)
