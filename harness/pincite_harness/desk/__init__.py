"""The desk: local pages that show runs, trials step by step, and the words of a paper that an answer cites."""
