"""Run one parser over PDFs in a process of its own: one JSON line a file, then one with the peak memory.

python run_parser.py NAME FILE…   or   python run_parser.py --list
"""

import json
import os
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import adapters

_KIB_PER_MIB = 1024


def main() -> int:
    """Print what the parser reads; a file that it fails on gives a line with the error."""
    if sys.argv[1] == "--list":
        print(json.dumps(adapters.installed()))
        return 0
    answers = _own_output()
    try:
        read = adapters.load(sys.argv[1])
    except Exception as error:  # noqa: BLE001
        answers.write(json.dumps({"failed": repr(error)[:300]}) + "\n")
        return 0
    for name in sys.argv[2:]:
        start = _cpu_seconds()
        answer: dict[str, object] = {"file": name}
        try:
            reading = read(Path(name))
            answer["seconds"] = _cpu_seconds() - start
            adapters.read_more(sys.argv[1], Path(name), reading)
            answer["reading"] = reading.to_json()
        except Exception as error:  # noqa: BLE001
            answer |= {"seconds": _cpu_seconds() - start, "error": repr(error)[:300]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    answers.write(json.dumps({"peak_mib": _peak_mib()}) + "\n")
    answers.flush()
    os._exit(0)


def _own_output():
    """The pipe of stdout for the answers alone; what a library prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
    os.dup2(2, 1)
    return answers


def _peak_mib() -> float:
    """The most memory that this program held (what ru_maxrss says includes the program that started it)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / _KIB_PER_MIB


def _cpu_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    raise SystemExit(main())
