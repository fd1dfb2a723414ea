"""Slides in a process: Ctrl-C, threads, the GIL, files and memory.

SPDX-License-Identifier: Apache-2.0
"""
import concurrent.futures
import gc
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import slide_files
from silence import longest_silence
from slide_files import mosaic, truth, write

import sluice
from sluice import slide as slides


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("process")


@pytest.fixture(scope="module")
def small(folder):
    tiles = mosaic([dict(C=c, Z=0, T=0) for c in range(2)], "u1", (3,))
    return tiles, write(folder / "small.czi", tiles)


@pytest.fixture(scope="module")
def large(folder):
    """Of which every read takes seconds: few tiles, in many entries of the directory."""
    path = folder / "large.czi"
    if not slide_files.make_czi(path, "--grid", "12x12", "--tile", "512", "--overlap", "0",
                                "--compression", "jpegxr", "--quality", "1"):
        pytest.skip("make_czi is not built")
    return path


def rss():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


INTERRUPTED = """
import os, signal, sys, threading, time
from sluice import slide as slides
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it in the background
path, out, what = sys.argv[1:]
slide = slides.open(path)
sent = None
def forever(f):
    while True:
        f()
work = {
    "read": lambda: forever(lambda: slide.read(threads=1, progress=False)),
    "planes": lambda: forever(lambda: slide.read_planes(threads=1, progress=False)),
    "zoom": lambda: forever(lambda: slide.read(zoom=0.1, threads=1, progress=False)),
    "tiles": lambda: forever(lambda: slide.read_tile_stack(range(100), threads=1,
                                                           progress=False)),
    "array": lambda: forever(lambda: slide.array()[...]),
    "check": lambda: forever(lambda: slide.check(pixels=True, progress=False)),
    "convert": lambda: slide.convert(out, threads=1, codec="zstd", codec_level=12, chunk=512,
                                     progress=False),
    "verify": lambda: forever(lambda: slide.convert(out, force=True, verify=True, threads=1,
                                                    progress=False)),
    "profile": lambda: forever(lambda: slide.profile(max_tiles=0, threads=[1], cold=False,
                                                     progress=False)),
}[what]
def send():
    time.sleep(1.3)
    global sent
    sent = time.process_time()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=send, daemon=True).start()
try:
    work()
except KeyboardInterrupt:
    print("interrupted after", time.process_time() - sent)
"""


@pytest.mark.parametrize("what", ["read", "planes", "zoom", "tiles", "array", "check", "convert",
                                  "profile"])
def test_ctrl_c_ends_long_work(large, tmp_path, what):
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, large, tmp_path / "out.zarr", what],
                          text=True, timeout=120, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    assert "interrupted after" in done.stdout, done.stdout
    # Seconds of processors, 0.2 of them: other work on the machine does not count.
    assert float(done.stdout.split()[-1]) < 5, done.stdout
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_while_an_output_is_verified(large, tmp_path):
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, large, tmp_path / "out.zarr",
                           "verify"], text=True, timeout=120, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    assert "interrupted after" in done.stdout, done.stdout
    # One that was complete may be there; no part of another.
    assert {p.name for p in tmp_path.iterdir()} <= {"out.zarr"}


def test_threads_at_once(small):
    tiles, path = small
    right = [truth(tiles, C=c)[0] for c in range(2)]
    slide = slides.open(path)
    array = slide.array()
    cache = slides.TileCache(1 << 22)

    def once(i):
        c = i % 2
        return (np.array_equal(slide.read(C=c, cache=cache), right[c])
                and np.array_equal(array[c], right[c])
                and np.array_equal(slides.open(path).read_planes(), right))
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        assert all(pool.map(once, range(120)))


def test_closing_while_others_read(small):
    tiles, path = small
    right = truth(tiles)[0]
    for _ in range(20):
        slide = slides.open(path)
        seen = []

        def read():
            try:
                while True:
                    seen.append(np.array_equal(slide.read(), right))
            except sluice.InvalidArgument as error:
                assert "closed" in str(error)
        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(0.01)
        slide.close()
        for thread in threads:
            thread.join(30)
            assert not thread.is_alive()
        assert all(seen)


def test_the_gil_is_free_while_it_reads(large):
    seen = []
    for _ in range(5):  # other work on the machine may hold up a thread as well
        seen.append(longest_silence(lambda: slides.open(large).read(progress=False)))
        if seen[-1] < 0.5:
            return
    raise AssertionError(f"another thread was silent for {seen} of the call")


def test_progress_is_told_and_can_cancel(large):
    slide = slides.open(large)
    told = []
    slide.read(progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] == 144
    with pytest.raises(sluice.Cancelled):
        slide.read(progress=lambda *_: False)
    with pytest.raises(ZeroDivisionError):
        slide.read_planes(progress=lambda *_: 1 / 0)
    with pytest.raises(sluice.Cancelled):
        slide.check(pixels=True, progress=lambda *_: False)


def test_files_and_memory_are_given_back(small):
    _, path = small

    def once():
        with slides.open(path) as slide:
            part = slide.read(region=(3, 4, 20, 20), C=1)
            slide.array()[0, :5]
            with pytest.raises(sluice.InvalidArgument):
                slide.read(C=7)
        return part
    for _ in range(100):
        once()
    gc.collect()
    files, before = len(os.listdir("/proc/self/fd")), rss()
    for _ in range(1000):
        once()
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == files
    assert rss() - before < 8 << 20


def _read(path):
    return int(slides.open(path).read(threads=3).sum(dtype="u8"))


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_processes_of_each_kind(small, method):
    import multiprocessing
    right = _read(small[1])  # the parent's threads are there by now
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(_read, [small[1]] * 4, timeout=60)) == [right] * 4
