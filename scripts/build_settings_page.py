"""Writes docs/settings.md from the settings classes: python scripts/build_settings_page.py."""

import types
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt
from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from pincite_core.http_settings import HttpSettings
from pincite_core.settings import Settings

PAGE = Path(__file__).parents[1] / "docs/settings.md"
INTRODUCTION = """# Settings

Every setting is a variable of the environment. Servers, `pincite run` and the Python door (`pincite.Settings`: the
names in small letters without `PINCITE_`) read the same ones; an invalid value is refused with its reason. This page
is written from the settings classes by `python scripts/build_settings_page.py`.
"""
KINDS = {bool: "yes or no", int: "whole number", float: "number", str: "text", Path: "path", SecretStr: "secret"}
MIB = 1 << 20


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION, "## Papers, sources, models, records\n", *_table(Settings)]
    parts += ["\n## Who may call a server over HTTP\n", *_table(HttpSettings)]
    return "\n".join(parts) + "\n"


def _table(settings: type[Settings] | type[HttpSettings]) -> list[str]:
    lines = ["| setting | kind | default | what it does |", "|---|---|---|---|"]
    for name, field in settings.model_fields.items():
        about = " ".join((field.description or "").split()).replace("|", "\\|")
        lines.append(f"| `PINCITE_{name.upper()}` | {_kind(field)} | {_default(name, field)} | {about} |")
    return lines


def _kind(field: FieldInfo) -> str:
    kind = _plain(field.annotation)
    limits = [f"from {one.ge:g}" for one in field.metadata if isinstance(one, Ge) and isinstance(one.ge, (int, float))]
    limits += [
        f"above {one.gt:g}" for one in field.metadata if isinstance(one, Gt) and isinstance(one.gt, (int, float))
    ]
    return ", ".join([kind, *limits])


def _plain(annotation: Any) -> str:
    """The kind of a value in words."""
    origin = get_origin(annotation)
    if origin is Literal:
        return ", ".join(f"`{one}`" for one in get_args(annotation) if one)
    if origin in (Union, types.UnionType):
        return " or ".join(_plain(one) for one in get_args(annotation) if one is not type(None))
    if origin is tuple:
        return f"list ({_plain(get_args(annotation)[0])})"
    if origin is dict:
        return "JSON object"
    return KINDS.get(annotation, getattr(annotation, "__name__", str(annotation)))


def _default(name: str, field: FieldInfo) -> str:
    """The default as it is set; what is found out on each machine is told by the description."""
    value: Any = field.default
    if value is PydanticUndefined:
        return "see there"
    if value in (None, "", (), {}):
        return "none"
    if name.endswith("_bytes"):
        return f"{value} ({value / MIB:g} MiB)"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return f"`{','.join(map(str, value))}`"
    return f"{value:g}" if isinstance(value, float) else f"`{value}`" if isinstance(value, str) else str(value)


if __name__ == "__main__":
    PAGE.write_text(page())
    print(f"wrote {PAGE}")
