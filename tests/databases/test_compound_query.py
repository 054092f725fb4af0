"""What a query for a compound is taken for."""

import pytest

from pincite_databases.pubchem.query import cas_is_right, formula_atoms, hill, looks_like_smiles, read_query


@pytest.mark.parametrize(
    ("query", "kind", "value"),
    [
        ("2244", "cid", "2244"),
        ("CID:0002244", "cid", "2244"),
        ("InChIKey=BSYNRYMUTXBXSQ-UHFFFAOYSA-N", "inchikey", "BSYNRYMUTXBXSQ-UHFFFAOYSA-N"),
        ("7732-18-5", "name", "7732-18-5"),
        ("C6H12O6", "formula", "C6H12O6"),
        ("CH3CH2OH", "formula", "C2H6O"),
        ("c1ccccc1", "smiles", "c1ccccc1"),
        ("C1CCCCC1", "smiles", "C1CCCCC1"),
        ("C/C=C/C", "smiles", "C/C=C/C"),
        ("[Na+].[Cl-]", "smiles", "[Na+].[Cl-]"),
        ("C%12CCCCC%12", "smiles", "C%12CCCCC%12"),
        ("CCO", "name", "CCO"),
        ("PCP", "name", "PCP"),
        ("CO2", "name", "CO2"),
        ("NaCl", "name", "NaCl"),
        ("SN38", "name", "SN38"),
        ("SB203580", "name", "SB203580"),
        ("B12", "name", "B12"),
        ("Co(NO3)2", "name", "Co(NO3)2"),
        ("Pb(NO3)2", "name", "Pb(NO3)2"),
        ("Ca(OH)2", "name", "Ca(OH)2"),
        ("aspirin", "name", "aspirin"),
        ("N,N-dimethylformamide", "name", "N,N-dimethylformamide"),
        ("2-acetyloxybenzoic acid", "name", "2-acetyloxybenzoic acid"),
        ("C", "name", "C"),
    ],
)
def test_a_query_is_taken_for_what_it_looks_like(query: str, kind: str, value: str) -> None:
    read = read_query(query, "auto")
    assert (read.kind, read.value) == (kind, value)


def test_a_named_kind_is_kept_whatever_it_looks_like() -> None:
    assert read_query("C6H12O6", "name").kind == "name"
    assert read_query("CCO", "smiles").value == "CCO"
    assert read_query("OH2", "formula").value == "H2O"
    assert read_query("bsynrymutxbxsq-uhfffaoysa-n", "inchikey").value == "BSYNRYMUTXBXSQ-UHFFFAOYSA-N"


@pytest.mark.parametrize("text", ["", "C", "C((", "C)(C", "C1CC", "CC ", "C1CC2", "C[N", "hello", "(((", "1=1"])
def test_what_is_no_smiles(text: str) -> None:
    assert not looks_like_smiles(text)


@pytest.mark.parametrize("text", ["H2O)", "C0", "Xx2", "C12345", "2H", "c6h6", "C-H"])
def test_what_is_no_formula(text: str) -> None:
    assert not formula_atoms(text)


def test_formulas_are_written_in_hills_order() -> None:
    assert hill(formula_atoms("NaOCCH3")) == "C2H3NaO"
    assert hill(formula_atoms("OH2")) == "H2O"
    assert hill(formula_atoms("KCl")) == "ClK"


def test_check_digits_of_cas_numbers() -> None:
    assert all(cas_is_right(number) for number in ("7732-18-5", "50-78-2", "58-08-2", "64-17-5"))
    assert not cas_is_right("58-08-3")
