"""Identifiers in the spellings in which people and sources write them."""

import pytest

from pincite_literature import identifiers
from pincite_literature.identifiers import identify
from pincite_literature.model import Identifiers

SICI = "10.1002/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o"
PAPER = "649def34f8be52c8b66281af98ae884c09aef38b"

DOIS = [
    ("10.1038/nature14539", "10.1038/nature14539"),
    ("  doi:10.1038/NATURE14539. ", "10.1038/nature14539"),
    ("DOI 10.1103/PhysRevB.1", "10.1103/physrevb.1"),
    ("doi: 10.1103/PhysRevB.1,", "10.1103/physrevb.1"),
    ("info:doi/10.1038/x1", "10.1038/x1"),
    ("https://doi.org/10.1038/nature14539)", "10.1038/nature14539"),
    ("http://dx.doi.org/10.1038/nature14539/", "10.1038/nature14539"),
    ("https://dx.doi.org/doi:10.1038/x1", "10.1038/x1"),
    ("doi:https://doi.org/10.1038/x1", "10.1038/x1"),
    ("www.doi.org/10.1038/x1", "10.1038/x1"),
    ("https://doi-org.proxy.example.edu/10.1038/x1", "10.1038/x1"),
    ("<https://doi.org/10.1038/x1>", "10.1038/x1"),
    ("“10.1038/x1”", "10.1038/x1"),
    ("10.1038/na\u200bture14539", "10.1038/nature14539"),
    ("10.1007/978‐3‐030‐1", "10.1007/978-3-030-1"),
    ("10.1103%2FPhysRevB.1", "10.1103/physrevb.1"),
    ("(doi: 10.1016/0370-2693(79)90842-6).", "10.1016/0370-2693(79)90842-6"),
    ("10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O", SICI),
    ("https://doi.org/10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-O", SICI),
    ("10.1002/(sici)1097-4571(199806)49:8&lt;693::aid-asi4&gt;3.0.co;2-o", SICI),
    ("10.1000.10/123", "10.1000.10/123"),
    ("10.48550/arXiv.2301.00001v2", "10.48550/arxiv.2301.00001"),
    ("https://www.biorxiv.org/content/10.1101/2020.01.01.123456v1.full.pdf", "10.1101/2020.01.01.123456"),
    ("https://iopscience.iop.org/article/10.1088/1367-2630/ab1234/meta", "10.1088/1367-2630/ab1234"),
    ("https://journals.aps.org/prb/abstract/10.1103/PhysRevB.1", "10.1103/physrevb.1"),
    ("https://pubs.acs.org/doi/abs/10.1021/ja00001a001?src=recsys#top", "10.1021/ja00001a001"),
    ("https://link.springer.com/content/pdf/10.1007/s00339-020-1.pdf", "10.1007/s00339-020-1"),
    ("https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0123456", "10.1371/journal.pone.0123456"),
    ("https://www.nature.com/articles/s41586-020-1234-5.pdf", "10.1038/s41586-020-1234-5"),
]


@pytest.mark.parametrize(("text", "expected"), DOIS)
def test_dois(text: str, expected: str) -> None:
    assert identifiers.doi(text) == expected
    found = identify(text)
    assert found is not None
    assert found.doi == expected


@pytest.mark.parametrize(
    "text",
    ["", "10.1/x", "10.1234/", "10.1038 nature", "doi:", "11.1038/x1", "10.1038/a\x00b", "10.1038/a b", "http://[",
     "10.1038/x" * 200, "https://doi.org/", "10.1038/%ff"],
)  # fmt: skip
def test_no_dois(text: str) -> None:
    assert identifiers.doi(text) is None


ARXIVS = [
    ("2301.00001", "2301.00001"),
    ("2301.00001v12", "2301.00001"),
    ("0704.0001", "0704.0001"),
    ("1412.9999", "1412.9999"),
    ("1501.00001", "1501.00001"),
    ("arXiv:2301.00001v2 [cs.CL] 5 Jan 2023", "2301.00001"),
    ("arXiv: 2301.00001.", "2301.00001"),
    ("ARXIV:2301.00001", "2301.00001"),
    ("oai:arXiv.org:2301.00001", "2301.00001"),
    ("cond-mat/9901001v2", "cond-mat/9901001"),
    ("Cond-Mat/9901001", "cond-mat/9901001"),
    ("math.GT/0309136", "math/0309136"),
    ("cond-mat.supr-con/0101001", "cond-mat/0101001"),
    ("https://arxiv.org/abs/cond-mat/9901001", "cond-mat/9901001"),
    ("http://export.arxiv.org/abs/2301.00001v1", "2301.00001"),
    ("https://arxiv.org/pdf/2301.00001v3.pdf", "2301.00001"),
    ("arxiv.org/pdf/2301.00001", "2301.00001"),
    ("https://arxiv.org/html/2301.00001v1", "2301.00001"),
    ("https://ar5iv.labs.arxiv.org/html/2301.00001", "2301.00001"),
    ("https://arxiv.org/abs/2301.00001?context=cs", "2301.00001"),
    ("https://huggingface.co/papers/2301.00001", "2301.00001"),
]


