"""Bundles: what is proven of a run, what a forger cannot change, and what is said not to be checkable."""

import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml
from huggingface_hub import parse_eval_result_entries
from jsonschema import Draft7Validator
from parts.bundle_mutants import FORMS, KINDS, Mutant, Mutants, is_found
from rocrate.rocrate import ROCrate
from typer.testing import Result

from pincite_core.errors import BadInputError
from pincite_harness.bundles.contents import BUNDLE_FILE, RUN, BundleDocument, chain_of, entry_of
from pincite_harness.bundles.crate import CRATE_FILE, crate_metadata
from pincite_harness.bundles.seal import seal_of, unpack, write_sealed
from pincite_harness.runs.run_folder import RunFolder
from pincite_tasks.files import write_json

Command = Callable[..., Result]
EVERY_EVAL_EVER = Path(__file__).parents[2] / "contract/schemas/every-eval-ever-0.3.0-eval.schema.json"


def members(folder: Path) -> dict[str, Path | bytes]:
    """What a bundle's folder holds, by name."""
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}


def sealed_again(folder: Path, path: Path) -> Path:
    """A bundle of a folder's members with a seal that is right."""
    path.unlink(missing_ok=True)
    write_sealed(path, members(folder))
    return path


def checks(done: Result) -> dict[str, str]:
    """What came of each check, from the JSON that was printed."""
    return {check["name"]: check["outcome"] for check in orjson.loads(done.stdout)["checks"]}


def unpacked(bundle: Path, folder: Path) -> Path:
    unpack(bundle, folder, 10**9)
    return folder


def forged(folder: Path, path: Path) -> Path:
    """The bundle of a forger who writes every list, digest and chain again after a change of some file."""
    document = RunFolder(folder / RUN).read()
    before = BundleDocument.model_validate_json((folder / BUNDLE_FILE).read_bytes())
    names = [file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()]
    files = {name: entry_of(folder / name) for name in names if name not in (BUNDLE_FILE, CRATE_FILE)}
    after = before.model_copy(update={"files": files, "chain": chain_of(folder / RUN, document)})
    write_json(folder / BUNDLE_FILE, after.model_dump(mode="json"))
    write_json(folder / CRATE_FILE, crate_metadata(folder, after, document))
    return sealed_again(folder, path)


def test_a_stranger_checks_a_run_from_its_bundle_alone(bundled: Any, command: Command, tmp_path: Path) -> None:
    for folder in (bundled.run, bundled.families):
        folder.rename(folder.with_name("gone"))
    found = checks(command("verify", bundled.bundle, "--json"))
    for folder in (bundled.run, bundled.families):
        folder.with_name("gone").rename(folder)
    proven = ("seal", "files", "chain", "trajectories", "tokens and cost", "tasks and papers", "gold", "scores")
    assert {name: found[name] for name in proven} == dict.fromkeys(proven, "holds")
    assert found["tool calls"] == "holds"
    assert found["the model's replies"] == found["the container"] == "cannot be checked"
    text = command("verify", bundled.bundle, "--no-replay").output
    assert "not made again" in " ".join(text.split())
    content = b"".join(
        path.read_bytes() for path in unpacked(bundled.bundle, tmp_path / "u").rglob("*") if path.is_file()
    )
    assert b"sk-planted-bundle-key" not in content
    crate = ROCrate(tmp_path / "u")
    assert len([one for one in crate.get_entities() if one.type == "CreateAction"]) == 2


