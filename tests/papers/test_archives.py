"""Archives: what is read, what is refused, and what bombs cost."""

import bz2
import gzip
import io
import lzma
import random
import struct
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable

import pytest

from pincite_core.errors import DamagedError, LimitReachedError, NotFoundError, PinciteError, UnknownFormatError
from pincite_papers.archives import archives, inflate, tarball

MIB = 1 << 20
FILES = {
    "main.tex": b"\\documentclass{article}",
    "sub/figure.pdf": b"%PDF-1.4" + bytes(range(256)) * 9,
    "empty.txt": b"",
}


def tar(files: dict[str, bytes], *, format: int = tarfile.PAX_FORMAT) -> bytes:  # noqa: A002
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=format) as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def member(name: str, kind: bytes, *, link: str = "", size: int = 0) -> bytes:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, link, size
    return info.tobuf(tarfile.GNU_FORMAT)


WRAPPERS: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    "tar": tar,
    "gnu tar": lambda files: tar(files, format=tarfile.GNU_FORMAT),
    "ustar": lambda files: tar(files, format=tarfile.USTAR_FORMAT),
    "tar.gz": lambda files: gzip.compress(tar(files)),
    "tar.bz2": lambda files: bz2.compress(tar(files)),
    "tar.xz": lambda files: lzma.compress(tar(files)),
    "zip": zipped,
    "zip stored": lambda files: zipped(files, zipfile.ZIP_STORED),
    "tar.gz in two streams": lambda files: gzip.compress(tar(files)[:700]) + gzip.compress(tar(files)[700:]),
}


@pytest.mark.parametrize("wrap", WRAPPERS.values(), ids=WRAPPERS)
def test_every_kind_gives_names_and_bytes(wrap: Callable[[dict[str, bytes]], bytes]) -> None:
    data = wrap(FILES)
    assert archives.is_archive(data)
    assert archives.names(data) == tuple(FILES)
    for name, content in FILES.items():
        assert archives.read_member(data, name, MIB) == content
    assert archives.read_member(data, "./sub//figure.pdf", MIB) == FILES["sub/figure.pdf"]
    assert archives.read_members(data, lambda name: name.endswith("x"), most=MIB) == {"main.tex": FILES["main.tex"]}


