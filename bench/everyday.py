"""Disk, ring, centre of mass, sum and standard deviation beside LiberTEM and quantem: from memory,
and from files that hold the same frames. For run.py.

SPDX-License-Identifier: Apache-2.0
"""
import importlib.util
import os
import statistics
import time

DETECTORS = {"disk r = 20": "disk:r=20", "annulus 40..90": "annulus:r=40..90"}
WHOLE = {"centre of mass": "center of mass", "sum of all patterns": "mean pattern",
         "standard deviation": "variance pattern"}


def have(module):
    return importlib.util.find_spec(module) is not None


def same(found, ours, what, most=1e-5):
    """Ends the program where an answer is not ours."""
    import numpy
    worst = numpy.abs(found - ours).max() / numpy.abs(ours).max()
    assert worst < most, f"sluice differs by {worst} from {what}"


def lap(function):
    wall, cpu = time.perf_counter(), time.process_time()
    function()
    return time.perf_counter() - wall, time.process_time() - cpu


class LiberTem:
    """LiberTEM on as many threads as ours."""

    def __init__(self, threads):
        from libertem.api import Context
        self.threads = threads
        self.context = Context.make_with("threads", cpus=threads)

    def memory(self, cube):
        return self.context.load("memory", data=cube, num_partitions=4 * self.threads)

    def raw(self, path, cube):
        """One number after the other, mapped into memory: its fastest format of full frames."""
        if not path.exists():
            cube.tofile(path)
        return self.context.load("raw", path=str(path), nav_shape=cube.shape[:2], sig_shape=cube.shape[2:],
                                 dtype=cube.dtype)

    def sparse(self, path, cube):
        """The counts that are not zero: its fastest format of sparse frames."""
        if not path.exists():
            import scipy.sparse
            rows = scipy.sparse.csr_matrix(cube.reshape(-1, cube.shape[2] * cube.shape[3]))
            text = f'[params]\nfiletype = "raw_csr"\nnav_shape = {list(cube.shape[:2])}\n' \
                   f'sig_shape = {list(cube.shape[2:])}\n[raw_csr]\n'
            for name, values, kind in (("indptr", rows.indptr, "<i8"), ("indices", rows.indices, "<i4"),
                                       ("data", rows.data, "<u2")):
                part = path.with_suffix("." + name)
                values.astype(kind).tofile(part)
                text += f'{name}_file = "{part.name}"\n{name}_dtype = "{kind}"\n'
            path.write_text(text)
        return self.context.load("raw_csr", path=str(path), nav_shape=cube.shape[:2],
                                 sig_shape=cube.shape[2:], num_partitions=4 * self.threads)

    def masks(self, data, which):
        import numpy
        from libertem.udf.masks import ApplyMasksUDF
        udf = ApplyMasksUDF(mask_factories=[lambda m=m: m for m in which], mask_count=len(which),
                            mask_dtype=numpy.float32)
        return self.context.run_udf(dataset=data, udf=udf)["intensity"].data

    def jobs(self, data, masks):
        """The five analyses, in the order of DETECTORS and WHOLE."""
        from libertem.udf.com import CoMUDF
        from libertem.udf.stddev import StdDevUDF
        from libertem.udf.sum import SumUDF

        def run(udf, name):
            return self.context.run_udf(dataset=data, udf=udf)[name].data

        return [*(lambda m=m: self.masks(data, m[None])[..., 0] for m in masks),
                lambda: run(CoMUDF.with_params(cy=0, cx=0), "field"), lambda: run(SumUDF(), "intensity"),
                lambda: run(StdDevUDF(), "std")]


def quantem_jobs(cube, masks):
    """What quantem has of them: images and the mean, by NumPy on one thread."""
    from quantem.core.datastructures import Dataset4dstem
    data = Dataset4dstem.from_array(cube)
    points = cube.shape[0] * cube.shape[1]
    return [*(lambda m=m: data.get_virtual_image(mask=m > 0, attach=False).array for m in masks), None,
            lambda: data.get_dp_mean(attach=False).array * points, None]


def frames_of(master):
    import h5py
    import hdf5plugin  # noqa: F401, registers the filter
    import numpy
    with h5py.File(master) as f:
        parts = [f["entry/data"][k][:] for k in sorted(f["entry/data"]) if k.startswith("data_")]
    return numpy.concatenate(parts)


