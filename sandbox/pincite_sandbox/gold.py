"""Gold: the answers that tasks are scored by. No folder or image that a sandbox shows may hold them."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from .guest.gold import gold_files, is_gold


def gold_at(path: Path, hidden: Sequence[Path]) -> Path | None:
    """Gold that showing ``path`` would show at once: the path itself where it lies in one of ``hidden``, or a gold
    file, told by its name, at the path or in that folder."""
    real = path.resolve()
    if any(real.is_relative_to(place.resolve()) for place in hidden):
        return path
    if not real.exists():
        return None
    folder = real if real.is_dir() else real.parent
    names = [each.name for each in folder.iterdir()]
    found = [folder / name for name in names if is_gold(name, names)]
    return next((each for each in found if real.is_dir() or each == real), None)


def with_gold(hidden: Sequence[Path], programs: Sequence[Path]) -> tuple[Path, ...]:
    """``hidden`` and every gold file below the programs' folders that is in none of it."""
    covered = [place.resolve() for place in hidden]
    gold = [path for folder in programs for path in _gold_below(folder.resolve())]
    return (*hidden, *(path for path in gold if not any(path.is_relative_to(place) for place in covered)))


@lru_cache(maxsize=64)
def _gold_below(folder: Path) -> tuple[Path, ...]:
    """Looked for once a process: programs' folders are large and do not change while an agent is run."""
    return tuple(Path(path).resolve() for path in gold_files(str(folder)))
