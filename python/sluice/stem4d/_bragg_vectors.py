"""Bragg vectors: the disks of every pattern of a scan, in columns.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import Any, Dict, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._arrays import as_numbers, as_numpy
from .._axes import Axes
from .._errors import InvalidArgument
from .._options import Path
from .._provenance import Where
from .._provenance import _fields as as_fields

Column = NDArray[np.float32]
_columns = ("row", "col", "intensity", "background", "var_row", "var_col", "cov_row_col",
            "intensity_error", "score")
#: What `BraggVectors.reason` means: why a pattern has no disks, or fewer than were looked for.
DISK_REASONS: Tuple[str, ...] = tuple(_core.disk_reasons())


class BraggVectors:
    """The disks of every pattern of a scan, of different number in each. Its arrays cannot be
    written to; vectors are made of other arrays by calling this class.

    `vectors[row, col]` is a structured array of the disks of one pattern, brightest first, and
    `len(vectors)` the number of all disks.

    Args:
        scan_shape, detector_shape: (rows, columns).
        first: [pattern + 1] where the disks of a pattern begin, patterns in order of rows.
        reason: [scan row, scan column], numbers of `DISK_REASONS`; None: "found" where there are
            disks, else "no candidate above the noise".
        columns: `row`, `col` and `intensity`, and of the others those that are known: `background`,
            `var_row`, `var_col`, `cov_row_col`, `intensity_error`, `score`.

    Raises:
        InvalidArgument: arrays that do not agree.

    Example:
        >>> from sluice import stem4d
        >>> vectors = stem4d.BraggVectors((1, 2), (64, 64), [0, 2, 3], row=[10.5, 20, 30],
        ...                               col=[11, 21, 31], intensity=[5, 4, 3])
        >>> len(vectors), vectors[0, 0]["row"].tolist(), vectors.count.tolist()
        (3, [10.5, 20.0], [[2, 1]])
        >>> stem4d.vector_map(vectors).sum()
        np.float64(12.0)
    """

    def __init__(self, scan_shape: Tuple[int, int], detector_shape: Tuple[int, int], first: Any,
                 reason: Any = None, **columns: Any) -> None:
        wrong = sorted(set(columns) - set(_columns))
        missing = [name for name in _columns[:3] if name not in columns]
        if wrong or missing:
            raise InvalidArgument(f"vectors have the columns {', '.join(_columns)}; "
                                  + (f"{wrong[0]} is none" if wrong else f"{missing[0]} is missing"))
        scan, detector = _sides(scan_shape, "scan_shape"), _sides(detector_shape, "detector_shape")
        begins = _whole(first, "first", np.int64)
        given = [as_numbers(columns[name], name, ["disk"], np.float32)
                 if columns.get(name) is not None else None for name in _columns]
        count = len(given[0]) if given[0] is not None else 0
        unknown = np.full(count, np.nan, np.float32)
        if reason is None:
            number = np.where(np.diff(begins) > 0, 0, DISK_REASONS.index(
                "no candidate above the noise"))
        else:
            number = _whole(np.asarray(as_numpy(reason, "reason")).reshape(-1), "reason", np.int64)
        if number.size and not 0 <= number.min() <= number.max() < len(DISK_REASONS):
            raise InvalidArgument(f"a reason is {number.min()} or {number.max()}; they are 0 to "
                                  f"{len(DISK_REASONS) - 1}, which DISK_REASONS names")
        self._native = _core.make_vectors(scan, detector, begins, number.astype(np.uint8),
                                          [unknown if one is None else one for one in given])

    #: Where the scan's points lie, for maps of what comes of these vectors.
    _axes = Axes()

    @classmethod
    def _of(cls, native: Any, axes: Axes = _axes) -> "BraggVectors":
        made = cls.__new__(cls)
        made._native = native
        made._axes = axes
        return made

    def _column(self, name: str) -> Column:
        values: Column = getattr(self._native, name)
        return values

    @property
    def scan_shape(self) -> Tuple[int, int]:
        """(rows, columns) of the scan."""
        rows, cols = self._native.scan_shape
        return rows, cols

    @property
    def detector_shape(self) -> Tuple[int, int]:
        """(rows, columns) of the full detector, whose pixels `row` and `col` are in."""
        rows, cols = self._native.detector_shape
        return rows, cols

    @property
    def first(self) -> NDArray[np.int64]:
        """[pattern + 1] where the disks of a pattern begin in the columns."""
        first: NDArray[np.int64] = self._native.first
        return first

    @property
    def count(self) -> NDArray[np.int64]:
        """[scan row, scan column] the number of disks."""
        return np.diff(self.first).reshape(self.scan_shape)

    @property
    def reason(self) -> NDArray[np.uint8]:
        """[scan row, scan column] the number of a text in `DISK_REASONS`."""
        reason: NDArray[np.uint8] = self._native.reason
        return reason

    @property
    def row(self) -> Column:
        """[disk] of the centre, in pixels of the full detector."""
        return self._column("row")

    @property
    def col(self) -> Column:
        """[disk] of the centre, in pixels of the full detector."""
        return self._column("col")

    @property
    def intensity(self) -> Column:
        """[disk] height of the template, in counts per pixel; of py4DSTEM's files what it says."""
        return self._column("intensity")

    @property
    def background(self) -> Column:
        """[disk] beneath the centre, in counts per pixel."""
        return self._column("background")

    @property
    def var_row(self) -> Column:
        """[disk] variance of `row`, in square pixels; NaN where a file says none."""
        return self._column("var_row")

    @property
    def var_col(self) -> Column:
        """[disk] variance of `col`, in square pixels; NaN where a file says none."""
        return self._column("var_col")

    @property
    def cov_row_col(self) -> Column:
        """[disk] covariance of `row` and `col`, in square pixels; NaN where a file says none."""
        return self._column("cov_row_col")

    @property
    def intensity_error(self) -> Column:
        """[disk] one standard deviation of `intensity`."""
        return self._column("intensity_error")

    @property
    def score(self) -> Column:
        """[disk] twice the gain in log-likelihood over no disk; NaN where a file says none."""
        return self._column("score")

    def __len__(self) -> int:
        return len(self.row)

    def __getitem__(self, place: Tuple[int, int]) -> NDArray[np.void]:
        rows, cols = self.scan_shape
        try:
            row, col = (int(np.asarray(at).__index__()) for at in place)
        except (TypeError, ValueError):
            raise InvalidArgument(f"vectors[{place!r}]; a pattern is vectors[row, col] of two "
                                  "whole numbers") from None
        if not (-rows <= row < rows and -cols <= col < cols):
            raise IndexError(f"pattern {row},{col} of a scan of {rows}x{cols}")
        begin, end = self.first[(row % rows) * cols + col % cols:][:2]
        disks = np.empty(end - begin, [(name, np.float32) for name in _columns])
        for name in _columns:
            disks[name] = getattr(self, name)[begin:end]
        return disks

    def save(self, path: Path, provenance: Where = None) -> None:
        """Writes the vectors, whole or not at all: ".h5" (EMD 1.0, which py4DSTEM opens as its
        BraggVectors), ".npy" (records for numpy.load) or ".csv" (a line for each disk).

        Args:
            path: the file; its end says the format.
            provenance: where they come from, which only ".h5" has room for.

        Raises:
            InvalidArgument: another end. IoError: the disk.

        Example:
            >>> import os, tempfile
            >>> from sluice import stem4d
            >>> vectors = stem4d.BraggVectors((1, 1), (8, 8), [0, 1], row=[3], col=[4],
            ...                               intensity=[9])
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     vectors.save(os.path.join(folder, "a.h5"))
            ...     stem4d.load_vectors(os.path.join(folder, "a.h5")).col.tolist()
            [4.0]
        """
        _core.save_vectors(os.fspath(path), self._native, as_fields(provenance))

    def __getstate__(self) -> Dict[str, Any]:
        return {"axes": self._axes, "scan_shape": self.scan_shape, "detector_shape": self.detector_shape,
                "first": np.array(self.first), "reason": np.array(self.reason),
                **{name: np.array(getattr(self, name)) for name in _columns}}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        axes = state.pop("axes", self._axes)  # pickles of older versions have none
        self.__init__(**state)  # type: ignore[misc]
        self._axes = axes

    def __repr__(self) -> str:
        rows, cols = self.scan_shape
        return f"<sluice.stem4d.BraggVectors of {len(self)} disks in {rows}x{cols} patterns>"


