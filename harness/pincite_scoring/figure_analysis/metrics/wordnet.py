"""WordNet for NLTK: from the folder of a setting, NLTK's own data, or Debian's package ``wordnet-base``."""

import functools
import io
import warnings
from pathlib import Path
from typing import Any, cast

from pincite_core.errors import BadInputError, MissingExtraError

DEBIAN = Path("/usr/share/wordnet")
_PARTS = ("adj", "adv", "noun", "verb")
_NEEDED = (*(f"{kind}.{part}" for kind in ("index", "data") for part in _PARTS), *(f"{part}.exc" for part in _PARTS))
_NOUNS = (
    "Tops act animal artifact attribute body cognition communication event feeling food group location motive object "
    "person phenomenon plant possession process quantity relation shape state substance time"
)
_VERBS = (
    "body change cognition communication competition consumption contact creation emotion motion perception possession "
    "social stative weather"
)
_LEXNAMES = (("adj", "all pert"), ("adv", "all"), ("noun", _NOUNS), ("verb", _VERBS), ("adj", "ppl"))
"""The names of WordNet's files by number (lexnames(5WN)), which Debian's package leaves out."""


def find_wordnet(setting: Path | None) -> Path | None:
    """The folder of WordNet's database; None where there is none, and BadInputError where the setting names no such
    folder. A database that NLTK keeps zipped counts where it is unpacked."""
    try:
        import nltk
    except ImportError:
        raise MissingExtraError.of("scoring", needed_for="METEOR") from None
    if setting is not None:
        if not _is_database(setting):
            raise BadInputError(
                "PINCITE_WORDNET cannot be used.",
                seen=f"{setting} has not all of {', '.join(_NEEDED)}",
                next="Give the folder of WordNet's database files.",
            )
        return setting
    places = [Path(place) / "corpora" / "wordnet" for place in _data_folders(nltk)]
    return next((place for place in (*places, DEBIAN) if _is_database(place)), None)


def load_wordnet(folder: Path) -> Any:
    """NLTK's reader of the database in ``folder``, loaded once: that takes seconds and about 100 MB. One thread at a
    time may use it."""
    import nltk

    # NLTK reads below its data folders only, also later; this is how it wants others named.
    if str(folder) not in (known := _data_folders(nltk)):
        known.append(str(folder))
    return _reader(folder)


@functools.cache
def _reader(folder: Path) -> Any:
    from nltk.corpus.reader.wordnet import WordNetCorpusReader
    from nltk.data import FileSystemPathPointer

    class Reader(WordNetCorpusReader):
        """Without what is for other languages only, and with the names of files where they are left out."""

        def open(self, file: str) -> Any:
            if file == "lexnames" and not (folder / file).is_file():
                return io.StringIO(_lexnames())
            return cast("Any", super()).open(file)

        def map_wn(self, version: str = "wordnet") -> None:
            return None

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Reader(FileSystemPathPointer(str(folder)), None)


def _data_folders(nltk: Any) -> list[str]:
    return nltk.data.path


def _lexnames() -> str:
    names = [f"{kind}.{part}" for kind, parts in _LEXNAMES for part in parts.split()]
    return "".join(f"{number:02d}\t{name}\t0\n" for number, name in enumerate(names))


def _is_database(folder: Path) -> bool:
    return all((folder / name).is_file() for name in _NEEDED)
