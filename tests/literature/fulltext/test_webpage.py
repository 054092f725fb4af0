"""Pages that stand where a paper was expected."""

from types import ModuleType

import pytest

from pincite_literature.fulltext.webpage import linked_pdf, page_title, wall

AT = "https://publisher.example/article/7"


@pytest.mark.parametrize(
    ("tag", "found"),
    [
        ('<meta name="citation_pdf_url" content="https://cdn.example/7.pdf">', "https://cdn.example/7.pdf"),
        ("<META CONTENT='/pdf/7.pdf' NAME='citation_pdf_url' />", "https://publisher.example/pdf/7.pdf"),
        ("<meta name=citation_pdf_url content=7.pdf>", "https://publisher.example/article/7.pdf"),
        ('<meta property="citation_pdf_url" content="7.pdf?a=1&amp;b=2">', "https://publisher.example/article/7.pdf?a=1&b=2"),
        ('<meta name="eprints.document_url" content="https://e.example/1/7.pdf">', "https://e.example/1/7.pdf"),
        ('<meta name="citation_pdf_url" content="">', None),
        ('<meta name="citation_pdf_url" content="javascript:alert(1)">', None),
        ('<meta name="citation_pdf_url" content="file:///etc/passwd">', None),
        ('<meta name="citation_pdf_url" content="http://[::1">', None),
        (f'<meta name="citation_pdf_url" content="{AT}">', None),
        ('<meta name="citation_title" content="7.pdf">', None),
        ("", None),
    ],
)  # fmt: skip
def test_the_pdf_that_a_landing_page_names(tag: str, found: str | None) -> None:
    page = f"<html><head><meta charset=utf-8>{tag}</head><body>…</body></html>".encode()
    assert linked_pdf(page, AT) == found


@pytest.mark.parametrize(
    ("page", "what"),
    [
        ("<title>Just a moment...</title><p>Verifying you are human.</p>", "a check for robots"),
        ("<h1>Access Denied</h1><p>You don't have permission.</p>", "a page that denies access"),
        ("<title>Error - Cookies Turned Off</title><p>Cookies must be enabled.</p>", "a cookie page"),
        ("<p>This is a preview of subscription content</p><a>Buy article PDF</a>", "a page that sells the article"),
        ("<form>Username <input name=u><input type='password'></form>", "a login page"),
        ("<html><head><title>Log in - University</title></head></html>", "a login page"),
        ("<title>A page</title><p>Text.</p>", ""),
        ("<title>A page</title><script src=recaptcha.js>signIn('captcha')</script><a>Sign in</a><p>Text.</p>", ""),
        ("<style>.captcha{}</style><p>Text.</p><SCRIPT>var captcha = 1", ""),
        ("", ""),
    ],
)
def test_walls_are_told_apart(page: str, what: str) -> None:
    assert wall(page.encode()) == what


def test_an_article_is_no_wall(articles: ModuleType) -> None:
    assert wall(articles.web_page()) == ""
    assert page_title(articles.web_page()).startswith("Superconductivity of a cuprate")
    assert page_title(b"<p>none</p>") == ""


def test_hostile_pages_take_no_time() -> None:
    for page in (
        b"<meta " * 100_000,
        b"<meta name=" + b"'" * 200_000,
        b"<title>" * 100_000,
        b"sign in via " * 50_000,
        b"<script>" * 60_000,
    ):
        assert linked_pdf(page, AT) is None
        assert page_title(page) == ""
        wall(page)
