"""What holds of the ledger for every content: it comes back as it was given, and no change of it passes."""

from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pincite_provenance.ledger.audit import audit
from pincite_provenance.ledger.ledger import Ledger
from pincite_provenance.ledger.row import NO_ROW, make_row, true_row

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
KEYS = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=8).filter(lambda key: key not in ("seq", "time"))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)
CONTENTS = st.dictionaries(KEYS, VALUES, max_size=5)


@given(st.lists(CONTENTS, min_size=1, max_size=4), st.one_of(st.none(), st.binary(min_size=1, max_size=16)))
@settings(max_examples=25)
def test_contents_come_back_as_they_were_given(
    tmp_path_factory: Any, contents: list[dict[str, Any]], key: bytes | None
) -> None:
    ledger = Ledger(tmp_path_factory.mktemp("ledger") / "claims.db", key=key)
    for content in contents:
        ledger.append(lambda _past, content=content: content)
    rows = [row.read() for row in ledger.rows()][1:]
    assert [{name: row[name] for name in row if name not in ("seq", "time")} for row in rows] == contents
    assert audit(ledger.path, key=key).intact


@given(CONTENTS, st.data())
def test_a_row_with_any_character_changed_is_not_the_row(content: dict[str, Any], data: st.DataObject) -> None:
    row = make_row(content | {"seq": 3}, NO_ROW, b"key")
    at = data.draw(st.integers(0, len(row.content) - 1))
    other = data.draw(st.characters(exclude_categories=["Cs"]).filter(lambda character: character != row.content[at]))
    changed = row.content[:at] + other + row.content[at + 1 :]
    forged = type(row)(row.seq, row.previous, row.hash, changed, row.seal)
    assert true_row(row, b"key") == row
    assert true_row(forged, b"key") != forged


@given(st.integers(1, 3), st.data())
@settings(max_examples=15)
def test_one_changed_character_in_the_file_is_found(
    tmp_path_factory: Any, raw: Any, place: int, data: st.DataObject
) -> None:
    path: Path = tmp_path_factory.mktemp("ledger") / "claims.db"
    ledger = Ledger(path)
    for number in range(3):
        ledger.append(lambda _past, number=number: {"kind": "claim", "text": f"Tc = {number} K"})
    row = list(ledger.rows())[place]
    at = data.draw(st.integers(0, len(row.content) - 1))
    changed = row.content[:at] + ("x" if row.content[at] != "x" else "y") + row.content[at + 1 :]
    with raw(path) as connection:
        connection.execute("UPDATE entries SET content = ? WHERE seq = ?", (changed, row.seq))
    assert {finding.seq for finding in audit(path).findings} >= {row.seq}
