"""Reading and writing regular files under a root without ever following a symbolic link.

As a program: ``files get ROOT PATH MAX`` writes the file to stdout, ``files put ROOT PATH SIZE`` reads SIZE bytes from
stdin, and so does ``files put_all ROOT - SIZE``, whose bytes are ``pack_files``. ``files start ROOT`` waits for
``pack_orders`` on stdin, puts their files and becomes their command. A failure is one JSON object {"error", "what"} on
stderr and exit code 1.
"""

from __future__ import annotations

import errno
import os
import signal
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    # What only annotations need is not loaded: this module's program starts for every trial.
    from collections.abc import Mapping, Sequence

_CHUNK = 1 << 20
"""Bytes that are read at once."""


class FileTrouble(Exception):  # noqa: N818
    """A file failed; ``kind`` is not_found, forbidden, limit_reached, bad_input or unavailable."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(what)
        self.kind = kind
        self.what = what


def split(root: str, path: str) -> list[str]:
    """The components of ``path`` below ``root``; FileTrouble when it leads out or names the root itself."""
    if "\0" in path:
        raise FileTrouble("bad_input", "A path cannot hold a NUL character.")
    inside = os.path.normpath(path)
    if path.startswith("/"):
        inside = os.path.relpath(inside, root)
    parts = inside.split("/")
    if parts[0] == ".." or ".." in path.split("/"):
        raise FileTrouble("forbidden", f"{path} leads out of the work folder {root}.")
    if inside == ".":
        raise FileTrouble("bad_input", f"{path or 'An empty path'} names the work folder, not a file in it.")
    return parts


def read_file(root: str, path: str, limit: int) -> bytes:
    """The bytes of a regular file of at most ``limit`` bytes."""
    parts = split(root, path)
    folder = _open_folder(root, parts[:-1], make=False)
    try:
        descriptor = os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError as error:
        raise _trouble(error, path) from None
    finally:
        os.close(folder)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise FileTrouble("forbidden", f"{path} is not a regular file.")
        if status.st_size > limit:
            raise FileTrouble("limit_reached", f"{path} has {status.st_size} bytes; at most {limit} are read.")
        return _read_up_to(descriptor, limit, path)
    finally:
        os.close(descriptor)


def write_file(root: str, path: str, data: bytes) -> bytes:
    """Write a file whole (a new file renamed into place), making its folders; returns nothing, as bytes."""
    parts = split(root, path)
    folder = _open_folder(root, parts[:-1], make=True)
    partial = f".{parts[-1][:200]}.part"
    try:
        if _is_folder(parts[-1], folder):
            raise FileTrouble("bad_input", f"{path} is a folder.")
        _remove(partial, folder)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(partial, flags, 0o644, dir_fd=folder)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
        finally:
            os.close(descriptor)
        os.rename(partial, parts[-1], src_dir_fd=folder, dst_dir_fd=folder)
    except OSError as error:
        _remove(partial, folder)
        raise _trouble(error, path) from None
    finally:
        os.close(folder)
    return b""


def pack_files(files: Mapping[str, bytes]) -> bytes:
    """Several files as one: the length of a listing in a line, the listing (size and path of each, between NULs), and
    their bytes one after another."""
    listing = "\0".join(f"{len(data)}\0{path}" for path, data in files.items()).encode()
    return b"%d\n" % len(listing) + listing + b"".join(files.values())


def pack_orders(
    word: str, files: Mapping[str, bytes], argv: Sequence[str], folder: str, env: Mapping[str, str]
) -> bytes:
    """What ``files start`` waits for: the lengths of two parts in a line, then the parts. The first holds, between
    NULs, the word that begins its complaints, the folder to start in, the number of the command's words, these, and
    the variables that are set for it; the second is ``pack_files``."""
    variables = [f"{name}={value}" for name, value in env.items()]
    orders = "\0".join([word, folder, str(len(argv)), *argv, *variables]).encode("utf-8", "surrogateescape")
    packed = pack_files(files)
    return b"%d %d\n" % (len(orders), len(packed)) + orders + packed


def write_files(root: str, packed: bytes) -> bytes:
    """Write what ``pack_files`` packed, each file whole; returns nothing, as bytes."""
    length, _, rest = packed.partition(b"\n")
    start = int(length)
    listing = rest[:start].decode().split("\0") if start else []
    for size, path in zip(listing[::2], listing[1::2], strict=True):
        write_file(root, path, rest[start : start + int(size)])
        start += int(size)
    return b""


def remove_tree(root: str) -> None:
    """Remove a folder and all below, also what its owner has shut; nothing may be running in it any more."""
    # The program of this module starts for every trial, and needs neither.
    import shutil
    from pathlib import Path

    for folder, names, _ in os.walk(root):
        for name in names:
            path = Path(folder, name)
            if not path.is_symlink():
                try:
                    path.chmod(0o700)
                except OSError:
                    continue
    shutil.rmtree(root, ignore_errors=True)


def _open_folder(root: str, parts: list[str], *, make: bool) -> int:
    """A descriptor of the folder, each step opened without following links."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = -1
    try:
        descriptor = os.open(root, flags & ~os.O_NOFOLLOW)
        for part in parts:
            if make:
                _make_folder(part, descriptor)
            deeper = os.open(part, flags, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = deeper
    except OSError as error:
        if descriptor >= 0:
            os.close(descriptor)
        raise _trouble(error, "/".join(parts) or root) from None
    return descriptor


def _read_up_to(descriptor: int, limit: int, path: str) -> bytes:
    parts: list[bytes] = []
    left = limit
    while True:
        chunk = os.read(descriptor, min(_CHUNK, left + 1))
        if not chunk:
            return b"".join(parts)
        left -= len(chunk)
        if left < 0:
            raise FileTrouble("limit_reached", f"{path} grew beyond {limit} bytes while it was read.")
        parts.append(chunk)


def _is_folder(name: str, folder: int) -> bool:
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False


def _make_folder(name: str, folder: int) -> None:
    try:  # noqa: SIM105
        os.mkdir(name, 0o755, dir_fd=folder)
    except FileExistsError:
        pass


def _remove(name: str, folder: int) -> None:
    try:  # noqa: SIM105
        os.unlink(name, dir_fd=folder)
    except OSError:
        pass


def _trouble(error: OSError, path: str) -> FileTrouble:
    if error.errno == errno.ENOENT:
        return FileTrouble("not_found", f"{path} is not there.")
    if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
        return FileTrouble("forbidden", f"{path} is or passes through a symbolic link or a file.")
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return FileTrouble("limit_reached", f"{path} does not fit into the scratch space ({error.strerror}).")
    if error.errno in (errno.EACCES, errno.EPERM, errno.ENXIO):
        return FileTrouble("forbidden", f"{path} cannot be opened ({error.strerror}).")
    if error.errno in (errno.ENAMETOOLONG, errno.EISDIR):
        return FileTrouble("bad_input", f"{path[:100]}: {error.strerror}.")
    return FileTrouble("unavailable", f"{path}: {error.strerror}.")


def _complain(fault: dict[str, object], word: str = "") -> int:
    """Say a failure on stderr; the exit code."""
    # Loaded only now, for every command of an agent starts here.
    import json

    sys.stderr.write(word + json.dumps(fault))
    return 1


def _start(root: str) -> int:
    """Wait for orders on stdin, write their files and become their command, with nothing on stdin; 1 when that fails
    or nothing came."""
    head = sys.stdin.buffer.readline().split()
    if len(head) != 2:
        return 1
    orders, size = sys.stdin.buffer.read(int(head[0])), int(head[1])
    word, folder, count, *rest = orders.decode("utf-8", "surrogateescape").split("\0")
    command, variables = rest[: int(count)], rest[int(count) :]
    try:
        data = sys.stdin.buffer.read(size)
        if len(data) != size:
            raise FileTrouble("unavailable", f"Only {len(data)} of {size} bytes of the files arrived.")
        write_files(root, data)
    except FileTrouble as trouble:
        return _complain({"error": trouble.kind, "what": trouble.what}, word)
    step = "cwd"
    try:
        os.chdir(folder)
        step = "start"
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            # Python ignores these, and what is ignored stays so in the command.
            signal.signal(number, signal.SIG_DFL)
        os.execvpe(command[0], command, os.environ | dict(each.split("=", 1) for each in variables))  # noqa: S606
    except OSError as error:
        return _complain({"errno": error.errno, "step": step if step == "cwd" else error.strerror or step}, word)


def main(argv: list[str]) -> int:
    """The program of this module."""
    if argv[0] == "start":
        return _start(argv[1])
    verb, root, path, number = argv
    try:
        if verb == "get":
            sys.stdout.buffer.write(read_file(root, path, int(number)))
            sys.stdout.buffer.flush()
        else:
            data = sys.stdin.buffer.read(int(number))
            if len(data) != int(number):
                raise FileTrouble("unavailable", f"Only {len(data)} of {number} bytes of {path} arrived.")
            if verb == "put":
                write_file(root, path, data)
            else:
                write_files(root, data)
    except FileTrouble as trouble:
        return _complain({"error": trouble.kind, "what": trouble.what})
    return 0
