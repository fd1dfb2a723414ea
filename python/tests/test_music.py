"""Models, songs and scores beside NumPy's own sums, and beside the program.

SPDX-License-Identifier: Apache-2.0
"""
import json
import pathlib
import pickle
import struct
import subprocess

import numpy as np
import pytest

import sluice
from sluice import music

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/sluice"
RATE = 44100


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("music") / "tiny.safetensors"
    music.synthesize(music.published_config("tiny"), path)
    return path


@pytest.fixture(scope="module")
def model(file):
    with music.Model(file, precision="fp32") as opened:
        yield opened


@pytest.fixture(scope="module")
def song(model):
    t = np.arange(3 * model.chunk + 1234) / RATE
    rng = np.random.default_rng(5)
    left = 0.3 * np.sin(2 * np.pi * 440 * t) + 0.05 * rng.normal(size=t.size)
    return np.stack([left, 0.7 * left[::-1]], axis=1).astype(np.float32)


def write_wav(path, samples):
    data = np.round(samples * 32767).astype("<i2").tobytes()
    channels = samples.shape[1]
    path.write_bytes(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt "
                     + struct.pack("<IHHIIHH", 16, 1, channels, RATE, RATE * 2 * channels,
                                   2 * channels, 16) + b"data" + struct.pack("<I", len(data)) + data)


def read_wav(path):
    raw = path.read_bytes()
    at = raw.index(b"data")
    n, = struct.unpack("<I", raw[at + 4:at + 8])
    return np.frombuffer(raw[at + 8:at + 8 + n], "<i2").reshape(-1, 2)


def test_configurations_travel():
    assert {"tiny", "instvoc-hq"} <= set(music.published_configs())
    c = music.published_config("instvoc-hq")
    assert c.audio["n_fft"] == 8192 and c.model["num_channels"] == 128
    again = music.parse_config(c.yaml)
    assert again == c and again.instruments == ["Vocals", "Instrumental"]
    assert pickle.loads(pickle.dumps(c)) == c
    n = music.network_of(c)
    assert n.scales == 5 and n.channels == 128
    sizes = [int(np.prod(shape)) for _, shape in music.places(n)]
    assert 1.1e8 < sum(sizes) < 1.2e8
    macs, _ = music.cost_of(n, 256)
    assert macs == pytest.approx(1.217e12, rel=1e-3)  # docs/guide/music.md


def test_files_say_what_they_are(file, tmp_path):
    i = music.inspect(file)
    assert i.stems == ["Vocals", "Instrumental"] and i.container and i.facts["n_fft"][0] > 0
    assert i.memory(i.chunks[0]) > i.weight_numbers * 4
    half = music.convert(file, tmp_path / "half.safetensors", type="bf16")
    assert half.network == i.network and half.file_bytes < i.file_bytes and half.notes
    with pytest.raises(sluice.InvalidArgument, match="exists"):
        music.convert(file, tmp_path / "half.safetensors")
    with pytest.raises(sluice.Cancelled):
        music.convert(file, tmp_path / "no.safetensors", progress=lambda done, total: False)
    with pytest.raises(sluice.Cancelled):
        music.synthesize(music.published_config("tiny"), tmp_path / "no.safetensors",
                         progress=lambda done, total: False)
    assert [p.name for p in tmp_path.iterdir()] == ["half.safetensors"]


