"""One page a trial: answer beside gold, each quote with its page's picture, the steps, the failure and the log."""

from pincite_harness.reports.trials.write import PAGES, page_name, write_trial_pages

__all__ = ["PAGES", "page_name", "write_trial_pages"]
