#!/usr/bin/env python3
"""Loading of scans by Sluice, RosettaSciIO and LiberTEM, in turns: MIB, EMPAD, DM4, raw, Zarr, BLO.

    PYTHONPATH=build/release/python PYTHON bench/stem4d/loads.py --out /dev/shm/loads

PYTHON has numpy, rosettasciio, zarr 3 and tifffile (tools/foreign.py makes such a virtual environment), and libertem
where it can be had. `load` brings all frames into memory, Sluice's with all of its checks, RosettaSciIO's as an array
with lazy=False (Zarr: zarr-python, as .zspy lies in its groups). `copying` is what no load can beat: as many threads bring
the files' bytes into new memory, and nothing else. `bright field` is the sum over a disk straight from
the file: streamed by Sluice and LiberTEM; RosettaSciIO loads, and NumPy sums. Files are in the page cache. All bright
fields are compared before anything is timed.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import concurrent.futures
import importlib
import os
import pathlib
import shutil
import statistics
import sys
import time
import warnings

import numpy as np

HERE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HERE / "tests/foreign"), str(HERE / "bench/stem4d")]
from convert import in_turns  # noqa: E402

RADIUS = 30
PIECE = 1 << 21  # a large page


def frames(shape, kind):
    """Counts of a diffraction pattern: a bright disk, and few elsewhere."""
    random = np.random.default_rng(7)
    row, col = np.mgrid[:shape[2], :shape[3]]
    mean = np.where(np.hypot(row - shape[2] / 2 + 0.5, col - shape[3] / 2 + 0.5) < RADIUS, 40.0, 0.5)
    some = [random.poisson(mean).astype(kind) for _ in range(64)]
    return np.stack([some[i * 29 % 64] for i in range(shape[0] * shape[1])]).reshape(shape)


def write_mib(folder, scan):
    from convert import write_mib as write
    write(folder / "s.mib", scan)
    return folder / "s.mib", (256, 256)


def write_empad(folder, scan):
    import flat_files
    return flat_files.empad(folder, frames((*scan, 128, 128), "f4")), (128, 128)


def write_dm4(folder, scan):
    import flat_files
    tags = flat_files.Dm(4)
    axes = [(0.5, "nm"), (0.5, "nm"), (0.02, "1/nm"), (0.02, "1/nm")]
    meta = [tags.text("Format", "Diffraction image"), tags.tag("Data Order Swapped", [8], b"\1")]
    data = frames((*scan, 256, 256), "<u2")
    return tags.write(folder / "s.dm4", [tags.image(data, axes, [tags.group("Meta Data", meta)])]), (256, 256)


def write_raw(folder, scan):
    frames((*scan, 256, 256), "<u2").tofile(folder / "s.raw")
    return folder / "s.raw", (256, 256)


def write_zarr(folder, scan):
    import zarr
    group = zarr.open_group(str(folder / "s.zarr"), mode="w", zarr_format=3)
    data = frames((*scan, 256, 256), "<u2")
    group.create_array("data", shape=data.shape, dtype=data.dtype, chunks=(1, 8, 256, 256))[:] = data
    return folder / "s.zarr", (256, 256)


def write_blo(folder, scan):
    from rosettasciio_matrix import signal
    given = signal(frames((*scan, 256, 256), "u1"), units=("nm", "cm"))
    given["axes"][2]["scale"] = given["axes"][3]["scale"] = 0.01
    importlib.import_module("rsciio.blockfile").file_writer(str(folder / "s.blo"), given, intensity_scaling=None)
    return folder / "s.blo", (256, 256)


FORMATS = {"MIB": write_mib, "EMPAD": write_empad, "DM4": write_dm4, "raw": write_raw, "Zarr": write_zarr,
           "BLO": write_blo}
MODULES = {"MIB": "quantumdetector", "EMPAD": "empad", "DM4": "digitalmicrograph", "BLO": "blockfile"}
LIBERTEM = {"MIB": "mib", "EMPAD": "empad", "DM4": "dm", "raw": "raw", "Zarr": "zarr", "BLO": "blo"}


def rosettasciio(name, path, scan, frame):
    """All frames as an array, as it reads them; of raw files, which it does not know, as NumPy does."""
    if name == "raw":
        return np.fromfile(path, "<u2").reshape(*scan, *frame)
    if name == "Zarr":
        import zarr
        return zarr.open_group(str(path), mode="r")["data"][:]
    where = path.with_suffix(".hdr") if name == "MIB" else path
    how = {"lazy": False}
    if name == "MIB":
        where, how["navigation_shape"] = path, scan[::-1]
    return np.asarray(importlib.import_module(f"rsciio.{MODULES[name]}").file_reader(str(where), **how)[0]["data"])


def libertem_field(context, name, path, scan, frame, mask):
    how = {"nav_shape": scan}
    if name == "raw":
        how |= {"dtype": "uint16", "sig_shape": frame}
    if name == "Zarr":
        how = {"ds_path": "data"}
    if name in ("EMPAD", "BLO", "DM4"):
        how = {}
    data = context.load(LIBERTEM[name], path=str(path), **how)
    analysis = context.create_mask_analysis(dataset=data, factories=[lambda: mask], use_sparse=False)
    return lambda: np.asarray(context.run(analysis)["mask_0"].raw_data)


def files_of(name, path):
    """The files that have the values."""
    if path.is_dir():
        return sorted(p for p in path.rglob("*") if p.is_file())
    return [path.with_suffix(".raw") if name == "EMPAD" else path]


def copying(files, threads):
    """Brings all bytes into new memory, which NumPy asks for in large pages."""
    opened = [os.open(p, os.O_RDONLY) for p in files]
    sizes = [os.fstat(f).st_size for f in opened]
    room = memoryview(np.empty(sum(sizes), np.uint8))
    pieces, begin = [], 0
    for file, size in zip(opened, sizes):
        pieces += [(file, at, room[begin + at:begin + min(size, at + PIECE)]) for at in range(0, size, PIECE)]
        begin += size

    def some(worker):
        for file, at, to in pieces[worker::threads]:
            os.preadv(file, [to], at)
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        list(pool.map(some, range(threads)))
    for file in opened:
        os.close(file)


def ways_of(name, path, scan, frame, threads, context):
    import sluice
    more = {"raw_dtype": "uint16", "raw_frame": frame, "scan_shape": scan} if name == "raw" else {}
    row, col = np.mgrid[:frame[0], :frame[1]]
    mask = (np.hypot(row - frame[0] / 2 + 0.5, col - frame[1] / 2 + 0.5) <= RADIUS).astype("f4")
    loads = {"sluice": lambda: sluice.load(path, stream=False, threads=threads, progress=False, **more),
             "rosettasciio": lambda: rosettasciio(name, path, scan, frame),
             "read the bytes": lambda: [p.read_bytes() for p in files_of(name, path)],
             "copying": lambda: copying(files_of(name, path), threads)}
    # Opened each time: what a scan has unpacked it keeps for a while.
    fields = {"sluice": lambda: sluice.stem4d.virtual_image(
        sluice.load(path, stream=True, threads=threads, progress=False, **more), mask, threads=threads,
        progress=False).values[0],
              "rosettasciio and NumPy": lambda: np.tensordot(
                  rosettasciio(name, path, scan, frame).reshape(-1, *frame), mask, 2).reshape(scan)}
    if context:
        try:
            fields["libertem"] = libertem_field(context, name, path, scan, frame, mask)
        except Exception as error:  # whatever it lacks, the others go on
            print(f"    libertem does not open it: {error}")
    wanted = None
    for title, way in list(fields.items()):
        found = np.asarray(way(), "f8").reshape(scan)
        wanted = found if wanted is None else wanted
        if not np.allclose(found, wanted, rtol=1e-5):
            sys.exit(f"{name}: {title} has another bright field")
    return loads, fields


def libertem(threads):
    try:
        from libertem.api import Context
        from libertem.executor.dask import DaskJobExecutor, cluster_spec
    except ImportError:
        return None
    return Context(executor=DaskJobExecutor.make_local(cluster_spec(
        cpus=list(range(threads)), cudas=[], has_cupy=False)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--scan", default="64x64")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="", help="a part of the names of formats")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    scan = tuple(map(int, args.scan.split("x")))
    context = libertem(args.threads)
    print(f"scan {args.scan}, {args.threads} threads, load average {os.getloadavg()[0]:.1f}"
          f"{'' if context else '; without LiberTEM, which is not installed'}")
    print("| format | GB | load: sluice | rosettasciio | ratio | bytes alone | copying | of copying | bright field: "
          "sluice | rosettasciio, NumPy | libertem | ratio |\n|" + "---|" * 12)
    for name, write in FORMATS.items():
        if args.only not in name:
            continue
        shutil.rmtree(args.out, ignore_errors=True)
        args.out.mkdir(parents=True)
        path, frame = write(args.out, scan)
        size = sum(p.stat().st_size for p in files_of(name, path)) / 1e9
        loads, fields = ways_of(name, path, scan, frame, args.threads, context)
        load, field = in_turns(loads, args.rounds), in_turns(fields, args.rounds)
        others = [t for title, t in field.items() if title != "sluice"]
        cell = lambda t: f"{t * 1e3:.0f} ms" if t else "-"  # noqa: E731
        print(f"| {name} | {size:.2f} | {cell(load['sluice'])} | {cell(load['rosettasciio'])} | "
              f"{load['rosettasciio'] / load['sluice']:.1f} | {cell(load['read the bytes'])} | "
              f"{cell(load['copying'])} | {load['copying'] / load['sluice']:.2f} | {cell(field['sluice'])} | "
              f"{cell(field['rosettasciio and NumPy'])} | {cell(field.get('libertem'))} | "
              f"{min(others) / field['sluice']:.1f} |", flush=True)
    shutil.rmtree(args.out, ignore_errors=True)


if __name__ == "__main__":
    main()
