"""The stage of `./dev test` that installs Sluice: a project that finds it, and its packages.

SPDX-License-Identifier: Apache-2.0
"""
import re
import shutil
import subprocess
import tempfile

from building import build, run_quietly
from sources import ROOT

BUILD = ROOT / "build/release"
PACKAGES = BUILD / "packages"
# What each package holds, and nothing else: patterns of paths below /usr.
CONTENTS = {
    "sluice": [r"bin/sluice", r"share/doc/sluice/(LICENSE|NOTICE|README\.md)"],
    "libsluice-dev": [r"include/sluice/\w+\.h", r"lib/(\S+/)?libsluice_\w+\.a",
                      r"lib/(\S+/)?cmake/sluice/sluice\w+(-\w+)?\.cmake"],
}


def contents():
    """Those, and the plug-in's where it was built."""
    if not (BUILD / "bin/libsluice_mpi.so").exists():
        return CONTENTS
    return {**CONTENTS, "sluice-mpi": [r"lib/(\S+/)?libsluice_mpi\.so"]}


def make():
    """Builds and packs the installed files: the packages, and the error or ""."""
    status, text = build("release", ["package_contents"])
    if status:
        return [], text
    shutil.rmtree(PACKAGES, ignore_errors=True)
    status, text = run_quietly(["cpack", "--config", BUILD / "CPackConfig.cmake"])
    if status:
        return [], text
    shutil.rmtree(PACKAGES / "_CPack_Packages", ignore_errors=True)
    return sorted(path for path in PACKAGES.iterdir() if path.is_file()), ""


def consumer(folder):
    """The error of a project that finds the installed package, or ""."""
    prefix, made = f"{folder}/prefix", f"{folder}/build"
    for command in (["cmake", "--install", BUILD, "--prefix", prefix],
                    ["cmake", "-S", ROOT / "tests/install", "-B", made, "-G", "Ninja",
                     f"-DCMAKE_PREFIX_PATH={prefix}"],
                    ["ninja", "-C", made, "--quiet"],
                    [f"{prefix}/bin/sluice", "--version"]):
        status, text = run_quietly(command)
        if status:
            return f"{' '.join(str(word) for word in command)}\n{text}"
    status, text = run_quietly([f"{made}/consumer"])
    return "" if (status, text) == (0, "48 values\n") else f"consumer: {status}\n{text}"


def strangers(package):
    """The errors in the list of files of a Debian package, or ""."""
    name = package.name.partition("_")[0]
    listed = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], capture_output=True)
    paths = subprocess.run(["tar", "t"], input=listed.stdout, capture_output=True).stdout.decode()
    files = [path for path in paths.splitlines() if path and not path.endswith("/")]
    patterns = [rf"\./usr/{pattern}" for pattern in contents().get(name, [])]
    text = "".join(f"{package.name}: {path} does not belong there\n" for path in files
                   if not any(re.fullmatch(pattern, path) for pattern in patterns))
    return text + "".join(f"{package.name}: no file matches {pattern}\n" for pattern in patterns
                          if not any(re.fullmatch(pattern, path) for path in files))


def unpacked(package, folder):
    """The error of the program in a Debian package, or ""."""
    status, text = run_quietly(["dpkg", "-x", package, folder])
    if status == 0:
        status, text = run_quietly([f"{folder}/usr/bin/sluice", "--version"])
    return text if status or not text.startswith("sluice ") else ""


def needed(package):
    """What a Debian package depends on."""
    return run_quietly(["dpkg-deb", "-f", package, "Depends"])[1]


def stage(outcome):
    """A consumer of the installed libraries, and the packages where dpkg can make them."""
    checks = []
    with tempfile.TemporaryDirectory() as folder:
        status, text = build("release", ["package_contents"])
        checks.append(text if status else consumer(folder))
        if not shutil.which("dpkg-shlibdeps"):
            outcome.reasons = {"packages: dpkg-shlibdeps is not installed": 1}
        elif not checks[0]:
            files, problem = make()
            found = sorted(path.name.partition("_")[0] for path in files)
            if not problem and found != sorted(contents()):
                problem = f"packages: {', '.join(found)} were made\n"
            checks.append(problem)
            if not problem:
                checks += [strangers(path) for path in files]
                program = next(path for path in files if path.name.startswith("sluice_"))
                checks.append(unpacked(program, f"{folder}/x"))
                checks.append("" if "libhdf5" in needed(program) else "libhdf5 is not a dependency\n")
    outcome.passed = sum(not check for check in checks)
    outcome.failed = len(checks) - outcome.passed
    outcome.text = "".join(checks)
    return outcome
