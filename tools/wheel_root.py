"""Tries a wheel in an empty Debian 12: its base and python3, nothing that Sluice is built with.

SPDX-License-Identifier: Apache-2.0
"""
import os
import shutil
import subprocess
import sys
import tempfile
import pathlib

import packages
import wheel_build
from sources import ROOT

BASE = wheel_build.CACHE / "bookworm.tar"
SOUNDS = ROOT / "tests/fuzz/audio_fuzz"
INPUTS = [SOUNDS / name for name in ("a.flac", "a.mp3", "vorbis.ogg", "opus.ogg")]


def run(*command):
    """Runs a command, and ends the program with what it said where it fails."""
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}\nwheel: {command[0]} failed")
    return done.stdout


def check(wheel):
    """Installs the wheel there, without a network, and runs tools/wheel_try.py: an exit status."""
    packages.install("wheel")
    if not BASE.exists():
        made = BASE.with_suffix(".part.tar")
        run("mmdebstrap", "--variant=minbase", "--include=python3,python3-venv", "bookworm", made,
            wheel_build.mirrors()[0])
        made.rename(BASE)
    with tempfile.TemporaryDirectory(dir=wheel_build.CACHE) as name:
        root = pathlib.Path(name)
        run("tar", "xf", BASE, "-C", root, "--exclude=./dev/*")
        house = root / "srv/wheels"
        inputs = root / "srv/inputs"
        inputs.mkdir(parents=True)
        run(wheel_build.CACHE / "venv/bin/pip", "download", "--quiet", "--dest", house,
            "--only-binary=:all:", "--python-version=3.11", "--implementation=cp",
            *(f"--platform={tag}_x86_64" for tag in ("manylinux2014", "manylinux_2_17",
                                                     "manylinux_2_28")),
            "numpy", "nanobind-backend")
        shutil.copy(wheel, house)
        shutil.copy(ROOT / "tools/wheel_try.py", inputs)
        shutil.copy(ROOT / "tests/fuzz/czi_fuzz/full", inputs / "full.czi")
        for path in INPUTS:
            shutil.copy(path, inputs)
        (root / "dev/null").touch()
        inside = ["chroot", root] if os.geteuid() == 0 else ["unshare", "--map-root-user",
                                                             "chroot", root]
        inside += ["/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "HOME=/root", "LC_ALL=C.UTF-8"]
        run(*inside, "python3", "-m", "venv", "/srv/venv")
        run(*inside, "/srv/venv/bin/pip", "install", "--no-index", "--find-links=/srv/wheels",
            "sluice")
        print(run(*inside, "/srv/venv/bin/python", "-I", "/srv/inputs/wheel_try.py",
                  "/srv/inputs"), end="")
    return 0
