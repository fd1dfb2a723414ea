# Every library of other people, each linked by the one layer that includes its headers.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(TIFF REQUIRED)
find_package(JPEG REQUIRED)
find_package(pugixml REQUIRED)
find_package(CLI11 REQUIRED)
find_package(toml11 REQUIRED)
find_package(Boost REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
if(NOT TARGET HDF5::HDF5)
    add_library(HDF5::HDF5 ALIAS hdf5::hdf5)
endif()
find_package(PkgConfig REQUIRED)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET GLOBAL liblz4)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET GLOBAL libzstd)
pkg_check_modules(BLOSC REQUIRED IMPORTED_TARGET GLOBAL blosc)
pkg_check_modules(YAML_CPP REQUIRED IMPORTED_TARGET GLOBAL yaml-cpp)
add_library(YamlCpp::YamlCpp ALIAS PkgConfig::YAML_CPP)
pkg_check_modules(SNDFILE REQUIRED IMPORTED_TARGET GLOBAL sndfile)
pkg_check_modules(SOXR REQUIRED IMPORTED_TARGET GLOBAL soxr)
add_library(LZ4::LZ4 ALIAS PkgConfig::LZ4)
add_library(ZSTD::ZSTD ALIAS PkgConfig::ZSTD)
add_library(Blosc::Blosc ALIAS PkgConfig::BLOSC)
add_library(SndFile::sndfile ALIAS PkgConfig::SNDFILE)
add_library(Soxr::soxr ALIAS PkgConfig::SOXR)

# Its own CMake package asks for OpenCL's headers, which nothing here includes. Where it shares work
# by GNU's OpenMP, nn tells that how many threads to take.
find_path(DNNL_INCLUDE_DIR dnnl.hpp REQUIRED)
find_library(DNNL_LIBRARY dnnl REQUIRED)
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

# Headers alone.
find_path(GEMMI_INCLUDE_DIR gemmi/c4322.hpp REQUIRED)
add_library(Gemmi::headers INTERFACE IMPORTED GLOBAL)
target_include_directories(Gemmi::headers INTERFACE "${GEMMI_INCLUDE_DIR}")

# Pictures. The font becomes part of the program, so that they are the same on every machine.
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET GLOBAL cairo cairo-ft cairo-pdf cairo-svg freetype2)
add_library(Cairo::Cairo ALIAS PkgConfig::CAIRO)
set(SLUICE_FONT "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf" CACHE FILEPATH
    "the font of pictures: DejaVuSans.ttf")
if(NOT EXISTS "${SLUICE_FONT}")
    message(FATAL_ERROR "${SLUICE_FONT} is not there (the font of pictures) install "
                        "fonts-dejavu-core, or give its path as SLUICE_FONT")
endif()
function(sluice_font layer)
    set(user "${CMAKE_SOURCE_DIR}/src/figure/font_file.cpp")
    set_source_files_properties("${user}" PROPERTIES
        COMPILE_DEFINITIONS "SLUICE_FONT=\"${SLUICE_FONT}\"" OBJECT_DEPENDS "${SLUICE_FONT}")
endfunction()

# FFTW is under the GPL, which then holds for the program that is linked with it; where that must
# not be, `own` does the same, 1.3 to 5 times slower.
set(SLUICE_FFT fftw CACHE STRING "what does Fourier transforms: fftw or own")
set_property(CACHE SLUICE_FFT PROPERTY STRINGS fftw own)
if(SLUICE_FFT STREQUAL "fftw")
    pkg_check_modules(FFTW REQUIRED IMPORTED_TARGET GLOBAL fftw3 fftw3f)
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
if(SLUICE_TESTS)
    find_package(GTest REQUIRED)
endif()
