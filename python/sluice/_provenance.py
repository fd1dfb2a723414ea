"""Where a file comes from: what is written into it beside its numbers.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import Any, Iterator, List, Mapping, Sequence, Tuple, Union

from . import _core
from ._errors import InvalidArgument
from ._options import Path


class Provenance:
    """Where a result comes from: texts by name, as the program writes them into its own files.

    It begins with `program`, `version`, `commit`, `command` and a `source` for each file, with its
    bytes. Values of one name are joined with line breaks in the file.

    Args:
        command: what made the result, as a person would type it.
        sources: the files that it was made of.
        fields: more texts by name.

    Example:
        >>> import sluice
        >>> where = sluice.Provenance("notebook 7", note="second try")
        >>> where["command"], where["note"]
        ('notebook 7', 'second try')
    """

    def __init__(self, command: str = "", sources: Sequence[Path] = (), **fields: str) -> None:
        self.fields: List[Tuple[str, str]] = list(
            _core.provenance_of(command, [os.fspath(source) for source in sources]))
        for name, value in fields.items():
            self.add(name, value)

    def add(self, name: str, value: str) -> None:
        """One more text."""
        self.fields.append((str(name), str(value)))

    def __getitem__(self, name: str) -> str:
        found = [value for known, value in self.fields if known == name]
        if not found:
            raise KeyError(name)
        return "\n".join(found)

    def __iter__(self) -> Iterator[str]:
        return iter(dict(self.fields))

    def __repr__(self) -> str:
        return f"<sluice.Provenance of {', '.join(self)}>"


Where = Union[Provenance, Mapping[str, Any], None]


def _fields(provenance: Where) -> List[Tuple[str, str]]:
    if provenance is None:
        return Provenance().fields
    if isinstance(provenance, Provenance):
        return provenance.fields
    if not isinstance(provenance, Mapping):
        raise InvalidArgument(f"provenance is a {type(provenance).__name__}; it is a Provenance, a "
                              "dictionary of texts, or None")
    made = Provenance()
    for name, value in provenance.items():
        for text in [value] if isinstance(value, str) or not isinstance(value, (list, tuple)) \
                else value:
            made.add(name, text)
    return made.fields
