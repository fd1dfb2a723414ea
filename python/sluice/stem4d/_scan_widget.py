"""The viewer of scans in a notebook: what is set in it can be read and set from Python.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import functools
from typing import Any, Callable, List, Optional, Sequence

from .. import _core
from .._arrays import as_pair
from .._errors import InvalidArgument
from .._view._viewer import Hear
from .._view._widget import base, page_module
from . import _widget_state as state_of
from ._detectors import Detector
from ._phase import Rotation
from ._shown import ShownScans
from ._widget_numbers import Numbers
from ._widget_sources import Json, sources

_PRESETS = ("bf", "abf", "adf", "haadf")
#: Whose change means which section of the page's session.
_SECTIONS = {"detectors": "detectors", "selected": "detectors", "mode": "mode", "mask": "mask",
             "descan": "descan", "rotation": "calibration", "probe": "scan", "region": "scan",
             "region_kind": "scan", "source": "scan", "index": "dataset"}


@functools.lru_cache(maxsize=None)
def scans_class() -> Any:
    """The class, made when it is first needed: anywidget may be missing."""
    import traitlets

    class Scans(Numbers, base()):  # type: ignore[misc]
        """Scans in a notebook; made by `sluice.stem4d.show`.

        Coordinates and lengths on the detector are pixels of the full, unbinned detector. Setting
        an attribute changes the page; what is set in the page changes the attribute. `observe`
        (traitlets) and `on` tell of changes.
        """

        _esm = page_module("stem4d")

        #: Which dataset is looked at, from 0.
        index = traitlets.Int(0)
        #: Virtual detectors: `sluice.stem4d.Detector`, or text like "bf" or "disk:r=20".
        detectors = traitlets.Any()
        #: Which of them makes the image, from 0.
        selected = traitlets.Int(0)
        #: What the image is: "sum", "mean", "com_row", "icom" and others.
        mode = traitlets.Enum(state_of.MODES, "sum")
        #: What the centre of mass is of: the "selected" detector or the "whole" one.
        mask = traitlets.Enum(("selected", "whole"), "whole")
        #: What is subtracted from it: its "mean", or the "plane" that fits it best.
        descan = traitlets.Enum(("mean", "plane"), "plane")
        #: Of the scan against the detector: "none", "auto" or a `Rotation`.
        rotation = traitlets.Any("none")
        #: (row, column) of the scan point whose frame is looked at.
        probe = traitlets.Any()
        #: A shape on the scan, in scan points, or None.
        region = traitlets.Any(None, allow_none=True)
        #: How its frames are taken together.
        region_kind = traitlets.Enum(("sum", "mean", "max"), "mean")
        #: What the diffraction panel shows: the "probe", the "region", or all frames as "sum",
        #: "mean", "max" or "variance".
        source = traitlets.Enum(state_of.SOURCES, "mean")

        def __init__(self, begin: Callable[[Hear], Any], **more: Any) -> None:
            self._revision = 0
            self._quiet = False
            self._session: Json = {}
            self._colors: List[str] = []
            super().__init__(begin, **{key: value for key, value in more.items()
                                       if key == "height"})
            self.observe(self._push, list(_SECTIONS))
            for name, value in more.items():
                if name != "height" and value is not None:
                    setattr(self, name, value)

        # What is set.

        def apply_preset(self, name: str) -> None:
            """Selects "bf", "abf", "adf" or "haadf" at the measured disk, and adds it where it is
            not there."""
            if name.lower() not in _PRESETS:
                raise InvalidArgument(f"there is no preset {name!r}; use {', '.join(_PRESETS)}")
            made = state_of.settled(name.lower(), self.disk)
            label = name.upper()
            made = Detector(made.shape, label, made.unit, made.center, made.inner, made.outer)
            names = [d.name for d in self.detectors]
            at = names.index(label) if label in names else len(names)
            with self.hold_trait_notifications():
                self.detectors = [*self.detectors[:at], made, *self.detectors[at + 1:]]
                self.selected = at

        @property
        def session(self) -> Json:
            """All that is set, also how it is displayed: what the page's "Save session" writes."""
            return {**self._session, **self._sections(set(_SECTIONS.values())),
                    "schema": state_of.SCHEMA}

        @session.setter
        def session(self, value: Json) -> None:
            self._adopt(value)
            self._tell(value)

        def on(self, name: str, call: Callable[[Any], Any]) -> Callable[[], None]:
            """Calls `call(value)` when an attribute has changed; gives back what ends that."""
            if name not in _SECTIONS:
                raise InvalidArgument(f"there is no event {name!r}; there are "
                                      f"{', '.join(_SECTIONS)}")

            def heard(change: Any) -> None:
                call(change["new"])
            self.observe(heard, name)
            return lambda: self.unobserve(heard, name)

        @traitlets.default("detectors")
        def _first_detectors(self) -> Any:
            here = self._dataset()
            disk = state_of.disk_of(here)
            if disk is None:
                rows, cols = here["detector"]
                grid = state_of.grid_of(here)
                radius = max(3.0, round(1.5 * min(rows, cols)) / 10)
                return [state_of.settled(Detector(
                    "disk", "BF", center=grid.to_detector((rows // 2, cols // 2)),
                    outer=radius * grid.bin), None)]
            return [state_of.settled(f"{name.upper()}={name}", disk) for name in ("bf", "adf")]

        @traitlets.default("probe")
        def _first_probe(self) -> Any:
            rows, cols = self._dataset()["scan"]
            return rows // 2, cols // 2

        @traitlets.validate("detectors")
        def _good_detectors(self, proposal: Any) -> Any:
            given = proposal["value"]
            some = given if isinstance(given, (list, tuple)) else [given]
            if not 1 <= len(some) <= 16:
                raise InvalidArgument(f"{len(some)} detectors; the viewer has 1 to 16")
            disk = state_of.disk_of(self._dataset())
            return [state_of.settled(one, disk) for one in some]

        @traitlets.validate("probe")
        def _good_probe(self, proposal: Any) -> Any:
            rows, cols = self._dataset()["scan"]
            row, col = (round(at) for at in as_pair(proposal["value"], "the probe"))
            if not (0 <= row < rows and 0 <= col < cols):
                raise InvalidArgument(f"the probe is ({row}, {col}); the scan has {rows} x {cols} "
                                      "points")
            return row, col

        @traitlets.validate("region")
        def _good_region(self, proposal: Any) -> Any:
            given = proposal["value"]
            return None if given is None else state_of.settled(given, None)

        @traitlets.validate("rotation")
        def _good_rotation(self, proposal: Any) -> Any:
            given = proposal["value"]
            if given in ("none", "auto") or isinstance(given, Rotation):
                return given
            raise InvalidArgument(f"rotation is {given!r}; it is 'none', 'auto' or a Rotation")

        # To the page and from it.

        def _sections(self, which: "set[str]") -> Json:
            """Sections of the page's session, as they are set here."""
            made: Json = {}
            if "dataset" in which:
                made["datasets"] = [{"name": d["name"], "path": d["path"]} for d in self.datasets]
                made["dataset"] = self.index
            if "detectors" in which:
                grid = state_of.grid_of(self._dataset())
                made["detectors"] = state_of.detectors_to_page(self.detectors, grid, self._colors)
                made["selected"] = f"p{self.selected}"
            if "scan" in which:
                region = self.region
                made["scan"] = {
                    "probe": list(self.probe), "regionKind": self.region_kind,
                    "region": region and state_of.shape_to_page(region, state_of.PLAIN),
                    "source": self.source}
            if "calibration" in which:
                before = {"scanStep": 0, "detectorStep": 0, "center": None}
                made["calibration"] = {**before, **self._session.get("calibration", {}),
                                       "rotation": state_of.rotation_to_page(self.rotation)}
            made.update({name: getattr(self, name) for name in ("mode", "mask", "descan")
                         if name in which})
            return made

        def _push(self, change: Any) -> None:
            if self._quiet:
                return
            self._tell(self._sections({_SECTIONS[change["name"]]}))

        def _tell(self, sections: Json) -> None:
            self._revision += 1
            self._session = {**self._session, **sections}
            self.send({"op": "state", "to": "*", "state": {
                **sections, "schema": state_of.SCHEMA, "revision": self._revision}})

        def _begin_state(self) -> Optional[Json]:
            # On the engine's thread: nothing here may wait for the engine.
            if not self._session:
                return None
            return {**self._session, "schema": state_of.SCHEMA, "revision": self._revision}

        def _take_state(self, state: Json, revision: int) -> None:
            # What the page had before something was set here is out of date.
            if revision < self._revision:
                return
            self._session = state
            self._adopt(state)

        def _adopt(self, state: Json) -> None:
            """Sets the attributes as a session has them, without telling the page."""
            found: Json = {}
            if state.get("dataset") is not None:
                named = state.get("datasets", [])[state["dataset"]]["path"]
                paths = [one["path"] for one in self.datasets]
                if named in paths:
                    found["index"] = paths.index(named)
            self._quiet = True
            try:
                with self.hold_trait_notifications():
                    self._set(found)
                    self._set(self._values(state))
            finally:
                self._quiet = False

        def _values(self, state: Json) -> Json:
            found: Json = {name: state[name] for name in ("mode", "mask", "descan")
                           if name in state}
            if state.get("detectors"):
                grid = state_of.grid_of(self._dataset())
                some = state["detectors"]
                found["detectors"] = [state_of.shape_from_page(d["region"], grid, d["name"])
                                      for d in some]
                self._colors = [d["color"] for d in some]
                keys = [d["key"] for d in some]
                found["selected"] = max(0, keys.index(state.get("selected"))
                                        if state.get("selected") in keys else 0)
            if "scan" in state:
                scan = state["scan"]
                found.update(probe=tuple(scan["probe"]), region_kind=scan["regionKind"],
                             source=scan["source"], region=scan["region"] and
                             state_of.shape_from_page(scan["region"], state_of.PLAIN))
            if "calibration" in state:
                found["rotation"] = state_of.rotation_from_page(state["calibration"]["rotation"])
            return found

        def _set(self, found: Json) -> None:
            for name, value in found.items():
                if not state_of.alike(getattr(self, name), value):
                    setattr(self, name, value)

        def __repr__(self) -> str:
            names = ", ".join(repr(one["name"]) for one in self.datasets[:3])
            more = len(self.datasets) - 3
            return f"<the viewer of {names}{f' and {more} more' if more > 0 else ''}>"

    return Scans


def _words(**options: Any) -> List[str]:
    """Options as the command line has them, for the commands that the page shows."""
    return [word for name, value in options.items() if value not in (1, "sum")
            for word in (f"--{name.replace('_', '-')}", str(value))]


def show_scans(given: Sequence[Any], *, height: int, det_bin: int, scan_bin: int, scan_step: int,
               bin_mode: str, memory: int, device: str, threads: int, state: Json,
               open_options: Json) -> ShownScans:
    """The widget of `sluice.stem4d.show`."""
    made: Callable[..., ShownScans] = scans_class()
    paths, opened = sources(given, open_options)
    if not paths and not opened:
        raise InvalidArgument("there is nothing to show; give a path, a dataset, a scan or an array")
    words = _words(det_bin=det_bin, scan_bin=scan_bin, scan_step=scan_step, bin_mode=bin_mode)

    def begin(hear: Hear) -> Any:
        return _core.view_scans(paths, opened, det_bin, scan_bin, scan_step, bin_mode, memory,
                                device, threads, words, hear)
    return made(begin, height=height, **state)
