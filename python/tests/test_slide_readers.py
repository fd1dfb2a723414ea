"""The readers of napari and bioio, and the calls of pylibCZIrw, beside the packages themselves.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest
import slide_files
from slide_files import mosaic, truth, write

import sluice
from sluice import slide as slides

PLANES = [dict(C=c, Z=z, T=0) for c in range(2) for z in range(3)]
HERE = pathlib.Path(sluice.__file__).parent


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("readers")


@pytest.fixture(scope="module")
def gray(folder):
    tiles = mosaic(PLANES, "u2", scenes=2)
    return tiles, write(folder / "gray.czi", tiles)


@pytest.fixture(scope="module")
def color(folder):
    tiles = slide_files.pyramid(mosaic([{}], "u1", (3,)))
    return tiles[:6], write(folder / "color.czi", tiles)


@pytest.fixture(scope="module")
def measured(folder):
    path = folder / "measured.czi"
    if not slide_files.make_czi(path, "--grid", "3x2", "--tile", "128x96", "--pyramid", "--scenes",
                                2, "--compression", "zstd1", "--channels", 2, "--slices", 3,
                                "--pixel", "gray16"):
        pytest.skip("make_czi is not built")
    return path


# napari

def test_the_manifest_is_valid():
    npe2 = pytest.importorskip("npe2")
    manifest = npe2.PluginManifest.from_file(HERE / "napari.yaml")
    assert manifest.name == "sluice"
    reader = manifest.contributions.readers[0]
    command = {c.id: c for c in manifest.contributions.commands}[reader.command]
    module, name = command.python_name.split(":")
    import importlib
    assert callable(getattr(importlib.import_module(module), name))


def test_npe2_calls_the_reader(measured):
    npe2 = pytest.importorskip("npe2")
    manager = npe2.PluginManager.instance()
    if "sluice" not in manager:  # it is where the package is installed
        manager.register(npe2.PluginManifest.from_file(HERE / "napari.yaml"))
    layers = npe2.read([str(measured)], stack=False, plugin_name="sluice")
    assert len(layers) == 4  # two scenes of two channels
    arrays, options, kind = layers[3]
    assert kind == "image" and options["multiscale"] and not options["rgb"]
    assert [a.shape for a in arrays] == [(3, 180, 360), (3, 90, 180), (3, 45, 90)]
    assert options["name"] == "measured.czi Scene2 C2"
    np.testing.assert_allclose(options["scale"], [1, 0.22, 0.22])
    with slides.open(measured) as slide:
        places = [scene.bounds for scene in slide.scenes]
        left, top = slide.bounds.x, slide.bounds.y
    for layer, place in zip((layers[0], layers[2]), places):
        np.testing.assert_allclose(layer[1]["translate"], [0, 0.22 * (place.y - top), 0.22 * (place.x - left)])
    assert layers[0][1]["translate"] != layers[2][1]["translate"]
    assert options["metadata"]["sluice"]["units"] == ["um", "um", "um"]
    right = slides.open(measured).read(scene=1, C=1, Z=2, level=1)
    assert np.array_equal(arrays[1][2].compute(), right)
    # A view of one slice reads no other.
    assert arrays[0].numblocks[0] == 3


FOUND = """
import sys, warnings
warnings.simplefilter("ignore")
path = sys.argv[1]
import npe2
manager = npe2.PluginManager.instance()
manager.discover()
layers = npe2.read([path], stack=False, plugin_name="sluice")
print("napari", "sluice" in manager, len(layers))
from importlib.metadata import entry_points
print("bioio", [e.load().ReaderMetadata.__name__ for e in entry_points(group="bioio.readers")
                if e.name == "sluice"])
try:
    from bioio import BioImage
except ImportError:
    sys.exit()
image = BioImage(path, reader=__import__("sluice.bioio").bioio.Reader)
from bioio.plugins import get_plugins
print("plugins", [p.entrypoint.name for p in get_plugins(False)[".czi"] if
                  p.entrypoint.name == "sluice"])
