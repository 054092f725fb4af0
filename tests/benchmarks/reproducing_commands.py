"""Every command of docs/reproducing.md in its order, on small stand-ins of the data, before a scripted model.

python -m tests.benchmarks run reproducing_commands [--only WORD …] [--quick] [--keep FOLDER]

Each study has a folder of its own with data in the published forms (``parts/study_data.py``); imports, libraries,
reports and analyses are the page's own. Of runs and sweeps, one task and one attempt are tried, and two values of each
``--vary``, with ``--quick`` of the first one alone; the model fills what it is asked for with the least that its schema
takes. Programs run in the local sandbox, command lines in Docker. Nothing is measured but that each command works to
its end: every trial *completed*, with an answer.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import ThreadingHTTPServer
from pathlib import Path

import orjson
from parts.least_answers import Vectors, family_of, player
from parts.study_data import lay_out

from pincite_doors.testing import Script, ScriptedModel

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reproducing.md"
CLIS = ("claude-code", "codex", "gemini-cli", "qwen-code")
STANDS = ("MODEL", "STRONGER", "JUDGE", "VISION")
"""Words of the page that stand for a PROVIDER:NAME, all played by one scripted model."""
SECONDS = 900
"""Wall clock of a command."""
TRIES = 2
"""Values of each ``--vary`` that are tried: the full system's and one change."""


def studies() -> Iterator[tuple[str, list[list[str]]]]:
    """The heading of each study with the words of its commands."""
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        blocks = re.findall(r"^```sh\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
        lines = [line for block in blocks for line in block.strip().splitlines() if not line.startswith("#")]
        yield section.partition("\n")[0], [shlex.split(line)[1:] for line in lines]


def without(words: Sequence[str], *options: str) -> list[str]:
    """The words less these options and their values."""
    left = list(words)
    for option in options:
        while option in left:
            at = left.index(option)
            del left[at : at + 2]
    return left


def first_change(words: Sequence[str]) -> list[str]:
    """A sweep with its first ``--vary`` alone."""
    if "--vary" not in words:
        return list(words)
    kept = words[words.index("--vary") + 1]
    return [*without(words, "--vary", "--design"), "--vary", kept]


def changed(words: Sequence[str], url: str, vectors: str) -> list[str]:
    """The command with the scripted model for all models that it names; a run of one task."""
    told = [re.sub(rf"\b(?:{'|'.join(STANDS)})$", "openai:scripted", word) for word in words]
    told = [re.sub(r"\b(google|openai):NAME$", r"\1:scripted", word) for word in told]
    told = [word.replace("EMBEDDER", "openai:vectors") for word in told]
    if "--judge" in told:
        told += ["--judge-url", url]
    if told[0] not in ("run", "sweep"):
        return told
    told = [_fewer(word) for word in without(told, "--attempts", "--sample")]
    for option in ("--role-model", "--server-model"):
        for name in [told[at + 1].partition("=")[0] for at, word in enumerate(told) if word == option]:
            told += [f"{option}-url", f"{name}={vectors if name == 'embedding' else url}"]
    sandbox = ["docker"] if told[told.index("--agent") + 1] in CLIS else ["local", "--unsafe"]
    models = ["--model-url", url, "--limit", "wall_clock_seconds=200"]
    return [*told, "--sample", "1", "--seed", "3", *models, "--sandbox", *sandbox, "--retries", "0"]


def _fewer(word: str) -> str:
    """The first values of a ``--vary``."""
    values = word.split(",")
    return ",".join(values[:TRIES]) if re.match(r"[a-z_]+=", word) and len(values) > TRIES else word


def tried(words: Sequence[str], place: Path, vectors: str) -> tuple[bool, str]:
    """Whether a command worked to its end, and what became of it."""
    with ScriptedModel(_script(words, place)) as model:
        command = [sys.executable, "-m", "pincite_harness", *changed(words, model.url, vectors)]
        given = {"PINCITE_MODEL_API_KEY": "k", "PINCITE_PASS_LABELS": "yes"}
        began = time.time()
        ended = subprocess.run(
            command, cwd=place, env={**os.environ, **given}, capture_output=True, text=True, check=False,
            timeout=SECONDS,
        )  # fmt: skip
        asked = len(model.turns)
    if words[0] not in ("run", "sweep"):
        last = (ended.stdout + ended.stderr).strip().splitlines()[-1:]
        return ended.returncode == 0, f"exit {ended.returncode}: {' '.join(last)[:160]}"
    folder = place / "runs" / words[words.index("--name") + 1]
    trials = [path for path in folder.glob("**/trial.json") if path.stat().st_mtime >= began]
    if not trials:
        return False, "no trial: " + " ".join((ended.stdout + ended.stderr).split())[-400:]
    records = [orjson.loads(path.read_bytes()) for path in sorted(trials)]
    ends = [f"{one['status']} {one.get('cause') or ''} {one.get('detail') or ''}".strip() for one in records]
    good = all(one["status"] == "completed" and one.get("answered") for one in records)
    different = ", ".join(dict.fromkeys(ends))
    return good, f"{len(ends)} trials {different}, {asked} model calls"


def _script(words: Sequence[str], place: Path) -> Script:
    """Turns enough for any of the runs; a judge alone is played by any family's player."""
    named = words[1] if words[0] in ("run", "sweep") else "figure_analysis"
    own = place / words[words.index("--tasks") + 1] if "--tasks" in words and words[0] in ("run", "sweep") else None
    return [player(family_of(named, own))] * 5000


def main() -> int:
    """Print a line for each command; 1 where one did not work to its end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], metavar="WORD", help="studies whose heading has such a word")
    parser.add_argument("--quick", action="store_true", help="of each sweep one change alone")
    parser.add_argument("--keep", type=Path, help="folder for the runs, by default one that is removed")
    chosen = parser.parse_args()
    good = total = 0
    with tempfile.TemporaryDirectory() as made, ThreadingHTTPServer(("127.0.0.1", 0), Vectors) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        vectors = f"http://127.0.0.1:{server.server_port}"
        for number, (study, commands) in enumerate(studies()):
            if not commands or (chosen.only and not any(word in study for word in chosen.only)):
                continue
            place = (chosen.keep or Path(made)) / str(number)
            place.mkdir(parents=True)
            lay_out(study, place)
            print(f"## {study}", flush=True)
            for words in commands:
                began = time.monotonic()
                well, said = tried(first_change(words) if chosen.quick else words, place, vectors)
                good, total = good + well, total + 1
                name = words[words.index("--name") + 1] if "--name" in words else ""
                mark = "" if well else "BAD: "
                print(f"{mark}{' '.join(words[:2])} {name}: {said} ({time.monotonic() - began:.0f} s)", flush=True)
        server.shutdown()
    print(f"{good} of {total} commands worked to their end")
    return int(good < total)


if __name__ == "__main__":
    sys.exit(main())
