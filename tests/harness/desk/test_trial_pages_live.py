"""A trial on the desk: its answer beside gold, its steps, and where quotes and locators lead."""

import html
import re
from typing import Any

TRIAL = "run/0/trial/ybco_oxygen__1"


def test_quotes_lead_to_the_page_with_their_words_marked_and_others_mark_nothing(desk: Any) -> None:
    page = desk.text(f"{TRIAL}/answer")
    links = [html.unescape(link) for link in re.findall(r'class="place cite" href="([^"]+)"', page)]
    stands = desk.http.get(f"http://127.0.0.1:{desk.port}{links[0]}").text
    assert stands.count('class="mark"') >= 1
    assert "3.8202(3)" in stands
    record = page[page.index('id="record-2"') : page.index('id="record-3"')]
    assert "not found" in record
    assert "could not be placed in the paper: nothing is marked" in html.unescape(record)
    lost = html.unescape(re.findall(r'class="place cite" href="([^"]+)"', record)[0])
    assert "spans" not in lost
    shown = desk.http.get(f"http://127.0.0.1:{desk.port}{lost}").text
    assert "Nothing is marked" in shown
    assert 'class="mark"' not in shown
    moved = page[page.index('id="record-3"') : page.index('id="record-4"')]
    assert "wrong page" in moved
    assert "It stands on page 1, not on page 2" in moved


def test_the_list_names_each_trial_with_its_score(desk: Any) -> None:
    page = desk.text("run/0")
    assert "ybco_oxygen" in page
    assert re.search(r'title="F1 at 0.1 %">1\.000', page)
    assert "1,290" in page, "tokens in and out"
    assert "crconi_alloy" not in desk.text("run/0?q=ybco")
    assert "No trial fits" in desk.text("run/0?state=failed&q=")


def test_a_part_of_a_page_comes_without_the_frame_around_it(desk: Any) -> None:
    part = desk.get(f"{TRIAL}/step?number=1", **{"x-part": "1"}).text
    assert "Do it." in part
    assert "<html" not in part
    assert "<html" in desk.text(f"{TRIAL}/step?number=1")


def test_a_locator_of_a_step_leads_to_its_words(desk: Any) -> None:
    first = re.findall(r'class="place cite" href="([^"]+)"', desk.text(f"{TRIAL}/answer"))[0]
    desk.http.get(f"http://127.0.0.1:{desk.port}{html.unescape(first)}")  # opens the trial's paper
    paper = desk.site.papers.get(next(iter(desk.site.papers._papers)))
    start = paper.text.index("oxygen")
    locator = str(paper.locator(start, start + 6))
    shown = desk.text(f"{TRIAL}/locator?at={locator.replace('#', '%23')}")
    assert "<blockquote>oxygen</blockquote>" in shown
    assert shown.count('class="mark"') == 1


def test_a_page_is_drawn_once_and_then_kept(desk: Any) -> None:
    desk.text(f"{TRIAL}/answer")
    key = next(iter(desk.site.papers._papers))
    answer = desk.get(f"paper/{key}/page/1")
    assert answer.headers["content-type"] == "image/webp"
    assert answer.content[8:12] == b"WEBP"
    assert desk.get(f"paper/{key}/page/1").content == answer.content
    assert desk.get(f"paper/{key}/page/99").status_code == 404
