"""Whether work fits into this machine, and how long it takes, before it is done.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Dict, List, Literal, Optional, Sequence, Tuple, Union

from . import _program
from ._options import (DiskMode, DoseEngine, Pair, Path, Preset, ScanCodec, ScanFormat)
from ._words import said

Task = Literal["load", "images", "disks", "strain", "orientation", "ptychography", "convert", "dose", "separate"]


@dataclass(frozen=True)
class WorkPlan:
    """What work takes. Sizes are bytes, times seconds."""

    task: Task
    subject: str
    layout: str
    peak_bytes: int
    available_bytes: int
    fits: bool
    #: over the files.
    passes: int
    #: s, low_s, high_s and basis; None: nothing was measured.
    time: Optional[Dict[str, Any]]
    #: name, bytes, basis, fits: the scan in each form.
    forms: List[Dict[str, Any]]
    #: the same of the peak, part by part.
    parts: List[Dict[str, Any]]
    #: s, low_s, high_s, basis of each step.
    steps: List[Dict[str, Any]]
    #: name, bytes, bytes_per_s, s, basis, not_taken: the disk, decoding, the work, and PCIe, each by itself.
    flows: List[Dict[str, Any]]
    #: what takes longest: with nothing cached, with all cached, and with a GPU.
    bottlenecks: List[str]
    advice: List[str]
    notes: List[str]
    #: of `devices`: measured (False), work, assumptions, notes, meetings and gpus, each with name, memory_bytes,
    #: source, fits, needed, transfer_s, work_s, bound and several. None: not asked for, or it runs on processors only.
    devices: Optional[Dict[str, Any]] = None

    def __str__(self) -> str:
        fits = "fits" if self.fits else "is too large"
        lines = [f"{self.task}: {self.subject}",
                 f"{self.peak_bytes / 1e9:.3g} GB at the peak {fits} ({self.available_bytes / 1e9:.3g} GB are free)"]
        if self.time:
            lines.append(f"{self.time['s']:.3g} s, {self.time['low_s']:.3g} to {self.time['high_s']:.3g} s")
        return "\n".join(lines + self.bottlenecks + self.notes + self.advice)


def _repeated(option: str, values: Union[None, Path, Sequence[Path]]) -> List[str]:
    """An option that is given once for each value."""
    if values is None:
        return []
    some = [values] if isinstance(values, (str, os.PathLike)) else values
    return [word for value in some for word in (option, os.fspath(value))]


def plan(source: Union[Path, Tuple[int, int, int, int]], *, task: Task = "load",
         detector: Union[None, str, Sequence[str]] = None, dtype: Optional[Literal["uint8", "uint16", "uint32"]] = None,
         dose: Optional[float] = None, memory_only: bool = False, devices: bool = False, folder: Optional[Path] = None,
         det_bin: Optional[int] = None, scan_bin: Optional[int] = None, scan_shape: Optional[Pair] = None,
         stream: bool = False, memory_limit: Optional[int] = None, threads: Optional[int] = None,
         device: Optional[str] = None, template: Optional[Path] = None, template_radius: Optional[float] = None,
         disk_mode: Optional[DiskMode] = None, crystal: Union[None, Path, Sequence[Path]] = None,
         calibration: Optional[Path] = None, energy: Optional[float] = None,
         detector_step_mrad: Optional[float] = None, scan_step_nm: Optional[float] = None,
         modes: Optional[int] = None, iterations: Optional[int] = None, format: Optional[ScanFormat] = None,
         codec: Optional[ScanCodec] = None, verify: bool = False, ct: Optional[Path] = None,
         machine: Optional[Path] = None, structures: Optional[Path] = None, engine: Optional[DoseEngine] = None,
         model: Union[None, Path, Sequence[Path]] = None, model_config: Union[None, Path, Sequence[Path]] = None,
         preset: Optional[Preset] = None, overlap: Optional[int] = None) -> WorkPlan:
    """Plans work as `sluice plan` does, in a process of its own; nothing is left on the disk.

    Args:
        source: a scan; (rows, columns, detector rows, detector columns) of a scan that is not there;
            of task "dose" a plan of spots, of "separate" a song or seconds as in "240s".
        task: what is to be done with it.
        detector: of images, as `stem4d.virtual_image` takes them; one or several.
        dtype, dose: of a scan that is not there.
        memory_only: measure nothing: no time is told.
        devices: also estimates of GPUs, from data sheets and formulas; they are not measured.
        folder: where samples are written, and removed.
        det_bin, scan_bin, scan_shape, stream, memory_limit, threads, device: as of `sluice.load`.
        template, template_radius, disk_mode: of disks, strain and orientation.
        crystal, calibration: of orientation; one CIF or several.
        energy: of the electrons, in kV.
        detector_step_mrad, scan_step_nm, modes, iterations: of ptychography.
        format, codec, verify: of convert.
        ct, machine, structures, engine: of dose.
        model, model_config, preset, overlap: of separate; one model or several.

    Raises:
        NotFound, InvalidArgument, Error: as the program says it.

    Example:
        >>> import sluice
        >>> sluice.plan((64, 64, 96, 96), memory_only=True).fits  # doctest: +SKIP
        True
    """
    subject = os.fspath(source) if isinstance(source, (str, os.PathLike)) else "x".join(map(str, source))
    words = ["plan", subject, "--task", task]
    for option, values in (("--detector", detector), ("--crystal", crystal), ("--model", model),
                           ("--model-config", model_config)):
        words += _repeated(option, values)
    words += _program.options(
        dtype=dtype, dose=dose, memory_only=memory_only, devices=devices, folder=folder, det_bin=det_bin, scan_bin=scan_bin,
        scan=scan_shape, stream=stream, memory_limit=memory_limit, threads=threads, device=device,
        template=template, template_radius=template_radius, disk_mode=disk_mode, calibration=calibration,
        energy=energy, detector_step_mrad=detector_step_mrad, scan_step_nm=scan_step_nm, modes=modes,
        iterations=iterations, format=format, codec=codec, verify=verify, ct=ct, machine=machine,
        structures=structures, engine=engine, preset=preset, overlap=overlap)
    made = _program.told(words)
    for name in ("advice", "notes"):
        made[name] = [said(text) for text in made[name]]
    return WorkPlan(**made)
