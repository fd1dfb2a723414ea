#!/usr/bin/env python3
"""A bright field straight from the files beside reading the same bytes and nothing else, in turns.

    PYTHONPATH=build/release/python PYTHON bench/stem4d/streams.py --sluice build/release/bin/sluice --out FOLDER

PYTHON has numpy. Raw MIB of 1, 6 and 12 bits, raw uint16 and Zarr whose chunks are bitshuffled and packed by LZ4.
"Reading" is preadv by as many threads into buffers of 4 MB that are used again. `cached`: the files are in the page cache;
`disk`: their pages are dropped before each turn (of a folder on a disk). Images are compared with NumPy's before.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HERE / "tests/foreign"), str(HERE / "bench/stem4d")]
import mib_files  # noqa: E402
from convert import in_turns  # noqa: E402

RADIUS, PIECE = 30, 4 << 20


def mask_of(rows, cols):
    row, col = np.mgrid[:rows, :cols]
    return np.hypot(row - rows / 2 + 0.5, col - cols / 2 + 0.5) <= RADIUS


def write_mib(depth, scan):
    def write(folder, _):
        path, pixels = mib_files.write_mib(folder, "R64", depth, "1x1", 1, scan)
        inside = mask_of(256, 256)
        some = [mib_files.counters(pixels[i:i + 256], depth, 1)[:, inside].sum(-1, dtype=np.uint64)
                for i in range(0, len(pixels), 256)]
        return path, np.concatenate(some).reshape(scan)
    return write


def write_raw(scan):
    def write(folder, _):
        from loads import frames
        data = frames((*scan, 256, 256), "<u2")
        data.tofile(folder / "s.raw")
        return folder / "s.raw", data[:, :, mask_of(256, 256)].sum(-1, dtype=np.uint64)
    return write


def write_zarr(scan):
    def write(folder, sluice):
        path, wanted = write_raw(scan)(folder, sluice)
        subprocess.run([sluice, "stem4d", "convert", path, folder / "s.zarr", "--codec", "blosc-lz4", "--raw-dtype", "uint16",
                        "--raw-frame", "256x256", "--scan", "x".join(map(str, scan))], check=True, stdout=subprocess.DEVNULL)
        path.unlink()
        return folder / "s.zarr", wanted
    return write


FORMATS = {"MIB, 1 bit": write_mib(1, (64, 64)), "MIB, 6 bits": write_mib(6, (64, 64)),
           "MIB, 12 bits": write_mib(12, (64, 64)), "raw uint16": write_raw((64, 64)),
           "Zarr, bitshuffle and LZ4": write_zarr((64, 64))}


def files_of(folder):
    return sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix != ".hdr")


def read(pieces, buffers, worker, workers):
    for path, at in pieces[worker::workers]:
        os.preadv(path, [buffers[worker]], at)


def reading(folder, threads):
    files = [os.open(p, os.O_RDONLY) for p in files_of(folder)]
    pieces = [(f, at) for f in files for at in range(0, os.fstat(f).st_size, PIECE)]
    buffers = [bytearray(PIECE) for _ in range(threads)]
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda worker: read(pieces, buffers, worker, threads), range(threads)))
    for f in files:
        os.close(f)


def forget(folder):
    for path in files_of(folder):
        file = os.open(path, os.O_RDONLY)
        os.fsync(file)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--sluice", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="", help="a part of the names of formats")
    args = parser.parse_args()
    import sluice
    print(f"{args.threads} threads, load average {os.getloadavg()[0]:.1f}")
    print("| format | GB | cached: sluice | reading | of reading | disk: sluice | reading | of reading |\n" + "|---" * 8 + "|")
    for name, write in FORMATS.items():
        if args.only not in name:
            continue
        shutil.rmtree(args.out, ignore_errors=True)
        args.out.mkdir(parents=True)
        path, wanted = write(args.out, args.sluice)
        more = {"raw_dtype": "uint16", "raw_frame": (256, 256), "scan_shape": wanted.shape} if "raw" in name else {}
        mask = mask_of(256, 256)

        def field():
            scan = sluice.load(path, stream=True, threads=args.threads, progress=False, **more)
            return sluice.stem4d.virtual_image(scan, mask, threads=args.threads, progress=False).values[0]
        if not np.array_equal(np.asarray(field()).ravel(), wanted.ravel()):
            sys.exit(f"{name}: another bright field than NumPy's")
        ways = {"sluice": field, "reading": lambda: reading(args.out, args.threads)}
        size = sum(p.stat().st_size for p in files_of(args.out)) / 1e9
        cells = [f"{size:.2f}"]
        for before in (lambda: None, lambda: forget(args.out)):
            times = in_turns(ways, args.rounds, before)
            cells += [f"{times['sluice'] * 1e3:.0f} ms", f"{times['reading'] * 1e3:.0f} ms",
                      f"{times['reading'] / times['sluice']:.2f}"]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    shutil.rmtree(args.out, ignore_errors=True)


if __name__ == "__main__":
    main()
