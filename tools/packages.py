"""Installs the Debian packages of packages.txt that are missing.

SPDX-License-Identifier: Apache-2.0
"""
import os
import shutil
import subprocess
import sys

from sources import ROOT


def listed():
    """The entries of packages.txt by section: PACKAGE, or PACKAGE:PROGRAM."""
    sections, name = {}, ""
    for line in (ROOT / "packages.txt").read_text().splitlines():
        word = line.split("#")[0].strip()
        if word.startswith("["):
            name = word.strip("[]")
        elif word:
            sections.setdefault(name, []).append(word)
    return sections


def missing(entries):
    """Those packages that dpkg does not call installed, and whose program is not there either."""
    wanted = [entry.partition(":") for entry in entries]
    run = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n",
                          *(package for package, _, _ in wanted)], capture_output=True, text=True)
    there = {line.split()[0] for line in run.stdout.splitlines() if line.endswith(" installed")}
    return [package for package, _, program in wanted
            if package not in there and not (program and shutil.which(program))]


def try_install(*sections):
    """Installs the missing packages of some sections, or of all; the error, or an empty text."""
    groups = listed()
    wanted = [p for name in sections or groups for p in groups[name]]
    if not shutil.which("dpkg-query"):
        print("deps: this is not Debian (no dpkg-query); packages.txt lists the packages that are needed")
        return ""
    absent = missing(wanted)
    if not absent:
        return ""
    command = ["apt-get", "install", "-y", "--no-install-recommends", *absent]
    if os.geteuid() != 0:
        return ("packages are missing (installing them needs root) run\n"
                f"    sudo apt-get update && sudo {' '.join(command)}")
    print(f"deps: installing {' '.join(absent)}", flush=True)
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for step in (["apt-get", "update", "-q"], command):
        run = subprocess.run(step, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True)
        if run.returncode != 0:
            return f"{run.stdout}\n{' '.join(step[:2])} failed (see above) is the network there?"
    print(f"deps: {len(absent)} packages installed")
    return ""


def install(*sections):
    """try_install(), but ends the program where it cannot."""
    if problem := try_install(*sections):
        sys.exit(f"deps: {problem}")
