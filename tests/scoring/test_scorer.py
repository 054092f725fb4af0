"""The scorer: worked examples of precision, recall and F1, salvage, empty answers, missing gold, both definitions."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from pincite_core.errors import BadInputError, NotFoundError
from pincite_papers.model import Paper
from pincite_scoring import Case, Score, ScoringOptions, score

STRICT = ScoringOptions()
REFERENCE = ScoringOptions(compat="reference")
RATES = ("precision", "recall", "f1", "f1_0.1%", "f1_1%", "f1_10%", "match_precision", "match_recall", "match_f1")

Raw = Callable[..., dict[str, Any]]


def marked(answer: object, gold: object, options: ScoringOptions = STRICT, **papers: Paper) -> Score:
    return score("property_extraction", Case(answer, gold, papers), options)


def rates(result: Score) -> dict[str, float | None]:
    return {name: result.metrics[name] for name in RATES}


def properties(*records: object) -> dict[str, Any]:
    return {"properties": list(records)}


def test_the_gold_scores_one_on_everything(raw: Raw, paper: Callable[..., Paper]) -> None:
    text = "Tc of YBa2Cu3O7 is 93 K. Its space group is Pmmm. For graphene it is 1.2–1.5 K below 5 GPa."
    gold = properties(
        raw(value="93", evidence="Tc of YBa2Cu3O7 is 93 K."),
        raw("space group", "Pmmm", "", evidence="Its space group is Pmmm."),
        raw(value="1.2–1.5", material="graphene", pressure="5 GPa", evidence="For graphene it is 1.2–1.5 K"),
    )
    result = marked(gold, gold, p=paper(text))
    assert set(rates(result).values()) == {1.0}
    assert result.metrics["evidence_verified"] == result.metrics["value_in_quote"] == 1.0
    assert (result.metrics["n_gold"], result.metrics["n_answer"], result.metrics["n_invalid"]) == (3, 3, 0)
    assert [(row["answer"], row["gold"], row["status"]) for row in result.records] == [
        (0, 0, "correct"), (1, 1, "correct"), (2, 2, "correct"),
    ]  # fmt: skip


def test_a_worked_example(raw: Raw) -> None:
    """4 gold, 5 answers: two right, one 0.5 % off, one 5 % off, one of another material.

    At 0.1 %: P = 2/5, R = 2/4, F1 = 2*0.4*0.5/0.9 = 4/9. At 1 %: 3/5, 3/4, 2/3. At 10 % and for matches: 4/5, 4/4, 8/9.
    """
    gold = properties(
        raw("Tc", "93"),
        raw("lattice constant a", "3.82", "Å"),
        raw("Debye temperature", "400"),
        raw("resistivity", "1.0", "mΩ cm"),
    )
    answer = properties(
        raw("critical temperature", "93.0"),
        raw("lattice parameter a", "0.382", "nm"),
        raw("Debye temperature", "402"),
        raw("electrical resistivity", "1050", "μΩ cm"),
        raw("Tc", "93", material="MgB2"),
    )
    result = marked(answer, gold)
    assert rates(result) == pytest.approx(
        {
            "precision": 2 / 5, "recall": 2 / 4, "f1": 4 / 9, "f1_0.1%": 4 / 9, "f1_1%": 2 / 3, "f1_10%": 8 / 9,
            "match_precision": 4 / 5, "match_recall": 1.0, "match_f1": 8 / 9,
        }
    )  # fmt: skip
    within = {row["answer"]: row.get("within") for row in result.records}
    assert within == {0: "0.1%", 1: "0.1%", 2: "1%", 3: "10%", 4: None}
    assert "material differs" in next(row["reason"] for row in result.records if row["answer"] == 4)


def test_one_gold_record_serves_one_answer(raw: Raw) -> None:
    """Strict: the copy is wrong (P 1/2). Published: every copy finds its gold record (P 2/2)."""
    gold, answer = properties(raw()), properties(raw(), raw())
    assert (marked(answer, gold).metrics["precision"], marked(answer, gold).metrics["recall"]) == (0.5, 1.0)
    assert marked(answer, gold, REFERENCE).metrics["precision"] == 1.0
    row = marked(answer, gold).records[1]
    assert row["status"] == "unmatched" and "paired with other records" in row["reason"]


def test_one_answer_serves_one_gold_record(raw: Raw) -> None:
    gold = properties(raw(value="93"), raw(value="93"))
    assert marked(properties(raw(value="93")), gold).metrics["recall"] == 0.5
    assert marked(properties(raw(value="93")), gold, REFERENCE).metrics["recall"] == 1.0


def test_pairs_by_the_best_total(raw: Raw) -> None:
    """The answer without orientation fits both gold records; its value decides."""
    gold = properties(raw("Hc2", "60", "T", orientation="H ∥ c"), raw("Hc2", "240", "T", orientation="H ∥ ab"))
    answer = properties(raw("upper critical field", "240", "T"), raw("upper critical field", "60", "T"))
    assert marked(answer, gold).metrics["f1"] == 1.0
    assert [(row["answer"], row["gold"]) for row in marked(answer, gold).records] == [(0, 1), (1, 0)]


def test_onset_and_zero_do_not_stand_for_each_other(raw: Raw) -> None:
    gold = properties(raw("Tc (onset)", "93.4"), raw("Tc (zero resistance)", "92.6"))
    swapped = properties(raw("Tc (onset)", "92.6"), raw("Tc (zero resistance)", "93.4"))
    result = marked(swapped, gold)
    assert (result.metrics["match_f1"], result.metrics["f1"], result.metrics["f1_1%"]) == (1.0, 0.0, 1.0)


@pytest.mark.parametrize("options", [STRICT, REFERENCE])
def test_an_empty_answer_scores_zero(raw: Raw, options: ScoringOptions) -> None:
    for answer, reason in ((properties(), None), (None, "no answer")):
        result = marked(answer, properties(raw()), options)
        assert (result.status, result.reason) == ("scored", reason)
        assert set(rates(result).values()) == {0.0}
        assert result.metrics["evidence_verified"] is None and result.metrics["value_in_quote"] is None
        assert result.metrics["n_answer"] == 0
        assert [row["status"] for row in result.records] == ["missed"]


@pytest.mark.parametrize("options", [STRICT, REFERENCE])
def test_a_paper_without_properties(raw: Raw, options: ScoringOptions) -> None:
    """Nothing where nothing is to be found is perfect here, and 0 in the published code."""
    perfect = 1.0 if options is STRICT else 0.0
    assert set(rates(marked(properties(), properties(), options)).values()) == {perfect}
    invented = marked(properties(raw()), properties(), options)
    assert invented.metrics["precision"] == invented.metrics["f1"] == 0.0


def test_without_gold_it_is_unscored_and_evidence_still_counts(raw: Raw, paper: Callable[..., Paper]) -> None:
    answer = properties(raw(evidence="Tc is 93 K."), raw(evidence="Tc is 94 K."))
    result = marked(answer, None, p=paper("Tc is 93 K."))
    assert (result.status, result.reason) == ("unscored", "no gold records")
    assert set(rates(result).values()) == {None}
    assert result.metrics["evidence_verified"] == 0.5
    assert result.metrics["value_in_quote"] == 0.5
    assert [row["evidence"] for row in result.records] == ["verified", "absent"]


@pytest.mark.parametrize("answer", [[], "text", 5, {}, {"properties": None}, {"properties": {}}, {"records": []}])
def test_an_answer_of_another_shape_is_invalid(raw: Raw, answer: object) -> None:
    result = marked(answer, properties(raw()))
    assert result.status == "unscored"
    assert result.reason is not None and result.reason.startswith("invalid_answer")
    assert result.metrics.get("f1") is None


def test_broken_records_are_dropped_and_count_as_wrong(raw: Raw, paper: Callable[..., Paper]) -> None:
    whole = raw(evidence="Tc is 93 K.")
    no_page = raw()
    del no_page["location"]["page"]
    broken = [
        no_page,
        "text",
        {**raw(), "property_name": ""},
        {**raw(), "value_string": ["93"]},
        {**raw(), "location": {"page": 0}},
    ]
    result = marked(properties(whole, *broken), properties(raw()), p=paper("Tc is 93 K."))
    assert result.status == "scored"
    assert (result.metrics["precision"], result.metrics["recall"]) == (pytest.approx(1 / 6), 1.0)
    assert (result.metrics["n_answer"], result.metrics["n_invalid"]) == (6, 5)
    assert result.metrics["evidence_verified"] == pytest.approx(1 / 6)
    invalid = [row for row in result.records if row["status"] == "invalid"]
    assert [row["answer"] for row in invalid] == [1, 2, 3, 4, 5]
    assert "location.page" in invalid[0]["reason"]


def test_forms_that_a_model_writes_are_read(raw: Raw) -> None:
    record = raw() | {"value_string": 93, "value_unit": "K", "qualifier": None, "conditions": None, "surplus": 1}
    record["location"] = {"page": "1", "evidence": None, "section": None}
    result = marked(properties(record), properties(raw()))
    assert result.metrics["f1"] == 1.0
    assert result.records[0]["evidence"] == "no_quote"


def test_broken_gold_is_an_error(raw: Raw) -> None:
    with pytest.raises(BadInputError, match="gold"):
        marked(properties(), properties({"property_name": "Tc"}))
    with pytest.raises(BadInputError, match="gold"):
        marked(properties(), [])


def test_an_unknown_scorer() -> None:
    with pytest.raises(NotFoundError, match="no scorer"):
        score("poetry", Case(properties(), properties()), STRICT)


def test_the_reference_keeps_the_published_quirks(raw: Raw) -> None:
    gold = properties(raw(value="93", material="YBa2Cu3O7"))
    bare = properties(raw(value="93", unit="frobs", material="YBa2Cu3O6.5"))
    assert marked(bare, gold).metrics["f1"] == 0.0
    assert marked(bare, gold, REFERENCE).metrics["f1"] == 1.0
    named = properties(raw(material="graphene"))
    assert marked(named, named).metrics["f1"] == 1.0
    assert marked(named, named, REFERENCE).metrics["f1"] == 1.0, "its own spelling, so that gold matches itself"
    spelled = properties(raw(material="YBa2Cu3O7-d"))
    assert marked(spelled, properties(raw(material="YBa2Cu3O7-δ"))).metrics["f1"] == 1.0
    assert marked(spelled, properties(raw(material="YBa2Cu3O7-δ")), REFERENCE).metrics["f1"] == 0.0


def test_candidates_are_limited_to_three_names(raw: Raw) -> None:
    """A name that is not among the three nearest from either side cannot match (published: top 3)."""
    from pincite_scoring.property_extraction.candidates import candidate_pairs
    from pincite_scoring.property_extraction.records import Problem, read_records

    names = [
        "resistivity",
        "residual resistivity",
        "resistivity ratio",
        *(f"lattice constant {axis}" for axis in "abc"),
    ]
    golds = read_records(properties(*(raw(name) for name in names)))
    one = read_records(properties(raw("critical temperature")))
    assert not isinstance(golds, Problem) and not isinstance(one, Problem)
    assert len(candidate_pairs(one.records, golds.records)) == 6, "from the gold side each name finds the only answer"
    pairs = candidate_pairs(golds.records, golds.records)
    assert {(i, i) for i in range(6)} <= set(pairs)
    assert (0, 3) not in pairs and (3, 0) not in pairs, "resistivity is not near a lattice constant"


def test_score_json_reads_back(raw: Raw, paper: Callable[..., Paper]) -> None:
    result = marked(properties(raw(), "broken"), properties(raw(), raw("Debye temperature", "0")), p=paper("x"))
    data = json.loads(json.dumps(result.to_json()))
    assert Score.from_json(data) == result
    assert (data["matcher"], data["scorer"], data["status"], data["compat"]) == (
        "lexicon/2", "property_extraction", "scored", "strict",
    )  # fmt: skip
    with pytest.raises(BadInputError):
        Score.from_json({"status": "maybe"})


def test_a_zero_gold_value_leaves_finite_json(raw: Raw) -> None:
    result = marked(properties(raw(value="1")), properties(raw(value="0")))
    assert result.records[0]["relative_error"] is None
    assert json.loads(json.dumps(result.to_json(), allow_nan=False))["metrics"]["f1_10%"] == 0.0


def test_the_order_of_records_does_not_matter(raw: Raw) -> None:
    gold = [raw(value=str(value), temperature=f"{t} K") for t in (4, 77, 300) for value in (1, 2, 3)]
    answer = [raw(value=str(value)) for value in (3, 1, 2, 5)]
    one = marked(properties(*answer), properties(*gold))
    other = marked(properties(*answer[::-1]), properties(*gold[::-1]))
    assert rates(one) == rates(other)
    assert one.metrics["precision"] == 0.75
