"""Claims of a gold analysis, found by rule in answers whose verdicts were worked out by hand."""

from pincite_scoring.figure_analysis.claims.check import Checked, check_answer
from pincite_scoring.figure_analysis.claims.lexicon import said_in
from pincite_scoring.figure_analysis.claims.model import Claims
from pincite_scoring.figure_analysis.claims.rows import Rows
from pincite_scoring.figure_analysis.claims.support import Support

CLAIMS = Claims.model_validate(
    {
        "entities": {"pure": ["pure glass", "undoped glass"], "doped": ["doped glass", "glass with sodium"]},
        "attributes": {"conductivity": ["conductivity", "σ"], "density": ["density"]},
        "claims": [
            {"text": "The doped glass has 0.48 S/m.", "subject": ["doped"], "value": 0.48, "unit": "S/m"},
            {"text": "The pure glass has 0.12 S/m.", "subject": ["pure"], "value": 0.12, "unit": "S/m"},
            {"text": "The conductivity of the doped glass rises.", "subject": ["doped"], "of": "conductivity",
             "relation": ["up"]},
            {"text": "The density of the pure glass does not change.", "subject": ["pure"], "of": "density",
             "relation": ["same", "no_differ"]},
            {"text": "Doping adds carriers."},
        ],
    }
)  # fmt: skip
TABLE = {"t.csv": "Glass,σ (S/m)\nPure,0.12\nDoped,0.48\n"}
C, X, M, U = "carried", "contradicted", "missing", "undecided"
ANSWERS = [
    # answer, states of the five claims
    ("The doped glass has 0.48 S/m and the pure glass 0.12 S/m.", (C, C, M, M, U)),
    ("The pure glass has 0.48 S/m and the doped glass 0.12 S/m.", (X, X, M, M, U)),
    ("Doped glass and pure glass conduct differently (0.48 against 0.12 S/m).", (C, C, M, M, U)),
    ("Pure glass and doped glass conduct differently (0.48 against 0.12 S/m).", (X, X, M, M, U)),
    ("We measured 480 mS/m for the glass with sodium and 120 mS/m for the undoped glass.", (C, C, M, M, U)),
    ("We measured 0.48 S/m (doped glass) and 0.12 S/m (pure glass).", (C, C, M, M, U)),
    ("We measured 0.48 S/m (pure glass) and 0.12 S/m (doped glass).", (X, X, M, M, U)),
    ("The doped glass conducts well. It reaches 0.48 S/m.", (C, M, M, M, U)),
    ("The conductivity of the doped glass rises.", (M, M, C, M, U)),
    ("In the doped glass the conductivity climbs steadily.", (M, M, C, M, U)),
    ("The conductivity of the doped glass falls.", (M, M, X, M, U)),
    ("The conductivity of the doped glass does not rise.", (M, M, X, M, U)),
    ("Whether the conductivity of the doped glass rises is open.", (M, M, U, M, U)),
    ("The density of the doped glass rises.", (M, M, M, M, U)),
    ("The density of the pure glass hardly changes.", (M, M, M, C, U)),
    ("The density of the pure glass changes.", (M, M, M, X, U)),
    ("The density of the pure glass changes little.", (M, M, M, C, U)),
    ("Conductivity and density of the pure glass and of the doped glass deserve attention.", (M, M, U, U, U)),
    ("The doped glass has 0.61 S/m.", (X, M, M, M, U)),
    ("The doped glass does not have 0.48 S/m.", (X, M, M, M, U)),
    ("The doped glass follows the pure glass. The former has 0.48 S/m, the latter 0.12 S/m.", (C, C, M, M, U)),
    ("The doped glass follows the pure glass. The latter has 0.48 S/m, the former 0.12 S/m.", (X, X, M, M, U)),
    ("In the doped glass the conductivity gains nothing.", (M, M, X, M, U)),
    ("We studied the pure glass. It has 0.48 S/m.", (X, M, M, M, U)),
    ("The doped glass stands against the pure glass, which has 0.48 S/m.", (X, M, M, M, U)),
    ("- doped glass: 480 mS/m\n- pure glass: 120 mS/m\n", (C, C, M, M, U)),
    ("1. pure glass: 480 mS/m\n2. doped glass: 120 mS/m\n", (X, X, M, M, U)),
    ("", (M, M, M, M, U)),
]
ROUTED = Claims.model_validate(
    {
        "entities": {"routed": ["routed model"], "dense": ["dense model"]},
        "claims": [
            {"text": "The routed model is 20 ms above the dense one.", "subject": ["routed"], "object": ["dense"],
             "relation": ["up"], "value": 20.0, "unit": "ms"},
            {"text": "The ratio of the routed model is 0.86.", "subject": ["routed"], "value": 0.86},
            {"text": "The gap closes.", "subject": ["routed", "dense"], "relation": ["closer"]},
        ],
    }
)  # fmt: skip
SAID_OF_ROUTED = [
    ("The dense model is exceeded by the routed model by 20 ms.", (C, M, U)),
    ("The routed model is exceeded by the dense model by 20 ms.", (X, M, U)),
    ("The routed model against the dense model: +0.020 s.", (C, M, U)),
    ("The routed model reaches 86 % (+4 %) of it.", (M, C, U)),
    ("Between the routed model and the dense model the gap becomes smaller.", (M, M, C)),
    ("Between the routed model and the dense model the gap becomes larger.", (M, M, X)),
]


