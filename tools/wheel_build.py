"""Builds the libraries of wheel_libraries.py: static, position-independent, kept for the next time
in ~/.cache/sluice/wheel, a folder for each library and recipe.

SPDX-License-Identifier: Apache-2.0
"""
import dataclasses
import functools
import hashlib
import os
import shutil
import subprocess
import sys

import verdicts
from building import JOBS
from wheel_libraries import LIBRARIES

CACHE = verdicts.CACHE / "wheel"
BY_NAME = {library.name: library for library in LIBRARIES}
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"


def run(command, log, **options):
    """Runs a command into a log; ends the program with the end of that where it fails."""
    with log.open("ab") as out:
        out.write(f"\n$ {' '.join(str(word) for word in command)}\n".encode())
        out.flush()
        status = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                                stdout=out, stderr=subprocess.STDOUT, **options).returncode
    if status:
        text = log.read_text(errors="replace").splitlines()
        sys.exit("\n".join(text[-30:]) + f"\nwheel: {command[0]} failed; its output: {log}")


@functools.cache
def digest(name):
    """What the built library depends on: its recipe, the compiler, and what it needs."""
    compiler = subprocess.run(["cc", "-dumpfullversion", "-dumpmachine"], capture_output=True)
    library = BY_NAME[name]
    text = repr(dataclasses.replace(library, license="")) + compiler.stdout.decode() \
        + "".join(map(digest, library.needs))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def home(name):
    """The folder of a built library."""
    return CACHE / f"{name}-{digest(name)}"


def prefixes(names):
    """The prefixes of some libraries and of all that they need, each once."""
    found = []
    for name in names:
        for prefix in [*prefixes(BY_NAME[name].needs), home(name) / "prefix"]:
            if prefix not in found:
                found.append(prefix)
    return found


def environment(names):
    """Where the tools find some libraries, and Debian's of the same name never."""
    found = prefixes(names)
    return {**os.environ, "CMAKE_PREFIX_PATH": ":".join(map(str, found)),
            "PKG_CONFIG_LIBDIR": ":".join(f"{p}/lib/pkgconfig" for p in found),
            # LAME has no file for pkg-config.
            "LIBRARY_PATH": ":".join(f"{p}/lib" for p in found)}


@functools.cache
def mirrors():
    """Where this machine has Debian's packages from, and its security updates."""
    said = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)",
                           "Identifier: Packages"], capture_output=True, text=True).stdout
    found = [line.split() for line in said.splitlines() if len(line.split()) == 2]
    plain = [uri for uri, suite in found if not suite.endswith("-security")]
    safe = [uri for uri, suite in found if suite.endswith("-security")]
    if not plain or not safe:
        sys.exit("wheel: apt knows no packages of Debian and its security updates here; run "
                 "apt-get update")
    return plain[0], safe[0]


class Apt:
    """Fetches sources of a suite: with lists of its own, since a machine may have none of them."""

    def __init__(self, suite, log):
        self.folder, self.suite, self.log = CACHE / "apt" / suite, suite, log
        (self.folder / "lists/partial").mkdir(parents=True, exist_ok=True)
        (self.folder / "cache/archives/partial").mkdir(parents=True, exist_ok=True)
        mirror, safe = mirrors()
        lines = [f"deb-src [signed-by={KEYS}] {mirror} {suite} main",
                 f"deb-src [signed-by={KEYS}] {mirror} {suite}-updates main",
                 f"deb-src [signed-by={KEYS}] {safe} {suite}-security main"]
        (self.folder / "sources.list").write_text("\n".join(lines) + "\n")
        self.options = ["-o", f"Dir::Etc::SourceList={self.folder}/sources.list",
                        "-o", "Dir::Etc::SourceParts=/dev/null",
                        "-o", f"Dir::State::Lists={self.folder}/lists",
                        "-o", f"Dir::Cache={self.folder}/cache", "-o", "APT::Sandbox::User="]
        run(["apt-get", *self.options, "-q", "update"], log)

    def versions(self, package):
        """The versions of a source package, the newest first."""
        shown = subprocess.run(["apt-cache", *self.options, "showsrc", "--only-source", package],
                               capture_output=True, text=True).stdout
        found = {line.split()[1] for line in shown.splitlines() if line.startswith("Version:")}
        return sorted(found, reverse=True, key=functools.cmp_to_key(
            lambda a, b: -1 if subprocess.run(["dpkg", "--compare-versions", a, "lt", b])
            .returncode == 0 else 1))

    def fetch(self, library, folder):
        """The archives of the newest version that this mirror has whole: sources and patches."""
        versions = self.versions(library.package)
        for version in versions:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            # apt checks each archive against the signed list; which of them are needed, we know.
            subprocess.run(["apt-get", *self.options, "-q", "source", "--download-only",
                            f"{library.package}={version}"], cwd=folder, stdin=subprocess.DEVNULL,
                           stdout=self.log.open("ab"), stderr=subprocess.STDOUT)
            # A source of several parts has `orig-PART` for the folder PART.
            upstream = sorted(p for p in folder.glob("*.orig*.tar.*") if p.suffix != ".asc")
            patches = list(folder.glob("*.debian.tar.*"))
            if upstream and (patches or not library.patched):
                if version != versions[0]:
                    print(f"wheel: {library.package} {versions[0]} is incomplete on this mirror; "
                          f"{version} is taken", flush=True)
                return version, upstream, patches
        sys.exit(f"wheel: the sources of {library.package} could not be fetched; see {self.log}")


