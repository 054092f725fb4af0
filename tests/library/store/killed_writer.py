"""A process that writes to a library until it is killed, and says after each call what was acknowledged.

python killed_writer.py FOLDER SEED [lance]
"""

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

from pincite_library.model import Vectors
from pincite_library.store.store import Store


def _made() -> ModuleType:
    place = importlib.util.spec_from_file_location("made_papers", Path(__file__).with_name("made_papers.py"))
    assert place is not None
    assert place.loader is not None
    module = importlib.util.module_from_spec(place)
    sys.modules["made_papers"] = module
    place.loader.exec_module(module)
    return module


def _opened(folder: Path) -> Store:
    if sys.argv[3:] == ["lance"]:
        from pincite_library.store.lance.store import LanceStore

        return LanceStore(str(folder))
    from pincite_library.store.sqlite.store import SqliteStore

    return SqliteStore(folder)


def main() -> None:
    """Put, replace, embed, remove, vacuum; a line of standard output for each that returned."""
    made, store, seed = _made(), _opened(Path(sys.argv[1])), int(sys.argv[2])
    chance = random.Random(seed)
    print("open", flush=True)
    for version in range(10**6):
        number = chance.randrange(40)
        deed = chance.random()
        if deed < 0.8:
            print(f"putting {number}", flush=True)
            blocks = [f"n{number} s{seed} v{version} c{place} " + "filler " * 40 for place in range(20)]
            store.put_paper(*made.paper(number, blocks, title=f"s{seed} v{version}"))
            print(f"put {number} s{seed} v{version}", flush=True)
            stored = store.chunks_of(made.paper_id(number))
            store.put_vectors(made.SPACE, Vectors(tuple(one.key for one in stored), made.unit_vectors(20, seed=number)))
            print(f"embedded {number}", flush=True)
        elif deed < 0.97:
            print(f"removing {number}", flush=True)
            store.remove_papers([made.paper_id(number)])
            print(f"removed {number}", flush=True)
        else:
            store.vacuum()


if __name__ == "__main__":
    main()
