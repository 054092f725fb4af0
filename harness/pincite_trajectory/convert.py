"""Write a trajectory in the form of another tool."""

import shutil
from pathlib import Path
from typing import Literal

from pincite_tasks.files import write_atomic, write_json
from pincite_trajectory.build import trajectory_json
from pincite_trajectory.exports.inspect_log import to_inspect
from pincite_trajectory.exports.otlp import to_otlp
from pincite_trajectory.sources import Source, open_source

Form = Literal["atif", "otel", "inspect"]


def write_converted(path: Path, to: Form, file: Path) -> None:
    """Read ``path`` (see ``open_source``) and write ``file`` whole. With ATIF the media are copied beside it, under the
    paths that it names."""
    source = open_source(path, file.parent)
    if to == "inspect":
        write_atomic(file, to_inspect(source.trajectory, source.folder, source.marked))
    elif to == "otel":
        write_json(file, to_otlp(source.trajectory))
    else:
        _copy_media(source, file.parent)
        write_json(file, trajectory_json(source.trajectory))


def _copy_media(source: Source, folder: Path) -> None:
    """Copy what lies below the source's folder; addresses and absolute paths stay as they are."""
    for name in source.trajectory.media_paths():
        origin, copy = (source.folder / name).resolve(), (folder / name).resolve()
        below = origin.is_relative_to(source.folder.resolve()) and copy.is_relative_to(folder.resolve())
        if "://" not in name and below and origin.is_file() and origin != copy:
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(origin, copy)
