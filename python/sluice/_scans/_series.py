"""Acquisitions of one shape in their order.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, List, Sequence, Union, overload

import numpy as np

from .. import _core
from .._arrays import as_counts, as_masked
from .._errors import InvalidArgument
from .._options import OpenOptions, Path
from ._dataset import Dataset
from ._memory import _of_array

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Series(Sequence["Dataset"]):
    """Acquisitions of one shape in their order, as a 5-D series: `series[i]` is a `Dataset`."""

    def __init__(self, members: "list[Dataset]", skipped: "list[str]") -> None:
        self._members = members
        #: "name: reason" of files that were left out.
        self.skipped = skipped

    @property
    def shape(self) -> "tuple[int, int, int, int, int]":
        """(members, scan rows, scan columns, detector rows, detector columns)"""
        return (len(self._members), *self._members[0].shape)

    def __len__(self) -> int:
        return len(self._members)

    @overload
    def __getitem__(self, which: int) -> Dataset: ...

    @overload
    def __getitem__(self, which: slice) -> "list[Dataset]": ...

    def __getitem__(self, which: "Union[int, slice]") -> "Union[Dataset, list[Dataset]]":
        return self._members[which]

    def __repr__(self) -> str:
        return f"<sluice.Series of {len(self)}: {'x'.join(map(str, self.shape))}>"


def list_members(folder: Path, **open_options: Unpack[OpenOptions]) -> List[str]:
    """The files of a folder that `open_series` would open, in its order.

    Raises:
        NotFound: there is none.
    """
    return list(_core.list_members(os.fspath(folder), dict(open_options)))


def open_series(source: Any, *, skip_bad: bool = False, **open_options: Unpack[OpenOptions]) -> Series:
    """Opens a 5-D series: a folder, one file with several members, a list of paths, or an array of
    five axes [member, scan row, scan column, detector row, detector column].

    Args:
        source: what holds the members; all have one shape and type.
        skip_bad: leave out members that are incomplete or differ; `series.skipped` names them.
        open_options: of `sluice.open`.

    Example:
        >>> import sluice
        >>> one = "synthetic:stem4d?scan=4x5&detector=16x16"
        >>> [stem.shape for stem in sluice.open_series([one + "&seed=1", one + "&seed=2"])]
        [(4, 5, 16, 16), (4, 5, 16, 16)]
    """
    if isinstance(source, (str, os.PathLike)):
        paths = [os.fspath(source)]
        if os.path.isdir(paths[0]):
            paths = list_members(paths[0], **open_options)
    elif hasattr(source, "ndim"):
        if source.ndim != 5:
            raise InvalidArgument(f"an array of {source.ndim} axes; a series has five, the members "
                                  "first")
        values, left_out = as_masked(source, "source")
        values = as_counts(values, left_out)  # one type for all members
        whole = np.ma.array(values, mask=left_out, copy=False) if left_out is not None else values
        return Series([_of_array(member, f"memory, member {i}", count=False)
                       for i, member in enumerate(whole)], [])
    else:
        paths = [os.fspath(p) for p in source]
    natives, skipped = _core.open_series(paths, dict(open_options), skip_bad)
    return Series([Dataset(native, (native.path, open_options)) for native in natives],
                  list(skipped))
