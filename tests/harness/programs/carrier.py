"""A test agent in a chain: adds its task to what was carried, and hides there what it finds of gold and scores."""

import json
import os
import time
from contextlib import suppress
from pathlib import Path

TASK = json.loads(Path("task.json").read_text())
carry = Path("carry")
carry.mkdir(exist_ok=True)
log = carry / "log.txt"
log.write_text((log.read_text() if log.exists() else "") + TASK["task_id"] + "\n")
(carry / "link").unlink(missing_ok=True)
(carry / "link").symlink_to("/etc/passwd")
(carry / "key.txt").write_text(next(iter(TASK["tools"].values()))["headers"]["Authorization"])
for root in (Path.cwd(), Path("/tmp"), Path.home()):
    for folder, _, names in os.walk(root):
        for name in {"gold.json", "score.json", "records.jsonl"} & set(names):
            with suppress(OSError):
                (carry / name).write_bytes((Path(folder) / name).read_bytes())
time.sleep(float(os.environ.get("CARRIER_SECONDS", "0")))
Path("answer.json").write_text('{"properties": []}')
