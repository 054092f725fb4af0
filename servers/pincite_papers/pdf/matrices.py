"""Matrices of page objects: (a, b, c, d, e, f) as in a PDF's ``cm``, from an object's space to the one around it."""

import ctypes

from pincite_papers.pdf import pdfium as raw

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def matrix_of(item: int) -> Matrix:
    """The matrix of a page object, by its handle."""
    values = (ctypes.c_float * 6)()
    raw.object_matrix(item, ctypes.addressof(values))
    a, b, c, d, e, f = values
    return a, b, c, d, e, f


def times(inner: Matrix, outer: Matrix) -> Matrix:
    """First ``inner``, then ``outer``."""
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u
