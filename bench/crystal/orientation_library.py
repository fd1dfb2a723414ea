#!/usr/bin/env python3
"""What a library of five phases at 1 degree takes: memory, time, and processor time of all threads.

    PYTHONPATH=build/release/python V/bin/python bench/crystal/orientation_library.py [ROUNDS [STEP]]
                                                                       (V: numpy, nanobind-backend)

Gold, titanium, rutile, baddeleyite and a triclinic crystal, whose zones cover 1/48, 1/24, 1/16, 1/4 and half of the
sphere: the last two are most of the work. Memory is what the library says of itself, and what the process grows by at
its highest. Processor time tells where other programs are at work, too; the wall time is then not to be believed.

SPDX-License-Identifier: Apache-2.0
"""
import os
import statistics
import sys
import tempfile
import time

from crystals import B_ISO, CRYSTALS, LAUE

from sluice import stem4d

PHASES = ("gold", "titanium", "rutile", "baddeleyite", "triclinic")
MOST_BYTES, MOST_SECONDS = 1e9, 20


def write_cif(name, path):
    group, _, cell, sites = CRYSTALS[name]
    sides = ("length_a", "length_b", "length_c", "angle_alpha", "angle_beta", "angle_gamma")
    lines = [f"data_{name}", *(f"_cell_{side} {value}" for side, value in zip(sides, cell)),
             f"_space_group_IT_number {group}", "loop_", "_atom_site_type_symbol", "_atom_site_fract_x",
             "_atom_site_fract_y", "_atom_site_fract_z", "_atom_site_B_iso_or_equiv",
             *(" ".join([element, *map(repr, place), str(B_ISO)]) for element, place in sites)]
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")


def high_water():
    """Bytes of memory that the process had at its highest."""
    with open("/proc/self/status") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    step = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    threads = os.cpu_count()
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name + ".cif") for name in PHASES]
        for name, path in zip(PHASES, paths):
            write_cif(name, path)
        # Code and tables are there before anything is counted.
        stem4d.orientation_library(paths[0], energy=200, zone_step=10)
        before, spent = high_water(), []
        for _ in range(rounds):
            wall, cpu = time.perf_counter(), time.process_time()
            library = stem4d.orientation_library(paths, energy=200, zone_step=step, threads=threads)
            spent.append((time.perf_counter() - wall, time.process_time() - cpu))
            grown = high_water() - before if len(spent) == 1 else grown
            several = [stem4d.orientation_library(p, energy=200, zone_step=step) for p in paths] \
                if len(spent) == rounds else []
    print("| phase | class | zones | MB | s |\n|---|---|---|---|---|")
    for one in several:
        print(f"| {one.phases[0]} | {one.laue[0]} | {one.zones} | {one.bytes / 1e6:.1f} | {one.build_seconds:.3f} |")
        assert one.laue[0] == LAUE[one.phases[0]]
    wall, cpu = (statistics.median(s[k] for s in spent) for k in (0, 1))
    print(f"| all five, {threads} threads | | {library.zones} | {library.bytes / 1e6:.1f} | {wall:.3f}, "
          f"processor {cpu:.3f} |")
    print(f"\nThe process grows by {grown / 1e6:.0f} MB at its highest; must {MOST_BYTES / 1e6:.0f} MB and "
          f"{MOST_SECONDS} s; load {os.getloadavg()[0]:.1f}.")
    return not (grown <= MOST_BYTES and library.bytes <= MOST_BYTES and cpu <= MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
