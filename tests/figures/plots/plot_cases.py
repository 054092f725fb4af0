"""All plots of the test set: drawn with matplotlib, gnuplot and pgfplots, in papers, and those that are none."""

import plot_matplotlib
import plot_others
from plot_truth import Case

CASES: list[Case] = [*plot_matplotlib.CASES, *plot_others.CASES]
