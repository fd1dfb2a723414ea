"""Damages files again and again, on all processors, and keeps what a program did wrong.

SPDX-License-Identifier: Apache-2.0
"""
import dataclasses
import multiprocessing
import os
import pathlib
import random
import re
import shutil
import tempfile
import time

from . import runner, seeds
from .mutate import mutate

KEPT_OF_A_FAMILY = 3


@dataclasses.dataclass
class Seed:
    """A case with its undamaged files and what every command does with them."""
    case: seeds.Case
    folder: pathlib.Path
    data: dict  # name -> bytes
    found: dict  # name -> (fields, payload)
    healthy: dict  # command -> Run


@dataclasses.dataclass
class Finding:
    case: str
    number: int
    file: str
    words: list
    what: str
    said: str
    folder: str = ""

    @property
    def family(self):
        """Findings of one cause, as far as one can see from outside."""
        what = re.sub(r"\d+(\.\d+)?( MB| s)?", "N", self.what)
        return f"{self.case.split('-')[0]} {' '.join(self.words[1:3])}: {what}"


def prepare(case, root, binaries):
    """Makes a seed; raises where the undamaged files do not pass."""
    folder = root / "seeds" / case.name
    seeds.make(case, folder, binaries)
    names = seeds.damaged_files(case, folder)
    if not names:
        raise RuntimeError(f"{case.name}: nothing to damage")
    data = {name: (folder / name).read_bytes() for name in names}
    found = {name: ([], [(0, len(data[name]))]) if is_text(case, name) and not
             name.endswith((".mha", ".mhd", ".nrrd")) else case.find(data[name]) for name in names}
    seed = Seed(case, folder, data, found, {})
    for command in case.commands:
        seed.healthy[command] = healthy_run(seed, command, root, binaries)
    return seed


def prepare_all(cases, root, binaries, workers):
    """Makes the seeds on all processors. Cases have functions in them, which do not travel; the
    processes have them from their parent."""
    global inherited
    inherited = cases, root, binaries
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        made = pool.map(prepare_numbered, range(len(cases)), 1)
    return [Seed(case, folder, data, found, dict(zip(case.commands, healthy)))
            for case, (folder, data, found, healthy) in zip(cases, made)]


def prepare_numbered(number):
    cases, root, binaries = inherited
    seed = prepare(cases[number], root, binaries)
    healthy = list(seed.healthy.values())
    return seed.folder, seed.data, seed.found, healthy


def healthy_run(seed, command, root, binaries):
    work = root / "healthy" / seed.case.name
    runner.place(work, seed.folder, "", b"")
    run = runner.run([str(binaries / "sluice"), *command.words], work, command.result)
    wrong = runner.judge(run, runner.Run(cpu=60, memory=1 << 40))
    if wrong or (command.result and not run.results):
        raise RuntimeError(f"{seed.case.name}: {' '.join(command.words)}: the undamaged file: "
                           f"{wrong or run.stderr.decode(errors='replace') or 'no result'}")
    return run


def is_text(case, name):
    return name.endswith(case.text) if case.text else False


def damage(seed, number):
    """What mutation `number` of a case is: the file, its bytes, the command, and the oracle's
    word. Depends on nothing but the seed's files and the number."""
    rng = random.Random(f"{seed.case.name}:{number}")
    name = rng.choice(sorted(seed.data))
    before = seed.data[name]
    fields, payload = seed.found[name]
    others = [data for other, data in sorted(seed.data.items()) if other != name]
    after = mutate(rng, before, others, fields, is_text(seed.case, name))
    commands = seed.case.commands
    command = rng.choices(commands, [c.weight for c in commands])[0]
    told = after != before and seed.case.told(name, before, after, fields, payload)
    return name, after, command, told


def one(seed, number, work, binaries):
    """Runs one mutation; a Finding or None."""
    name, data, command, told = damage(seed, number)
    runner.place(work, seed.folder, name, data)
    healthy = seed.healthy[command]
    run = runner.run([str(binaries / "sluice"), *command.words], work, command.result,
                     healthy.cpu + runner.CPU_BEYOND)
    # `--recover` is asked to make the best of it.
    wrong = runner.judge(run, healthy, told and "--recover" not in command.words)
    if not wrong:
        return None
    return Finding(seed.case.name, number, name, ["sluice", *command.words], wrong,
                   run.stderr.decode(errors="replace").strip()[-300:])


def worker(index, workers, prepared, binaries, root, first, until, findings, count):
    """Takes every `workers`-th number of each case in turn, until it is time."""
    work = pathlib.Path(root) / f"work{index}"
    number = first + index
    while True:
        for seed in prepared:
            if time.monotonic() >= until:
                shutil.rmtree(work, ignore_errors=True)
                return
            try:
                found = one(seed, number, work, binaries)
            except Exception as error:  # of this program: said, and counted as a failure
                found = Finding(seed.case.name, number, "", [], f"the stage failed: {error!r}", "")
            with count.get_lock():
                count.value += 1
            if found:
                findings.put(found)
        number += workers


def scratch():
    """A folder in memory where there is one: nothing of it must outlive the machine."""
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    return tempfile.TemporaryDirectory(prefix="sluice-hostile-", dir=base)


def keep(finding, prepared, folder):
    """Keeps a finding's files and the command that repeats it."""
    seed = next(seed for seed in prepared if seed.case.name == finding.case)
    target = folder / f"{finding.case}-{finding.number}"
    if finding.words:
        name, data, _, _ = damage(seed, finding.number)
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(seed.folder, target)
        (target / name).write_bytes(data)
        command = f"cd {target} && " + " ".join(finding.words)
        (target / "again.txt").write_text(f"{finding.what}\n{finding.said}\n"
                                          f"damaged: {name}\n{command}\n")
    finding.folder = str(target)
    return finding


def run(binaries, seconds, first, kept, workers, cases=seeds.CASES, say=print):
    """The findings, and how many mutations ran. `first`: the number of the first mutation."""
    with scratch() as root:
        root = pathlib.Path(root)
        prepared = prepare_all(cases, root, binaries, workers)
        findings, count = multiprocessing.Queue(), multiprocessing.Value("Q", 0)
        until = time.monotonic() + seconds
        pool = [multiprocessing.Process(target=worker, args=(
            i, workers, prepared, binaries, root, first, until, findings, count))
            for i in range(workers)]
        for process in pool:
            process.start()
        families = {}
        while any(process.is_alive() for process in pool) or not findings.empty():
            try:
                finding = findings.get(timeout=0.2)
            except Exception:  # queue.Empty
                continue
            same = families.setdefault(finding.family, [])
            same.append(finding)
            if len(same) <= KEPT_OF_A_FAMILY:
                keep(finding, prepared, kept)
                say(f"{finding.family}\n    {finding.folder}/again.txt  {finding.said[:160]}")
        for process in pool:
            process.join()
        # What did not run has found nothing, which must not read as a pass.
        if ended := [process.exitcode for process in pool if process.exitcode]:
            raise RuntimeError(f"workers of the campaign ended with {ended}")
        if not count.value:
            raise RuntimeError("the campaign damaged no file")
        return families, count.value
