"""The pool of processes that mark PDFs up."""

from pincite_papers.opening.pool import ProcessPool


class MarkingPool(ProcessPool):
    """Processes that add highlights (see ``worker``)."""

    program = "pincite_provenance.export.worker"
    too_slow = "Marking this file up took longer than is allowed."
    crashed = "PDFium crashed on this file; it is damaged or made to do harm."
