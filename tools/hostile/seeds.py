"""The undamaged files of the hostile stage, written by our own programs, and what is run on them.

SPDX-License-Identifier: Apache-2.0
"""
import dataclasses
import os
import pathlib
import subprocess

from . import fields, oracle


@dataclasses.dataclass(frozen=True)
class Command:
    words: tuple  # of the command line, without the program
    result: str = ""  # a pattern for the files that it writes
    weight: int = 1


@dataclasses.dataclass(frozen=True)
class Case:
    """Files of one kind. `files`: a pattern for those that are damaged; `told`: whether a change
    of the results must have been told (oracle.py)."""
    name: str
    make: tuple  # shell commands, or text files as (name, text)
    files: tuple
    commands: tuple
    find: object = fields.plain
    told: object = oracle.nothing
    text: tuple = ()  # those that are made of lines


# Of a scan that is streamed: the answers of its file of tables, or of its frames.
TABLES = tuple(Command(("stem4d", *verb, "--stream", "--out", "out", "--format", "npy"), "out/*.npy")
               for verb in (("virtual-image", "x.npy", "--detector", "disk:r=5,center=16:16",
                             "--detector", "annulus:r=6..12,center=16:16"),
                            ("center-of-mass", "x.npy"), ("diffraction-pattern", "x.npy")))
DETECTORS = ("--detector", "disk:r=5,center=16:16", "--detector", "rectangle:rows=0..31,cols=0..31")


def stem(name, *options):
    analysis = (name, *options, "--out", "out", "--format", "npy")
    return (Command(("stem4d", "virtual-image", *analysis, *DETECTORS), "out/*.npy", 4),
            Command(("stem4d", "virtual-image", *analysis, *DETECTORS, "--stream"), "out/*.npy"),
            Command(("stem4d", "overview", name, *options, "--out", "out"), ""),
            Command(("stem4d", "diffraction-pattern", *analysis), "out/*.npy"),
            Command(("info", name, *options)), Command(("info", "--json", name, *options)),
            Command(("info", "--memory", name, *options)))


def arina(name, *options):
    make = "sluice synth arina si --scan 4x6 --detector 32x32 --frames-per-file 12 --dose 300 "
    return Case(name, (make + " ".join(options),), ("si*.h5",), stem("si_master.h5"), fields.hdf5,
                oracle.hdf5)


def recorded(name):
    path = "--order serpentine --flyback 1"
    make = ("sluice synth arina from --scan 4x6 --detector 32x32 --dose 300",
            f"sluice synth stream dectris-v2 from_master.h5 --bind ipc://x {path} --wait-s 60 & "
            f"sluice live ipc://x {path} --disk 16:16:5 --wait 60 --record si --out live "
            "--images-per-file 12; wait; rm -r from* live")
    return Case(name, make, ("si*.h5",), stem("si_master.h5"), fields.hdf5, oracle.hdf5)


def slides(name, *options):
    make = "make_czi x.czi --grid 2x2 --tile 48 --overlap 0.125 --pyramid " + " ".join(options)
    commands = (Command(("slide", "read", "x.czi", "--out", "out.npy"), "out.npy", 4),
                Command(("slide", "read", "x.czi", "--zoom", "0.5", "--out", "out.npy"), "out.npy"),
                Command(("slide", "read", "x.czi", "--recover", "--out", "out.npy"), "out.npy"),
                Command(("slide", "check", "--pixels", "x.czi")), Command(("info", "x.czi")),
                Command(("info", "--json", "x.czi")),
                Command(("slide", "convert", "x.czi", "out.zarr", "--chunk", "64"),
                        "out.zarr/**/[0-9]*"))
    return Case(name, (make,), ("x.czi",), commands, fields.czi, oracle.czi)


