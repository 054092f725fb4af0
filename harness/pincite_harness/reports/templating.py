"""The jinja2 environment of every page: each value is escaped, and one that is missing is an error."""

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from html import escape
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from pincite_harness.reports.markup import Markup

_REPORTS = "pincite_harness.reports"


def make_environment(*packages_named: str) -> Environment:
    """Templates of the packages, the first that has one of a name, and else of the reports."""
    packages = dict.fromkeys((*packages_named, _REPORTS))
    return Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in packages]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(template: str, context: Mapping[str, Any], package: str = _REPORTS) -> Markup:
    """A template filled in, to be put into another as it is."""
    return Markup(_kept_environment(package).get_template(template).render(context))


def inline_digest(text: str) -> str:
    """What a Content-Security-Policy allows a script or style by that stands in the page itself."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _kept_environment(package: str) -> Environment:
    environment = make_environment(package)
    environment.finalize = _escape
    return environment


def _escape(value: Any) -> Any:
    """A text escaped as ``tag`` does: apostrophes stay, so attributes of these templates stand in double quotes."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    return Markup(escape(value, quote=False).replace('"', "&quot;"))
