"""Preprints, deposited copies and versions, told by their DOIs; venues, by their names."""

import pytest

from pincite_literature.model import Identifiers, Work
from pincite_literature.venues import is_repository, same_venue
from pincite_literature.versions import is_copy_doi, is_preprint, is_preprint_doi, stem


@pytest.mark.parametrize(
    "doi",
    [
        "10.48550/arxiv.1901.00001", "10.1101/2019.01.01.123456", "10.1101/123456", "10.64898/2025.12.01.123456",
        "10.26434/chemrxiv-2021-abc12", "10.21203/rs.3.rs-12345/v1", "10.2139/ssrn.1234567",
        "10.20944/preprints202001.0001.v1", "10.31219/osf.io/abcde", "10.36227/techrxiv.123.v1",
        "10.5194/acpd-12-1-2012", "10.5194/egusphere-2023-1",
    ],
)  # fmt: skip
def test_dois_of_preprints(doi: str) -> None:
    assert is_preprint_doi(doi)
    assert is_copy_doi(doi)


@pytest.mark.parametrize(
    "doi", ["10.1101/gr.123456.111", "10.1103/physrevb.1", "10.1002/anie.202001234", "10.5194/acp-12-1-2012"]
)
def test_dois_of_publications(doi: str) -> None:
    assert not is_preprint_doi(doi)
    assert not is_copy_doi(doi)


def test_a_deposit_is_a_copy_but_no_preprint() -> None:
    assert is_copy_doi("10.5281/zenodo.1234567")
    assert not is_preprint_doi("10.5281/zenodo.1234567")


@pytest.mark.parametrize(
    ("doi", "expected"),
    [
        ("10.26434/chemrxiv-2021-abc12-v3", "10.26434/chemrxiv-2021-abc12"),
        ("10.21203/rs.3.rs-12345/v2", "10.21203/rs.3.rs-12345"),
        ("10.20944/preprints202001.0001.v2", "10.20944/preprints202001.0001"),
        ("10.7287/peerj.preprints.123v1", "10.7287/peerj.preprints.123"),
        ("10.12688/f1000research.12345.2", "10.12688/f1000research.12345"),
        ("10.7554/elife.86873.3", "10.7554/elife.86873"),
        ("10.1002/ange.202001234", "10.1002/anie.202001234"),
        ("10.1103/physrevb.1.2", "10.1103/physrevb.1.2"),
    ],
)
def test_stems(doi: str, expected: str) -> None:
    assert stem(doi) == expected
    assert stem(expected) == expected


@pytest.mark.parametrize(
    ("work", "expected"),
    [
        (Work("t", Identifiers(arxiv="1901.00001")), True),
        (Work("t", Identifiers(arxiv="1901.00001", doi="10.1103/a")), False),
        (Work("t", Identifiers(arxiv="1901.00001", doi="10.1103/a"), sources=("arxiv",)), True),
        (Work("t", Identifiers(doi="10.1101/2019.01.01.123456")), True),
        (Work("t", Identifiers(), kind="preprint"), True),
        (Work("t", Identifiers(arxiv="1901.00001"), volume="3"), False),
        (Work("t", Identifiers()), False),
    ],
)
def test_records_of_preprints(work: Work, expected: bool) -> None:
    assert is_preprint(work) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Physical Review B", "Phys. Rev. B", True),
        ("Physical Review B", "PRB", True),
        ("Physical Review B", "Physical Review Letters", False),
        ("Proceedings of the National Academy of Sciences", "Proc. Natl. Acad. Sci. U.S.A.", True),
        ("The Journal of Biological Chemistry", "J Biol Chem", True),
        ("Angewandte Chemie International Edition", "Angew. Chem. Int. Ed.", True),
        ("PLoS ONE", "PLOS One", True),
        ("Nature", "Science", False),
        ("Nature", "", None),
        ("arXiv (Cornell University)", "Nature", None),
        ("bioRxiv", "Cell", None),
    ],
)
def test_venues(one: str, other: str, expected: bool | None) -> None:
    assert same_venue(one, other) is expected
    assert same_venue(other, one) is expected


def test_repositories() -> None:
    assert is_repository("Zenodo (CERN European Organization for Nuclear Research)")
    assert not is_repository("Annals of Mathematics")