def checked(answer: str, claims: Claims = CLAIMS) -> Checked:
    numbers = [one.value for one in claims.claims if one.value is not None]
    return check_answer(answer, claims, Support([], numbers, TABLE, list))


def test_claims_get_the_states_that_hand_and_eye_give_them() -> None:
    wrong = [
        f"{answer}: {states}, not {expected}"
        for answer, expected in ANSWERS
        if (states := tuple(one.state for one in checked(answer).verdicts)) != expected
    ]
    assert not wrong, "\n".join(wrong)


def test_passives_converted_units_shares_and_gaps_are_read() -> None:
    for answer, expected in SAID_OF_ROUTED:
        states = tuple(one.state for one in checked(answer, ROUTED).verdicts)
        assert states == expected, answer


def test_nothing_is_scored_where_most_is_not_understood() -> None:
    """Undecided claims that rules look for outnumber the decided one."""
    answer = "Conductivity and density of the pure glass and of the doped glass deserve attention."
    claims = CLAIMS.model_copy(update={"claims": CLAIMS.claims[1:4]})
    assert checked(answer, claims).score is None


def test_a_contradicted_claim_names_the_sentence_and_why() -> None:
    verdict = checked("All is well. The pure glass has 0.48 S/m.").verdicts[0]
    assert (verdict.said, verdict.reason) == ("The pure glass has 0.48 S/m.", "the answer says it of pure")


SLOTS = Claims.model_validate(
    {
        "entities": {"a": ["gel A"], "b": ["gel B"], "c": ["gel C"]},
        "attributes": {"count": ["count"]},
        "claims": [
            {"text": "Under A the count falls by more than two decades.", "subject": ["a"], "value": 2,
             "unit": "decade", "relation": ["down"]},
            {"text": "A has the lowest count.", "subject": ["a"], "of": "count", "relation": ["lowest"]},
            {"text": "A and B cross between 80 and 160 K.", "value": 160, "unit": "K"},
            {"text": "C is flat from 80 K on.", "subject": ["c"], "value": 80, "unit": "K"},
        ],
    }
)  # fmt: skip
PLACES = [
    # answer, states of the four claims: another number in the place of a value, another limit, another owner
    ("Under gel A the count falls by more than two decades.", (C, U, M, M)),
    ("Under gel A the count falls by less than two decades.", (X, U, M, M)),
    ("Under gel A the count falls by half a decade.", (X, U, M, M)),
    ("Under gel A the count is lowest.", (M, C, M, M)),
    ("Under gel B the count is lowest.", (M, X, M, M)),
    ("Gel A and gel B cross between 80 and 160 K.", (M, M, C, M)),
]


