# Every library of other people, each linked by the one layer that includes its headers.
# What is missing is told at once, with the words that install it.
set(SLUICE_MISSING "")

# sluice_find(debian_package name ...): find_package.
macro(sluice_find package name)
    find_package(${name} QUIET ${ARGN})
    if(NOT ${name}_FOUND)
        list(APPEND SLUICE_MISSING ${package})
    endif()
endmacro()

# sluice_find_module(debian_package prefix modules...): pkg_check_modules.
macro(sluice_find_module package prefix)
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(${prefix} QUIET IMPORTED_TARGET GLOBAL ${ARGN})
    endif()
    if(NOT ${prefix}_FOUND)
        list(APPEND SLUICE_MISSING ${package})
    endif()
endmacro()

find_package(Threads REQUIRED)
sluice_find(libfmt-dev fmt)
sluice_find(zlib1g-dev ZLIB)
sluice_find(libpng-dev PNG)
sluice_find(libtiff-dev TIFF)
sluice_find(libjpeg-dev JPEG)
sluice_find(libpugixml-dev pugixml)
sluice_find(libcli11-dev CLI11)
sluice_find(libtoml11-dev toml11)
sluice_find(libboost-dev Boost)
sluice_find(nlohmann-json3-dev nlohmann_json)
sluice_find(libhdf5-dev HDF5 COMPONENTS C)
sluice_find(pkg-config PkgConfig)
sluice_find_module(liblz4-dev LZ4 liblz4)
sluice_find_module(libzstd-dev ZSTD libzstd)
sluice_find_module(libblosc-dev BLOSC blosc)
sluice_find_module(libyaml-cpp-dev YAML_CPP yaml-cpp)
sluice_find_module(libsndfile1-dev SNDFILE sndfile)
sluice_find_module(libsoxr-dev SOXR soxr)
sluice_find_module(libzmq3-dev ZMQ libzmq)
sluice_find_module("libcairo2-dev;libfreetype-dev" CAIRO cairo cairo-ft cairo-pdf cairo-svg freetype2)
find_path(DNNL_INCLUDE_DIR dnnl.hpp)
find_library(DNNL_LIBRARY dnnl)
if(NOT DNNL_INCLUDE_DIR OR NOT DNNL_LIBRARY)
    list(APPEND SLUICE_MISSING libdnnl-dev)
endif()
find_path(GEMMI_INCLUDE_DIR gemmi/c4322.hpp)
if(NOT GEMMI_INCLUDE_DIR)
    list(APPEND SLUICE_MISSING gemmi-dev)
endif()
# Only what reads and writes files: Debian's own CMake package asks for libraries of all of it.
find_path(DCMTK_INCLUDE_DIR dcmtk/dcmdata/dctk.h)
set(SLUICE_DCMTK dcmjpeg ijg8 ijg12 ijg16 dcmjpls dcmtkcharls dcmimage dcmimgle dcmdata oflog ofstd)
set(dcmtk_parts "")
foreach(part ${SLUICE_DCMTK})
    find_library(DCMTK_${part} ${part})
    list(APPEND dcmtk_parts "${DCMTK_${part}}")
endforeach()
if(NOT DCMTK_INCLUDE_DIR OR dcmtk_parts MATCHES "NOTFOUND")
    list(APPEND SLUICE_MISSING libdcmtk-dev)
endif()
set(SLUICE_FONT "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf" CACHE FILEPATH
    "the font of pictures: DejaVuSans.ttf")
if(NOT EXISTS "${SLUICE_FONT}")
    list(APPEND SLUICE_MISSING fonts-dejavu-core)
endif()
# FFTW is under the GPL, which then holds for the program that is linked with it; where that must
# not be, `own` does the same, 1.3 to 5 times slower.
set(SLUICE_FFT fftw CACHE STRING "what does Fourier transforms: fftw or own")
set_property(CACHE SLUICE_FFT PROPERTY STRINGS fftw own)
if(SLUICE_FFT STREQUAL "fftw")
    sluice_find_module(libfftw3-dev FFTW fftw3 fftw3f)
endif()
if(SLUICE_TESTS)
    sluice_find(libgtest-dev GTest)
