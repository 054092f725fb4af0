"""view_image, read_image_text and inspect_image over picture files of a task."""

import base64
import io
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcp import Client
from PIL import Image, ImageDraw, ImageFont

from pincite_core.settings import Settings
from pincite_doors.testing import ScriptedModel, say
from pincite_figures.server import create_server


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A task's folder: noise in four formats, words, what is no picture, and ways out."""
    folder = tmp_path / "task"
    folder.mkdir()
    noise = np.random.default_rng(3).integers(0, 256, (500, 900, 3), dtype=np.uint8)
    for name in ("noise.png", "noise.bmp", "noise.tif", "noise.webp"):
        Image.fromarray(noise).save(folder / name, **({"lossless": True} if name.endswith("webp") else {}))
    words = Image.new("RGB", (900, 300), "white")
    font = ImageFont.load_default(48)
    ImageDraw.Draw(words).text((60, 40), "Annealed at 1203 K", fill="black", font=font)
    ImageDraw.Draw(words).text((60, 200), "Quenched in water", fill="black", font=font)
    words.save(folder / "words.png")
    (folder / "broken.png").write_bytes((folder / "noise.png").read_bytes()[:300])
    (folder / "table.csv").write_text("a,b\n")
    (tmp_path / "outside.png").write_bytes((folder / "noise.png").read_bytes())
    (folder / "link.png").symlink_to(tmp_path / "outside.png")
    os.mkfifo(folder / "pipe.png")
    return folder


def made(files: Path, **settings: Any) -> Any:
    return create_server(Settings(roots=(files,), cache_dir=files.parent / "cache", **settings))


async def test_a_picture_file_is_seen_pixel_by_pixel(files: Path) -> None:
    async with Client(made(files)) as client:
        for name in ("noise.png", "noise.bmp", "noise.tif", "noise.webp"):
            result = await client.call_tool("view_image", {"file": name, "bbox": "0.5,0.5,0.75,0.9"})
            picture, text = result.content
            assert text.text.startswith(f"{name} > 0.5,0.5,0.75,0.9, box 450,250,675,450 px")
            shown = np.asarray(Image.open(io.BytesIO(base64.b64decode(picture.data))).convert("RGB"))
            exact = np.asarray(Image.open(files / name).convert("RGB"))[250:450, 450:675]
            assert np.array_equal(
                shown[:: shown.shape[0] // 200, :: shown.shape[1] // 225][:200, :225].shape, exact.shape
            )
        whole = (await client.call_tool("view_image", {"file": "noise.png"})).content[1].text
        assert whole == "noise.png, box 0,0,900,500 px, shown at 900 x 500 px"


async def test_what_is_no_picture_or_lies_outside_is_refused(files: Path) -> None:
    refused = {
        "outside.png": "no file", "../outside.png": "outside", "link.png": "outside", "/etc/passwd": "outside",
        "table.csv": "not a picture", "broken.png": "damaged", "pipe.png": "not a regular file", "none.png": "no file",
    }  # fmt: skip
    async with Client(made(files)) as client:
        for file, expected in refused.items():
            for tool in ("view_image", "read_image_text"):
                result = await client.call_tool(tool, {"file": file})
                assert result.is_error and expected in result.content[0].text, f"{tool} {file}: {result.content}"
        assert (await client.call_tool("view_image", {"file": "noise.png", "bbox": "1,0,0,1"})).is_error


async def test_the_text_of_a_picture_file_is_read(files: Path, missing: Callable[[str], None]) -> None:
    if shutil.which("tesseract") is None:
        missing("tesseract is not installed")
    async with Client(made(files)) as client:
        said = (await client.call_tool("read_image_text", {"file": "words.png"})).content[0].text
        assert "Annealed at 1203 K [0.0" in said and "Quenched in water [0.0" in said
        part = (await client.call_tool("read_image_text", {"file": "words.png", "bbox": "0,0.5,1,1"})).content[0].text
        assert "Quenched in water" in part and "Annealed" not in part
    async with Client(made(files, ocr="off")) as client:
        assert "OCR is off" in (await client.call_tool("read_image_text", {"file": "words.png"})).content[0].text


async def test_a_model_looks_at_a_picture_file(files: Path, tmp_path: Path) -> None:
    zoom = {"action": "zoom", "view": 1, "bbox": [0, 0, 1, 0.5], "target": "the upper line", "reason": "small"}
    answer = {"action": "answer", "answer": "1203 K", "evidence": "view 2", "confidence": 0.9, "reason": "read"}
    with ScriptedModel([say(json.dumps(zoom)), say(json.dumps(answer))]) as model:
        seeing = {"vision_url": f"{model.url}/v1", "vision_model": "scripted", "record_dir": tmp_path / "record"}
        async with Client(made(files, **seeing)) as client:
            asked = {"file": "words.png", "question": "At what temperature?"}
            result = (await client.call_tool("inspect_image", asked)).structured_content
    assert result is not None
    assert (result["outcome"], result["answer"], result["model"]) == ("answered", "1203 K", "scripted")
    assert result["views"] == ["words.png", "words.png > 0,0,1,0.5"]
    entries = [json.loads(line) for line in (tmp_path / "record/figures.jsonl").read_text().splitlines()]
    assert [entry["event"] for entry in entries] == ["inspect", "inspect"]
    async with Client(made(files)) as client:
        assert "inspect_image" not in [tool.name for tool in (await client.list_tools()).tools]
