"""The package in its process: Ctrl-C, threads, forks, memory, and what an import costs.

SPDX-License-Identifier: Apache-2.0
"""
import concurrent.futures
import logging
import multiprocessing
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from silence import longest_silence

import sluice
from sluice import stem4d

SYNTHETIC = "synthetic:stem4d?scan=8x8&detector=32x32"
LONG = "synthetic:stem4d?scan=512x512&detector=256x256&dose=4000"


def rss():
    """Bytes of this process."""
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


INTERRUPTED = """
import os, signal, sys, threading, time
import sluice
def send():
    time.sleep(0.4)
    global sent
    sent = time.process_time()
    os.kill(os.getpid(), signal.SIGINT)
source = sys.argv[1]
work = {
    "load": lambda: sluice.load(source, stream=False, memory_limit=1 << 40, progress=False),
    "stream": lambda: sluice.stem4d.virtual_image(
        sluice.load(source, stream=True), "disk:r=20,center=128:128", progress=False),
    "fold": lambda: sluice.stem4d.fold(
        sluice.load(source, stream=True), lambda tile: tile.values[:, 0, 0],
        progress=False),
    "read": lambda: sluice.open(source)[:, :64],
}[sys.argv[2]]
threading.Thread(target=send).start()
try:
    work()
except KeyboardInterrupt:
    print("interrupted after", time.process_time() - sent)
"""


@pytest.mark.parametrize("what", ["load", "stream", "fold", "read"])
def test_ctrl_c_ends_long_work(what):
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, LONG, what], text=True, timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert "interrupted after" in done.stdout, done.stdout
    # Seconds of processors, 0.2 of them: other work on the machine does not count.
    assert float(done.stdout.split()[-1]) < 5, done.stdout


def test_a_handler_of_ones_own_still_works():
    seen = []
    before = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    try:
        def progress(done, total):
            if not seen:
                os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(sluice.Cancelled):
            sluice.load("synthetic:stem4d?scan=64x64&detector=128x128", progress=progress)
        assert seen
        assert stem4d.frame(sluice.load(SYNTHETIC), 0, 0).shape == (32, 32)
    finally:
        signal.signal(signal.SIGINT, before)


def test_threads_at_once():
    scan = sluice.load(SYNTHETIC)
    right = stem4d.virtual_image(scan, "bf").values
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        for found in pool.map(lambda _: stem4d.virtual_image(scan, "bf").values, range(60)):
            assert np.array_equal(found, right)
        read = [pool.submit(lambda: sluice.open(SYNTHETIC)[2:5]) for _ in range(30)]
        assert all(r.result().shape == (3, 8, 32, 32) for r in read)


def test_the_gil_is_free_while_work_runs():
    seen = []
    for _ in range(5):  # other work on the machine may hold up a thread as well
        seen.append(longest_silence(lambda: sluice.load(
            "synthetic:stem4d?scan=128x128&detector=128x128", progress=False)))
        if seen[-1] < 0.5:
            return
    raise AssertionError(f"another thread was silent for {seen} of the call")


def _in_child(seed):
    scan = sluice.load(SYNTHETIC + f"&seed={seed}", threads=3)
    return stem4d.virtual_image(scan, "bf", threads=3).values.sum()


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_processes_of_each_kind(method):
    right = [_in_child(s) for s in range(3)]  # the parent's threads are there by now
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(_in_child, range(3), timeout=60)) == right


def test_memory_stays_as_it_is():
    def once():
        with sluice.load(SYNTHETIC) as scan:
            images = stem4d.virtual_image(scan, ["bf", "adf"])
            with pytest.raises(sluice.NotFound):
                sluice.open("/nowhere")
            kept = scan[1]
        return images.values, kept
    for _ in range(200):
        once()
    before = rss()
    for _ in range(1000):
        once()
    assert rss() - before < 4 << 20


def test_large_results_are_given_back():
    array = np.ones((64, 64, 64, 64), np.uint16)
    before = rss()
    for _ in range(20):
        sluice.from_array(array).to_numpy()
    assert rss() - before < 3 * array.nbytes


def test_more_than_there_is_memory():
    huge = sluice.open("synthetic:stem4d?scan=4096x4096&detector=1024x1024")
    with pytest.raises(MemoryError, match="to_dask"):
        huge.to_numpy()
    assert huge[4095, 4095, 5:7].shape == (2, 1024)


