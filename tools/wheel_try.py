"""What a wheel must do on a machine that has Python and nothing of Sluice's. Runs there, by
`tools/wheel_root.py`, with the folder of its inputs: it says what it did, or ends with a traceback.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import subprocess
import sys
import sysconfig
import wave

import numpy as np
import sluice

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
        sys.exit(f"{path} is missing or has another format")


def import_ms():
    """The processor time of `import sluice`, and NumPy's of that: the least of some starts."""
    code = ("import time; a = time.process_time(); import numpy; b = time.process_time(); "
            "import sluice; c = time.process_time(); print(1000 * (c - a), 1000 * (b - a))")
    return min(tuple(map(float, subprocess.run([sys.executable, "-I", "-c", code], check=True,
                                               stdout=subprocess.PIPE, text=True).stdout.split()))
               for _ in range(7))


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
    for name, magic in (("bf.png", b"\x89PNG"), ("bf.tif", b"II*\0"), ("bf.svg", b"<?xml"),
                        ("bf.pdf", b"%PDF"), ("bf.npy", b"\x93NUMPY"),
                        ("virtual_images.h5", b"\x89HDF")):
        starts_with(OUT / "images" / name, magic)


def slides():
    """A CZI file: a region of it, by the program and by Python, and OME-Zarr out of it."""
    program("info", INPUTS / "full.czi")
    program("slide", "read", INPUTS / "full.czi", "--region", "0,0,16,8", "--out",
            OUT / "part.tiff")
    starts_with(OUT / "part.tiff", b"II*\0")
    with sluice.slide.open(str(INPUTS / "full.czi")) as slide:
        assert slide.read(region=(0, 0, 16, 8)).shape[:2] == (8, 16)
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
ours, numpys = import_ms()
print(f"import sluice: {ours:.0f} ms of processor time, {numpys:.0f} of them NumPy's; "
      f"at most 150 are wanted: {'met' if ours <= 150 else 'MISSED'}")
print(program("--version").splitlines()[0])
for what in (scans, slides, music):
    what()
    print(f"{what.__name__}: correct")
