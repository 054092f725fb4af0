"""inspect_figure: a vision model looks at a figure in rounds and zooms until it can answer."""
