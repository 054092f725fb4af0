"""A cast of rules for SudokuFill: plays every role by small general rules on the real text of a page, without a model.

The rules know the task's schema and nothing of the papers: labels and synonyms, numbers with units, rows of tables.
``noise`` is the share of claims that go wrong, by a hash of who reads what in which step, so that a run is repeatable.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite_doors.testing import Request, call
from pincite_scoring.record_filling.schema import Field, Schema

BLOCK = re.compile(r"\[pc:[0-9a-f]{8}#(?:p\d+:)?\d+-\d+(?: (\w+))?\] (.*?)(?=\n\n\[pc:|\n[0-9a-f]{8}>>>)", re.DOTALL)
CODE = re.compile(r"\b[A-Za-z]*[A-Z][A-Za-z]*-[A-Z]?\d+(?:/[A-Z]+)?\b")
FORMULA = re.compile(r"\b(?:[A-Z][a-z]?\d*(?:\.\d+)?){2,}\b")
NUMBER = re.compile(r"[<>]?\d+(?:\.\d+)?(?:\s*×\s*10\^?\d+)?\s*(?P<unit>[^\s\d,;.()]+(?:\s*[a-zA-Z]+\^[−-]\d)*)")
SKIPPED = ("references", "reference", "authors")
NOBODY = ("none", "–", "-", "")


@dataclass
class Page:
    """The text of one page: its sentences, and its tables as header and rows."""

    sentences: list[str] = field(default_factory=list)
    tables: list[tuple[list[str], list[list[str]]]] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> "Page":
        page = cls()
        for kind, body in BLOCK.findall(text):
            if kind in SKIPPED:
                continue
            if kind == "table":
                rows = [line.split("\t") for line in body.splitlines()]
                page.tables.append((rows[0], rows[1:]))
            else:
                page.sentences += re.split(r"(?<=[.;])\s+(?=[A-Z])", body)
        return page


@dataclass
class RuleCast:
    """Answers requests by their labels."""

    schema: Schema
    noise: float = 0.0
    seed: int = 0
    asked: list[str] = field(default_factory=list)

    def __call__(self, request: Request) -> Any:
        label = json.loads(request.headers["x-pincite-label"])
        self.asked.append(label["role"])
        text = request.first
        if label["step"].endswith("/task"):
            return call("answer", task="Look again on your page for what speaks against it.")
        play = getattr(self, f"_{label['role']}")
        return call("answer", **play(text, label))

    def _probe(self, text: str, label: dict[str, str]) -> dict[str, Any]:
        page = Page.of(text)
        names = self._found(page)
        _, _, only = label["step"].partition("/")
        if only:
            return {"claims": self._claims(page, self._field(only), names, label)}
        fields = [{"field": each.name, "claims": self._claims(page, each, names, label)} for each in self.schema.fields]
        return {"fields": fields}

    def _rank(self, text: str, _label: dict[str, str]) -> dict[str, Any]:
        found = re.findall(r"^(\w+): MaxConf ([\d.]+), Part (\d+)", text, re.MULTILINE)
        order = [name for name, _, _ in sorted(found, key=lambda each: (-float(each[1]), -int(each[2])))]
        return {"order": order, "rationale": "What most pages are sure of comes first. The rest follows."}

    def _page(self, text: str, label: dict[str, str]) -> dict[str, Any]:
        page = Page.of(text)
        name = label["step"].split("/")[1]
        known = re.findall(r"^o\d+: (.*)$", text, re.MULTILINE)
        claims = self._claims(page, self._field(name), known or self._found(page), label)
        claims = self._looked_over(text, page, name, known, claims, label)
        sure = {claim["object"]: claim for claim in claims if claim["confidence"] >= 0.9}
        opposes = []
        for ident, of, value in pool_of(text):
            mine = sure.get(of)
            if mine is not None and not self._field(name).many and mine["value"] != value:
                opposes.append({"candidate": ident, "why": "the table says otherwise", "quote": mine["quote"]})
        replies = [
            {"objection": each, "keep": True, "why": "it stands"} for each in re.findall(r"Objection (j\d+)", text)
        ]
        stance = "oppose" if opposes else "support" if claims else "abstain"
        return {"stance": stance, "claims": claims, "opposes": opposes, "replies": replies}

    def _looked_over(
        self,
        text: str,
        page: Page,
        name: str,
        known: Sequence[str],
        claims: list[dict[str, Any]],
        label: dict[str, str],
    ) -> list[dict[str, Any]]:
        """The claims, but where one differs from what this agent stood for so far: there it reads once more, and what
        it read twice of three times stands."""
        before = {(of, value) for of, value, agents in supported(text) if label["id"] in agents}
        now = {(each["object"], each["value"]) for each in claims}
        if not before or before == now or not self.noise:
            return claims
        again = {**label, "step": f"{label['step']}/again"}
        more = self._claims(page, self._field(name), known or self._found(page), again)
        both = [each for each in claims if (each["object"], each["value"]) in before]
        seen = {(each["object"], each["value"]) for each in [*both]}
        twice = [each for each in more if (each["object"], each["value"]) in before | now]
        return [*both, *(each for each in twice if (each["object"], each["value"]) not in seen)]

    def _row(self, text: str, _label: dict[str, str]) -> dict[str, Any]:
        pool = pool_of(text)
        counts: dict[str, int] = {}
        for _, _, value in pool:
            counts[value] = counts.get(value, 0) + 1
        objects = {of for _, of, _ in pool}
        usual = [each for each in pool if counts[each[2]] * 3 >= 2 * len(objects) and counts[each[2]] > 1]
        said = {"stance": "support", "confidence": 0.5, "constraint": "canonical pattern", "retrieved": "the records"}
        return {"choices": [{"candidate": ident, **said} for ident, _, _ in usual]}

    def _column(self, text: str, label: dict[str, str]) -> dict[str, Any]:
        mine = self._field(label["step"].split("/")[1])
        settled = settled_of(text)
        choices = []
        for ident, of, value in pool_of(text):
            for each in self.schema.dependencies:
                allowed = {**each.then, **each.allows}.get(mine.name)
                if allowed is None or not all(
                    settled.get((name, of), "") in ([held] if isinstance(held, str) else held)
                    for name, held in each.when.items()
                ):
                    continue
                if value not in ([allowed] if isinstance(allowed, str) else allowed):
                    retrieved = ", ".join(each.when)
                    said = {"stance": "oppose", "confidence": 0.8, "constraint": "dependency check"}
                    choices.append({"candidate": ident, **said, "retrieved": retrieved, "summary": each.because})
        return {"choices": choices}

    def _coordinator(self, text: str, _label: dict[str, str]) -> dict[str, Any]:
        replied = set(re.findall(r"to (j\d+): keeps", text))
        objections = [{"objection": each, "status": "answered", "why": "it was replied to"} for each in sorted(replied)]
        return {"leading": [], "objections": objections, "history": "Counted by rule.", "mode_next": "regular"}

    def _sequential(self, text: str, label: dict[str, str]) -> dict[str, Any]:
        page = Page.of(text)
        known = re.findall(r"^o\d+: (.*)$", text, re.MULTILINE)
        mine = self._field(label["step"].split("/")[1])
        return {"claims": self._claims(page, mine, known or self._found(page), label)}

    def _field(self, name: str) -> Field:
        found = self.schema.field(name)
        assert found is not None
        return found

    def _found(self, page: Page) -> list[str]:
        """Names of objects: first cells of tables, else codes beside the words of a label."""
        names: list[str] = []
        for _, rows in page.tables:
            firsts = [name_of(row) for row in rows]
            for row, first in zip(rows, firsts, strict=True):
                if first in NOBODY or first.startswith("no "):
                    continue
                names.append(first if firsts.count(first) == 1 else f"{first} {row[1]}")
        if names:
            return list(dict.fromkeys(names))
        kinds = next(each for each in self.schema.fields if each.labels)
        words = list(lexicon(kinds))
        for sentence in page.sentences:
            if any(has(sentence, word) for word in words):
                names += self._codes(sentence)
        return list(dict.fromkeys(names))

    def _codes(self, sentence: str) -> list[str]:
        """Formulas of more than one element where objects go by them, else codes."""
        if self._field(self.schema.identity[0]).kind == "formula":
            return [each for each in FORMULA.findall(sentence) if re.search("[a-z]", each)]
        return CODE.findall(sentence)

    def _claims(self, page: Page, of: Field, names: Sequence[str], label: dict[str, str]) -> list[dict[str, Any]]:
        naming = self.schema.identity[0]
        if of.name == naming:
            found = list(self._naming(page, of, names))
        elif of.labels or of.synonyms:
            found = list(self._words(page, of, names))
        elif of.kind == "number":
            found = list(self._numbers(page, of, names))
        else:
            found = []
        return [claim for claim in (self._blurred(each, of, label, found) for each in found) if claim is not None]

    def _naming(self, page: Page, of: Field, names: Sequence[str]) -> Iterator[dict[str, Any]]:
        for name in names:
            value = re.split(r"[:\s]" if of.kind == "formula" else ",", name)[0]
            where = next((each for each in places(page) if has(each, value)), "")
            if where:
                yield claim(name, value, 0.8, where)

    def _words(self, page: Page, of: Field, names: Sequence[str]) -> Iterator[dict[str, Any]]:
        general: dict[str, str] = {}
        for place in places(page):
            about = [name for name in names if has(place, first_word(name))]
            for main in mains(place, of):
                for name in about:
                    yield claim(name, main, 0.9 if "\t" in place else 0.8, place)
                if not about and not of.many:
                    general.setdefault(main, place)
        for main, place in general.items():
            yield claim("*", main, 0.6 if len(general) == 1 else 0.4, place)

    def _numbers(self, page: Page, of: Field, names: Sequence[str]) -> Iterator[dict[str, Any]]:
        for header, rows in page.tables:
            for at, title in enumerate(header):
                if not shared(title, f"{of.name} {of.definition}"):
                    continue
                unit = re.search(r"\((.*)\)", title)
                for row in rows:
                    cell = row[at] if at < len(row) else ""
                    about = [name for name in names if name_of(row) in (name, first_word(name))]
                    if re.match(r"\d", cell) and about:
                        printed = NUMBER.match(cell)
                        value = printed[0] if printed else f"{cell} {unit[1]}" if unit else cell
                        yield claim(about[0], value, 0.9, "\t".join(row))
        for sentence in page.sentences:
            found = [each[0] for each in NUMBER.finditer(sentence) if of.unit and of.unit[-1] in each["unit"]]
            about = [name for name in names if has(sentence, first_word(name))]
            if len(found) == 1 and len(about) == 1:
                yield claim(about[0], found[0], 0.7, sentence)

    def _blurred(
        self, given: dict[str, Any], of: Field, label: dict[str, str], others: Sequence[dict[str, Any]]
    ) -> dict[str, Any] | None:
        """The claim, or with the probability ``noise`` another one or none."""
        key = f"{self.seed}/{label['id']}/{label['step']}/{of.name}/{given['object']}/{given['value']}"
        draw = int(hashlib.sha256(key.encode()).hexdigest()[:8], 16) / 2**32
        if draw >= self.noise:
            return given
        rivals = [*of.labels] or [each["value"] for each in others]
        wrong = [value for value in rivals if value != given["value"]]
        if not wrong or draw < self.noise / 4:
            return None
        return {**given, "value": wrong[int(draw * 1e6) % len(wrong)], "confidence": 0.6}


def claim(name: str, value: str, confidence: float, place: str) -> dict[str, Any]:
    source = "table" if "\t" in place else "text"
    return {"object": name, "value": value, "confidence": confidence, "source": source, "quote": place}


def name_of(row: Sequence[str]) -> str:
    """The cell that names a row: the first of more than a letter."""
    return next((cell.strip() for cell in row if len(cell.strip()) > 1), "")


def places(page: Page) -> list[str]:
    """Sentences and rows of tables."""
    return [*page.sentences, *("\t".join(row) for _, rows in page.tables for row in rows)]


def lexicon(of: Field) -> dict[str, str]:
    """Labels, main words and synonyms, each with its main word."""
    mains = dict.fromkeys([*of.labels, *of.synonyms])
    return {word: main for main in mains for word in (main, *of.synonyms.get(main, []))}


def mains(place: str, of: Field) -> list[str]:
    """The main words whose spellings stand in a place, the longest spellings first: what one has said is not heard
    again as a shorter one."""
    found: list[str] = []
    words = lexicon(of)
    for word in sorted(words, key=len, reverse=True):
        if has(place, word):
            found.append(words[word])
            place = re.sub(re.escape(word), " ", place, flags=re.IGNORECASE)
    return list(dict.fromkeys(found))


def has(text: str, word: str) -> bool:
    """Whether a word or name stands in a text, whatever its case where it has more than three letters."""
    flags = re.IGNORECASE if len(word) > 3 else 0
    return bool(word) and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w/:-])", text, flags) is not None


def first_word(name: str) -> str:
    return name.split(maxsplit=1)[0] if ":" in name or "-" in name else name


def shared(title: str, about: str) -> bool:
    """Whether a header and a definition share a word of four letters or more."""
    words = set(re.findall(r"[a-z]{4,}", title.casefold()))
    return bool(words & set(re.findall(r"[a-z]{4,}", about.casefold())))


def pool_of(text: str) -> list[tuple[str, str, str]]:
    """Id, object and value of each candidate that a request shows."""
    return re.findall(r"^(c\d+): (.*?) = (.*); for: ", text, re.MULTILINE)


def supported(text: str) -> list[tuple[str, str, list[str]]]:
    """Object, value and supporters of each candidate that a request shows."""
    found = re.findall(r"^c\d+: (.*?) = (.*); for: (.*); against: ", text, re.MULTILINE)
    return [(of, value, re.findall(r"([a-z]+\d*) \d\.\d", agents)) for of, value, agents in found]


def settled_of(text: str) -> dict[tuple[str, str], str]:
    """The value of each (field, object) that a request shows as resolved."""
    found: dict[tuple[str, str], str] = {}
    for name, line in re.findall(r"^(\w+) \(resolved\): (.*)$", text, re.MULTILINE):
        for part in line.split("; "):
            if cell := re.match(r"(.*?): (.*) \(", part):
                found[name, cell[1]] = cell[2]
    return found
