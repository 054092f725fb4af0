"""A schema is data: it is checked, compiled to JSON Schema, and its label sets and dependencies hold or do not."""

import random
from collections.abc import Callable
from typing import Any

import jsonschema
import orjson
import pytest

from pincite_core.errors import BadInputError
from pincite_papers.model import Paper
from pincite_scoring import Case, Score
from pincite_scoring.record_filling.compiling import compile_schema
from pincite_scoring.record_filling.dependencies import violations
from pincite_scoring.record_filling.forms import text_form
from pincite_scoring.record_filling.objects import Problem, read_objects
from pincite_scoring.record_filling.schema import read_schema
from pincite_scoring.record_filling.scorer import SCORER

FIELDS = '[[fields]]\nname = "a"\ndefinition = "A."\n[[fields]]\nname = "b"\ndefinition = "B."\n'
HEAD = 'name = "s"\nobject = "One."\n'


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("name = ", "TOML"),
        ('{"name": "s"', "JSON"),
        (HEAD, "fields"),
        (HEAD + 'identity = ["c"]\n' + FIELDS, "no such fields: c"),
        (HEAD + FIELDS + '[[dependencies]]\nwhen = {a = "1"}\nfills = ["c"]\n', "no such fields: c"),
        (HEAD + FIELDS + '[[fields]]\nname = "a"\ndefinition = "A."\n', "there twice: a"),
        (HEAD + '[[fields]]\nname = "a"\ndefinition = "A."\nkind = "label"\n', "labels if and only if"),
        (HEAD + '[[fields]]\nname = "a"\ndefinition = "A."\nlabels = ["x"]\n', "labels if and only if"),
        (HEAD + '[[fields]]\nname = "evidence"\ndefinition = "E."\n', "no field may be called"),
        (
            HEAD
            + '[[fields]]\nname = "a"\ndefinition = "A."\nkind = "label"\nlabels = ["x"]\nsynonyms = {y = ["z"]}\n',
            "no label: y",
        ),
        (HEAD + FIELDS + 'colour = "red"\n', "colour"),
    ],
)
def test_a_broken_schema_says_what_is_wrong(text: str, seen: str) -> None:
    with pytest.raises(BadInputError) as caught:
        read_schema(text)
    assert seen in f"{caught.value.what} {caught.value.seen}"


def test_a_task_without_a_schema_is_an_error(gold: dict[str, Any]) -> None:
    with pytest.raises(BadInputError, match="no parameter 'schema'"):
        SCORER.score(Case(gold, gold), options=None)  # type: ignore[arg-type]
    assert [problem.field for problem in SCORER.check(Case(None, gold))] == ["schema"]


def test_json_and_toml_say_the_same(schema: str) -> None:
    read = read_schema(schema)
    assert read_schema(read.model_dump_json(exclude_defaults=True)) == read


@pytest.mark.parametrize(
    ("filled", "valid"),
    [
        ({"name": "A1", "dose": 5, "host": "rat", "routes": ["oral"], "evidence": None}, False),
        ({"name": "A1", "dose": "5 mg", "host": "rat", "routes": ["oral"], "remark": None}, True),
        ({"dose": 5.5, "evidence": [{"field": "dose", "quote": "5.5", "page": 2}]}, True),
        ({"host": "mice"}, True),
        ({"host": "hamster"}, False),
        ({"name": ["A1"]}, False),
        ({"routes": "oral"}, False),
        ({"routes": ["oral", "oral"]}, False),
        ({"colour": "red"}, False),
        ({"name": ""}, False),
        ({"evidence": [{"field": "colour", "quote": "red"}]}, False),
        ({"evidence": [{"field": "dose"}]}, False),
    ],
)
def test_the_compiled_schema_allows_what_the_schema_says(filled: dict[str, Any], valid: bool, schema: str) -> None:
    compiled = compile_schema(read_schema(schema))
    jsonschema.Draft202012Validator.check_schema(compiled)
    assert jsonschema.Draft202012Validator(compiled).is_valid({"objects": [filled]}) is valid
    assert not jsonschema.Draft202012Validator(compiled).is_valid([filled])


