"""Verifying: every promise of a bundle, checked from its own bytes, the gold and the tools of this machine."""

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import orjson
from pydantic import ValidationError

from pincite_core.errors import BadInputError, PinciteError
from pincite_harness.bundles.checks import Outcome, Verification
from pincite_harness.bundles.contents import BUNDLE_FILE, RUN, BundleDocument, chain_of, entry_of
from pincite_harness.bundles.crate import CRATE_FILE, crate_metadata
from pincite_harness.bundles.evidence import check_costs, check_trajectories
from pincite_harness.bundles.gold import OpenedGold, commit
from pincite_harness.bundles.rerun import Source, check_gold, check_scores, check_sources, check_tools, source_of
from pincite_harness.bundles.seal import seal_of, unpack
from pincite_harness.bundles.writing import read_gold
from pincite_harness.runs.run_folder import RunDocument, RunFolder
from pincite_tasks.files import json_bytes
from pincite_tasks.plural import plural

_GOLD_FILE = "gold.json"


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """What a check may use: the file that opens withheld gold, a folder of task families, whether tool calls are made
    again, and how many bytes the members may have."""

    gold: Path | None = None
    tasks: Path | None = None
    replay: bool = True
    max_bytes: int = 20_000_000_000
    say: Callable[[str], None] = field(default=lambda _: None)


def verify_bundle(path: Path, options: VerifyOptions) -> Verification:
    """Check a bundle, a file or the folder that it was unpacked into.

    BadInputError for what is not a bundle. A check that fails ends none of the others, unless they would read what was
    found to be changed.
    """
    found = Verification(str(path))
    if path.is_dir():
        found.add("seal", Outcome.UNKNOWN, "the bundle was unpacked: its seal is gone")
        _verify(path, found, options)
        return found
    seal = seal_of(path)
    if seal is None:
        found.add("seal", Outcome.FAILS, "the bytes are not those that were sealed")
        return found
    found.add("seal", Outcome.HOLDS, f"sha256 {seal}: compare it with the one that was published")
    with tempfile.TemporaryDirectory(prefix="pincite-verify-") as place:
        unpack(path, Path(place), options.max_bytes)
        _verify(Path(place), found, options)
    return found


def _verify(folder: Path, found: Verification, options: VerifyOptions) -> None:
    bundle = _read(folder)
    run = RunFolder(folder / RUN)
    if not _check_files(folder, bundle, found):
        return
    document = run.read()
    if not _check_chain(run, bundle, document, found):
        return
    check_trajectories(run, bundle, found)
    check_costs(run, bundle, found)
    source = source_of(folder, document, options.tasks)
    check_sources(source, document, found)
    gold = _opened(folder, options.gold)
    _check_commitments(bundle, gold, found)
    check_gold(source, bundle, gold, found)
    options.say("scoring the answers again")
    check_scores(run, bundle, document, source, found)
    if options.replay:
        options.say("making the tool calls again")
        check_tools(folder, bundle, document, source, found)
    else:
        found.add("tool calls", Outcome.UNKNOWN, "they were not made again, as asked")
    _say_what_nobody_can(bundle, document, source, found)


def _read(folder: Path) -> BundleDocument:
    try:
        return BundleDocument.model_validate_json((folder / BUNDLE_FILE).read_bytes())
    except (OSError, ValidationError) as error:
        raise BadInputError("This is not a bundle of pincite.", seen=str(error)[:400]) from error