def test_import_costs_little():
    code = ("import time, sys; t = time.perf_counter(); import numpy; "
            "u = time.perf_counter(); import sluice; v = time.perf_counter(); "
            "print(v - u, sorted(m for m in sys.modules if m.split('.')[0] in "
            "('dask', 'xarray', 'distributed', 'anywidget', 'tqdm', 'IPython')))")
    out = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                         check=True).stdout
    assert out.split(None, 1)[1].strip() == "[]", out


def test_what_reading_met_is_logged(caplog):
    array = np.zeros((2, 2, 4, 4), np.float64)
    array[0, 0, 0, 0] = 0.1  # float32 has it not
    with caplog.at_level(logging.WARNING, "sluice"):
        sluice.from_array(array).to_numpy()
    assert "rounded" in caplog.text


def test_progress_is_told_and_can_cancel():
    told = []
    sluice.load("synthetic:stem4d?scan=64x64&detector=64x64",
                progress=lambda done, total: told.append((done, total)))
    assert told and told[-1][0] <= told[-1][1]
    with pytest.raises(sluice.Cancelled):
        sluice.load("synthetic:stem4d?scan=64x64&detector=64x64", progress=lambda *_: False)
    with pytest.raises(ZeroDivisionError):
        sluice.load("synthetic:stem4d?scan=64x64&detector=64x64", progress=lambda *_: 1 / 0)
    with pytest.raises(TypeError, match="progress is 'yes'"):
        sluice.load(SYNTHETIC, progress="yes")


@pytest.mark.parametrize("call", [
    lambda: sluice.open(3), lambda: sluice.open(SYNTHETIC, scan_shape=(1, 2, 3)),
    lambda: sluice.open(SYNTHETIC, raw_offset=-1), lambda: sluice.open_series([3]),
    lambda: sluice.open_series([SYNTHETIC], nonsense=3), lambda: sluice.open_series(3), lambda: sluice.load(SYNTHETIC, det_bin="two"),
    lambda: sluice.load(SYNTHETIC, det_bin=-1), lambda: sluice.load(SYNTHETIC, layout="dens"),
    lambda: sluice.load(SYNTHETIC, threads=-3), lambda: sluice.load(SYNTHETIC, device="gpu9"),
    lambda: sluice.load(SYNTHETIC, scan_region=(0, 0, 99, 99)),
    lambda: sluice.load(SYNTHETIC, mask=np.zeros(5)),
    lambda: sluice.load(SYNTHETIC, mask=np.zeros((3, 3))),
    lambda: sluice.load(SYNTHETIC, memory_limit=-1), lambda: sluice.load(SYNTHETIC, bin_mode=None),
    lambda: stem4d.frame(SYNTHETIC, 99, 0), lambda: stem4d.frame(SYNTHETIC, "a", 0),
    lambda: stem4d.find_disk(np.zeros((8, 8))), lambda: stem4d.find_disk(np.zeros(8)),
    lambda: stem4d.find_disk(np.zeros((8, 8)), np.zeros((2, 2))),
    lambda: stem4d.virtual_image(SYNTHETIC, []), lambda: stem4d.virtual_image(SYNTHETIC, 5),
    lambda: stem4d.virtual_image(SYNTHETIC, "nonsense:r=1"),
    lambda: stem4d.virtual_image(SYNTHETIC, np.full((32, 32), np.nan)),
    lambda: stem4d.virtual_image(SYNTHETIC, stem4d.Detector("blob")),
    lambda: stem4d.virtual_image(SYNTHETIC, stem4d.polygon([(1, 2), 3])),
    lambda: stem4d.virtual_image(SYNTHETIC, "bf", disk=(1, 2, 3)),
    lambda: stem4d.divergence(np.zeros((3, 3)), np.zeros((4, 4))),
    lambda: stem4d.divergence(np.zeros((3, 3), complex), np.zeros((3, 3))),
    lambda: stem4d.find_rotation(np.zeros((0, 0)), np.zeros((0, 0))),
    lambda: stem4d.icom(np.zeros((1, 1)), np.zeros(1)),
    lambda: stem4d.RadialCache(SYNTHETIC, (1, 2, 3)),
    lambda: stem4d.phase_contrast(None),
    lambda: stem4d.rasterize(SYNTHETIC, "disk:r=-4"),
])
def test_what_makes_no_sense_is_an_exception(call):
    with pytest.raises((sluice.Error, TypeError, ValueError, AttributeError, OverflowError)) as e:
        call()
    assert str(e.value)
