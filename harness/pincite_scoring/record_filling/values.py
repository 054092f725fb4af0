"""Values of fields: their comparable form, and whether two are one."""

from functools import lru_cache

from pincite_materials.comparing import Stated, compare_stated
from pincite_materials.identity import same_material
from pincite_scoring.property_extraction.assignment import assign
from pincite_scoring.record_filling.dosed import without_substance
from pincite_scoring.record_filling.forms import text_form
from pincite_scoring.record_filling.naming import NOTHING, Context, bare_number, same_name, share_of
from pincite_scoring.record_filling.schema import Field, Schema

LONGEST_PARSED = 1000
"""Characters of a number or formula; a longer one is only right to the letter."""


def form(field: Field, text: str) -> str:
    """The comparable form of a value: of the label or main word that it stands for, where the schema knows it."""
    own = text_form(text, field.sensitive)
    return field.lexicon.get(own, own)


def is_absent(schema: Schema, value: object) -> bool:
    """Whether a value says that its field is empty: null, white space, an empty list, or a placeholder."""
    if value is None:
        return True
    if isinstance(value, str):
        return not value.strip() or text_form(value) in schema.empty_forms
    return isinstance(value, list) and not value


def same_value(field: Field, answer: str, gold: str, context: Context = NOTHING) -> bool:
    """Whether two values of a field are one, by the rule of its kind (see the package)."""
    if form(field, answer) == form(field, gold):
        return True
    if len(answer) > LONGEST_PARSED:
        return False
    if field.kind == "number":
        ways = dict.fromkeys((answer, bare_number(answer, context.others), without_substance(answer, gold, context)))
        wanted = dict.fromkeys((gold, bare_number(gold, context.others)))
        return any(_same_number(mine, true, field.unit, field.tolerance) for mine in ways for true in wanted)
    if field.kind == "text":
        return same_name(answer, gold, context)
    return field.kind == "formula" and same_material(answer, gold)


@lru_cache(maxsize=65536)
def _same_number(answer: str, gold: str, unit: str, tolerance: float) -> bool:
    shares = {share_of(answer), share_of(gold)} - {""}
    if len(shares) > 1:  # 2 wt% is not 2 at.%
        return False
    stated = [Stated(text, unit if not Stated(text).quantity()[1] else "") for text in (answer, gold)]
    return compare_stated("number", *stated).within(tolerance)


def right_values(
    field: Field, answers: tuple[str, ...], golds: tuple[str, ...], context: Context = NOTHING
) -> list[tuple[int, int]]:
    """The most pairs (answer, gold) of values that are one, each used once."""
    if len(answers) == len(golds) == 1:
        return [(0, 0)] if same_value(field, answers[0], golds[0], context) else []
    if field.kind in ("text", "label"):
        places = {form(field, gold): j for j, gold in enumerate(golds)}
        forms = [form(field, answer) for answer in answers]
        found = [(i, places[text]) for i, text in enumerate(forms) if text in places]
        if len(found) == len(answers) or field.kind == "label":
            return found
    pairs = {(i, j): same_value(field, a, g, context) for i, a in enumerate(answers) for j, g in enumerate(golds)}
    equal = {pair: 1.0 for pair, same in pairs.items() if same}
    return assign(equal) if equal else []
