"""Families of findings that are known and not mended yet, out of tests/hostile/known.txt.

SPDX-License-Identifier: Apache-2.0

A line is the beginning of a family's name, as the stage prints it; "# " starts a comment, and
every line has one before it that says why. The list is to become empty.
"""
import dataclasses


@dataclasses.dataclass
class Known:
    beginnings: list

    def explains(self, family):
        return any(family.startswith(beginning) for beginning in self.beginnings)


def read(path):
    lines = path.read_text().splitlines() if path.exists() else []
    return Known([line.strip() for line in lines if line.strip() and not line.startswith("#")])
