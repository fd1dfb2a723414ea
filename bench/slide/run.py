#!/usr/bin/env python3
"""The slide table of docs/benchmarks.md: makes the files, measures beside pylibCZIrw and aicspylibczi,
and prints it.

SPDX-License-Identifier: Apache-2.0

    bench/slide/run.py --rivals venv/bin/python     a Python that has the two and NumPy
    bench/slide/run.py --case mosaic-jpegxr         one of the cases
    bench/slide/run.py --write                      put the table into docs/benchmarks.md, between
                                                    the marks "slide table"

Every case is one run of `sluice slide benchmark`: all pixels are compared before anything is timed,
and the rounds of all programs are interleaved.
"""
import argparse
import dataclasses
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DRIVER = ROOT / "bench/slide/rivals.py"
DOCS = ROOT / "docs/benchmarks.md"
MARKS = ("<!-- slide table -->", "<!-- /slide table -->")


@dataclasses.dataclass
class Case:
    """A row: what is read, how, beside whom, and how many times as fast it has to be."""
    what: str
    file: str  # options of make_czi
    pattern: str
    way: str
    rivals: list
    must: float = 0
    stretch: float = 0
    most_us: tuple = ()  # instead of ratios: must and stretch in microseconds a read
    workers: str = "1,2"


MOSAIC = "--grid 6x6 --tile 1024 --overlap 0.1"
BOTH = ["pylibCZIrw", "aicspylibczi"]
CASES = {
    "tiles-jpegxr": Case("every tile by its own rectangle, bgr24 JPEG XR, 1 thread, tile cache",
                         f"{MOSAIC} --pixel bgr24 --compression jpegxr --quality 0.8",
                         "rectangles", "1 thread, tile cache",
                         BOTH + ["pylibCZIrw with cache"], 6, 9),
    "tiles-jpegxr-plain": Case("the same, 1 thread without cache",
                               f"{MOSAIC} --pixel bgr24 --compression jpegxr --quality 0.8",
                               "rectangles", "sequential", BOTH),
    "mosaic-raw": Case("whole mosaic, gray16 not compressed, 2 threads",
                       f"{MOSAIC} --pixel gray16 --compression none", "mosaic", "2 threads",
                       ["pylibCZIrw", "czifile"], 2, 4),
    "mosaic-zstd": Case("whole mosaic, gray16 zstd1, 2 threads",
                        f"{MOSAIC} --pixel gray16 --compression zstd1", "mosaic", "2 threads",
                        ["pylibCZIrw"], 2, 3),
    "mosaic-jpegxr": Case("whole mosaic, bgr24 JPEG XR, 2 threads",
                          f"{MOSAIC} --pixel bgr24 --compression jpegxr --quality 0.8", "mosaic",
                          "2 threads", ["pylibCZIrw"], 1.5, 3),
    "small": Case("16x16 pixels out of 99 856 tiles, 1 thread",
                  "--grid 316x316 --tile 16 --overlap 0 --pixel gray8 --compression none", "small",
                  "sequential", ["pylibCZIrw"], most_us=(50, 10), workers="1"),
}


def data(case, programs, folder):
    """The case's file, made once."""
    path = folder / (re.sub(r"\W+", "-", case.file).strip("-") + ".czi")
    if not path.exists():
        subprocess.run([programs / "make_czi", path, *case.file.split()], check=True,
                       stdout=subprocess.DEVNULL)
    return path


def measured(case, path, options):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [options.programs / "sluice", "slide", "benchmark", path, "--pattern",
                   case.pattern, "--workers", case.workers, "--max-tiles", "0", "--rounds",
                   str(options.rounds), "--out", out.name]
        if options.rivals:
            command += ["--rivals", options.rivals, "--driver", DRIVER,
                        "--beside", ",".join(case.rivals)]
        status = subprocess.run(command, capture_output=True, text=True)
        if status.returncode:
            sys.exit(status.stderr)
        return json.load(open(out.name))


def duration(seconds):
    return f"{1e6 * seconds:.1f} µs" if seconds < 1e-3 else f"{1e3 * seconds:.0f} ms"


def row(case, report):
    """A line of the table."""
    ways = {r["name"]: r for r in report["results"] if not r["details"]["cold"]}
    ours = ways[case.way]
    each = ours["items"] if case.most_us else 1
    beside, ratios = [], []
    for name in case.rivals:
        if name not in ways:
            continue
        rival = ways[name]
        same = "" if rival["details"]["difference"] == "same" else " (other pixels)"
        ratio = rival["wall_s"] / ours["wall_s"]
        beside.append(f"{name} {duration(rival['wall_s'] / each)}, {ratio:.1f} ×{same}")
        if name in BOTH:
            ratios.append(ratio)
    decoded = ours["details"]["tiles_decoded"]
    if case.most_us:
        us = 1e6 * ours["wall_s"] / each
        goal = f"≤ {case.most_us[0]} / {case.most_us[1]} µs"
        met = "stretch" if us <= case.most_us[1] else "must" if us <= case.most_us[0] else "no"
    elif case.must:
        goal = f"≥ {case.must:g} / {case.stretch:g} ×"
        least = min(ratios, default=0)
        met = "stretch" if least >= case.stretch else "must" if least >= case.must else "no"
    else:
        goal = met = ""
    if not beside:
        met = met if case.most_us else ""
    return (f"| {case.what} | {duration(ours['wall_s'] / each)} | {'; '.join(beside) or '-'} | "
            f"{decoded} of {report['subject']['tiles']} | {goal} | {met} |")


def table(options):
    lines, head = [], ""
    for name, case in CASES.items():
        if options.case not in (None, name):
            continue
        report = measured(case, data(case, options.programs, options.data), options)
        lines.append(row(case, report))
        print(lines[-1], flush=True)
        machine, rivals = report["machine"], report["subject"]["rivals"]
        versions = ", ".join(f"{n} {v}" for n, v in rivals.items()) or "no rivals"
        head = (f"{machine['processors']} processors, {machine['processor']} "
                f"({machine['instructions']}), {machine['time'][:10]}, load {machine['load_before']:.1f} "
                f"before the last case; {versions}; medians of {options.rounds} interleaved rounds.")
    return [head, "", "| what | sluice | beside, and times as fast | tiles decoded | must / stretch | "
            "met |", "|---|---|---|---|---|---|", *lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rivals", help="a Python that has pylibCZIrw and aicspylibczi")
    parser.add_argument("--case", choices=CASES)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build/release/bin")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT / "build/bench-data")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    options.data.mkdir(parents=True, exist_ok=True)
    lines = table(options)
    print("\n" + lines[0])
    if options.write:
        text = DOCS.read_text(encoding="utf-8")
        begin, end = (text.index(mark) for mark in MARKS)
        DOCS.write_text(text[:begin + len(MARKS[0])] + "\n" + "\n".join(lines) + "\n" + text[end:],
                        encoding="utf-8")


if __name__ == "__main__":
    main()