@pytest.mark.parametrize("format", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_long_names_of_both_kinds_are_read(format: int) -> None:  # noqa: A002
    files = {"d/" * 80 + f"größe{n}.tex": bytes([n]) * n for n in range(5)}
    data = tar(files, format=format)
    assert {name: archives.read_member(data, name, MIB) for name in archives.names(data)} == files


def test_a_single_compressed_file_has_the_name_in_its_header_or_a_stand_in() -> None:
    out = io.BytesIO()
    with gzip.GzipFile("paper.tex", "wb", fileobj=out) as file:
        file.write(b"\\section{One}")
    assert archives.names(out.getvalue()) == ("paper.tex",)
    assert archives.read_member(out.getvalue(), "paper.tex", 100) == b"\\section{One}"
    for data in (gzip.compress(b"text"), bz2.compress(b"text"), lzma.compress(b"text")):
        assert archives.names(data) == ("source.tex",)
        assert archives.read_member(data, "source.tex", 100) == b"text"
    evil = out.getvalue().replace(b"paper.tex\0", b"../../etc\0")
    assert archives.names(evil) == ("source.tex",)


def test_unsafe_members_are_listed_as_refused_and_never_read() -> None:
    unsafe = ["/etc/passwd", "../up.tex", "a/../../up.tex", "C:/x.tex", "..\\up.tex"]
    for wrap in (tar, zipped):
        listing = archives.list_members(wrap({**dict.fromkeys(unsafe, b"x"), "fine.tex": b"y"}))
        assert listing.names == ("fine.tex",)
        assert len(listing.refused) == len(unsafe)
        for name in unsafe:
            with pytest.raises(NotFoundError):
                archives.read_member(wrap({**dict.fromkeys(unsafe, b"x"), "fine.tex": b"y"}), name, 10)


def test_links_devices_pipes_and_directories_are_no_files() -> None:
    kinds = {"hard": tarfile.LNKTYPE, "soft": tarfile.SYMTYPE, "char": tarfile.CHRTYPE, "block": tarfile.BLKTYPE}
    kinds |= {"pipe": tarfile.FIFOTYPE, "sparse": tarfile.GNUTYPE_SPARSE}
    data = b"".join(member(name, kind, link="/etc/passwd") for name, kind in kinds.items())
    data += member("folder", tarfile.DIRTYPE) + tar({"fine.tex": b"y"})
    assert archives.list_members(data) == archives.Listing(("fine.tex",), tuple(kinds))
    info = zipfile.ZipInfo("link.tex")
    info.external_attr = 0o120777 << 16
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(info, "/etc/passwd")
    assert archives.list_members(out.getvalue()) == archives.Listing((), ("link.tex",))


def test_the_last_of_two_members_with_one_name_counts() -> None:
    data = tar({"a.tex": b"old"})[:1024] + tar({"./a.tex": b"new"})
    assert archives.names(data) == ("a.tex",)
    assert archives.read_member(data, "a.tex", 10) == b"new"


def test_a_member_larger_than_asked_for_is_an_error() -> None:
    for data in (gzip.compress(tar({"a": bytes(101)})), zipped({"a": bytes(101)})):
        assert len(archives.read_member(data, "a", 101)) == 101
        with pytest.raises(LimitReachedError):
            archives.read_member(data, "a", 100)


def test_an_inner_archive_is_a_file_like_any_other() -> None:
    inner = gzip.compress(tar({"inner.tex": b"x"}))
    assert archives.names(tar({"inner.tar.gz": inner})) == ("inner.tar.gz",)


def test_a_cut_archive_gives_what_is_whole() -> None:
    draw = random.Random(3)
    files = {f"{n}.tex": draw.randbytes(9000) for n in range(20)}
    data = gzip.compress(tar(files))
    found = archives.names(data[: len(data) // 2])
    assert found == tuple(files)[: len(found)]
    assert 5 < len(found) < 15


def test_what_is_no_archive_and_what_is_broken_are_told_apart() -> None:
    with pytest.raises(UnknownFormatError):
        archives.names(b"plain text" * 100)
    with pytest.raises(DamagedError):
        archives.names(b"\x1f\x8b" + b"garbage" * 100)
    with pytest.raises(DamagedError):
        archives.names(b"PK\x03\x04" + b"garbage" * 100)


def zeros(size: int, compress: Callable[[], object]) -> bytes:
    packer = compress()
    parts = [packer.compress(bytes(MIB)) for _ in range(size // MIB)]  # type: ignore[attr-defined]
    return b"".join(parts) + packer.flush()  # type: ignore[attr-defined]


def lying_zip() -> bytes:
    """A zip whose member claims 10 bytes and inflates to 200 MiB."""
    data = bytearray(zipped({"a.tex": bytes(200 * MIB)}))
    size = struct.pack("<I", 200 * MIB)
    return bytes(data).replace(size, struct.pack("<I", 10))


def overlapping_zip() -> bytes:
    """A zip whose 400 members are all the same 4 MiB, as in the overlapping bombs."""
    one = zipped({"a": bytes(4 * MIB)})
    central = one.index(b"PK\x01\x02")
    end = one.index(b"PK\x05\x06")
    entry = one[central:end]
    directory = entry * 400
    tail = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 400, 400, len(directory), central, 0)
    return one[:central] + directory + tail


def many_headers(count: int, kind: bytes) -> bytes:
    return gzip.compress(member("x", kind) * count, 1)


BOMBS: dict[str, Callable[[], bytes]] = {
    "gzip zeros": lambda: zeros(1000 * MIB, lambda: zlib.compressobj(9, wbits=31)),
    "bzip2 zeros": lambda: zeros(100 * MIB, bz2.BZ2Compressor),
    "xz zeros": lambda: zeros(200 * MIB, lambda: lzma.LZMACompressor(preset=0)),
    "tar member of zeros": lambda: gzip.compress(
        member("a.tex", tarfile.REGTYPE, size=1 << 40) + bytes(600 * MIB), compresslevel=9
    ),
    "a million members": lambda: many_headers(1_000_000, tarfile.REGTYPE),
    "a million directories": lambda: many_headers(1_000_000, tarfile.DIRTYPE),
    "a pax header of 500 MiB": lambda: gzip.compress(member("x", tarfile.XHDTYPE, size=500 * MIB) + bytes(9), 1),
    "pax headers without end": lambda: gzip.compress((member("x", tarfile.XHDTYPE, size=MIB) + bytes(MIB)) * 40, 1),
    "gzip streams without end": lambda: gzip.compress(b"") * 200_000,
    "zip entries without end": lambda: b"PK\x03\x04" + b"PK\x01\x02" * 1_000_000,
    "zip member of zeros": lambda: zipped({"a.tex": bytes(400 * MIB)}),
    "overlapping zip": overlapping_zip,
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_a_bomb_is_a_reached_limit_and_takes_little_memory(bomb: Callable[[], bytes]) -> None:
    data = bomb()
    tracemalloc.start()
    try:
        with pytest.raises(LimitReachedError) as raised:
            archives.read_members(data, lambda name: True, most=8 * MIB, total=64 * MIB)
            archives.read_member(data, archives.names(data)[0], 8 * MIB)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert raised.value.seen
    assert peak < 120 * MIB


def test_a_header_that_lies_about_a_size_costs_no_more_than_is_there() -> None:
    assert len(archives.read_members(lying_zip(), lambda name: True, most=MIB)["a.tex"]) <= MIB + 1
    lying = member("a.tex", tarfile.REGTYPE, size=1 << 60) + b"only this"
    assert archives.read_member(lying, "a.tex", 2 * MIB) == b"only this"


def test_the_limits_let_real_archives_through() -> None:
    """A tar of 100 text files of 1 MB each with little in them: compresses 200-fold at most."""
    text = b"".join(b"%d & %d \\\\\n" % (n, n * n) for n in range(60_000))
    data = gzip.compress(tar({f"{n}.tex": text for n in range(30)}))
    assert len(archives.names(data)) == 30
    assert len(text) * 30 < inflate.MOST_INFLATED


def test_mutants_end_in_names_or_a_typed_error() -> None:
    draw = random.Random(11)
    originals = [wrap(FILES) for wrap in WRAPPERS.values()]
    read = failed = 0
    for _ in range(600):
        data = bytearray(draw.choice(originals))
        for _ in range(draw.choice((1, 5, 50))):
            data[draw.randrange(len(data))] = draw.randrange(256)
        del data[draw.choice((len(data), draw.randrange(4, len(data)))) :]
        try:
            for name in archives.names(bytes(data)):
                archives.read_member(bytes(data), name, MIB)
            read += 1
        except PinciteError:
            failed += 1
    assert read > 100
    assert failed > 20


def test_a_tar_is_told_by_its_checksum() -> None:
    assert tarball.is_tar(tar(FILES))
    assert not tarball.is_tar(bytes(1024))
    assert not tarball.is_tar(b"x" * 1024)
