#!/usr/bin/env python3
"""Tests of the wheel's tables: they name all that is in it, and nothing under the GPL. The wheel
itself takes too long here; `./dev wheel --check` makes and tries it.

SPDX-License-Identifier: Apache-2.0
"""
import dataclasses
import json
import pathlib
import re
import tempfile
import unittest
import unittest.mock

import packages
import wheel_build
import wheel_parts
from sources import ROOT
from wheel_libraries import HEADERS, LIBRARIES, PAGE, PYTHON

NAMES = [library.name for library in LIBRARIES]
# What packages.txt calls otherwise, and what the wheel does without: FFTW is under the GPL.
OTHERWISE = {"dnnl": "onednn", "zlib1g": "zlib"}
WITHOUT = {"libfftw3-dev"}


def recipe(package):
    """The recipe that stands for one of Debian's packages with headers."""
    short = re.sub(r"^lib|-dev$", "", package)
    short = OTHERWISE.get(short, short)
    return short if short in NAMES else re.sub(r"\d+$", "", short)


class Tables(unittest.TestCase):
    def test_every_library_of_packages_txt_is_in_them(self):
        headers = {re.sub(r"[\d.]+-dev$", "-dev", name) for name in HEADERS} | set(HEADERS)
        for package in set(packages.listed()["libraries"]) - WITHOUT:
            with self.subTest(package):
                self.assertTrue(recipe(package) in NAMES or package in headers)

    def test_the_page_is_made_of_what_they_name(self):
        asked = json.loads((ROOT / "page/package.json").read_text())["dependencies"]
        self.assertLessEqual(set(asked), set(PAGE))

    def test_each_library_once_and_after_what_it_needs(self):
        self.assertEqual(len(set(NAMES)), len(NAMES))
        for at, library in enumerate(LIBRARIES):
            self.assertLessEqual(set(library.needs), set(NAMES[:at]), library.name)

    def test_nothing_is_under_the_gpl(self):
        licenses = [library.license for library in LIBRARIES]
        for words in [*licenses, *HEADERS.values(), *PYTHON.values(), *PAGE.values()]:
            self.assertTrue(words)
            self.assertNotRegex(words, r"\bA?GPL")

    def test_a_new_word_about_a_license_builds_nothing_anew(self):
        before = wheel_build.digest("zlib")
        self.addCleanup(wheel_build.digest.cache_clear)
        for change, same in (({"license": "?"}, True), ({"words": ("--64",)}, False)):
            zlib = dataclasses.replace(wheel_build.BY_NAME["zlib"], **change)
            with unittest.mock.patch.dict(wheel_build.BY_NAME, zlib=zlib), self.subTest(change):
                wheel_build.digest.cache_clear()
                self.assertEqual(wheel_build.digest("zlib") == before, same)


class Licenses(unittest.TestCase):
    def test_the_wheel_has_a_row_and_a_text_of_each_part(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            info = folder / "sluice-1.dist-info"
            (info / "licenses").mkdir(parents=True)
            (info / "METADATA").write_text("Name: sluice\nLicense-Expression: Apache-2.0\n"
                                           "License-File: NOTICE\n\nText.\n")
            (folder / "text").write_text("You may.")
            wheel_parts.add_licenses(folder, [
                wheel_parts.Part("@a/b", "1.2", "MIT AND Zlib", "npm: @a/b", folder / "text"),
                wheel_parts.Part("c", "3", "LGPL-2.1-only OR MPL-1.1", "c", folder / "text")])
            self.assertEqual((info / "METADATA").read_text(), "\n".join([
                "Name: sluice", "License-Expression: (LGPL-2.1-only OR MPL-1.1) AND Apache-2.0 "
                "AND BSD-2-Clause AND BSD-3-Clause AND MIT AND Zlib", "License-File: NOTICE",
                "License-File: LICENSES.md", "License-File: third-party/a-b.txt",
                "License-File: third-party/c.txt", "", "Text.", ""]))
            self.assertIn("| @a/b | 1.2 | MIT AND Zlib | npm: @a/b |\n",
                          (info / "licenses/LICENSES.md").read_text())
            self.assertEqual((info / "licenses/third-party/a-b.txt").read_text(), "You may.")


if __name__ == "__main__":
    unittest.main(verbosity=0)
