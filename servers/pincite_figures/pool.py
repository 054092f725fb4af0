"""The pool of figure workers."""

from pincite_papers.opening.pool import ProcessPool


class FigurePool(ProcessPool):
    """Processes that run the jobs of figures (see ``worker``)."""

    program = "pincite_figures.worker"
    most_jobs = 1000
    too_slow = "Drawing or measuring this took longer than is allowed."
    crashed = "PDFium crashed on this page; the file is damaged or made to do harm."
    seconds_setting = "PINCITE_FIGURE_SECONDS"
