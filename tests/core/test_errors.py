import pickle
import re

import pytest

from pincite_core import errors
from pincite_core.errors import BadInputError, MissingExtraError, PinciteError


def _tree(kind: type[PinciteError]) -> list[type[PinciteError]]:
    return [kind, *(inner for child in kind.__subclasses__() for inner in _tree(child))]


def _defined() -> list[type[PinciteError]]:
    return [kind for kind in _tree(PinciteError) if kind.__module__ == errors.__name__]


def test_the_module_opens_with_its_true_tree() -> None:
    lines = (errors.__doc__ or "").splitlines()
    drawn = [match for line in lines if (match := re.match(r"^([│├└─ ]*)(\w+Error)\b", line))]
    assert [match[2] for match in drawn] == [kind.__name__ for kind in _defined()]
    depth = {kind.__name__: len(kind.__mro__) - len(PinciteError.__mro__) for kind in _defined()}
    assert {match[2]: len(match[1]) // 4 for match in drawn} == depth


def test_the_words_come_in_order() -> None:
    error = PinciteError("It failed.", seen="smoke", next="Open a window.")
    assert str(error) == "It failed.\nSeen: smoke\nNext: Open a window."
    assert str(PinciteError("It failed.")) == "It failed."


@pytest.mark.parametrize("kind", _defined(), ids=lambda kind: kind.__name__)
def test_errors_survive_pickling(kind: type[PinciteError]) -> None:
    copy = pickle.loads(pickle.dumps(kind("w", seen="s", next="n")))
    assert type(copy) is kind
    assert (copy.what, copy.seen, copy.next, copy.args) == ("w", "s", "n", ("w",))


def test_codes_are_distinct_and_stable() -> None:
    codes = [kind("w").code for kind in _defined()]
    assert len(set(codes)) == len(codes)
    assert errors.UnknownFormatError("w").code == "unknown_format"
    assert errors.LimitReachedError("w").code == "limit_reached"
    assert errors.EncryptedError("w").code == "encrypted"


def test_a_missing_extra_answers_with_the_install_line() -> None:
    error = MissingExtraError.of("materials", needed_for="Comparing formulas")
    assert "Comparing formulas" in error.what
    assert error.next == "pip install 'pincite[materials]'"


def test_an_error_on_one_line() -> None:
    error = BadInputError("The page is missing.", seen="12 pages", next="Name another.")
    assert (error.short(), error.bracketed()) == ("The page is missing. 12 pages", "The page is missing. (12 pages)")
    bare = BadInputError("The page is missing.")
    assert bare.short() == bare.bracketed() == "The page is missing."
