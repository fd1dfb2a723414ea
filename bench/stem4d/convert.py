#!/usr/bin/env python3
"""Conversion of a scan, and Zarr arrays read by Sluice, zarr-python and dask (which LiberTEM reads Zarr by), in turns.

    PYTHON bench/stem4d/convert.py --sluice build/release/bin/sluice --out /dev/shm/c

PYTHON has numpy, zarr 3 and dask. The source is MIB of counts (Poisson, 12 bit) that is in the page cache. All answers are
compared before: the values of each output with the source, each bright field with NumPy's.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import time

import numpy as np

FRAME, HEADER = (256, 256), 384


def run(sluice, *words):
    done = subprocess.run([str(w) for w in (sluice, *words)], capture_output=True, text=True, check=True)
    return done.stdout


def write_mib(path, scan):
    """Counts that are those of a diffraction pattern: a bright disk, and few elsewhere."""
    random = np.random.default_rng(7)
    row, col = np.mgrid[:FRAME[0], :FRAME[1]] - 127.5
    mean = np.where(row**2 + col**2 < 40**2, 40.0, 0.5)
    some = [random.poisson(mean).astype(">u2") for _ in range(64)]
    with open(path, "wb") as file:
        for number in range(scan[0] * scan[1]):
            head = (f"MQ1,{number + 1:06},{HEADER:05},01,{FRAME[1]:04},{FRAME[0]:04},U16,   1x1,01,"
                    "2020-05-18 16:51:49.971626,0.001000,0,0,0,1.200000E+2,5.110000E+2" + ",0" * 6 +
                    ",3RX,175,511,000,000,000,000,000,000,125,255,125,125,100,100,081,100,087,030,128,004,255,129,"
                    "128,176,168,511,511,MQ1A,2020-05-18T16:51:49.971626178Z,1000000ns,12,")
            file.write(head.encode().ljust(HEADER, b"\0") + some[number * 29 % 64].tobytes())
    path.with_suffix(".hdr").write_text(f"HDR,\t\nFrames in Acquisition (Number):\t{scan[0] * scan[1]}\n"
                                        f"ScanX:\t{scan[1]}\nScanY:\t{scan[0]}\nEnd\t")


def values_of(path, scan):
    raw = np.fromfile(path, "u1").reshape(scan[0] * scan[1], -1)[:, HEADER:]
    return raw.copy().view(">u2").reshape(*scan, *FRAME)


def in_turns(ways, rounds, before=lambda: None):
    """Median seconds of each way; before() comes before each call and is not counted."""
    times = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            before()
            begin = time.perf_counter()
            way()
            times[name].append(time.perf_counter() - begin)
    return {name: statistics.median(t) for name, t in times.items()}


def table(title, times, gigabytes):
    print(title)
    for name, seconds in times.items():
        print(f"    {name:<34}{seconds * 1e3:9.1f} ms {gigabytes / seconds:7.2f} GB/s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sluice", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--scan", default="128x96")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    scan = tuple(map(int, args.scan.split("x")))
    mib = args.out / "s.mib"
    write_mib(mib, scan)
    gigabytes = mib.stat().st_size / 1e9
    values = values_of(mib, scan)
    outputs = {"zarr, blosc-zstd": ("a.zarr", "blosc-zstd"), "zarr, blosc-lz4": ("b.zarr", "blosc-lz4"),
               "zarr, zstd": ("c.zarr", "zstd"), "zarr, none": ("d.zarr", "none"),
               "nxmx, bslz4": ("e_master.h5", "bslz4"), "emd": ("f.emd", "none"), "hspy": ("g.hspy", "none"),
               "npy": ("h.npy", "none")}

    def convert(name, codec):
        return lambda: run(args.sluice, "stem4d", "convert", mib, args.out / name, "--codec", codec, "--force",
                           "--threads", args.threads, "--json")
    sizes = {}
    for title, (name, codec) in outputs.items():
        said = json.loads(run(args.sluice, "stem4d", "convert", mib, args.out / name, "--codec", codec, "--force",
                              "--verify", "--json"))
        assert said["verified"]
        sizes[title] = said["bytes_written"] / 1e9
    print("MIB,", args.scan, f"scan of 256x256 u16, {gigabytes:.2f} GB; outputs in GB:", sizes)
    table("conversion, whole commands, rate of the input", in_turns(
        {title: convert(*which) for title, which in outputs.items()}, args.rounds), gigabytes)
    import dask
    import dask.array
    import zarr
    mask = np.hypot(*(np.mgrid[:256, :256] - 127.5)) <= 40
    want = values[:, :, mask].sum(2, dtype="u8")

    def ours(name):
        def work():
            run(args.sluice, "stem4d", "virtual-image", args.out / name, "--detector",
                "bf=disk:r=40,center=127.5:127.5", "--format", "npy", "--out", args.out / "o", "--threads",
                args.threads, "--stream")
            return np.load(args.out / "o/bf.npy")
        return work

    def theirs(name):
        def work():
            array = zarr.open_group(str(args.out / name), mode="r")["data"]
            rows = [array[r:r + 8][..., mask].sum(-1, dtype="u8") for r in range(0, scan[0], 8)]
            return np.concatenate(rows)
        return work

    def daskers(name):
        def work():
            array = dask.array.from_zarr(str(args.out / name / "data"))
            with dask.config.set(scheduler="threads", num_workers=args.threads):
                # dask would try the sum on an array without pixels to see its type.
                return array.map_blocks(lambda b: b[..., mask].sum(-1, dtype="u8"), drop_axis=(2, 3),
                                        meta=np.empty((0, 0), "u8")).compute()
        return work
    for codec, name in (("blosc-zstd", "a.zarr"), ("blosc-lz4", "b.zarr"), ("zstd", "c.zarr")):
        ways = {"sluice, streamed, whole command": ours(name), "zarr-python": theirs(name), "dask": daskers(name)}
        for title, way in ways.items():
            assert np.array_equal(way(), want), title
        ways["read the bytes"] = lambda: [f.read_bytes() for f in (args.out / name).rglob("*") if f.is_file()]
        table(f"bright field of Zarr, {codec}, rate of the values", in_turns(ways, args.rounds), values.nbytes / 1e9)
    shutil.rmtree(args.out)


if __name__ == "__main__":
    main()
