"""The libraries of other people that the wheel is linked with: how each is built out of the sources
of Debian's packages, with Debian's patches, as small as Sluice needs it.

SPDX-License-Identifier: Apache-2.0
"""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Library:
    """One recipe. `words` go to CMake, to ./configure or to make."""
    name: str
    package: str                # Debian's source package
    license: str                # of what is linked; the words of the SPDX list
    how: str                    # cmake, configure or make
    words: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    folder: str = "."           # where in its sources that is run
    part: str = "."             # what ./configure readies, and make is to make of that
    suite: str = "bookworm"
    patched: bool = True        # Debian's patches are there to apply
    without: tuple[str, ...] = ()  # sources that are not compiled


# In the order of building. What is switched off is what no file of Sluice's needs.
LIBRARIES = (
    # Debian 12 has 2.6, whose sources are not on every mirror; 3.7 is Debian 13's. Its primitives
    # run on the thread that calls them (src/nn/onednn.cpp): without threads of its own it needs no
    # OpenMP. AVX-512 multiplies matrices by other means than these kernels.
    Library("onednn", "onednn", "Apache-2.0 AND BSD-3-Clause", "cmake", (
        "-DDNNL_LIBRARY_TYPE=STATIC", "-DDNNL_CPU_RUNTIME=SEQ", "-DDNNL_GPU_RUNTIME=NONE",
        "-DDNNL_BUILD_TESTS=OFF", "-DDNNL_BUILD_EXAMPLES=OFF", "-DDNNL_BUILD_DOC=OFF",
        "-DONEDNN_BUILD_GRAPH=OFF", "-DDNNL_ENABLE_WORKLOAD=INFERENCE",
        "-DDNNL_ENABLE_PRIMITIVE=CONVOLUTION;DECONVOLUTION;MATMUL;REORDER",
        "-DONEDNN_ENABLE_GEMM_KERNELS_ISA=AVX2", "-DDNNL_ENABLE_JIT_PROFILING=OFF",
        "-DDNNL_ENABLE_ITT_TASKS=OFF", "-DDNNL_ARCH_OPT_FLAGS=",
        # What is fast it writes itself, at run time: -O1 halves the time of this build.
        "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"), suite="trixie",
        # Primitives that are switched off above; compiled, the linker would leave them out.
        without=tuple(f"src/cpu/{path}.cpp" for path in (
            "rnn/[!r]*", "rnn/ref_*", "x64/rnn/*", "x64/lrn/*", "x64/prelu/*", "x64/shuffle/*",
            "n*_pooling", "n*_normalization", "*ref_*normalization", "simple_layer_normalization",
            "ref_lrn", "ref_pooling", "ref_prelu", "ref_resampling", "ref_shuffle", "ref_softmax",
            "ref_reduction", "simple_resampling", "x64/*resampling*", "x64/*normalization*",
            "x64/*pool*", "x64/*softmax*", "x64/jit_uni_reduction*", "x64/*conv_bwd_w"))),
    Library("zlib", "zlib", "Zlib", "configure", ("--static",)),
    Library("lz4", "lz4", "BSD-2-Clause", "make", ("BUILD_SHARED=no", "install"), folder="lib"),
    Library("zstd", "libzstd", "BSD-3-Clause", "make",
            ("ZSTD_LEGACY_SUPPORT=0", "install-static", "install-includes", "install-pc"),
            folder="lib"),
    Library("jpeg", "libjpeg-turbo", "IJG AND BSD-3-Clause AND Zlib", "cmake",
            ("-DENABLE_SHARED=OFF", "-DWITH_TURBOJPEG=OFF", "-DREQUIRE_SIMD=ON")),
    Library("png", "libpng1.6", "libpng-2.0", "cmake",
            ("-DPNG_SHARED=OFF", "-DPNG_TESTS=OFF"), needs=("zlib",)),
    # Sluice writes pixels as they are: no codec is needed, and jbig's would be under the GPL.
    Library("tiff", "tiff", "libtiff", "cmake", tuple(
        f"-D{word}=OFF" for word in ("zlib", "libdeflate", "jpeg", "jbig", "lerc", "lzma", "zstd",
                                     "webp", "cxx", "tiff-tools", "tiff-tests", "tiff-contrib",
                                     "tiff-docs"))),
    # No network (ROS3), no szip; thread-safe like Debian's, whose changes are how it is packaged.
    Library("hdf5", "hdf5", "BSD-3-Clause", "configure", (
        "--disable-shared", "--enable-build-mode=production", "--disable-hl", "--disable-tests",
        "--disable-tools", "--enable-threadsafe", "--without-szlib"), needs=("zlib",),
            patched=False),
    Library("pugixml", "pugixml", "MIT", "cmake"),
    Library("fmt", "fmtlib", "MIT", "cmake", ("-DFMT_TEST=OFF", "-DFMT_DOC=OFF")),
    Library("yaml-cpp", "yaml-cpp", "MIT", "cmake",
            ("-DYAML_CPP_BUILD_TESTS=OFF", "-DYAML_CPP_BUILD_TOOLS=OFF",
             "-DYAML_BUILD_SHARED_LIBS=OFF")),
    Library("blosc", "c-blosc", "BSD-3-Clause", "cmake",
            ("-DBUILD_SHARED=OFF", "-DBUILD_TESTS=OFF", "-DBUILD_FUZZERS=OFF",
             "-DBUILD_BENCHMARKS=OFF", "-DPREFER_EXTERNAL_LZ4=ON", "-DPREFER_EXTERNAL_ZLIB=ON",
             "-DPREFER_EXTERNAL_ZSTD=ON", "-DDEACTIVATE_SNAPPY=ON"),
            needs=("lz4", "zlib", "zstd")),
    # The one font is part of Sluice: no compressed fonts, no bitmaps in them. Without zlib it would
    # bring another one of its own.
    Library("freetype", "freetype", "FTL", "cmake", ("-DFT_REQUIRE_ZLIB=ON", *(
        f"-DFT_DISABLE_{word}=ON" for word in ("BZIP2", "PNG", "HARFBUZZ", "BROTLI"))),
            needs=("zlib",)),
    # What Debian changes is how it is packaged.
    Library("pixman", "pixman", "MIT", "configure",
            ("--disable-shared", "--disable-gtk", "--disable-libpng", "--disable-openmp"),
            patched=False),
    # Images, SVG and PDF, with letters of FreeType; SVG needs PNG.
    Library("cairo", "cairo", "LGPL-2.1-only OR MPL-1.1", "configure", tuple(
        ["--disable-shared", "--enable-ft", "--enable-pdf", "--enable-svg", "--enable-png"]
        + [f"--disable-{word}" for word in ("xlib", "xcb", "fc", "gobject", "trace", "ps", "script",
                                            "interpreter", "full-testing", "gtk-doc", "valgrind")]),
            needs=("zlib", "png", "freetype", "pixman"), part="src"),
    Library("ogg", "libogg", "BSD-3-Clause", "configure", ("--disable-shared",)),
    Library("vorbis", "libvorbis", "BSD-3-Clause", "configure",
            ("--disable-shared", "--disable-examples", "--disable-docs", "--disable-oggtest"),
            needs=("ogg",)),
    Library("opus", "opus", "BSD-3-Clause", "configure",
            ("--disable-shared", "--disable-doc", "--disable-extra-programs")),
    Library("flac", "flac", "BSD-3-Clause", "cmake",
            ("-DBUILD_CXXLIBS=OFF", "-DBUILD_PROGRAMS=OFF", "-DBUILD_EXAMPLES=OFF",
             "-DINSTALL_MANPAGES=OFF", "-DBUILD_DOCS=OFF"), needs=("ogg",)),
    Library("mpg123", "mpg123", "LGPL-2.1-only", "configure",
            ("--disable-shared", "--disable-components", "--enable-libmpg123")),
    # libsndfile reads MP3 only where it can write it too.
    Library("lame", "lame", "LGPL-2.0-or-later", "configure",
            ("--disable-shared", "--disable-frontend", "--disable-gtktest")),
    Library("sndfile", "libsndfile", "LGPL-2.1-or-later", "cmake",
            ("-DBUILD_PROGRAMS=OFF", "-DBUILD_EXAMPLES=OFF", "-DENABLE_MPEG=ON",
             "-DENABLE_EXTERNAL_LIBS=ON", "-DINSTALL_MANPAGES=OFF"),
            needs=("ogg", "vorbis", "opus", "flac", "mpg123", "lame")),
    Library("soxr", "libsoxr", "LGPL-2.1-or-later", "cmake",
            ("-DWITH_OPENMP=OFF", "-DBUILD_EXAMPLES=OFF", "-DWITH_LSR_BINDINGS=OFF",
             "-DWITH_AVFFT=OFF")),
    # Only what reads and writes files, with the dictionary of tags in the program.
    Library("dcmtk", "dcmtk", "BSD-3-Clause AND IJG AND Apache-2.0", "cmake", (
        "-DBUILD_APPS=OFF", "-DDCMTK_DEFAULT_DICT=builtin",
        # Asked for by one of Debian's patches.
        "-DCMAKE_INSTALL_DATADIC=share/dcmtk",
        "-DDCMTK_MODULES=ofstd;oflog;dcmdata;dcmimgle;dcmimage;dcmjpeg;dcmjpls",
        "-DDCMTK_ENABLE_STL=OFF", "-DDCMTK_WITH_ZLIB=ON", *(
            f"-DDCMTK_WITH_{word}=OFF" for word in ("OPENSSL", "XML", "TIFF", "PNG", "ICONV", "ICU",
                                                    "STDLIBC_ICONV", "SNDFILE", "WRAP", "OPENJPEG",
                                                    "DOXYGEN"))), needs=("zlib",)),
    # Streams of detectors are not encrypted: no libsodium.
    Library("zmq", "zeromq3", "LGPL-3.0-or-later", "cmake",
            ("-DBUILD_SHARED=OFF", "-DBUILD_STATIC=ON", "-DBUILD_TESTS=OFF", "-DWITH_PERF_TOOL=OFF",
             "-DWITH_LIBSODIUM=OFF", "-DENABLE_CURVE=OFF", "-DWITH_LIBBSD=OFF", "-DENABLE_WS=OFF",
             "-DWITH_DOCS=OFF", "-DENABLE_CPACK=OFF")),
)

# What is compiled in without being linked: Debian's package, and the license of it.
HEADERS = {
    "libboost1.74-dev": "BSL-1.0",
    "gemmi-dev": "MPL-2.0",
    "libcli11-dev": "BSD-3-Clause",
    "libtoml11-dev": "MIT",
    "nlohmann-json3-dev": "MIT",
    "fonts-dejavu-core": "Bitstream-Vera",
}

# What of Python's packages is compiled in: nanobind's own part of the module (of the rest it says
# what PyPI is to install beside it: pyproject.toml).
PYTHON = {"nanobind": "BSD-3-Clause"}

# What the viewer's page is made of (page/package.json).
PAGE = {"@preact/signals": "MIT", "@preact/signals-core": "MIT", "fflate": "MIT", "preact": "MIT",
        "uplot": "MIT"}
