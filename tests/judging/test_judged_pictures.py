"""Pictures that a judge is shown: over the four APIs, within their limits, recorded, and never left out in silence."""

import base64
import io
import random
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pincite_core.errors import BadInputError, NotFoundError
from pincite_doors.testing import ScriptedModel, fail, say
from pincite_harness.runs.judge_opening import check_judge
from pincite_harness.runs.specification import RunSpecification
from pincite_scoring.judging.choice import JudgeChoice
from pincite_scoring.judging.judge import Item, Question, Rubric
from pincite_scoring.judging.pictures import pictures_among, read_pictures, show

RUBRIC = Rubric("test/pictures/1", "Look.", (Item("seen", ("no", "yes"), "Does it say what is seen?"),))
YES = say('{"reason": "It rises.", "labels": {"seen": "yes"}}')
OpenJudge = Callable[..., Any]
Draw = Callable[..., Path]


@pytest.fixture
def draw(tmp_path: Path) -> Draw:
    def drawn(
        name: str = "rise.png", size: tuple[int, int] = (30, 20), colour: Any = "blue", mode: str = "RGB"
    ) -> Path:
        path = tmp_path / name
        Image.new(mode, size, colour).save(path)
        return path

    return drawn


def widened(png: bytes, width: int, height: int) -> bytes:
    """A PNG that says in its header that it is as large as that."""
    header = b"IHDR" + struct.pack(">II", width, height) + png[24:29]
    return png[:12] + header + struct.pack(">I", zlib.crc32(header)) + png[33:]


def question(*paths: Path) -> Question:
    return Question(RUBRIC, {"analysis": "It rises."}, pictures={path.name: path for path in paths})


@pytest.mark.parametrize(
    ("model", "place", "read"),
    [
        ("anthropic:c", ("messages", 0, "content"), lambda part: part["source"]["data"]),
        ("openai:g", ("input", 0, "content"), lambda part: part["image_url"].removeprefix("data:image/png;base64,")),
        ("google:g", ("contents", 0, "parts"), lambda part: part["inlineData"]["data"]),
        (
            "own",
            ("messages", 1, "content"),
            lambda part: part["image_url"]["url"].removeprefix("data:image/png;base64,"),
        ),
    ],
)
def test_every_api_shows_the_pictures_behind_their_names_and_then_the_texts(
    open_judge: OpenJudge, draw: Draw, model: str, place: tuple[Any, ...], read: Callable[[Any], str]
) -> None:
    judge, played = open_judge([YES], model)
    first, second = draw("rise.png"), draw("fall.png", colour="red")
    assert judge.decide(question(first, second)).labels == {"seen": "yes"}
    (request,) = played.requests
    assert request.images == 2
    content: Any = request.body
    for step in place:
        content = content[step]
    assert [content[0]["text"], content[2]["text"]] == ["The picture rise.png:", "The picture fall.png:"]
    assert [base64.b64decode(read(content[i])) for i in (1, 3)] == [first.read_bytes(), second.read_bytes()]
    assert "these pictures, each behind its name: rise.png, fall.png." in content[4]["text"]
    assert "It rises." in content[4]["text"]


@pytest.mark.parametrize(
    ("name", "size", "mode", "shown_as", "shown_size"),
    [
        ("a.png", (1200, 800), "RGB", "image/png", (1200, 800)),
        ("a.webp", (30, 20), "RGB", "image/webp", (30, 20)),
        ("a.gif", (30, 20), "P", "image/png", (30, 20)),
        ("a.bmp", (30, 20), "1", "image/png", (30, 20)),
        ("a.tiff", (30, 20), "CMYK", "image/png", (30, 20)),
        ("a.png", (5000, 100), "RGBA", "image/png", (2000, 40)),
        ("a.jpg", (100, 4000), "L", "image/png", (50, 2000)),
    ],
)
def test_what_an_api_may_not_take_is_drawn_again(
    draw: Draw, name: str, size: tuple[int, int], mode: str, shown_as: str, shown_size: tuple[int, int]
) -> None:
    path = draw(name, size, 0, mode)
    (shown,) = show(read_pictures({name: path}))
    assert (shown.media_type, (shown.width, shown.height)) == (shown_as, shown_size)
    with Image.open(io.BytesIO(shown.data)) as again:
        assert (again.size, Image.MIME[again.format or ""]) == (shown_size, shown_as)
    assert (shown.data == path.read_bytes()) == (shown_as != "image/png" or (name == "a.png" and size == shown_size))


def test_deep_grey_keeps_its_darkest_and_its_lightest(tmp_path: Path) -> None:
    deep = Image.new("I;16", (2, 1))
    deep.putpixel((0, 0), 1000)
    deep.putpixel((1, 0), 3000)
    deep.save(tmp_path / "deep.tif")
    (shown,) = show(read_pictures({"deep.tif": tmp_path / "deep.tif"}))
    with Image.open(io.BytesIO(shown.data)) as grey:
        assert [grey.getpixel((x, 0)) for x in (0, 1)] == [(0, 0, 0), (255, 255, 255)]


