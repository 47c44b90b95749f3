"""Pages with data that they do not know, or that are wrong: plain marks, and errors shown as what they are."""

# ruff: noqa: F811
import pytest
from test_browser import Opened, browser, files, playwright  # noqa: F401


def altered(files, folder, *changes, page="hostile"):
    """A page with other data in it: as a later version, or a mistake, would write them."""
    text = files[page].read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "altered.html").write_text(text, encoding="utf-8")
    return folder / "altered.html"


@pytest.mark.parametrize("kind", ["bushing", "screw", "prismatic", "universal", "constructor", ""])
def test_joints_that_the_page_cannot_draw_are_plain_marks(browser, files, tmp_path, kind):
    """An unknown kind, or a known one without what its drawing needs."""
    with Opened(browser, files["hostile"]) as page:
        count = "poinsot.view.models[0].count"
        usual = page.evaluate(count)
    with Opened(browser, altered(files, tmp_path, ('"kind":"revolute"', f'"kind":"{kind}"'))) as page:
        assert page.evaluate(count) == usual + 1  # a mark on either body in place of one axle
        assert page.colours() > 50 and page.messages == []
        assert not page.is_visible("#nogl") and not page.is_visible("#fault")


def test_a_scene_that_fails_says_why_and_not_that_webgl_is_off(browser, files, tmp_path):
    with Opened(browser, altered(files, tmp_path, ('"joints":[{', '"joints":[null,{'))) as page:
        assert "TypeError" in page.inner_text("#fault") and page.is_visible("#fault")
        assert "WebGL" not in page.inner_text("body") and "could not be drawn" in page.inner_text("#nogl")
        page.fill("#time", "0.2")
        assert page.time == 0.2 and "energy" in page.inner_text("#audit")
        assert page.messages and all("TypeError" in words for words in page.messages)


def test_any_other_failure_of_a_page_is_shown(browser, files, tmp_path):
    with Opened(browser, altered(files, tmp_path, ('"groups":', '"other":')), wait=False) as page:
        page.until("!document.getElementById('fault').hidden")
        assert "TypeError" in page.inner_text("#fault")
    with Opened(browser, files["one"]) as page:
        page.evaluate("() => { setTimeout(() => { throw new RangeError('later'); }); }")
        page.until("!document.getElementById('fault').hidden")
        page.evaluate("() => { Promise.reject(new Error('after that')); }")
        page.wait_for_timeout(50)
        assert page.inner_text("#fault") == "This page has an error: RangeError: later"
