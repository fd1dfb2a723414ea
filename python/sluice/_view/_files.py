"""What is shown by its files: slides, volumes and reconstructions.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import functools
import os
from typing import Any, Dict, List, Sequence, Type

from .._errors import InvalidArgument
from ._widget import base, page_module


def paths_of(sources: Sequence[Any], what: str) -> List[str]:
    """Paths of what is shown by its file: paths, or objects that have one."""
    out = []
    for one in sources:
        path = getattr(one, "path", one)
        if not isinstance(path, (str, os.PathLike)):
            raise InvalidArgument(f"{what} are shown by their files; "
                                  f"{type(one).__name__} has no file")
        out.append(os.fspath(path))
    if not out:
        raise InvalidArgument(f"there is nothing to show; give paths of {what}")
    return out


@functools.lru_cache(maxsize=None)
def files_class(domain: str, words: str) -> Type[Any]:
    def described(self: Any) -> List[Dict[str, Any]]:
        return list(self._viewer.hello[words])
    described.__doc__ = f"What is known of the {words} (docs/protocol.md)."
    name = words.capitalize()
    members = {"_esm": page_module(domain), words: property(described), "__module__": __name__,
               "__doc__": f"{name} in a notebook; made by `show`."}
    return type(name, (base(),), members)