def check(name, jobs, ours):
    import numpy
    for i, (job, answer) in enumerate(zip(jobs, ours)):
        if job is None:
            continue
        what = f"{name} on {[*DETECTORS, *WHOLE][i]}"
        if i == 2:  # float32 sums are what limits the rival here
            worst = numpy.nanmax(numpy.abs(job() - answer))
            assert worst < 0.05, f"sluice differs by {worst} px from {what}"
        else:
            same(job(), answer, what)


def run(served, master, count):
    if not all(have(m) for m in ("numpy", "h5py", "hdf5plugin")):
        print("NumPy, h5py, hdf5plugin: not installed (./dev bench installs them)")
        return None
    import numpy
    answers = f"/tmp/sluice-everyday-{os.getpid()}"
    arguments = [x for d in DETECTORS.values() for x in ("--detector", d)]
    memory = served("virtual", master, *arguments, "--answers", answers)
    streams = [served("stream", master, "--detector", d) for d in DETECTORS.values()]
    threads, bandwidth = memory.ready["threads"], memory.ready["copy_bandwidth"]
    images, masks = numpy.load(answers + "_images.npy"), numpy.load(answers + "_masks.npy")
    ours = [*images, numpy.stack([numpy.load(f"{answers}_com_{n}.npy") for n in ("row", "col")], -1),
            numpy.load(answers + "_sum.npy"), numpy.sqrt(numpy.load(answers + "_variance.npy"))]
    cube = frames_of(master)
    cube = cube.astype("u2").reshape(*images.shape[1:], *cube.shape[1:])
    resident = memory.ready["resident_bytes"]
    files = sum(p.stat().st_size for p in master.parent.glob(master.name.replace("master", "data_*")))
    # Name: jobs, and the bytes that each has to look at.
    from_memory = {"sluice": ([lambda j=j: memory.lap(j) for j in (*DETECTORS.values(), *WHOLE.values())],
                              [*memory.ready["touched_bytes"], resident, resident, resident])}
    from_files = {"sluice, bitshuffle + LZ4": (
        [*(lambda s=s: s.lap("streamed") for s in streams),
         *(lambda j=j: streams[0].lap(j) for j in WHOLE.values())], [files] * 5)}
    rivals = {}
    if have("libertem"):
        them = LiberTem(threads)
        raw, sparse = master.with_suffix(".raw"), master.with_suffix(".toml")
        nonzero = int(numpy.count_nonzero(cube))
        rivals = {"LiberTEM": (from_memory, them.jobs(them.memory(cube), masks), cube.nbytes),
                  "LiberTEM, raw": (from_files, them.jobs(them.raw(raw, cube), masks), cube.nbytes),
                  "LiberTEM, raw CSR": (from_files, them.jobs(them.sparse(sparse, cube), masks), 6 * nonzero)}
    else:
        print("LiberTEM: not installed (./dev bench installs it)")
    if have("quantem"):
        rivals["quantem, 1 thread"] = (from_memory, quantem_jobs(cube, masks), cube.nbytes)
    else:
        print("quantem: not installed (pip install quantem, which brings PyTorch)")
    for name, (where, jobs, size) in rivals.items():
        check(name, jobs, ours)
        where[name] = ([job and (lambda job=job: lap(job)) for job in jobs], [size] * 5)
    rows = []
    for title, where in (("memory", from_memory), ("files, page cache warm", from_files)):
        print(f"\n{cube.shape[0] * cube.shape[1]} frames of {cube.shape[2]}x{cube.shape[3]} uint16 from "
              f"{title}; {threads} threads; this machine copies {bandwidth / 1e9:.1f} GB/s")
        print(f"  {'':<20}  {'':<24}  {'wall ms':>8}  {'cpu ms':>8}  {'x sluice':>8}  of copying")
        for i, what in enumerate((*DETECTORS, *WHOLE)):
            laps = {name: [] for name, (jobs, _) in where.items() if jobs[i]}
            for k in range(count + 1):
                for name, found in laps.items():
                    one = where[name][0][i]()
                    if k > 0:
                        found.append(one)
            first = None
            for name, found in laps.items():
                wall, cpu = (statistics.median(x) for x in zip(*found))
                first = first or wall
                share = where[name][1][i] / wall / bandwidth
                print(f"  {what if wall == first else '':<20}  {name:<24}  {1e3 * wall:8.2f}  "
                      f"{1e3 * cpu:8.1f}  {wall / first:8.1f}  {100 * share:8.0f} %")
                rows.append((title, what, name, wall, cpu))
    for process in (memory, *streams):
        process.close()
    return rows