def test_nothing_is_guessed(file, song, tmp_path):
    yaml = music.published_config("tiny").yaml
    less = tmp_path / "less.yaml"
    less.write_text("".join(line + "\n" for line in yaml.splitlines()
                            if not line.startswith(("  act:", "  norm:"))))
    with pytest.raises(sluice.InvalidArgument, match="comes without norm, act"):
        music.Model(file, less)
    found = music.inspect(file, less, assume={"act": "relu"})
    assert found.facts["act"] == ("relu", "given with --assume")
    assert found.facts["norm"] == ("InstanceNorm", "assumed")
    assert "norm = InstanceNorm" in found.notes[-1]
    known = {"act": "gelu", "norm": "InstanceNorm"}
    with music.Model(file, less, assume=known, precision="fp32") as told, \
            music.Model(file, precision="fp32") as whole:
        assert told.notes == ["norm = InstanceNorm was assumed", "act = gelu was assumed"]
        assert whole.notes == []
        assert np.array_equal(music.separate(told, song, RATE)["Vocals"],
                              music.separate(whole, song, RATE)["Vocals"])
    other = tmp_path / "other.yaml"
    other.write_text(yaml.replace("Vocals", "a").replace("batch_size: 1", "batch_size: 2"))
    with music.Model(file, other, preset="msst") as batch:
        assert len(batch.notes) == 1 and "batch_size: 1" in batch.notes[0]
    for wrong in ({"growth": 3}, {"act": "relu"}, {"instruments": ["a", "b"]}, {"n_fft": "x"}):
        with pytest.raises(sluice.InvalidArgument, match="assumed"):
            music.Model(file, assume=wrong)
    with pytest.raises(sluice.InvalidArgument, match="dictionary"):
        music.Model(file, assume="act=relu")


def test_stems_sum_to_the_song(model, song):
    stems = music.separate(model, song, RATE)
    assert list(stems) == model.stems
    assert all(s.shape == song.shape and s.dtype == np.float32 for s in stems.values())
    np.testing.assert_allclose(sum(s.astype(float) for s in stems.values()), song, atol=2e-6)
    only = music.separate(model, song, RATE, stems="vocals")
    assert list(only) == ["Vocals"] and np.array_equal(only["Vocals"], stems["Vocals"])
    raw = music.separate(model, song, RATE, complement="none")
    assert np.array_equal(raw["Vocals"], stems["Vocals"])
    assert not np.array_equal(raw["Instrumental"], stems["Instrumental"])


def test_blocks_and_batches_change_no_sample(model, song):
    whole = music.separate(model, song, RATE)
    again = music.Separation(model, RATE, 2, batch=2)
    parts = {name: [] for name in again.stems}
    rng = np.random.default_rng(2)
    at = 0
    while at < len(song):
        n = int(rng.integers(1, 30000))
        again.push(np.asfortranarray(song[at:at + n]).astype(float))
        at += n
        for name, stem in again.pull(int(rng.integers(0, 20000))).items():
            parts[name].append(stem)
    again.finish()
    for name, stem in again.pull().items():
        parts[name].append(stem)
    for name, stems in parts.items():
        assert np.array_equal(np.concatenate(stems), whole[name])
    assert again.ready == 0 and again.chunks > 3 and again.complements
    turned = music.separate(model, song[::-1][::-1], RATE)
    assert np.array_equal(turned["Vocals"], whole["Vocals"])


def test_a_loop_by_hand_joins_chunks_alike(model, song):
    """Without overlap and windows, chunks of the network stand side by side."""
    n = model.chunk
    piece = song[:2 * n]
    parts = music.separate(model, piece, RATE, overlap=1, window="rectangular", complement="none")
    one = music.separate(model, song[:n], RATE, overlap=1, window="rectangular", complement="none")
    assert np.isfinite(parts["Vocals"]).all() and one["Vocals"].shape == (n, 2)
    both = [music.Separation(m, RATE, 2, preset="uvr", overlap=2, complement="none")
            for m in (model,)]
    assert both[0].stems == model.stems


def test_mono_and_other_rates(model, song):
    mono = music.separate(model, song[:, 0], RATE)
    assert mono["Vocals"].shape == (len(song),)
    wide = music.separate(model, song[:, :1].repeat(2, 1), RATE)
    np.testing.assert_allclose(mono["Vocals"], wide["Vocals"].astype(float).mean(1), atol=1e-6)
    slow = music.separate(model, song[:60000], 32000)
    assert slow["Vocals"].shape == (60000, 2)
    np.testing.assert_allclose(sum(s.astype(float) for s in slow.values()), song[:60000], atol=2e-6)


