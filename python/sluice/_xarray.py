"""`xarray.open_dataset(path, engine="sluice")`.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any

import xarray as xr
from xarray.backends import BackendEntrypoint

from ._scans import _lazy
from ._scans import open as open_dataset


class Backend(BackendEntrypoint):
    """Acquisitions as a Dataset with the variable `counts`; options are those of `sluice.open`."""

    description = "4D-STEM acquisitions, by Sluice"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "scan_shape",
                               "allow_incomplete", "dataset", "channel", "raw_dtype", "raw_frame",
                               "raw_offset", "dm_image", "tvips_start", "line_edge", "one_edge", "point_s",
                               "window_s", "chip_layout", "tpx3_flyback", "axis_order")

    def open_dataset(self, filename_or_obj: Any, *, drop_variables: Any = None,
                     **options: Any) -> xr.Dataset:
        array = open_dataset(filename_or_obj, **options).to_xarray()
        made: xr.Dataset = array.to_dataset()
        return made.drop_vars(drop_variables) if drop_variables else made

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        return bool(_lazy.guess(filename_or_obj))