@pytest.mark.parametrize(("text", "expected"), ARXIVS)
def test_arxiv_ids(text: str, expected: str) -> None:
    assert identifiers.arxiv(text) == expected
    assert identify(text) == Identifiers(arxiv=expected)


@pytest.mark.parametrize("text", ["https://doi.org/10.48550/arXiv.2301.00001", "10.48550/ARXIV.2301.00001v3"])
def test_arxiv_dois_imply_the_arxiv_id(text: str) -> None:
    assert identifiers.arxiv(text) == "2301.00001"
    assert identify(text) == Identifiers(doi="10.48550/arxiv.2301.00001", arxiv="2301.00001")


@pytest.mark.parametrize(
    "text",
    ["2001.1234", "0704.00001", "1501.0001", "1234.5678", "0703.0001", "2300.00001", "9901.00001", "hep-th/9913001",
     "and/or", "TiO2/1234567", "cond-mat/99010011", "https://example.org/abs/2301.00001", "12345.67890"],
)  # fmt: skip
def test_no_arxiv_ids(text: str) -> None:
    assert identifiers.arxiv(text) is None
    assert identify(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PMID: 26017442", "26017442"),
        ("pmid:0026017442", "26017442"),
        ("PMID7", "7"),
        ("MED/123", "123"),
        ("26017442", "26017442"),
        ("12345", "12345"),
        ("https://pubmed.ncbi.nlm.nih.gov/26017442/?format=abstract", "26017442"),
        ("https://www.ncbi.nlm.nih.gov/pubmed/26017442", "26017442"),
        ("https://europepmc.org/article/MED/123", "123"),
        ("https://europepmc.org/abstract/med/123", "123"),
    ],
)
def test_pmids(text: str, expected: str) -> None:
    assert identifiers.pmid(text) == expected
    assert identify(text) == Identifiers(pmid=expected)


@pytest.mark.parametrize("text", ["1984", "2001", "0012345", "123456789", "٢٦٠١٧٤٤٢"])
def test_digits_that_read_as_a_title(text: str) -> None:
    assert identify(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PMC5815332", "PMC5815332"),
        ("pmc5815332", "PMC5815332"),
        ("PMCID: PMC5815332.1", "PMC5815332"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/5815332", "PMC5815332"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC5815332/", "PMC5815332"),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC5815332/pdf/main.pdf", "PMC5815332"),
        ("https://europepmc.org/articles/PMC5815332?pdf=render", "PMC5815332"),
        ("europepmc.org/article/PMC/PMC5815332", "PMC5815332"),
    ],
)
def test_pmcids(text: str, expected: str) -> None:
    assert identifiers.pmcid(text) == expected
    assert identify(text) == Identifiers(pmcid=expected)


def test_sources_give_pmids_and_pmcids_as_digits() -> None:
    assert identifiers.pmcid("5815332") == "PMC5815332"
    assert identifiers.pmid("7") == "7"
    assert identifiers.pmid("0") is None
    assert identifiers.pmid("PMC7") is None


@pytest.mark.parametrize(
    "text",
    [
        PAPER,
        PAPER.upper(),
        f"S2:{PAPER}",
        f"https://www.semanticscholar.org/paper/Some-Title-Here/{PAPER}",
        f"https://www.semanticscholar.org/paper/{PAPER}",
        f"https://api.semanticscholar.org/graph/v1/paper/{PAPER}?fields=title",
    ],
)
def test_semantic_scholar(text: str) -> None:
    assert identifiers.s2(text) == PAPER
    assert identify(text) == Identifiers(s2=PAPER)


@pytest.mark.parametrize(
    "text",
    ["W2741809807", "w2741809807", "https://openalex.org/W2741809807", "openalex:W2741809807",
     "https://api.openalex.org/works/W2741809807?select=id"],
)  # fmt: skip
def test_openalex(text: str) -> None:
    assert identifiers.openalex(text) == "W2741809807"
    assert identify(text) == Identifiers(openalex="W2741809807")


@pytest.mark.parametrize(
    "text",
    [
        "Attention is all you need",
        "3D printing of La2CuO4: 10 years later",
        "W",
        "W 12",
        "W18",
        "PMC",
        "https://example.org/paper",
        "2020",
        "Medicine 5",
        "",
        " . ",
    ],
)
def test_titles(text: str) -> None:
    assert identify(text) is None


@pytest.mark.parametrize("text", [")" * 999, "doi:" * 200, "paper/" * 160, "https://" * 120, "a-" * 499, "((((" * 249])
def test_hostile_texts_are_no_identifiers(text: str) -> None:
    assert identify(text) is None
