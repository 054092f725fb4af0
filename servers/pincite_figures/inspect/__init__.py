"""inspect_figure: a model that sees looks at a figure in rounds, and zooms until it can answer."""
