"""A process that appends rows to a ledger and says the id of each once it is recorded: WRITER LEDGER COUNT."""

import sys
from pathlib import Path

from pincite_provenance.ledger.ledger import Ledger

ledger = Ledger(Path(sys.argv[1]))
for number in range(int(sys.argv[2])):
    appended = ledger.append(lambda _past, number=number: {"kind": "claim", "text": f"{number} " + "x" * 2000})
    print(appended.row.id, appended.warning, flush=True)
