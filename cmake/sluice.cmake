# The functions the lists of this project are written in, and what every target shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

option(SLUICE_TESTS "build the tests, the fuzz replays and the examples" ON)
set(SLUICE_SANITIZE "" CACHE STRING "sanitizers for everything, e.g. address,undefined")
set(SLUICE_FUZZER OFF CACHE BOOL "build fuzz targets with libFuzzer (clang) and not as replays")

find_program(SLUICE_CCACHE ccache)
if(SLUICE_CCACHE)
    # So that another clone of the same sources finds what this one compiled.
    set(launcher "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1
        "${SLUICE_CCACHE}")
    set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${launcher})
endif()

add_library(sluice_flags INTERFACE)
target_include_directories(sluice_flags INTERFACE
    "${CMAKE_SOURCE_DIR}/include" "${CMAKE_SOURCE_DIR}/src" "${CMAKE_BINARY_DIR}/generated")
# Contraction is off because a*b+c must have the same bits on every ISA and device.
target_compile_options(sluice_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Werror;-ffp-contract=off>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:$<TARGET_PROPERTY:SLUICE_IS_TEST>>>>:-Wconversion>)
if(SLUICE_SANITIZE)
    # GCC 12 warns of bounds in code that the sanitizers themselves put in.
    target_compile_options(sluice_flags INTERFACE -Wno-array-bounds
                           $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    add_compile_options(-fsanitize=${SLUICE_SANITIZE} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${SLUICE_SANITIZE})
endif()
if(SLUICE_FUZZER)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

execute_process(COMMAND git describe --always --dirty --abbrev=12
                WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
                OUTPUT_VARIABLE SLUICE_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
configure_file("${CMAKE_SOURCE_DIR}/cmake/build.h.in" "${CMAKE_BINARY_DIR}/generated/build.h")

include(dependencies)
include(isa)
include(cuda)

# sluice_layer(name [FOLDER path] DEPENDS ...): one static library out of src/<path>/**.cpp.
# By suffix: x_test.cpp goes into test_<name>, x_fuzz.cpp becomes a fuzz target, x.isa.cpp is
# compiled once per instruction set, x.cu by nvcc, or as C++ where that is missing.
function(sluice_layer name)
    cmake_parse_arguments(ARG "" "FOLDER" "DEPENDS" ${ARGN})
    if(NOT ARG_FOLDER)
        set(ARG_FOLDER ${name})
    endif()
    set(dir "${CMAKE_SOURCE_DIR}/src/${ARG_FOLDER}")
    file(GLOB_RECURSE all CONFIGURE_DEPENDS "${dir}/*.cpp")
    file(GLOB_RECURSE cuda CONFIGURE_DEPENDS "${dir}/*.cu")
    set(tests ${all})
    list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
    set(fuzz ${all})
    list(FILTER fuzz INCLUDE REGEX "_fuzz\\.cpp$")
    set(per_isa ${all})
    list(FILTER per_isa INCLUDE REGEX "\\.isa\\.cpp$")
    list(FILTER all EXCLUDE REGEX "(_test|_fuzz|\\.isa)\\.cpp$")
    list(APPEND all ${cuda})
    if(NOT SLUICE_CUDA)
        set_source_files_properties(${cuda} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-xc++")
    endif()
    if(NOT all AND NOT per_isa)
        add_library(${name} INTERFACE)
        target_link_libraries(${name} INTERFACE sluice_flags ${ARG_DEPENDS})
        return()
    endif()
    add_library(${name} STATIC ${all})
    target_link_libraries(${name} PUBLIC sluice_flags ${ARG_DEPENDS})
    if(SLUICE_CUDA AND cuda)
        sluice_cuda_target(${name})
    endif()
    foreach(file ${per_isa})
        sluice_per_isa(${name} "${file}")
    endforeach()
    if(SLUICE_TESTS)
        if(tests)
            sluice_test(test_${name} SOURCES ${tests} DEPENDS ${name})
        endif()
        foreach(file ${fuzz})
            sluice_fuzz("${file}" ${name})
        endforeach()
    endif()
endfunction()

function(sluice_program name)
    cmake_parse_arguments(ARG "" "FOLDER" "DEPENDS" ${ARGN})
    file(GLOB_RECURSE all CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${ARG_FOLDER}/*.cpp")
    if(NOT all)
        return()
    endif()
    add_executable(${name} ${all})
    target_link_libraries(${name} PRIVATE sluice_flags ${ARG_DEPENDS})
endfunction()

# One GoogleTest program, entered in CTest case by case.
function(sluice_test name)
    cmake_parse_arguments(ARG "" "LABEL" "SOURCES;DEPENDS" ${ARGN})
    add_executable(${name} ${ARG_SOURCES} "${CMAKE_SOURCE_DIR}/tests/support/leaks.cpp")
    target_link_libraries(${name} PRIVATE sluice_flags ${ARG_DEPENDS} GTest::gtest_main
                          $<TARGET_NAME_IF_EXISTS:jxrlib> $<TARGET_NAME_IF_EXISTS:czi_writer>)
    # Casts in a test hide what it says.
    set_target_properties(${name} PROPERTIES SLUICE_IS_TEST ON)
    target_compile_definitions(${name} PRIVATE SLUICE_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data")
    gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60)
endfunction()

# A fuzz target: with clang's libFuzzer in the fuzz preset, else linked with a driver that replays
# tests/fuzz/<name>/ and some mutations of it as an ordinary test.
function(sluice_fuzz file layer)
    get_filename_component(name "${file}" NAME_WE)
    set(corpus "${CMAKE_SOURCE_DIR}/tests/fuzz/${name}")
    if(SLUICE_FUZZER)
        add_executable(${name} "${file}")
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        target_link_libraries(${name} PRIVATE sluice_flags ${layer})
    else()
        add_executable(${name} "${file}" "${CMAKE_SOURCE_DIR}/tests/fuzz/replay.cpp")
        target_link_libraries(${name} PRIVATE sluice_flags ${layer})
        add_test(NAME fuzz_replay.${name} COMMAND ${name} "${corpus}")
    endif()
endfunction()

if(SLUICE_TESTS)
    enable_testing()
    include(GoogleTest)
endif()