def test_another_number_limit_or_owner_contradicts() -> None:
    wrong = [
        f"{answer}: {states}, not {expected}"
        for answer, expected in PLACES
        if (states := tuple(one.state for one in checked(answer, SLOTS).verdicts)) != expected
    ]
    assert not wrong, "\n".join(wrong)


def test_a_number_of_another_row_of_the_table_is_wrong() -> None:
    tables = {"t.csv": "Gel,Share (%)\nGel A,12\nGel B,15\n"}
    rows = Rows(tables, SLOTS)
    support = Support([], [], tables, list)
    right = check_answer("The share was 12 % (gel A) and 15 % (gel B).", SLOTS, support, rows)
    swapped = check_answer("The share was 12 % (gel B) and 15 % (gel A).", SLOTS, support, rows)
    assert not right.strangers
    assert [one.reason for one in swapped.strangers] == [
        "the answer says it of b, the table of a",
        "the answer says it of a, the table of b",
    ]


COMPARISONS = Claims.model_validate(
    {
        "entities": {"a": ["alloy A"], "b": ["alloy B"], "c": ["alloy C"]},
        "claims": [
            {"text": "A is 3 GPa above B.", "subject": ["a"], "object": ["b"], "value": 3, "unit": "GPa",
             "relation": ["up"]},
        ],
    }
)  # fmt: skip
SAID_OF_A_DIFFERENCE = [
    ("Alloy A is 3 GPa above alloy B.", C),
    ("Alloy A is harder and exceeds alloy B by 3 GPa.", C),
    ("Alloy B is 3 GPa below alloy A.", C),
    ("Alloy A is 3 GPa below alloy B.", X),
    ("Alloy B is 3 GPa above alloy A.", X),
    ("Alloy C is 3 GPa above alloy B.", X),
    ("Alloy A is 3 GPa above alloy C.", X),
    ("Alloy A loses 3 GPa against alloy B.", X),
    ("Alloy A is 7 GPa above alloy B.", X),
    ("Alloy A is above alloy B.", M),
    ("Alloy A and alloy B: 3 GPa.", U),
]


NAMED = Claims.model_validate(
    {
        "entities": {"a": ["alloy A"], "b": ["alloy B"], "c": ["alloy C"]},
        "claims": [
            {"text": "A has 30 GPa.", "subject": ["a"], "value": 30, "unit": "GPa"},
            {"text": "B has 20 GPa.", "subject": ["b"], "value": 20, "unit": "GPa"},
            {"text": "A rises.", "subject": ["a"], "relation": ["up"]},
            {"text": "B falls by 7 GPa.", "subject": ["b"], "value": 7, "unit": "GPa", "relation": ["down"]},
        ],
    }
)  # fmt: skip
SAID_OF_NAMES = [
    # names in a list, each with its numbers before or behind it
    ("On alloy A it is 30 GPa, on alloy B (since 2012) 20 GPa.", (C, C, U, M)),
    ("It is 30 GPa in alloy A and 20 GPa in alloy B.", (C, C, U, M)),
    ("It is slightly below the 30 GPa of alloy A, and alloy B has 20 GPa.", (C, C, U, M)),
    # a number that words without a name label
    ("Alloy A: 30 GPa, and 20 GPa with that of the other.", (C, U, U, M)),
    # what somebody does is no contradiction of what comes of it
    ("On lowering the tin content alloy A rises.", (M, M, C, M)),
    ("Alloy A climbs, and alloy B falls by 7 GPa.", (M, M, C, C)),
    ("Alloy A falls.", (M, M, X, M)),
    # names that have changed places throughout
    ("Alloy B has 30 GPa and rises. Alloy A has 20 GPa. It falls by 7 GPa.", (X, X, X, X)),
]


