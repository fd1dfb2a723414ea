"""What `pip install .` builds with: scikit-build-core, whose folder of objects stays good from one call to the next.

pip makes an environment of a new name for each build, and scikit-build-core then throws away all that was compiled in
an older one. Here only CMake's cache goes, which may name files of that environment; ninja sees by itself what is to
be compiled anew, as nothing that is compiled reads the environment (python/CMakeLists.txt copies nanobind).

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import pathlib
import shutil
import sys

from scikit_build_core import build as _core
from scikit_build_core import cmake as _cmake
from scikit_build_core.build import *  # noqa: F403 what pip asks for beside the two below


def keep_objects(root):
    """Tells the folders of objects of this source that the new environment is theirs."""
    for told in root.glob("build/*/.skbuild-info.json"):
        try:
            info = json.loads(told.read_text(encoding="utf-8"))
            if pathlib.Path(info["source_dir"]) != root or info["skbuild_path"] == str(_cmake.DIR):
                continue
        except (OSError, ValueError, KeyError, TypeError):
            continue  # scikit-build-core begins anew there
        (told.parent / "CMakeCache.txt").unlink(missing_ok=True)
        told.write_text(json.dumps({**info, "skbuild_path": str(_cmake.DIR)}), encoding="utf-8")


def expect_compiler():
    """CMake's own words do not say what to do."""
    compiler = os.environ.get("CXX", "c++").split()[0]
    if shutil.which(compiler) is None:
        sys.exit(f"the C++ compiler {compiler} is not installed; on Debian and Ubuntu this command installs one:\n"
                 "  sudo apt-get install g++")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    expect_compiler()
    keep_objects(pathlib.Path.cwd().resolve())
    return _core.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    expect_compiler()
    keep_objects(pathlib.Path.cwd().resolve())
    return _core.build_editable(wheel_directory, config_settings, metadata_directory)
