#!/usr/bin/env python3
"""Tests that the hostile stage can fail: programs that crash, hang, grow, lie and stay silent.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import random
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
from hostile import campaign, fields, oracle, runner, seeds  # noqa: E402
from hostile.mutate import mutate  # noqa: E402

# A `sluice` that copies its file to the result, and misbehaves where the file says so.
PROGRAM = """#!/bin/sh
read -r word < x.txt
case "$word" in
    crash) kill -SEGV $$ ;;
    hang) while :; do :; done ;;
    sleep) exec sleep 1000 ;;
    grow) exec %s -c 'x = bytearray(100 << 20); x[::4096] = bytes(len(x[::4096]))' ;;
    code) echo "sluice: no" >&2; exit 77 ;;
    mute) exit 1 ;;
    partial) echo half > out.npy; echo "sluice: no" >&2; exit 1 ;;
    refuse) echo "sluice: no" >&2; exit 1 ;;
    lie) echo others > out.npy ;;
    *) echo pixels > out.npy ;;
esac
""" % sys.executable


class RunnerTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        program = self.root / "sluice"
        program.write_text(PROGRAM)
        program.chmod(0o755)
        runner.CPU_BEYOND = 1
        runner.MEMORY_BEYOND = 64 << 20  # a slow machine needs its second for more
        self.healthy = self.run_with("good")

    def tearDown(self):
        self.folder.cleanup()

    def run_with(self, word, wall=30):
        work = self.root / "work"
        work.mkdir(exist_ok=True)
        (work / "out.npy").unlink(missing_ok=True)
        (work / "x.txt").write_text(word + "\n")
        return runner.run([str(self.root / "sluice")], work, "out.npy", 1, wall)

    def verdict(self, word, told=False, wall=30):
        return runner.judge(self.run_with(word, wall), self.healthy, told)

    def test_good_ones_pass(self):
        self.assertEqual(self.verdict("good", told=True), "")
        self.assertEqual(self.verdict("refuse", told=True), "")
        self.assertEqual(self.verdict("lie"), "")

    def test_each_fault_is_found(self):
        self.assertIn("SIGSEGV", self.verdict("crash"))
        self.assertIn("hang", self.verdict("hang"))
        self.assertIn("hang", self.verdict("sleep", wall=0.5))
        self.assertIn("memory", self.verdict("grow"))
        self.assertIn("exit code 77", self.verdict("code"))
        self.assertIn("without a word", self.verdict("mute"))
        self.assertIn("left a result", self.verdict("partial"))
        self.assertIn("silent", self.verdict("lie", told=True))

    def test_a_campaign_finds_keeps_and_repeats(self):
        # One byte of four turns the word into another; "lie" is one bit from "mie".
        case = seeds.Case("fake", (("x.txt", "mie\n"),), ("x.txt",),
                          (seeds.Command((), "out.npy"),), fields.text,
                          lambda *_: True)
        families, runs = campaign.run(self.root, 3, 1, self.root / "kept", 2, [case],
                                      say=lambda _: None)
        self.assertGreater(runs, 10)
        silent = [f for f in families if "silent" in f]
        self.assertTrue(silent, f"nothing in {runs} runs")
        first = families[silent[0]][0]
        self.assertIn("sluice", pathlib.Path(first.folder, "again.txt").read_text())
        seed = campaign.prepare(case, self.root / "twice", self.root)
        again = campaign.one(seed, first.number, self.root / "work", self.root)
        self.assertEqual(again.what, first.what)


    def test_a_campaign_that_does_not_run_is_an_error(self):
        case = seeds.Case("fake", (("x.txt", "mie\n"),), ("x.txt",),
                          (seeds.Command((), "out.npy"),), fields.text, lambda *_: True)
        start = lambda seconds: campaign.run(  # noqa: E731
            self.root, seconds, 1, self.root / "kept", 2, [case], say=lambda _: None)
        with self.assertRaisesRegex(RuntimeError, "no file"):
            start(0)
        # Forked workers have it from their parent.
        with unittest.mock.patch.object(campaign, "one", lambda *_: os._exit(3)):
            with self.assertRaisesRegex(RuntimeError, "ended with"):
                start(1)


class MutationTest(unittest.TestCase):
    def test_a_number_means_one_damage(self):
        data = bytes(range(256)) * 20
        one = [mutate(random.Random(f"x:{i}"), data, [data[::-1]], [(8, 4)], False)
               for i in range(300)]
        two = [mutate(random.Random(f"x:{i}"), data, [data[::-1]], [(8, 4)], False)
               for i in range(300)]
        self.assertEqual(one, two)
        self.assertGreater(sum(m != data for m in one), 250)
        self.assertGreater(sum(m[8:12] != data[8:12] for m in one), 80)

    def test_text_is_damaged_by_lines_and_numbers(self):
        text = b"a = 1\nb = 2\nc = 3\n"
        for i in range(200):
            mutate(random.Random(i), text, [], [], True)
        mutate(random.Random(1), b"", [], [], True)


class OracleTest(unittest.TestCase):
    def test_npy_headers(self):
        header = b"{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3), }"
        whole = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(12)
        told = lambda after: oracle.npy("x", whole, after, *fields.npy(whole))  # noqa: E731
        self.assertFalse(told(whole.replace(b"(2, 3)", b"(3, 2)")))
        self.assertFalse(told(whole[:-1] + b"x"))
        self.assertTrue(told(whole.replace(b"(2, 3)", b"(2, 4)")))
        self.assertTrue(told(whole.replace(b"<u2", b"<u4")))
        self.assertTrue(told(whole.replace(b"shape", b"shapf")))
        self.assertTrue(told(whole[:-1]))

    def test_hdf5_blocks_with_checksums(self):
        superblock = b"\x89HDF\r\n\x1a\n\x02\x08\x08\x00" + bytes(36)
        header = b"OHDR\x02\x20" + bytes(16) + b"\x0a" + bytes(10 + 4)
        whole = superblock + b"data" + header + b"data"
        at = len(superblock) + 4
        self.assertEqual(fields.hdf5_summed(whole), [(0, 48), (at, at + len(header))])
        told = lambda *places: oracle.hdf5("x", whole, bytes(  # noqa: E731
            b ^ 1 if i in places else b for i, b in enumerate(whole)), [], [])
        self.assertTrue(told(9) and told(at + 30) and told(at, at + 1))
        self.assertFalse(told(49) or told(len(whole) - 1) or told(at, 49))
        self.assertTrue(oracle.hdf5("x", whole, whole[:-1], [], []))
        self.assertFalse(oracle.hdf5("x", whole, whole + b"x", [], []))

    def test_zarr_chunks_and_the_indexes_of_shards(self):
        whole = bytes(200)
        flipped = lambda at: whole[:at] + b"x" + whole[at + 1:]  # noqa: E731
        shards = oracle.shards(4)
        for told in (oracle.chunks, shards):
            self.assertTrue(told("x.zarr/0/0/c/0/1", whole, whole[:-1], [], []))
            self.assertFalse(told("x.zarr/0/0/zarr.json", whole, whole[:-1], [], []))
            self.assertFalse(told("x.zarr/0/0/c/0/1", whole, flipped(9), [], []))
            self.assertFalse(told("x.zarr/0/0/c/0/1", whole, whole + b"x", [], []))
        self.assertFalse(oracle.chunks("x/0", whole, flipped(150), [], []))
        self.assertTrue(shards("x/0", whole, flipped(132), [], []))
        self.assertFalse(shards("x/0", whole, flipped(131), [], []))
        self.assertFalse(shards("x/0", whole, whole, [], []))

    def test_czi_payload_and_the_rest(self):
        payload = [(100, 200)]
        whole = bytes(300)
        flipped = lambda at: whole[:at] + b"x" + whole[at + 1:]  # noqa: E731
        self.assertFalse(oracle.czi("x", whole, flipped(150), [], payload))
        self.assertTrue(oracle.czi("x", whole, flipped(50), [], payload))
        self.assertTrue(oracle.czi("x", whole, whole[:-1], [], payload))
        self.assertFalse(oracle.czi("x", whole, whole + b"x", [], payload))
        self.assertTrue(oracle.czi("x", whole, flipped(50) + b"x", [], payload))
        self.assertFalse(oracle.czi("x", whole, flipped(150) + b"x", [], payload))
        both = flipped(50)[:150] + flipped(150)[150:]
        self.assertTrue(oracle.czi("x", whole, flipped(50)[:-9], [], payload))
        self.assertFalse(oracle.czi("x", whole, both[:-9], [], payload))
        self.assertFalse(oracle.czi("x", whole, whole[:150] + b"x" + whole[150:], [], payload))
        self.assertTrue(oracle.czi("x", whole, whole[:50] + b"x" + whole[50:], [], payload))


if __name__ == "__main__":
    unittest.main()