endif()
if(SLUICE_MISSING)
    list(JOIN SLUICE_MISSING " " words)
    message(FATAL_ERROR "libraries that Sluice is built with are not installed; on Debian and Ubuntu this command "
                        "installs them:\n  sudo apt-get install ${words}\n(packages.txt says what each is for; "
                        "SLUICE_FONT can name another DejaVuSans.ttf, and -DSLUICE_FFT=own does without FFTW)")
endif()

if(NOT TARGET HDF5::HDF5)
    add_library(HDF5::HDF5 ALIAS hdf5::hdf5)
endif()
add_library(YamlCpp::YamlCpp ALIAS PkgConfig::YAML_CPP)
add_library(LZ4::LZ4 ALIAS PkgConfig::LZ4)
add_library(ZSTD::ZSTD ALIAS PkgConfig::ZSTD)
# A library of its own, whose needs CMake puts behind it: where it is static, as in the wheel, it needs these, and its
# pkg-config file does not say so.
add_library(Blosc::Blosc UNKNOWN IMPORTED GLOBAL)
set_target_properties(Blosc::Blosc PROPERTIES IMPORTED_LOCATION "${pkgcfg_lib_BLOSC_blosc}"
    INTERFACE_INCLUDE_DIRECTORIES "${BLOSC_INCLUDE_DIRS}"
    INTERFACE_LINK_LIBRARIES "PkgConfig::LZ4;PkgConfig::ZSTD;ZLIB::ZLIB")
add_library(SndFile::sndfile ALIAS PkgConfig::SNDFILE)
add_library(Soxr::soxr ALIAS PkgConfig::SOXR)
add_library(Zmq::zmq ALIAS PkgConfig::ZMQ)

# Its own CMake package asks for OpenCL's headers, which nothing here includes. Where it shares work
# by GNU's OpenMP, nn tells that how many threads to take.
add_library(Dnnl::dnnl INTERFACE IMPORTED GLOBAL)
target_include_directories(Dnnl::dnnl INTERFACE "${DNNL_INCLUDE_DIR}")
target_link_libraries(Dnnl::dnnl INTERFACE "${DNNL_LIBRARY}")
file(STRINGS "${DNNL_INCLUDE_DIR}/oneapi/dnnl/dnnl_config.h" openmp
     REGEX "define DNNL_CPU_THREADING_RUNTIME DNNL_RUNTIME_OMP")
set(SLUICE_OPENMP "")
if(openmp)
    set(SLUICE_OPENMP gomp)
    target_link_libraries(Dnnl::dnnl INTERFACE gomp)
endif()

add_library(Dcmtk::dcmtk INTERFACE IMPORTED GLOBAL)
target_include_directories(Dcmtk::dcmtk SYSTEM INTERFACE "${DCMTK_INCLUDE_DIR}")
target_link_libraries(Dcmtk::dcmtk INTERFACE ${dcmtk_parts} ZLIB::ZLIB)

# Headers alone.
add_library(Gemmi::headers INTERFACE IMPORTED GLOBAL)
target_include_directories(Gemmi::headers INTERFACE "${GEMMI_INCLUDE_DIR}")

# Pictures. The font becomes part of the program, so that they are the same on every machine.
add_library(Cairo::Cairo ALIAS PkgConfig::CAIRO)
function(sluice_font layer)
    set(user "${CMAKE_SOURCE_DIR}/src/figure/font_file.cpp")
    set_source_files_properties("${user}" PROPERTIES
        COMPILE_DEFINITIONS "SLUICE_FONT=\"${SLUICE_FONT}\"" OBJECT_DEPENDS "${SLUICE_FONT}")
endfunction()

if(SLUICE_FFT STREQUAL "fftw")
    set(SLUICE_FFT_LIBRARY PkgConfig::FFTW)
    set(other own)
elseif(SLUICE_FFT STREQUAL "own")
    set(SLUICE_FFT_LIBRARY "")
    set(other fftw)
else()
    message(FATAL_ERROR "SLUICE_FFT is '${SLUICE_FFT}' (no such backend) give fftw or own")
endif()
set_source_files_properties("${CMAKE_SOURCE_DIR}/src/fft/backend_${other}.cpp"
                            PROPERTIES HEADER_FILE_ONLY ON)
