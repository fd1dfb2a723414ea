#!/usr/bin/env python3
"""Reads regions of a CZI file with other people's libraries: what `sluice slide benchmark --rivals`
speaks to, in lines of JSON over stdin and stdout.

SPDX-License-Identifier: Apache-2.0
"""
import importlib.metadata
import json
import resource
import sys
import time

import numpy


class LibCzi:
    """pylibCZIrw: the regions of a plane by CziReader.read()."""
    name = "pylibCZIrw"

    def __init__(self, request, cache):
        from pylibCZIrw import czi
        options = czi.CacheOptions(type=czi.CacheType.Standard,
                                   max_memory_usage=request["cache_bytes"]) if cache else None
        self.context = czi.open_czi(request["path"], cache_options=options)
        self.reader = self.context.__enter__()
        there = self.reader.total_bounding_box
        self.plane = {d: i for d, i in request["plane"].items() if d in there}
        self.scene = request["scene"]

    def read(self, rect):
        return self.reader.read(roi=tuple(rect), plane=self.plane, scene=self.scene)


class Aics:
    """aicspylibczi: the regions of a plane by CziFile.read_mosaic()."""
    name = "aicspylibczi"

    def __init__(self, request):
        from aicspylibczi import CziFile
        self.file = CziFile(request["path"])
        there = self.file.get_dims_shape()[0]
        self.plane = {d: i for d, i in request["plane"].items() if d in there}
        if request["scene"] is not None:
            self.plane["S"] = request["scene"]

    def read(self, rect):
        image = self.file.read_mosaic(region=tuple(rect), scale_factor=1.0, **self.plane)
        return image.reshape(image.shape[-3:] if image.shape[-1] == 3 else image.shape[-2:] + (1,))


class CziFile:
    """czifile: whole files by CziFile.asarray()."""
    name = "czifile"

    def __init__(self, request):
        import czifile
        self.file = czifile.CziFile(request["path"])
        sides = dict(zip(self.file.axes, self.file.shape))
        start = dict(zip(self.file.axes, self.file.start))
        several = [a for a, n in sides.items() if n > 1 and a not in "YX0"]
        if several:
            raise ValueError(f"it reads whole files only, and this one has several {several[0]}")
        x, y, width, height = request["rects"][0]
        if [start["X"], start["Y"], sides["X"], sides["Y"]] != [x, y, width, height]:
            raise ValueError("it reads whole files only, and this is a part")
        self.shape = height, width, sides["0"]

    def read(self, rect):
        return self.file.asarray().reshape(self.shape)


def opened(request):
    api = request["api"]
    if api == "aicspylibczi":
        return Aics(request)
    if api == "czifile":
        return CziFile(request)
    return LibCzi(request, cache=api.endswith("with cache"))


def rgb(image):
    """Rows of pixels in the order of ours: theirs are blue, green, red."""
    if image.ndim == 2:
        image = image[..., None]
    return numpy.ascontiguousarray(image[..., ::-1] if image.shape[-1] == 3 else image)


def checksum(image):
    """What slide::checksum() gives for the same bytes."""
    data = image.tobytes()
    words = numpy.frombuffer(data + bytes(-len(data) % 8), "<u8")
    total, step = 0, 1 << 22
    with numpy.errstate(over="ignore"):
        for begin in range(0, len(words), step):
            part = words[begin:begin + step]
            odd = 2 * numpy.arange(begin, begin + len(part), dtype=numpy.uint64) + numpy.uint64(1)
            total += int((part * odd).sum(dtype=numpy.uint64))
    return total % (1 << 64)


def difference(ours, theirs):
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return f"{theirs.dtype} {theirs.shape} and not {ours.dtype} {ours.shape}"
    apart = ours.astype(numpy.float64) - theirs.astype(numpy.float64)
    return (f"{numpy.count_nonzero(apart)} of {apart.size} samples, by at most "
            f"{numpy.abs(apart).max():g}")


def run(library, rects, with_sums):
    sums, pixels, samples = [], 0, 0
    start, cpu = time.perf_counter(), time.process_time()
    for rect in rects:
        image = library.read(rect)
        pixels += rect[2] * rect[3]
        samples += image.size
        if with_sums:
            sums.append(checksum(rgb(image)))
        del image
    return {"wall_s": time.perf_counter() - start, "cpu_s": time.process_time() - cpu,
            "pixels": pixels, "samples": samples, "sums": sums,
            "peak_bytes": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}


def main():
    library, opening = None, {}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["do"] == "open":
                library, opening = opened(request), request
                answer = {"name": library.name, "version": importlib.metadata.version(library.name)}
            elif request["do"] == "compare":
                theirs = rgb(library.read(opening["rects"][request["item"]]))
                answer = {"difference": difference(numpy.load(request["path"]), theirs)}
            else:
                if opening["api"].endswith("with cache"):
                    library = opened(opening)  # results of the last round do not count
                answer = run(library, opening["rects"], request["sums"])
        except Exception as problem:  # the other side must receive every error
            answer = {"error": f"{type(problem).__name__}: {problem}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
