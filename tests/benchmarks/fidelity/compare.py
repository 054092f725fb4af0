"""Compare pincite with the parsers that are installed: quality, speed and memory over the same files in one run.

python tests/benchmarks/fidelity/compare.py [--peers PYTHON] [--folder DIR] [--only NAME …] [--docs DIR]

Peers may live in another Python (``--peers``). A PDF of one's own folder is scored where its XML twin lies beside it.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import pypdfium2
from lines import Lines, score_reading
from load import load_truth
from pairs import SETS, find_pairs, twin_of
from reading import Reading
from results import ParserResult, write_documents
from rich.console import Console
from rich.progress import Progress, TextColumn
from truth import Truth
from typeset import TYPESET, typeset_papers

_RUNNER = Path(__file__).with_name("run_parser.py")
_OWN = "pincite"


def main() -> int:
    """Print the table, write it with its plots when asked; 1 when there is no file to read."""
    arguments = _arguments()
    with tempfile.TemporaryDirectory(prefix="pincite-fidelity-") as folder:
        sets = _sets(arguments.folder, Path(folder))
        if not sets:
            print("No PDF was found.", file=sys.stderr)
            return 1
        results = _run_all(sets, arguments)
    for name in sets:
        _print(name, [result for result in results if result.set == name])
    if arguments.docs:
        write_documents(results, arguments.docs)
    return 0


Files = list[tuple[Path, Truth | None]]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=Path, default=Path(sys.executable), help="Python that has the peers")
    parser.add_argument("--folder", type=Path, help="read the PDFs of this folder instead of the sets")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="only these parsers")
    parser.add_argument("--docs", type=Path, help="write table and plots into this folder")
    return parser.parse_args()


def _sets(folder: Path | None, scratch: Path) -> dict[str, Files]:
    """The files of each set with their truths."""
    if folder is not None:
        pdfs = sorted(folder.glob("*.pdf"))
        return (
            {folder.name: [(pdf, load_truth(twin) if (twin := twin_of(pdf)) else None) for pdf in pdfs]} if pdfs else {}
        )
    sets: dict[str, Files] = {name: [(pdf, load_truth(xml)) for pdf, xml in find_pairs(name)] for name in SETS}
    sets[TYPESET] = list(typeset_papers(scratch))
    return {name: files for name, files in sets.items() if files}


def _run_all(sets: dict[str, Files], arguments: argparse.Namespace) -> list[ParserResult]:
    parsers = [(_OWN, Path(sys.executable))]
    listed = subprocess.run([arguments.peers, _RUNNER, "--list"], capture_output=True, check=True, text=True).stdout
    parsers += [(name, arguments.peers) for name in json.loads(listed) if name != _OWN]
    parsers = [(name, python) for name, python in parsers if not arguments.only or name in arguments.only]
    results: list[ParserResult] = []
    columns = (*Progress.get_default_columns(), TextColumn("{task.fields[now]}"))
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("parsers", total=len(parsers) * sum(map(len, sets.values())), now="")
        for name, python in parsers:
            for set_name, files in sets.items():
                before = sum(result.files for result in results)
                for result in _run(name, python, set_name, files):
                    progress.update(task, completed=before + result.files, now=f"{name} {set_name}")
                results.append(result)
    return results


def _run(name: str, python: Path, set_name: str, files: Files) -> Iterator[ParserResult]:
    """One parser over one set, in a process of its own: its growing result, after each file and at the end."""
    pages = {str(path): _pages(path) for path, _ in files}
    truths = {str(path): truth for path, truth in files}
    result = ParserResult(name, set_name, Lines())
    command = [python, _RUNNER, name, *truths]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        for line in process.stdout:
            answer = json.loads(line)
            if "failed" in answer:
                result.failures.append(answer["failed"])
            elif "peak_mib" in answer:
                result.peak_mib = answer["peak_mib"]
            else:
                _take(result, answer, truths[answer["file"]], pages[answer["file"]])
                yield result
    yield result


def _take(result: ParserResult, answer: dict, truth: Truth | None, pages: int) -> None:
    result.files += 1
    result.seconds += answer["seconds"]
    result.pages += pages
    if "error" in answer:
        result.failures.append(f"{Path(answer['file']).name}: {answer['error']}")
    reading = Reading(**answer["reading"]) if "reading" in answer else Reading()
    result.characters += len(reading.whole)
    if truth is not None:
        result.lines.add(score_reading(truth, reading, cut=result.name != _OWN))


def _pages(path: Path) -> int:
    with pypdfium2.PdfDocument(path) as document:
        return len(document)


def _print(name: str, results: list[ParserResult]) -> None:
    print(f"\n{name}: {results[0].pages} pages")
    print("\n".join(result.row() for result in results))
    for result in results:
        for failure in result.failures[:3]:
            print(f"  {result.name} failed: {failure}")


if __name__ == "__main__":
    raise SystemExit(main())