def images(name, options, told):
    """An OME-Zarr of 96 x 96 pixels."""
    make = ("make_czi x.czi --grid 2x2 --tile 48 --pixel gray16 --compression none",
            f"sluice slide convert x.czi x.zarr --min-size 64 {options}")
    again = ("slide", "convert", "x.czi", "x.zarr", "--min-size", "64", *options.split())
    commands = (Command(("slide", "read", "x.zarr", "--out", "out.npy"), "out.npy", 4),
                Command(("slide", "read", "x.zarr", "--zoom", "0.5", "--out", "out.npy"),
                        "out.npy"),
                Command(("info", "x.zarr")), Command(("info", "--json", "x.zarr")),
                Command((*again, "--resume")))
    return Case(name, make, ("x.zarr/**/*",), commands, fields.text, told,
                (".zattrs", ".zgroup", ".zarray", "zarr.json", ".xml"))


def scans(name, file, damaged, find=fields.plain, text=()):
    """A scan as `stem4d convert` writes it."""
    make = ("sluice synth arina from --scan 4x6 --detector 32x32 --dose 300",
            f"sluice stem4d convert from_master.h5 {file}; rm -r from*")
    commands = (*stem(file), Command(("stem4d", "convert", file, "out.npy", "--verify"), "out.npy"))
    return Case(name, make, damaged, commands, find, oracle.nothing, text)


PTYCHOGRAPHY = ("sluice synth arina si --scan 4x5 --detector 32x32 --dose 800",
                "sluice stem4d ptychography si_master.h5 --energy 300 --scan-step-nm 0.02 "
                "--size 32 --modes 2 --iterations 2 --refine-positions --format hdf5 --out r",
                "mv r/ptychography.h5 x.h5; rm -r si* r")

BEAM = """[grid]
depth = "40 mm"
width = "20 mm"
[[beam]]
energy = "60 MeV"
sigma_x = "2 mm"
"""
PLAN = BEAM + """[[beam]]
energy = "50 MeV"
sigma_x = "2 mm"
weight = 0.5
[output]
spectra = ["0 mm", "20 mm"]
"""
CT = """[grid]
[ct]
image = "1.dcm"
slice = 1
quantity = "HU"
[[beam]]
energy = "60 MeV"
sigma_x = "2 mm"
"""
IMAGE = """[grid]
[ct]
image = "slice.%s"
[[beam]]
energy = "60 MeV"
sigma_x = "2 mm"
"""
MHA = ("printf 'ObjectType = Image\\nNDims = 2\\nDimSize = 10 20\\nElementSpacing = 2 2\\n"
       "ElementType = MET_SHORT\\nElementDataFile = %s\\n' > slice.%s; "
       "head -c 400 /dev/zero >> slice.%s")
NRRD = ("printf 'NRRD0004\\ntype: short\\ndimension: 2\\nsizes: 10 20\\nspacings: 2 2\\n"
        "encoding: raw\\nendian: little\\n\\n' > slice.nrrd; head -c 400 /dev/zero >> slice.nrrd")
CURVE = "depth_mm,dose\n" + "".join(f"{d},{100 - (d - 20) ** 2 / 8:.3f}\n" for d in range(0, 45))


def proton(name, *options):
    return Command(("proton", "run", name, "--out", "out", "--format", "npy", *options),
                   "out/*.npy", 3)


def checkpoint(name, file, find):
    """A small network; x.yaml is its configuration."""
    made = (("make.py", pathlib.Path(__file__).with_name("checkpoints.py").read_text()),
            f"python3 make.py; mkdir keep; mv {file} x.yaml keep; rm -f make.py x.*; mv keep/* .; "
            "rmdir keep")
    convert = ("music", "convert", file, "--out", "out.safetensors")
    commands = (Command(("music", "inspect", file, "--config", "x.yaml")),
                Command(("music", "inspect", file, "--json")),
                Command((*convert, "--config", "x.yaml"), "out.safetensors", 3),
                Command(convert, "out.safetensors"))
    return Case(name, made, (file, "x.yaml"), commands, find, oracle.shorter(file), (".yaml",))


