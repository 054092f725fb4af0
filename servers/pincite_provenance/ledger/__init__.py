"""The ledger: claims in an append-only, hash-chained file that shows what was changed, dropped or reordered.

One SQLite file, one table ``entries(seq, previous, hash, content, seal)``, one row a claim or a retraction:

- ``content`` is JSON in the canonical form of RFC 8785 (UTF-8, sorted keys, no white space; no fractions occur). It
  holds all that was recorded, its own ``seq`` and ``time`` included. ``seq`` counts from 0 without gaps.
- ``previous`` is the ``hash`` of the row before, 64 zeros for row 0.
- ``hash`` is the hexadecimal SHA-256 of ``"pincite-ledger-1\\n" + previous + "\\n" + content`` in UTF-8.
- Row 0 (``kind`` "genesis") names the ledger by a random UUID, so that two ledgers never share a hash.
- ``seal`` is "" or, in a ledger that was begun with PINCITE_LEDGER_KEY, the hexadecimal HMAC-SHA256 of
  ``"pincite-ledger-1 row\\n" + hash`` under that key.

A chain does not show that its end was cut off. So the file beside it, ``<ledger>.head``, says how many rows there are
and the last hash, as JSON ``{"count", "format", "hash", "ledger", "seal"}`` (``seal`` over
``"pincite-ledger-1 head\\n" + ledger + "\\n" + count + "\\n" + hash``). It is written and flushed to disk after the row
and before the caller is told that the row is recorded: a row that was acknowledged cannot go unseen. A writer that is
killed in between leaves the head one row behind, never ahead; the next writer catches up, after it has seen that the
head's row is still there with its hash and that those after it are chained to it.

What this shows and what it does not: any change, loss, insertion or new order of rows is found as long as the head, or
any hash noted elsewhere (each claim is answered with its hash; ``pincite provenance check --head HASH``), is beyond
the reach of who did it. Who can write both files and has no key to forge can compute a whole new chain and head: only a
noted hash shows that. With a key that they do not have, they cannot, nor can they append; they can still put back an
older copy of both files, which again only a noted hash shows, and delete them.
"""
