"""Runs a program on damaged files within limits, and says what it did wrong.

SPDX-License-Identifier: Apache-2.0
"""
import dataclasses
import hashlib
import os
import pathlib
import re
import resource
import shutil
import signal

CPU_BEYOND = 2.0  # seconds of processor time beyond the undamaged run
MEMORY_BEYOND = 256 << 20  # bytes of resident memory beyond it
ADDRESS_SPACE = 8 << 30
WALL = 60.0  # a machine with work of its own may be slow; a program that waits for ever is not
LARGEST_FILE = 64 << 20
EXITS = (0, 1, 2)  # docs/guide/stem4d.md, "Exit codes"


@dataclasses.dataclass
class Run:
    """What came of one run."""
    status: int = 0  # of exit; -N: signal N
    cpu: float = 0.0
    memory: int = 0
    hung: bool = False
    stdout: bytes = b""
    stderr: bytes = b""
    results: dict = dataclasses.field(default_factory=dict)  # name -> hash


class Late(Exception):
    pass


def on_alarm(*_):
    raise Late


def wait(process, wall):
    """os.wait4 with a limit: (status, usage, late)."""
    signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, wall)
    late = False
    try:
        _, status, usage = os.wait4(process, 0)
    except Late:
        late = True
        os.kill(process, signal.SIGKILL)
        _, status, usage = os.wait4(process, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return status, usage, late


def read_head(path, most=1 << 16):
    with open(path, "rb") as file:
        return file.read(most)


def hashes(folder, result):
    """The result files: their names and what they hold."""
    found = {}
    for path in sorted(folder.glob(result)) if result else []:
        if path.is_file():
            found[str(path.relative_to(folder))] = hashlib.sha1(path.read_bytes()).hexdigest()
    return found


def run(words, folder, result="", cpu=10.0, wall=WALL, environment=None):
    """Runs a program in a folder. `result`: a pattern for the files it is to write."""
    out, err = folder / ".stdout", folder / ".stderr"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
               (os.POSIX_SPAWN_OPEN, 1, str(out), flags, 0o600),
               (os.POSIX_SPAWN_OPEN, 2, str(err), flags, 0o600)]
    here = os.getcwd()
    os.chdir(folder)  # a worker has its own process
    try:
        process = os.posix_spawn(words[0], words, environment or os.environ, file_actions=actions,
                                 setsigmask=[])
    finally:
        os.chdir(here)
    seconds = int(cpu) + 1
    try:
        for kind, value in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, ADDRESS_SPACE),
                            (resource.RLIMIT_FSIZE, LARGEST_FILE), (resource.RLIMIT_CORE, 0)):
            resource.prlimit(process, kind, (value, value + 1))
    except (ProcessLookupError, PermissionError):
        pass  # it has ended already
    status, usage, late = wait(process, wall)
    done = Run(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime,
               usage.ru_maxrss << 10, late, read_head(out), read_head(err))
    done.results = hashes(folder, result)
    return done


def remarks(run_):
    """The kinds of lines that a program says beside its results: notes, and all of stderr."""
    lines = run_.stderr.decode(errors="replace").splitlines()
    lines += [line for line in run_.stdout.decode(errors="replace").splitlines()
              if line.strip().startswith(("note", "warning"))]
    return {re.sub(r"[-+\d.e]+", "N", line) for line in lines}


def judge(run_, healthy, told=False):
    """What is wrong with a run beside that of the undamaged file; "" where nothing is. `told`: the
    damage shows in the file, so that other pixels with exit 0 and no remark are wrong."""
    if run_.hung:
        return "hang: it neither ended nor worked"
    if run_.cpu > healthy.cpu + CPU_BEYOND or run_.status == -signal.SIGXCPU:
        return f"hang: {run_.cpu:.1f} s of processor time, undamaged {healthy.cpu:.1f} s"
    if run_.status < 0:
        return f"signal {signal.Signals(-run_.status).name}"
    if run_.memory > healthy.memory + MEMORY_BEYOND:
        return f"memory: {run_.memory >> 20} MB, undamaged {healthy.memory >> 20} MB"
    if run_.status not in EXITS:
        return f"exit code {run_.status}"
    if run_.status:
        said = run_.stderr.decode(errors="replace")
        # `check` finds broken rules, and prints them as its result.
        if not said.strip() and not run_.stdout.strip():
            return "failed without a word"
        if "out of memory" in said and "damaged" not in said:
            return "memory: it ran out of what one file of this size cannot need"
        if run_.results:
            return "left a result although it failed"
    elif told and run_.results != healthy.results and remarks(run_) <= remarks(healthy):
        return "silent: other pixels, exit 0"
    return ""


def place(folder, seed, name, data):
    """A fresh working folder: the seed's files, and the damaged one in place of `name`."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in pathlib.Path(seed).rglob("*"):
        if path.is_dir():
            continue
        relative = path.relative_to(seed)
        target = folder / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        if str(relative) == name:
            target.write_bytes(data)
        else:
            os.link(path, target)
