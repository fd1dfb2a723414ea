#!/usr/bin/env python3
"""Times sluice beside other people's tools, in the same interleaved rounds, on the same data.

    ./dev bench                 the table of docs/benchmarks.md (256x256 scan; needs 20 GB)
    ./dev bench --quick         a small acquisition, for the demo
    ./dev bench --set load      one of: load virtual masks everyday stream memory

Every answer is compared with the rival's before anything is timed. Rivals that are not installed
are left out and named.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

import everyday

ROOT = pathlib.Path(__file__).resolve().parent.parent
SLUICE = ROOT / "build/release/bin/sluice"


def have(module):
    return importlib.util.find_spec(module) is not None


class Served:
    """A `sluice stem4d benchmark ... --serve` process: runs a job when its name is written to it."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [SLUICE, "stem4d", "benchmark", *map(str, arguments), "--serve"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            sys.exit("sluice stem4d benchmark did not start; its message is above")
        self.ready = json.loads(line)

    def lap(self, job):
        """Wall and processor time."""
        self.process.stdin.write(job + "\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        return found["seconds"], found["cpu_seconds"]

    def seconds(self, job):
        return self.lap(job)[0]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def timed(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def rounds(jobs, count):
    """Medians of each job's seconds; round by round, every job once a round, the first not counted."""
    seconds = {name: [] for name in jobs}
    for i in range(count + 1):
        for name, run in jobs.items():
            # Threads of a library may spin for a while after their work (OpenBLAS, OpenMP).
            time.sleep(0.2)
            s = run()
            if i > 0:
                seconds[name].append(s)
    return {name: statistics.median(s) for name, s in seconds.items()}


def print_table(title, rows):
    print(f"\n{title}")
    width = max(len(r[0]) for r in rows)
    for name, *cells in rows:
        print(f"  {name:<{width}}  " + "  ".join(cells))


def acquisition(name, scan, folder):
    """The benchmark's data: mean count 4 in a 3 % disk (r = 20), 0.03 elsewhere, uint16."""
    prefix = folder / name
    master = folder / f"{name}_master.h5"
    if not master.exists():
        subprocess.run([SLUICE, "synth", "arina", prefix, "--scan", scan, "--detector", "192x192",
                        "--dose", "6100", "--bragg", "0", "--diffuse", "0.175", "--lattice", "0",
                        "--wobble", "0", "--mask-to-zero", "--masked", "0"], check=True)
    return master


def read_with_h5py(master):
    import h5py
    import hdf5plugin  # noqa: F401, registers the filter
    with h5py.File(master) as f:
        return [f["entry/data"][k][:] for k in sorted(f["entry/data"]) if k.startswith("data_")]


def set_load(master, count):
    ours = Served("load", master)
    jobs = {"sluice": lambda: ours.seconds("load"), "LZ4 alone": lambda: ours.seconds("LZ4 alone")}
    if have("h5py") and have("hdf5plugin"):
        check_load(master)
        jobs["h5py + hdf5plugin [:]"] = lambda: timed(lambda: read_with_h5py(master))
    else:
        print("h5py + hdf5plugin: not installed (./dev bench installs them)")
    s = rounds(jobs, count)
    ours.close()
    frames = ours.ready["frames"]
    rate = ours.ready["source_bytes"] / s["sluice"]
    print_table(f"load {frames} frames of 192x192 uint16 into memory, {ours.ready['threads']} threads, "
                f"{ours.ready['device']}, page cache warm",
                [(n, f"{1e3 * t:9.1f} ms", f"{frames / t:9.0f} frames/s",
                  f"{t / s['sluice']:6.2f} x sluice's time") for n, t in s.items()])
    print(f"  pixels delivered at {rate / 1e9:.1f} GB/s, "
          f"{100 * rate / ours.ready['copy_bandwidth']:.0f} % of this machine's copy bandwidth")
    return s


def check_load(master):
    """The same counts: the sum over everything, and a diffraction pattern, against h5py."""
    import numpy
    out = pathlib.Path("/tmp") / f"sluice-check-{os.getpid()}"
    subprocess.run([SLUICE, "stem4d", "diffraction-pattern", master, "--kind", "sum,max", "--out", out,
                    "--format", "npy"], check=True, stdout=subprocess.DEVNULL)
    data = numpy.concatenate(read_with_h5py(master))
    assert (numpy.load(out / "pattern_sum.npy") == data.sum(0, dtype="u8")).all(), "sums differ"
    assert (numpy.load(out / "pattern_max.npy") == data.max(0)).all(), "maxima differ"


def load_float32(master):
    import numpy
    import h5py
    import hdf5plugin  # noqa: F401
    with h5py.File(master) as f:
        keys = [k for k in sorted(f["entry/data"]) if k.startswith("data_")]
        frames = sum(f["entry/data"][k].shape[0] for k in keys)
        shape = f["entry/data"][keys[0]].shape[1:]
        out = numpy.empty((frames, shape[0] * shape[1]), "f4")
        at = 0
        for k in keys:
            data = f["entry/data"][k]
            for i in range(0, data.shape[0], 1000):
                block = data[i:i + 1000]
                out[at:at + len(block)] = block.reshape(len(block), -1)
                at += len(block)
    return out, shape


def rivals_virtual(data, mask):
    """Name -> function giving the virtual image, for each rival that is installed."""
    import numpy
    flat = mask.ravel().astype("f4")
    index = numpy.flatnonzero(flat)
    found = {"NumPy float32 matvec": lambda: data @ flat}
    if have("torch"):
        import torch
        t, m, i = torch.from_numpy(data), torch.from_numpy(flat), torch.from_numpy(index)
        found["PyTorch float32 matvec"] = lambda: torch.mv(t, m).numpy()
        if len(index) < 0.2 * len(flat):
            found["PyTorch gather and sum"] = lambda: t.index_select(1, i).sum(1).numpy()
    return found


def set_virtual(master, count):
    detectors = ["disk:r=20", "annulus:r=40..90"]
    answers = f"/tmp/sluice-answers-{os.getpid()}"
    arguments = [x for d in detectors for x in ("--detector", d)]
    ours = Served("virtual", master, *arguments, "--answers", answers)
    frames = ours.ready["frames"]
    rows = [("resident", f"{ours.ready['resident_bytes'] / 1e6:.0f} MB",
             f"{ours.ready['float32_bytes'] / ours.ready['resident_bytes']:.1f} x smaller than float32")]
    if not (have("numpy") and have("h5py") and have("hdf5plugin")):
        print("NumPy, h5py, hdf5plugin: not installed (./dev bench installs them); sluice alone:")
        s = rounds({j: (lambda j=j: ours.seconds(j)) for j in ours.ready["jobs"]}, count)
        print_table(f"{frames} frames in memory", rows + [(j, f"{1e3 * t:9.2f} ms") for j, t in s.items()])
        ours.close()
        return s
    import numpy
    data, shape = load_float32(master)
    masks = numpy.load(answers + "_masks.npy")
    images = numpy.load(answers + "_images.npy").reshape(len(detectors), -1)
    bandwidth = ours.ready["copy_bandwidth"]
    results = {}
    for d, name in enumerate(detectors):
        rivals = rivals_virtual(data, masks[d])
        for rival, run in rivals.items():
            worst = numpy.abs(run() - images[d]).max() / images[d].max()
            assert worst < 1e-5, f"{rival} and sluice differ by {worst} on {name}"
        jobs = {"sluice": lambda: ours.seconds(name)}
        for rival, run in rivals.items():
            jobs[rival] = lambda run=run: timed(run)
        s = rounds(jobs, count)
        results[name] = s
        touched = ours.ready["touched_bytes"][d]
        rows.append((name, "sluice", f"{1e3 * s['sluice']:8.2f} ms",
                     f"{touched / 1e6:.0f} MB touched at {touched / s['sluice'] / 1e9:.1f} GB/s, "
                     f"{100 * touched / s['sluice'] / bandwidth:.0f} % of copying"))
        for rival in rivals:
            rows.append(("", rival, f"{1e3 * s[rival]:8.1f} ms", f"{s[rival] / s['sluice']:.1f} x"))
    y, x = (numpy.arange(n, dtype="f4") for n in shape)
    cube = data.reshape(-1, *shape)

    def einsum():
        mass = cube.sum((1, 2))
        return (numpy.einsum("nyx,y->n", cube, y) / mass, numpy.einsum("nyx,x->n", cube, x) / mass)

    row, col = einsum()
    for found, name in ((row, "row"), (col, "col")):
        # float32 sums are what limits the rival here
        assert numpy.abs(numpy.load(f"{answers}_com_{name}.npy").ravel() - found).max() < 0.05, name
    s = rounds({"sluice": lambda: ours.seconds("center of mass"), "NumPy einsum": lambda: timed(einsum)},
               max(1, count // 2))
    results["center of mass"] = s
    rows.append(("center of mass", "sluice", f"{1e3 * s['sluice']:8.2f} ms", ""))
    rows.append(("", "NumPy einsum float32", f"{1e3 * s['NumPy einsum']:8.1f} ms",
                 f"{s['NumPy einsum'] / s['sluice']:.1f} x"))
    s = rounds({j: (lambda j=j: ours.seconds(j)) for j in ("one annulus of sixteen", "sixteen annuli", "one ring of sixteen",
                                                        "sixteen rings", "mean pattern")}, count)
    results["rings"] = s
    rows.append(("sixteen similar annuli in one pass", "sluice", f"{1e3 * s['sixteen annuli']:8.2f} ms",
                 f"{s['sixteen annuli'] / s['one annulus of sixteen']:.1f} x one of them"))
    rows.append(("sixteen rings in one pass", "sluice", f"{1e3 * s['sixteen rings']:8.2f} ms",
                 f"{s['sixteen rings'] / s['one ring of sixteen']:.1f} x one of them"))
    rows.append(("mean pattern", "sluice", f"{1e3 * s['mean pattern']:8.2f} ms", ""))
    print_table(f"{frames} frames in memory, {ours.ready['threads']} threads, {ours.ready['device']}; "
                f"this machine copies {bandwidth / 1e9:.1f} GB/s", rows)
    ours.close()
    return results


def random_masks(shape, folder):
    """A hundred masks that have nothing in common, as files for us and as an array for the others."""
    import numpy
    random = numpy.random.default_rng(14)
    masks = (random.random((100, *shape)) < random.uniform(0.05, 0.6, (100, 1, 1))).astype("f4")
    files = []
    for i, mask in enumerate(masks):
        files.append(folder / f"mask{i:03}.npy")
        numpy.save(files[-1], mask)
    return masks, files


def set_masks(master, count):
    """A hundred arbitrary masks, from memory."""
    if not (have("numpy") and have("h5py") and have("hdf5plugin")):
        print("NumPy, h5py, hdf5plugin: not installed (./dev bench installs them)")
        return None
    import numpy
    folder = master.parent
    flat, shape = load_float32(master)
    masks, files = random_masks(shape, folder)
    answers = f"/tmp/sluice-answers-{os.getpid()}"
    arguments = [x for f in files for x in ("--detector", f"mask:{f}")]
    ours = Served("virtual", master, *arguments, "--answers", answers)
    images = numpy.load(answers + "_images.npy")
    scan = images.shape[1:]
    images = images.reshape(100, -1)
    columns = masks.reshape(100, -1).T.copy()
    worst = numpy.abs(flat @ columns - images.T).max() / images.max()
    assert worst < 1e-5, f"NumPy and sluice differ by {worst}"
    rows = []

    def line(title, jobs):
        s = rounds(jobs, count)
        for name, t in s.items():
            rows.append((title if name == "sluice" else "", name, f"{1e3 * t:9.2f} ms",
                         f"{t / s['sluice']:6.1f} x sluice's time"))

    hundred = {"sluice": lambda: ours.seconds("100 detectors in one pass"),
               "NumPy float32 GEMM": lambda: timed(lambda: flat @ columns)}
    if have("libertem"):
        them = everyday.LiberTem(ours.ready["threads"])
        data = them.memory(flat.reshape(*scan, *shape).astype("u2"))
        everyday.same(them.masks(data, masks).reshape(-1, 100), images.T, "a hundred masks of LiberTEM")
        hundred["LiberTEM"] = lambda: timed(lambda: them.masks(data, masks))
    else:
        print("LiberTEM: not installed (./dev bench installs it)")
    line("100 arbitrary masks in one pass", hundred)
    print_table(f"{len(flat)} frames in memory: float32 for NumPy, uint16 for LiberTEM, "
                f"{ours.ready['threads']} threads, {ours.ready['device']}", rows)
    ours.close()
    return rows


def set_stream(master, count):
    out = subprocess.run([SLUICE, "stem4d", "benchmark", "stream", master, "--rounds", str(count)], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    print("\nvirtual detectors straight from the compressed files")
    print("  " + out.replace("\n", "\n  ").rstrip())
    return out


def set_memory(master, count):
    """Peak memory of a streamed virtual image, told to keep to a tenth of the data's size."""
    import resource
    size = sum(p.stat().st_size for p in master.parent.glob(master.name.replace("master", "*")))
    limit = size // 10
    code = ("import resource,subprocess,sys;"
            "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    out = f"/tmp/sluice-memory-{os.getpid()}"
    rss = 1024 * int(subprocess.run(
        [sys.executable, "-c", code, SLUICE, "stem4d", "virtual-image", master, "--detector", "bf",
         "--stream", "--memory-limit", str(limit), "--out", out], check=True, capture_output=True,
        text=True).stdout)
    print(f"\npeak memory of virtual-image --stream\n  files {size / 1e6:.0f} MB, limit {limit / 1e6:.0f} "
          f"MB, peak {rss / 1e6:.0f} MB: {'kept' if rss <= limit else 'NOT kept'}")
    return {"bytes": size, "limit": limit, "peak": rss}


def main():
    global SLUICE
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a 64x64 scan and few rounds")
    parser.add_argument("--set", choices=["load", "virtual", "masks", "everyday", "stream", "memory"], help="only this one")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--data", type=pathlib.Path, default=ROOT / "build/bench-data")
    parser.add_argument("--sluice", type=pathlib.Path, default=SLUICE, help="the program that is timed")
    options = parser.parse_args()
    SLUICE = options.sluice
    options.data.mkdir(parents=True, exist_ok=True)
    count = 3 if options.quick else options.rounds
    small = acquisition("quick" if options.quick else "load", "64x64" if options.quick else "128x128", options.data)
    large = small if options.quick else acquisition("scan", "256x256", options.data)
    huge = (acquisition("huge", "512x512", options.data)
            if not options.quick and options.set in (None, "memory") else large)
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
                 platform.machine())
    print(f"{model}, {os.cpu_count()} processors; medians of {count} interleaved rounds")
    sets = {"load": (set_load, small), "virtual": (set_virtual, large), "masks": (set_masks, large),
            "everyday": (lambda master, count: everyday.run(Served, master, count), small),
            "stream": (set_stream, large),
            "memory": (set_memory, huge)}
    if options.quick:
        del sets["memory"], sets["masks"], sets["everyday"]  # a few megabytes are too little to compare
    for name, (run, master) in sets.items():
        if options.set in (None, name):
            run(master, count)


if __name__ == "__main__":
    main()
