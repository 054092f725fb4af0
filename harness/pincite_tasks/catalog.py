"""Catalog: where task families are found."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite_core.errors import BadInputError, NotFoundError
from pincite_tasks.family import ALL_SETS, LISTED, Family, load_family
from pincite_tasks.task import STANDARD, Task

AD_HOC_TASK = "ad-hoc"


@dataclass(frozen=True, slots=True)
class Catalog:
    """Families of a user's folder first, then the bundled ones.

    ``extra`` is a folder of family folders, or one family folder itself.
    """

    extra: Path | None = None

    def folders(self) -> dict[str, Path]:
        """Family folders by name; a user's family hides a bundled one of the same name."""
        found = _scan(bundled_folder())
        if self.extra is not None:
            if not self.extra.is_dir():
                raise NotFoundError(f"There is no folder {self.extra}.", next="Check --tasks.")
            own = _scan(self.extra)
            if not own:
                raise NotFoundError(
                    f"{self.extra} does not contain a task family.", next="A family is a folder with family.toml in it."
                )
            found |= own
        return found

    def folder(self, name: str) -> Path:
        """The folder of one family; NotFoundError with the names there are."""
        folders = self.folders()
        if name not in folders:
            raise NotFoundError(
                f"There is no task family {name!r}.",
                seen=", ".join(sorted(folders)) or "no family at all",
                next="Name one of these, or give its folder with --tasks.",
            )
        return folders[name]

    def family(self, name: str) -> Family:
        """Load one family by name."""
        return load_family(self.folder(name))


def choose_tasks(
    families: Sequence[Family], only: Sequence[str] | None = None, set_name: str | None = None
) -> list[tuple[Family, Task]]:
    """The tasks of one set (``all``: of every set), or those of the ids ``only`` among them.

    Without ``set_name`` it is the standard set, or every set where ids are given. NotFoundError for a set that no
    family has, and for an id that is not there.
    """
    wanted = set_name or (STANDARD if only is None else ALL_SETS)
    sets = {name for family in families for name in family.sets}
    if families and wanted != ALL_SETS and wanted not in sets:
        raise NotFoundError(
            f"No family here has a set of tasks {wanted!r}.",
            seen=", ".join(sorted(sets)),
            next=f"Name one of these, or {ALL_SETS}.",
        )
    pairs = [(family, task) for family in families for task in family.tasks if wanted in (task.set_name, ALL_SETS)]
    if only is None:
        return pairs
    known = {task.task_id for _, task in pairs}
    if unknown := [task_id for task_id in only if task_id not in known]:
        raise NotFoundError(
            f"There is no task {', '.join(unknown)}.", seen=", ".join(sorted(known)), next="Name one of these."
        )
    return [(family, task) for family, task in pairs if task.task_id in only]


def bundled_folder() -> Path:
    """The families that come with pincite: in the wheel inside the package, in a checkout at its top."""
    package = Path(__file__).parent
    inside = package / "families"
    return inside if inside.is_dir() else package.parent.parent / "tasks"


def ad_hoc_task(
    family: Family, paper: Path | None, number: int | None = None, parameters: Mapping[str, str] | None = None
) -> Task:
    """A task without gold about a user's own paper, or none; ``number`` tells several apart, ``parameters`` are what it
    asks. BadInputError where the family's prompt asks for more, for others, or for no paper."""
    if paper is not None and not paper.is_file():
        raise NotFoundError(f"There is no paper {paper}.", next="Check --paper.")
    own = dict(parameters or {})
    given = {**family.settings.parameters, **own}
    _check_asked(family, paper, own)
    return Task(
        family.name,
        AD_HOC_TASK if number is None else f"{AD_HOC_TASK}-{number}",
        (paper.resolve(),) if paper is not None else (),
        metadata={"title": paper.name if paper is not None else "; ".join(own.values())},
        before=family.settings.before,
        parameters=given,
    )


def _check_asked(family: Family, paper: Path | None, parameters: Mapping[str, str]) -> None:
    asked = family.asked
    if paper is not None and "papers" not in asked:
        raise BadInputError(f"{family.name} does not take papers of your own.", next="Leave --paper out.")
    if unknown := sorted(set(parameters) - asked):
        known = ", ".join(sorted(asked - LISTED)) or "its prompt asks for none"
        raise BadInputError(
            f"{family.name} has no parameter {', '.join(unknown)}.", seen=known, next="Correct --parameter."
        )
    if missing := sorted(asked - LISTED - set(family.settings.parameters) - set(parameters)):
        raise BadInputError(
            f"The prompt of {family.name} needs more parameters.",
            seen=f"nothing is given for {', '.join(missing)}",
            next=" ".join(f"--parameter {name}=…" for name in missing),
        )


def _scan(folder: Path) -> dict[str, Path]:
    if (folder / "family.toml").is_file():
        return {_name(folder): folder}
    if not folder.is_dir():
        return {}
    return {_name(entry): entry for entry in sorted(folder.iterdir()) if (entry / "family.toml").is_file()}


def _name(folder: Path) -> str:
    """The family's name; the folder's where family.toml cannot be read, so that loading it says what is wrong."""
    try:
        return str(tomllib.loads((folder / "family.toml").read_text(encoding="utf-8-sig"))["name"])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError):
        return folder.resolve().name
