"""`po.app`: a page on this machine with sliders; moving one computes the run again, and the page shows it."""

from __future__ import annotations

import html
import threading
import time
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from poinsot.errors import SettingsError, warnings_collected
from poinsot.interrupts import stop_run_of
from poinsot.live.newest import Newest, Superseded
from poinsot.live.ranges import suitable
from poinsot.live.server import Server, encoded
from poinsot.live.sliders import SLIDERS, read_sliders, read_values
from poinsot.live.variants import Variants
from poinsot.model.events import EVENTS, Event
from poinsot.model.guard import TEXT, TRUTH, Kind, settings_door, whole
from poinsot.model.system import System
from poinsot.plans import CHOOSING, RUNNING
from poinsot.simulation import Ready

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

LAST_PORT = 65535
HEIGHT = 700  # pixels, in a notebook
PORT = Kind(lambda value: whole(value) and 0 <= value <= LAST_PORT, f"a whole number from 0, which chooses a free one, to {LAST_PORT}")


@settings_door(**CHOOSING, until=RUNNING["until"], events=EVENTS, sliders=SLIDERS, port=PORT, open=TRUTH, block=TRUTH, description=TEXT)
def app(
    system: System,
    duration: float,
    *,
    sliders: Mapping[str, Any] | Sequence[str] | None = None,
    step: float | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    tolerance: float | None = None,
    output_step: float | None = None,
    start: float = 0.0,
    formulation: str = "auto",
    integrator: str = "auto",
    until: Callable[[float, Any], float] | None = None,
    events: Sequence[Event] = (),
    plots: Sequence[str] = (),
    trails: Sequence[Any] = (),
    description: str = "",
    port: int = 0,
    open: bool = True,
    block: bool = True,
) -> Live:
    """Show a system in a page with sliders: moving one computes the run again and shows it in place.

    The server listens on this machine alone (127.0.0.1), and its address contains a random token that every request must carry.

    Parameters
    ----------
    duration : of a run, s
    sliders : ranges by name, {"spring1.stiffness": (5, 50), "base.angle": (-1, 1, 0.01)}: lowest, highest and perhaps the step, in SI units; or a
        list of names, with ranges around their values; default: initial values that were set, springs, dampers, masses and gravity, at most eight.
        Names are those of `change=` (docs/changes.md); single numbers of initial values too: "joint1.rotation[0]" of the rotation vector (rad)
    step, rtol, atol, tolerance, output_step, start, formulation, integrator, until, events : as in `simulate`
    plots, trails, description : as in `write_html`
    port : of the server; 0 chooses a free one
    open : open the page in a browser
    block : return after Ctrl-C; False: return at once, and serve until `close()` is called or the `with` block ends

    Returns
    -------
    Live : with the address `.url`, the last good run `.run` and its `.values`

    Raises
    ------
    ModelError : names of sliders that do not exist, with the nearest ones
    SettingsError : ranges that do not contain the value at the start, a port that is in use
    PoinsotError : whatever prevents the run at the start
    """
    options: dict[str, Any] = {"step": step, "rtol": rtol, "atol": atol, "tolerance": tolerance, "events": events}
    ready = Ready(system, formulation=formulation, integrator=integrator, **options)
    running = {"output_step": output_step, "start": start, "until": until}
    variants = Variants(ready, duration, running, {"plots": plots, "description": description, "trails": trails})
    variants.begin(read_sliders(suitable(ready.frozen.system) if sliders is None else sliders, variants.first))
    live = Live(variants, int(port))
    if open:
        webbrowser.open(live.url)
    if block:
        print(f"Live page of '{system.name}': {live.url}\nCtrl-C ends it.", flush=True)
        live.wait()
        print(live.summary())
    return live


class Live:
    """A live page that is being served; close it with `close()`, or use it in a `with` block.

    Attributes
    ----------
    url : the address of the page, with its token
    run : the last run that did not fail (a Trajectory)
    values : the positions of the sliders that `run` belongs to, by name
    computed, failed : number of runs at positions that were asked for, and how many of them failed
    closed : whether its server has ended
    """

    def __init__(self, variants: Variants, port: int):
        self._variants = variants
        with warnings_collected():  # of the first run: shown before
            page = variants.page()
        self._newest = Newest(variants.answer, stop_run_of)
        try:
            self._server = Server(port, lambda: page, {"run": self._run, "model": self._model})
        except OSError as error:
            self._newest.close()
            raise SettingsError(f"port {port} cannot be used: {error.strerror or error}; leave out port= to use a free one") from None
        self.url = self._server.url
        self._began, self._ended = time.monotonic(), threading.Event()
        self._seconds = 0.0
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, name="poinsot server", daemon=True).start()

    def _run(self, request: dict[str, Any]) -> tuple[str, bytes]:
        values = read_values(self._variants.sliders, request.get("values"))
        try:
            return "application/json", encoded(self._newest.ask(values))
        except Superseded:
            return "application/json", encoded({"superseded": True})

    def _model(self, request: dict[str, Any]) -> tuple[str, bytes]:
        values = read_values(self._variants.sliders, request.get("values"))
        return "application/yaml; charset=utf-8", self._variants.model(values).encode()

    @property
    def run(self) -> Trajectory:
        """The last run that did not fail."""
        return self._variants.run

    @property
    def values(self) -> dict[str, float]:
        """The positions of the sliders of that run."""
        return dict(self._variants.values)

    @property
    def computed(self) -> int:
        """Number of runs at positions that were asked for."""
        return self._variants.computed

    @property
    def failed(self) -> int:
        """How many of them failed."""
        return self._variants.failed

    @property
    def closed(self) -> bool:
        """Whether it is no longer served."""
        return self._ended.is_set()

    def close(self) -> None:
        """End the server; a run that is being computed is stopped. Does nothing when it is closed already."""
        if self.closed:
            return
        self._seconds = time.monotonic() - self._began
        self._ended.set()
        self._newest.close()
        self._server.shutdown()
        self._server.server_close()

    def wait(self) -> None:
        """Return once the page is closed: by Ctrl-C, or by `close()` in another thread."""
        try:
            while not self._ended.wait(0.2):  # a wait without an end would not see Ctrl-C on all systems
                pass
        except KeyboardInterrupt:
            pass
        finally:
            self.close()

    def summary(self) -> str:
        """What it did, in one line."""
        seconds = self._seconds if self.closed else time.monotonic() - self._began
        runs = f"{self.computed} run{'s' * (self.computed != 1)} computed"
        state = "Closed after" if self.closed else "Served for"
        return f"{state} {seconds:.0f} s: {runs}, {self.failed} of them failed." if self.failed else f"{state} {seconds:.0f} s: {runs}."

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Live({self.url}{', closed' if self.closed else ''})"

    def _repr_html_(self) -> str:
        """The page in a cell of a notebook, of a browser on this machine."""
        if self.closed:
            return f"<p>{html.escape(self.summary())}</p>"
        address = html.escape(self.url)
        return (
            f'<p><a href="{address}" target="_blank" rel="noreferrer">Live page</a></p>'
            f'<iframe src="{address}" width="100%" height="{HEIGHT}" style="border:0;width:100%;height:{HEIGHT}px"></iframe>'
        )