def test_numbers_and_directions_belong_to_names() -> None:
    wrong = [
        f"{answer}: {states}, not {expected}"
        for answer, expected in SAID_OF_NAMES
        if (states := tuple(one.state for one in checked(answer, NAMED).verdicts)) != expected
    ]
    assert not wrong, "\n".join(wrong)


def test_a_difference_has_a_direction_and_two_sides() -> None:
    wrong = [
        f"{answer}: {state}, not {expected}"
        for answer, expected in SAID_OF_A_DIFFERENCE
        if (state := checked(answer, COMPARISONS).verdicts[0].state) != expected
    ]
    assert not wrong, "\n".join(wrong)


BOTH = "The doped glass has 0.48 S/m, the pure glass 0.12 S/m."
SCORES = [
    # answer, (findings + numbers, three times the share of findings after the first − wrong) / decided claims
    ("The doped glass has 0.48 S/m, the pure glass 0.12 S/m. In the doped glass the conductivity rises.", 1 / 4),
    (f"{BOTH} Its density hardly changes. In the doped glass the conductivity rises.", 4 / 4),
    ("The doped glass has 0.48 S/m, the pure glass 0.12 S/m.", 0.0),
    ("In the doped glass the conductivity rises.", 1 / 4),
    ("In the doped glass the conductivity rises, to 0.48 S/m. The density of the pure glass hardly changes.", 3 / 4),
    # a quarter of what it says of the claims is wrong, or more
    ("In the doped glass the conductivity rises. The pure glass has 0.48 S/m.", 0.0),
    (f"{BOTH} Its density hardly changes. In the doped glass the conductivity falls.", 0.0),
    ("In the doped glass the conductivity rises. A furnace of 77.7 kW was used.", 0.0),
    ("", 0.0),
]


def test_the_headline_is_what_was_carried_less_what_is_wrong() -> None:
    wrong = [f"{a}: {checked(a).score}, not {e}" for a, e in SCORES if abs((checked(a).score or 0.0) - e) > 1e-9]
    assert not wrong, "\n".join(wrong)


CONCEPTS: list[tuple[str, list[str]]] = [
    ("it rises", ["up"]),
    ("it does not rise", ["no_up"]),
    ("it is not only higher", ["up"]),
    ("it never stops falling", ["down"]),
    ("more than two", []),
    ("it hardly changes", ["same"]),
    ("it rises more slowly", ["up", "slow"]),
    ("neither the size (2 nm, of three) nor the mass varies", ["no_differ"]),
    ("it is unlikely that the choice of routes with high fares explains it", ["no_explain"]),
    ("it ceases to be significant", ["no_significant"]),
    ("it has the same order", []),
    ("it stays the same", ["same"]),
    ("it would increase", []),
    ("it loses its significance", ["down", "no_significant"]),
    ("which rules out the boundaries as the cause", ["exclude", "no_explain"]),
    ("no further gain", ["no_up"]),
    ("the interval excludes 1", ["exclude"]),
    ("the interval does not include 1", ["exclude"]),
]


def test_words_of_comparison_and_their_negation() -> None:
    wrong = [f"{t}: {f}, not {e}" for t, e in CONCEPTS if (f := [one.name for one in said_in(t)]) != e]
    assert not wrong, "\n".join(wrong)


