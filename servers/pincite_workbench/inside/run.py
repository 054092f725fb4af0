"""Runs the last word of the command line as a program of its own, named code.py in its errors."""

import linecache
import sys
import traceback
import types

code = sys.argv.pop()
sys.argv[:] = ["code.py"]
linecache.cache["code.py"] = (len(code), None, code.splitlines(keepends=True), "code.py")
program = types.ModuleType("__main__")
sys.modules["__main__"] = program
try:
    exec(compile(code, "code.py", "exec"), program.__dict__)  # noqa: S102
except Exception as error:  # noqa: BLE001 - the program's own error, shown as Python shows it
    trace = error.__traceback__
    # The first frame is this program's own.
    traceback.print_exception(type(error), error, trace.tb_next if trace else None)
    sys.exit(1)
