"""Check a trajectory file against ATIF 1.8."""

from pathlib import Path

from pydantic import ValidationError

from pincite_core.errors import BadInputError, NotFoundError
from pincite_tasks.files import decode_text
from pincite_tasks.task import describe_validation
from pincite_trajectory.atif import Trajectory


def validate_trajectory(path: Path) -> Trajectory:
    """Read and check a trajectory, and that the media files it names by a relative path are there.

    NotFoundError without the file, BadInputError with every fault and its place.
    """
    try:
        trajectory = Trajectory.model_validate_json(decode_text(path.read_bytes()))
    except FileNotFoundError:
        raise NotFoundError(f"There is no trajectory {path}.", next="Check the path.") from None
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path} is not text.", seen=str(error), next="Save it as UTF-8.") from error
    except ValidationError as error:
        raise BadInputError(
            f"{path} is not an ATIF 1.8 trajectory.", seen=describe_validation(error), next="Correct these places."
        ) from error
    missing = [name for name in trajectory.media_paths() if "://" not in name and not (path.parent / name).is_file()]
    if missing:
        raise BadInputError(
            f"{path} names media that are not there.", seen=", ".join(missing), next="Copy the files beside it."
        )
    return trajectory
