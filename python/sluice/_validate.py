"""Whether every kernel says on this machine what its plain twin says.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Dict, List, Optional

from . import _program
from ._options import Path


@dataclass(frozen=True)
class Validation:
    """What `validate` compared."""

    passed: bool
    seconds: float
    devices: List[str]
    #: domain, check, device, data, values, difference, tolerance, why, not_finite, repeats, seconds,
    #: error, passed.
    rows: List[Dict[str, Any]]
    #: what was not validated, and why.
    notes: List[str]
    machine: Dict[str, Any]
    provenance: Any

    def __str__(self) -> str:
        lines = [f"{row['domain']}: {row['check']} on {row['device']}: "
                 f"{'passed' if row['passed'] else row['error'] or 'failed'} "
                 f"({row['difference']:.2g} of {row['tolerance']:.2g})" for row in self.rows]
        return "\n".join(lines + self.notes)


def validate(source: Optional[Path] = None, *, out: Optional[Path] = None, folder: Optional[Path] = None,
             threads: Optional[int] = None) -> Validation:
    """Runs each check on every instruction set and device that is here, twice and on one thread, and
    compares it with plain loops, as `sluice validate` does.

    Args:
        source: a scan of yours, of which a part is checked, too.
        out: a folder for the report: validation.txt and validation.json.
        folder: where simulated scans are written, and removed.
        threads: of processors; two where there are two.

    Raises:
        Error: what kept it from beginning. What does not pass is in the rows.

    Example:
        >>> import sluice
        >>> sluice.validate().passed  # doctest: +SKIP
        True
    """
    import json
    import subprocess
    words = ["validate", *([os.fspath(source)] if source is not None else []),
             *_program.options(out=out, folder=folder, threads=threads)]
    done = subprocess.run([_program.program(), *words, "--json"], capture_output=True, text=True)
    # 1: a check did not pass.
    if done.returncode not in (0, 1) or not done.stdout.startswith("{"):
        raise _program.error_of(done)
    return Validation(**json.loads(done.stdout))
