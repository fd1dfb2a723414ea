#!/usr/bin/env python3
"""Tests of verdicts.py and sanitized.py: when a verdict is kept, and what it depends on.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import re
import tempfile
import time
import unittest
from unittest import mock

import layers
import sanitized
import verdicts
from outcome import Outcome

LIST = """\
# numbers
sluice_layer(base DEPENDS fmt::fmt)
# bytes
sluice_layer(codec DEPENDS base)
# sound
sluice_layer(audio DEPENDS base)
"""
FILES = {"src/base/b.cpp": "", "src/base/b_test.cpp": "", "src/codec/c.cpp": "",
         "src/codec/c_test.cpp": "", "src/codec/c_fuzz.cpp": "", "src/audio/a_test.cpp": "",
         "tests/fuzz/c_fuzz/seed": "", "CMakePresets.json": '{"configurePresets": []}',
         "packages.txt": "[libraries]\n[build]\n", layers.LIST: LIST}
KIND = sanitized.Kind("asan", "Soak", ("base", "codec", "audio"))


class Verdicts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        for name, text in FILES.items():
            self.write(name, text)
        self.ran = []
        for module, name, new in ((sanitized, "ROOT", self.root), (sanitized, "ctest", self.ctest),
                                  (sanitized, "versions", lambda *commands: b"1"),
                                  (sanitized, "compiled", lambda *words: Outcome(1, 0)),
                                  (sanitized, "SUITES", {}),
                                  (sanitized, "Verdicts", lambda kind: verdicts.Verdicts(
                                      kind, self.root / "cache")),
                                  (sanitized, "state_of", lambda common, files: verdicts.state_of(
                                      common, files, self.root)),
                                  (layers, "ROOT", self.root)):
            patch = mock.patch.object(module, name, new)
            patch.start()
            self.addCleanup(patch.stop)
        read = layers.layers
        patch = mock.patch.object(layers, "layers", lambda: read(self.root))
        patch.start()
        self.addCleanup(patch.stop)

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def ctest(self, preset, select, seconds, env, altogether):
        self.ran.append(select[1])
        time.sleep(self.takes)
        return Outcome(1, sum(bool(re.search(select[1], name)) for name in self.failing))

    def stage(self, deep=False, failing=(), kind=KIND, seconds=3600, takes=0):
        """What is tested now: the note of the stage."""
        self.failing, self.takes = list(failing), takes
        with mock.patch.object(sanitized.deadline, "seconds_left", lambda: seconds):
            self.outcome = sanitized.stage(kind, deep)
        note = self.outcome.note
        return [] if "unchanged" in note or not note else note.split(", ")

    def test_only_what_changed_is_tested_again(self):
        self.assertEqual(self.stage(), ["base", "codec", "audio"])
        self.assertEqual(self.ran[:2], [r"^(fuzz_replay\.)?(test_base)(\.|$)",
                                        r"^(fuzz_replay\.)?(test_codec|c_fuzz)(\.|$)"])
        self.assertEqual(self.stage(), [])
        for name, expected in (("src/codec/c.cpp", ["codec"]), ("src/codec/c_test.cpp", ["codec"]),
                               ("tests/fuzz/c_fuzz/seed", ["codec"]),
                               ("src/base/b_test.cpp", ["base"]),
                               ("src/base/b.cpp", ["base", "codec", "audio"])):
            self.write(name, "changed")
            self.assertEqual(self.stage(), expected, name)
        self.assertEqual(self.stage(deep=True), ["base", "codec", "audio"])

    def test_exposed_layers_come_first(self):
        kind = sanitized.Kind("asan", "Soak", ("codec",))
        self.assertEqual(self.stage(kind=kind), ["codec", "base", "audio"])

    def test_what_there_is_no_time_for_is_left_to_the_next_run(self):
        self.assertEqual(self.stage(seconds=0), [])
        self.assertEqual(self.outcome.skipped, 3)
        # The second one is cut in the middle.
        self.assertEqual(self.stage(seconds=0.3, takes=0.2), ["base"])
        self.assertEqual(self.outcome.reasons,
                         {"no time was left; the next run takes codec, audio": 2})
        self.assertEqual(self.outcome.failed, 0)
        self.assertEqual(self.stage(), ["codec", "audio"])
        self.assertEqual(self.stage(deep=True, seconds=0), ["base", "codec", "audio"])

    def test_what_failed_is_tested_until_it_is_good(self):
        self.assertEqual(self.stage(failing=["test_codec.C.x"]), ["base", "codec", "audio"])
        self.assertEqual(self.stage(failing=["fuzz_replay.c_fuzz"]), ["codec"])
        self.assertEqual(self.stage(), ["codec"])
        self.assertEqual(self.stage(), [])

    def test_verdicts_nobody_asks_for_are_forgotten(self):
        kept = verdicts.Verdicts("lint", self.root)
        kept.keep("old")
        kept.keep("new")
        os.utime(self.root / "lint/old", (1, 1))
        kept = verdicts.Verdicts("lint", self.root)
        self.assertFalse(kept.holds("old"))
        self.assertTrue(kept.holds("new"))


if __name__ == "__main__":
    unittest.main(verbosity=0)
