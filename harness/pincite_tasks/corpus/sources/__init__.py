"""The APIs of literature sources, each as ``answer(corpus, asked) -> Reply`` over the works that the source would have.

They speak as the real ones do where ``pincite_literature`` listens: fields, filters, operators, paging, errors.
"""
