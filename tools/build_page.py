#!/usr/bin/env python3
"""Builds page/ with npm and writes its files as C++, for `sluice view`.

SPDX-License-Identifier: Apache-2.0

    tools/build_page.py OUT.cpp
    tools/build_page.py --notebook FOLDER    the modules that the Python package shows in notebooks

Without npm, or without the network that its packages come from, the program is built all the same,
and says what it lacks.
"""
import fcntl
import gzip
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

from sources import ROOT

PAGE = ROOT / "page"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}


def install():
    """Makes page/node_modules match package-lock.json; the reason for a failure, or an empty text."""
    if not shutil.which("npm"):
        return "npm is missing"
    lock = hashlib.sha256((PAGE / "package-lock.json").read_bytes()).hexdigest()
    stamp = PAGE / "node_modules/.lock-sha256"
    if stamp.exists() and stamp.read_text() == lock:
        return ""
    command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    run = subprocess.run(command, cwd=PAGE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
    if run.returncode:
        print(run.stdout, file=sys.stderr)
        return "npm ci failed"
    stamp.write_text(lock)
    return ""


def ready():
    """Installs the tools that build the page: why that is impossible here, or an empty text."""
    PAGE.joinpath("node_modules").mkdir(exist_ok=True)
    # Several build folders share node_modules.
    with open(PAGE / "node_modules/.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return install()


def built(folder):
    """The files of the page by name, or why the page could not be built."""
    lacks = ready()
    if lacks:
        return {}, lacks
    command = ["npx", "--no-install", "vite", "build", "--outDir", str(folder), "--emptyOutDir",
               "--logLevel", "warn"]
    run = subprocess.run(command, cwd=PAGE, stdin=subprocess.DEVNULL)
    if run.returncode:
        # A page that does not compile is a mistake in this tree, not a missing program.
        sys.exit("build_page: vite could not build page/ (see above)")
    return {f.relative_to(folder).as_posix(): f.read_bytes()
            for f in sorted(folder.rglob("*")) if f.is_file()}, ""


def notebook(folder):
    """Writes the modules for notebooks; without npm it writes none, and the package says so."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lacks = ready()
    if lacks:
        print(f"build_page: {lacks}: the Python package is built without its viewer",
              file=sys.stderr)
    elif subprocess.run(["node", "notebook.mjs", str(folder)], cwd=PAGE,
                        stdin=subprocess.DEVNULL).returncode:
        sys.exit("build_page: vite could not build page/ for notebooks (see above)")


def literal(data):
    """Bytes as lines of C++ string literals."""
    text = "".join(f"\\{byte:03o}" for byte in data)
    return "\n    ".join(f'"{text[i:i + 92]}"' for i in range(0, len(text), 92)) or '""'


def source(files, lacks):
    """The C++ of all files."""
    data, rows = [], []
    for number, (name, content) in enumerate(files.items()):
        packed = gzip.compress(content, 9, mtime=0)
        data.append(f"constexpr char bytes_{number}[] =\n    {literal(packed)};\n")
        path = "/" if name == "index.html" else f"/{name}"
        rows.append(f'    {{"{path}", {{"{TYPES.get(pathlib.Path(name).suffix, "text/plain")}", '
                    f"{{bytes_{number}, {len(packed)}}}}}}},\n")
    return ("// Written by tools/build_page.py.\n#include \"app/view/page.h\"\n\n"
            "namespace sluice::app {\nnamespace {\n" + "".join(data) +
            "struct File {\n    std::string_view path;\n    server::Asset asset;\n};\n"
            f"constexpr File files[{max(1, len(rows))}] = {{\n" + "".join(rows) + "};\n}\n\n"
            "server::Asset const* page_asset(std::string_view path) {\n"
            "    for (File const& f : files)\n        if (f.path == path) return &f.asset;\n"
            "    return nullptr;\n}\n\n"
            "char const* page_lacks() {\n    return " + (f'"{lacks}"' if lacks else "nullptr") +
            ";\n}\n\n}  // namespace sluice::app\n")


def main():
    if sys.argv[1] == "--notebook":
        notebook(pathlib.Path(sys.argv[2]).resolve())
        return
    out = pathlib.Path(sys.argv[1])
    out.parent.mkdir(parents=True, exist_ok=True)
    files, lacks = built(out.parent / "page")
    if lacks:
        print(f"build_page: {lacks}: `sluice view` is built without its page", file=sys.stderr)
    temporary = out.with_suffix(".tmp")
    temporary.write_text(source(files, lacks))
    os.replace(temporary, out)


if __name__ == "__main__":
    main()
