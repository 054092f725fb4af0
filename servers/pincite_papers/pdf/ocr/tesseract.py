"""The tesseract program: what it is, which languages it has, and one run of it on one picture.

Pictures and answers go through files without a name, so that a process that is killed leaves nothing behind.
"""

import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.errors import LimitReachedError, UnavailableError
from pincite_papers.limits import die_with

Raster = npt.NDArray[np.uint8]
"""Uint8 (height, width): a picture in grey, 255 for white."""

INSTALL = "apt install tesseract-ocr (Debian, Ubuntu) or brew install tesseract (macOS)"
PAGE_SECONDS = 60.0
"""Seconds to read one page. Set by judgement."""
_ASK_SECONDS = 20.0
"""Seconds until tesseract has said its version or languages. Set by judgement."""
_MOST_OUTPUT = 32 << 20
"""Bytes of what it prints for a page. Set by judgement."""
_LANGUAGE = re.compile(r"[A-Za-z0-9_]+(?:/[A-Za-z0-9_]+)?")


@dataclass(frozen=True, slots=True)
class Program:
    """An installed tesseract: its path, its version ("5.3.0") and the languages it has data for."""

    path: str
    version: str
    languages: frozenset[str]


@functools.cache
def find_program() -> Program:
    """The installed tesseract; UnavailableError names the install line."""
    path = shutil.which("tesseract")
    if path is None:
        raise UnavailableError("OCR needs the program tesseract, which is not installed.", next=INSTALL)
    said = _ask(path, "--version")
    listed = _ask(path, "--list-langs")
    version = re.search(r"tesseract v?(\d[\w.]*)", said)
    languages = {line.strip() for line in listed.splitlines() if _LANGUAGE.fullmatch(line.strip())}
    if version is None or not languages:
        raise UnavailableError(
            "The program tesseract does not work here.", seen=f"{said[:200]} {listed[:200]}".strip(), next=INSTALL
        )
    return Program(path, version[1], frozenset(languages))


def check_languages(program: Program, languages: tuple[str, ...]) -> None:
    """UnavailableError when tesseract has no data for one of the languages; it names them and the install line."""
    missing = [name for name in languages if name not in program.languages]
    if missing:
        packages = " ".join("tesseract-ocr-" + name.lower().replace("_", "-").replace("/", "-") for name in missing)
        raise UnavailableError(
            f"tesseract has no data for the language{'s' if len(missing) > 1 else ''} {', '.join(missing)}.",
            seen="it has " + ", ".join(sorted(program.languages)),
            next=f"apt install {packages}, or name other languages in PINCITE_OCR_LANGUAGES.",
        )


class Run:
    """One tesseract at work on a picture, at most ``seconds``; ends with this process. ``end`` it in any case."""

    def __init__(self, program: Program, raster: Raster, dpi: float, *arguments: str, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds
        self._output = tempfile.TemporaryFile()  # noqa: SIM115
        with tempfile.TemporaryFile() as picture:
            picture.write(b"P5 %d %d 255\n" % (raster.shape[1], raster.shape[0]))
            picture.write(np.ascontiguousarray(raster).data)
            picture.flush()
            picture.seek(0)
            parent = os.getpid()
            self._child = subprocess.Popen(
                [program.path, "stdin", "stdout", "--dpi", str(round(dpi)), *arguments],
                stdin=picture,
                stdout=self._output,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},
                preexec_fn=(lambda: die_with(parent)) if sys.platform == "linux" else None,  # noqa: PLW1509
            )

    @property
    def done(self) -> bool:
        """Whether it has answered or failed."""
        return self._child.poll() is not None

    def result(self) -> bytes:
        """What it printed; LimitReachedError when its time is over, UnavailableError when it failed."""
        try:
            status = self._child.wait(max(self._deadline - time.monotonic(), 0.0))
        except subprocess.TimeoutExpired:
            raise LimitReachedError(
                "tesseract took too long for one picture.", seen=f"the limit is {PAGE_SECONDS:g} s"
            ) from None
        finally:
            self._stop()
        try:
            self._output.seek(0)
            printed = self._output.read(_MOST_OUTPUT + 1)
        finally:
            self._output.close()
        if status or len(printed) > _MOST_OUTPUT:
            ended = signal.Signals(-status).name if status < 0 else f"exit status {status}"
            raise UnavailableError("tesseract failed on a picture.", seen=ended)
        return printed

    def end(self) -> None:
        """Kill it if it still runs, and drop its answer."""
        self._stop()
        self._output.close()

    def _stop(self) -> None:
        if self._child.poll() is None:
            with suppress(ProcessLookupError):
                self._child.kill()
            self._child.wait()


def _ask(path: str, option: str) -> str:
    try:
        answer = subprocess.run(
            [path, option], capture_output=True, text=True, errors="replace", timeout=_ASK_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnavailableError(
            "The program tesseract cannot be run.", seen=f"{type(error).__name__}: {error}", next=INSTALL
        ) from error
    return answer.stdout + answer.stderr