"""


def test_where_it_is_installed_napari_and_bioio_find_it(measured, tmp_path):
    pytest.importorskip("npe2")
    pytest.importorskip("bioio_base")
    tomllib = pytest.importorskip("tomllib", reason="tomllib is of Python 3.11")
    project = tomllib.loads((slide_files.ROOT / "pyproject.toml").read_text())["project"]
    installed = tmp_path / "sluice-0.dist-info"  # what pip writes beside the package
    installed.mkdir()
    extras = [f"Provides-Extra: {name}\n" + "".join(
        f"Requires-Dist: {need}; extra == '{name}'\n" for need in needs)
        for name, needs in project["optional-dependencies"].items()]
    (installed / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: sluice\nVersion: 0\n" + "".join(extras))
    (installed / "entry_points.txt").write_text("".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
        for group, points in project["entry-points"].items()))
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    said = subprocess.run([sys.executable, "-c", FOUND, measured], text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT).stdout
    assert "napari True 4" in said and "bioio ['ReaderMetadata']" in said, said
    assert "plugins" not in said or "plugins ['sluice']" in said, said


def test_colours_are_rgb_layers(color):
    from sluice import _napari
    tiles, path = color
    (arrays, options, _), = _napari.get_reader([str(path)])([str(path)])
    assert options["rgb"] and options["scale"] == [1.0, 1.0] and options["translate"] == [0.0, 0.0] and len(arrays) == 2
    assert np.array_equal(arrays[0].compute(), truth(tiles)[0])
    assert options["metadata"]["sluice"]["units"] == ["pixel", "pixel"]


def test_napari_is_refused_what_is_no_slide(folder):
    from sluice import _napari
    (folder / "text.czi").write_text("no slide")
    for path in (folder / "text.czi", "/nowhere/a.czi", [], None, 3, ["a.czi", "b.czi"]):
        assert _napari.get_reader(path) is None


# bioio

def open_files():
    return {os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")
            if os.path.exists(f"/proc/self/fd/{fd}")}


def test_bioios_reader(measured):
    pytest.importorskip("bioio_base")
    from sluice.bioio import Reader, ReaderMetadata
    assert ReaderMetadata.get_reader() is Reader
    assert ReaderMetadata.get_supported_extensions() == [".czi"]
    reader = Reader(measured)
    assert reader.scenes == ("Scene1", "Scene2") and reader.resolution_levels == (0, 1, 2)
    assert reader.dims.order == "CZYX" and reader.shape == (2, 3, 180, 360)
    np.testing.assert_allclose(reader.physical_pixel_sizes, (1, 0.22, 0.22))
    assert reader.channel_names == ["C1", "C2"] and reader.time_interval is None
    slide = slides.open(measured)
    right = slide.read_planes(scene=0, Z="all")
    slide.close()
    assert np.array_equal(reader.data, right)
    assert np.array_equal(reader.dask_data[1, 2].compute(), right[1, 2])
    assert np.array_equal(reader.get_image_data("ZYX", C=1), right[1])
    reader.set_scene("Scene2")
    reader.set_resolution_level(1)
    with slides.open(measured) as slide:
        assert np.array_equal(reader.data, slide.read_planes(scene=1, level=1, Z="all"))
    np.testing.assert_allclose(reader.physical_pixel_sizes, (1, 0.44, 0.44))
    assert "<Metadata" in reader.metadata or reader.metadata
    assert np.array_equal(pickle.loads(pickle.dumps(reader)).data, reader.data)


def test_bioio_has_no_file_open_between_calls(gray):
    pytest.importorskip("bioio_base")
    from sluice.bioio import Reader
    tiles, path = gray
    reader = Reader(str(path))
    assert reader.dims.order == "CZYX" and reader.data.shape == (2, 3, 112, 115)
    assert reader.scenes == ("Image:0", "Image:1")
    assert not {f for f in open_files() if f == str(path)}


def test_bioio_is_told_what_is_no_slide(folder):
    base = pytest.importorskip("bioio_base")
    from sluice.bioio import Reader
    path = folder / "none.czi"
    path.write_text("no slide")
    with pytest.raises(base.exceptions.UnsupportedFileFormatError):
        Reader(path)
    with pytest.raises(base.exceptions.UnsupportedFileFormatError):
        Reader.is_supported_image(path)
    with pytest.raises(TypeError):
        Reader(np.zeros(3))


def test_bioimage_with_our_reader(color):
    bioio = pytest.importorskip("bioio", reason="bioio is not installed")
    from sluice.bioio import Reader
    tiles, path = color
    image = bioio.BioImage(path, reader=Reader)
    assert image.dims.order == "TCZYXS"
    assert np.array_equal(image.data[0, 0, 0], truth(tiles)[0])


# The calls of pylibCZIrw

def rival():
    return pytest.importorskip("pylibCZIrw.czi", reason="pylibCZIrw is not installed")


def pathologist(pyczi, path):
    """A script as people have it: only the import above it differs."""
    out = []
    with pyczi.open_czi(str(path)) as document:
        box = document.total_bounding_box
        out += [box["C"], box["Z"], box["X"], box["Y"], document.pixel_types]
        for scene, rectangle in document.scenes_bounding_rectangle.items():
            out.append((scene, tuple(rectangle)))
            for c in range(*box["C"]):
                for z in range(*box["Z"]):
                    out.append(document.read(plane={"C": c, "Z": z, "T": 0}, scene=scene))
            x, y, w, h = rectangle
            out.append(document.read(roi=(x + w // 4, y + h // 4, w // 2, h // 2),
                                     plane={"C": 0}, scene=scene))
        out.append(document.read())
        out.append(document.read(roi=(box["X"][0] - 5, box["Y"][0], 30, 20)))
        out.append(document.read(roi=(box["X"][1] + 500, box["Y"][0], 7, 8)))
        out.append(document.read(zoom=0.5).shape)
        out.append(document.read(zoom=0.3).shape)
    return out


@pytest.mark.parametrize("which", ["gray", "color", "measured"])
def test_a_script_for_pylibczirw_gives_the_same(which, request):
    theirs = rival()
    from sluice import pylibczirw as ours
    found = request.getfixturevalue(which)
    path = found if which == "measured" else found[1]
    for got, want in zip(pathologist(ours, path), pathologist(theirs, path), strict=True):
        if isinstance(want, np.ndarray):
            assert got.dtype == want.dtype and got.shape == want.shape
            assert np.array_equal(got, want)
        else:
            assert got == want


def test_the_calls_of_pylibczirw(color, gray):
    from sluice import pylibczirw as pyczi
    tiles, path = color
    want = truth(tiles)[0]
    with pyczi.open_czi(str(path)) as document:
        assert document.pixel_types == {0: "Bgr24"}
        assert document.get_channel_pixel_type(4) == "Invalid"
        got = document.read(roi=(-20 + 5, 7 + 6, 40, 30))
        assert got.flags.c_contiguous and np.array_equal(got, want[6:36, 5:45, ::-1])
        white = document.read(roi=(5000, 5000, 4, 3), background_pixel=(1, 1, 1), zoom=0.5)
        assert white.shape == (1, 2, 3) and (white == 255).all()
        with pytest.raises(ValueError, match="scene"):
            document.read(scene=5)
        for wrong in (dict(pixel_type="Gray8"), dict(background_pixel=(1, 0, 0))):
            with pytest.raises(sluice.Unsupported):
                document.read(**wrong)
        with pytest.raises(TypeError):
            document.read(roi=(1, 2, 3))
    with pytest.raises(sluice.InvalidArgument, match="closed"):
        document.read()
    with pytest.raises(sluice.Unsupported):
        with pyczi.open_czi(str(path), reader_options=3):
            pass
    with pyczi.open_czi(str(gray[1])) as document:
        assert document.total_bounding_box == {"C": (0, 2), "Z": (0, 3), "T": (0, 1),
                                               "X": (-20, 395), "Y": (-23, 119)}
        assert document.scenes_bounding_rectangle[1] == (280, -23, 115, 112)
        got = document.read(plane={"C": 1, "Z": 2}, scene=1)
        assert got.shape == (112, 115, 1)
        assert np.array_equal(got[..., 0], truth(gray[0], 1, C=1, Z=2)[0])
        with pytest.raises(sluice.InvalidArgument):
            document.read(plane={"C": 7})


def real_files():
    return sorted(pathlib.Path(slide_files.DATA, "czi").glob("*.czi")) if slide_files.DATA else []


def test_files_of_microscopes_are_what_pylibczirw_reads():
    theirs = rival()
    from sluice import pylibczirw as ours
    if not real_files():
        pytest.skip("SLUICE_DATA is not set: no files of microscopes")
    for path in real_files():
        with theirs.open_czi(str(path)) as a, ours.open_czi(str(path)) as b:
            rectangle = a.total_bounding_rectangle_no_pyramid
            assert tuple(rectangle) == tuple(b.total_bounding_rectangle_no_pyramid), path
            roi = (rectangle.x, rectangle.y, min(rectangle.w, 700), min(rectangle.h, 500))
            for c in range(a.total_bounding_box["C"][1]):
                want, got = a.read(roi=roi, plane={"C": c}), b.read(roi=roi, plane={"C": c})
                assert np.array_equal(got, want), (path, c)


def test_aicspylibczi_reads_the_same(measured, color):
    theirs = pytest.importorskip("aicspylibczi", reason="aicspylibczi is not installed")
    slide = slides.open(measured)
    file = theirs.CziFile(measured)
    box = slide.scenes[1].bounds
    want = file.read_mosaic(region=(box.x + 9, box.y + 7, 100, 80), scale_factor=1.0, C=1, Z=2)
    assert np.array_equal(np.squeeze(want),
                          slide.read(region=(9, 7, 100, 80), scene=1, C=1, Z=2))
    want = theirs.CziFile(color[1]).read_mosaic(region=(0, 10, 50, 40), scale_factor=1.0, C=0)
    got = slides.open(color[1]).read(rect=(0, 10, 50, 40))
    assert np.array_equal(np.squeeze(want), got[..., ::-1])


def test_bioio_czi_reads_the_same(measured):
    bioio = pytest.importorskip("bioio", reason="bioio is not installed")
    czi = pytest.importorskip("bioio_czi", reason="bioio-czi is not installed")
    from sluice.bioio import Reader
    theirs, ours = (bioio.BioImage(measured, reader=r) for r in (czi.Reader, Reader))
    assert len(theirs.scenes) == len(ours.scenes) == 2
    assert theirs.channel_names == ours.channel_names
    assert theirs.physical_pixel_sizes == pytest.approx(ours.physical_pixel_sizes)
    for scene in range(2):
        theirs.set_scene(scene)
        ours.set_scene(scene)
        assert theirs.dims.order == ours.dims.order == "TCZYX" and theirs.shape == ours.shape
        assert np.array_equal(theirs.get_image_data("CZYX"), ours.get_image_data("CZYX"))
        assert np.array_equal(theirs.get_image_dask_data("YX", C=1, Z=2).compute(),
                              slides.open(measured).array(ours.current_scene_index)[1, 2])
