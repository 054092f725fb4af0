"""Hides modules from pincite's own code as on a machine without them; PINCITE_TEST_HIDDEN names them.

The MCP SDK and the standard library have branches for such systems and go on with what this one has; the packages of
the extra ``harness`` (PINCITE_TEST_ABSENT) are absent for everyone.
"""

import builtins
import importlib
import os
import sys

HIDDEN = set(filter(None, os.environ.get("PINCITE_TEST_HIDDEN", "").split(",")))
ABSENT = set(filter(None, os.environ.get("PINCITE_TEST_ABSENT", "").split(",")))
_import, _import_module = builtins.__import__, importlib.import_module


def _refuse(name):
    raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def guarded(name, scope=None, names=None, fromlist=(), level=0):
    importer = (scope or {}).get("__name__", "")
    if level == 0 and name.partition(".")[0] in HIDDEN and importer.startswith(("pincite", "__main__")):
        _refuse(name)
    return _import(name, scope, names, fromlist, level)


def guarded_module(name, package=None):
    if name.partition(".")[0] in HIDDEN and sys._getframe(1).f_globals["__name__"].startswith("pincite"):
        _refuse(name)
    return _import_module(name, package)


class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ABSENT:
            _refuse(name)


builtins.__import__ = guarded
importlib.import_module = guarded_module
sys.meta_path.insert(0, Absent())
