"""The planes of a slide as an array that reads what an index asks for, and for other packages.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import collections
import itertools
import logging
import math
import threading
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple, Type

import numpy as np
from numpy.typing import NDArray

from .. import _index
from .._scans._lazy import CHUNK_BYTES
from ._array_reads import _BAND, _ascends, _bands, _one_type, _room
from ._tiles import LETTERS, Rect

if TYPE_CHECKING:
    import dask.array as da
    import xarray as xr

    from ._file import SlideFile

log = logging.getLogger("sluice")

#: The order of the axes: that of OME-Zarr, with what it does not have in front.
ORDER = "BVHIRTCZ"

_lock = threading.Lock()
_opened: "collections.OrderedDict[Any, SlideFile]" = collections.OrderedDict()


class Array:
    """A scene of a slide at a level: made by `Slide.array`.

    It indexes like a NumPy array and reads only the tiles that an index needs. Axes are those
    dimensions of B, V, H, I, R, T, C, Z of which the slide has several indices, in this order,
    then Y, X, and S for the samples R, G, B of colours; `axes` names them. Indices begin at 0 at
    the slide's first.

    Attributes:
        axes: as "CZYX" or "YXS".
        shape, dtype, ndim: as of NumPy's arrays.
        chunks: what `to_dask` cuts it into, for each axis: whole tiles, about 128 MiB or less.
        bounds: the rectangle in the file's coordinates, in pixels of the full resolution.
        factor: pixels of the full resolution per pixel.
    """

    def __init__(self, slide: "SlideFile", scene: Optional[int], level: int, plane: "dict[str, int]",
                 background: float, fill_bad: Optional[float], threads: int = 0) -> None:
        self.slide = slide
        self._given = (scene, level, dict(plane), float(background),
                       None if fill_bad is None else float(fill_bad))
        self._threads = threads
        scene = self.scene = slide._scene(scene)
        self.level = slide._level(level, None)
        self._first = slide._plane(plane)
        counts = slide.counts
        _one_type(slide, self._first, plane, counts["C"])
        self._planes = [d for d in ORDER if counts[d] > 1 and d not in plane]
        self.bounds: Rect = slide._bounds(scene)
        native = slide._open()
        rows, cols, samples, dtype = native.shape(self._first, scene, None, self.level, None, 1)
        self.factor: int = slide.levels[self.level].factor
        self._samples: int = samples
        self.axes: str = "".join(self._planes) + ("YXS" if samples > 1 else "YX")
        self.shape: Tuple[int, ...] = (*(counts[d] for d in self._planes), rows, cols,
                                       *((samples,) if samples > 1 else ()))
        self.dtype: "np.dtype[Any]" = np.dtype(dtype)

    @property
    def ndim(self) -> int:
        """How many axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.dtype.itemsize

    @property
    def chunks(self) -> "tuple[int, ...]":
        return self.chunks_of(CHUNK_BYTES)

    def chunks_of(self, most: int, planes: bool = True) -> "tuple[int, ...]":
        """Chunks of whole tiles and at most so many bytes, as far as a tile has no more.

        Args:
            most: bytes.
            planes: whether a chunk may have several planes, where it has them whole.
        """
        outer = len(self._planes)
        rows, cols = self.shape[outer:outer + 2]
        height, width = self._pitch()
        pixel, n = self._samples * self.dtype.itemsize, 1
        # As square as it can be: both sides grow together.
        while (n + 1) ** 2 * height * width * pixel <= most and (n * height < rows
                                                                 or n * width < cols):
            n += 1
        height, width = min(rows, n * height), min(cols, n * width)
        counts = [1] * outer
        left = most // max(1, height * width * pixel)
        if planes and (height, width) == (rows, cols):
            for axis in reversed(range(outer)):
                counts[axis] = max(1, min(self.shape[axis], left))
                left //= counts[axis]
                if counts[axis] < self.shape[axis]:
                    break
        return (*counts, height, width, *self.shape[outer + 2:])

    def _pitch(self) -> "tuple[int, int]":
        """(rows, columns) from one tile to the next, for most of them; tiles may overlap."""
        tiles = self.slide.tiles
        here = tiles.column("level") == self.level
        if self.scene is not None:
            here &= tiles.column("scene") == self.scene
        if not here.any():
            return 1024, 1024
        out = []
        for place, side in (("y", "height"), ("x", "width")):
            size = float(np.median(tiles.column(side)[here]))
            steps = np.diff(np.unique(tiles.column(place)[here]))
            # Stitched tiles differ by a few pixels from those beside them.
            steps = steps[(steps > size / 2) & (steps <= size)]
            out.append(max(1, round(float(np.median(steps) if len(steps) else size)
                                    / self.factor)))
        return out[0], out[1]

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> "Iterator[NDArray[Any]]":
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> NDArray[Any]:
        axes = _index.parse(index, self.shape)
        planes = axes[:len(self._planes)]
        rows, cols = axes[len(planes):len(planes) + 2]
        samples = axes[len(planes) + 2:]
        counts = [len(axis.numbers) for axis in planes]
        whole = (*counts, len(rows.numbers), len(cols.numbers),
                 *((self._samples,) if samples else ()))
        _room(math.prod(whole) * self.dtype.itemsize)
        out = np.empty(whole, self.dtype)
        if out.size:
            for at in itertools.product(*(range(n) for n in counts)):
                numbers = [int(axis.numbers[i]) for axis, i in zip(planes, at)]
                self._plane(numbers, rows, cols, out[at])
        if samples and not np.array_equal(samples[0].numbers, np.arange(self._samples)):
            out = np.take(out, samples[0].numbers, axis=-1)
        return out.reshape(_index.shape_of(axes))

    def _plane(self, numbers: List[int], rows: _index.Axis, cols: _index.Axis,
               out: NDArray[Any]) -> None:
        at = dict(zip(LETTERS, self._first))
        for letter, number in zip(self._planes, numbers):
            at[letter] += number
        plane = [at[letter] for letter in LETTERS]
        top, height = rows.span()
        left, width = cols.span()
        dense = height == len(rows.numbers) and width == len(cols.numbers)
        if dense and _ascends(rows.numbers) and _ascends(cols.numbers):
            self._read(plane, top, left, out)
            return
        columns = cols.numbers - left
        row_bytes = max(1, width * self._samples * self.dtype.itemsize)
        for begin, end in _bands(rows.numbers, max(1, _BAND // row_bytes)):
            taken = rows.numbers[begin:end]
            first = int(taken.min())
            part = np.empty((int(taken.max()) - first + 1, width, *out.shape[2:]), self.dtype)
            self._read(plane, first, left, part)
            out[begin:end] = part[taken - first][:, columns]

    def _read(self, plane: List[int], top: int, left: int, out: NDArray[Any]) -> None:
        """Fills `out`, which is dense, from row `top` and column `left` on."""
        x, y = self.bounds.x + left * self.factor, self.bounds.y + top * self.factor
        width = min(out.shape[1] * self.factor, self.bounds.x + self.bounds.width - x)
        height = min(out.shape[0] * self.factor, self.bounds.y + self.bounds.height - y)
        background, fill_bad = self._given[3:]
        told = self.slide._open().read_into(
            plane, self.scene, (x, y, width, height), self.level,
            (self._threads, background, fill_bad, 1, False, None, None),
            out.reshape(-1).view(np.uint8))
        for _, error in told["bad"]:
            log.warning("filled with %g: %s", fill_bad, error)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("its elements are in a file; an array of them is a copy")
        array = self[...]
        return array if dtype is None else array.astype(dtype, copy=False)

    def to_numpy(self) -> NDArray[Any]:
        """All elements."""
        return self[...]

    def with_threads(self, threads: int) -> "Array":
        """The same, read with so many threads; 0: one per processor."""
        return Array(self.slide, *self._given, threads=threads)

    def to_dask(self, chunks: Any = None) -> "da.Array":
        """A dask array. Each task reads with one thread, and workers open the file by its path.

        Args:
            chunks: as dask has them; None: `chunks`.
        """
        import dask.array as da
        wrap: Any = da.from_array
        made: da.Array = wrap(self.with_threads(1), chunks=chunks or self.chunks, asarray=True, fancy=False,
                              inline_array=True, meta=np.empty((0,) * self.ndim, self.dtype))
        return made

    def coordinates(self) -> "dict[str, tuple[str, Any, dict[str, str]]]":
        """(axis, values, {"units": ...}) of each axis of which they are known: Y and X in um from
        the centre of the scene's first pixel of the full resolution, Z in um, T in s, C by names,
        S by "R", "G", "B"."""
        about = self.slide.metadata
        out: "dict[str, tuple[str, Any, dict[str, str]]]" = {}
        for axis, step in (("Y", about.y_um), ("X", about.x_um)):
            if step > 0:
                places = (np.arange(self.shape[self.axes.index(axis)]) + 0.5) * self.factor - 0.5
                out[axis] = axis, places * step, {"units": "um"}
        for axis, step, unit in (("Z", about.z_um, "um"), ("T", about.t_s, "s")):
            if axis in self._planes and step > 0:
                count = self.shape[self.axes.index(axis)]
                out[axis] = axis, np.arange(count) * step, {"units": unit}
        if "C" in self._planes:
            names = self.channel_names()
            if all(names):
                out["C"] = "C", names, {}
        if self._samples in (3, 4):
            out["S"] = "S", list("RGBA"[:self._samples]), {}
        return out

    def channel_names(self) -> List[str]:
        """Of each index of the axis C, or of the one channel; "" where the file has none."""
        known = {c.index: c.name for c in self.slide.metadata.channels}
        first = self._first[LETTERS.index("C")]
        count = self.shape[self.axes.index("C")] if "C" in self._planes else 1
        return [known.get(first + i, "") for i in range(count)]

    def to_xarray(self, chunks: Any = None) -> "xr.DataArray":
        """An xarray.DataArray of dask; an axis whose step is not known has no coordinate."""
        import xarray as xr
        about: Dict[str, Any] = {"path": self.slide.path, "format": self.slide.format,
                                 "level": self.level, "bounds": tuple(self.bounds)}
        if self.scene is not None:
            about["scene"] = self.scene
        return xr.DataArray(self.to_dask(chunks), dims=tuple(self.axes),
                            coords=self.coordinates(), name="pixels", attrs=about)

    def __reduce__(self) -> "tuple[Any, tuple[Any, ...]]":
        return _again, (type(self.slide), self.slide._how, self.slide.__dask_tokenize__(), self._given,
                        self._threads)

    def __dask_tokenize__(self) -> "tuple[Any, ...]":
        scene, level, plane, background, fill_bad = self._given
        return (*self.slide.__dask_tokenize__(), scene, level, tuple(sorted(plane.items())),
                background, fill_bad)

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape))
        return f"<sluice.slide.Array of {self.slide.path!r}: {self.axes} {shape} {self.dtype}>"


def _again(kind: "Type[SlideFile]", how: "tuple[str, dict[str, Any]]", token: Any, given: Any, threads: int) -> Array:
    """In another process: a file is opened once."""
    with _lock:
        key = repr(token)
        if key not in _opened or _opened[key]._native is None:
            path, options = how
            _opened[key] = kind._at(path, options)
        _opened.move_to_end(key)
        while len(_opened) > 8:
            _opened.popitem(last=False)
        slide = _opened[key]
    scene, level, plane, background, fill_bad = given
    return Array(slide, scene, level, plane, background, fill_bad, threads)
