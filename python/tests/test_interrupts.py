"""Ctrl-C in the middle of long calls: KeyboardInterrupt comes soon, and no file is left.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

# Seconds. Machines that run tests are loaded; on its own nearly every call answers within 0.2 s.
SOON = 2.0

#: What runs until it is stopped, and what is made ready before.
CALLS = {
    "ptychography": ("from sluice import stem4d; g = np.arange(400) // 20 * 1.0; "
                     "p = stem4d.Patterns(np.ones((400, 128, 128), np.uint16), "
                     "np.stack([g, np.arange(400) % 20 * 1.0], -1))",
                     "stem4d.ptychography(p, stem4d.PtychographyStage('epie', 99999, group=20))"),
    "march": ("", "proton.march(BIG, BEAM, angle_step=0.004)"),
    "run": ("", "proton.run(proton.Config(BIG, [BEAM] * 50), anyway=True)"),
    "guards_before": ("", "proton.guards_before(proton.Config(BIG, [proton.Beam(60 + i / 5, sigma_x=3) "
                      "for i in range(400)]))"),
    "spread_out": ("", "proton.spread_out(250, 200, BEAM, layers=200, dz=0.25)"),
    "parse_config": ("", "proton.parse_config(SOBP)"),
    "gamma_index": ("d = np.random.default_rng(1).random((800, 800)) + 1",
                    "proton.gamma_index(d, d[::-1], 0.2, distance=9, dose=1e-6, most=9)"),
    "converge": ("open('c.toml', 'w').write(TEXT)", "proton.converge('c.toml', levels=6)"),
    "base_energy": ("", "proton.base_energy(230, step=0.2)"),
    "dose": ("w = proton.Volume(np.zeros((100, 200, 100)), (2, 2, 2), (0, 0, 0)); "
             "l = proton.PlanLayer(160.0, np.array([(x, y, 1e8) for x in range(60) for y in range(60)]), (6.0, 6.0)); "
             "p = proton.IonPlan((proton.IonBeam(1, 'a', 0, 0, (100, 50, 100), (2000, 2000), (l,) * 20),), "
             "unit='protons')",
             "proton.dose(p, w, energy_spread=0.8, quantity='HU', pixel=0.3, step=0.3, keep_kernels=False)"),
    "dense_run": ("s = proton.DenseSolver(BOX, BEAM)", "s.run()"),
    "dense_step": ("s = proton.DenseSolver(BOX, BEAM, proton.DenseOptions(threshold=0))",
                   "s.step(10000)"),
    "save_npy": ("a = np.zeros(1 << 28)", "[sluice.save_npy('a.npy', a) for _ in range(99)]"),
    "synthesize": ("", "music.synthesize(music.published_config('instvoc-hq'), 'm.safetensors')"),
    "convert": ("", "[music.convert(MODEL, 'c.safetensors', type='bf16', force=True) "
                    "for _ in range(999)]"),
    "load": ("", "[music.Model(MODEL) for _ in range(999)]"),
    "push": ("m = music.Model(MODEL, precision='fp32'); p = music.Separation(m, 44100)",
             "p.push(SONG)"),
    "separate": ("m = music.Model(MODEL)", "music.separate(m, SONG, 44100)"),
    "separate_augmented": ("m = music.Model(MODEL)",
                           "music.separate(m, SONG, 44100, augment=True, batch=4)"),
    "separate_song": ("m = music.Model(MODEL); sluice_wav('s.wav', SONG)",
                      "music.separate_song(m, 's.wav', 'stems')"),
    "score": ("e = {n: SONG[:, :] * 0.9 for n in 'ab'}; t = {n: SONG for n in 'ab'}",
              "music.score(e, t, 44100)"),
    "self_test": ("", "music.self_test()"),
}

SCRIPT = r'''
import os, struct, sys, time
import numpy as np
import sluice
from sluice import music, proton
BIG = proton.Phantom.box(280, 160, dz=0.25, dx=0.5)
BOX = proton.Phantom.box(150, 50, dz=0.5, dx=0.5)
BEAM = proton.Beam(100, sigma_x=3, divergence=0.002)
TEXT = """
[grid]
depth = "180 mm"
width = "60 mm"
[[beam]]
energy = "150 MeV"
sigma_x = "3 mm"
"""
SOBP = TEXT.split("[[beam]]")[0].replace("180", "300") + """dz = "0.25 mm"
[[sobp]]
range = "250 mm"
modulation = "200 mm"
layers = 200
sigma_x = "3 mm"
"""
MODEL = os.environ["SLUICE_TEST_MODEL"]
SONG = np.random.default_rng(1).normal(size=(44100 * 90, 2)).astype(np.float32) * 0.1

def sluice_wav(path, song):
    data = (song * 32767).clip(-32768, 32767).astype("<i2").tobytes()
    with open(path, "wb") as f:
        f.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack(
            "<IHHIIHH", 16, 1, 2, 44100, 44100 * 4, 4, 16) + b"data" + struct.pack("<I", len(data)))
        f.write(data)

READY
before = set(os.listdir("."))
print("ready", flush=True)
try:
    while True:
        CALL
        if ONCE:
            break
    print("ended", flush=True)
except KeyboardInterrupt:
    print(time.process_time(), flush=True)
    print(sorted(set(os.listdir(".")) - before), flush=True)
'''


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    """A network whose chunks take seconds."""
    from sluice import music
    text = music.published_config("tiny").yaml
    made = []
    for line in text.splitlines():
        key = line.split(":")[0].strip()
        wanted = {"n_fft": 8192, "dim_f": 4096, "hop_length": 1024, "dim_t": 256,
                  "chunk_size": 1024 * 255, "num_channels": 64, "growth": 32}.get(key)
        if wanted and not (key == "num_channels" and "audio" in "".join(made[-8:])
                           and "model" not in "".join(made)):
            line = line.split(":")[0] + f": {wanted}"
        made.append(line)
    file = tmp_path_factory.mktemp("model") / "m.safetensors"
    music.synthesize(music.parse_config("\n".join(made)), file)
    return file


#: These write a file, which a second call would refuse to replace.
ONCE = ("synthesize", "separate_song")


def processor_seconds(pid):
    """What a process has had of processors: other work on the machine does not count."""
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def seconds_to_stop(folder, ready, call, model, once):
    script = SCRIPT.replace("READY", ready).replace("CALL", call).replace("ONCE", str(once))
    child = subprocess.Popen([sys.executable, "-c", script], cwd=folder, stdout=subprocess.PIPE,
                             text=True, env={**os.environ, "SLUICE_TEST_MODEL": str(model)})
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.7)
        sent = processor_seconds(child.pid)
        child.send_signal(signal.SIGINT)
        answer = child.stdout.readline().strip()
        assert answer not in ("ended", ""), "the call ended before it could be stopped"
        left = child.stdout.readline().strip()
        assert child.wait(20) == 0
    finally:
        child.kill()
        child.stdout.close()
        child.wait()
    return float(answer) - sent, left


@pytest.mark.parametrize("name", CALLS)
def test_a_long_call_stops(tmp_path, model, name):
    took, left = seconds_to_stop(tmp_path, *CALLS[name], model, name in ONCE)
    print(f"{name}: {1000 * took:.0f} ms")
    assert took < SOON
    if name not in ("save_npy", "convert"):  # of the repetitions the first ones are whole
        assert left == "[]"
    assert not [p for p in pathlib.Path(tmp_path).rglob("*") if ".part" in p.name
                or p.name.endswith("~")]
