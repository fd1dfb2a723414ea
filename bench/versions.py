#!/usr/bin/env python3
"""Two builds of sluice beside each other: what each command takes, in turns.

SPDX-License-Identifier: Apache-2.0

    bench/versions.py OLD_SLUICE NEW_SLUICE FOLDER [ROUNDS]

makes its input in FOLDER (a fast one, as /dev/shm/x) with NEW_SLUICE and the make_czi beside it,
and prints medians of wall and processor time of every command, and their ratios. Arrays that both
write are compared first.
"""
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import time

BEAM = '[grid]\ndepth = "160 mm"\nwidth = "60 mm"\n[[beam]]\nenergy = "140 MeV"\nsigma_x = "3 mm"\n'
DETECTORS = ["--detector", "disk:r=20,center=96:96", "--detector", "annulus:r=40..90,center=96:96"]
SCAN = ["si_master.h5", "--out", "o", "--format", "npy"]
JOBS = {
    "virtual images, streamed": ["stem4d", "virtual-image", *SCAN, *DETECTORS, "--stream"],
    "virtual images, loaded": ["stem4d", "virtual-image", *SCAN, *DETECTORS],
    "centre of mass": ["stem4d", "center-of-mass", *SCAN],
    "mean pattern": ["stem4d", "diffraction-pattern", *SCAN],
    "slide read, zstd1": ["slide", "read", "z.czi", "--out", "o/z.npy"],
    "slide read, raw": ["slide", "read", "r.czi", "--out", "o/r.npy"],
    "slide convert": ["slide", "convert", "z.czi", "o.zarr"],
    "proton run": ["proton", "run", "beam.toml", "--out", "o"],
    "info": ["info", "si_master.h5"],
    "overview": ["stem4d", "overview", "si_master.h5", "--out", "o/v.png"],
    "ptychography": ["stem4d", "ptychography", "pt_master.h5", "--energy", "80", "--semiangle", "20",
                     "--detector-step-mrad", "2", "--scan-step-nm", "0.1", "--iterations", "5",
                     "--likelihood", "amplitude", "--out", "o/p"],
}


def make(folder, sluice):
    (folder / "beam.toml").write_text(BEAM)
    (folder / "o").mkdir(exist_ok=True)
    run = [sluice, "synth", "arina", "si", "--scan", "128x128", "--detector", "192x192",
           "--dose", "2000"]
    subprocess.run(run, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    run[3], run[5], run[7] = "pt", "32x32", "64x64"
    subprocess.run(run, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for name, codec in (("z", "zstd1"), ("r", "none")):
        subprocess.run([sluice.parent / "make_czi", f"{name}.czi", "--size", "8000x6000", "--tile",
                        "1024", "--overlap", "0.1", "--pixel", "gray16", "--compression", codec,
                        "--channels", "2"], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def spent():
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


def timed(sluice, words, folder):
    """Seconds of wall and of processors; ends the program where the command fails."""
    # Versions differ in the word that replaces a folder.
    shutil.rmtree(folder / "o.zarr", ignore_errors=True)
    cpu, wall = spent(), time.perf_counter()
    subprocess.run([sluice, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - wall, spent() - cpu


def arrays(folder):
    return {path.name: path.read_bytes() for path in sorted((folder / "o").glob("*.npy"))}


def compare(old, new, folder):
    for name, words in JOBS.items():
        answers = []
        for sluice in (old, new):
            for path in (folder / "o").glob("*.npy"):
                path.unlink()
            timed(sluice, words, folder)
            answers.append(arrays(folder))
        if answers[0] != answers[1]:
            sys.exit(f"{name}: the answers differ; nothing is measured")


def main():
    old, new, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 15
    folder.mkdir(parents=True, exist_ok=True)
    make(folder, new)
    compare(old, new, folder)
    taken = {name: {old: [], new: []} for name in JOBS}
    for turn in range(rounds):
        for name, words in JOBS.items():
            for sluice in (old, new) if turn % 2 else (new, old):
                taken[name][sluice].append(timed(sluice, words, folder))
    print(f"{'medians of ' + str(rounds) + ' rounds':26}{'old ms':>10}{'new ms':>10}{'ratio':>8}"
          f"{'cpu ratio':>11}")
    for name, both in taken.items():
        (wall, cpu), (wall2, cpu2) = ([statistics.median(one[k] for one in both[sluice])
                                       for k in (0, 1)] for sluice in (old, new))
        print(f"{name:26}{1e3 * wall:10.1f}{1e3 * wall2:10.1f}{wall2 / wall:8.2f}"
              f"{cpu2 / cpu:11.2f}")


if __name__ == "__main__":
    main()
