import gc

import pytest

from pincite_core.errors import UnknownFormatError
from pincite_papers.pdf.parse import parse_pdf


def test_the_collector_runs_again_after_a_file_that_is_no_paper() -> None:
    assert gc.isenabled()
    with pytest.raises(UnknownFormatError):
        parse_pdf(b"no PDF", max_pages=1)
    assert gc.isenabled()
