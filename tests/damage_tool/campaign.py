#!/usr/bin/env python3
"""Damages small scans of every format, so many times each, and reads them: no crash, no hang, no silent difference.

SPDX-License-Identifier: Apache-2.0

    PYTHON tests/damage_tool/campaign.py --bin build/release/bin --count 10000 [--only tiff] [--first 0]

PYTHON is that of tests/foreign (tools/foreign.py makes it), since other programs write most of the files. A file is
damaged by flipped bits, a cut, sizes that lie, blocks that are repeated, swapped, lost or overwritten, and all of its
frames are read by the library in a process with 4 GiB of memory and 10 s for each file (tests/damage_tool).

What comes of a file: `refused` (an error), `same` (no value differs: what was hurt is not used), `told` (values differ,
and the notes or the missing frames do, too), `counts` (the damage lies within counts that are stored as they are, which
nothing checks), `silent` (values differ, and nothing says so). Silent differences are possible where a header has no
checksum and where what a codec packs has none.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "foreign"))

import numpy as np  # noqa: E402

SCAN = (3, 4)
SCAN_TEXT = f"scan_shape={SCAN[0]}x{SCAN[1]}"


def counts(kind="u2", frame=(16, 16)):
    return np.random.default_rng(1).poisson(3, (*SCAN, *frame)).astype(kind)


def by_rsciio(module, ending, kind="u1", **how):
    def make(folder, _):
        import importlib

        from rosettasciio_matrix import signal
        given = signal(counts(kind))
        given["metadata"]["Acquisition_instrument"] = {"TEM": {"beam_energy": 200}}
        importlib.import_module(f"rsciio.{module}").file_writer(str(folder / f"a{ending}"), given, **how)
        return sorted(p.name for p in folder.iterdir())[0]
    return make


def by_convert(name, *words):
    def make(folder, bin_):
        np.save(folder / "from.npy", counts())
        subprocess.run([bin_ / "sluice", "stem4d", "convert", folder / "from.npy", folder / name, *words], check=True,
                       capture_output=True)
        (folder / "from.npy").unlink()
        return name
    return make


def numpy_file(folder, _):
    np.save(folder / "a.npy", counts())
    return "a.npy"


def npz(packed):
    def make(folder, _):
        (np.savez_compressed if packed else np.savez)(folder / "a.npz", a=counts(), b=np.ones(3))
        return "a.npz"
    return make


def tiff(**how):
    def make(folder, _):
        import tifffile
        tifffile.imwrite(folder / "a.tif", counts().reshape(-1, 16, 16), photometric="minisblack", **how)
        return "a.tif"
    return make


def mrc(folder, _):
    import mrcfile
    with mrcfile.new(folder / "a.mrc") as file:
        file.set_data(counts().reshape(-1, 16, 16))
    return "a.mrc"


def mrcz(folder, _):
    import importlib.util
    if not importlib.util.find_spec("mrcz"):
        return None
    import mrcz as writer
    writer.writeMRC(counts().reshape(-1, 16, 16), str(folder / "a.mrcz"), compressor="zstd", clevel=3)
    return "a.mrcz"


def dm(version):
    def make(folder, _):
        import flat_files
        tags = flat_files.Dm(version)
        axes = [(0.5, "nm"), (0.5, "nm"), (0.02, "1/nm"), (0.02, "1/nm")]
        meta = [tags.text("Format", "Diffraction image"), tags.tag("Data Order Swapped", [8], b"\1")]
        return tags.write(folder / f"a.dm{version}", [tags.image(counts("<u2"), axes, [
            tags.group("Meta Data", meta)])]).name
    return make


def empad(folder, _):
    import flat_files
    flat_files.empad(folder, counts("f4", (128, 128)))
    return "scan.xml"


def hits(folder, _):
    sys.modules.setdefault("rustpix", np)  # only the writer is used
    import hits_matrix
    hits_matrix.write(folder / "a.tpx3", SCAN, np.random.default_rng(3), 1000, 60)
    return "a.tpx3"


def synth(kind, name, *words):
    def make(folder, bin_):
        subprocess.run([bin_ / "sluice", "synth", kind, folder / "s", "--scan", "3x4", "--detector", "16x16", "--dose",
                        "300", *words], check=True, capture_output=True)
        return name
    return make


# Name: (how it is made: the file that opens, files that are damaged, options).
CASES = {
    "npy": (numpy_file, "a.npy", ()),
    "npz": (npz(False), "a.npz", ()),
    "npz packed": (npz(True), "a.npz", ()),
    "mib": (by_convert("a.mib"), "*.mib", ()),
    "raw with side-car": (by_convert("a.raw"), "a.*", ()),
    "emd": (by_convert("a.emd"), "a.emd", ()),
    "hspy": (by_convert("a.hspy"), "a.hspy", ()),
    "nxmx": (by_convert("a_master.h5"), "*.h5", ()),
    "nxmx of DECTRIS": (synth("arina", "s_master.h5"), "s*.h5", ()),
    "zarr": (by_convert("a.zarr"), "a.zarr/**/*", ()),
    "zarr zstd": (by_convert("a.zarr", "--codec", "zstd"), "a.zarr/**/*", ()),
    "zspy": (by_convert("a.zspy"), "a.zspy/**/*", ()),
    "blo": (by_rsciio("blockfile", ".blo", intensity_scaling=None), "*.blo", ()),
    "tvips": (by_rsciio("tvips", ".tvips", version=2), "*.tvips", (SCAN_TEXT,)),
    "hdf5 packed": (by_rsciio("hspy", ".hspy", "u2", compression="gzip"), "*.hspy", ()),
    "prz": (by_rsciio("pantarhei", ".prz", "u2"), "*.prz", ()),
    "mrc": (mrc, "a.mrc", (SCAN_TEXT,)),
    "mrcz": (mrcz, "a.mrcz", (SCAN_TEXT,)),
    "tiff": (tiff(), "a.tif", (SCAN_TEXT,)),
    "tiff deflate": (tiff(compression="deflate", predictor=True), "a.tif", (SCAN_TEXT,)),
    "tiff zstd": (tiff(compression="zstd"), "a.tif", (SCAN_TEXT,)),
    "tiff lzw": (tiff(compression="lzw"), "a.tif", (SCAN_TEXT,)),
    "dm3": (dm(3), "a.dm3", ()),
    "dm4": (dm(4), "a.dm4", ()),
    "empad": (empad, "scan.*", ()),
    "tpx3": (hits, "a.tpx3", (SCAN_TEXT, "allow_incomplete=true")),
}


def damage(case, count, first, bin_, base):
    make, pattern, options = case
    found, lines = {}, []
    with tempfile.TemporaryDirectory(dir=base) as name:
        folder = pathlib.Path(name)
        opened = make(folder, bin_)
        if opened is None:
            return None, ["the program that writes it is not there"]
        files = sorted(str(p.relative_to(folder)) for p in folder.glob(pattern) if p.is_file() and p.stat().st_size)
        for number, file in enumerate(files):
            share = count // len(files) + (number < count % len(files))
            done = subprocess.run([str(w) for w in (bin_ / "damage_scan", folder, file, first, share, opened, *options)],
                                  capture_output=True, text=True, check=False)
            *said, last = done.stdout.splitlines() or [f"damage_scan ended with {done.returncode}: {done.stderr}"]
            lines += [f"{file}: {line.strip()}" for line in said]
            numbers = re.findall(r"(\d+) (\w+)", last)
            if len(numbers) < 8:
                return None, [*lines, f"{file}: {last}"]
            for n, word in numbers:
                found[word] = found.get(word, 0) + int(n)
    return found, lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=HERE.parents[1] / "build/release/bin")
    parser.add_argument("--count", type=int, default=10000, help="damaged files of each format")
    parser.add_argument("--first", type=int, default=0, help="number of the first")
    parser.add_argument("--only", default="", help="a part of the names of formats")
    parser.add_argument("--verbose", action="store_true", help="print each silent difference")
    args = parser.parse_args()
    base = "/dev/shm" if shutil.os.access("/dev/shm", shutil.os.W_OK) else None
    words = ("damaged", "refused", "same", "told", "counts", "silent", "memory", "crash", "hang")
    print("| format | " + " | ".join(words) + " |\n|" + "---|" * (len(words) + 1))
    bad = 0
    for name, case in CASES.items():
        if args.only not in name:
            continue
        found, lines = damage(case, args.count, args.first, args.bin.resolve(), base)
        if found is None:
            print(f"{name}: {lines[-1]}", file=sys.stderr)
            bad += lines[-1].startswith("the program") is False
            continue
        print(f"| {name} | " + " | ".join(str(found.get(word, 0)) for word in words) + " |", flush=True)
        bad += found["crash"] + found["hang"] + found["memory"]
        for line in lines:
            if args.verbose or not line.split(": ")[1].startswith("silent"):
                print(f"    {name}: {line}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