def test_what_is_large_as_png_is_shown_as_jpeg(tmp_path: Path) -> None:
    noise = random.Random(0).randbytes(3 * 1150 * 1150)
    Image.frombytes("RGB", (1150, 1150), noise).save(tmp_path / "noise.png", compress_level=0)
    (shown,) = show(read_pictures({"noise.png": tmp_path / "noise.png"}))
    assert (shown.media_type, shown.width) == ("image/jpeg", 1150)
    assert len(shown.data) <= 3_750_000


def test_the_record_says_what_was_shown_and_verdicts_are_kept_by_it(open_judge: OpenJudge, draw: Draw) -> None:
    judge, played = open_judge([YES] * 3)
    path = draw(size=(3000, 30))
    (picture,) = judge.ask(question(path)).to_json()["pictures"]
    assert (picture["name"], picture["width"], picture["height"]) == ("rise.png", 2000, 20)
    assert picture["digest"].startswith("sha256:") and picture["bytes"] > 0
    moved = path.rename(path.parent / "moved.png")
    known = judge.ask(Question(RUBRIC, question().subject, pictures={"rise.png": moved}))
    assert known.kept and known.pictures == ({**picture, "path": str(moved)},)
    assert not judge.ask(question(draw(colour="red"))).kept, "another picture of that name"
    assert not judge.ask(question()).kept, "none"
    assert len(played.requests) == 3


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "Invalid content type. image_url is only supported by certain models."),
        (400, "tiny is not a multimodal model"),
        (404, "No endpoints found that support image input"),
        (500, "image input is not supported by this server"),
        (422, "messages.1.content: content must be a string"),
    ],
)
def test_a_model_that_takes_no_pictures_is_told_and_not_asked_without(
    open_judge: OpenJudge, draw: Draw, status: int, message: str
) -> None:
    judge, played = open_judge([[fail(status, None, message=message), YES]])
    with pytest.raises(BadInputError, match="does not take the pictures"):
        judge.decide(question(draw()))
    assert len(played.requests) == 1


def test_a_busy_server_that_names_pictures_is_asked_again(open_judge: OpenJudge, draw: Draw) -> None:
    judge, played = open_judge([[fail(429, message="rate limit of images", headers={"retry-after": "0"}), YES]])
    assert judge.decide(question(draw())).labels == {"seen": "yes"}
    assert len(played.requests) == 2


def test_what_cannot_be_shown_leaves_the_question_undecided(open_judge: OpenJudge, draw: Draw, tmp_path: Path) -> None:
    judge, played = open_judge([])
    broken = tmp_path / "broken.png"
    broken.write_bytes(draw().read_bytes()[:40])
    bomb = tmp_path / "bomb.png"
    bomb.write_bytes(widened(draw().read_bytes(), 20_000, 10_000))
    many = [draw(f"{number}.png") for number in range(21)]
    for paths, words in (([broken], "broken.png is not a picture"), ([bomb], "too many pixels"), (many, "21 pictures")):
        exchange = judge.ask(question(*paths))
        assert exchange.verdict.labels == {"seen": None}
        assert words in exchange.verdict.reason
        assert not exchange.whole
    assert not played.requests
    with pytest.raises(NotFoundError, match=r"gone\.png cannot be read"):
        judge.decide(question(tmp_path / "gone.png"))


@pytest.mark.parametrize(
    ("answer", "sees"), [('{"labels": {"colour": "purple"}}', True), ('{"labels": {"colour": "blue"}}', False)]
)
def test_a_server_that_drops_pictures_is_found_out_before_a_run(open_judge: OpenJudge, answer: str, sees: bool) -> None:
    judge, played = open_judge([say(answer)])
    if sees:
        judge.check_sight()
    else:
        with pytest.raises(BadInputError, match="does not see pictures"):
            judge.check_sight()
    assert played.requests[0].images == 1


@pytest.mark.parametrize(("task", "images"), [("wound_gel-table-1", [0]), ("wound_gel-both", [0, 1])])
def test_a_judge_has_to_see_where_a_task_of_the_run_has_pictures(task: str, images: list[int]) -> None:
    specification = RunSpecification(families={"figure_analysis": "bundled"}, tasks=[task], agent="oracle")
    plans = specification.plan(specification.load_families())
    ready, sees = say('{"labels": {"greeting": "yes"}}'), say('{"labels": {"colour": "purple"}}')
    with ScriptedModel([ready, sees]) as played:
        check_judge(JudgeChoice.parse("own", played.url), plans)
    assert [request.images for request in played.requests] == images


def test_pictures_are_told_by_their_suffix() -> None:
    files = {name: Path(name) for name in ("a.PNG", "b.csv", "c.tif", "d.svg", "e.jpeg")}
    assert list(pictures_among(files)) == ["a.PNG", "c.tif", "e.jpeg"]