HEAT = Claims.model_validate(
    {
        "entities": {"milled": ["milled sample", "milling"]},
        "claims": [
            {"text": "Milling takes off 39 % at 300 K.", "subject": ["milled"], "value": 39, "unit": "%",
             "condition": "300 K"},
            {"text": "Milling takes off 28 % at 700 K.", "subject": ["milled"], "value": 28, "unit": "%",
             "condition": "700 K"},
        ],
    }
)  # fmt: skip
AT_CONDITIONS = [
    ("Milling takes off 39 % at 300 K but only 28 % at 700 K.", (C, C)),
    ("Milling takes off 39 % at 700 K but only 28 % at 300 K.", (X, X)),
    ("At 300 K milling takes off 39 %, and at 700 K 28 %.", (C, C)),
    ("At 700 K milling takes off 39 %, and at 300 K 28 %.", (X, X)),
    ("Between 300 and 700 K the effect of milling falls from 39 % to 28 %.", (C, C)),
    ("Milling takes off 39 %.", (C, M)),
]


def test_a_value_holds_at_its_condition_alone() -> None:
    wrong = [
        f"{answer}: {states}, not {expected}"
        for answer, expected in AT_CONDITIONS
        if (states := tuple(one.state for one in checked(answer, HEAT).verdicts)) != expected
    ]
    assert not wrong, "\n".join(wrong)


ALLOYS = Claims.model_validate(
    {
        "entities": {"a": ["A1"], "b": ["B2"]},
        "attributes": {"al": ["aluminium"], "ti": ["titanium"]},
        "claims": [
            {"text": "A1 lacks 0.27 points of aluminium.", "subject": ["a"], "value": 0.27, "unit": "point"},
            {"text": "B2 lacks 0.19 points of titanium.", "subject": ["b"], "value": 0.19, "unit": "point"},
            {"text": "The path of A1 is 11 m.", "subject": ["a"], "value": 11, "unit": "m"},
            {"text": "A1 has 523 MPa.", "subject": ["a"], "value": 523, "unit": "MPa"},
        ],
    }
)  # fmt: skip
ALLOYS_TEXT = "The hardness of A1 goes from 181 to 254 HV. The strength of A1 is 523 MPa at 293 K."
SLIPS = [
    # answer, what rules find wrong in it
    ("The aluminium of A1 falls short by 0.27 points; B2 lacks 0.19 points of its titanium.", 0),
    ("The titanium of A1 falls short by 0.27 points; B2 lacks 0.19 points of its titanium.", 1),
    ("The path of A1 measures 11 m.", 0),
    ("The path of A1 measures 1100 cm.", 0),
    ("The path of A1 measures 11 mm.", 1),
    ("The hardness of A1 climbs from 181 to 254 HV.", 0),
    ("The hardness of A1 climbs from 181 to 245 HV.", 1),
    ("The hardness of A1 falls from 254 to 181 HV.", 1),
    ("The hardness of A1 climbs from 181 to 205 HV and on to 254 HV.", 0),
    ("At 293 K the strength of A1 is 523 MPa.", 0),
    ("At 77 K the strength of A1 is 523 MPa.", 1),
]


def test_a_value_in_another_unit_of_another_attribute_range_or_condition_is_wrong() -> None:
    numbers = [one.value for one in ALLOYS.claims if one.value is not None] + [181, 205, 245, 254, 293, 77]
    for answer, expected in SLIPS:
        support = Support([], numbers, {}, list, quantities=[(11.0, "m"), *((one, "") for one in numbers)])
        found = check_answer(answer, ALLOYS, support, gold_text=ALLOYS_TEXT)
        assert found.count("contradicted") + len(found.strangers) == expected, answer


def test_one_wrong_statement_leaves_an_analysis_to_a_judge() -> None:
    right = (
        "A1 lacks 0.27 points of aluminium. B2 lacks 0.19 points of titanium. The path of A1 is 11 m. A1 has 523 MPa."
    )
    numbers = [one.value for one in ALLOYS.claims if one.value is not None]
    support = Support([], numbers, {}, list)
    slip = check_answer(f"{right} A1 has 12 kg.", ALLOYS, support)
    assert check_answer(right, ALLOYS, support).credited == 1.0
    assert (slip.credited, slip.count("carried"), len(slip.strangers)) == (None, 4, 1)
    assert check_answer("Nothing is said.", ALLOYS, support).credited == 0.0