DEPENDENT = """
name = "layers"
object = "A layer."
[[fields]]
name = "kind"
definition = "Kind."
kind = "label"
labels = ["doped", "plain"]
[fields.synonyms]
doped = ["with dopant"]
[[fields]]
name = "dopants"
definition = "Dopants."
many = true
[[fields]]
name = "sign"
definition = "Sign of its carriers."
[[dependencies]]
when = { kind = "doped" }
fills = ["dopants"]
because = "what is doped has a dopant"
[[dependencies]]
when = { kind = "plain" }
empties = ["dopants"]
[[dependencies]]
when = { dopants = ["Mg", "Zn"] }
then = { sign = "p" }
[[dependencies]]
when = { sign = "*" }
allows = { dopants = ["Mg", "Zn", "Si"] }
"""


@pytest.mark.parametrize(
    ("filled", "broken"),
    [
        ({"kind": "doped", "dopants": ["Si"]}, []),
        ({"kind": "With dopant"}, ["dopants: must be filled (what is doped has a dopant)"]),
        ({"kind": "plain", "dopants": ["Si"]}, ["dopants: must be empty (kind is plain)"]),
        ({"dopants": ["Si", "Mg"], "sign": "p"}, []),
        ({"dopants": ["Si", "Mg"]}, ["sign: must be p (dopants is Mg or Zn)"]),
        ({"dopants": ["Mg"], "sign": "n"}, ["sign: must be p (dopants is Mg or Zn)"]),
        ({"dopants": ["Si", "C"], "sign": "n"}, ["dopants: may only be Mg or Zn or Si (sign is *)"]),
        ({"sign": "n"}, []),
        ({"sign": ["n", "p"]}, ["sign: 2 values in a field for one"]),
        ({"kind": "bent"}, ["kind: 'bent' is none of the labels"]),
        ({"size": 3}, ["size: the schema has no such field"]),
    ],
)
def test_dependencies_hold_or_say_why_not(filled: dict[str, Any], broken: list[str]) -> None:
    schema = read_schema(DEPENDENT)
    objects = read_objects({"objects": [filled]}, schema)
    assert not isinstance(objects, Problem)
    assert violations(objects[0], schema) == broken


def test_consistency_is_the_share_of_objects_without_contradiction(scored: Callable[..., Score]) -> None:
    gold = {"objects": [{"kind": "doped", "dopants": ["Si"]}]}
    answer = {"objects": [{"kind": "doped", "dopants": ["Si"]}, {"kind": "doped"}, {"kind": "bent"}, {"sign": "n"}]}
    assert scored(answer, gold, DEPENDENT).metrics["consistency"] == 2 / 4
    assert scored({"objects": []}, gold, DEPENDENT).metrics["consistency"] is None


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("CpG 1018", "cpg-1018", True),
        ("IFN-γ", "IFN gamma", True),
        ("µm", "μm", True),
        ("H₂O", "H2O", True),
        ("“raw”", "raw.", True),
        ("1–3 weeks", "13 weeks", False),
        ("1 3", "13", False),
        ("-5", "5", False),
        ("−5 °C", "-5 °C", True),
        ("QV-7", "QV-17", False),
        ("A(1)", "A1", False),
    ],
)
def test_texts_in_one_spelling(a: str, b: str, same: bool) -> None:
    assert (text_form(a) == text_form(b)) is same


