"""The program `sluice`, which comes along with the package, for what is a report more than an array.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, Sequence, Tuple

from . import _core
from ._errors import Error, InvalidArgument, NotFound
from ._options import Path

if TYPE_CHECKING:
    from subprocess import CompletedProcess


def program() -> str:
    """Its path: beside this Python, in a build tree, or where the shell finds it.

    Raises:
        NotFound: it is nowhere, or it is of another version.
    """
    # Imported here, because most who import sluice never ask.
    import shutil
    import subprocess
    build = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    places = [os.path.join(os.path.dirname(sys.executable), "sluice"), os.path.join(build, "bin/sluice"),
              shutil.which("sluice") or ""]
    for place in places:
        if place and os.access(place, os.X_OK) and os.path.isfile(place):
            said = subprocess.run([place, "--version"], capture_output=True, text=True).stdout
            if _core.__version__ in said:
                return place
    raise NotFound(f"the program sluice of version {_core.__version__} (looked for as {places[0]}, and in PATH); "
                   "install the package again, as in pip install .")


def told(words: Sequence[Any]) -> Dict[str, Any]:
    """What the program says with --json. Ctrl-C ends it.

    Raises:
        Error: what it says otherwise.
    """
    import json
    import subprocess
    done = subprocess.run([program(), *map(str, words), "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        raise error_of(done)
    made: Dict[str, Any] = json.loads(done.stdout)
    return made


def error_of(done: "CompletedProcess[str]") -> Error:
    """The last line of what the program said; its code tells what was asked wrongly."""
    lines = done.stderr.strip().splitlines()
    line = lines[-1] if lines else f"the program ended with {done.returncode}"
    kind = InvalidArgument if done.returncode == 2 else NotFound if "there is no such file" in line else Error
    return kind(line.removeprefix("sluice: "))


def options(**given: Any) -> List[str]:
    """Keyword arguments as the command line has them; what is None stays away."""
    words: List[str] = []
    for name, value in given.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, (tuple, list)):
            words += [option, "x".join(map(str, value))]
        else:
            words += [option, str(value)]
    return words


def joined(values: "Optional[Sequence[Any]]") -> Optional[str]:
    """Several values of an option, separated by commas; None of none."""
    return ",".join(map(str, values)) if values is not None and len(values) else None


def info(path: Path, *, memory: bool = False) -> Dict[str, Any]:
    """What a file is, as `sluice info --json` says it: a scan, a slide, a reconstruction, a volume, a
    song or a model.

    Args:
        path: a file, a folder or "synthetic:...".
        memory: of scans: also what they take in memory, as planes, as counts and as float32.

    Raises:
        NotFound, Error: as the program says it.

    Example:
        >>> import sluice
        >>> sluice.info("synthetic:stem4d?scan=4x5&detector=16x16")["frames"]  # doctest: +SKIP
        20
    """
    found = told(["info", os.fspath(path), *options(memory=memory)])
    members = found.get("members")
    return members[0] if isinstance(members, list) and len(members) == 1 else found


def synth(kind: Literal["arina", "npy", "raw"], path: Path, *, scan: Tuple[int, int] = (64, 64),
          detector: Tuple[int, int] = (192, 192), dtype: Literal["uint8", "uint16", "uint32"] = "uint16",
          dose: float = 5000.0, seed: int = 1) -> str:
    """Writes a simulated acquisition, as `sluice synth` does.

    Args:
        kind: "arina": DECTRIS master and data files; "npy": one array; "raw": raw binary frames.
        path: of the file; of arina the beginning of its names.
        scan, detector: (rows, columns).
        dose: mean electrons of a frame.
        seed: of the random numbers.

    Returns:
        The path that `sluice.open` takes.

    Example:
        >>> sluice.synth("npy", "si.npy", scan=(8, 8), detector=(32, 32))  # doctest: +SKIP
        'si.npy'
    """
    import subprocess
    where = os.fspath(path)
    done = subprocess.run([program(), "synth", kind, where, *options(
        scan=tuple(scan), detector=tuple(detector), dtype=dtype, dose=dose, seed=seed)],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise error_of(done)
    return f"{where}_master.h5" if kind == "arina" else where