def load_vectors(path: Path, node: Optional[str] = None) -> BraggVectors:
    """Vectors that `BraggVectors.save` wrote as ".h5" or ".npy", or that py4DSTEM wrote. Columns
    that a file does not have are NaN.

    Args:
        path: the file.
        node: the path of the vectors in an HDF5 file, where it has several.

    Raises:
        Unsupported: a file without Bragg vectors. Corrupt: a damaged one.

    Example:
        >>> from sluice import stem4d
        >>> vectors = stem4d.load_vectors("braggvectors.h5")  # doctest: +SKIP
        >>> vectors[3, 4]["intensity"].max()  # doctest: +SKIP
    """
    return BraggVectors._of(_core.load_vectors(os.fspath(path), node or ""))


def vector_map(vectors: BraggVectors, sampling: int = 1,
               weighted: bool = True) -> NDArray[np.float64]:
    """All disks of all patterns on one detector: each is shared by the four bins around it.

    Args:
        vectors: the disks.
        sampling: bins a pixel, 1 to 64.
        weighted: by `intensity`; False: each disk counts 1.

    Returns:
        [row, col] of `detector_shape` times the sampling. The centre of bin b is at the pixel
        (b + 0.5) / sampling - 0.5. What falls off the detector is lost.

    Raises:
        InvalidArgument: another sampling, or a disk without a position.

    Example:
        >>> from sluice import stem4d
        >>> vectors = stem4d.BraggVectors((1, 1), (2, 3), [0, 1], row=[0.5], col=[1],
        ...                               intensity=[8])
        >>> stem4d.vector_map(vectors).tolist()
        [[0.0, 4.0, 0.0], [0.0, 4.0, 0.0]]
    """
    if not isinstance(vectors, BraggVectors):
        raise InvalidArgument(f"vectors is a {type(vectors).__name__}; give BraggVectors")
    picture: NDArray[np.float64] = _core.vector_map(vectors._native, int(sampling), bool(weighted))
    return picture


def _sides(value: Sequence[int], name: str) -> Tuple[int, int]:
    sides = _whole(value, name, np.int64)
    if sides.shape != (2,):
        raise InvalidArgument(f"{name} is {value!r}; it is (rows, columns)")
    return int(sides[0]), int(sides[1])


def _whole(value: Any, name: str, dtype: Any) -> NDArray[Any]:
    """Whole numbers along one axis; others are refused, never rounded."""
    array = as_numpy(value, name)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise InvalidArgument(f"{name} has dtype {array.dtype} and {array.ndim} axes; give whole "
                              "numbers along one axis")
    return np.ascontiguousarray(array.astype(dtype))
