"""Dates and numbers of a study, which are actual or estimated."""

from pincite_databases.fields import Record, record, text


def dated(module: Record, name: str) -> str:
    """A date with its type: "2021-10-18 (ACTUAL)"; a date without a type, as of old studies, stands alone."""
    return _typed(record(module, name), "date")


def enrolled(design: Record) -> str:
    """How many participants, actual or estimated: "344 (ACTUAL)"."""
    return _typed(record(design, "enrollmentInfo"), "count")


def _typed(given: Record, name: str) -> str:
    value, kind = text(given, name), text(given, "type")
    return f"{value} ({kind})" if value and kind else value
