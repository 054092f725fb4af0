"""Reports: what finished trials add up to, as a console table, an HTML page, a CSV file and JSON."""

from pincite_harness.reports.write import Selection, write_reports

__all__ = ["Selection", "write_reports"]
