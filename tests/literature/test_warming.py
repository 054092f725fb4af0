"""What is imported ahead of the first lookup, in a process of its own."""

import subprocess
import sys

CODE = """
import sys, time
from pincite_literature.warming import warming
with warming(["colorsys"], after=60):
    pass
with warming(["a_module_of_nobody", "colorsys"], after=0.05):
    assert "colorsys" not in sys.modules
    while "colorsys" not in sys.modules:
        time.sleep(0.01)
print("done")
"""


def test_modules_come_in_the_background_and_missing_ones_do_no_harm() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=60)
    assert done.stdout == "done\n", done.stderr
