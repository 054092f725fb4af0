"""Building: tasks of figure_analysis made of a folder of papers, in the four stages of AnaBench.

Source: Guo, Lu, Hope and Wang, arXiv:2602.10081; what it leaves open is our choice, stated where it is made.

1. collect (``collect``): papers that can be read, are in English, long enough, research or reviews, and no duplicates;
2. extract (``floats``, ``context``): labelled tables and figures, and what stands within ``depth`` steps of them in the
   graph of references between tables, figures, sections and paragraphs, searched breadth first in both directions;
3. construct (``instances``): the paragraphs that analyse the same tables and figures are one reference analysis;
   filters of length and validity; the agent is given a copy of the context without them (``excerpt``);
4. classify (``classify``): type, domain, format, source and width by rule, depth and objective by a model, which also
   tells what is not an analysis of its tables and figures (stated here).

Every paper's result is kept in the work folder as soon as it is there: a build that was interrupted goes on.
"""
