"""A plan in one pass: virtual images, patterns, centres of mass and disks, as `sluice stem4d analyze` finds them.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from .. import _core
from .._arrays import Image
from .._axes import Axes, axes_of
from .._errors import InvalidArgument, warn
from .._progress import Progress, shown
from .._scans._open import Sources, as_scan, load, open as open_dataset
from .._words import in_words, told
from ._bragg_vectors import BraggVectors
from ._disk import Disk, _disk
from ._find_disks import DiskPlan
from ._phase import PhaseContrast, _phase
from ._plans import native_plan
from ._results import CenterOfMass, DiffractionPattern, _com, _said
from ._templates import _template

#: What `analyze` takes: tables of parts, or the path of a TOML file that has them.
Plan = Union[Mapping[str, Any], str, "os.PathLike[str]"]


@dataclass
class Analyzed:
    """What `analyze` found in one pass, each as its own function gives it.

    A part with a name begins the names of what it finds: the images of {"ring": {"detector": ["bf", "adf"]}} are
    "ring_bf" and "ring_adf"; the only one of a part is called like the part. Moments and disks have the name of
    their part, or of their table where the part has none.
    """

    #: [row, col] of the scan, by their names.
    images: Dict[str, Image]
    #: By their kinds, as "mean", or "spot_sum" of a part that is called "spot".
    patterns: Dict[str, DiffractionPattern]
    center_of_mass: Dict[str, CenterOfMass]
    #: Of the parts with a rotation.
    phase_contrast: Dict[str, PhaseContrast]
    disks: Dict[str, BraggVectors]
    #: How the disks of each part were found.
    disk_plans: Dict[str, DiskPlan]
    #: The bright-field disk, where a detector needed it.
    disk: Optional[Disk]
    #: A sentence for each decision before the pass, and the sample that it was made on.
    decided: Tuple[str, ...]
    notes: List[str]


def analyze(scan: Optional[Sources], plan: Plan, *, disk: Optional[Disk] = None, device: str = "cpu",
            threads: int = 0, progress: Progress = None) -> Analyzed:
    """Any set of virtual images, patterns, centres of mass and disks in one pass over a scan. What is left open
    (the bright-field disk, the template of Bragg disks) is decided before on a sample, and told in `decided`.

    Args:
        scan: a `Scan`, or what `sluice.load` takes; None: the one that the file of the plan names.
        plan: tables as `sluice stem4d analyze` has them, or the path of its TOML file: "virtual_image" (detector,
            mean), "diffraction_pattern" (kind, at, where), "center_of_mass" (within, rotation, periodic, descan)
            and "disks" (template, vacuum, template_radius and the options of `fit_template` and `plan_disks`).
            A table of tables has a part for each, by their names. Detectors, templates and arrays may stand
            instead of texts. Its own scan is opened and loaded as its tables "open" and "load" say; a scan that is
            loaded already stays as it is.
        disk: the bright-field disk, instead of measuring it where one is needed.
        progress: f(done, total) in bytes of the files; of a scan in memory whose disks are found, in units of 16
            frames. Returning False cancels.

    Raises:
        InvalidArgument: a table or a key that there is not (the error has the nearest one), or two results of one
            name.

    Example:
        >>> import sluice
        >>> scan = sluice.load("synthetic:stem4d?scan=8x8&detector=32x32")
        >>> found = sluice.stem4d.analyze(scan, {"virtual_image": {"detector": ["bf", "adf"]},
        ...                                      "diffraction_pattern": {"kind": ["mean", "max"]},
        ...                                      "center_of_mass": {}})
        >>> sorted(found.images), sorted(found.patterns)
        (['adf', 'bf'], ['max', 'mean'])
    """
    if isinstance(plan, (str, os.PathLike)):
        config = _core.read_analysis(os.fspath(plan))
        for note in config.notes:
            warn(note, DeprecationWarning)
        loaded, native = _scan_of(scan, config, os.fspath(plan), progress), config.plan
        disk_of_plan = config.disk
    else:
        if scan is None:
            raise InvalidArgument("scan is None (only a file of a plan names one); give the scan")
        loaded = as_scan(scan)
        native, disk_of_plan = native_plan(plan, device, threads), None
    decided = _core.decide_analysis(loaded._open(), native, device, threads,
                                    disk_of_plan if disk is None else disk._native())
    with shown(progress, "analyze") as tell:
        found = _core.analyze(loaded._open(), native, decided, device, threads, tell)
    return result(found, decided, axes_of(loaded))


def result(found: Dict[str, Any], decided: Any, axes: Axes) -> Analyzed:
    """What the library found, as Python has it."""
    images: Dict[str, Image] = {}
    notes: List[str] = []
    for _, one in found["images"]:
        for number, name in enumerate(one["names"]):
            images[name or f"image_{len(images)}"] = one["values"][number]
        notes += in_words(list(one["notes"]))
    # A part's name does not tell whether its pattern is a variance, whose unit is another one.
    places = replace(axes, unit="")
    patterns = {name: DiffractionPattern(**_said(one), axes=places) for name, one in found["patterns"]}
    coms = {name or "center_of_mass": _com({**com, "axes": axes}) for name, com, _ in found["moments"]}
    phases = {name or "center_of_mass": _phase(phase)
              for name, _, phase in found["moments"] if phase is not None}
    disks = {name or "disks": BraggVectors._of(native, axes) for name, native in found["disks"]}
    plans = {}
    for name, shape, setup in zip(disks, decided.templates, decided.setups):
        fields = told(setup.fields)
        fields["why"] = tuple(fields["why"])
        plans[name] = DiskPlan(template=_template(shape), _native=setup, **fields)
    for group in (patterns, coms, phases):
        notes += [note for one in group.values() for note in one.notes]
    return Analyzed(images, patterns, coms, phases, disks, plans, _disk(decided.disk),
                    tuple(in_words(list(decided.why))), list(dict.fromkeys(notes)))


def _scan_of(scan: Optional[Sources], config: Any, path: str, progress: Progress) -> Any:
    """The scan that is given, or that of the file, opened and loaded as the file says."""
    source = scan
    if source is None:
        if len(config.scan) != 1:
            raise InvalidArgument(f"{path}: names {len(config.scan)} scans; give the scan that is to be analyzed")
        source = config.scan[0]
    if not isinstance(source, (str, os.PathLike)):
        return as_scan(source)
    how = {name: _value(name, text) for name, text in {**config.open, **config.load}.items()}
    return load(source, mask=config.mask, progress=progress, **how)


def source_of(source: Any, config: Any, path: str, given: Mapping[str, Any]) -> "Tuple[Any, Mapping[str, Any]]":
    """The dataset of a file of a plan, and how it is loaded, for other processes; what is given counts for more."""
    if source is None:
        if len(config.scan) != 1:
            raise InvalidArgument(f"{path}: names {len(config.scan)} scans; give the scan that is to be analyzed")
        source = config.scan[0]
    if not isinstance(source, (str, os.PathLike)):
        return source, given
    opened = {name: _value(name, text) for name, text in config.open.items()}
    loaded = {name: _value(name, text) for name, text in config.load.items()}
    if config.mask is not None:
        loaded["mask"] = config.mask
    return open_dataset(source, **opened), {**loaded, **given}


def without_templates(plan: Mapping[str, Any]) -> Dict[str, Any]:
    """The tables without what only decisions need, and what may be a scan that travels nowhere."""
    def of(part: Mapping[str, Any]) -> Dict[str, Any]:
        kept = {name: of(value) if isinstance(value, Mapping) else value for name, value in part.items()
                if name not in _TEMPLATES}
        # Any template: decisions have the one that counts.
        return {**kept, "template_radius": 8} if len(kept) < len(part) else kept

    table = plan.get("disks")
    return {**plan, "disks": of(table)} if isinstance(table, Mapping) else dict(plan)


#: Keys of disks that give the template.
_TEMPLATES = ("template", "vacuum", "template_radius")


def _value(name: str, text: str) -> Any:
    """The argument of `sluice.load` that a text of a table stands for."""
    if name in ("scan_shape", "raw_frame"):
        return tuple(int(n) for n in text.split("x"))
    if name in ("scan_region", "detector_region"):
        top, bottom, left, right = (int(n) for n in re.split("[:,]", text))
        return top, left, bottom - top, right - left
    if name in ("det_bin", "scan_bin", "scan_step", "raw_offset", "dm_image", "tvips_start", "tpx3_flyback"):
        return 0 if text == "auto" else int(text)
    if name in ("allow_incomplete", "pixel_mask", "hot_pixels", "one_edge"):
        return text == "true"
    return float(text) if name in ("detector_step_mrad", "point_s", "window_s") else text