def test_models_are_joined(file, model, song):
    with music.Model(file, precision="fp32") as second:
        joined = music.separate([model, second], song, RATE)
        one = music.separate(model, song, RATE)
        np.testing.assert_allclose(joined["Vocals"], one["Vocals"], atol=1e-7)
        weighted = music.separate([model, second], song, RATE, weights=[2, 1])
        np.testing.assert_allclose(weighted["Vocals"], one["Vocals"], atol=1e-6)
    with pytest.raises(sluice.InvalidArgument, match="closed"):
        music.separate([model, second], song, RATE)


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program was not built")
def test_songs_are_the_programs(file, model, song, tmp_path):
    write_wav(tmp_path / "song.wav", song)
    done = subprocess.run([PROGRAM, "music", "separate", tmp_path / "song.wav", "--model", file,
                           "--out", tmp_path / "theirs", "--precision", "fp32", "--json"],
                          capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)
    heard = []
    report = music.separate_song(model, tmp_path / "song.wav", tmp_path / "ours",
                                 progress=lambda done, total: heard.append((done, total)))
    assert report.sums_up and report.frames == len(song) and heard
    total = np.zeros((len(song), 2), np.int64)
    for stem in report.stems:
        ours = pathlib.Path(stem.path)
        theirs = tmp_path / "theirs/song" / ours.name
        assert ours.read_bytes()[44:] == theirs.read_bytes()[44:]
        total += read_wav(ours)
        assert report[stem.name] == stem.path
    assert np.array_equal(total, read_wav(tmp_path / "song.wav"))
    assert music.separate_song(model, tmp_path / "song.wav", tmp_path / "ours",
                               skip_existing=True).skipped
    with pytest.raises(sluice.Error):
        music.separate_song(model, tmp_path / "song.wav", tmp_path / "ours")
    (tmp_path / "bad.wav").write_bytes(b"nothing")
    many = music.separate_songs(model, [tmp_path / "song.wav", tmp_path / "bad.wav"],
                                tmp_path / "many", depth=24)
    assert isinstance(many[str(tmp_path / "bad.wav")], sluice.Error)
    (tmp_path / "more").mkdir()
    (tmp_path / "more/song.wav").write_bytes((tmp_path / "song.wav").read_bytes())
    both = music.separate_songs(model, [tmp_path / "song.wav", tmp_path / "more/song.wav"],
                                tmp_path / "both")
    assert both[str(tmp_path / "song.wav")].frames == len(song)
    assert "as " in str(both[str(tmp_path / "more/song.wav")])
    assert many[str(tmp_path / "song.wav")].written == "WAV, 24-bit"
    assert sorted(p.name for p in (tmp_path / "many").iterdir()) == ["song"]


def test_scores_are_what_numpy_says():
    rng = np.random.default_rng(4)
    true = {n: rng.normal(size=(2 * 8000, 2)).astype(np.float32) for n in "ab"}
    found = {n: (0.9 * v + 0.1 * rng.normal(size=v.shape)).astype(np.float32)
             for n, v in true.items()}
    s = music.score(found, true, 8000)
    for n in "ab":
        t, e = true[n].astype(float), found[n].astype(float)
        sdr = 10 * np.log10(((t ** 2).sum() + 1e-8) / (((t - e) ** 2).sum() + 1e-8))
        assert s[n].sdr == pytest.approx(sdr, abs=1e-9)
        scaled = t * (t * e).sum() / (t * t).sum()
        si = 10 * np.log10((scaled ** 2).sum() / ((scaled - e) ** 2).sum())
        assert s[n].si_sdr == pytest.approx(si, abs=1e-9)
        assert s[n].windows.sdr.shape == (2,)
        assert s[n].median.sdr == pytest.approx(np.median(s[n].windows.sdr), abs=1e-12)
    assert s.windows == 2 and s.silent == 0
    quick = music.score(found, true, 8000, bss=False)
    assert quick["a"].sdr == s["a"].sdr and np.isnan(quick["a"].median.sdr)


def test_the_self_test_of_a_small_network():
    heard = []
    found = music.self_test(like="tiny", progress=heard.append)
    assert found.good and found.twins[0]["good"] and found.wholes[0]["repeats"]
    assert heard[0] == "reading the model" and len(heard) == len(set(heard)) >= 3
    with pytest.raises(sluice.Cancelled):
        music.self_test(like="tiny", progress=lambda step: False)
    with pytest.raises(ZeroDivisionError):
        music.self_test(like="tiny", progress=lambda step: 1 / 0)


