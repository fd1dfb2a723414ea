"""`./dev test --arch arm64`: builds for 64-bit ARM, and runs the tests by qemu.

SPDX-License-Identifier: Apache-2.0

The libraries are Debian's own packages for arm64, unpacked into a folder: nothing of this machine
is changed, and no root is needed. Only the compiler and qemu are installed.
"""
import hashlib
import os
import shutil
import subprocess

import packages
from building import run_quietly
from verdicts import CACHE

TOOLS = ("aarch64-linux-gnu-g++", "qemu-aarch64-static")
PROGRAMS = ["test_audio", "test_base", "test_bench", "test_codec", "test_device", "test_fft", "test_figure",
            "test_format", "test_kernel", "test_music", "test_nn", "test_proton", "test_save", "test_scan", "test_slide",
            "test_stem4d", "test_fold", "test_zarr", "conformance", "property", "twins"]
# Tests that are timed, or look at this machine's own memory, mean nothing when emulated.
LEFT_OUT = "SoakTest|Benchmark|Bandwidth"


def wanted():
    """The packages of the sysroot."""
    listed = packages.listed()
    names = [entry.partition(":")[0] for entry in listed["libraries"] + listed["tests"]]
    return ["libc6-dev", "libstdc++-12-dev", *names]


def apt(folder, *command):
    """Runs apt-get on lists and a cache of its own: exit status and output."""
    options = {"APT::Architecture": "arm64", "APT::Architectures": "arm64",
               "Dir::State": folder / "state", "Dir::State::status": folder / "status",
               "Dir::Cache": folder / "cache", "Debug::NoLocking": "1"}
    return run_quietly(["apt-get", *(word for name, value in options.items()
                                     for word in ("-o", f"{name}={value}")), *command])


def mend_links(root):
    """Makes absolute links stay inside."""
    for path in root.rglob("*"):
        if path.is_symlink() and os.readlink(path).startswith("/"):
            target = root / os.readlink(path).lstrip("/")
            path.unlink()
            path.symlink_to(os.path.relpath(target, path.parent))


def sysroot():
    """The folder with the libraries, unpacked when needed; or None and the reason."""
    names = wanted()
    name = hashlib.sha256(" ".join(names).encode()).hexdigest()[:12]
    root = CACHE / f"arm64-{name}"
    if root.exists():
        return root, ""
    if not all(shutil.which(program) for program in ("apt-get", "dpkg-deb")):
        return None, "this is not Debian (no apt-get)"
    work = root.with_suffix(".work")
    shutil.rmtree(work, ignore_errors=True)
    for folder in ("state/lists/partial", "cache/archives/partial", "root"):
        (work / folder).mkdir(parents=True)
    (work / "status").touch()
    for command in (["update"], ["install", "--download-only", "-y", "--no-install-recommends",
                                 *names]):
        status, text = apt(work, *command)
        if status:
            return None, f"apt-get {command[0]} failed: {text.strip().splitlines()[-1]}"
    for package in sorted((work / "cache/archives").glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", package, work / "root"], check=True)
    mend_links(work / "root")
    (work / "root").rename(root)
    shutil.rmtree(work)
    return root, ""


def lacks():
    """Why this machine cannot build for arm64, or an empty text; sets the sysroot for CMake."""
    if not all(shutil.which(program) for program in TOOLS):
        if problem := packages.try_install("arm64"):
            return f"arm64: its compiler could not be installed ({problem.strip().splitlines()[-1]})"
    missing = [program for program in TOOLS if not shutil.which(program)]
    if missing:
        return f"arm64: {', '.join(missing)} is not installed"
    root, problem = sysroot()
    if not root:
        return f"arm64: {problem}"
    os.environ["SLUICE_SYSROOT"] = str(root)
    return ""


def run_all(stages):
    """Builds and runs the tests of `stages` for arm64; the exit status."""
    why = lacks()
    done = []
    if why:
        outcome = stages.Outcome(reasons={why: 1})
        done.append(stages.run_stage("arm64", lambda: outcome))
    else:
        done.append(stages.run_stage("build arm64", lambda: stages.compiled("arm64", PROGRAMS)))
        if not done[-1].failed:
            names = "|".join(PROGRAMS)
            done.append(stages.run_stage(
                "ctest arm64",
                lambda: stages.ctest("arm64", ["-R", rf"^({names})\.", "-E", LEFT_OUT], 1200)))
    return stages.summed_up(done)
