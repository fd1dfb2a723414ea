"""What a wheel must do on a machine that has Python and nothing of Sluice's. Runs there, by
`tools/wheel_root.py`, with the folder of its inputs: it says what it did, or ends with a traceback.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import subprocess
import sys
import sysconfig
import time
import wave

start = time.perf_counter()
import sluice  # noqa: E402

seconds = time.perf_counter() - start

import numpy as np  # noqa: E402

INPUTS = pathlib.Path(sys.argv[1])
OUT = INPUTS / "out"
PROGRAM = pathlib.Path(sysconfig.get_path("scripts")) / "sluice"


def program(*words):
    """Runs the program of the wheel: what it says."""
    run = subprocess.run([PROGRAM, *map(str, words)], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
    if run.returncode:
        sys.exit(f"sluice {' '.join(map(str, words))}: {run.stdout}")
    return run.stdout


def starts_with(path, magic):
    """Ends with an error unless a file is there that begins as its format does."""
    if path.read_bytes()[:len(magic)] != magic:
        sys.exit(f"{path} is no such file")


def scans():
    """A simulated scan, a NumPy file, and one of HDF5 with packed chunks."""
    scan = sluice.load("synthetic:stem4d?scan=8x8&detector=32x32")
    assert sluice.stem4d.virtual_image(scan, ["bf", "adf"])["bf"].shape == (8, 8)
    values = np.arange(4 * 5 * 16 * 16, dtype=np.uint16).reshape(4, 5, 16, 16)
    np.save(OUT / "a.npy", values)
    with sluice.open(str(OUT / "a.npy")) as data:
        assert np.array_equal(data.to_numpy(), values)
    program("synth", "arina", OUT / "si", "--scan", "16x16")
    program("stem4d", "virtual-image", OUT / "si_master.h5", "--detector", "bf", "--format",
            "npy,tiff,hdf5,png,svg,pdf", "--out", OUT / "images")
    for suffix, magic in (("png", b"\x89PNG"), ("tiff", b"II*\0"), ("h5", b"\x89HDF"),
                          ("svg", b"<?xml"), ("pdf", b"%PDF"), ("npy", b"\x93NUMPY")):
        starts_with(OUT / f"images/bf.{suffix}", magic)


def slides():
    """A CZI file, and OME-Zarr out of it."""
    program("info", INPUTS / "full.czi")
    program("slide", "convert", INPUTS / "full.czi", OUT / "full.zarr")


def music():
    """A network without training on every kind of sound that libsndfile reads."""
    program("music", "synth", OUT / "tiny.safetensors", "--like", "tiny")
    wide = (np.random.default_rng(1).normal(0, 3000, (88200, 2))).astype("<i2")
    with wave.open(str(OUT / "song.wav"), "wb") as file:
        file.setparams((2, 2, 44100, 0, "NONE", ""))
        file.writeframes(wide.tobytes())
    program("music", "separate", OUT / "song.wav", "--model", OUT / "tiny.safetensors", "--format",
            "flac", "--out", OUT / "stems")
    flac = next((OUT / "stems").rglob("*.flac"))
    starts_with(flac, b"fLaC")
    for name in ("a.flac", "a.mp3", "vorbis.ogg", "opus.ogg"):
        program("music", "score", INPUTS / name, INPUTS / name, "--quick")


OUT.mkdir()
print(f"import sluice: {1000 * seconds:.0f} ms")
print(program("--version").splitlines()[0])
for what in (scans, slides, music):
    what()
    print(f"{what.__name__}: as they must be")
