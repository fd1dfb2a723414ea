"""Files, read back by NumPy and by this package; whole or not there at all.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pickle

import numpy as np
import pytest

import sluice

RNG = np.random.default_rng(1)


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4",
                                   "f8", "c8", "c16", ">f4", ">u2"])
@pytest.mark.parametrize("shape", [(), (3,), (4, 5), (2, 3, 4), (0, 7)])
def test_npy_of_all_types(tmp_path, dtype, shape):
    array = (RNG.random(shape) * 100).astype(dtype)
    sluice.save_npy(tmp_path / "a.npy", array)
    again = np.load(tmp_path / "a.npy")
    assert again.shape == shape and again.dtype == np.dtype(dtype).newbyteorder("=")
    assert np.array_equal(again, array)


def test_arrays_of_any_strides(tmp_path):
    array = np.arange(60.0).reshape(3, 4, 5)
    for turned in (array[::-1], array.T, array[:, ::-2, 1:], np.asfortranarray(array)):
        sluice.save_npy(tmp_path / "a.npy", turned)
        assert np.array_equal(np.load(tmp_path / "a.npy"), turned)
    sluice.save_npy(tmp_path / "a.npy", [[1, 2], [3, 4]])
    assert np.load(tmp_path / "a.npy").tolist() == [[1, 2], [3, 4]]


def test_volumes_travel(tmp_path):
    image = RNG.random((3, 4, 5)).astype(np.float32)
    v = sluice.Volume(image, spacing=(1, 2, 3), origin=(-1, 0.5, 9), content="dose, Gy")
    sluice.save_metaimage(tmp_path / "a.mha", v)
    sluice.save_metaimage(tmp_path / "a.mhd", v)
    sluice.save_nrrd(tmp_path / "a.nrrd", v, {"note": "so"})
    assert (tmp_path / "a.raw").exists()
    assert b"note" in (tmp_path / "a.nrrd").read_bytes()[:2000]
    for name in ("a.mha", "a.mhd", "a.nrrd"):
        again = sluice.load_volume(tmp_path / name)
        assert np.array_equal(again.image, image)
        assert again.spacing == (1, 2, 3) and again.origin == (-1, 0.5, 9) and not again.turned
    sluice.save_npy(tmp_path / "a.npy", image)
    assert sluice.load_volume(tmp_path / "a.npy").spacing is None
    mirrored = sluice.Volume(image, spacing=(1, 2, 3), direction=np.diag([-1, 1, 1]))
    sluice.save_nrrd(tmp_path / "a.nrrd", mirrored)
    for made in (mirrored, sluice.load_volume(tmp_path / "a.nrrd"),
                 pickle.loads(pickle.dumps(mirrored))):
        assert made.turned and made.direction.tolist() == [[-1, 0, 0], [0, 1, 0], [0, 0, 1]]
    with pytest.raises(sluice.InvalidArgument):
        sluice.Volume(image, direction=[1, 0, 0])
    with pytest.raises(MemoryError):
        sluice.load_volume(tmp_path / "a.mha", most_bytes=100)
    travelled = pickle.loads(pickle.dumps(v))
    assert np.array_equal(travelled.image, v.image) and travelled.origin == v.origin


def test_an_image_of_a_volume_outlives_it():
    image = sluice.Volume(np.ones((4, 4)), spacing=(1, 1)).image
    assert image.sum() == 16 and image.dtype == np.float32


def test_provenance_comes_first(tmp_path):
    source = tmp_path / "in.bin"
    source.write_bytes(b"12345")
    where = sluice.Provenance("notebook 1", [source], note="x")
    where.add("note", "y")
    assert list(where)[:3] == ["program", "version", "commit"]
    assert where["note"] == "x\ny" and "5" in where["source"]
    with pytest.raises(KeyError):
        where["nothing"]


def test_tiff_has_its_pages(tmp_path):
    tifffile = pytest.importorskip("tifffile")
    for dtype in ("u1", "u2", "i4", "f4", "f8"):
        pages = (RNG.random((2, 5, 7)) * 90).astype(dtype)
        sluice.save_tiff(tmp_path / "a.tif", pages, {"note": "z"})
        assert np.array_equal(tifffile.imread(tmp_path / "a.tif"), pages)
    rgb = (RNG.random((5, 7, 3)) * 90).astype(np.uint8)
    sluice.save_tiff(tmp_path / "a.tif", rgb, samples=True)
    assert np.array_equal(tifffile.imread(tmp_path / "a.tif"), rgb)


def test_hdf5_has_its_arrays(tmp_path):
    file = tmp_path / "a.h5"
    sluice.save_hdf5(file, {"com/row": np.eye(3), "f": np.ones(4, np.float32),
                            "n": np.arange(5, dtype=np.uint16), "s": np.arange(-2, 3)},
                     {"note": "n"}, units={"com/row": "px"})
    h5py = pytest.importorskip("h5py")
    with h5py.File(file) as f:
        assert np.array_equal(f["com/row"], np.eye(3)) and f["f"].dtype == np.float32
        assert f["n"].dtype == np.uint64 and f["s"][:].tolist() == [-2, -1, 0, 1, 2]
        assert f["com/row"].attrs["units"] in ("px", b"px") and "version" in f.attrs


def test_png_and_tiff_begin_as_they_should(tmp_path):
    sluice.save_png(tmp_path / "a.png", np.zeros((4, 5), np.uint8), {"note": "n"})
    sluice.save_png(tmp_path / "b.png", np.zeros((4, 5, 3), np.uint8))
    sluice.save_tiff(tmp_path / "a.tif", np.zeros((4, 5), np.float32))
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    assert (tmp_path / "a.tif").read_bytes()[:2] == b"II"


BAD = [
    lambda f: sluice.save_npy(f, np.array([object()])),
    lambda f: sluice.save_npy(f, np.array(["text"])),
    lambda f: sluice.save_npy(f, np.zeros(3, "M8[s]")),
    lambda f: sluice.save_npy(f, np.zeros(3, [("a", "f4")])),
    lambda f: sluice.save_npy(f, np.zeros(2, np.longdouble)),
    lambda f: sluice.save_npy(f, None),
    lambda f: sluice.save_tiff(f, np.zeros((4, 5), complex)),
    lambda f: sluice.save_tiff(f, np.zeros(4, np.float32)),
    lambda f: sluice.save_tiff(f, np.zeros((0, 4), np.float32)),
    lambda f: sluice.save_tiff(f, np.zeros((4, 5, 2), np.float32), samples=True),
    lambda f: sluice.save_tiff(f, np.zeros((4, 5), np.float32), provenance=7),
    lambda f: sluice.save_hdf5(f, np.zeros(3)),
    lambda f: sluice.save_hdf5(f, {"/a": np.zeros(3)}),
    lambda f: sluice.save_hdf5(f, {"": np.zeros(3)}),
    lambda f: sluice.save_hdf5(f, {"a": np.zeros(3, complex)}),
    lambda f: sluice.save_hdf5(f, {"a": np.array([2**62 + 1])}),
    lambda f: sluice.save_hdf5(f, {"a": np.zeros(3)}, units={"b": "mm"}),
    lambda f: sluice.save_png(f, np.zeros((4, 5))),
    lambda f: sluice.save_png(f, np.zeros((4, 5, 4), np.uint8)),
    lambda f: sluice.save_png(f, np.zeros((0, 5, 3), np.uint8)),
    lambda f: sluice.save_metaimage(f, np.zeros(3)),
    lambda f: sluice.save_metaimage(f, np.array([[object()]])),
    lambda f: sluice.save_nrrd(f, np.zeros((2, 2, 2, 2))),
    lambda f: sluice.Volume(np.zeros((3, 3)), spacing=(1,)),
    lambda f: sluice.Volume(np.zeros((3, 3)), spacing=(1, 0)),
    lambda f: sluice.Volume(np.zeros((3, 3)), origin=(1, np.nan)),
    lambda f: sluice.Volume(np.zeros((3, 0))),
    lambda f: sluice.Volume("no array"),
    lambda f: sluice.load_volume(f),
    lambda f: sluice.load_volume(7),
    lambda f: sluice.save_npy(7, np.zeros(3)),
    lambda f: sluice.save_npy(os.path.join(f, "no", "folder.npy"), np.zeros(3)),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_what_cannot_be_saved_says_so_and_leaves_nothing(tmp_path, number):
    with pytest.raises((sluice.Error, TypeError)) as raised:
        BAD[number](str(tmp_path / "a"))
    assert str(raised.value)
    assert not list(tmp_path.iterdir())


def test_a_refusal_of_the_progress_leaves_the_old_file(tmp_path):
    file = tmp_path / "a.npy"
    sluice.save_npy(file, np.arange(3))
    with pytest.raises(sluice.Cancelled):
        sluice.save_npy(file, np.zeros(1 << 22), progress=lambda done, total: False)
    assert np.load(file).tolist() == [0, 1, 2] and len(list(tmp_path.iterdir())) == 1
