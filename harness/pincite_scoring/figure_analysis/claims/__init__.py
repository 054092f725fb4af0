"""Claims: what a reference analysis says about its tables and figures, checked one by one in an answer.

A claim is a number with its unit and what it belongs to (``value``), or a comparison or direction (``relation``), or a
sentence that only a judge can look for. Each becomes *carried*, *contradicted*, *missing*, or *undecided* where rules
cannot tell; a judge settles what is undecided.
"""
