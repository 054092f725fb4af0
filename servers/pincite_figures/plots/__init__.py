"""Plots: the axes and the data series of a figure that is drawn with lines, as numbers."""
