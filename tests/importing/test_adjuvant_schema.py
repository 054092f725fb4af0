"""The bundled schema with the published adjuvant fields that our sources name, and its three conditions."""

from pincite_harness.curation.importing.filling import bundled_schema
from pincite_scoring.record_filling.dependencies import violations
from pincite_scoring.record_filling.objects import Problem, read_objects
from pincite_scoring.record_filling.schema import read_schema

FIELDS = ("sub_type", "target", "target_cell", "combination_mode")
ALLOWED = {
    "particle": {"sub_type"},
    "molecular": {"sub_type", "target", "target_cell"},
    "composite": {"combination_mode"},
    "emulsion": set[str](),
    "inorganic_salt": set[str](),
    "other": set[str](),
}


def test_ten_fields_of_which_some_depend_on_the_category() -> None:
    schema = read_schema(bundled_schema("adjuvant_ie"))
    assert len(schema.fields) == 10
    for category, allowed in ALLOWED.items():
        for field in FIELDS:
            one = {"adjuvant_name": "A", "category": category, field: "x"}
            read = read_objects({"objects": [one]}, schema)
            assert not isinstance(read, Problem)
            assert bool(list(violations(read[0], schema))) == (field not in allowed), (category, field)
