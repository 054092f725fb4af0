"""Dataset: a published data set that becomes tasks of a family, and where its reader is."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from pydantic import ValidationError

from pincite_core.errors import BadInputError, LimitReachedError, NotFoundError, UnreadableError
from pincite_core.lazy import load
from pincite_harness.labels.outcomes import Correction
from pincite_tasks.task import Record

BROKEN = (BadInputError, NotFoundError, LimitReachedError, UnreadableError, UnicodeDecodeError, ValidationError)
"""Faults of one item of a data set."""


def _say_nothing(_note: str) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How to read a data set; a reader says through ``note`` what it left out and why, one line each."""

    papers: Path | None = None
    """Folder of the papers that the records name, where the data set does not hold them itself."""
    limit: int | None = None
    """So many tasks at most; the import stops there, so that a reader need not count."""
    note: Callable[[str], None] = _say_nothing
    broken: list[Exception] = field(default_factory=list[Exception])
    """What was wrong with the items that were left out as broken, in their order."""
    corrections: Sequence[Correction] = ()
    """What people's labels change of the gold, by task."""

    @contextmanager
    def item(self, where: str) -> Generator[None]:
        """Leave out an item that is broken, with a note that names it, instead of ending the import."""
        try:
            yield
        except BROKEN as error:
            self.leave_out(where, error)

    def leave_out(self, where: str, error: Exception) -> None:
        """Note an item that is broken, and keep what was wrong with it."""
        self.broken.append(error)
        said = " ".join(str(error).split())
        self.note(said if said.startswith(where) else f"{where}: {said}")


@dataclass(frozen=True, slots=True)
class DatasetEntry:
    """One task, and the files that its inputs name: their bytes or where they lie, by their path in the family."""

    record: Record
    sources: Mapping[str, Path | bytes] = field(default_factory=dict[str, Path | bytes])
    servers: tuple[str, ...] = ()
    """Servers that the task needs beside the family's own."""


Reader = Callable[[Path, ImportOptions], Iterator[DatasetEntry]]
"""Reads a file or folder piece by piece; a fault is a BadInputError with file and line."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A published data set; ``licence`` and ``title`` go into the metadata of every task made of it."""

    name: str
    family: str
    title: str
    licence: str
    reader: str
    """``module:function``, imported when it is used."""
    recognises: Callable[[Path], bool]
    """Whether a file or folder looks like this data set by its names, where a family has several."""
    urls: tuple[str, ...] = ()
    """Files that ``fetch`` gets; none where no stable address is known."""
    where: str = ""
    """Where to get it by hand."""

    def read(self, source: Path, options: ImportOptions) -> Iterator[DatasetEntry]:
        """The tasks in ``source``, each with its metadata's ``licence`` and ``source`` where the reader gave none."""
        reader = cast("Reader", load(self.reader))
        for entry in reader(source, options):
            metadata = {"licence": self.licence, "source": self.title, **entry.record.metadata}
            yield replace(entry, record=entry.record.model_copy(update={"metadata": metadata}))


def named(*patterns: str) -> Callable[[Path], bool]:
    """Recognises a file by its name, or a folder by the name of a file in it, in any case."""

    def recognises(source: Path) -> bool:
        files = source.iterdir() if source.is_dir() else [source]
        return any(Path(file.name.lower()).match(pattern) for file in files for pattern in patterns)

    return recognises


def holding(*patterns: str) -> Callable[[Path], bool]:
    """Recognises a folder by what lies in it."""
    return lambda source: source.is_dir() and any(any(source.glob(pattern)) for pattern in patterns)