def test_after_a_stop_the_model_goes_on(model, song):
    stopped = music.Separation(model, RATE)
    calls = []
    with pytest.raises(sluice.Cancelled):
        stopped.push(song, progress=lambda done, total: calls.append(done) or len(calls) < 2)
    with pytest.raises(sluice.InvalidArgument, match="begin another"):
        stopped.push(song)
    with pytest.raises(sluice.InvalidArgument, match="begin another"):
        stopped.pull()
    assert np.isfinite(music.separate(model, song, RATE)["Vocals"]).all()
    whole = music.Separation(model, RATE)
    whole.push(song)
    whole.finish()
    with pytest.raises(sluice.InvalidArgument, match="finish"):
        whole.push(song)
    with pytest.raises(sluice.InvalidArgument, match="finish"):
        whole.finish()


def test_a_model_computes_one_thing_at_a_time(model, song):
    other = music.Separation(model, RATE)

    def progress(done, total):
        other.push(song)

    with pytest.raises(sluice.InvalidArgument, match="at work"):
        music.separate(model, song, RATE, progress=progress)


BAD = [
    lambda m, f: music.Model("/nowhere.ckpt"),
    lambda m, f: music.Model(7),
    lambda m, f: music.Model(f, precision="fp8"),
    lambda m, f: music.Model(f, preset="odd"),
    lambda m, f: music.Model(f, frames=1),
    lambda m, f: music.Model(f, frames=-256),
    lambda m, f: music.Model(f, frames="many"),
    lambda m, f: music.Model(f, threads=-1),
    lambda m, f: music.Model(f, device="abacus"),
    lambda m, f: music.Model(f, device=7),
    lambda m, f: music.Model(f, memory_limit=1000),
    lambda m, f: music.Model(f, config="/nowhere.yaml"),
    lambda m, f: music.Model(f, progress=lambda done, total: False),
    lambda m, f: music.inspect("/nowhere"),
    lambda m, f: music.inspect(__file__),
    lambda m, f: music.convert("/nowhere", "/nowhere/x"),
    lambda m, f: music.convert(f, "/nowhere/x", type="fp8"),
    lambda m, f: music.convert(f, "/nowhere/folder/x"),
    lambda m, f: music.synthesize("tiny", "/nowhere/x"),
    lambda m, f: music.synthesize(music.published_config("tiny"), "/nowhere/x"),
    lambda m, f: music.synthesize(music.published_config("tiny"), "/nowhere/x", seed=-1),
    lambda m, f: music.synthesize(music.parse_config("audio: {}"), "/nowhere/x"),
    lambda m, f: music.published_config("odd"),
    lambda m, f: music.parse_config("audio: ["),
    lambda m, f: music.parse_config("audio:\n  n_fft: many"),
    lambda m, f: music.parse_config(7),
    lambda m, f: music.read_config("/nowhere"),
    lambda m, f: music.network_of(7),
    lambda m, f: music.network_of(music.parse_config("audio: {}")),
    lambda m, f: music.places(music.Network(scales=-1)),
    lambda m, f: music.places(music.Network(bottleneck=0)),
    lambda m, f: music.cost_of(music.Network(scale=(0, 0)), 8),
    lambda m, f: music.cost_of(music.Network(norm="odd"), 8),
    lambda m, f: music.separate(None, np.zeros((9, 2)), RATE),
    lambda m, f: music.separate([], np.zeros((9, 2)), RATE),
    lambda m, f: music.separate([m, m], np.zeros((9, 2)), RATE),
    lambda m, f: music.separate([m, 7], np.zeros((9, 2)), RATE),
    lambda m, f: music.separate(m, np.zeros((9, 2), np.int16), RATE),
    lambda m, f: music.separate(m, np.zeros((2, 9000)), RATE),
    lambda m, f: music.separate(m, np.zeros((9, 3)), RATE),
    lambda m, f: music.separate(m, np.zeros((9, 0)), RATE),
    lambda m, f: music.separate(m, np.zeros((0, 2)), RATE),
    lambda m, f: music.separate(m, np.zeros((9, 2, 1)), RATE),
    lambda m, f: music.separate(m, np.zeros((9, 2), complex), RATE),
    lambda m, f: music.separate(m, np.array([[object()] * 2] * 9), RATE),
    lambda m, f: music.separate(m, np.full((9, 2), np.nan), RATE),
    lambda m, f: music.separate(m, np.zeros((9, 2)), 0),
    lambda m, f: music.separate(m, np.zeros((9, 2)), -5),
    lambda m, f: music.separate(m, np.zeros((9, 2)), "fast"),
    lambda m, f: music.separate(m, np.zeros((9, 2)), RATE, overlap=0),
    lambda m, f: music.separate(m, np.zeros((9, 2)), RATE, overlap=51),
    lambda m, f: music.separate(m, np.zeros((9, 2)), RATE, window="odd"),
    lambda m, f: music.separate(m, np.zeros((9, 2)), RATE, shifts=0),
    lambda m, f: music.separate(m, np.zeros((9, 2)), RATE, batch=0),
    lambda m, f: music.separate(m, np.zeros((9, 2)), RATE, batch=10**9),
    lambda m, f: music.separate(m, np.zeros((9, 2)), RATE, join="odd"),
    lambda m, f: music.separate(m, np.zeros((9, 2)), RATE, weights=[1, 2]),
    lambda m, f: music.separate(m, np.zeros((9, 2)), RATE, weights=[-1]),
    lambda m, f: music.separate(m, np.zeros((9, 2)), RATE, stems=["odd"]),
    lambda m, f: music.separate(m, np.zeros((9, 2)), RATE, bits=7),
    lambda m, f: music.separate(m, np.zeros((9, 2)), RATE, nonsense=1),
    lambda m, f: music.separate(m, np.zeros((9, 2)), RATE, progress=7),
    lambda m, f: music.Separation(m, RATE, 0),
    lambda m, f: music.Separation(m, RATE, 3),
    lambda m, f: music.Separation(m, RATE, -1),
    lambda m, f: music.Separation(m, RATE, 2).push(np.zeros((9, 1))),
    lambda m, f: music.Separation(m, RATE, 2).push(None),
    lambda m, f: music.Separation(m, RATE, 2).pull(-1),
    lambda m, f: music.Separation(m, RATE, 2).pull("all"),
    lambda m, f: music.Separation(m, RATE, 2).finish(),
    lambda m, f: music.separate_song(m, "/nowhere.wav", "/nowhere/x"),
    lambda m, f: music.separate_song(m, __file__, "/nowhere/x"),
    lambda m, f: music.separate_song(m, "/nowhere.wav", "/nowhere/x", format="mp3"),
    lambda m, f: music.separate_song(m, "/nowhere.wav", "/nowhere/x", depth=7),
    lambda m, f: music.separate_song(m, "/nowhere.wav", "/nowhere/x", frames=7),
    lambda m, f: music.separate_songs(m, "/nowhere.wav", "/nowhere/x"),
    lambda m, f: music.separate_songs(m, ["a/b.wav", "a/b.wav"], "/nowhere/x"),
    lambda m, f: music.score({}, {}, RATE),
    lambda m, f: music.score(7, {}, RATE),
    lambda m, f: music.score({"a": np.zeros((9, 1))}, {"b": np.zeros((9, 1))}, RATE),
    lambda m, f: music.score({"a": np.zeros((9, 1))}, {"a": np.zeros((8, 1))}, RATE),
    lambda m, f: music.score({"a": np.zeros((0, 1))}, {"a": np.zeros((0, 1))}, RATE),
    lambda m, f: music.score({"a": np.zeros((9, 0))}, {"a": np.zeros((9, 0))}, RATE),
    lambda m, f: music.score({"a": np.zeros((9, 1), int)}, {"a": np.zeros((9, 1))}, RATE),
    lambda m, f: music.score({"a": np.zeros((9, 1))}, {"a": np.zeros((9, 1))}, 0),
    lambda m, f: music.score({"a": np.zeros((99, 17))}, {"a": np.zeros((99, 17))}, 8000),
    lambda m, f: music.self_test(like="odd"),
    lambda m, f: music.self_test("/nowhere"),
    lambda m, f: music.self_test(progress=7),
    lambda m, f: music.self_test(like="tiny", device="abacus"),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_what_makes_no_sense_says_so(model, file, number):
    with pytest.raises((sluice.Error, TypeError, ValueError)) as raised:
        BAD[number](model, file)
    assert str(raised.value)
