"""bioio's reader of CZI files and OME-Zarr images: `BioImage(path, reader=sluice.bioio.Reader)`.

It has no file open between calls: arrays and readers travel by their path.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import xarray as xr
from bioio_base import (constants, exceptions,  # type: ignore[import-not-found,unused-ignore]
                        reader, reader_metadata)
from bioio_base.types import (  # type: ignore[import-not-found,unused-ignore]
    PhysicalPixelSizes)

from . import slide as slides
from ._errors import Error

__all__ = ["Reader", "ReaderMetadata"]


class Reader(reader.Reader):  # type: ignore[misc,unused-ignore]
    """A slide. Scenes are those of the file; resolution levels those of its pyramid.

    The dimensions are those of which the slide has several indices, in bioio's order T, C, Z,
    then Y, X, and S for colours. Pixels are in the order R, G, B.

    Args:
        image: the path of a CZI file, or of the folder of one OME-Zarr image.
        fs_kwargs: none: files are on this machine.
    """

    NAME = "sluice"

    @staticmethod
    def _is_supported_image(fs: Any, path: str, **kwargs: Any) -> bool:
        try:
            slides.open(path).close()
        except Error as error:
            raise exceptions.UnsupportedFileFormatError("sluice", path, str(error)) from error
        return True

    def __init__(self, image: Any, fs_kwargs: Optional[Dict[str, Any]] = None,
                 **kwargs: Any) -> None:
        if fs_kwargs:
            raise ValueError("fs_kwargs: files are on this machine")
        if not isinstance(image, (str, Path)):
            raise TypeError(f"image is a {type(image).__name__}; it is a path")
        self._path = str(image)
        self._fs = None
        try:
            with slides.open(self._path) as slide:
                self._described = slide.metadata
                self._numbers = [scene.id for scene in slide.scenes]
                self._levels = tuple(range(len(slide.levels)))
                self._xml = slide.xml() if slide.format == "czi" else ""
        except Error as error:
            raise exceptions.UnsupportedFileFormatError("sluice", self._path,
                                                        str(error)) from error

    @property
    def scenes(self) -> Tuple[str, ...]:
        """Their names; "Image:0" and so on where the file has none, or has one twice."""
        known = {s.index: s.name for s in self._described.scenes}
        names = [known.get(number, "") if number is not None else "" for number in self._numbers]
        if not all(names) or len(set(names)) < len(names):
            names = [f"Image:{i}" for i in range(len(names))]
        return tuple(names)

    @property
    def resolution_levels(self) -> Tuple[int, ...]:
        """All levels of the pyramid, 0 is the finest."""
        return self._levels

    def _array(self, slide: slides.Slide) -> slides.Array:
        return slide.array(self._numbers[self._current_scene_index],
                           self._current_resolution_level)

    def _read_delayed(self) -> xr.DataArray:
        with slides.open(self._path) as slide:
            array = self._array(slide)
            return self._labelled(array.to_dask(), array)

    def _read_immediate(self) -> xr.DataArray:
        with slides.open(self._path) as slide:
            array = self._array(slide)
            return self._labelled(array.to_numpy(), array)

    def _labelled(self, data: Any, array: slides.Array) -> xr.DataArray:
        places = {name: values for name, values in array.coordinates().items() if name != "S"}
        return xr.DataArray(data, dims=tuple(array.axes), coords=places,
                            attrs={constants.METADATA_UNPROCESSED: self._xml})

    @property
    def channel_names(self) -> Optional[List[str]]:
        """"C0" and so on where the file has none; one of a slide of one channel."""
        with slides.open(self._path) as slide:
            names = self._array(slide).channel_names()
        return [name or f"C{i}" for i, name in enumerate(names)]

    @property
    def physical_pixel_sizes(self) -> PhysicalPixelSizes:
        """Z, Y, X in um at the current level; None where unknown."""
        about = self._described
        with slides.open(self._path) as slide:
            factor = slide.levels[self._current_resolution_level].factor
        return PhysicalPixelSizes(about.z_um or None, about.y_um * factor or None,
                                  about.x_um * factor or None)

    @property
    def time_interval(self) -> Optional[datetime.timedelta]:
        """Between two time points; None where unknown."""
        step = self._described.t_s
        return datetime.timedelta(seconds=step) if step else None


class ReaderMetadata(reader_metadata.ReaderMetadata):  # type: ignore[misc,unused-ignore]
    """Which files the reader is for."""

    @staticmethod
    def get_supported_extensions() -> List[str]:
        return [".czi"]

    @staticmethod
    def get_reader() -> Any:
        return Reader


def __dir__() -> "list[str]":
    return list(__all__)