SOUNDS = pathlib.Path(__file__).resolve().parents[2] / "tests/fuzz/audio_fuzz"
MACHINES = pathlib.Path(__file__).resolve().parents[2] / "tests/fuzz/machine_fuzz"
DICOM = pathlib.Path(__file__).resolve().parents[2] / "tests/data/dicom"


def machine(name, file, x, find=fields.plain, text=()):
    """What a beam line makes of spots."""
    return Case(name, (f"cp '{MACHINES / file}' {x}",), (x,),
                (Command(("info", x), "", 2), Command(("info", "--json", x))), find, oracle.nothing,
                text)


def sound(name, file):
    """A sound of another program, and itself as what it is compared with."""
    ending = file.rpartition(".")[2]
    x, y = f"x.{ending}", f"y.{ending}"
    return Case(name, (f"cp '{SOUNDS / file}' {x}; cp {x} {y}",), (x,),
                (Command(("music", "score", x, y, "--quick"), "", 4),
                 Command(("music", "score", y, x, "--json"))), fields.header_of_sound)


WAVE = """\
import wave
f = wave.open("x.wav", "wb")
f.setparams((2, 2, 800, 0, "NONE", ""))
f.writeframes(bytes(k * k * 7 % 251 for k in range(4000)))
"""

CIF = """data_Al
_chemical_name_mineral Aluminium
_cell_length_a 4.0495
_cell_length_b 4.0495
_cell_length_c 4.0495
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_symmetry_space_group_name_H-M 'F m -3 m'
loop_
_atom_site_label
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
_atom_site_occupancy
_atom_site_B_iso_or_equiv
Al1 0 0 0 1 0.8
"""
LATTICE = "synthetic:crystal?scan=3x4&detector=96x96&dose=20000&strain=0,0,0,0&g1=18,2&g2=-2,18"
CRYSTAL = (("x.cif", CIF), f"sluice stem4d disks '{LATTICE}' --out d.h5",
           "sluice stem4d calibrate d.h5 --crystal x.cif --scan-rotation 10 --out x.json")
# Few zones of low frequencies, since a damaged number may make a large cell.
ORIENTATION = ("stem4d", "orientation", "d.h5", "--crystal", "x.cif", "--energy", "300",
               "--calibration", "x.json", "--zone-step", "10", "--most-frequency", "1", "--out")
PLAN_OF_SCAN = """scan = "s.npy"
disk = "16:15.5:6"
[load]
det_bin = 1
[virtual_image.rings]
detector = ["bf", "far=annulus:r=7..12"]
[diffraction_pattern]
kind = ["mean", "max"]
at = "1:2"
[center_of_mass]
within = "disk:r=9"
rotation = "20,transpose"
[disks]
template_radius = "5,1.2"
least_score = 25
"""


def orientation(command, *more):
    """A command that makes an orientation map, and others."""
    return (Command((*command, "out", "--format", "npy"), "out/*.npy", 3), *more)


