"""Variants of a system at positions of the sliders: run, packed for the page, or written as a model file."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from poinsot.errors import PoinsotError, warnings_collected
from poinsot.live.newest import Superseded
from poinsot.live.sliders import Slider, change_of
from poinsot.model.change import with_change
from poinsot.view.page import page_html, page_update

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory
    from poinsot.simulation import Ready


class Variants:
    """A prepared system, its sliders, and its last good run.

    Attributes
    ----------
    run, values : the last run that did not fail, and the positions of the sliders that it belongs to
    computed, failed : how many runs there were at other positions than those at the start, and how many of them failed
    """

    def __init__(self, ready: Ready, duration: float, running: dict[str, Any], showing: dict[str, Any]):
        self.ready, self.duration, self.running, self.showing = ready, duration, running, showing
        self.sliders: Sequence[Slider] = ()
        self.computed = self.failed = 0
        self.first = self.run = self.run_of({})
        self.values: dict[str, float] = {}

    def begin(self, sliders: Sequence[Slider]) -> None:
        """Use these sliders; they stand at their start."""
        self.sliders = sliders
        self.values = {slider.name: slider.value for slider in sliders}

    def run_of(self, change: dict[str, Any]) -> Trajectory:
        """A run with some values changed."""
        return self.ready.run(self.duration, change=change or None, progress=False, **self.running)

    def page(self) -> str:
        """The page, with the run at the start."""
        return page_html(self.first, live={"sliders": [slider.data() for slider in self.sliders]}, **self.showing)

    def answer(self, values: dict[str, float]) -> dict[str, Any]:
        """The run at these positions as the page reads it, or why there is none, in words."""
        began = time.perf_counter()
        with warnings_collected() as notes:
            try:
                run = self.run_of(change_of(self.sliders, values))
                seconds = time.perf_counter() - began
                data = page_update(run, **self.showing)
            except KeyboardInterrupt:
                raise Superseded from None
            except Exception as error:
                self.computed, self.failed = self.computed + 1, self.failed + 1
                return {"error": words_of(error), "values": values}
        self.computed += 1
        self.run, self.values = run, values
        packing = time.perf_counter() - began - seconds
        return {"data": data, "values": values, "computed": seconds, "packed": packing, "notes": list(dict.fromkeys(notes))}

    def model(self, values: Mapping[str, float]) -> str:
        """The text of a model file with the values of these positions; raises where the system cannot be written."""
        change = change_of(self.sliders, values)
        system = self.ready.frozen.system
        return (with_change(system, change) if change else system).to_yaml()


def words_of(error: Exception) -> str:
    """An error in words; the kind of those that are not of this package says more than their words alone."""
    words = str(error) or type(error).__name__
    return words if isinstance(error, PoinsotError) else f"{type(error).__name__}: {words}"
