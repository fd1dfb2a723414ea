#!/usr/bin/env python3
"""Tests of check_layers.py: small trees, each with one include that must or must not pass.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import sys
import tempfile
import unittest

import check_layers

HEADERS = ["src/base/b.h", "src/device/d.h", "src/codec/c.h", "src/launch/l.h", "src/kernel/k.h",
           "src/format/f.h", "src/store/s.h", "src/fold/t.h", "src/save/i.h",
           "tests/support/u.h", "src/domain/stem4d/x.h", "src/domain/slide/y.h", "src/app/cli/a.h",
           "src/app/view/v.h", "src/app/view/slide/w.h", "src/domain/slide/czi/z.h",
           "include/sluice/result.h", "include/sluice/dataset.h", "include/sluice/sluice.h"]

LAYERS = """\
sluice_layer(base PUBLIC result DEPENDS fmt::fmt)
sluice_layer(device DEPENDS base Threads::Threads)
sluice_layer(codec DEPENDS device)
sluice_layer(launch DEPENDS device)
sluice_layer(kernel DEPENDS codec launch)
sluice_layer(format PUBLIC dataset
             DEPENDS codec HDF5::HDF5)
sluice_layer(fold DEPENDS codec)
sluice_layer(store DEPENDS format kernel)
sluice_layer(scan DEPENDS store fold)
sluice_layer(save DEPENDS base)
sluice_layer(stem4d FOLDER domain/stem4d DEPENDS scan save)
sluice_layer(slide FOLDER domain/slide DEPENDS fold format)
sluice_room(domain/slide/czi)
sluice_layer(view FOLDER app/view JSON DEPENDS base)
sluice_room(app/view/stem4d DEPENDS view stem4d)
sluice_room(app/view/slide DEPENDS view slide)
sluice_program(sluice FOLDER app/cli DEPENDS app/view/slide view stem4d slide)
"""

# (file, its include, part of the message expected or None)
CASES = [
    ("src/codec/x.cpp", '"base/b.h"', None),
    ("src/codec/x.cpp", '"codec/c.h"', None),
    ("src/codec/x.cpp", '"launch/l.h"', "is not one that it depends on"),
    ("src/kernel/x.cpp", '"format/f.h"', "is not one that it depends on"),
    ("src/base/x.h", '"device/d.h"', "stands above it"),
    ("src/base/x.h", '"sluice/result.h"', None),
    ("src/base/x.h", '"sluice/dataset.h"', "stands above it"),
    ("src/store/x.cpp", '"sluice/dataset.h"', None),
    ("src/scan/x.cpp", '"save/i.h"', "is not one that it depends on"),
    ("src/save/x.cpp", '"base/b.h"', None),
    ("src/save/x.cpp", '"format/f.h"', "is not one that it depends on"),
    ("src/domain/stem4d/z.cpp", '"save/i.h"', None),
    ("src/domain/stem4d/z.cpp", '"domain/slide/y.h"', "is not one that it depends on"),
    ("src/domain/slide/x.cpp", '"domain/slide/czi/z.h"', None),
    ("src/domain/slide/czi/x.cpp", '"domain/slide/y.h"', None),
    ("src/domain/slide/x.cpp", '"store/s.h"', "is not one that it depends on"),
    ("src/app/view/x.cpp", '"domain/slide/y.h"', "is not one that it depends on"),
    ("src/app/cli/x.cpp", '"domain/stem4d/x.h"', None),
    ("src/app/view/slide/x.cpp", '"app/view/v.h"', None),
    ("src/app/view/slide/x.cpp", '"domain/slide/y.h"', None),
    ("src/app/view/stem4d/x.cpp", '"app/view/slide/w.h"', "is not one that it depends on"),
    ("src/app/view/x.cpp", '"app/view/slide/w.h"', "stands above it"),
    ("src/app/view/x_test.cpp", '"app/view/slide/w.h"', "stands above it"),
    ("src/app/view/x_fuzz.cpp", '"app/view/slide/w.h"', None),
    ("src/app/view/slide/x.cpp", '"app/cli/a.h"', "stands above it"),
    ("src/app/cli/x.cpp", '"app/view/slide/w.h"', None),
    ("src/format/npy/x_test.cpp", '"store/s.h"', "stands above it"),
    ("src/store/x.cpp", '"sluice/sluice.h"', "for programs"),
    ("src/app/cli/x.cpp", '"sluice/sluice.h"', None),
    ("examples/x.cpp", '"sluice/sluice.h"', None),
    ("tests/conformance/x.cpp", '"kernel/k.h"', None),
    ("include/sluice/result.h", '"sluice/dataset.h"', "stands above it"),
    ("include/sluice/strange.h", "<vector>", "has no layer"),
    ("src/codec/x.cpp", "<lz4.h>", None),
    ("src/format/x.cpp", "<lz4.h>", "enters through src/codec/"),
    ("src/codec/x.cpp", "<hdf5.h>", "enters through src/format/"),
    ("src/save/x.cpp", "<hdf5.h>", None),
    ("src/app/cli/x.cpp", "<png.h>", "enters through src/save/"),
    ("src/scan/x.cpp", "<nlohmann/json.hpp>", "enters through src/app/"),
    ("src/fold/x.cpp", "<cuda_runtime.h>", "enters through src/device/"),
    ("src/kernel/x.cu", "<cuda_runtime.h>", None),
    ("src/kernel/x.cpp", "<gtest/gtest.h>", "enters through"),
    ("src/kernel/x_test.cpp", "<gtest/gtest.h>", None),
    ("src/kernel/test_helper.h", "<gtest/gtest.h>", None),
    ("tests/conformance/x.cpp", "<gtest/gtest.h>", None),
    ("tests/property/x.cpp", '"support/u.h"', None),
    ("src/base/x_test.cpp", '"support/u.h"', "tests stand above"),
    ("src/base/x.cpp", "<fmt/format.h>", None),
    ("src/base/x.cpp", "<eigen3/Eigen/Core>", "no known library"),
    ("src/base/x.cpp", "<sys/mman.h>", None),
    ("src/base/x.cpp", "<vector>", None),
    ("src/base/version.cpp", '"build.h"', None),
    ("src/base/x.cpp", '"build.h"', "may not be included here"),
]


class Layers(unittest.TestCase):
    def test_cases(self):
        for file, include, expected in CASES:
            with self.subTest(file=file, include=include), tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder).resolve()
                (root / "cmake").mkdir()
                (root / "cmake/layers.cmake").write_text(LAYERS)
                for header in HEADERS:
                    (root / header).parent.mkdir(parents=True, exist_ok=True)
                    (root / header).write_text("#pragma once\n")
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                (root / file).write_text(f"// One line.\n#  include {include}\n")
                problems, _ = check_layers.check(root)
                if expected is None:
                    self.assertEqual(problems, [])
                else:
                    self.assertEqual(len(problems), 1, problems)
                    self.assertIn(expected, problems[0])
                    self.assertTrue(problems[0].startswith(file + ":"), problems[0])


    def test_header_of_everything(self):
        for included, missing in ((["a", "b"], 0), (["a"], 1)):
            with tempfile.TemporaryDirectory() as folder:
                headers = pathlib.Path(folder) / "include/sluice"
                headers.mkdir(parents=True)
                for name in ("a", "b"):
                    (headers / f"{name}.h").write_text("")
                (headers / "sluice.h").write_text(
                    "".join(f'#include "sluice/{name}.h"\n' for name in included))
                messages = check_layers.left_out(pathlib.Path(folder))
                self.assertEqual(len(messages), missing)
                self.assertTrue(all("sluice/b.h is missing" in m for m in messages))


def main():
    result = unittest.main(module="check_layers_test", argv=[sys.argv[0]], exit=False, verbosity=0)
    return 0 if result.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
