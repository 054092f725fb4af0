"""WebChoice: which web the servers of a run see, and works until when."""

from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from pincite_core.errors import BadInputError
from pincite_core.settings import load_settings
from pincite_tasks.files import digest_folder

WebMode = Literal["live", "record", "replay", "replay-or-live"]
SeenWeb = WebMode | Literal["corpus"]


class WebChoice(BaseModel):
    """The web of a run: part of its specification, so that a resumed run keeps it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    mode: WebMode = "live"
    store: str | None = None
    """Folder of the recorded web, absolute; there is one unless the web is live."""
    before: date | None = None
    """The user's own cutoff when the run was started."""
    corpora: bool = True
    """Whether tasks that bring a made-up literature see it and nothing else: not where ``--web live`` was asked for."""

    def cutoff(self, task: date | None, user: date | None) -> date | None:
        """The day from which works do not exist in a trial: the earliest that the task, the run, or the user now
        (``PINCITE_BEFORE``) sets."""
        days = [day for day in (task, self.before, user) if day is not None]
        return min(days, default=None)

    def environment(self, cutoff: date | None) -> dict[str, str]:
        """The variables by which servers see this web; an empty one counts as not set."""
        return {
            "PINCITE_HTTP_MODE": self.mode,
            "PINCITE_HTTP_STORE": self.store or "",
            "PINCITE_BEFORE": cutoff.isoformat() if cutoff is not None else "",
        }

    def seen(self, *, corpus: bool) -> SeenWeb:
        """What the servers of a trial with or without a made-up literature saw; a recording is one of either web."""
        return "corpus" if corpus and self.mode == "live" else self.mode

    def digests(self) -> dict[str, str]:
        """What a replayed run depends on beyond tasks and agent: the recorded web, by the digest of all its files."""
        if self.mode != "replay" or self.store is None:
            return {}
        return {"web": digest_folder(Path(self.store))}


def choose_web(mode: WebMode | None, store: Path | None) -> WebChoice:
    """The web that options name, else the user's own ``PINCITE_HTTP_MODE`` and ``PINCITE_HTTP_STORE``; the option
    "live" means the real one, also for tasks that bring a made-up literature.

    BadInputError where mode and store do not fit, or where there is no store to replay.
    """
    settings = load_settings()
    corpora = mode != "live"
    mode = mode or settings.http_mode
    if mode == "live":
        if store is not None:
            raise BadInputError("A live web has no store.", next="Add --web record or --web replay.")
        return WebChoice(before=settings.before, corpora=corpora)
    folder = store or settings.http_store
    if folder is None:
        raise BadInputError(f"--web {mode} needs a store.", next="Name its folder with --web-store.")
    if mode != "record" and not folder.is_dir():
        raise BadInputError(
            f"There is no recorded web in {folder}.", next="Check --web-store, or record one: --web record."
        )
    return WebChoice(mode=mode, store=str(folder.resolve()), before=settings.before)
