"""Who gets an answer from the desk, and what an answer may do."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.cli.main import app
from pincite_harness.desk.targets import read_targets


def test_only_this_machine_with_the_token_gets_an_answer(desk: Any) -> None:
    base, own = desk.address, f"127.0.0.1:{desk.port}"
    cases: list[tuple[str, str, dict[str, str], int]] = [
        ("GET", f"{base}/", {}, 200),
        ("HEAD", f"{base}/", {}, 200),
        ("GET", f"{base}/", {"origin": f"http://{own}", "sec-fetch-site": "same-origin"}, 200),
        ("GET", f"{base}/", {"host": f"localhost:{desk.port}"}, 200),
        ("GET", f"http://{own}/", {}, 404),
        ("GET", f"http://{own}/run/0", {}, 404),
        ("GET", f"{base}x/run/0", {}, 404),
        ("GET", f"{base[:-1]}/run/0", {}, 404),
        ("GET", f"{base}/", {"host": "evil.example"}, 421),
        ("GET", f"{base}/", {"host": f"evil.example:{desk.port}"}, 421),
        ("GET", f"{base}/", {"host": "127.0.0.1"}, 421),
        ("GET", f"{base}/", {"origin": "https://evil.example"}, 403),
        ("GET", f"{base}/", {"origin": "null"}, 403),
        ("GET", f"{base}/", {"origin": f"http://127.0.0.1:{desk.port + 1}"}, 403),
        ("GET", f"{base}/", {"sec-fetch-site": "cross-site"}, 403),
        ("GET", f"{base}/", {"sec-fetch-site": "same-site"}, 403),
        ("POST", f"{base}/run/0", {}, 405),
        ("DELETE", f"{base}/run/0/trial/ybco_oxygen__1", {}, 405),
        ("OPTIONS", f"{base}/", {}, 405),
    ]
    wrong: list[Any] = []
    for method, address, headers, status in cases:
        answer = desk.http.request(method, address, headers=headers)
        if answer.status_code != status or "access-control-allow-origin" in answer.headers:
            wrong.append((method, address, headers, status, answer.status_code))
    assert not wrong


def test_every_answer_forbids_what_is_not_the_desks_own(desk: Any) -> None:
    paths = ("", "run/0", "run/0/trial/ybco_oxygen__1", "nothing", "static/desk.css", "paper/0/page/1")
    for path in paths:
        headers = desk.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "unsafe" not in httpx.get(f"http://127.0.0.1:{desk.port}/").headers["content-security-policy"]


def test_only_pictures_in_the_trials_own_folder_are_served(desk: Any, tmp_path: Path) -> None:
    folder = desk.site.runs[0].folder.trial("ybco_oxygen__1")
    (folder / "media").mkdir(exist_ok=True)
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"secret")
    for name in ("good.png", "drawn.svg", "page.html"):
        (folder / "media" / name).write_bytes(b"picture")
    (folder / "media" / "link.png").symlink_to(secret)
    media = "run/0/trial/ybco_oxygen__1/media"
    assert desk.get(f"{media}/media/good.png").headers["content-type"] == "image/png"
    refused = [
        "media/link.png", "media/drawn.svg", "media/page.html", "media/none.png", "trial.json", "media", "",
        "../../../../../../../../etc/passwd", "%2e%2e/%2e%2e/run.json", "..%2f..%2frun.json", str(secret),
        f"%2f{secret}", "media/good.png%00.svg", "media%5c..%5ctrial.json", "~/.ssh/id_rsa.png",
    ]  # fmt: skip
    assert not [path for path in refused if desk.get(f"{media}/{path}").status_code == 200]


def test_names_that_are_none_are_told_without_a_traceback(desk: Any) -> None:
    cases = {
        "run/1": 404,
        "run/99999999999999999999": 404,
        "run/x": 404,
        "run/0/trial/none__1": 404,
        "run/0/trial/%2e%2e%2f%2e%2e": 404,
        "run/0/trial/ybco_oxygen__1/step?number=0": 404,
        "run/0/trial/ybco_oxygen__1/step?number=-1": 400,
        "run/0/trial/ybco_oxygen__1/step?number=9e9": 400,
        "run/0/trial/ybco_oxygen__1/step?conversation=7&number=1": 404,
        "run/0/trial/ybco_oxygen__1/locator?at=pc:00000000%23p1:1-2": 404,
        "run/0/trial/ybco_oxygen__1/locator?at=nonsense": 400,
        "paper/0123456789abcdef": 404,
        "paper/..%2f..": 404,
        "static/../guard.py": 404,
        "static/..%2fguard.py": 404,
        "static/%2e%2e%2fguard.py": 404,
    }
    found = {path: desk.get(path).status_code for path in cases}
    assert found == cases
    assert "Traceback" not in desk.get("run/1").text


def test_what_is_neither_run_trial_nor_paper_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="There is no"):
        read_targets([tmp_path / "none"])
    with pytest.raises(BadInputError, match="neither a run nor a trial"):
        read_targets([tmp_path])


def test_without_a_name_the_runs_of_this_folder_are_meant(
    make_run: Any, answer_of: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = CliRunner().invoke(app, ["view", "--export", "copy"])
    assert isinstance(refused.exception, NotFoundError) and "Name a run" in str(refused.exception)
    make_run(tmp_path / "runs" / "one", {"crconi_alloy": answer_of("crconi_alloy")})
    assert CliRunner().invoke(app, ["view", "--export", "copy"]).exit_code == 0
    assert (tmp_path / "copy" / "crconi_alloy__1.html").is_file()
