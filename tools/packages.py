"""Installs the Debian packages of packages.txt that are missing.

SPDX-License-Identifier: Apache-2.0
"""
import os
import shutil
import subprocess
import sys

from sources import ROOT


def listed():
    """The packages of packages.txt by section."""
    sections, name = {}, ""
    for line in (ROOT / "packages.txt").read_text().splitlines():
        word = line.split("#")[0].strip()
        if word.startswith("["):
            name = word.strip("[]")
        elif word:
            sections.setdefault(name, []).append(word)
    return sections


def missing(packages):
    """Those of the packages that dpkg does not call installed."""
    run = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *packages],
                         capture_output=True, text=True)
    there = {line.split()[0] for line in run.stdout.splitlines() if line.endswith(" installed")}
    return [package for package in packages if package not in there]


def install(*sections):
    """Installs what is missing of some sections, or of all; ends the program where it cannot."""
    groups = listed()
    wanted = [p for name in sections or groups for p in groups[name]]
    if not shutil.which("dpkg-query"):
        print("deps: this is not Debian (no dpkg-query); packages.txt lists what must be there")
        return
    absent = missing(wanted)
    if not absent:
        return
    command = ["apt-get", "install", "-y", "--no-install-recommends", *absent]
    if os.geteuid() != 0:
        sys.exit("deps: packages are missing (installing them needs root) run\n"
                 f"    sudo apt-get update && sudo {' '.join(command)}")
    print(f"deps: installing {' '.join(absent)}", flush=True)
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for step in (["apt-get", "update", "-q"], command):
        run = subprocess.run(step, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True)
        if run.returncode != 0:
            sys.exit(f"{run.stdout}\ndeps: {' '.join(step[:2])} failed (see above) is the network "
                     "there?")
    print(f"deps: {len(absent)} packages installed")
