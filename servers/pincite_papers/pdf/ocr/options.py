"""What OCR may do: the settings as they travel to a parsing process."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pincite_core.settings import Settings


@dataclass(frozen=True, slots=True)
class OcrOptions:
    """Languages of tesseract, seconds for one paper, programs at once, and a folder for pages that were read before.

    ``cache`` is a folder and its bound in bytes; "" for none.
    """

    languages: tuple[str, ...]
    seconds: float
    workers: int
    cache_dir: str = ""
    cache_max_bytes: int = 0

    @classmethod
    def of(cls, settings: Settings) -> "OcrOptions | None":
        """What the settings allow; None when OCR is switched off."""
        if settings.ocr == "off":
            return None
        return cls(
            settings.ocr_languages,
            settings.ocr_seconds,
            settings.parse_workers,
            str(settings.cache_dir) if settings.cache_max_bytes else "",
            settings.cache_max_bytes,
        )

    @classmethod
    def received(cls, values: dict[str, Any]) -> "OcrOptions":
        """What ``sent`` made, on the other side."""
        return cls(
            tuple(values["languages"]),
            values["seconds"],
            values["workers"],
            values["cache_dir"],
            values["cache_max_bytes"],
        )

    def sent(self) -> dict[str, Any]:
        """The options as JSON values."""
        return asdict(self)

    @property
    def cache(self) -> Path | None:
        """The folder for pages that were read before."""
        return Path(self.cache_dir) if self.cache_dir else None
