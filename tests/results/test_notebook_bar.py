"""Progress in notebooks: one display, renewed in place, escaped, and empty at the end."""

from poinsot import progress


class Handle:
    def __init__(self, shown):
        self.shown = shown

    def update(self, html, raw):
        assert raw
        self.shown.append(html)


def test_a_bar_in_a_notebook(monkeypatch):
    shown = []

    def display(html, raw, display_id):
        assert raw and display_id
        shown.append(html)
        return Handle(shown)

    monkeypatch.setattr(progress, "_notebook", lambda: display)
    monkeypatch.setattr(progress, "RENEWED", 0.0)
    with progress.bar(True, "<b>run</b>", 2.0, 4.0) as tell:
        for t in (2.0, 4.0, 6.0):
            tell(t)
    assert [html["text/plain"].split(",")[0] for html in shown] == ["<b>run</b>: 0 %", "<b>run</b>: 50 %", "<b>run</b>: 100 %", ""]
    assert "&lt;b&gt;" in shown[1]["text/html"] and "value='0.5000'" in shown[1]["text/html"] and shown[-1]["text/html"] == ""
    with progress.bar(None, "short", 0.0, 1.0) as tell:
        tell(0.5)
    assert len(shown) == 4  # short runs show none


def test_outside_of_notebooks_there_is_no_display():
    assert progress._notebook() is None
