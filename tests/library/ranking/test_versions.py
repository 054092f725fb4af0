"""What was indexed and embedded by one version is found by that version only: changes need a new one."""

import hashlib

from pincite_library.model import Chunk, ChunkKind
from pincite_library.ranking.embedder import EMBEDDED_TEXT, embedded_text
from pincite_library.ranking.fields import chunk_terms
from pincite_library.ranking.terms import TERMS

TEXT = """In samples of YBa_2Cu_3O_{6.93} (T_c = 93K, 1.2 × 10^{-3} Ω cm, 16,419 of 3.000) TNF-α, IL-6 and NaV1.7 bind
p27^{Kip1−/−} cells^12 of Müller's super-
conducting AIDS patients, As-doped, at 5 µm or 3 Å; see 10.1016/S0140-6736(20)30183-5, arXiv:2101.00001v2, NP_001234.1
and Ba(Fe_{1-x}Co_x)_2As_2 or 超伝導体 in 10² of .93 cases."""
CHUNK = Chunk(0, ChunkKind.TEXT, "Results", 1, 0, len(TEXT), TEXT, context="A title of " + "words " * 30 + "\nResults")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def test_terms_change_with_their_version_only() -> None:
    assert (TERMS, _digest(chunk_terms(CHUNK))) == ("terms-2", "6b6b6ef4a1de")


def test_what_is_embedded_changes_with_its_version_only() -> None:
    assert (EMBEDDED_TEXT, _digest(embedded_text(CHUNK))) == ("context-2", "917c034bb4ef")
