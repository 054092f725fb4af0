"""Writing: a run's folder becomes one sealed RO-Crate."""

import shutil
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import orjson

from pincite_core.errors import BadInputError
from pincite_harness.bundles.contents import (
    BUNDLE_FILE,
    FAMILIES,
    RUN,
    WEB,
    BundleDocument,
    chain_of,
    entry_of,
    run_files,
    without_gold,
)
from pincite_harness.bundles.crate import CRATE_FILE, crate_metadata
from pincite_harness.bundles.gold import OpenedGold, commit, open_gold
from pincite_harness.bundles.seal import write_sealed
from pincite_harness.runs.run_folder import RunDocument, RunFolder
from pincite_harness.runs.specification import BUNDLED
from pincite_models.choice import ModelChoice
from pincite_models.dialects.model import Usage
from pincite_models.pricing import price_of
from pincite_tasks.files import write_json
from pincite_tasks.plural import plural

_MILLION = 1_000_000
"""Prices are given for a million tokens."""


@dataclass(frozen=True, slots=True)
class BundleOptions:
    """What a bundle shows: the gold or only commitments to it, the folders of the run's own task families, and the web
    that was recorded."""

    withhold_gold: bool = False
    families: bool = False
    web: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """A bundle: its file, the digest to publish beside it, how many trials it has, and the file that opens the
    commitments where the gold is withheld."""

    path: Path
    seal: str
    trials: int
    gold: Path | None


def write_bundle(folder: RunFolder, out: Path, options: BundleOptions) -> Written:
    """Write the bundle of a run, with the run's folder held. BadInputError where nothing of it is finished, where the
    gold is not that of the run, or where a folder that is wanted is not there."""
    document = folder.read()
    opened = _gold(document)
    _check(document, options)
    with folder.held(), tempfile.TemporaryDirectory(prefix="pincite-bundle-") as place:
        stage = Path(place)
        for path in run_files(folder, document):
            _put(path, stage / RUN / path.relative_to(folder.path), withhold=options.withhold_gold)
        _put_folders(document, stage, options)
        if not options.withhold_gold and opened:
            write_json(stage / "gold.json", _dumped(opened))
        written = _document(stage, document, opened, options)
        write_json(stage / BUNDLE_FILE, written.model_dump(mode="json"))
        write_json(stage / CRATE_FILE, crate_metadata(stage, written, document))
        members = {path.relative_to(stage).as_posix(): path for path in _files(stage)}
        trials = len(written.chain.trials)
        if not trials:
            raise BadInputError("No trial of the run has ended.", seen=str(folder.path), next="pincite resume RUN")
        seal = write_sealed(out, members)
    apart = out.with_name(f"{out.stem}.gold.json") if options.withhold_gold and opened else None
    if apart is not None:
        write_json(apart, _dumped(opened))
    return Written(out, seal, trials, apart)


def _check(document: RunDocument, options: BundleOptions) -> None:
    own = [name for name, folder in document.specification.families.items() if folder != BUNDLED]
    if options.families and options.withhold_gold and own:
        raise BadInputError(
            "A family's folder holds its gold.", seen="--families with --withhold-gold", next="Leave one of them out."
        )
    if options.web and not document.specification.web.store:
        raise BadInputError("The run recorded no web.", next="Leave --web out, or run with --web record.")


def _gold(document: RunDocument) -> dict[str, OpenedGold]:
    """The gold of the run's tasks; BadInputError where a task is no longer the one that was run."""
    specification = document.specification
    if specification.harbor is not None or specification.papers or specification.parameters:
        return {}
    plans = specification.plan(specification.load_families())
    tasks = {(plan.family.name, plan.task.task_id): plan.task for plan in plans}
    changed = [
        f"{family}/{name}"
        for (family, name), task in tasks.items()
        if document.lock.digests.get(f"task/{family}/{name}") != task.digest()
    ]
    if changed:
        raise BadInputError(
            f"{plural(len(changed), 'task')} changed since the run.",
            seen=", ".join(changed[:5]),
            next="Restore the family as it was, or score the run again and bundle it then.",
        )
    return open_gold([(family, task) for (family, _), task in tasks.items()])


def _put(source: Path, target: Path, *, withhold: bool) -> None:
    """Copy a file of the run, without what quotes gold where that is withheld."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shown = without_gold(source) if withhold else None
    if shown is None:
        shutil.copyfile(source, target)
    elif shown:
        target.write_bytes(shown)


def _put_folders(document: RunDocument, stage: Path, options: BundleOptions) -> None:
    """Copy the run's own families and its recorded web where they are wanted."""
    wanted: dict[str, Path] = {}
    if options.families:
        folders = document.specification.families.items()
        wanted |= {f"{FAMILIES}/{name}": Path(folder) for name, folder in folders if folder != BUNDLED}
    if options.web and document.specification.web.store:
        wanted[WEB] = Path(document.specification.web.store)
    for name, source in wanted.items():
        if not source.is_dir():
            raise BadInputError(f"There is no folder {source}.", next="Put it back where the run had it.")
        shutil.copytree(source, stage / name, symlinks=False)


def _document(
    stage: Path, document: RunDocument, opened: Mapping[str, OpenedGold], options: BundleOptions
) -> BundleDocument:
    return BundleDocument(
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        pincite=version("pincite"),
        name=document.name,
        files={path.relative_to(stage).as_posix(): entry_of(path) for path in _files(stage)},
        chain=chain_of(stage / RUN, document),
        gold="withheld" if options.withhold_gold else "shown",
        commitments=commit(opened),
        prices=_prices(document),
    )


def _files(stage: Path) -> Iterable[Path]:
    return sorted(path for path in stage.rglob("*") if path.is_file())


def _dumped(opened: Mapping[str, OpenedGold]) -> dict[str, object]:
    return {name: one.model_dump(mode="json") for name, one in opened.items()}


def _prices(document: RunDocument) -> dict[str, dict[str, float | None]]:
    """What a million tokens of each model of the run cost today."""
    specification = document.specification
    models = [specification.model, *specification.role_models.values()]
    models += [one.model for one in specification.server_models.models.values()]
    return {f"{model.provider}:{model.name}": _price(model) for model in models if model is not None}


def _price(model: ModelChoice) -> dict[str, float | None]:
    price = price_of(model)
    if price is None:
        return {"input": None, "output": None}
    return {"input": price(model.name, Usage(_MILLION, 0)), "output": price(model.name, Usage(0, _MILLION))}


def read_gold(path: Path) -> dict[str, OpenedGold]:
    """The file that opens a bundle's commitments."""
    return {name: OpenedGold.model_validate(one) for name, one in orjson.loads(path.read_bytes()).items()}