def test_a_thousand_changes_of_one_byte_are_found(bundled: Any, tmp_path: Path) -> None:
    data = bundled.bundle.read_bytes()
    draw = random.Random(24)
    missed: list[int] = []
    changed = tmp_path / "changed.zip"
    for _ in range(1000):
        place = draw.randrange(len(data))
        other = draw.choice([byte for byte in range(256) if byte != data[place]])
        changed.write_bytes(data[:place] + bytes([other]) + data[place + 1 :])
        try:
            if seal_of(changed) is not None:
                missed.append(place)
        except BadInputError:
            continue
    assert not missed
    changed.write_bytes(data[1:])
    assert seal_of(changed) is None
    for cut in (data[:-1], data + b"0", data[: len(data) // 2], b""):
        changed.write_bytes(cut)
        with pytest.raises(BadInputError, match="not a sealed bundle"):
            seal_of(changed)


def test_changes_of_every_kind_in_every_form_are_found(bundled: Any, tmp_path: Path) -> None:
    """A slice of tests/benchmarks/bundle_mutations.py, at the two files that no list of digests has."""
    mutants = Mutants(bundled.bundle, tmp_path, 24)
    of_lists = [m for m in (BUNDLE_FILE, CRATE_FILE, f"{RUN}/run.json") if m in mutants.files]
    missed = [
        (mutant.form, mutant.kind, mutant.member)
        for mutant in mutants.draw(len(FORMS) * len(KINDS) * len(of_lists), of_lists)
        if not is_found(mutant)
    ]
    assert not missed
    (tmp_path / "mutant" / "aside").symlink_to(bundled.bundle)
    assert is_found(Mutant("folder", "link", "aside", tmp_path / "mutant"))
    (tmp_path / "mutant" / "aside").unlink()
    assert not is_found(Mutant("folder", "none", "", tmp_path / "mutant"))


def test_what_a_forger_changes_and_lists_anew_is_found_by_what_follows_from_it(
    bundled: Any, command: Command, tmp_path: Path
) -> None:
    def attempt(
        name: str, change: Callable[[Path], None], *, lists: bool = True, replay: str = "--no-replay"
    ) -> dict[str, str]:
        folder = unpacked(bundled.bundle, tmp_path / name)
        change(folder / RUN / "trials" / "t1__1")
        path = tmp_path / f"{name}.zip"
        (forged if lists else sealed_again)(folder, path)
        return checks(command("verify", path, "--json", replay, code=1))

    def in_file(name: str, old: str, new: str) -> Callable[[Path], None]:
        def change(trial: Path) -> None:
            text = (trial / name).read_text()
            assert old in text
            (trial / name).write_text(text.replace(old, new))

        return change

    assert attempt("plain", in_file("score.json", '"f1": 1.0', '"f1": 0.9'), lists=False) == {
        "seal": "holds",
        "files": "fails",
    }
    assert attempt("score", in_file("score.json", '"n_gold": 1', '"n_gold": 2'))["scores"] == "fails"
    assert attempt("answer", in_file("answer.json", "93", "94"))["trajectories"] == "fails"
    assert attempt("tokens", in_file("trial.json", '"input": ', '"input": 1'))["tokens and cost"] == "fails"
    assert attempt("wire", in_file("wire/llm.jsonl", "write_answer", "write_answes"))["trajectories"] == "fails"

    def other_result(trial: Path) -> None:
        for name in ("wire/mcp.jsonl", "wire/llm.jsonl", "trajectory.json"):
            text = (trial / name).read_text()
            (trial / name).write_text(text.replace("false", "true").replace("Different", "Equal"))

    assert attempt("result", other_result, replay="--replay")["tool calls"] == "fails"


def test_withheld_gold_is_in_no_file_and_opens_its_commitments_later(
    bundled: Any, command: Command, tmp_path: Path
) -> None:
    out = tmp_path / "closed.zip"
    assert "closed.gold.json opens" in command("bundle", bundled.run, "--out", out, "--withhold-gold").output
    folder = unpacked(out, tmp_path / "closed")
    holding = [path.name for path in folder.rglob("*") if path.is_file() and b"stand nowhere" in path.read_bytes()]
    assert "score.json" not in holding, "what the agent answered is its own; what it was compared with is not shown"
    assert not (folder / "gold.json").exists()
    assert checks(command("verify", out, "--tasks", bundled.families, "--no-replay", "--json"))["gold"] == (
        "cannot be checked"
    )
    apart = tmp_path / "closed.gold.json"
    with_gold = ["verify", out, "--tasks", bundled.families, "--no-replay", "--json", "--gold"]
    opened = checks(command(*with_gold, apart))
    assert (opened["gold"], opened["gold at hand"], opened["scores"]) == ("holds", "holds", "holds")
    other: dict[str, Any] = orjson.loads(apart.read_bytes())
    other["tiny/t1"]["gold"]["properties"][0]["value_string"] = "94"
    wrong = tmp_path / "wrong.json"
    wrong.write_bytes(orjson.dumps(other))
    assert checks(command(*with_gold, wrong, code=1))["gold"] == "fails"
    with pytest.raises(AssertionError, match="holds its gold"):
        command("bundle", bundled.run, "--out", tmp_path / "x.zip", "--withhold-gold", "--families")


def test_hostile_archives_are_refused(tmp_path: Path) -> None:
    def archive(*names: str, data: bytes = b"x") -> Path:
        path = tmp_path / "hostile.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as opened:
            for name in names:
                opened.writestr(name, data)
        return path

    for name in ("../out", "/etc/out", "a/../../out", "C:/out", "a\\b", "a//b", "run/\x07"):
        with pytest.raises(BadInputError, match="no bundle has"):
            unpack(archive(name), tmp_path / "to", 10**6)
    with pytest.raises(BadInputError, match="larger than allowed"):
        unpack(archive("a", data=b"0" * 2_000_000), tmp_path / "to", 10**6)
    assert not (tmp_path / "out").exists()


def test_results_for_leaderboards_name_the_seal(bundled: Any, command: Command, tmp_path: Path) -> None:
    out, results = tmp_path / "again.zip", tmp_path / "results"
    words = [
        "bundle",
        bundled.run,
        "--out",
        out,
        "--results",
        results,
        "--dataset",
        "org/bench",
        "--url",
        "https://x.example",
    ]
    seal = command(*words).output.split("sha256 ")[1].split()[0]
    hub = yaml.safe_load((results / "eval_results" / "tiny.yaml").read_text())
    (entry,) = parse_eval_result_entries(hub)
    assert (entry.dataset_id, entry.task_id, entry.value) == ("org/bench", "tiny", 1.0)
    assert entry.source_url == "https://x.example" and seal in str(entry.notes)
    ever = json.loads((results / "every_eval_ever" / "tiny.json").read_bytes())
    Draft7Validator(json.loads(EVERY_EVAL_EVER.read_bytes())).validate(ever)
    assert ever["source_metadata"]["additional_details"] == {"bundle": "https://x.example", "sha256": seal}
    assert ever["model_info"]["name"] == "scripted"
    scores = {one["evaluation_name"]: one["score_details"]["score"] for one in ever["evaluation_results"]}
    assert scores["tiny: match_f1"] == 1.0
    assert ever["evaluation_results"][0]["source_data"]["sample_ids"] == ["t1", "t2"]