def _check_files(folder: Path, bundle: BundleDocument, found: Verification) -> bool:
    """Every member is listed, there, and as long and the same as it says; nothing else lies beside them. The list
    itself is bound by the crate, which has its digest, and the crate by being written from the list again."""
    own = {BUNDLE_FILE, CRATE_FILE}
    lying = [path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()]
    present = {path.relative_to(folder).as_posix() for path in lying} - own
    wrong = [f"{path.relative_to(folder)} is a link" for path in lying if path.is_symlink()]
    wrong += [f"{name} is missing" for name in sorted(set(bundle.files) - present)]
    wrong += [f"{name} is not listed" for name in sorted(present - set(bundle.files))]
    shared = sorted(present & set(bundle.files))
    if not wrong:
        wrong = [f"{name} was changed" for name in shared if entry_of(folder / name) != bundle.files[name]]
    if not wrong and not _is_described(folder, bundle):
        wrong.append(f"{CRATE_FILE} does not describe this bundle: it or {BUNDLE_FILE} was changed")
    return found.judge("files", wrong, f"{plural(len(shared), 'file')} as listed", "files are not as listed")


def _is_described(folder: Path, bundle: BundleDocument) -> bool:
    """Whether ro-crate-metadata.json is, byte for byte, what is written of this bundle."""
    path = folder / CRATE_FILE
    try:
        expected = json_bytes(crate_metadata(folder, bundle, RunFolder(folder / RUN).read()))
    except PinciteError:
        return False
    return path.is_file() and path.read_bytes() == expected


def _check_chain(run: RunFolder, bundle: BundleDocument, document: RunDocument, found: Verification) -> bool:
    chain = chain_of(run.path, document)
    wrong = [name for name in bundle.chain.trials if chain.trials.get(name) != bundle.chain.trials[name]]
    wrong += sorted(set(chain.trials) - set(bundle.chain.trials))
    if chain.head != bundle.chain.head and not wrong:
        wrong.append("run.json")
    links = sum(file.links for trial in chain.trials.values() for file in trial.files)
    good = f"{plural(len(chain.trials), 'trial')}, {plural(links, 'link')}, head {chain.head}"
    return found.judge("chain", wrong, good, "the chain is broken")


def _opened(folder: Path, given: Path | None) -> Mapping[str, OpenedGold]:
    """The salts and gold that open the commitments: those given, else those in the bundle."""
    path = given or folder / _GOLD_FILE
    if given is None and not path.is_file():
        return {}
    try:
        return read_gold(path)
    except (OSError, ValidationError, orjson.JSONDecodeError, AttributeError) as error:
        raise BadInputError(
            f"{path} does not open the gold.", seen=str(error)[:400], next="Name the NAME.gold.json of the bundle."
        ) from error


def _check_commitments(bundle: BundleDocument, gold: Mapping[str, OpenedGold], found: Verification) -> None:
    if not bundle.commitments:
        found.add("gold", Outcome.UNKNOWN, "the run's tasks have no gold")
        return
    if not gold:
        found.add("gold", Outcome.UNKNOWN, "it is withheld: --gold names the file that opens the commitments")
        return
    try:
        shown = commit(gold)
    except ValueError as error:
        found.add("gold", Outcome.FAILS, f"a salt is not hexadecimal: {error}")
        return
    wrong = [name for name in sorted(bundle.commitments) if shown.get(name) != bundle.commitments[name]]
    found.judge(
        "gold", wrong, f"{plural(len(shown), 'commitment')} opened", "the gold shown is not what was committed to"
    )


def _say_what_nobody_can(bundle: BundleDocument, document: RunDocument, source: Source, found: Verification) -> None:
    """The promises that no stranger can check, said rather than passed over."""
    specification = document.specification
    if specification.model is not None or specification.role_models:
        found.add("the model's replies", Outcome.UNKNOWN, "only the provider knows whether its model gave them")
    digest = document.lock.digests.get("agent/image")
    image = f"the image {digest} was named, its bytes are not here" if digest else "the run names no image by digest"
    found.add("the container", Outcome.UNKNOWN, image)
    git = document.lock.git
    if git is not None and git.dirty:
        found.add("the harness", Outcome.UNKNOWN, f"it ran from a checkout of {git.commit} with changes")
    elif document.lock.versions.get("pincite") != source.version:
        ran = document.lock.versions.get("pincite")
        found.add("the harness", Outcome.UNKNOWN, f"the run is of pincite {ran}, this is {source.version}")
