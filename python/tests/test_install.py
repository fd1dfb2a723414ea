"""`pip install .`: what was compiled is kept, and missing libraries are named with the words that install them.

SPDX-License-Identifier: Apache-2.0
"""
import json
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def backend(monkeypatch):
    pytest.importorskip("scikit_build_core", reason="scikit-build-core is not installed")
    monkeypatch.syspath_prepend(str(ROOT / "python/backend"))
    import sluice_backend
    return sluice_backend


def folder_of_objects(root, **info):
    folder = root / "build/cp310-abi3-linux_x86_64"
    (folder / "CMakeFiles").mkdir(parents=True)
    (folder / "CMakeFiles/a.o").write_text("compiled")
    (folder / "CMakeCache.txt").write_text("an older environment")
    (folder / ".skbuild-info.json").write_text(json.dumps({"source_dir": str(root), "skbuild_path": "/tmp/gone", **info}))
    return folder


def begin(folder, source):
    """What scikit-build-core does with a folder of objects first."""
    from scikit_build_core.cmake import CMake, CMaker
    (source / "CMakeLists.txt").write_text("")
    CMaker(CMake.default_search(), source_dir=source, build_dir=folder, build_type="Release")


def test_objects_of_another_environment_are_kept(backend, tmp_path):
    folder = folder_of_objects(tmp_path)
    backend.keep_objects(tmp_path)
    begin(folder, tmp_path)
    assert (folder / "CMakeFiles/a.o").exists() and not (folder / "CMakeCache.txt").exists()


def test_without_it_they_would_go(backend, tmp_path):
    folder = folder_of_objects(tmp_path)
    begin(folder, tmp_path)
    assert not (folder / "CMakeFiles/a.o").exists()


def test_objects_of_other_sources_are_not_taken(backend, tmp_path):
    folder = folder_of_objects(tmp_path, source_dir="/another/clone")
    backend.keep_objects(tmp_path)
    begin(folder, tmp_path)
    assert not (folder / "CMakeFiles/a.o").exists()


def test_a_damaged_note_is_left_to_scikit_build_core(backend, tmp_path):
    folder = folder_of_objects(tmp_path)
    for text in ("", "{", "[]", "{}", '{"source_dir": 3}'):
        (folder / ".skbuild-info.json").write_text(text)
        backend.keep_objects(tmp_path)
        assert (folder / ".skbuild-info.json").read_text() == text


def test_a_missing_compiler_is_told(backend, monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler -m64")
    with pytest.raises(SystemExit, match="no-such-compiler is not installed.*\n  sudo apt-get install g\\+\\+"):
        backend.build_wheel("/nowhere")


def listed(section):
    part = (ROOT / "packages.txt").read_text().split(f"[{section}]\n")[1].split("\n[")[0]
    return {line.split()[0] for line in part.splitlines() if line.strip()}


def test_every_library_is_named_when_it_is_missing():
    text = (ROOT / "cmake/dependencies.cmake").read_text()
    named = set(re.findall(r"[\w.+-]+-dev\b|pkg-config|fonts-dejavu-core", text)) - {"libgtest-dev", "pkg-config"}
    assert named == listed("libraries")
    assert "libgtest-dev" in listed("tests") and "pkg-config" in listed("build")


def test_the_build_says_what_to_install(tmp_path):
    run = subprocess.run(
        ["cmake", "-S", ROOT, "-B", tmp_path, "-G", "Ninja", "-DSLUICE_TESTS=OFF", "-DSLUICE_MPI=OFF",
         "-DSLUICE_WITH_CUDA=OFF", "-DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON", "-DSLUICE_FONT=/nowhere.ttf",
         f"-DPython3_EXECUTABLE={sys.executable}"], capture_output=True, text=True)
    assert run.returncode != 0 and "sudo apt-get install libfmt-dev fonts-dejavu-core\n" in run.stderr, run.stderr
