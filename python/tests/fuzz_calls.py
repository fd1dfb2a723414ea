#!/usr/bin/env python3
"""Calls every public function with whatever comes to hand; nothing but an exception may come of it.

    PYTHONPATH=build/release/python python python/tests/fuzz_calls.py --seconds 3600 [--seed 1]

With AddressSanitizer, of a module that `cmake --preset asan -DSLUICE_PYTHON=ON` and `ninja python_package` built:

    LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libstdc++.so.6)" \\
    PYTHONPATH=build/asan/python ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:hard_rss_limit_mb=8000 \\
    python python/tests/fuzz_calls.py --seconds 600

Half of the calls are those of fuzz_pairs.py: arrays that have to agree, and at random do not.
Each batch of calls runs in a process of its own, so that a crash or a hang is found with the call
that made it. `./dev test` runs a few seconds of it.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import faulthandler
import importlib
import inspect
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time
import warnings

MODULES = ("sluice", "sluice.stem4d", "sluice.slide", "sluice.proton", "sluice.music")
#: What would leave the process, block on purpose, or write a lot.
LEFT_OUT = {"sluice.synth", "sluice.info", "sluice.music.self_test", "sluice.slide.profile", "sluice.stem4d.show",
            "sluice.slide.show", "sluice.proton.show", "sluice.slide.convert", "sluice.stem4d.convert", "sluice.show",
            "sluice.stem4d.benchmark", "sluice.slide.benchmark", "sluice.proton.benchmark", "sluice.music.benchmark"}
CALLS = 60
SECONDS = 600  # a busy machine takes minutes for what takes one second on a quiet one


def targets():
    """(name, callable) of everything public: functions, classes, and methods of classes."""
    for module_name in MODULES:
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            continue
        for name in getattr(module, "__all__", ()):
            full = f"{module_name}.{name}"
            thing = getattr(module, name)
            if full in LEFT_OUT or inspect.ismodule(thing) or not callable(thing):
                continue
            yield full, thing
    # What only an open slide has: its methods are called then.
    for i in range(4):
        yield f"a_slide{i}", a_slide
        yield f"an_array{i}", lambda: a_slide().array()


def a_slide():
    """Of two scenes, channels and levels, in this folder."""
    import slide_files
    from sluice import slide
    path = pathlib.Path("slide.czi")
    if not path.exists():
        planes = [dict(C=c, Z=0, T=0) for c in range(2)]
        slide_files.write(path, slide_files.pyramid(slide_files.mosaic(planes, scenes=2)))
    return slide.open(path.resolve())


def values(draw):
    """Something: right now and then, mostly not."""
    import numpy as np

    import sluice
    shapes = [(), (0,), (3,), (4, 5), (0, 4), (32, 32), (2, 3, 4), (4, 4, 16, 16), (1, 1, 1, 1)]
    kinds = ["u1", "u2", "<i4", ">u2", "f2", "f4", "f8", "c8", "?", "O", "U2", "M8[s]", "i8"]

    def array():
        made = np.zeros(draw.choice(shapes), draw.choice(kinds))
        if made.dtype.kind in "uif":
            made = (np.arange(made.size).reshape(made.shape) % 7).astype(made.dtype)
            if made.dtype.kind == "f" and made.size and draw.random() < 0.3:
                made.flat[draw.randrange(made.size)] = draw.choice([np.nan, np.inf, -np.inf, 1e300])
        for axis in range(made.ndim):
            if draw.random() < 0.2:
                made = np.flip(made, axis)
        return made if draw.random() < 0.8 else made.T

    def scan():
        made = sluice.load("synthetic:stem4d?scan=4x5&detector=16x16",
                           stream=draw.choice([False, True, None]), progress=False)
        if draw.random() < 0.1:
            made.close()
        return made

    number = [0, 1, -1, 2, 3, 7, 16, -5, 2**31, 2**63, -2**63, 2**64, 10**30, 0.5, -0.0, 1e-300,
              1e308, float("nan"), float("inf"), True]
    # Nobody can write in /proc: what is named here is not there afterwards, either.
    text = ["", "bf", "adf", "disk:r=3,center=8:8", "annulus:r=1..2", "mask:/dev/null", "cpu",
            "reference", "sum", "mean", "/proc/nowhere", "/dev/null", "/", "\0", "\udc80", "a" * 5000,
            "synthetic:stem4d?scan=4x5&detector=16x16", "synthetic:stem4d?scan=0x0", "stream",
            "planes", "water", "none", "vocals"]

    def anything(depth=0):
        kind = draw.randrange(12 if depth < 2 else 6)
        if kind < 2:
            return draw.choice(number)
        if kind == 2:
            return draw.choice(text)
        if kind == 3:
            return array()
        if kind == 4:
            return None
        if kind == 5:
            return draw.choice([object(), b"bytes", lambda *a: None, lambda *a: 1 / 0, int, ...])
        if kind == 6:
            return tuple(anything(depth + 1) for _ in range(draw.randrange(5)))
        if kind == 7:
            return [anything(depth + 1) for _ in range(draw.randrange(4))]
        if kind == 8:
            return {draw.choice(text): anything(depth + 1) for _ in range(draw.randrange(3))}
        if kind == 9:
            return scan()
        if kind == 10:
            return sluice.open(text[16]) if draw.random() < 0.5 else a_slide()
        return (draw.randrange(0, 20), draw.randrange(0, 20))
    return anything


def call(draw, name, target, anything):
    """One call, and then a few of the methods of what came of it."""
    try:
        wanted = [p for p in inspect.signature(target).parameters.values()
                  if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    except (TypeError, ValueError):
        wanted = []
    args, options = [], {}
    for p in wanted:
        if p.kind is p.KEYWORD_ONLY or (p.default is not p.empty and draw.random() < 0.6):
            if draw.random() < 0.4:
                options[p.name] = anything()
        elif not options:
            args.append(anything())
    if "progress" in {p.name for p in wanted} and draw.random() < 0.8:
        options["progress"] = False
    # Behind the check of arguments half of the time, so that what it would refuse comes further.
    if inspect.isfunction(target) and draw.random() < 0.5:
        target = inspect.unwrap(target)
    print(f"{name}{[repr(a)[:60] for a in args]}{ {k: repr(v)[:60] for k, v in options.items()} }",
          flush=True)
    return target(*args, **options)


def batch(seed):
    """Some calls in this process."""
    faulthandler.enable()
    # What wants more memory than this gets an exception, and the machine lives.
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):  # which needs addresses for its shadow
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    warnings.simplefilter("ignore")
    draw = random.Random(seed)
    every = list(targets())
    anything = values(draw)
    passed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        import fuzz_pairs
        for _ in range(CALLS):
            name, target = draw.choice(every)
            try:
                if draw.random() < 0.5:
                    fuzz_pairs.call(draw)
                    passed += 1
                    continue
                made = call(draw, name, target, anything)
                passed += 1
                members = [m for m in dir(made) if not m.startswith("_")]
                for member in draw.sample(members, min(3, len(members))):
                    attribute = getattr(made, member)
                    if callable(attribute) and member not in ("show", "convert"):
                        call(draw, f"{name}().{member}", attribute, anything)
                if hasattr(made, "__getitem__"):
                    made[anything()]
            except Exception as e:  # whatever it is, it is an exception
                if isinstance(e, (SystemError, AssertionError)):
                    raise
        os.chdir("/")
    print(f"done {passed}", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--seed", type=int, default=None)
    options.add_argument("--batch", type=int, help="this one batch, here")
    chosen = options.parse_args()
    if chosen.batch is not None:
        return batch(chosen.batch)
    seed = chosen.seed if chosen.seed is not None else random.SystemRandom().randrange(10**9)
    end = time.monotonic() + chosen.seconds
    batches = answered = 0
    while time.monotonic() < end:
        try:
            run = subprocess.run([sys.executable, __file__, "--batch", str(seed)], text=True,
                                 errors="replace", stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, timeout=SECONDS)
        except subprocess.TimeoutExpired as late:
            said = late.stdout or b""
            sys.exit(f"--batch {seed} hangs in:\n{said[-600:]!r}")
        if run.returncode != 0 or "done " not in run.stdout:
            sys.exit(f"--batch {seed} ended with {run.returncode}:\n{run.stdout[-3000:]}")
        answered += int(run.stdout.rsplit("done ", 1)[1])
        batches += 1
        seed += 1
    print(f"{batches * CALLS} calls in {batches} processes, {answered} gave an answer; no crash")


if __name__ == "__main__":
    sys.exit(main())