CASES = (
    arina("nxmx-bslz4"),
    arina("nxmx-bszstd", "--compression bszstd"),
    arina("nxmx-bitshuffle", "--compression bitshuffle"),
    arina("nxmx-lz4", "--compression lz4"),
    arina("nxmx-gzip", "--compression gzip --dtype uint32"),
    arina("nxmx-none", "--compression none"),
    arina("nxmx-v2024", "--file-layout v2024"),
    recorded("nxmx-recorded"),
    arina("nxmx-channels", "--file-layout v2024 --channels 2"),
    Case("hdf5-plain", ("sluice synth arina si --scan 4x6 --detector 32x32 --dose 300",
                        "rm si_master.h5; rm -f si.h5; mv si_data_000001.h5 x.h5"),
         ("x.h5",), stem("x.h5", "--scan", "4x6"), fields.hdf5, oracle.hdf5),
    Case("npy", ("sluice synth npy x.npy --scan 4x6 --detector 32x32 --dose 300",), ("x.npy",),
         stem("x.npy"), fields.npy, oracle.npy),
    Case("tables", ("sluice synth npy x.npy --scan 64x20 --detector 32x32 --dose 300",
                    "sluice stem4d tables x.npy --center 16:16"), ("x.npy.sluice-tables",), TABLES,
         fields.plain, oracle.everything),
    Case("raw", ("sluice synth raw x.raw --scan 4x6 --detector 32x32 --dose 300",), ("x.raw",),
         stem("x.raw", "--raw-frame", "32x32", "--raw-dtype", "uint16", "--scan", "4x6"),
         fields.plain, oracle.length),
    Case("ptychography-result", PTYCHOGRAPHY, ("x.h5",),
         (Command(("info", "x.h5"), "", 4), Command(("info", "--json", "x.h5"))), fields.hdf5),
    Case("cif", CRYSTAL, ("x.cif",),
         orientation(ORIENTATION,
                     Command(("stem4d", "calibrate", "d.h5", "--crystal", "x.cif", "--out",
                              "out.json"), "out.json", 2)), fields.text, text=(".cif",)),
    Case("calibration", CRYSTAL, ("x.json",),
         orientation(ORIENTATION, Command(("info", "x.json"), "", 2),
                     Command(("info", "--json", "x.json")),
                     Command(("stem4d", "strain", "d.h5", "--calibration", "x.json", "--out",
                              "out", "--format", "npy"), "out/*.npy", 2)),
         fields.text, text=(".json",)),
    Case("orientation-map", (*CRYSTAL, "sluice " + " ".join(ORIENTATION) + " r",
                             "mv r/orientation.h5 x.h5; rm -r r x.cif x.json d.h5"), ("x.h5",),
         (Command(("info", "x.h5"), "", 2), Command(("info", "--json", "x.h5"))), fields.hdf5),
    Case("analyze-toml", ("sluice synth npy s.npy --scan 4x6 --detector 32x32 --dose 300",
                          ("x.toml", PLAN_OF_SCAN)), ("x.toml",),
         (Command(("stem4d", "analyze", "x.toml", "--out", "out", "--format", "npy"), "out/*.npy",
                  3),), fields.text, text=(".toml",)),
    slides("czi-none", "--pixel gray16 --compression none --channels 2"),
    slides("czi-bgr", "--pixel bgr24 --compression none"),
    slides("czi-zstd0", "--pixel gray8 --compression zstd0 --slices 2"),
    slides("czi-zstd1", "--pixel gray16 --compression zstd1 --scenes 2"),
    slides("czi-lzw", "--pixel gray8 --compression lzw"),
    slides("czi-jpeg", "--pixel bgr24 --compression jpeg"),
    slides("czi-jpegxr", "--pixel bgr24 --compression jpegxr"),
    slides("czi-float", "--pixel gray32float --compression zstd1 --directory-first"),
    scans("scan-zarr", "x.zarr", ("x.zarr/**/*",), fields.text, ("zarr.json",)),
    scans("scan-zspy", "x.zspy", ("x.zspy/**/*",), fields.text, (".zattrs", ".zgroup", ".zarray")),
    scans("scan-raw", "x.raw", ("x.toml",), fields.text, (".toml",)),
    images("zarr", "--chunk 32", oracle.chunks),
    images("zarr-shards", "--ngff 0.5 --chunk 32 --shard 64 --codec zstd", oracle.shards(4)),
    Case("proton-toml", (("x.toml", PLAN),), ("x.toml",), (proton("x.toml"),), fields.text,
         oracle.nothing, (".toml",)),
    Case("proton-mha", (MHA % ("LOCAL", "mha", "mha"), ("x.toml", IMAGE % "mha")),
         ("slice.mha", "x.toml"), (proton("x.toml"),),
         fields.header_then_pixels(b"ElementDataFile"), oracle.volume, (".mha", ".toml")),
    Case("proton-mhd", (MHA % ("slice.raw", "mhd", "raw"), ("x.toml", IMAGE % "mhd")),
         ("slice.mhd", "slice.raw"), (proton("x.toml"),),
         fields.header_then_pixels(b"ElementDataFile"), oracle.volume, (".mhd",)),
    Case("proton-nrrd", (NRRD, ("x.toml", IMAGE % "nrrd")), ("slice.nrrd", "x.toml"),
         (proton("x.toml"),), fields.header_then_pixels(b"endian"), oracle.volume,
         (".nrrd", ".toml")),
    Case("dicom-ct", (f"cp '{DICOM}'/ct/*.dcm .", ("x.toml", CT)), ("1.dcm",),
         (proton("x.toml"), Command(("info", ".")), Command(("info", "--json", "1.dcm")))),
    Case("dicom-plan", (f"cp '{DICOM}/dcpt_plan02.dcm' x.dcm",), ("x.dcm",),
         (Command(("info", "x.dcm"), "", 2), Command(("info", "--json", "x.dcm")))),
    Case("dicom-structures", (f"cp '{DICOM}/structures.dcm' x.dcm",), ("x.dcm",),
         (Command(("info", "x.dcm"), "", 2), Command(("info", "--json", "x.dcm")))),
    machine("machine-toml", "machine.toml", "x.toml", fields.text, (".toml",)),
    machine("machine-model", "beam_model.txt", "x.txt", fields.text, (".txt",)),
    machine("machine-mat", "plain.mat", "x.mat"),
    machine("machine-packed-mat", "packed.mat", "x.mat"),
    Case("proton-gamma", (("x.toml", BEAM), "sluice proton run x.toml --out d --format npy",
                          "mv d/dose.npy a.npy; cp a.npy b.npy; rm -r d", ("c.csv", CURVE),
                          ("e.csv", CURVE)), ("a.npy", "c.csv"),
         (Command(("proton", "gamma", "a.npy", "b.npy", "--spacing", "1,1", "--values", "g.npy"),
                  "g.npy"), Command(("proton", "gamma", "c.csv", "e.csv"))),
         fields.npy, oracle.nothing, (".csv",)),
    Case("wav", (("make.py", WAVE), "python3 make.py; cp x.wav y.wav; rm make.py"), ("x.wav",),
         (Command(("music", "score", "x.wav", "y.wav", "--quick"), "", 8),
          Command(("music", "score", "y.wav", "x.wav", "--json")))),
    sound("wav-float", "float.wav"),
    sound("wav-24", "pcm24.wav"),
    sound("wav-rf64", "rf64.wav"),
    sound("flac", "a.flac"),
    sound("ogg-vorbis", "vorbis.ogg"),
    sound("ogg-opus", "opus.ogg"),
    sound("mp3", "a.mp3"),
    checkpoint("checkpoint-zip", "x.ckpt", fields.archive),
    checkpoint("checkpoint-legacy", "x.th", fields.plain),
    checkpoint("checkpoint-safetensors", "x.safetensors", fields.header_of_safetensors),
)


def make(case, folder, binaries):
    """Writes the undamaged files of a case."""
    folder.mkdir(parents=True, exist_ok=True)
    path = os.environ | {"PATH": f"{binaries}:{os.environ['PATH']}"}
    for step in case.make:
        if isinstance(step, tuple):
            (folder / step[0]).write_text(step[1])
            continue
        done = subprocess.run(["/bin/sh", "-ec", step], cwd=folder, env=path, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            raise RuntimeError(f"{case.name}: {step}: {done.stdout.strip()}")


def damaged_files(case, folder):
    """The files of a seed that are damaged, by their names."""
    names = {str(path.relative_to(folder)) for pattern in case.files
             for path in pathlib.Path(folder).glob(pattern) if path.is_file()}
    return sorted(name for name in names if (pathlib.Path(folder) / name).stat().st_size)
