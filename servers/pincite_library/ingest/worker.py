"""The program of an ingest's processes: ``python -m pincite_library.ingest.worker ENTRY MEMORY_MB PARENT_PID``.

It answers frames as the parsing process does (see ``pincite_papers.opening.worker``). A request has the bytes of a
source, to be parsed and (``"cut": true``) cut, or (``"parsed": true``) an encoded paper, to be cut; both have the
``context`` of its passages. The reply to the first has the encoded paper first, ``paper_bytes`` long; the chunks
follow.
"""

import sys
from typing import Any

from pincite_papers.opening.worker import Answer, Wording, reader_of, serve

_READING = Wording("Reading this file", "The parser could not make sense of this file, or not cut it into passages.")


def main(arguments: list[str]) -> int:
    """Parse and cut until the pipes close."""
    entry, memory_mb, parent = arguments[0], int(arguments[1]), int(arguments[2])
    return serve(lambda: _reader(entry), f"The parser {entry}", memory_mb, parent, _READING)


def _reader(entry: str) -> Answer:
    from pincite_library.ingest.indexing import cut_indexed, encode_chunks
    from pincite_papers.codec import decode_paper, encode_paper

    read = reader_of(entry)

    def answer(header: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        if header.get("parsed"):
            return {}, encode_chunks(cut_indexed(decode_paper(data), header["context"]))
        paper = read(header, data)
        encoded = encode_paper(paper)
        chunks = encode_chunks(cut_indexed(paper, header["context"])) if header["cut"] else b""
        return {"paper": paper.paper_id, "paper_bytes": len(encoded)}, encoded + chunks

    return answer


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
