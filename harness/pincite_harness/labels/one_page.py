"""One page: a queue as a single HTML file, labelled without a server; its labels are downloaded."""

from importlib.resources import files
from pathlib import Path

from pincite_harness.labels.queue import LabelQueue
from pincite_harness.labels.shown import Inline, as_script, page_data
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.templating import inline_digest, make_environment
from pincite_tasks.files import write_atomic


def write_page(path: Path, queue: LabelQueue, folder: Path) -> int:
    """Write the page of the queue in ``folder``; how many pictures were left out for want of room."""
    script = files("pincite_harness.labels").joinpath("static", "label.js").read_text(encoding="utf-8")
    style = "\n".join(
        files(package).joinpath("static", name).read_text(encoding="utf-8")
        for package, name in (("pincite_harness.desk", "desk.css"), ("pincite_harness.labels", "label.css"))
    )
    inline = Inline(folder)
    data = page_data(queue, "", {}, "", inline)
    page = make_environment("pincite_harness.labels").get_template("one_page.html")
    text = page.render(
        queue=queue,
        data=Markup(as_script(data)),
        style=Markup(style),
        script=Markup(script),
        script_digest=inline_digest(script),
        style_digest=inline_digest(style),
    )
    write_atomic(path, text.encode(errors="replace"))
    return inline.left_out
