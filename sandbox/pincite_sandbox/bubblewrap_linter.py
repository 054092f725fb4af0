"""The linter for bubblewrap: a command line of ``bwrap``, held against what a sealed sandbox is."""

from collections.abc import Iterator, Sequence

from .linter import NOTHING, Finding, Known, lint_shown, lint_words
from .mounts import SYSTEM

_ONE = ("--hostname", "--chdir", "--proc", "--dev", "--tmpfs", "--mqueue", "--dir", "--remount-ro", "--perms", "--size",
        "--cap-drop", "--uid", "--gid", "--unsetenv", "--seccomp", "--add-seccomp-fd")  # fmt: skip
_TWO = ("--symlink", "--setenv", "--ro-bind-data", "--chmod", "--ro-bind", "--ro-bind-try")
_BINDS = ("--ro-bind", "--ro-bind-try")
_WRITABLE = ("--bind", "--bind-try", "--dev-bind", "--dev-bind-try", "--bind-data", "--file", "--bind-fd")
_NONE = ("--unshare-all", "--unshare-user", "--unshare-user-try", "--unshare-ipc", "--unshare-pid", "--unshare-net",
         "--unshare-uts", "--unshare-cgroup", "--unshare-cgroup-try", "--die-with-parent", "--new-session",
         "--as-pid-1", "--clearenv", "--disable-userns", "--assert-userns-disabled")  # fmt: skip
_NEEDED = {
    "--unshare-pid": "the machine's processes are seen",
    "--unshare-net": "the machine's network is reached",
    "--unshare-ipc": "the machine's shared memory is reached",
    "--unshare-uts": "the machine's name can be changed",
    "--new-session": "the terminal can be written to",
    "--die-with-parent": "it outlives the harness",
}


def lint_bubblewrap(command: Sequence[str], known: Known = NOTHING, capabilities: Sequence[str] = ()) -> list[Finding]:
    """What is wrong with a command line that begins with ``bwrap``; ``capabilities`` are those that the supervisor of a
    root harness needs."""
    options = list(_options(command[1:]))
    names = {name for name, _ in options}
    found = [
        Finding("namespace", text, f"Give bwrap {name}.")
        for name, text in _NEEDED.items()
        if name not in names and not (name.startswith("--unshare") and "--unshare-all" in names)
    ]
    if ("--cap-drop", ("ALL",)) not in options:
        found.append(Finding("capabilities", "not all are dropped", "Give bwrap --cap-drop ALL."))
    if ("--remount-ro", ("/",)) not in options:
        found.append(Finding("writable root", "the root is writable", "Give bwrap --remount-ro /."))
    for name, words in options:
        found += _lint_option(name, words, known, capabilities)
    return found


def _lint_option(name: str, words: tuple[str, ...], known: Known, capabilities: Sequence[str]) -> list[Finding]:
    if name in _BINDS:
        if words[0] in SYSTEM or words == ("/dev/null", words[1]):
            return []
        return lint_shown([(words[0], True)], known)
    if name in _WRITABLE:
        return [Finding("writable mount", " ".join((name, *words)), f"Use --ro-bind for {words[0]}, or leave it out.")]
    if name == "--cap-add" and words[0] not in capabilities:
        return [Finding("capabilities", f"added: {words[0]}", f"Take --cap-add {words[0]} out.")]
    if name == "--share-net":
        return [Finding("network", "the machine's network", "Take --share-net out; the doors are Unix sockets.")]
    if name == "--setenv":
        return lint_words({words[0]: words[1]})
    if name in (*_ONE, *_TWO, *_NONE, "--cap-add"):
        return []
    return [Finding("option", name, f"Take {name} out: nobody has looked at what it opens.")]


def _options(words: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each option with its words, up to the command."""
    at = 0
    while at < len(words) and words[at].startswith("--") and words[at] != "--":
        count = 2 if words[at] in (*_TWO, *_WRITABLE) else 1 if words[at] in (*_ONE, "--cap-add") else 0
        yield words[at], tuple(words[at + 1 : at + 1 + count])
        at += 1 + count
