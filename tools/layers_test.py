#!/usr/bin/env python3
"""Tests of layers.py: what it reads of a list, what it draws of it, and which lists it refuses.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import tempfile
import unittest

import layers

LIST = """\
# A list.
# sluice_layer(NAME) is what stands in a comment.

# numbers; words
sluice_layer(base PUBLIC result view DEPENDS fmt::fmt ${ELSE})
# how sound is
# stored
sluice_layer(audio DEPENDS base)
# songs
sluice_layer(music FOLDER domain/music
    DEPENDS audio)
# slides
sluice_layer(slide FOLDER domain/slide DEPENDS base)
# tiles
sluice_room(domain/slide/czi)
# verbs
sluice_room(app/cli/music DEPENDS music)
# the program
sluice_program(sluice FOLDER app/cli DEPENDS app/cli/music slide)
"""


class Layers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.listed = self.read(LIST)
        for layer in self.listed.values():
            (self.root / "src" / layer.folder).mkdir(parents=True, exist_ok=True)

    def read(self, text):
        (self.root / "cmake").mkdir(exist_ok=True)
        (self.root / layers.LIST).write_text(text)
        return layers.layers(self.root)

    def test_an_entry(self):
        self.assertEqual(list(self.listed), ["base", "audio", "music", "slide", "domain/slide/czi",
                                             "app/cli/music", "sluice"])
        base = self.listed["base"]
        self.assertEqual(base, layers.Layer("layer", "base", "base", ("result", "view"), (),
                                            "numbers; words"))
        self.assertEqual(self.listed["audio"].content, "how sound is stored")
        self.assertEqual(self.listed["sluice"].depends, ("app/cli/music", "slide"))

    def test_what_is_below(self):
        self.assertEqual(layers.below("app/cli/music", self.listed), {"music", "audio", "base"})
        self.assertEqual(layers.below("base", self.listed), set())

    def test_the_layer_of_a_folder(self):
        for folder, checked, program in (("base/x", "base", "base"),
                                         ("domain/slide/czi/y", "slide", "slide"),
                                         ("app/cli/music", "app/cli/music", "sluice"),
                                         ("app/cli", "sluice", "sluice")):
            self.assertEqual(layers.around(folder, self.listed).name, checked)
            self.assertEqual(layers.linked(folder, self.listed).name, program)
        self.assertIsNone(layers.around("app", self.listed))

    def test_what_is_linked_into_the_tests_of_a_library(self):
        self.assertEqual(layers.parts("slide", self.listed), {"slide", "domain/slide/czi", "base"})
        listed = self.read(LIST.replace("czi)", "czi DEPENDS slide audio)"))
        self.assertIn("audio", layers.parts("slide", listed))

    def test_each_stands_below_who_uses_it_and_domains_on_one_line(self):
        self.assertEqual(layers.lines(self.listed),
                         [["app/cli"], ["app/cli/music"], ["domain/music", "domain/slide"],
                          ["audio"], ["base"]])

    def test_the_page_is_rewritten_between_its_marks(self):
        page = self.root / "ARCHITECTURE.md"
        page.write_text(f"before\n{layers.BEGIN}yesterday\n{layers.END}after\n")
        _, wanted = layers.page(self.listed, self.root)
        self.assertTrue(wanted.startswith(f"before\n{layers.BEGIN}"))
        self.assertTrue(wanted.endswith(f"{layers.END}after\n"))
        self.assertIn("| `domain/music` | `audio` | songs |", wanted)
        self.assertNotIn("yesterday", wanted)
        page.write_text("no marks\n")
        with self.assertRaises(SystemExit):
            layers.page(self.listed, self.root)

    def test_lists_that_are_refused(self):
        self.assertEqual(layers.mistakes(self.listed, self.root), [])
        for old, new, said in (("DEPENDS audio)", "DEPENDS attic)", "music depends on attic"),
                               ("# songs\n", "", "music has no comment"),
                               ("sluice_layer(audio", "sluice_layer(sound", "no folder src/sound"),
                               ("sluice_room(app/cli/music ", "sluice_rooms(", "src/app/cli/music "
                                "has no layer")):
            found = layers.mistakes(self.read(LIST.replace(old, new)), self.root)
            self.assertTrue(any(said in message for message in found), (said, found))


if __name__ == "__main__":
    unittest.main(verbosity=0)