@pytest.mark.parametrize(
    "answer",
    [
        {"objects": [{"name": "A1" * 10_000, "dose": "9" * 5000, "routes": ["x"] * 400, "remark": {"a": [1]}}] * 20},
        {"objects": [{"name": ["A1", None, True, 3.5, ["B2"]], "host": [[]], "routes": {"a": 1}}]},
        {
            "objects": [
                None,
                1,
                "x",
                [],
                {"evidence": 3},
                {"evidence": [1, {"quote": "x"}, {"field": "dose", "page": 0}]},
            ]
        },
        {"objects": [{"dose": "1e999 µg", "name": "\x00", "host": "\u202emouse"}]},
    ],
)
def test_a_hostile_answer_is_wrong_not_an_exception(
    answer: dict[str, Any], gold: dict[str, Any], scored: Callable[..., Score]
) -> None:
    for compat in ("strict", "reference"):
        score = scored(answer, gold, compat=compat)
        assert score.status == "scored"
        overall = score.metrics["overall"]
        assert overall is not None
        assert overall < 0.2
        orjson.dumps(score.to_json())


ODD = [
    None,
    True,
    -1,
    0,
    1.5,
    10**400,
    "",
    "x",
    "n/a",
    "50 µg",
    "1e400",
    "\ud7ff",
    [],
    ["x", "x"],
    [None],
    {},
    {"value": 1},
]


def test_no_value_in_any_place_is_an_exception(
    gold: dict[str, Any], paper: Callable[..., Paper], scored: Callable[..., Score]
) -> None:
    papers = {"p.pdf": paper("A1 was given at 50 µg.")}
    chance = random.Random(5)
    places = ["name", "dose", "host", "routes", "remark", "colour"]
    parts = ["field", "quote", "paper", "page", "start", "end"]
    for _ in range(300):
        pieces = [{part: chance.choice(ODD) for part in chance.sample(parts, 4)} for _ in range(3)]
        pieces = [{"field": "dose", **piece} if chance.random() < 0.5 else piece for piece in pieces]
        answer = {place: chance.choice(ODD) for place in chance.sample(places, 4)}
        score = scored({"objects": [{**answer, "evidence": pieces}, gold["objects"][0]]}, gold, papers=papers)
        assert score.status == "scored"
        assert (score.metrics["row_recall"] or 0) >= 1 / 2


CROWDED = {"objects": [{"routes": [str(n) for n in range(100)]}] * 101}


@pytest.mark.parametrize("answer", [[], "x", {"records": []}, {"objects": {}}, CROWDED])
def test_an_answer_that_cannot_be_read_is_unscored(answer: Any, gold: Any, scored: Callable[..., Score]) -> None:
    score = scored(answer, gold)
    assert score.status == "unscored"
    assert (score.reason or "").startswith("invalid_answer")


def test_broken_gold_is_an_error(scored: Callable[..., Score]) -> None:
    for gold in ({"objects": [{"colour": "red"}]}, {"objects": [{}]}, []):
        with pytest.raises(BadInputError, match="gold objects are broken"):
            scored({"objects": []}, gold)


@pytest.mark.parametrize(
    ("objects", "message"),
    [
        ([{"name": "A1"}, {"name": "a-1"}], ""),
        ([{"name": "A1"}, {"name": "A1"}], "the same as record 0"),
        ([{"dose": "1 mg"}], "no field of the identity is filled"),
        ([{"name": "A1", "host": "hamster"}], "none of the labels"),
        ([{"name": "A1", "host": "rat", "routes": ["oral"]}], "must be empty"),
        ([{"name": "A1", "evidence": [{"field": "dose", "quote": "x"}]}], "evidence for a field that is empty"),
        ([{"name": "A1", "evidence": [{"field": "name", "quote": "A1 was used"}]}], "the task has no paper"),
        (["A1"], "the entry is not an object"),
    ],
)
def test_check_finds_what_is_wrong_with_gold(objects: list[Any], message: str, schema: str) -> None:
    problems = SCORER.check(Case(None, {"objects": objects}, {}, {"schema": schema}))
    fatal = [str(problem) for problem in problems if problem.fatal]
    assert any(message in problem for problem in fatal) if message else not fatal
