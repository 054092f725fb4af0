import numpy as np

from pincite_papers.pdf.layout.leftwards import turn_opposite_runs


def test_a_page_whose_right_to_left_text_cannot_be_seen_prints_nothing_to_turn() -> None:
    """Such a page, of a damaged file, had no printed glyph left."""
    edges = np.empty(0, np.float32)
    turn_opposite_runs(np.empty(0, np.uint32), edges, edges, np.empty(0, np.int8), edges, mirrored=False)


def test_a_run_against_the_direction_of_the_page_is_mirrored_about_its_middle() -> None:
    codes = np.array([0x61, 0x5D0, 0x5D1, 0x62], np.uint32)
    x0 = np.array([0, 20, 10, 30], np.float32)
    x1 = x0 + 10
    turn_opposite_runs(codes, x0, x1, np.zeros(4, np.int8), np.zeros(4, np.float32), mirrored=False)
    assert x0.tolist() == [0, 10, 20, 30]
    assert x1.tolist() == [10, 20, 30, 40]