def unpack(library, archives, patches, folder, log):
    """The sources with Debian's patches in `folder`."""
    for archive in archives:
        part = folder / archive.name.partition(".orig")[2].partition(".tar")[0].strip("-")
        part.mkdir(parents=True, exist_ok=True)
        run(["tar", "xf", archive, "--strip-components=1", "-C", part], log)
    for archive in patches:
        run(["tar", "xf", archive, "-C", folder], log)
    series = folder / "debian/patches/series"
    listed = series.read_text().splitlines() if library.patched and series.exists() else []
    for line in listed:
        if patch := line.partition("#")[0].strip():
            run(["patch", "-p1", "-f", "-i", f"debian/patches/{patch}"], log, cwd=folder)
    # What Debian changes in the sources of ./configure is not to be made anew.
    for name in ("aclocal.m4", "config.h.in", "Makefile.in", "configure"):
        for path in folder.rglob(name):
            path.touch()
    for pattern in library.without:
        for path in folder.glob(pattern):
            path.unlink()


def compile_library(library, source, log):
    """Builds and installs one library into `prefix` beside its sources."""
    prefix, build = source.parent / "prefix", source.parent / "build"
    where = source / library.folder
    # Whoever builds it again, wherever, finds it in the compiler's cache.
    env = environment(library.needs) | {
        "CCACHE_BASEDIR": str(source.parent), "CCACHE_NOHASHDIR": "1"}
    cached = ["ccache"] if shutil.which("ccache") else []
    if library.how == "cmake":
        # Debian's patch makes oneDNN ask for spdlog, which only its logging would need.
        (source.parent / "none").mkdir()
        (source.parent / "none/spdlogConfig.cmake").touch()
        run(["cmake", "-S", where, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
             "-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG", "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG",
             f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DCMAKE_INSTALL_LIBDIR:STRING=lib",
             "-DCMAKE_POSITION_INDEPENDENT_CODE=ON", "-DBUILD_SHARED_LIBS=OFF",
             "-DBUILD_TESTING=OFF", "-DBUILD_TESTS=OFF", f"-Dspdlog_DIR={source.parent}/none",
             *(f"-DCMAKE_{c}_COMPILER_LAUNCHER=ccache" for c in ("C", "CXX") if cached),
             *library.words], log, cwd=source.parent, env=env)
        run(["ninja", "-C", build, f"-j{JOBS}", "install"], log, env=env)
        return
    if library.how == "make":
        run(["make", f"-j{JOBS}", f"CC={' '.join([*cached, 'cc'])}", "CFLAGS=-O2 -fPIC",
             f"PREFIX={prefix}", *library.words], log, cwd=where, env=env)
        return
    flags = " ".join(f"-I{p}/include" for p in prefixes(library.needs))
    paths = " ".join(f"-L{p}/lib" for p in prefixes(library.needs))
    env |= {"CC": " ".join([*cached, "cc"]), "CFLAGS": "-O2 -fPIC", "CPPFLAGS": flags,
            "LDFLAGS": paths}
    run(["./configure", f"--prefix={prefix}", f"--libdir={prefix}/lib", *library.words], log,
        cwd=where, env=env)
    run(["make", f"-j{JOBS}"], log, cwd=where / library.part, env=env)
    run(["make", "install"], log, cwd=where / library.part, env=env)


def license_text(source):
    """Who holds what of these sources: Debian's list, else their own."""
    for name in ("debian/copyright", "COPYING", "LICENSE"):
        if (source / name).exists():
            return (source / name).read_text(errors="replace")
    sys.exit(f"wheel: {source} does not state its license")


def build_all(names=None):
    """Builds the missing libraries."""
    CACHE.mkdir(parents=True, exist_ok=True)
    apt = {}
    for library in LIBRARIES:
        folder = home(library.name)
        if (folder / "version").exists() or (names and library.name not in names):
            continue
        print(f"wheel: building {library.name}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        log = folder / "log"
        if library.suite not in apt:
            apt[library.suite] = Apt(library.suite, CACHE / f"apt-{library.suite}.log")
        version, upstream, patches = apt[library.suite].fetch(library, folder / "archives")
        unpack(library, upstream, patches, folder / "source", log)
        compile_library(library, folder / "source", log)
        (folder / "copyright").write_text(license_text(folder / "source"))
        for name in ("archives", "source", "build"):
            shutil.rmtree(folder / name, ignore_errors=True)
        (folder / "version").write_text(version)


if __name__ == "__main__":
    build_all(sys.argv[1:])
