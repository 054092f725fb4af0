"""Reports: what finished trials add up to, as a console table, an HTML page, a CSV file and JSON."""

from pincite_harness.reports.write import write_reports

__all__ = ["write_reports"]