OWN = "own"
"""The name of what a user wrote, in every family."""
DATASETS: tuple[Dataset, ...] = (
    Dataset(
        name="supercon",
        family="precedent_search",
        title="SuperCon (NIMS): materials with Tc or Tcn, list of the reliability-gap study",
        licence="CC-BY-4.0",
        reader="pincite_harness.curation.importing.supercon:read_supercon",
        recognises=named("supercon_tc_tcn*.csv"),
        where="SuperCon_Tc_Tcn*.csv of the study's public repository; the data are of NIMS.",
    ),
    Dataset(
        name="sofc-exp",
        family="record_filling",
        title="SOFC-Exp corpus: experiments with solid oxide fuel cells (Friedrich et al. 2020)",
        licence="CC-BY-4.0",
        reader="pincite_harness.curation.importing.sofc:read_sofc",
        recognises=holding("annotations/frames", "*/annotations/frames"),
        where="The folder sofc-exp-corpus of boschresearch/sofc-exp_textmining_resources.",
    ),
    Dataset(
        name="nerre",
        family="record_filling",
        title="NERRE: hosts and dopants of abstracts (Dagdelen et al. 2024)",
        licence="MIT",
        reader="pincite_harness.curation.importing.nerre:read_nerre",
        recognises=named("train.json", "test.json", "*doping*.json", "*doping*.jsonl"),
        where="doping/data/train.json and test.json of lbnlp/NERRE; the abstracts are their publishers'.",
    ),
    Dataset(
        name="nerre-general",
        family="record_filling",
        title="NERRE: general materials in abstracts (Dagdelen et al. 2024)",
        licence="MIT",
        reader="pincite_harness.curation.importing.nerre_general:read_nerre_general",
        recognises=holding("fold_*/val.jsonl"),
        where="The folder general_and_mofs/data/experiments_general of lbnlp/NERRE; the abstracts are their "
        "publishers'.",
    ),
    Dataset(
        name="adjuvant",
        family="record_filling",
        title="Vaccine adjuvants, document by document (SudokuFill, Li et al. 2026), or records like them",
        licence="as the data set states",
        reader="pincite_harness.curation.importing.adjuvant:read_adjuvants",
        recognises=named("*adjuva*.json", "*adjuva*.jsonl", "*adjuva*.csv", "*adjuva*.tsv"),
        where="The data set of the publication (Findings of ACL 2026) as JSON or CSV, a record a row with its paper's "
        "name; papers with --papers where it holds no text.",
    ),
    Dataset(
        name=OWN,
        family="record_filling",
        title="Your own schema and records",
        licence="your own",
        reader="pincite_harness.curation.importing.own_records:read_own_records",
        recognises=named("schema.toml", "schema.json"),
        where="A folder with schema.toml, records and papers of your own.",
    ),
    Dataset(
        name="aoe",
        family="table_construction",
        title="AOE: Arranged and Organized Extraction (Zhong et al. 2025)",
        licence="MIT",
        reader="pincite_harness.curation.importing.aoe:read_aoe",
        recognises=named("all_aoe_tables.jsonl", "task_config.yaml", "*_*.csv"),
        urls=tuple(
            f"https://huggingface.co/datasets/tianyumyum/AOE/resolve/main/{path}"
            for path in ("table_data/all_AOE_tables.jsonl", "documents.tar")
        ),
        where="table_data/all_AOE_tables.jsonl and documents.tar of the data set tianyumyum/AOE; the documents are "
        "their publishers'.",
    ),
    Dataset(
        name=OWN,
        family="table_construction",
        title="Your own queries and tables",
        licence="your own",
        reader="pincite_harness.curation.importing.own_tables:read_own_tables",
        recognises=named("tasks.toml"),
        where="A folder with tasks.toml, tables (CSV) and papers of your own.",
    ),
    Dataset(
        name="analyses",
        family="figure_analysis",
        title="Analyses of tables and figures (AnaBench, Guo et al. 2026), or instances like them",
        licence="as the data set states",
        reader="pincite_harness.curation.importing.analyses:read_analyses",
        recognises=named("*.json", "*.jsonl"),
        where="We know of no place where AnaBench's files are published: give JSON or JSON lines of instances, as "
        "docs/tasks.md says, or build tasks of your own papers with pincite tasks build figure_analysis.",
    ),
    Dataset(
        name="lab-bench",
        family="literature_qa",
        title="LAB-Bench (Laurent et al. 2024)",
        licence="CC-BY-SA-4.0",
        reader="pincite_harness.curation.importing.labbench:read_questions",
        recognises=named("*-v1-public.jsonl", "*-v2-public.jsonl"),
        urls=("https://raw.githubusercontent.com/Future-House/LAB-Bench/main/LitQA2/litqa-v2-public.jsonl",),
        where="LitQA2/, FigQA/, TableQA/, SuppQA/ and ProtocolQA/ of Future-House/LAB-Bench, with their pictures.",
    ),
    Dataset(
        name="labbench2",
        family="literature_qa",
        title="LABBench2 (Edison Scientific 2026)",
        licence="CC-BY-SA-4.0",
        reader="pincite_harness.curation.importing.labbench:read_questions",
        recognises=named("*qa2*.jsonl", "litqa3*.jsonl", "patentqa*.jsonl", "trialqa*.jsonl", "sourcequality*.jsonl"),
        where="The data set EdisonScientific/labbench2 of Hugging Face as JSON lines, with the questions' files.",
    ),
    Dataset(
        name=OWN,
        family="literature_qa",
        title="Your own questions",
        licence="your own",
        reader="pincite_harness.curation.importing.labbench:read_questions",
        recognises=named("questions.jsonl"),
        where="JSON lines of your own: id, question, ideal, and distractors or files where there are some.",
    ),
)


def choose_dataset(family: str, name: str | None, source: Path | None = None) -> Dataset:
    """The family's data set of that name; without a name its only one, or the only one that recognises ``source``.

    Without a source, as for ``fetch``, what is a user's own is none of them.
    """
    return choose(DATASETS, family, name, source)


def choose(table: Iterable[Dataset], family: str, name: str | None, source: Path | None) -> Dataset:
    """As ``choose_dataset``, from ``table``."""
    known = [dataset for dataset in table if dataset.family == family]
    fitting = [dataset for dataset in known if name is None or dataset.name == name]
    if not fitting:
        raise NotFoundError(
            f"{family} has no importer for {name!r}." if known else f"No data set is known for {family}.",
            seen=", ".join(dataset.name for dataset in known),
            next="Give one of these to --dataset." if known else "Write a family of your own: docs/tasks.md.",
        )
    if len(fitting) > 1 and source is not None:
        fitting = [dataset for dataset in fitting if dataset.recognises(source)] or fitting
    elif len(fitting) > 1:
        fitting = [dataset for dataset in fitting if dataset.name != OWN]
    if len(fitting) > 1:
        raise BadInputError(
            f"{family} has several data sets" + (f", and {source} does not show which it is." if source else "."),
            seen=", ".join(dataset.name for dataset in fitting),
            next="Say which with --dataset.",
        )
    return fitting[0]
