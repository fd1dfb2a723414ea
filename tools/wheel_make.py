"""Makes one wheel for every Linux of 2022 or later and every Python from 3.10 on, and tries it
where nothing of Sluice's is installed.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import packages
import wheel_build
import wheel_parts
import wheel_root
from sources import ROOT
from wheel_libraries import LIBRARIES
from wheel_parts import VENV

MADE = ROOT / "build/wheel"
TOOLS = ["auditwheel==6.8.2", "abi3audit==0.0.26", "nanobind>=3.1", "nanobind-backend>=1.0",
         "scikit-build-core>=1.1", "wheel==0.46.3"]
# What every Linux has: the C library, and what the C++ compiler needs at run time.
EVERYWHERE = {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"}
DEFINES = {"SLUICE_FFT": "own", "SLUICE_WITH_CUDA": "OFF", "CMAKE_UNITY_BUILD": "ON",
           "HDF5_USE_STATIC_LIBRARIES": "ON", "PKG_CONFIG_ARGN": "--static"}


def tool(name, *words):
    """Runs a program of the virtual environment: what it says; ends the program where it fails."""
    run = subprocess.run([VENV / "bin" / name, *words], cwd=ROOT, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode:
        sys.exit(f"{run.stdout}\nwheel: {name} failed")
    return run.stdout


def make_venv():
    """The programs that make and look at wheels."""
    stamp = VENV / "installed"
    if stamp.exists() and stamp.read_text() == " ".join(TOOLS):
        return
    shutil.rmtree(VENV, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    tool("pip", "install", "--quiet", "--disable-pip-version-check", *TOOLS)
    stamp.write_text(" ".join(TOOLS))


def compile_wheel(folder):
    """The wheel as pip makes it, linked with the libraries of wheel_build."""
    names = [library.name for library in LIBRARIES]
    log = MADE / "log"
    # CMake remembers where it found a library, also when that is now another one.
    stamp, found = MADE / "libraries", " ".join(map(wheel_build.digest, names))
    if not stamp.exists() or stamp.read_text() != found:
        (MADE / "cmake/CMakeCache.txt").unlink(missing_ok=True)
        stamp.write_text(found)
    words = [f"--config-settings=cmake.define.{key}={value}" for key, value in DEFINES.items()]
    wheel_build.run([VENV / "bin/pip", "wheel", "--verbose", "--no-deps", "--no-build-isolation",
                     "--disable-pip-version-check", "--wheel-dir", folder,
                     f"--config-settings=build-dir={MADE}/cmake", *words, "."], log, cwd=ROOT,
                    env=wheel_build.environment(names) | {
                        "PATH": f"{VENV}/bin:{os.environ['PATH']}",
                        "CMAKE_BUILD_PARALLEL_LEVEL": str(wheel_build.JOBS)})
    return next(folder.glob("sluice-*.whl"))


def audited(wheel):
    """The platform that a wheel may name, after a look at what its binaries need."""
    said = " ".join(tool("auditwheel", "show", wheel).split())
    tag = re.search(r'following platform tag: "(manylinux_\w+)"', said)
    if not tag:
        sys.exit(f"wheel: auditwheel allows no platform: {said}")
    with tempfile.TemporaryDirectory() as folder:
        shutil.unpack_archive(wheel, folder, "zip")
        binaries = [path for path in pathlib.Path(folder).rglob("*")
                    if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
        for path in binaries:
            text = subprocess.run(["readelf", "-d", path], capture_output=True, text=True).stdout
            if foreign := set(re.findall(r"NEEDED.*\[(.+)\]", text)) - EVERYWHERE:
                sys.exit(f"wheel: {path.name} needs {', '.join(sorted(foreign))}")
        if len(binaries) != 2:
            sys.exit(f"wheel: {len(binaries)} binaries, not _core and sluice")
    tool("abi3audit", "--strict", "--assume-minimum-abi3", "3.10", wheel)
    return tag[1]


def make():
    """Builds the wheel: its path."""
    start = time.monotonic()
    wheel_build.build_all()
    libraries = time.monotonic()
    make_venv()
    for old in MADE.glob("*.whl"):
        old.unlink()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        MADE.mkdir(parents=True, exist_ok=True)
        wheel = compile_wheel(folder)
        if b"is built without its page" in (MADE / "log").read_bytes():
            sys.exit("wheel: the viewer's page could not be built; is npm installed?")
        tool("wheel", "unpack", "--dest", folder / "unpacked", wheel)
        wheel.unlink()
        unpacked = next((folder / "unpacked").iterdir())
        wheel_parts.add_licenses(unpacked, list(wheel_parts.parts()))
        tool("wheel", "pack", "--dest-dir", folder, unpacked)
        wheel = next(folder.glob("*.whl"))
        tool("wheel", "tags", "--remove", "--platform-tag", audited(wheel), wheel)
        made = pathlib.Path(shutil.copy(next(folder.glob("*.whl")), MADE))
    done = time.monotonic()
    print(f"wheel: {made.relative_to(ROOT)}, {made.stat().st_size / 1e6:.1f} MB; libraries "
          f"{libraries - start:.0f} s, Sluice {done - libraries:.0f} s", flush=True)
    return made


def main(args):
    """`./dev wheel [--check]`."""
    if args not in ([], ["--check"]):
        sys.exit(f"wheel: unknown option {' '.join(args)} (there is --check)")
    packages.install("build", "libraries", "page", "python", "wheel")
    made = make()
    return wheel_root.check(made) if args else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
