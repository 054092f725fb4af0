"""How this machine reaches packages: what apt, pip and npm are set up for, as files for a build.

Only addresses, credentials, proxies and certificates are taken; what a container cannot see (``file://``) is left out.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from pincite_core.errors import UnavailableError

BUNDLE = Path("/etc/ssl/certs/ca-certificates.crt")

_PIP_KEYS = {"index-url", "extra-index-url", "trusted-host", "proxy", "timeout", "default-timeout", "retries"}
_NPM_LINE = re.compile(r"\s*(registry|@[\w.-]+:registry|//\S+:_?\w+|proxy|https-proxy|noproxy|strict-ssl)\s*=\s*(.+)")
_PROXIES = ("http_proxy", "https_proxy", "ftp_proxy", "no_proxy", "all_proxy")


def build_files() -> dict[str, bytes]:
    """Content of ``sources.list``, ``apt.conf``, ``pip.conf``, ``npmrc`` and ``ca.crt`` by name, each only where this
    machine has something to say."""
    try:
        sources = apt_sources()[1]
    except UnavailableError:
        sources = []
    lines = {
        "sources.list": sources,
        "apt.conf": [f"{option};" for option in apt_options()],
        "pip.conf": ["[global]", *pip_settings()],
        "npmrc": npm_settings(),
    }
    files = {name: "".join(f"{line}\n" for line in content).encode() for name, content in lines.items() if content}
    return files | ({"ca.crt": BUNDLE.read_bytes()} if BUNDLE.is_file() else {})


def proxies() -> dict[str, str]:
    """The proxy variables of this process, which Docker takes as build arguments and keeps out of the image."""
    names = [name for proxy in _PROXIES for name in (proxy, proxy.upper())]
    return {name: os.environ[name] for name in names if os.environ.get(name)}


def apt_sources() -> tuple[str, list[str]]:
    """The release's code name, and its sources as apt on this machine is set up for, one line each.

    UnavailableError where there are none.
    """
    release = Path("/etc/os-release").read_text(encoding="utf-8") if Path("/etc/os-release").exists() else ""
    found = re.search(r"^VERSION_CODENAME=\"?(\w+)", release, re.MULTILINE)
    if found is None or shutil.which("apt-get") is None:
        raise UnavailableError("This is not a Debian or Ubuntu release with a code name.", seen="/etc/os-release")
    codename = found[1]
    layout = "$(REPO_URI) $(RELEASE) $(COMPONENT)"
    listing = subprocess.run(
        ["apt-get", "indextargets", "--no-release-info", "Created-By: Packages", "--format", layout],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    rows = {
        line for line in listing.stdout.splitlines() if re.match(rf"{codename}(-updates|-security)?$", line.split()[1])
    }
    if not rows:
        raise UnavailableError(f"apt names no package source for {codename}.", seen=listing.stderr.strip())
    return codename, [f"deb {row}" for row in sorted(rows)]


def apt_options() -> list[str]:
    """How apt on this machine acquires packages: proxies, certificates, checks."""
    if shutil.which("apt-config") is None:
        return []
    dump = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=False).stdout
    wanted = re.compile(r'^Acquire::(https?::(Proxy|CAInfo|Verify-\w+)|Check-\w+)[^"]* ".+";$', re.IGNORECASE)
    return [line.removesuffix(";") for line in dump.splitlines() if wanted.match(line)]


def pip_settings() -> list[str]:
    """Lines of a pip.conf: indexes, trusted hosts, proxy, timeouts; variables win over files, as they do for pip."""
    listing = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False
    )
    found: dict[str, str] = {}
    for line in sorted(listing.stdout.splitlines(), key=lambda line: line.startswith(":env:")):
        if match := re.fullmatch(r"(?:global|site|user|install|:env:)\.([\w-]+)='(.*)'", line):
            found[match[1]] = match[2].replace("\\n", " ")
    found |= {key: os.environ[name] for key in _PIP_KEYS if (name := _variable(key)) in os.environ}
    lines: list[str] = []
    for key in sorted(_PIP_KEYS & found.keys()):
        seen = " ".join(word for word in found[key].split() if not word.startswith("file:"))
        lines += [f"{key} = {seen.replace('%', '%%')}"] if seen else []
    return lines


def _variable(key: str) -> str:
    return f"PIP_{key.upper().replace('-', '_')}"


def npm_settings() -> list[str]:
    """Lines of an .npmrc: registries, credentials, proxies; the user's win over the machine's."""
    lines = [
        f"{match[1]}={_filled(match[2], os.environ)}"
        for path in _npm_files()
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
        if (match := _NPM_LINE.fullmatch(line))
    ]
    variable = _npm_variable("registry")
    return [*lines, *([f"registry={variable}"] if variable else [])]


def _npm_files() -> Iterator[Path]:
    if shutil.which("npm"):
        asked = subprocess.run(["npm", "config", "get", "globalconfig"], capture_output=True, text=True, check=False)
        yield from (path for line in asked.stdout.splitlines()[-1:] if (path := Path(line.strip())).is_file())
    user = _npm_variable("userconfig")
    path = Path(user) if user else Path.home() / ".npmrc"
    if path.is_file():
        yield path


def _npm_variable(key: str) -> str:
    name = f"npm_config_{key}"
    return os.environ.get(name) or os.environ.get(name.upper(), "")


def _filled(value: str, variables: Mapping[str, str]) -> str:
    """``${NAME}`` is npm's way to keep a token out of the file."""
    return re.sub(r"\$\{(\w+)\}", lambda match: variables.get(match[1], ""), value.strip())
